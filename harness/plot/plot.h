/*
 * Figures of a run folder. Every figure NAME is made in three separate steps: the numbers (NAME.dat), the gnuplot
 * program with everything except the numbers (NAME.gp), and the pictures that gnuplot draws from them (NAME.svg,
 * NAME.png, NAME.pdf). The first two depend only on the records and traces, byte for byte.
 */
#ifndef HULLBENCH_PLOT_H
#define HULLBENCH_PLOT_H

#include "harness/compare/data.h"
#include "harness/figure/figure.h"
#include "harness/records/run_folder.h"
#include "harness/support/members.h"

struct plot_options {
    const char *only; /* draw only figures with this name; NULL: all */
    int no_render;    /* nonzero: write .dat and .gp, but do not run gnuplot */
    const char *out;  /* folder for the figures; NULL: DIR/plots, or DIR/paper for print */
    struct figure_style style; /* its styles are those of solvers */
    const struct plot_choice *choice; /* NULL: all records, by the configuration's "plots" */
};

/* The result of drawing. Initialise with a pool, which holds its texts. */
struct plot_report {
    struct pool *pool;
    struct LIST_OF(char *) figures; /* paths without extension: "DIR/plots/NAME" */
    struct plot_names LIST_OF(const char *) others; /* figures that options->only left out */
    const char *notes; /* lines, each with a newline, about requests that were not drawn; NULL if none */
};

/* Draws the figures requested under "plots" in DIR/config.json of each of `count` folders into DIR/plots (without the
 * key, all figures that the records and traces allow). Printed tables are compared with the records of all folders that
 * name them, and drawn in the first of these. Dies with STATUS_NOT_FOUND if there are no records, or none that can be
 * drawn; with STATUS_BAD_INPUT for a damaged file, or an unknown kind or name; and with STATUS_IO if a file cannot be
 * written, or gnuplot is missing or fails. The .dat and .gp of every figure are written all the same, and *report says
 * what was drawn before. */
void plot_folders(const char *const *folders, size_t count, const struct plot_options *options,
                  struct plot_report *report);
/* Whether DIR/plots was drawn to its end from these records and this configuration; no if they cannot be known. A later
 * change of single files there is not noticed. */
int plot_is_complete(struct pool *pool, const struct run_folder *folder);
/* Draws the figures of one of several folders that have been read, whose configurations may be missing, and adds them
 * to *report. Drawing none is not an error. Errors are returned, since what was drawn before stays. */
enum status plot_run_folder(const struct run_folders *folders, size_t which, const struct plot_options *options,
                            struct plot_report *report, struct error *error);

/* ---- what the user chooses, by options and by a specification (docs/plots.md), which is checked like a configuration
 * ---- */

/* The tables of the file of --spec, of its series and figures, and of the series of a figure. */
extern const struct member plot_spec_members[], plot_series_members[], plot_members[], plot_entry_series_members[],
    plot_reference_members[];

/* The options as given; NULL if absent. An option overrides the specification. */
struct plot_choice_options {
    const char *spec;              /* FILE */
    const char *datasets, *solvers; /* "heart,banana" */
    const char *use, *width, *font, *font_size, *formats; /* as in a specification */
    const char *series;            /* "mdm=MDM,my-fw=AFW (ours)": solvers and their labels */
};

/* Reads the options, then the specification, if any, into the returned choice, *style and *only, whose texts are in the
 * pool. Members that are already set stay. Dies with STATUS_BAD_INPUT and file or option, key, value and allowed
 * values. */
const struct plot_choice *plot_choice_read(struct pool *pool, const struct plot_choice_options *options,
                                           struct figure_style *style, const char **only);

/* Reads the records of the folders and removes those that the choice excludes. Dies with STATUS_BAD_INPUT if no folder
 * has a data set or solver of the choice, and with STATUS_NOT_FOUND if a condition, which the message names, leaves no
 * record. */
void plot_choice_apply(struct pool *pool, const struct plot_choice *choice, struct run_folders *folders);

/* The style of each solver of the folder (NULL: none), in the order of the plan including excluded ones, and of each
 * series of the choice. */
const struct named_style *plot_series_styles(struct pool *pool, const struct plot_choice *choice,
                                             const struct run_folder *folder, size_t *n);

#endif
