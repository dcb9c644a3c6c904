/*
 * Figures of a run folder. Every figure NAME is three steps that can be repeated apart: the numbers (NAME.dat), the
 * gnuplot program with everything it needs but the numbers (NAME.gp), and the pictures gnuplot makes of them
 * (NAME.svg, NAME.png, NAME.pdf). The first two depend on the records and traces only, byte for byte.
 */
#ifndef HULLBENCH_PLOT_H
#define HULLBENCH_PLOT_H

#include <stddef.h>

#include "harness/compare/data.h"
#include "harness/figure/figure_style.h"
#include "harness/records/run_folder.h"

struct plot_options {
    const char *only; /* draw just the figures of this name; NULL: all */
    int no_render;    /* nonzero: write .dat and .gp, do not start gnuplot */
    const char *out;  /* the folder of the figures; NULL: DIR/plots, for print DIR/paper */
    struct figure_style style; /* its looks are the solvers' */
    const struct plot_choice *choice; /* NULL: all records, by the configuration's "plots" */
};

/* What was drawn. Zero-initialise; owned by the caller, released with plot_report_free. */
struct plot_report {
    size_t n_figures;
    char **figures; /* n_figures malloc'ed paths without an ending: "DIR/plots/NAME" */
    char *notes;    /* malloc'ed lines, each ended by a newline, on what was asked for and not drawn; "" if nothing */
};

/* Draws the figures that DIR/config.json of each of `count` folders asks for under "plots" (all that the records and
 * traces can feed when the key is absent) into DIR/plots. Printed tables are compared with the records of all folders
 * that name them, and drawn in the first of these. STATUS_NOT_FOUND when there are no records or nothing in them can be
 * drawn; STATUS_BAD_INPUT for a damaged file or an unknown kind or name; STATUS_IO when a file cannot be written or
 * gnuplot is not installed or fails: the .dat and .gp of every figure are written all the same. */
enum status plot_folders(const char *const *folders, size_t count, const struct plot_options *options,
                         struct plot_report *report, struct error *error);
/* The same of one folder. */
enum status plot_folder(const char *folder, const struct plot_options *options, struct plot_report *report,
                        struct error *error);
/* The figures of one of several folders that have been read, whose configurations may be missing, added to *report.
 * That there are none is no error. */
enum status plot_run_folder(const struct run_folders *folders, size_t which, const struct plot_options *options,
                            struct plot_report *report, struct error *error);

/* Releases what plot_folder put into *report. */
void plot_report_free(struct plot_report *report);

#endif
