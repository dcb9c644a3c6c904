/*
 * The loops over doubles in which all heavy work is done: one source, compiled for several vector widths.
 *
 * Each routine gives the same bits for every width. Element-wise routines perform the same operations on each element;
 * those that sum (over features or rows) keep one running sum per element. The reductions dot and dots keep eight
 * partial sums (element i goes to sum i mod 8) and add them as ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)).
 * Nothing is contracted to a fused multiply-add.
 *
 * Arrays hold a multiple of SIMD_LANES doubles and start on a SIMD_ALIGNMENT boundary; `n` below is that padded length.
 */
#ifndef HULLBENCH_SIMD_H
#define HULLBENCH_SIMD_H

#include <stddef.h>
#include <stdint.h>

#define SIMD_LANES 8
#define SIMD_ALIGNMENT 64

/* The smallest multiple of SIMD_LANES that is at least n. */
static inline size_t simd_padded(size_t n)
{
    return (n + SIMD_LANES - 1) / SIMD_LANES * SIMD_LANES;
}

/* Bytes of a set of elements: element j is in the set if bit j % 8 of byte j / 8 is 1. */
static inline size_t simd_set_bytes(size_t n)
{
    return simd_padded(n) / 8;
}

static inline void simd_set_put(unsigned char *set, size_t j, int in)
{
    unsigned bit = 1u << j % 8;
    set[j / 8] = (unsigned char)(in ? set[j / 8] | bit : set[j / 8] & ~bit);
}

static inline int simd_set_has(const unsigned char *set, size_t j)
{
    return set[j / 8] >> j % 8 & 1;
}

/* The minimum of a list over the set eligible[0] and the maximum over eligible[1]. Neither set contains padding. Ties
 * go to the lowest index. An empty set gives index 0 and INFINITY or -INFINITY. */
struct argminmax {
    size_t min_at, max_at;
    double min, max;
};

/* The second pattern of a pair, chosen by the gain of a step along the pair: the largest delta^2 / curvature over the j
 * in the set `eligible` with delta = f[j] - f_first > 0. curvature is (diagonal_first - row[j]) + (diagonal[j] -
 * row[j]). If q is given, lost = (q_first - q[j])^2 scale is subtracted from it, provided that
 * lost < (1 - SECOND_INDEX_MIN_LEFT) curvature, so that half of the digits of the difference are correct. A curvature
 * that is not positive is replaced by SECOND_INDEX_MIN_CURVATURE. `hint` is the element to start with; it affects only
 * the time, and is returned if no gain is positive. The search begins at element `first`, a multiple of SIMD_LANES. */
struct second_index {
    const unsigned char *eligible;        /* contains no padding */
    const double *f, *row, *diagonal, *q; /* q may be NULL */
    double f_first, diagonal_first, q_first, scale;
    size_t hint, first;
};
#define SECOND_INDEX_MIN_CURVATURE 1e-12
#define SECOND_INDEX_MIN_LEFT 1e-8

/* The gain of element j; 0 if it is not in the set or delta is not positive. */
static inline double second_index_gain(const struct second_index *second_index, size_t j)
{
    double delta = second_index->f[j] - second_index->f_first;
    if (!(delta > 0 && simd_set_has(second_index->eligible, j)))
        return 0;
    double curvature =
        (second_index->diagonal_first - second_index->row[j]) + (second_index->diagonal[j] - second_index->row[j]);
    if (second_index->q) {
        double along = second_index->q_first - second_index->q[j], lost = along * along * second_index->scale;
        curvature = lost < (1 - SECOND_INDEX_MIN_LEFT) * curvature ? curvature - lost : curvature;
    }
    return delta * delta / (curvature > 0 ? curvature : SECOND_INDEX_MIN_CURVATURE);
}

/* The same for `count` directions: lost is the sum over k of (q_first[k] - q[k][j])^2 scale[k]. */
struct lost_curvature {
    size_t count;
    const double *const *q;
    const double *q_first, *scale;
    const double *row, *diagonal;
    double diagonal_first;
};

/* The gain of a step of at most max_step >= 0, where the gain of t is t delta - t^2 curvature / 2, delta >= 0. A
 * negative curvature, which only rounding produces, is taken as 0. */
static inline double exact_gain(double delta, double max_step, double curvature)
{
    double above = curvature > 0 ? curvature : 0;
    double step = delta < max_step * above ? delta / above : max_step;
    return step * (delta - 0.5 * step * above);
}

