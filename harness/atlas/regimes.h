/* The best solver in each cell of C x width factor. */
#ifndef HULLBENCH_REGIMES_H
#define HULLBENCH_REGIMES_H

#include "harness/atlas/atlas.h"

struct regime_cell {
    size_t n;              /* data sets, or splits for a map of one data set; 0: no problem in the cell */
    int reached;           /* nonzero: some solver reached the target on some problem of the cell; else the rest is 0 */
    size_t best, second;   /* series; equal if all have the same costs */
    size_t candidates;     /* number of series that may be the best; 1: decided */
    unsigned char *may_be_best; /* n_series; points into the map's array */
    double p;              /* adjusted, see several_solvers.h */
    double best_cost;      /* geometric mean, censored runs penalised */
    double best_reached;   /* share of the cell's problems on which the best reaches the target */
    struct interval ratio; /* of the second's cost to the best's, geometric mean over data sets; ends NAN: unknown */
};

struct regime_map {
    const struct atlas_family *family;
    enum atlas_cost cost;
    size_t target;
    size_t dataset;           /* its index; ALL_DATASETS: over all of them */
    struct regime_cell *cells; /* n_c x n_factors, rows of equal C */
    unsigned char *members;
};
#define ALL_DATASETS ((size_t)-1)

/* Fills *map; returns 0 if fewer than two series count the cost or no problem has C. A cell of a map over data
 * sets needs at least five of them to be decided, and more with more series; a map of one data set needs six splits and
 * the sizes of the data set. */
int regime_map_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, size_t target,
                  size_t dataset, struct regime_map *map);

/* The number of cells in which some solver reaches the target, and how many of these are decided. */
void regime_map_count(const struct regime_map *map, size_t *cells, size_t *decided);

#endif
