/*
 * The configuration of a search for one or two numbers: that of a run (harness/config/config.h) without the searched
 * numbers, plus an object "tune". docs/tuning.md describes the keys.
 */
#ifndef HULLBENCH_TUNE_CONFIG_H
#define HULLBENCH_TUNE_CONFIG_H

#include "harness/tune/tune_axis.h"

struct tune_config {
    struct config *config; /* splits 1 to n_splits; searched numbers have the lower ends of their ranges; text is the
                              file, byte for byte; NULL: moved to the run */
    struct cJSON *json;    /* the file; the strings below point into it */
    size_t n_splits, n_folds;
    int stratified;
    struct tune_axis axes[TUNE_AXES];
    size_t n_axes;                                         /* 1 or 2 */
    size_t grid[TUNE_AXES];                                /* points per axis; 0, 0: no grid */
    size_t generations, population;                        /* 0, 0: no CMA-ES */
    double step;                                           /* initial step of CMA-ES, as a share of the ranges */
    double start[TUNE_AXES];                               /* initial mean of CMA-ES, as positions */
    const char *printed_table, *printed_column[TUNE_AXES]; /* NULL: no printed values */
};

/* Reads a configuration. STATUS_BAD_INPUT names file, key, value and the allowed values. */
enum status tune_config_read(const char *path, struct tune_config **config, struct error *error);
/* The same for a malloc'ed text, of which it takes ownership; `label` replaces the file name in messages. */
enum status tune_config_parse(const char *label, char *text, struct tune_config **config, struct error *error);
/* The number of points of the grid; 0: no grid. */
size_t tune_grid_size(const struct tune_config *config);
/* Accepts NULL. */
void tune_config_free(struct tune_config *config);

#endif
