/*
 * M3 with a bias: the C-SVM dual, min 1/2 alpha' A alpha - sum alpha over 0 <= alpha <= C, sum y_j alpha_j = 0. The
 * multiplicative update with a sum constraint of Sha, Saul and Lee (2003) and Sha, Lin, Saul and Lee (2007).
 *
 *   alpha_j'(b) = min(C, alpha_j (u + sqrt(u^2 + 4 a_j c_j)) / (2 a_j)),  u = 1 - y_j b,  sum y_j alpha_j'(b) = 0
 *
 * This is the minimiser, under the constraint, of the bound whose minimiser without it is m3's update; the multiplier b
 * of the constraint is the bias. y_j alpha_j'(b) falls with b, so b is found by halving an interval. N^2 kernel
 * operations an iteration. Starts at alpha_j = t / N_class, t the smaller of min 1/k_jj and C min(N+, N-).
 *
 * Coefficients die without ever reaching 0, where a bias between thresholds (the judge's) would count them all as
 * between their bounds. So those that are worth less than the stopping rule's tolerance and still fall are handed out
 * as 0, and what the classes' sums then differ by is taken from the larger class's coefficients between their bounds,
 * in proportion. Where those are too small, the smaller class's coefficients above 0 are raised, each by the same share
 * of its way to C; where that has no room either, the state is handed out as it is. The rule's violation is that of the
 * state; that of what is handed out can be a little larger.
 */
#include <math.h>

#include "solvers/multiplicative/nonnegative.h"

struct biased {
    struct nonnegative base; /* first, so that nonnegative functions take the state */
    double bias, tolerance;
};

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct biased biased;
    arena_take(&arena, sizeof biased);
    nonnegative_layout(&biased.base, &arena, problem->n);
    return arena.used;
}

/* Feasible multipliers inside the box, given the diagonal. */
static void balance(struct nonnegative *base)
{
    double count[2] = {0, 0}, size = HUGE_VAL;
    for (size_t j = 0; j < base->n; j++) {
        count[nonnegative_side(base, j)]++;
        if (base->diagonal[j] > 0)
            size = fmin(size, 1 / base->diagonal[j]);
    }
    size = fmin(size, base->limit * fmin(count[0], count[1]));
    for (size_t j = 0; j < base->n; j++)
        base->alpha[j] = size / count[nonnegative_side(base, j)];
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct biased *biased = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *biased);
    nonnegative_layout(&biased->base, &arena, problem->n);
    biased->tolerance = problem->tolerance;
    enum status status =
        nonnegative_start(&biased->base, problem, problem->parameters.value[PARAMETER_C], START_AT_ZERO, 0, oracle);
    balance(&biased->base);
    nonnegative_sum(&biased->base, oracle);
    return status;
}

/* alpha_j'(b) */
static double next_alpha(const struct nonnegative *base, size_t j, double b)
{
    double a = nonnegative_own(base, j), c = nonnegative_other(base, j), u = 1 - base->y[j] * b;
    double root = sqrt(u * u + 4 * a * c);
    return nonnegative_times(base, j, u > 0 ? (u + root) / (2 * a) : root - u > 0 ? 2 * c / (root - u) : 0);
}

/* sum y_j alpha_j'(b) */
static double imbalance(const struct nonnegative *base, double b)
{
    double sum = 0;
    for (size_t j = 0; j < base->n; j++)
        sum += base->y[j] * next_alpha(base, j, b);
    return sum;
}

/* The b where the sum turns from above 0 to 0 or below, between neighbouring numbers. */
static double find_bias(const struct nonnegative *base)
{
    double low = -1, high = 1;
    while (isfinite(low) && !(imbalance(base, low) > 0))
        low *= 2;
    while (isfinite(high) && imbalance(base, high) > 0)
        high *= 2;
    for (;;) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            return high;
        if (imbalance(base, middle) > 0)
            low = middle;
        else
            high = middle;
    }
}

