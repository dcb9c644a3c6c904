/* Converts the report's Markdown to parts of an HTML page. */
#ifndef HULLBENCH_PAGE_MARKDOWN_H
#define HULLBENCH_PAGE_MARKDOWN_H

#include <stdio.h>

#include "solvers/error.h"

#include "harness/records/plan_order.h"

struct report;

/* A page being written. Zero-initialise and set the first three members. */
struct page {
    struct pool *pool;
    FILE *stream;
    const struct report *report; /* source of the figures that may be shown; NULL: none */
    struct name_order ids;       /* on the page so far; zeroed: none */
    size_t n_tables;
    const char *heading; /* the last heading as plain text: the caption of the tables below it */
    unsigned fold; /* fold each heading of this level, with the text up to the next one; 0: none */
    int is_folding;
};

/*
 * Writes Markdown (CommonMark with tables) as HTML, with headings `deeper` levels down. Raw HTML in it is text. Links
 * may lead to http and https addresses and into the page, and pictures may be the report's figures; other links and
 * pictures become text. Extensions:
 * - a heading's id is html_id of its text up to a colon, unless an earlier one has it;
 * - the last heading is the caption of a table, whose first column has row headers; a cell that ends with a verdict's
 * sign, or begins with a claim's, gets the verdict's colour and name;
 * - code that consists of signs, as in `==≈ =≠`, gets their colours; with `places`, code with a '/' gets the id "why-"
 * + html_id;
 * - a quotation whose first paragraph is bold is folded, with that paragraph as summary.
 * Dies with STATUS_IO if the parser fails; `label` is for the message.
 */
void page_markdown(struct page *page, const char *label, const char *text, unsigned deeper, int places);
/* Ends the folded text, if any. */
void page_end_fold(struct page *page);

#endif
