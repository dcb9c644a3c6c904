/* Searches for the best values of one or two numbers: configuration, data, searches, journal, output files. */
#ifndef HULLBENCH_TUNE_H
#define HULLBENCH_TUNE_H

#include "harness/data/folds.h"
#include "harness/support/string_list.h"
#include "harness/tune/search.h"

struct tune {
    const struct run_options *options; /* without splits and shards */
    int no_render;                     /* write .dat and .gp of figures, but do not run gnuplot */
    struct pool *pool; /* of the configuration */
    struct tune_config *config;
    struct run run;          /* opened for the splits to search on: configuration, data, plan and fingerprint */
    struct inner_folds *folds; /* one per data set of the configuration; zeroed if missing */
    struct search *searches; /* in the order of data sets, then solvers; none for missing sets */
    size_t n_searches;
    size_t n_evaluations, n_problems; /* of all searches; problems: those of folds and tests */
    char *figures_failed;          /* why pictures are missing, malloc'ed; NULL: none are */
};

/* Reads the configuration and the printed values, and loads the data. Missing data sets are noted, not an error. */
enum status tune_open(struct tune *tune, const struct run_options *options, struct error *error);
/* Runs the remaining evaluations and writes the folder. STATUS_INTERRUPTED: the journal has what is done, and the same
 * call resumes the search. STATUS_NOT_FOUND: all data sets are missing. */
enum status tune_execute(struct tune *tune, struct error *error);
/* Adds a line for each search in the folder's tune.json that chose no point, which says why. */
enum status tune_list_unsuccessful(const struct tune *tune, struct string_list *lines, struct error *error);
void tune_close(struct tune *tune);

/* Writes the folder's evaluations.jsonl, tune.json, tune.md and surface.csv for a finished search. */
enum status tune_report_write(const struct tune *tune, struct error *error);
/* Writes DIR/plots/tune-DATASET-SOLVER.{dat,gp} for every search, and its pictures unless tune->no_render. A missing or
 * failing gnuplot is not an error: tune->figures_failed keeps its message. */
enum status tune_figures_write(struct tune *tune, struct error *error);
/* Draws missing pictures of a finished search from their .gp and .dat. */
void tune_figures_complete(struct tune *tune);

/* A path inside the folder, malloc'ed. */
char *tune_path(const struct tune *tune, const char *name);

#endif