/* As nonnegative_violation, with the bias. */
static double violation(const struct biased *biased, size_t j)
{
    const struct nonnegative *base = &biased->base;
    double k = base->diagonal[j], alpha = base->alpha[j], worth = nonnegative_worth(base, j);
    double slope = nonnegative_own(base, j) - nonnegative_other(base, j) + base->y[j] * biased->bias - 1;
    if (!(k > 0))
        return (slope < 0 ? alpha < base->limit : alpha > 0) ? fabs(slope) : 0;
    return slope < 0 ? fmin(-slope, worth * (base->limit - alpha)) : fmin(slope, worth * alpha);
}

static enum status select(void *state, struct progress *progress)
{
    struct biased *biased = state;
    enum status status = nonnegative_select(state, progress);
    biased->bias = find_bias(&biased->base);
    progress->delta = 0;
    for (size_t j = 0; j < biased->base.n; j++)
        progress->delta = fmax(progress->delta, violation(biased, j));
    return status;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct biased *biased = state;
    for (size_t j = 0; j < biased->base.n; j++)
        biased->base.alpha[j] = next_alpha(&biased->base, j, biased->bias);
    nonnegative_sum(&biased->base, oracle);
    return STATUS_OK;
}

/* At the judge's bias it would say nothing of this solver's state, see above. */
static double no_gap(const void *state, int class)
{
    (void)state;
    (void)class;
    return (double)NAN;
}

static int is_dead(const struct biased *biased, size_t j)
{
    const struct nonnegative *base = &biased->base;
    double slope = nonnegative_own(base, j) - nonnegative_other(base, j) + base->y[j] * biased->bias - 1;
    return slope > 0 && base->alpha[j] * nonnegative_worth(base, j) <= biased->tolerance;
}

/* Takes a share of the multipliers of one class between their bounds. */
static void lower(const struct nonnegative *base, size_t side, double share, double *alpha)
{
    for (size_t j = 0; j < base->n; j++)
        if (nonnegative_side(base, j) == side && alpha[j] < base->limit)
            alpha[j] *= 1 - share;
}

/* Takes the multipliers of one class that are above 0 a share of their way to C. */
static void raise(const struct nonnegative *base, size_t side, double share, double *alpha)
{
    for (size_t j = 0; j < base->n; j++)
        if (nonnegative_side(base, j) == side && alpha[j] > 0)
            alpha[j] = fmin(alpha[j] + (base->limit - alpha[j]) * share, base->limit);
}

static void hand_out(const void *state, double *alpha)
{
    const struct biased *biased = state;
    const struct nonnegative *base = &biased->base;
    double sum[2] = {0, 0}, between[2] = {0, 0}, room[2] = {0, 0};
    for (size_t j = 0; j < base->n; j++) {
        size_t side = nonnegative_side(base, j);
        alpha[j] = is_dead(biased, j) ? 0 : base->alpha[j];
        sum[side] += alpha[j];
        between[side] += alpha[j] < base->limit ? alpha[j] : 0;
        room[side] += alpha[j] > 0 ? base->limit - alpha[j] : 0;
    }
    size_t larger = sum[1] > sum[0];
    double excess = sum[larger] - sum[!larger];
    if (!(excess > 0))
        return;
    if (excess < between[larger])
        lower(base, larger, excess / between[larger], alpha);
    else if (excess <= room[!larger])
        raise(base, !larger, excess / room[!larger], alpha);
    else
        nonnegative_alpha(state, alpha);
}

extern const struct solver solver_m3_bias;

const struct solver solver_m3_bias = {
    .name = "m3-bias",
    .title = "multiplicative margin maximisation with a bias, any kernel, soft margin",
    .reference = "Sha, Saul and Lee 2003; Sha, Lin, Saul and Lee 2007",
    .formulation = FORMULATION_C_SVM,
    .parameters = 1u << PARAMETER_C,
    .stops = 1u << STOP_DELTA | 1u << STOP_DUAL_CHANGE | 1u << STOP_KKT | 1u << STOP_ITERATIONS,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = no_gap,
    .alpha = hand_out,
};
