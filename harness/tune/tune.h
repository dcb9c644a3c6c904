/* Searching for the best values of one or two numbers: configuration, data, searches, journal, output files. */
#ifndef HULLBENCH_TUNE_H
#define HULLBENCH_TUNE_H

#include "harness/data/folds.h"
#include "harness/tune/search.h"

struct tune {
    const struct run_options *options; /* without splits and shards */
    int no_render;                     /* write .dat and .gp of figures, do not start gnuplot */
    struct tune_config *config;
    struct run run;          /* opened for the splits that are searched on: configuration, data, plan and fingerprint */
    struct inner_folds *folds; /* one per data set of the configuration; zeroed: missing */
    struct search *searches; /* data sets as configured, solvers within them; none for sets that are missing */
    size_t n_searches;
    size_t n_evaluations, n_folds; /* of all searches */
    char *figures_failed;          /* why pictures are missing, malloc'ed; NULL: they are not */
};

/* Reads the configuration and the printed values, loads the data. Data sets that are not there are noted, not an
 * error. */
enum status tune_open(struct tune *tune, const struct run_options *options, struct error *error);
/* Does what is left and writes the folder. STATUS_INTERRUPTED: what was done is in the journal, and the same call
 * resumes the search. STATUS_NOT_FOUND: nothing to search on, all data sets are missing. */
enum status tune_execute(struct tune *tune, struct error *error);
void tune_close(struct tune *tune);

/* Writes the folder's evaluations.jsonl, tune.json, tune.md and surface.csv for a search that is done. */
enum status tune_report_write(const struct tune *tune, struct error *error);
/* Writes DIR/plots/tune-DATASET-SOLVER.{dat,gp} for every search, and its pictures unless tune->no_render. That
 * gnuplot is missing or fails is no error: what it says is kept in tune->figures_failed. */
enum status tune_figures_write(struct tune *tune, struct error *error);
/* Draws those of a finished search's pictures that are not there, from the .gp and .dat beside them. */
void tune_figures_complete(struct tune *tune);

/* A path inside the folder, malloc'ed. */
char *tune_path(const struct tune *tune, const char *name);

#endif
