/*
 * Shared by the decomposition solvers of the SVM duals: the point
 *
 *   min 1/2 |W|^2 - sum alpha,  W = sum alpha_i y_i X_i,  0 <= alpha <= C,  sum y alpha = 0
 *
 * (C may be infinite), represented by its multipliers and by F_i = W . X_i - y_i, and steps along pairs. With a bias b,
 * y_i (F_i + b) = y_i (W . X_i + b) - 1 is the quantity in the KKT conditions (Lopez 2008, eqs. 3.1.1 to 3.1.3): >= 0
 * where alpha < C, <= 0 where alpha > 0.
 */
#ifndef HULLBENCH_BOX_H
#define HULLBENCH_BOX_H

#include <math.h>

#include "solvers/arena.h"
#include "solvers/solver.h"

struct box {
    size_t n, n_padded;
    const struct simd *simd;
    const signed char *y;
    double c;             /* upper bound of the multipliers */
    double max_alpha;     /* no step makes a multiplier larger: see box_bound_by_ridge */
    double max_gain;      /* no step lowers the dual by more */
    double *alpha;        /* n_padded */
    double *signed_alpha; /* y_i alpha_i */
    double *f;            /* F_i, zero padded */
    unsigned char *eligible[2]; /* sets (simd.h): patterns whose y alpha may increase, and those where it may
                                 * decrease */
};

/* The most violating pair: up = argmin F where y alpha may increase, low = argmax F where it may decrease, ties to the
 * lowest index. If a set is empty, its threshold is infinite. delta = f_low - f_up is the KKT violation. */
struct box_pair {
    size_t up, low;
    double f_up, f_low;
};
#define BOX_NO_PAIR {0, 0, INFINITY, -INFINITY}

/* Places the arrays (or measures them). */
void box_layout(struct box *box, struct arena *arena, size_t n);
/* Starts, with the arrays in zeroed memory, at alpha = 0, or at min(1, C) on the first pattern of each class (Lopez
 * 2008, Section 5.2; 1 if the box has no bound). The latter requests two rows. */
void box_start(struct box *box, const struct problem *problem, double c, enum start start, struct oracle *oracle);
enum start box_start_of(const struct problem *problem);

/* Whether i is in I_up = {y = 1, alpha < C} u {y = -1, alpha > 0}: y alpha may increase. */
static inline int box_may_grow(const struct box *box, size_t i)
{
    return box->y[i] > 0 ? box->alpha[i] < box->c : box->alpha[i] > 0;
}

/* Whether i is in I_low = {y = 1, alpha > 0} u {y = -1, alpha < C}: y alpha may decrease. */
static inline int box_may_shrink(const struct box *box, size_t i)
{
    return box->y[i] > 0 ? box->alpha[i] > 0 : box->alpha[i] < box->c;
}

static inline int box_is_free(const struct box *box, size_t i)
{
    return box->alpha[i] > 0 && box->alpha[i] < box->c;
}

/* Updates the most violating pair with pattern i. */
static inline void box_consider(const struct box *box, size_t i, struct box_pair *pair)
{
    if (box->f[i] < pair->f_up && box_may_grow(box, i)) {
        pair->f_up = box->f[i];
        pair->up = i;
    }
    if (box->f[i] > pair->f_low && box_may_shrink(box, i)) {
        pair->f_low = box->f[i];
        pair->low = i;
    }
}

/* The most violating pair over all patterns. */
struct box_pair box_worst_pair(const struct box *box);
/* F += step (row_up - row_low), padded rows. Returns the most violating pair after it. */
struct box_pair box_add_pair(struct box *box, double step, const double *row_up, const double *row_low);
struct box_pair box_pair_of(const struct argminmax *argminmax);

/* The bound that alpha_i approaches while y_i alpha_i moves up or down. */
static inline double box_bound(const struct box *box, size_t i, int up)
{
    const double bounds[2] = {0, box->c}; /* an index instead of an unpredictable branch */
    return bounds[up == (box->y[i] > 0)];
}

/* The largest step of y_i alpha_i, up or down. */
static inline double box_max_step(const struct box *box, size_t i, int up)
{
    return fabs(box_bound(box, i, up) - box->alpha[i]);
}

/* |X_up - X_low|^2 = k_ii + k_jj - 2 k_ij from the pair's rows */
static inline double box_curvature(const struct box_pair *pair, const double *row_up, const double *row_low)
{
    return (row_up[pair->up] - row_up[pair->low]) + (row_low[pair->low] - row_low[pair->up]);
}

/* Larger multipliers mean nothing, and |W|^2 might overflow. */
#define BOX_MAX_ALPHA 1e100

/* Lowers max_alpha and max_gain for the square penalty, after box_start. With K + I/C and a semidefinite K, the dual f
 * is at least |alpha|^2 / 2C - sqrt(N) |alpha| >= -C N / 2. It never increases from its first value D, so
 *
 *   |alpha| <= C sqrt(N) + sqrt(C^2 N + 2 C max(0, D)),   and no step lowers f by more than D + C N / 2.
 *
 * Rounding may lose 1/C beside k_ii and leave a pair no curvature, or so little that the multipliers grow from step to
 * step. A step beyond these bounds proves it. max_gain is twice the bound, which a first step may reach. */
void box_bound_by_ridge(struct box *box, double ridge);

/* Whether the step y_i alpha_i += step w_i, within the box and no longer than the minimum along w, keeps to max_alpha
 * and max_gain; `slope` > 0 is -F . w. */
int box_trusts_step(const struct box *box, const size_t *indices, const double *weights, size_t count, double step,
                    double slope);

/* The step that minimises the dual along the pair: delta / curvature, clipped to the box; 0 if no step is possible, or
 * if it is not to be trusted. */
double box_pair_step(const struct box *box, const struct box_pair *pair, double curvature);
/* Adds the step to y alpha of `up` and subtracts it from that of `low`; the caller updates F. The largest possible step
 * puts a multiplier exactly on its bound. */
void box_move_pair(struct box *box, const struct box_pair *pair, double step);

/* Updates `eligible` for pattern i after alpha was written. It writes only if the membership changes, which is rare: a
 * write to a byte that the next pattern reads would delay that read. */
static inline void box_set_eligible(struct box *box, size_t i)
{
    int positive = box->y[i] > 0, below = box->alpha[i] < box->c, above = box->alpha[i] > 0;
    if (simd_set_has(box->eligible[!positive], i) != below)
        simd_set_put(box->eligible[!positive], i, below);
    if (simd_set_has(box->eligible[positive], i) != above)
        simd_set_put(box->eligible[positive], i, above);
}

static inline void box_set(struct box *box, size_t i, double alpha)
{
    box->alpha[i] = alpha;
    box->signed_alpha[i] = box->y[i] * alpha;
    box_set_eligible(box, i);
}

double box_sum_alpha(const struct box *box);
/* Primal minus dual of the problem restricted to the patterns active[0], ..., or, if active is NULL, the first `count`:
 * at the bias midway between the pair's thresholds, the sum of alpha_i u_i + C xi_i with u_i = y_i (F_i + b) and
 * xi_i = max(0, -u_i). Every term is >= 0. */
double box_gap(const struct box *box, const struct box_pair *pair, const size_t *active, size_t count);
/* |W|^2 = sum y_i alpha_i F_i + sum alpha, given sum alpha */
double box_norm2(const struct box *box, double sum_alpha);
/* Fills in objective and norm2. */
void box_fill_progress(const struct box *box, struct progress *progress);

/* Copies the multipliers out; for solvers whose state begins with a struct box. */
void box_alpha(const void *state, double *alpha);

#endif
