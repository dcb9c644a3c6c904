/* Searches for the best values of one or two numbers: configuration, data, searches, journal, output files. */
#ifndef HULLBENCH_TUNE_H
#define HULLBENCH_TUNE_H

#include "harness/data/folds.h"
#include "harness/tune/search.h"

struct tune {
    struct pool *pool;
    const struct run_options *options; /* without splits and shards */
    int no_render;                     /* write .dat and .gp of figures, but do not run gnuplot */
    struct tune_config *config;
    struct run run;          /* opened for the splits to search on: configuration, data, plan and fingerprint */
    struct dataset **folds; /* of each data set of the configuration (inner_folds_make); NULL if it is missing */
    struct search *searches; /* in the order of data sets, then solvers; none for missing sets */
    size_t n_searches;
    size_t n_evaluations, n_problems; /* of all searches; problems: those of folds and tests */
    const char *figures_failed;    /* why pictures are missing; NULL: none are */
};

/* Reads the configuration and the printed values, and loads the data; release with tune_close, and what it points to
 * with the pool. Missing data sets are noted, not an error. */
struct tune *tune_open(struct pool *pool, const struct run_options *options);
/* Runs the remaining evaluations and writes the folder. Ends with STATUS_INTERRUPTED if asked to stop: the journal has
 * what is done, and the same call resumes the search; with STATUS_NOT_FOUND if all data sets are missing. */
void tune_execute(struct tune *tune);
/* Prints a line for each search in the folder's tune.json that chose no point, which says why. Returns their number. */
size_t tune_print_unsuccessful(const struct tune *tune, FILE *stream);
void tune_close(struct tune *tune);

/* Writes the folder's evaluations.jsonl, tune.json, tune.md and surface.csv for a finished search. */
void tune_report_write(const struct tune *tune);
/* Writes DIR/plots/tune-DATASET-SOLVER.{dat,gp} for every search, and its pictures unless tune->no_render. A missing or
 * failing gnuplot is not an error: tune->figures_failed keeps its message. */
void tune_figures_write(struct tune *tune);
/* Draws missing pictures of a finished search from their .gp and .dat. */
void tune_figures_complete(struct tune *tune);

/* A path inside the folder. */
char *tune_path(const struct tune *tune, const char *name);

#endif
