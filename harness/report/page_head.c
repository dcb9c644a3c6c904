/*
 * The page's head. Its policy lets a browser load nothing from anywhere, draw only images that stand in the page, and
 * run only the one script whose SHA-256 is named: even markup that came through would be dead.
 */
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/page.h"
#include "harness/support/sha256.h"

/* The 32 bytes of a hash, given as 64 hexadecimal digits, in base64 (RFC 4648). */
static void put_base64(FILE *stream, const char hex[65])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char digits[] = "0123456789abcdef";
    unsigned bits = 0, held = 0;
    for (int i = 0; i < 64; i++) {
        bits = bits << 4 | (unsigned)(strchr(digits, hex[i]) - digits);
        held += 4;
        if (held >= 6) {
            held -= 6;
            fputc(letters[bits >> held & 63], stream);
        }
    }
    fputc(letters[bits << (6 - held) & 63], stream); /* 256 = 42 * 6 + 4 bits */
    fputc('=', stream);
}

static void put_title(struct page *page)
{
    const struct report *report = page->report;
    fputs("hullbench: ", page->stream);
    if (report->count == 1)
        html_text(page->stream, report->folders[0].label);
    else
        html_format(page->stream, "%zu folders of results", report->count);
}

void page_head(struct page *page)
{
    char hash[65];
    FILE *stream = page->stream;
    sha256_hex(page->script, strlen(page->script), hash);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
          "'unsafe-inline'; script-src 'sha256-",
          stream);
    put_base64(stream, hash);
    fputs("'\">\n<title>", stream);
    put_title(page);
    fprintf(
        stream,
        "</title>\n<style>\n%s</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the outcome</a>\n",
        page->style);
    fputs("<header>\n<h1>", stream);
    put_title(page);
    fputs("</h1>\n</header>\n", stream);
}

void page_contents(struct page *page)
{
    FILE *stream = page->stream;
    const struct conformance *conformance = &page->report->conformance;
    fputs("<nav aria-label=\"Contents\">\n<ul>\n<li><a href=\"#outcome\">Outcome</a></li>\n<li><a href=\"#runs\">What "
          "was "
          "run</a></li>\n<li><a href=\"#machines\">Machine and build</a></li>\n<li><a href=\"#papers\">Papers</a>",
          stream);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        fputs(p ? ", <a href=\"#" : ": <a href=\"#", stream);
        html_id(stream, "paper-", conformance->papers[p].paper->name);
        fputs("\">", stream);
        html_text(stream, conformance->papers[p].paper->name);
        fputs("</a>", stream);
    }
    fputs("</li>\n<li><a href=\"#comparisons\">Comparisons and searches</a></li>\n<li><a "
          "href=\"#figures\">Figures</a></li>\n"
          "<li><a href=\"#summaries\">Summaries</a></li>\n<li><a href=\"#deviations\">Deviations</a></li>\n"
          "<li><a href=\"#again\">How to run it again</a></li>\n</ul>\n</nav>\n<main id=\"main\">\n",
          stream);
}
