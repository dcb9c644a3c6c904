/*
 * A table of patterns, one per row, with finite values. The dense form stores every value. The compressed form stores
 * the nonzero values (compressed sparse rows): those of row i have begin[i] <= k < begin[i + 1], features ascending.
 *
 * Both forms give the same bits. A squared distance or an inner product is a sum over the features, ascending, that
 * starts at +0; each pair of patterns has its own sum (simd.h). A feature that is 0 in both patterns adds +0 to a sum
 * of squares. One that is 0 in either adds +0 or -0 to a sum of products, which is never -0 itself, since x + -x and
 * +0 + -0 are +0. So these terms may be omitted. A value of -0 counts as 0: the squares and products are the same.
 */
#ifndef HULLBENCH_PATTERNS_H
#define HULLBENCH_PATTERNS_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"

struct patterns {
    size_t rows, dims;  /* dims < 2^32 if compressed */
    double *values;     /* dense: rows x dims, row by row; compressed: begin[rows] nonzero values */
    size_t *begin;      /* compressed: rows + 1; dense: NULL */
    uint32_t *feature;  /* compressed: feature of each value, from 0; dense: NULL */
};

/* Requested storage form. */
enum patterns_form { PATTERNS_SMALLER, PATTERNS_DENSE, PATTERNS_COMPRESSED };

static inline int patterns_are_compressed(const struct patterns *patterns)
{
    return patterns->begin != NULL;
}

/* Dense patterns whose values belong to the caller. */
static inline struct patterns patterns_dense(double *values, size_t rows, size_t dims)
{
    return (struct patterns){.rows = rows, .dims = dims, .values = values, .begin = NULL, .feature = NULL};
}

/* Allocates rows x dims values, of which `nonzeros` are not 0; a dense table is zeroed. PATTERNS_SMALLER selects the
 * form that needs less memory: 12 bytes per nonzero value and 8 per row, or 8 per value. STATUS_NO_MEMORY. Released
 * with patterns_free. */
enum status patterns_create(struct patterns *patterns, size_t rows, size_t dims, size_t nonzeros,
                            enum patterns_form form, struct error *error);
/* Accepts zeroed patterns. */
void patterns_free(struct patterns *patterns);

/* PATTERNS_DENSE or PATTERNS_COMPRESSED: the form that patterns_create selects for `form`. */
enum patterns_form patterns_choose(enum patterns_form form, size_t rows, size_t dims, size_t nonzeros);
/* The number of nonzero values, in all rows and in row i. */
size_t patterns_nonzeros(const struct patterns *patterns);
size_t patterns_row_nonzeros(const struct patterns *patterns, size_t i);

/* Copies row `row` of `from` to row i of `to`, adding `shift` to the features. `to` comes from patterns_create with
 * enough room. Its rows must be written in order, from 0. */
void patterns_copy_row(struct patterns *to, size_t i, const struct patterns *from, size_t row, size_t shift);
/* Converts the patterns to this form. On STATUS_NO_MEMORY they are unchanged. */
enum status patterns_hold(struct patterns *patterns, enum patterns_form form, struct error *error);

/* The stored values of row i and their features; returns their number. Dense: all values, and *feature is NULL. */
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

/* Value d of row i; a search if compressed. */
double patterns_value(const struct patterns *patterns, size_t i, size_t d);

/* Row i with all its values: in place if dense, else in `dense`, dims doubles that must be 0 on entry. Clear it with
 * patterns_clear before the next row. */
const double *patterns_spread(const struct patterns *patterns, size_t i, double *dense);
/* Resets `dense`, which holds the values of row i, to 0. Does nothing to dense patterns. */
void patterns_clear(const struct patterns *patterns, size_t i, double *dense);

/* Squared distance of rows i and j of compressed patterns, bitwise equal to the sums of simd.h. */
double patterns_squared_distance(const struct patterns *patterns, size_t i, size_t j);
double patterns_inner_product(const struct patterns *patterns, size_t i, size_t j);

#endif
