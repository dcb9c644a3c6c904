/*
 * What `hullbench report` shows, gathered from the folders of runs and searches: nothing is measured or decided anew.
 * Verdicts come from conform_runs, other tables are the Markdown files of the folders, figures their SVGs.
 */
#ifndef HULLBENCH_REPORT_H
#define HULLBENCH_REPORT_H

#include "harness/papers/conform.h"
#include "harness/support/string_list.h"

struct report_figure {
    size_t folder;           /* its place in report.folders */
    char *name;              /* of DIR/plots/NAME.gp */
    char *heading, *caption; /* of the same; heading: the name where the file says nothing; caption: "" */
    char *file;              /* in a report: "figures/LABEL.NAME.svg", in the letters of html_id */
    char *svg;               /* without the groups that hold nothing; NULL where there is no picture */
    size_t bytes;            /* inside a page */
    double width, height;    /* in pixels; 0 where the picture does not say */
    int rank;                /* 0: shown first */
    size_t turn;             /* its place among those of the rank in the folder, by name */
    int embedded;
};

struct report_figures {
    struct report_figure *items;
    size_t count;
};

struct report_folder {
    char *label;            /* what is left of the path behind the common parent: tells folders apart */
    struct run_folder *run; /* its config.json and run.json, in report.runs */
    size_t n_figures;
};

struct report {
    struct report_folder *folders;
    size_t count;
    char *parent; /* of all folders, absolute; of one folder: itself */
    struct run_folders runs;
    struct conformance conformance;
    struct report_figures figures;
    char *deviations;         /* docs/deviations.md, or that it is not there */
    struct string_list notes; /* what could not be had, for the reader */
};

/* Reads everything. Tables that are not there or older than their records are written, figures drawn, first: into the
 * folders. That figures cannot be drawn is a note, no error. Paths outlive *report, which is freed with report_free. A
 * folder that is not there or named twice, or holds no configuration or records, is STATUS_BAD_INPUT. */
enum status report_gather(const char *const *paths, size_t count, struct report *report, struct error *error);
/* The folder that all of them stand in, of one itself; absolute, malloc'ed. STATUS_BAD_INPUT where one is not there. */
enum status report_find_parent(const char *const *paths, size_t count, char **parent, struct error *error);
/* Accepts zeroed reports. */
void report_free(struct report *report);

/* The names of the files in a folder with that ending, without it, in the order of the files; none where there is no
 * folder. */
enum status report_list(const char *folder, const char *ending, struct string_list *names, struct error *error);

/* One HTML page that needs nothing beside it (docs/report.md). Same bytes for the same folders. Errors of the stream
 * are the caller's to look at. */
enum status report_print_page(struct report *report, FILE *stream, struct error *error);

/* A small form of it in Markdown and SVG: tables and main figures, with README.md as index; the folder is made. Files
 * of an earlier one are replaced, none is removed. */
enum status report_write_markdown(struct report *report, const char *folder, struct error *error);

/* Adds the figures of path/plots, where it is there; `label` tells the folder apart. */
enum status report_figures_read(struct report_figures *figures, const char *path, size_t folder, const char *label,
                                const struct cJSON *config, struct error *error);
void report_figures_free(struct report_figures *figures);
/* Whether pictures of the folder are missing or older than the file `than`; also where there are no figures at all. */
int report_figures_stale(const char *path, const char *than);
/* Of all figures those are embedded that fit `max` bytes together and a tenth of it each: those of the first rank, one
 * of each folder in turn, then those of the next. They are put in that order. */
void report_figures_choose(struct report_figures *figures, size_t max);
/* The embedded figure of that file, or NULL. */
const struct report_figure *report_figure_of(const struct report_figures *figures, const char *file);

#endif
