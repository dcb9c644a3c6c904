/*
 * Shared by the solvers of the SVM dual without bias. The problem is min S(alpha) = 1/2 alpha' A alpha - sum alpha over
 * alpha >= 0 (hard margin) or 0 <= alpha <= C (soft margin), A_ij = y_i y_j k(x_i, x_j); Potluru et al. (2008), eqs. 4
 * and 9.
 *
 * A = A+ - A-, where A+ has the positive entries and A- the absolute values of the negative ones. The state is alpha
 * with
 *     a_j = (A+ alpha)_j  and  c_j = (A- alpha)_j,  so that y_j f_j = a_j - c_j.
 * For a kernel without negative values a_j is the sum over the pattern's own class and c_j that over the other.
 */
#ifndef HULLBENCH_NONNEGATIVE_H
#define HULLBENCH_NONNEGATIVE_H

#include "solvers/arena.h"
#include "solvers/solver.h"

extern const struct parameter parameter_step; /* of kernel-adatron */

struct nonnegative {
    size_t n, n_padded;
    const struct simd *simd;
    const signed char *y;
    double limit;              /* C, or infinity for the hard margin */
    double *alpha;             /* n_padded */
    double *diagonal;          /* k_jj; n_padded */
    double *products[2];       /* [0]: a of class +1, c of class -1; [1]: c of class +1, a of class -1; n_padded */
    double *part[2];           /* the positive values of a row, the absolute values of the negative ones; n_padded */
    double *least, *most;      /* the minimum and maximum of row i; n_padded */
    signed char *has_negative; /* n: whether row i has a negative value */
};

enum start_at {
    START_AT_ZERO,
    START_AT_OWN_OPTIMUM /* alpha_j = min(1 / k_jj, C), the optimum of each pattern alone; min(1, C) if k_jj = 0 */
};

/* Places the arrays; with arena->block NULL it only measures them. */
void nonnegative_layout(struct nonnegative *state, struct arena *arena, size_t n);
/* state_size for a state that is just a struct nonnegative. */
size_t nonnegative_state_size(const struct problem *problem);
/* Starts a state whose arrays are placed; n + n^2 kernel operations: diagonal and rows. With `refuse_negative`, a
 * negative kernel value gives STATUS_BAD_INPUT, and problem->error names the pair. */
enum status nonnegative_start(struct nonnegative *state, const struct problem *problem, enum start_at start,
                              int refuse_negative, struct oracle *oracle);
/* The same for a state that is just a struct nonnegative, with START_AT_OWN_OPTIMUM. */
enum status nonnegative_init(void *state, const struct problem *problem, int refuse_negative, struct oracle *oracle);

/* Recomputes a and c of all patterns from alpha; n^2 kernel operations. */
void nonnegative_sum(struct nonnegative *state, struct oracle *oracle);
/* Recomputes the contribution of one class (side 0: +1, 1: -1), for kernels without negative values; n operations for
 * each of its patterns. */
void nonnegative_sum_class(struct nonnegative *state, size_t side, struct oracle *oracle);
/* Adds `change` to alpha_i's contribution to a and c of all patterns, given its row. */
void nonnegative_add(struct nonnegative *state, size_t i, double change, const double *row);

static inline size_t nonnegative_side(const struct nonnegative *state, size_t j)
{
    return state->y[j] < 0;
}

/* a_j */
static inline double nonnegative_own(const struct nonnegative *state, size_t j)
{
    return state->products[nonnegative_side(state, j)][j];
}

/* c_j */
static inline double nonnegative_other(const struct nonnegative *state, size_t j)
{
    return state->products[!nonnegative_side(state, j)][j];
}

/* alpha_j times `factor`: at most C; at least 2^-500, so that neither it nor its products are denormal and it can grow
 * again; unchanged if the product is not finite (a_j = 0, no optimum). */
double nonnegative_times(const struct nonnegative *state, size_t j, double factor);

/* The weight of alpha_j's distance from a bound: k_jj, as along a parabola, but at least 1 / C, so that the whole range
 * from 0 to C counts at least 1, the slope at alpha = 0. */
static inline double nonnegative_worth(const struct nonnegative *state, size_t j)
{
    return state->diagonal[j] * state->limit < 1 ? 1 / state->limit : state->diagonal[j];
}

/* min(|slope|, worth times the distance from the bound that the slope leads to), slope = y_j f_j - 1: in units of y f,
 * 0 at the optimum. If k_jj C >= 1, that is k_jj times the distance from the best value along the coordinate. If
 * k_jj = 0, the magnitude of a slope that alpha_j could follow. */
double nonnegative_violation(const struct nonnegative *state, size_t j);

/* The functions of the solver contract. select fills in objective, norm2 and delta, the largest violation. */
enum status nonnegative_select(void *state, struct progress *progress);
/* Duality gap of the whole problem, whatever the class. Soft margin: |W|^2 + C sum xi - sum alpha, xi_j = max(0,
 * 1 - y_j f_j). Hard margin: 1/2 |W/m|^2 - (sum alpha - 1/2 |W|^2), m = min y_j f_j, since W/m separates with margin 1;
 * NAN if m <= 0. */
double nonnegative_gap(const void *state, int label);
void nonnegative_alpha(const void *state, double *alpha);

/* The members that these solvers share. */
#define NONNEGATIVE_STOPS \
    (1u << STOP_DELTA | 1u << STOP_GAP_MAX_NORM2 | 1u << STOP_DUAL_CHANGE | 1u << STOP_KKT | 1u << STOP_ITERATIONS)
#define NONNEGATIVE_STATE .stops = NONNEGATIVE_STOPS, .gap = nonnegative_gap, .alpha = nonnegative_alpha
#define NONNEGATIVE_SOLVER NONNEGATIVE_STATE, .select = nonnegative_select

#endif
