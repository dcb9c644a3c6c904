/*
 * What a user wants drawn of a run, by options and by a specification (docs/plots.md): which records, which figures,
 * and how series are called and look. A specification is checked as configurations are.
 */
#ifndef HULLBENCH_PLOT_CHOICE_H
#define HULLBENCH_PLOT_CHOICE_H

#include "harness/compare/data.h"
#include "harness/figure/figure_style.h"

/* The options as given; NULL where not. Those that a specification has too go before it. */
struct plot_choice_options {
    const char *spec;              /* FILE */
    const char *datasets, *solvers; /* "heart,banana" */
    const char *use, *width, *font, *font_size, *formats; /* as figure_read_for and the others take them */
    const char *series;            /* "mdm=MDM,my-fw=AFW (ours)": solvers, and what they are called */
};

/* Reads the options and then the specification, if any, into *choice, *style and *only. What is already set stays.
 * STATUS_BAD_INPUT: one line with file or option, key, value and what is allowed. *choice is zeroed first and released
 * with plot_choice_free, also after an error; the texts of the style and *only may be its. */
enum status plot_choice_read(const struct plot_choice_options *options, struct plot_choice *choice,
                             struct figure_style *style, const char **only, struct error *error);
void plot_choice_free(struct plot_choice *choice);

/* Reads the records of the folders and leaves out those that the choice does not name. STATUS_BAD_INPUT: a data set or
 * solver that no folder has. STATUS_NOT_FOUND: a condition, which is named, that leaves no record. */
enum status plot_choice_apply(const struct plot_choice *choice, struct run_folders *folders, struct error *error);

/* The look of each solver of the folder (NULL: none), by its place in the plan (left-out ones count), and of each
 * series of the choice. A new array, freed with plot_looks_free. */
struct figure_named_look *plot_looks(const struct plot_choice *choice, const struct run_folder *folder, size_t *n);
void plot_looks_free(struct figure_named_look *looks, size_t n);

#endif
