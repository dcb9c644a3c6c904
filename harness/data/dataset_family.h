/*
 * Families of generated data sets that vary one property at a time, so that the cost of a solver can be fitted as a
 * function of it. dataset_family.c has the definitions.
 */
#ifndef HULLBENCH_DATASET_FAMILY_H
#define HULLBENCH_DATASET_FAMILY_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"

struct dataset;

enum family_shape { FAMILY_GAUSSIANS, FAMILY_CHESSBOARD };
/* The names of the shapes in enumeration order, NULL-terminated. */
extern const char *const family_shapes[];

struct dataset_family {
    enum family_shape shape;
    size_t features;    /* at least 1; FAMILY_CHESSBOARD: 2 */
    double separation;  /* FAMILY_GAUSSIANS: distance of the class means, in standard deviations of feature 1, >= 0 */
    double condition;   /* FAMILY_GAUSSIANS: standard deviation of feature 1 over that of the last one, >= 1 */
    double density;     /* FAMILY_GAUSSIANS: probability that a value is kept; it is 0 otherwise; in (0, 1] */
    double positives;   /* probability of class +1, in (0, 1) */
    double label_noise; /* probability that a label is flipped, in [0, 0.5] */
};

/* Fills the data set, whose name and source are set, with `splits` splits of n_train + n_test rows each. Splits are
 * drawn independently and share no rows. The draw of split s depends only on the family, the sizes, the seed, the data
 * set's name and s. The SHA-256 covers the family's parameters, the sizes and the rows of split 1. STATUS_BAD_INPUT if
 * a split would train on one class only. */
void dataset_draw_family(const struct dataset_family *family, size_t splits, size_t n_train, size_t n_test,
                         uint64_t seed, struct dataset *dataset);

#endif
