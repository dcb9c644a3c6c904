/*
 * Shared by the solvers of the minimum norm problem: a point W in the convex hull of z_j = y_j (X_j, 1), represented by
 * its multipliers (0 <= alpha, sum alpha = 1) and the products f_j = sum_i alpha_i y_i k(x_i, x_j). The added
 * coordinate of W is s = sum alpha_i y_i, the bias. W . z_j = u_j = y_j (f_j + s) is |W| times the margin of pattern j
 * (Barbero, Lopez and Dorronsoro 2008, Section 1; Lopez 2008, Section 3.2.1). Under the square penalty k is the kernel
 * K + I/C.
 */
#ifndef HULLBENCH_MIN_NORM_H
#define HULLBENCH_MIN_NORM_H

#include "solvers/arena.h"
#include "solvers/solver.h"

/* L = argmin u_j and U = argmax u_j over alpha_j > 0, ties to the lowest index; delta = u_U - u_L. */
struct min_norm_pair {
    size_t low, high;
    double delta;
};

struct min_norm {
    size_t n, n_padded;
    const struct simd *simd;
    const signed char *y;
    double *alpha; /* n_padded; set by min_norm_set, otherwise min_norm_find_support must be called */
    double *f;     /* f_j; n_padded */
    unsigned char *eligible[2]; /* sets (simd.h): all patterns, and those with alpha > 0 */
    unsigned char *negative;    /* the patterns of class -1 */
    size_t *support,
        supports;  /* the patterns with alpha > 0, ascending: all others add zeros to sums over the multipliers */
    double bias;   /* s */
    double *terms;      /* y_j alpha_j of the patterns in `support` */
    double *bias_sums;  /* s summed over the first 1, 2, ... patterns of `support` */
    size_t n_bias_sums; /* how many of these are current; the others are earlier sums */
    struct min_norm_pair pair; /* the pair of W, if has_pair is nonzero */
    int has_pair;
};

/* state_size for a state that begins with a struct min_norm and is `head` bytes long. SIZE_MAX if too large. */
size_t min_norm_state_size(size_t head, size_t n);
/* Starts at z of the first pattern; `norm` is the beginning of a state of `head` bytes. Requests one row. */
void min_norm_start(struct min_norm *norm, size_t head, const struct problem *problem, struct oracle *oracle);

/* u_j = W . z_j */
static inline double min_norm_along(const struct min_norm *norm, size_t j)
{
    return norm->y[j] * (norm->f[j] + norm->bias);
}

/* |W|^2 = sum alpha_j u_j */
double min_norm_norm2(const struct min_norm *norm);
/* Fills in objective and norm2. */
void min_norm_fill_progress(double norm2, struct progress *progress);

/* Searches for the pair, unless the last update has found it. */
struct min_norm_pair min_norm_pair(const struct min_norm *norm);
/* The same for a solver's select: also fills in *progress. */
struct min_norm_pair min_norm_choose_pair(const struct min_norm *norm, struct progress *progress);
/* MDM's update: W += lambda (z_L - z_U), lambda = min(alpha_U, delta / |z_L - z_U|^2). Returns lambda; delta > 0.
 * Requests the two rows and k_LL, k_UU and k_LU (Lopez 2008, eqs. 3.2.6 to 3.2.9). */
double min_norm_move_pair(struct min_norm *norm, const struct min_norm_pair *pair, struct oracle *oracle);

/* Sets a multiplier. min_norm_sum_bias must then update s. */
void min_norm_set(struct min_norm *norm, size_t j, double alpha);
/* Recomputes `support` and `eligible` after `alpha` was written. */
void min_norm_find_support(struct min_norm *norm);
/* Sums s again after the multipliers have changed. The pair must then be searched for. */
void min_norm_sum_bias(struct min_norm *norm);

/* |W|^2 - min u >= 0, the duality gap of min 1/2 |W|^2; the class is ignored. */
double min_norm_gap(const void *state, int label);
/* Copies the multipliers out. */
void min_norm_alpha(const void *state, double *alpha);

/* The members that all solvers of the minimum norm problem share. gap-max-w2 is |W| - min m <= eps |W| for the margins
 * m = u / |W| (Lopez 2008, Section 4.1.3, criterion 4). */
#define MIN_NORM_SOLVER                                                                                        \
    .formulation = FORMULATION_MINIMUM_NORM, .square_penalty = 1,                                              \
    .stops = 1u << STOP_DELTA | 1u << STOP_DELTA_NORM2 | 1u << STOP_DELTA_2NORM2 | 1u << STOP_GAP_MAX_NORM2 | \
             1u << STOP_DUAL_CHANGE | 1u << STOP_ITERATIONS,                                                  \
    .gap = min_norm_gap, .alpha = min_norm_alpha, .ignores_tolerance = 1

#endif
