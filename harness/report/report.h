/*
 * What `hullbench report` shows, gathered from the folders of runs and searches: nothing is measured or decided anew.
 * Verdicts come from conform_runs, other tables are the Markdown files of the folders, figures their SVGs.
 */
#ifndef HULLBENCH_REPORT_H
#define HULLBENCH_REPORT_H

#include "harness/report/figures.h"
#include "harness/papers/conform.h"

/* A Markdown file of a folder: a table of `hullbench tables` that is no published one, or what a search or a comparison
 * wrote. */
struct report_document {
    const char *below; /* "tables/", or "" for the folder itself */
    char *name;        /* "summary", "rivals-1-smo", "tune", "compare", "compare-time" */
    char *text;
};

enum report_kind { REPORT_RUN, REPORT_SEARCH };

struct report_folder {
    const char *path; /* the caller's */
    char *label;      /* what is left of the path behind the common parent: tells folders apart */
    enum report_kind kind;
    struct run_folder *run; /* its config.json and run.json, in report.runs */
    struct report_document *documents;
    size_t n_documents;
    struct report_figures figures;
};

struct report {
    struct report_folder *folders;
    size_t count;
    char *parent; /* of all folders, absolute; of one folder: itself */
    struct run_folders runs;
    struct conformance conformance;
    char *deviations; /* docs/deviations.md, or that it is not there */
    char *notes; /* a line for each thing that could not be had, for the reader; "" */
};

/* Reads everything. Tables that are not there or older than their records are written, figures drawn, first: into the
 * folders. That figures cannot be drawn is a note, no error. Paths outlive *report, which is freed with report_free. A
 * folder that is not there or named twice, or holds no configuration or records, is STATUS_BAD_INPUT. */
enum status report_gather(const char *const *paths, size_t count, struct report *report, struct error *error);
/* Accepts NULL and zeroed reports. */
void report_free(struct report *report);

/* One HTML file that needs nothing beside it (docs/report.md). Same bytes for the same folders. */
enum status report_write_page(struct report *report, const char *path, struct error *error);

/* A small form of it in Markdown and SVG: tables and main figures, with README.md as index; the folder is made. Files
 * of an earlier one are replaced, none is removed. */
enum status report_write_markdown(struct report *report, const char *folder, struct error *error);

/* Sets `embedded` of the figures that are shown where `max` bytes are there for them (figures.h). */
void report_choose_figures(struct report *report, size_t max);
/* The embedded figure of that file (figures.h), or NULL. */
const struct report_figure *report_figure_of(const struct report *report, const char *file);

#endif
