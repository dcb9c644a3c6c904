/*
 * The configuration of a search for one or two numbers: that of a run (harness/config/config.h) without the searched
 * numbers, plus an object "tune". docs/tuning.md describes the keys.
 */
#ifndef HULLBENCH_TUNE_CONFIG_H
#define HULLBENCH_TUNE_CONFIG_H

#include "harness/support/members.h"
#include "harness/tune/tune_axis.h"

struct tune_config {
    struct config *config; /* splits 1 to n_splits; searched numbers have the lower ends of their ranges; text is the
                              file, byte for byte */
    struct cJSON *json;    /* the file; the strings below point into it */
    size_t n_splits, n_folds;
    int stratified;
    struct tune_axis axes[TUNE_AXES];
    size_t n_axes;                                         /* 1 or 2 */
    size_t grid[TUNE_AXES];                                /* points per axis; 0, 0: no grid */
    size_t generations, population;                        /* 0, 0: no CMA-ES */
    double step;                                           /* initial step of CMA-ES, as a share of the ranges */
    double start[TUNE_AXES];                               /* initial mean of CMA-ES, as positions */
    const struct cJSON *given_start;                       /* the same in the file */
    const char *printed_table, *printed_column[TUNE_AXES]; /* NULL: no printed values */
};

/* The tables of "tune", whose other members are ranges, and of its "cma-es". */
extern const struct member tune_members[], tune_cma_es_members[];

/* Reads a configuration into the pool. Dies with STATUS_BAD_INPUT and file, key, value and the allowed values. */
struct tune_config *tune_config_read(struct pool *pool, const char *path);
/* The same for a text; `label` replaces the file name in messages. */
struct tune_config *tune_config_parse(struct pool *pool, const char *label, const char *text);
/* The number of points of the grid; 0: no grid. */
size_t tune_grid_size(const struct tune_config *config);

#endif
