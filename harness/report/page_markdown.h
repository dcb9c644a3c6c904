/* The report's Markdown as parts of an HTML page. */
#ifndef HULLBENCH_PAGE_MARKDOWN_H
#define HULLBENCH_PAGE_MARKDOWN_H

#include <stdio.h>

#include "solvers/error.h"

struct report;

/* A page being written. Zero-initialise, set the first two, and free with page_free. */
struct page {
    FILE *stream;
    const struct report *report; /* whose figures may be shown; NULL: none */
    char **ids;                  /* of the page so far, each once */
    size_t n_ids, n_tables;
    char *heading; /* the last one, plain: the caption of the tables below it */
    unsigned fold; /* each heading of this level, with the text up to the next one, is folded; 0: none */
    int is_folding;
};

/*
 * Writes Markdown (CommonMark with tables) as HTML, headings `deeper` levels down. Raw HTML in it is text, links lead
 * to http and https addresses and into the page, pictures are those of the report's figures; other links and pictures
 * become their text. Besides what Markdown says:
 * - a heading's id is html_id of its text up to a colon, where no earlier one has it;
 * - the caption of a table is the last heading; its first column heads the rows; a cell that ends in the sign of a
 * verdict, or begins with that of a claim's, gets its colour and its word;
 * - code of signs alone, as in `==≈ =≠`, gets their colours; with `places`, code with a '/' gets the id "why-" +
 * html_id;
 * - a quotation whose first paragraph is bold is folded, with that as summary.
 * STATUS_IO where the parser fails; `label` is for the message.
 */
enum status page_markdown(struct page *page, const char *label, const char *text, unsigned deeper, int places,
                          struct error *error);
/* Ends the folded text, if the page is in one. */
void page_end_fold(struct page *page);
void page_free(struct page *page);

#endif
