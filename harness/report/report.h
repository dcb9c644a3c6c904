/*
 * The contents of `hullbench report`, collected from run and search folders without new measurements or decisions.
 * Verdicts come from conform_runs, other tables are the folders' Markdown files, figures are their SVGs.
 */
#ifndef HULLBENCH_REPORT_H
#define HULLBENCH_REPORT_H

#include "harness/papers/conform.h"
#include "harness/base/pool.h"

/* The maximum number of main figures. */
enum { MAX_MAIN_FIGURES = 6 };

struct report_figure {
    size_t folder;                 /* its index in report.folders */
    const char *name;              /* of DIR/plots/NAME.gp */
    const char *heading, *caption; /* from NAME.txt; heading: default is the name; caption: default is "" */
    const char *file;              /* name in a report: "figures/LABEL.NAME.svg", encoded by html_id */
    const char *table;             /* the printed table beside which it stands; NULL: none */
    const char *svg;               /* NULL if there is no picture */
    size_t bytes;                  /* size within a page */
    size_t rank;                   /* 0: shown first */
    size_t turn;                   /* its index among those of the same rank in the folder, by name */
    int embedded, is_main;
};

struct report_folder {
    const char *label;      /* the rest of the path after the common parent: distinguishes folders */
    struct run_folder *run; /* its config.json and run.json, in report.runs */
    size_t n_figures;
};

struct report {
    struct pool *pool;
    struct report_folder *folders;
    size_t count;
    struct run_folders runs;
    struct conformance conformance;
    struct report_figures {
        struct report_figure *item;
        size_t count, capacity;
    } figures;
    struct report_figure *main[MAX_MAIN_FIGURES];
    size_t n_main;
    const char *deviations;   /* docs/deviations.md, or a note that it is missing */
    struct string_list notes; /* what the report lacks, for the reader */
};

/* Reads everything into the pool. First it writes tables that are missing or of other records and draws figures, into
 * the folders. A figure that cannot be drawn is a note, not an error. The paths must outlive the report. Dies with
 * STATUS_BAD_INPUT if a folder is missing, given twice, or holds no configuration or records. */
struct report *report_gather(struct pool *pool, const char *const *paths, size_t count);
/* The common parent of the folders, or the only folder; absolute. Dies with STATUS_BAD_INPUT if one is missing. */
const char *report_find_parent(struct pool *pool, const char *const *paths, size_t count);

/* Prints one self-contained HTML page (docs/report.md), with identical bytes for identical folders. The caller checks
 * the stream for errors. */
void report_print_page(struct report *report, FILE *stream);

/* Writes a short version in Markdown and SVG: tables and main figures, with README.md as index; creates the folder.
 * Replaces files of an earlier version and removes none. */
void report_write_markdown(struct report *report, const char *folder);

#endif
