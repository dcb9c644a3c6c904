/*
 * M3 with a bias: the C-SVM dual, min 1/2 alpha' A alpha - sum alpha over 0 <= alpha <= C, sum y_j alpha_j = 0. The
 * multiplicative update with a sum constraint of Sha, Saul and Lee (2003) and Sha, Lin, Saul and Lee (2007).
 *
 *   alpha_j'(b) = min(C, alpha_j (u + sqrt(u^2 + 4 a_j c_j)) / (2 a_j)),  u = 1 - y_j b,  sum y_j alpha_j'(b) = 0
 *
 * alpha_j' minimises a_j alpha_j'^2 / (2 alpha_j) - c_j alpha_j log alpha_j' - u alpha_j', its part of an upper bound
 * on the objective; the multiplier b of the constraint is the bias. N^2 kernel operations per iteration. It starts at
 * alpha_j = t / N_class, where t is the smaller of min 1/k_jj and C min(N+, N-).
 *
 * y_j alpha_j'(b) decreases with b, and b is found by bisection until the ends of the interval are adjacent doubles:
 * the sum is positive at the lower end and not at the upper end. If k_jj = 0 and a_j = c_j = 0, the bound is linear in
 * alpha_j': alpha_j' is C for u > 0 and 0 for u < 0, and at u = 0 any number between them is a minimiser, so the sum
 * jumps at b = y_j. Every alpha_j' is therefore the mixture of its values at both ends for which the sum is 0. At u = 0
 * that is the minimiser that balances the classes; for the other coefficients both values agree up to rounding. An
 * update whose sum is not 0 up to rounding is not made, and the solver stalls.
 *
 * A coefficient whose optimum is 0 decreases towards it without end, and a bias between thresholds treats it as lying
 * between its bounds. So each state has a second point: a coefficient is 0 there if its worth (nonnegative_worth) is at
 * most the stopping rule's tolerance and below its slope, that is, if 0 violates its condition less than alpha_j does.
 * The resulting difference of the classes' sums is subtracted from the larger class's coefficients between their
 * bounds, in proportion. If those are too small, the smaller class's coefficients above 0 are raised, each by the same
 * fraction of its distance to C; if that is impossible, too, no coefficient is set to 0. The solver returns the state
 * or the second point, whichever violates less, and reports its objective, gap and violation. The W . X_j of both
 * points come from the same rows, without further kernel operations.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/multiplicative/nonnegative.h"

struct biased {
    struct nonnegative base; /* first, so that nonnegative functions accept the state */
    double tolerance;
    double *handed_out; /* returned multipliers; n_padded */
    double *difference; /* their W . X_j minus that of base.alpha; n_padded */
};

/* The ends of the last interval around the bias. */
struct bracket {
    double low, high;
};

/* Values of a returned point; the thresholds are those of Keerthi et al. (2001). */
struct figures {
    double up, low, norm2, sum;
};

