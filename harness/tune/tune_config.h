/*
 * The configuration of a search for one or two numbers: that of a run (harness/config/config.h) without what is
 * searched, and an object "tune". docs/tuning.md describes the keys.
 */
#ifndef HULLBENCH_TUNE_CONFIG_H
#define HULLBENCH_TUNE_CONFIG_H

#include "harness/tune/tune_axis.h"

struct tune_config {
    struct config *config; /* splits 1 to n_splits; what is searched is at the lower ends of its ranges; text is the
                              file, byte for byte; NULL: taken */
    struct cJSON *json;    /* the file; words below point into it */
    size_t n_splits, n_folds;
    int stratified;
    struct tune_axis axes[TUNE_AXES];
    size_t n_axes;                                         /* 1 or 2 */
    size_t grid[TUNE_AXES];                                /* levels; 0, 0: no grid */
    size_t generations, population;                        /* 0, 0: no CMA-ES */
    double step;                                           /* of CMA-ES, as a share of the ranges */
    double start[TUNE_AXES];                               /* of CMA-ES, places */
    const char *printed_table, *printed_column[TUNE_AXES]; /* NULL: nothing to compare with */
};

/* Reads a configuration. STATUS_BAD_INPUT names file, key, value and what is allowed. */
enum status tune_config_read(const char *path, struct tune_config **config, struct error *error);
/* The same from a malloc'ed text, which is taken over; `label` stands for the file in messages. */
enum status tune_config_parse(const char *label, char *text, struct tune_config **config, struct error *error);
/* The points of the grid; 0: there is none. */
size_t tune_grid_size(const struct tune_config *config);
/* Accepts NULL. */
void tune_config_free(struct tune_config *config);

#endif
