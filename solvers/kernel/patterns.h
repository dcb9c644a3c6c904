/*
 * A table of patterns, one a row, whose values are finite. The dense form stores every value. The compressed form
 * stores the values that are not 0 (compressed sparse rows): row i has those at begin[i] <= k < begin[i + 1], features
 * ascending.
 *
 * Both forms give the same bits. A squared distance or an inner product is a sum over the features, ascending, that
 * starts at +0; each pair of patterns has a sum of its own (simd.h). A feature that is 0 in both adds +0 to a sum of
 * squares; one that is 0 in either adds +0 or -0 to a sum of products, which is never -0 itself, since x + -x and
 * +0 + -0 are +0. Such terms may be left out. A value of -0 counts as 0: the squares and products are the same.
 */
#ifndef HULLBENCH_PATTERNS_H
#define HULLBENCH_PATTERNS_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"

struct patterns {
    size_t rows, dims;  /* dims below 2^32 where compressed */
    double *values;     /* dense: rows x dims, row by row; compressed: begin[rows], none of them 0 */
    size_t *begin;      /* compressed: rows + 1; dense: NULL */
    uint32_t *feature;  /* compressed: of each value, from 0; dense: NULL */
};

/* How patterns are to be stored. */
enum patterns_form { PATTERNS_SMALLER, PATTERNS_DENSE, PATTERNS_COMPRESSED };

static inline int patterns_are_compressed(const struct patterns *patterns)
{
    return patterns->begin != NULL;
}

/* Dense patterns of values that belong to the caller. */
static inline struct patterns patterns_dense(double *values, size_t rows, size_t dims)
{
    return (struct patterns){.rows = rows, .dims = dims, .values = values};
}

/* Allocates rows x dims values, of which `nonzeros` are not 0; zeroed where dense. PATTERNS_SMALLER takes the form that
 * needs less memory: 12 bytes for a value that is not 0 and 8 for a row, or 8 for each value. STATUS_NO_MEMORY.
 * Released with patterns_free. */
enum status patterns_create(struct patterns *patterns, size_t rows, size_t dims, size_t nonzeros,
                            enum patterns_form form, struct error *error);
/* Accepts zeroed patterns. */
void patterns_free(struct patterns *patterns);

/* PATTERNS_DENSE or PATTERNS_COMPRESSED: what patterns_create makes of `form`. */
enum patterns_form patterns_choose(enum patterns_form form, size_t rows, size_t dims, size_t nonzeros);
/* How many values are not 0. */
size_t patterns_nonzeros(const struct patterns *patterns);

/* Copies row `row` of `from` to row i of `to`, with `shift` added to the features. `to` comes from patterns_create with
 * enough room; its rows have to be written in order, from 0. */
void patterns_copy_row(struct patterns *to, size_t i, const struct patterns *from, size_t row, size_t shift);
/* Converts the patterns to this form. On STATUS_NO_MEMORY they are unchanged. */
enum status patterns_hold(struct patterns *patterns, enum patterns_form form, struct error *error);

/* The stored values of row i and their features; returns how many. Dense: all values, and *feature is NULL. */
static inline size_t patterns_row(const struct patterns *patterns, size_t i, const double **values,
                                  const uint32_t **feature)
{
    if (!patterns_are_compressed(patterns)) {
        *values = patterns->values + i * patterns->dims;
        *feature = NULL;
        return patterns->dims;
    }
    *values = patterns->values + patterns->begin[i];
    *feature = patterns->feature + patterns->begin[i];
    return patterns->begin[i + 1] - patterns->begin[i];
}

/* Value d of row i; searched for where compressed. */
double patterns_value(const struct patterns *patterns, size_t i, size_t d);

/* Row i with all its values: in place where dense, else in `dense`, dims doubles that are 0 and have to be cleared by
 * patterns_clear before the next row. */
const double *patterns_spread(const struct patterns *patterns, size_t i, double *dense);
/* Makes `dense`, which has the values of row i, 0 again. Does nothing to dense patterns. */
void patterns_clear(const struct patterns *patterns, size_t i, double *dense);

/* Of rows i and j of compressed patterns, in the bits of simd.h's sums. */
double patterns_squared_distance(const struct patterns *patterns, size_t i, size_t j);
double patterns_inner_product(const struct patterns *patterns, size_t i, size_t j);

#endif