static void layout(struct biased *biased, struct arena *arena, size_t n)
{
    arena_take(arena, sizeof *biased);
    nonnegative_layout(&biased->base, arena, n);
    biased->handed_out = arena_doubles(arena, n);
    biased->difference = arena_doubles(arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct biased biased;
    layout(&biased, &arena, problem->n);
    return arena.used;
}

/* Feasible multipliers inside the box, given the diagonal. */
static void start_balanced(struct nonnegative *base)
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

/* Recomputes a, c and the difference; every row is requested once. */
static void sum_rows(struct biased *biased, struct oracle *oracle)
{
    struct nonnegative *base = &biased->base;
    for (int side = 0; side < 2; side++)
        memset(base->products[side], 0, base->n_padded * sizeof(double));
    memset(biased->difference, 0, base->n_padded * sizeof(double));
    for (size_t i = 0; i < base->n; i++) {
        const double *row = oracle_row(oracle, i);
        double moved = biased->handed_out[i] - base->alpha[i];
        nonnegative_add(base, i, base->alpha[i], row);
        if (moved > 0 || moved < 0)
            base->simd->axpy(base->n_padded, base->y[i] * moved, row, biased->difference);
    }
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct biased *biased = state;
    struct arena arena = {.block = state};
    layout(biased, &arena, problem->n);
    biased->tolerance = problem->tolerance;
    enum status status = nonnegative_start(&biased->base, problem, START_AT_ZERO, 0, oracle);
    start_balanced(&biased->base);
    memcpy(biased->handed_out, biased->base.alpha, problem->n * sizeof(double));
    sum_rows(biased, oracle);
    return status;
}

/* alpha_j'(b); the smallest if there are several minimisers. */
static double next_alpha(const struct nonnegative *base, size_t j, double b)
{
    double a = nonnegative_own(base, j), c = nonnegative_other(base, j), u = 1 - base->y[j] * b;
    double root = sqrt(u * u + 4 * a * c);
    return nonnegative_times(base, j, u > 0 ? (u + root) / (2 * a) : c > 0 ? 2 * c / (root - u) : 0);
}

/* sum y_j alpha_j'(b) */
static double imbalance(const struct nonnegative *base, double b)
{
    double sum = 0;
    for (size_t j = 0; j < base->n; j++)
        sum += base->y[j] * next_alpha(base, j, b);
    return sum;
}

/* Adjacent doubles between which the sum falls from above 0 to 0 or below; a non-finite end if there are none. */
static struct bracket find_bias(const struct nonnegative *base)
{
    struct bracket at = {-1, 1};
    while (isfinite(at.low) && !(imbalance(base, at.low) > 0))
        at.low *= 2;
    while (isfinite(at.high) && !(imbalance(base, at.high) <= 0))
        at.high *= 2;
    for (;;) {
        double middle = 0.5 * (at.low + at.high);
        if (!(middle > at.low && middle < at.high))
            return at;
        if (imbalance(base, middle) > 0)
            at.low = middle;
        else
            at.high = middle;
    }
}

/* Writes the mixture of alpha'(low) and alpha'(high) whose sum is 0. Returns 0 if the sum is not 0 up to rounding. */
static int mix(const struct nonnegative *base, const struct bracket *at, double *alpha)
{
    double above = imbalance(base, at->low), below = imbalance(base, at->high), share = above / (above - below);
    double sum = 0, size = 0;
    for (size_t j = 0; j < base->n; j++) {
        double first = next_alpha(base, j, at->low), last = next_alpha(base, j, at->high);
        alpha[j] = fmin(first + share * (last - first), base->limit);
        sum += base->y[j] * alpha[j];
        size += first + last;
    }
    /* three sums of n terms, each with an error of at most n times half a unit in the last place of its terms */
    return isfinite(at->low) && isfinite(at->high) && fabs(sum) <= (double)base->n * DBL_EPSILON * size;
}

static double slope(const struct nonnegative *base, size_t j, double bias)
{
    return nonnegative_own(base, j) - nonnegative_other(base, j) + base->y[j] * bias - 1;
}

/* Lowers the multipliers of one class that are between their bounds by a fraction. */
static void lower(const struct nonnegative *base, size_t side, double share, double *alpha)
{
    for (size_t j = 0; j < base->n; j++)
        if (nonnegative_side(base, j) == side && alpha[j] < base->limit)
            alpha[j] *= 1 - share;
}

/* Raises the multipliers of one class that are above 0 by a fraction of their distance to C. */
static void raise(const struct nonnegative *base, size_t side, double share, double *alpha)
{
    for (size_t j = 0; j < base->n; j++)
        if (nonnegative_side(base, j) == side && alpha[j] > 0)
            alpha[j] = fmin(alpha[j] + (base->limit - alpha[j]) * share, base->limit);
}

/* Makes the classes' sums equal. Returns 0 if that is impossible. */
static int make_balanced(const struct nonnegative *base, double *alpha)
{
    double sum[2] = {0, 0}, between[2] = {0, 0}, room[2] = {0, 0};
    for (size_t j = 0; j < base->n; j++) {
        size_t side = nonnegative_side(base, j);
        sum[side] += alpha[j];
        between[side] += alpha[j] < base->limit ? alpha[j] : 0;
        room[side] += alpha[j] > 0 ? base->limit - alpha[j] : 0;
    }
    size_t larger = sum[1] > sum[0];
    double excess = sum[larger] - sum[!larger];
    if (!(excess > 0))
        return 1;
    if (excess < between[larger])
        lower(base, larger, excess / between[larger], alpha);
    else if (excess <= room[!larger])
        raise(base, !larger, excess / room[!larger], alpha);
    else
        return 0;
    return 1;
}

/* Takes the next state and returns it with the dying coefficients set to 0. The slopes are those of the previous state,
 * whose rows have been summed. */
static void take_next(struct biased *biased, const double *next, double bias)
{
    struct nonnegative *base = &biased->base;
    int zeros = 0;
    for (size_t j = 0; j < base->n; j++) {
        double worth = nonnegative_worth(base, j) * next[j];
        int is_zero = worth <= biased->tolerance && worth < slope(base, j, bias);
        base->alpha[j] = next[j];
        biased->handed_out[j] = is_zero ? 0 : next[j];
        zeros |= is_zero;
    }
    if (zeros && !make_balanced(base, biased->handed_out))
        memcpy(biased->handed_out, next, base->n * sizeof *next);
}

/* W . X_j of the state, plus the difference for the returned point, if given. */
static double product(const struct nonnegative *base, const double *difference, size_t j)
{
    double of_state = base->y[j] * (nonnegative_own(base, j) - nonnegative_other(base, j));
    return difference ? of_state + difference[j] : of_state;
}

static struct figures figures_of(const struct nonnegative *base, const double *alpha, const double *difference)
{
    struct figures figures = {.up = INFINITY, .low = -INFINITY};
    for (size_t j = 0; j < base->n; j++) {
        double y = base->y[j], f = product(base, difference, j);
        if (y > 0 ? alpha[j] < base->limit : alpha[j] > 0)
            figures.up = fmin(figures.up, f - y);
        if (y > 0 ? alpha[j] > 0 : alpha[j] < base->limit)
            figures.low = fmax(figures.low, f - y);
        figures.norm2 += alpha[j] * y * f;
        figures.sum += alpha[j];
    }
    return figures;
}

static struct figures figures_handed_out(const struct biased *biased)
{
    return figures_of(&biased->base, biased->handed_out, biased->difference);
}

/* Returns the state itself if that violates less. */
static void keep_better(struct biased *biased)
{
    const struct nonnegative *base = &biased->base;
    struct figures state = figures_of(base, base->alpha, NULL), other = figures_handed_out(biased);
    if (!(state.low - state.up < other.low - other.up))
        return;
    memcpy(biased->handed_out, base->alpha, base->n * sizeof(double));
    memset(biased->difference, 0, base->n_padded * sizeof(double));
}

static enum status update(void *state, struct oracle *oracle)
{
    struct biased *biased = state;
    struct bracket at = find_bias(&biased->base);
    double *next = biased->base.part[0]; /* unused until rows are summed */
    if (!mix(&biased->base, &at, next))
        return STATUS_STALLED;
    take_next(biased, next, at.high);
    sum_rows(biased, oracle);
    keep_better(biased);
    return STATUS_OK;
}

static enum status select(void *state, struct progress *progress)
{
    struct figures figures = figures_handed_out(state);
    progress->norm2 = figures.norm2;
    progress->objective = 0.5 * figures.norm2 - figures.sum;
    progress->updated_class = 0;
    progress->delta = figures.low - figures.up;
    return STATUS_OK;
}

/* Primal minus dual at the bias midway between the thresholds, whatever the class. */
static double gap(const void *state, int class)
{
    const struct biased *biased = state;
    const struct nonnegative *base = &biased->base;
    struct figures figures = figures_handed_out(biased);
    double bias = -0.5 * (figures.up + figures.low), slack = 0;
    (void)class;
    for (size_t j = 0; j < base->n; j++)
        slack += fmax(0, 1 - base->y[j] * (product(base, biased->difference, j) + bias));
    return figures.norm2 + base->limit * slack - figures.sum;
}

static void hand_out(const void *state, double *alpha)
{
    const struct biased *biased = state;
    memcpy(alpha, biased->handed_out, biased->base.n * sizeof *alpha);
}

static void tighten(void *state, double tolerance)
{
    struct biased *biased = state;
    biased->tolerance = tolerance;
}

extern const struct solver solver_m3_bias;

const struct solver solver_m3_bias = {
    .name = "m3-bias",
    .title = "multiplicative, any kernel, soft margin, bias",
    .reference = "Sha, Saul and Lee 2003; Sha, Lin, Saul and Lee 2007",
    .formulation = FORMULATION_C_SVM,
    .parameters = PARAMETERS(&parameter_c),
    .stops = 1u << STOP_DELTA | 1u << STOP_DUAL_CHANGE | 1u << STOP_KKT | 1u << STOP_ITERATIONS,
    .setup_cost = {.is_stated = 1, .n2 = 2, .n = 1},
    .iteration_cost = {.is_stated = 1, .n2 = 1},
    .converges_slowly = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = gap,
    .alpha = hand_out,
    .tighten = tighten,
};
