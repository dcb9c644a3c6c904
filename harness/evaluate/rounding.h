/*
 * Bounds of what rounding may have done to figures that are computed from multipliers and kernel values, see
 * rounding.c.
 */
#ifndef HULLBENCH_ROUNDING_H
#define HULLBENCH_ROUNDING_H

#include "solvers/solver.h"

/* gamma_k = k u / (1 - k u), u = 2^-53: a bound of the relative error of k roundings. */
double rounding_gamma(double k);

/* How far a kernel value as computed may be from that of the data: |dk_ij| <= relative s_i s_j + absolute. */
struct kernel_rounding {
    double relative, absolute;
};
struct kernel_rounding rounding_of_kernel(const struct gram *gram);
/* s_j^2: |k_ij| <= s_i s_j for all i and j, the ridge included. Infinite where it overflows. */
double rounding_size2(struct gram *gram, size_t j);

/* The bound of the products f_j = sum alpha_i y_i k_ij, or u_j = y_j (f_j + added^2 sum alpha_i y_i). */
struct product_rounding {
    struct gram *gram;
    double added2;       /* added^2, which is added to each k_jj; 0 where nothing is */
    double terms;        /* multipliers that are not 0 */
    double sum;          /* sum |alpha_i| */
    double relative, absolute; /* |df_j| <= relative s_j + absolute */
};
struct product_rounding rounding_of_products(const struct problem *problem, struct gram *gram, const double *alpha,
                                             double added);
/* The bound of f_j or u_j. */
double rounding_of_product(const struct product_rounding *products, size_t j);
/* The bound of sum alpha_j f_j, where `own` is the sum of |alpha_j| times the bound of f_j, and `size` that of
 * |alpha_j f_j|. */
double rounding_of_sum(const struct product_rounding *products, double own, double size);

/* What rounding may make of |W|^2 in a solver's loop, whatever the weights: of one class each, or of all, they sum
 * to 1. */
struct meeting {
    double start; /* of kernel values and of sums made at once */
    double drift; /* of sums carried along t updates, a random walk: times the root of t */
};
/* What a |W|^2 within its rounding says: "the hulls meet" or "the hull holds the origin". */
const char *meeting_name(enum formulation formulation);
/* After so many updates. */
double rounding_of_sums(const struct meeting *meeting, double updates);
/* A bound of what all roundings of so many updates come to, even if they all have the same sign: 512 u S^2 for each
 * update. The update of a pair of patterns takes some ten u S^2 of it, that of a cycle of 90 patterns 200. */
double rounding_of_sums_at_most(const struct meeting *meeting, double updates);
/* A lower bound of |W|^2, whatever the weights: a ridge r adds r sum alpha^2 >= r / n. 0 without a ridge, under a
 * kernel that is not positive semidefinite, and for SVM duals. */
double rounding_least_norm2(const struct problem *problem, enum formulation formulation, const struct gram *gram);
/* The gram is set to the kernel and ridge of the problem; no kernel operation is counted. 0 for SVM duals. */
struct meeting rounding_of_meeting(const struct problem *problem, enum formulation formulation, struct gram *gram);
/* The same for the weights alpha alone: at most the above. Nearest-point and minimum norm problems only. */
struct meeting rounding_of_meeting_at(const struct problem *problem, enum formulation formulation, struct gram *gram,
                                      const double *alpha);

/* A largest or smallest of figures that are known within bounds each. */
struct extreme {
    double value, with, without; /* of the figures, of figure + bound, of figure - bound */
    int unknown;                 /* nonzero: some figure is no number, or has no bound */
};
#define EXTREME_LARGEST {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, 0}
#define EXTREME_SMALLEST {HUGE_VAL, HUGE_VAL, HUGE_VAL, 0}
void extreme_largest(struct extreme *extreme, double figure, double bound);
void extreme_smallest(struct extreme *extreme, double figure, double bound);
/* How far the extreme may be from that of the exact figures. */
double extreme_bound(const struct extreme *extreme);

/* A bound made of the formulas above, with what they leave out: terms of second order and the rounding of the bounds
 * themselves. Infinite for what is no number. */
double rounding_bound(double bound);

#endif
