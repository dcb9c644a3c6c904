/* The parts of the page, in the order in which they stand there. Each writes its section, and looks at no other's. */
#ifndef HULLBENCH_PAGE_H
#define HULLBENCH_PAGE_H

#include <stdio.h>

#include "harness/report/markdown.h"
#include "harness/report/report.h"

struct page {
    const struct report *report;
    FILE *stream;
    size_t tables;              /* numbered so far */
    struct markdown deviations; /* with the anchors of docs/deviations.md, known before anything that leads there */
    char *deviations_text;      /* that file as HTML; NULL where it is not there */
    const char *style, *script; /* plots/report.css and plots/report.js */
    int failed;                 /* memory was missing for a part */
};

/* Verdicts of cells as the page shows them: a class, a sign, a word. */
struct page_verdict {
    const char *class_name, *sign, *word;
};
const struct page_verdict *page_verdict(enum verdict verdict);
/* A sign with its word for those who hear the page; it leads to the deviations where the id stands there. */
void page_sign(struct page *page, const struct page_verdict *verdict, const char *id);

void page_head(struct page *page);
void page_contents(struct page *page);
void page_scores(struct page *page);
enum status page_runs(struct page *page, struct error *error);
void page_machines(struct page *page);
void page_papers(struct page *page);
void page_claims(struct page *page, const struct conform_paper *paper);
enum status page_comparisons(struct page *page, struct error *error);
void page_figures(struct page *page);
enum status page_summaries(struct page *page, struct error *error);
void page_deviations(struct page *page);
void page_again(struct page *page);

#endif
