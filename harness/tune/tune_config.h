/*
 * The configuration of a search for one or two numbers: that of a run (harness/config/config.h) without the searched
 * numbers, plus an object "tune". docs/tuning.md describes the keys.
 *
 * Each searched number is a parameter of the kernel or of every solver of the search, on a linear or logarithmic scale.
 * The position on the scale (`place` in code) is the value itself, or its logarithm to base 2 as a multiple of 2^-20,
 * so that points are the same numbers with every math library.
 */
#ifndef HULLBENCH_TUNE_CONFIG_H
#define HULLBENCH_TUNE_CONFIG_H

#include "harness/base/pool.h"
#include "harness/config/config.h"
#include "harness/support/members.h"

struct cJSON;

enum { TUNE_AXES = 2 }; /* maximum */

struct tune_axis {
    const char *name;   /* key in "tune", column in files; borrowed from the configuration */
    int of_kernel;      /* nonzero: a parameter of the kernel; else one of the solvers */
    int logarithmic;
    int is_bounded;     /* nonzero: some solver bounds it by another of its parameters */
    double multiple_of; /* values are integer multiples of it; 0: any */
    double from, to;    /* values, as given */
    double low, high;   /* their positions */
};

/* Nonzero if it is the kernel's width, which texts call by that name. */
int tune_axis_is_width(const struct tune_axis *axis);
/* The position of a value: of log2(value), the rounding removes libm's error in the last place. */
double tune_axis_place(const struct tune_axis *axis, double value);
/* The value at any position to 12 digits, not rounded to an integer multiple. */
double tune_axis_value(const struct tune_axis *axis, double place);
/* The position at the share `part`, 0 to 1, of the way from low to high, and its value: rounded to 12 digits, or to an
 * integer multiple, which also sets the position. */
void tune_axis_at(const struct tune_axis *axis, double part, double *place, double *value);
/* The share at which a position lies. */
double tune_axis_part(const struct tune_axis *axis, double place);

struct tune_config {
    struct config *config; /* splits 1 to n_splits; searched numbers have the lower ends of their ranges; text is the
                              file, byte for byte */
    struct cJSON *json;    /* the file; the strings below point into it */
    size_t n_splits, n_folds;
    int stratified;
    struct {
        const struct cJSON *grid, *cma_es, *printed, *start; /* NULL: none */
    } given;
    struct tune_axis axes[TUNE_AXES]; /* parameters of the solvers, then those of the kernel, as in the file */
    size_t n_axes;                                         /* 1 or 2 */
    size_t grid[TUNE_AXES];                                /* points per axis; 0, 0: no grid */
    size_t generations, population;                        /* 0, 0: no CMA-ES */
    double step;                                           /* initial step of CMA-ES, as a share of the ranges */
    double start[TUNE_AXES];                               /* initial mean of CMA-ES, as positions */
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
