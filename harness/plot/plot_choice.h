/*
 * The user's choice of what to draw from a run, by options and by a specification (docs/plots.md): which records, which
 * figures, and the names and styles of series. Specifications are checked like configurations.
 */
#ifndef HULLBENCH_PLOT_CHOICE_H
#define HULLBENCH_PLOT_CHOICE_H

#include "harness/compare/data.h"
#include "harness/figure/figure_style.h"
#include "harness/support/members.h"

/* The tables of the file of --spec, of its series and figures, and of the series of a figure. */
extern const struct member plot_spec_members[], plot_series_members[], plot_members[], plot_entry_series_members[];

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
