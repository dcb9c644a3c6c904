/*
 * The report's sections. Each writes Markdown once: a page renders the sections one after the other; a folder has them
 * in README.md, and their longer parts in separate files.
 */
#ifndef HULLBENCH_SECTIONS_H
#define HULLBENCH_SECTIONS_H

#include <stdio.h>

#include "harness/format/markup.h"
#include "harness/report/page_markdown.h"
#include "harness/report/report.h"

struct writer {
    struct pool *pool;
    const struct report *report;
    FILE *text;         /* the section's Markdown */
    struct page *page;  /* NULL: a folder */
    const char *folder; /* NULL: a page */
    char *chunk; /* of the page: the memory of `text` until it is rendered */
    size_t size;
};

/* Begins writing to a page, or to a folder, where `index` is README.md's stream. */
void writer_open(struct writer *writer, const struct report *report, struct page *page, const char *folder,
                 FILE *index);
/* On a page, renders what was written since the last call. */
void writer_flush(struct writer *writer);
/* On a page: renders a whole document next, as page_markdown does. */
void writer_document(struct writer *writer, const char *label, const char *markdown, unsigned deeper, int places);
void writer_close(struct writer *writer);

/* "[text](...)": a link to the part with that name (and label; NULL: none), in whichever file it is. */
void put_link(struct writer *writer, const char *text, const char *label, const char *name);

/* A part with a heading of the first level. On a page the heading has the fourth level; in a folder the part is the
 * file LABEL.NAME.md or NAME.md, and README.md gets the line "- BEFORE[title](...)AFTER" with the three texts
 * escaped. */
struct part {
    const char *label, *name, *before, *title, *after;
};
void put_part(struct writer *writer, const struct part *part, const char *markdown);

/* A folded quotation on a page: the bold summary, then `markdown`. */
void put_folded(FILE *stream, const char *summary, const char *markdown);

/* Writes a figure; `label` is that of its folder. */
void put_figure(FILE *stream, const struct report_figure *figure, const char *label);
/* Nonzero if the figure shows a printed table, with that name or any compared one, and so belongs next to it. */
int shows_table(const struct report_figure *figure, const char *table);
int stands_with_table(const struct report *report, const struct report_figure *figure);

/* A member of an object of config.json or run.json: the text, "" if missing, or the number, 0 if missing. */
const char *text_member(const struct cJSON *object, const char *name);
double number_member(const struct cJSON *object, const char *name);

/* The verdicts of a paper: cells, marks and claims, counted as `hullbench conform` counts them. */
struct score {
    struct verdict_counts counts;
    size_t claims[CLAIM_VERDICT_COUNT];
    size_t fitted_claims; /* not independent, and not counted among the others */
    struct marks_count marks;
};

/* Nonzero if the figure is one of the main figures. */
int is_main_figure(const struct report *report, const struct report_figure *figure);

/* Adds the tables and claims of one paper to *score, which is zero-initialised. */
void score_add(const struct conformance *conformance, const struct conform_paper *paper, struct score *score);
/* The percentage of cells that agree, of those neither missing nor undecidable; NaN if there are none. */
double score_percent(const struct score *score);

void section_agreement(struct writer *writer);
void section_verdicts(struct writer *writer);
void section_main_figures(struct writer *writer);
void section_findings(struct writer *writer);
void section_runs(struct writer *writer);
void section_machines(struct writer *writer);
void section_papers(struct writer *writer);
void section_comparisons(struct writer *writer);
void section_figures(struct writer *writer);
void section_summaries(struct writer *writer);
void section_deviations(struct writer *writer);
void section_commands(struct writer *writer);

#endif
