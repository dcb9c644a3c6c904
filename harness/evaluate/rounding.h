/* Rounding error bounds of values computed from multipliers and kernel values, see rounding.c. */
#ifndef HULLBENCH_ROUNDING_H
#define HULLBENCH_ROUNDING_H

#include <math.h>

#include "solvers/solver.h"

/* Multipliers to be judged, with their problem on its kernel matrix and memory for the judge. */
struct judging {
    const struct problem *problem;
    enum formulation formulation;
    struct gram *gram;          /* set to the problem's kernel and ridge */
    const double *alpha;        /* n multipliers */
    double support_threshold;   /* larger ones belong to support vectors */
    double *products, *scratch; /* n_padded doubles, lane-aligned, for f_j = W . X_j; n doubles */
};

static inline int formulation_has_bias(enum formulation formulation)
{
    return formulation == FORMULATION_NEAREST_POINTS || formulation == FORMULATION_C_SVM ||
           formulation == FORMULATION_SQUARE_SVM;
}

/* gamma_k = k u / (1 - k u), u = 2^-53: bounds the relative error of k roundings. */
double rounding_gamma(double k);

/* Error bound of a computed kernel value: |dk_ij| <= relative s_i s_j + absolute. */
struct kernel_rounding {
    double relative, absolute;
};
struct kernel_rounding rounding_of_kernel(const struct gram *gram);
/* s_j^2, with |k_ij| <= s_i s_j for all i and j, including the ridge. Infinite on overflow. */
double rounding_size2(struct gram *gram, size_t j);

/* The products f_j = sum alpha_i y_i k_ij, and the error bounds of f_j or u_j = y_j (f_j + added^2 sum alpha_i y_i). */
struct product_rounding {
    size_t n;
    const signed char *y;
    const double *alpha, *f;
    double *scratch; /* that of the judging, from which the members so far are taken */
    struct gram *gram;
    double added2;       /* added^2, which is added to each k_jj; 0 if nothing is added */
    double terms;        /* number of nonzero multipliers */
    double sum;          /* sum |alpha_i| */
    double relative, absolute; /* |df_j| <= relative s_j + absolute */
    int is_close;              /* f_j is a close product (close_products.c), with a further error of u |f_j| */
    double origin;             /* close products: subtracted from each f_j */
    double center, largest;    /* close products: |c|, 0 for the origin; the largest |x_j - c|, or s_j */
};
struct product_rounding rounding_of_products(const struct judging *judging);
/* The error bound of f_j or u_j. */
double rounding_of_product(const struct product_rounding *products, size_t j);
/* The bound of sum alpha_j f_j; own: the sum of |alpha_j| times the bound of f_j; size: that of |alpha_j f_j|. */
double rounding_of_sum(const struct product_rounding *products, double own, double size);

/* The rounding error of |W|^2 in a solver's loop, for all weights that sum to 1 in each class, or overall. */
struct meeting {
    double start; /* of kernel values and of sums computed once */
    double drift; /* of running sums after t updates, as a random walk: multiply by the root of t */
};
/* What a |W|^2 within its rounding error means: "the hulls meet" or "the hull holds the origin". */
const char *meeting_name(enum formulation formulation);
/* The rounding error after `updates` updates. */
double rounding_of_sums(const struct meeting *meeting, double updates);
/* A bound on all rounding errors of `updates` updates, even if all have the same sign: 512 u S^2 per update. Updating a
 * pair of patterns uses about ten u S^2 of this, updating a cycle of 90 patterns 200. */
double rounding_of_sums_at_most(const struct meeting *meeting, double updates);
/* A lower bound of |W|^2 for all weights: a ridge r adds r sum alpha^2 >= r / n. 0 without a ridge, for a kernel that
 * is not positive semidefinite, and for SVM duals. */
double rounding_least_norm2(const struct problem *problem, enum formulation formulation, const struct gram *gram);
/* The gram must be set to the problem's kernel and ridge; kernel operations are not counted. 0 for SVM duals. alpha:
 * these weights only, with a bound that is never larger; NULL: all weights. */
struct meeting rounding_of_meeting(const struct problem *problem, enum formulation formulation, struct gram *gram,
                                   const double *alpha);

/* The maximum or minimum of values with individual error bounds. */
struct extreme {
    double value, with, without; /* extreme of value, value + bound, value - bound */
    int unknown;                 /* nonzero: some value is NaN or has no bound */
};
#define EXTREME_LARGEST {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, 0}
#define EXTREME_SMALLEST {HUGE_VAL, HUGE_VAL, HUGE_VAL, 0}
void extreme_largest(struct extreme *extreme, double figure, double bound);
void extreme_smallest(struct extreme *extreme, double figure, double bound);
/* The error bound of the extreme. */
double extreme_bound(const struct extreme *extreme);

/* Extends a bound by what the formulas omit: second-order terms and its own rounding. Infinite for NaN. */
double rounding_bound(double bound);

/* The products with about 100 bits (close_products.c): sets judging->products[j] to f_j - *origin, and their bounds in
 * *rounding, which is that of rounding_of_products. *origin differs from 0 only if the formulation has a bias. It is
 * near `middle`, which rounding->origin says, or W . c with c the mean of the patterns; then all values are those of
 * the patterns minus c. Zero: the kernel is of a plugin, a product or bound is not finite, or memory is lacking. */
int close_products(const struct judging *judging, double middle, struct product_rounding *rounding, double *origin);

/*
 * The threshold of one class, in the units of its multipliers. At the optimum of reduced hulls and of the C-SVM each
 * class s has a t_s such that, with v_j = y_j W . X_j and `limit` the upper bound of alpha,
 *     v_j >= t_s where alpha_j = 0,  v_j = t_s where 0 < alpha_j < limit,  v_j <= t_s where alpha_j = limit.
 */
struct threshold {
    double free_sum, n_free;  /* of v with 0 < alpha < limit */
    double at_bound, at_zero; /* largest v with alpha = limit, smallest with alpha = 0 */
};
#define THRESHOLD_OF_NONE {.at_bound = -HUGE_VAL, .at_zero = HUGE_VAL}

/* A multiplier counts as at a bound if it is within 1e-9 of the limit: rounding leaves about 1e-15 if 1/mu is an
 * integer and no multiplier is free. */
static inline void threshold_add(struct threshold *threshold, double alpha, double limit, double v)
{
    const double bound_tolerance = 1e-9;
    if (alpha <= bound_tolerance * limit)
        threshold->at_zero = fmin(threshold->at_zero, v);
    else if (alpha >= limit - bound_tolerance * limit)
        threshold->at_bound = fmax(threshold->at_bound, v);
    else {
        threshold->free_sum += v;
        threshold->n_free++;
    }
}

/* t_s: the mean of v over the free multipliers; if none is free, the midpoint of its bounds, or the only bound. */
static inline double threshold_of(const struct threshold *threshold)
{
    const double below = threshold->at_bound, above = threshold->at_zero;
    if (threshold->n_free > 0)
        return threshold->free_sum / threshold->n_free;
    return isinf(above) ? below : isinf(below) ? above : 0.5 * (below + above);
}

#endif