/* The second pattern of a pair, chosen by exact_gain: delta = |f[j] - f_first|, curvature = (diagonal_first - row[j]) +
 * (diagonal[j] - row[j]), and max_step is the smaller of the two patterns' limits. If f[j] < f_first, the first pattern
 * moves down: its limit is first_down, j must be in eligible[0], and the limit of j is alpha_max - alpha[j], or
 * alpha[j] if j is not in `positive`. Otherwise the first moves up: its limit is first_up, j must be in eligible[1],
 * and the limit of j is alpha[j], or alpha_max - alpha[j] if j is not in `positive`. Only gains above min_gain count.
 * `hint` is as in struct second_index. */
struct exact_gains {
    const unsigned char *eligible[2], *positive; /* contain no padding */
    const double *alpha, *f, *row, *diagonal;
    double alpha_max, f_first, diagonal_first, first_up, first_down, min_gain;
    size_t hint;
};

enum { PREFIX_SUMS_ROOM = 2 * SIMD_LANES };

/* Rows and columns of a tile of a factor (solvers/dense/tiled_factor.h). */
enum { FACTOR_TILE = 2 * SIMD_LANES };

/* One of two points of hulls moves towards pattern `low`, whose row is p. With i = `moves`, weights[i][j] *= keep, but
 * weights[i][low] = weight_low, and products[i][j] = keep * products[i][j] + a * p[j]. `moved` receives weights[i] .
 * products[i] and `cross` weights[0] . products[1], summed as in dot. */
struct blend_step {
    int moves;
    double keep, a, weight_low;
    size_t low;
    const double *p;
    double *weights[2], *products[2];
    double moved, cross;
};

