/* The parts that all pages have in common. */
#include "harness/format/page.h"

#include <string.h>

#include "harness/format/markup.h"
#include "harness/support/resource.h"
#include "harness/support/sha256.h"

static const char *read_part(const struct page *page, const char *name, const char *ending)
{
    return resource_read(page->pool, pool_printf(page->pool, "plots/%s.%s", name, ending), STATUS_BAD_INPUT);
}

void page_begin(struct page *page, const char *title)
{
    char hash[45];
    page->script =
        pool_printf(page->pool, "\n%s%s", read_part(page, "page", "js"), read_part(page, page->name, "js"));
    sha256_base64(page->script, strlen(page->script), hash);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
          "style-src 'unsafe-inline'; script-src 'sha256-",
          page->stream);
    fprintf(page->stream, "%s'\">\n<title>", hash);
    html_text(page->stream, title);
    fprintf(page->stream,
            "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n"
            "<a class=\"skip\" href=\"#main\">Skip to the results</a>\n",
            read_part(page, "page", "css"), read_part(page, page->name, "css"));
}

void page_end(const struct page *page)
{
    fprintf(page->stream, "<script>%s</script>\n</body>\n</html>\n", page->script);
}

void page_write(struct page *page, const char *title, const char *json)
{
    page_begin(page, title);
    fprintf(page->stream, "%s<script type=\"application/json\" id=\"data\">", read_part(page, page->name, "html"));
    for (; *json; json++) /* '<' is only in names; the element would end at "</" */
        fputs(*json == '<' ? "\\u003c" : (const char[]){*json, '\0'}, page->stream);
    fputs("</script>\n", page->stream);
    page_end(page);
}