struct simd {
    const char *name; /* "generic", "avx2", "avx512" */
    /* out[j] = sum over d of (point[d] - columns[d * stride + j])^2, d ascending. */
    void (*squared_distances)(size_t n, size_t dims, const double *point, const double *columns, size_t stride,
                              double *out);
    /* out[j] = sum over d of point[d] * columns[d * stride + j], d ascending. */
    void (*dot_products)(size_t n, size_t dims, const double *point, const double *columns, size_t stride, double *out);
    /* out[j] = exp(-in[j] / width), within 1 ulp of the exact exp of the rounded quotient, exactly 0 if that is below
     * exp(-708). in may equal out, in[j] >= 0. */
    void (*exp_negative)(size_t n, const double *in, double width, double *out);
    /* out[j] = (...((rows[0][j] + rows[1][j]) + rows[2][j]) + ...) over m rows; zero if m is 0. */
    void (*row_sum)(size_t n, const double *const *rows, size_t m, double *out);
    /* out[j] = (...((out[j] + weights[0] * rows[0][j]) + weights[1] * rows[1][j]) + ...) over m rows */
    void (*add_rows)(size_t n, const double *const *rows, const double *weights, size_t m, double *out);
    /* y[j] += a * x[j] */
    void (*axpy)(size_t n, double a, const double *x, double *y);
    /* y[j] += a * (p[j] - q[j]) */
    void (*add_difference)(size_t n, double a, const double *p, const double *q, double *y);
    /* y[j] = keep * y[j] + a * x[j] */
    void (*blend)(size_t n, double keep, double a, const double *x, double *y);
    /* y[j] += a */
    void (*add)(size_t n, double a, double *y);
    /* y[j] *= a */
    void (*scale)(size_t n, double a, double *y);
    /* sums[k] = (...((0 + terms[0]) + terms[1]) + ...) + terms[k] for k < count; the first `known` sums are given. The
     * other sums hold guesses, which affect only the time: old sums are good ones if few terms have changed. Returns
     * the last sum, 0 if there is none. Both arrays have PREFIX_SUMS_ROOM more elements, which are read, and in `sums`
     * overwritten, without effect. */
    double (*prefix_sums)(size_t count, size_t known, const double *terms, double *sums);
    /* c[r][j] = (...((c[r][j] - a[0][r] * b[0][j]) - a[1][r] * b[1][j]) - ...) over `count` rows of a and b; all rows
     * have FACTOR_TILE elements, and c as many rows */
    void (*subtract_products)(size_t count, const double *a, const double *b, double *c);
    /* sum of x[j] * y[j] in the fixed order above */
    double (*dot)(size_t n, const double *x, const double *y);
    /* the extremes of y */
    void (*argminmax)(size_t n, const unsigned char *const *eligible, const double *y, struct argminmax *argminmax);
    /* y[j] += a * (p[j] - q[j]), and the extremes of the new y */
    void (*add_difference_argminmax)(size_t n, double a, const double *p, const double *q,
                                     const unsigned char *const *eligible, double *y, struct argminmax *argminmax);
    /* d[j] = keep * d[j] + (p[j] - q[j]), y[j] += a * d[j], and the extremes of the new y */
    void (*turn_argminmax)(size_t n, double keep, double a, const double *p, const double *q,
                           const unsigned char *const *eligible, double *d, double *y, struct argminmax *argminmax);
    /* the same update, and the extremes of the new y twice: the minimum over the sets eligible[0] and eligible[2], the
     * maximum over eligible[1] and eligible[3] */
    void (*turn_argminmax_twice)(size_t n, double keep, double a, const double *p, const double *q,
                                 const unsigned char *const *eligible, double *d, double *y,
                                 struct argminmax *argminmax);
    /* the extremes of y[j] + add, or -(y[j] + add) for the j in the set `negative` */
    void (*signed_argminmax)(size_t n, const unsigned char *const *eligible, const unsigned char *negative,
                             const double *y, double add, struct argminmax *argminmax);
    /* y[j] += a * (p[j] - q[j]), or, if add_both is nonzero, += a * p[j] and then += a * q[j]; then the same search */
    void (*move_signed_argminmax)(size_t n, double a, const double *p, const double *q, int add_both,
                                  const unsigned char *const *eligible, const unsigned char *negative, double *y,
                                  double add, struct argminmax *argminmax);
    /* the extremes of x[j] - y[j] twice: the minimum over the sets eligible[0] and eligible[2], the maximum over
     * eligible[1] and eligible[3] */
    void (*difference_argminmax)(size_t n, const double *x, const double *y, const unsigned char *const *eligible,
                                 struct argminmax *argminmax);
    /* x[j], or y[j] if to_y is nonzero, += a * (p[j] - q[j]); then the same search */
    void (*move_difference_argminmax)(size_t n, double a, const double *p, const double *q, int to_y, double *x,
                                      double *y, const unsigned char *const *eligible, struct argminmax *argminmax);
    /* the blend, then the extremes of products[0][j] - products[1][j] */
    void (*blend_difference_argminmax)(size_t n, struct blend_step *blend, const unsigned char *const *eligible,
                                       struct argminmax *argminmax);
    /* out[j] = sign * (x[j] - y[j]); writes the j of the set with out[j] <= limit to found, ascending, and these out[j]
     * to key; returns their number. found and key have n + SIMD_LANES elements; those behind may be overwritten */
    size_t (*differences_below)(size_t n, double sign, const double *x, const double *y, const unsigned char *eligible,
                                double limit, double *out, size_t *found, double *key);
    /* The same for the j of the set with weights[j] < bound, none of whose out[j] is NaN. *high: the first j with
     * weights[j] > 0 whose out[j] is largest; unchanged if all of these are -INFINITY or there is none */
    size_t (*differences_free)(size_t n, double sign, const double *x, const double *y, const unsigned char *eligible,
                               const double *weights, double bound, double *out, size_t *found, double *key,
                               size_t *high);
    /* Sets bit i % 64 of bits[i / 64] if (key[i], order[i]) is before (pivot_key, pivot), by key, then by order; clears
     * it if not. Returns the number of set bits. No padding is needed. */
    size_t (*mark_before)(size_t n, const double *key, const size_t *order, double pivot_key, size_t pivot,
                          uint64_t *bits);
    /* v.x, w.y and v.y in one pass, each summed as in dot */
    void (*dots)(size_t n, const double *v, const double *w, const double *x, const double *y, double *out);
    /* out[j] = diagonal[j] - lost if that much may be subtracted from the curvature, else diagonal[j]. With it as the
     * diagonal, and without q, select_second_index takes several directions into account */
    void (*take_lost_curvature)(size_t n, const struct lost_curvature *of, double *out);
    /* the second index with the largest gain */
    size_t (*select_second_index)(size_t n, const struct second_index *second_index);
    /* the second pattern with the largest exact gain */
    size_t (*select_exact_gain)(size_t n, const struct exact_gains *gains);
};

/* The routines for the named width, or, for NULL, the widest that this processor runs. NULL if the name is unknown or
 * the processor lacks the instructions. */
const struct simd *simd_select(const char *name);

/* SIMD_ALIGNMENT-aligned memory for doubles, count rounded up to SIMD_LANES. NULL when out of memory. Release with
 * free. */
double *simd_alloc(size_t count);
/* The same, zeroed. */
double *simd_doubles(size_t count);

#endif
