/*
 * MUNK inside a decomposition, the last idea of Potluru et al. (2008): the update of eq. (7) on a working set, with the
 * other coefficients fixed. Kernels without negative values.
 *
 * It starts at alpha = 0. The working set consists of the q most violating patterns (k_jj |alpha_j - best_j|, ties to
 * the lowest index). Then
 *
 *   enter   alpha_j' = alpha_j + (1 - y_j f_j) / (q k_jj) if alpha_j = 0, which cannot be multiplied: one q-th
 *           of the way to the coordinate's minimum, so that S decreases by convexity
 *   sweep   alpha_j' = alpha_j (c_j + 1) / a_j, eq. (7), one after the other, a and c including the contributions of
 *           all others, until the set's violation is a tenth of its initial value, or SWEEPS times
 *   leave   alpha_j' = 0 for each in turn whose coordinate's minimum is 0: multiplying would never reach it
 *
 * S never increases: with a fixed part h the update minimises the bound h alpha <= h
 * (alpha^2 / alpha_old + alpha_old) / 2. q N kernel operations per iteration: the rows of the set, which include its
 * own q^2 values.
 */
#include <math.h>
#include <string.h>

#include "solvers/multiplicative/nonnegative.h"

enum { SWEEPS = 50 };

struct subset {
    struct nonnegative base; /* first, so that nonnegative_alpha and similar functions accept the state */
    size_t max, count;      /* q; patterns in the set */
    size_t *index;           /* q */
    double *violation;       /* q: of the chosen patterns, descending; during an update, the best value of each alone */
    double *block;           /* q x q: kernel values within the set */
    double *before;          /* q: alpha before the iteration */
    double *products[2];     /* q: a and c of the set before the iteration */
};

static void layout(struct subset *subset, struct arena *arena, const struct problem *problem)
{
    size_t asked = (size_t)parameter_get(&problem->parameters, &parameter_q);
    size_t q = asked < problem->n ? asked : problem->n;
    arena_take(arena, sizeof *subset);
    nonnegative_layout(&subset->base, arena, problem->n);
    subset->max = q;
    subset->index = arena_take(arena, q * sizeof *subset->index);
    subset->violation = arena_doubles(arena, q);
    subset->block = arena_doubles(arena, q * q);
    subset->before = arena_doubles(arena, q);
    for (int side = 0; side < 2; side++)
        subset->products[side] = arena_doubles(arena, q);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct subset subset;
    layout(&subset, &arena, problem);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct subset *subset = state;
    struct arena arena = {.block = state};
    layout(subset, &arena, problem);
    return nonnegative_start(&subset->base, problem, START_AT_ZERO, 1, oracle);
}

/* Updates the list of the largest violations, in descending order. */
static void consider(struct subset *subset, size_t j, double violation)
{
    if (!(violation > 0) || (subset->count == subset->max && !(violation > subset->violation[subset->count - 1])))
        return;
    size_t at = subset->count < subset->max ? subset->count++ : subset->count - 1;
    for (; at > 0 && violation > subset->violation[at - 1]; at--) {
        subset->violation[at] = subset->violation[at - 1];
        subset->index[at] = subset->index[at - 1];
    }
    subset->violation[at] = violation;
    subset->index[at] = j;
}

static enum status select(void *state, struct progress *progress)
{
    struct subset *subset = state;
    enum status status = nonnegative_select(state, progress);
    subset->count = 0;
    for (size_t j = 0; j < subset->base.n; j++)
        consider(subset, j, nonnegative_violation(&subset->base, j));
    return status;
}

static void fetch_block(struct subset *subset, struct oracle *oracle)
{
    const struct nonnegative *base = &subset->base;
    for (size_t a = 0; a < subset->count; a++) {
        size_t i = subset->index[a];
        const double *row = oracle_row(oracle, i);
        for (size_t b = 0; b < subset->count; b++)
            subset->block[a * subset->max + b] = row[subset->index[b]];
        subset->before[a] = base->alpha[i];
        for (int side = 0; side < 2; side++)
            subset->products[side][a] = base->products[side][i];
    }
}

/* Sets one coefficient of the set, and updates a and c within the set. */
static void put(struct subset *subset, size_t a, double alpha)
{
    struct nonnegative *base = &subset->base;
    size_t i = subset->index[a];
    double change = alpha - base->alpha[i], *products = base->products[nonnegative_side(base, i)];
    for (size_t b = 0; b < subset->count; b++)
        products[subset->index[b]] += change * subset->block[a * subset->max + b];
    base->alpha[i] = alpha;
}

/* alpha_j at the minimum along its coordinate; not finite if there is none. */
static double best_alone(const struct nonnegative *base, size_t j)
{
    double slope = (nonnegative_own(base, j) - nonnegative_other(base, j)) - 1;
    return base->alpha[j] - slope / base->diagonal[j];
}

static void enter(struct subset *subset)
{
    const struct nonnegative *base = &subset->base;
    for (size_t a = 0; a < subset->count; a++) { /* by the slopes before any of them moves; put changes them */
        double best = best_alone(base, subset->index[a]);
        subset->violation[a] = isfinite(best) ? fmin(best, base->limit) : isfinite(base->limit) ? base->limit : 0;
    }
    for (size_t a = 0; a < subset->count; a++)
        if (!(base->alpha[subset->index[a]] > 0) && subset->violation[a] > 0)
            put(subset, a, subset->violation[a] / (double)subset->count);
}

/* Largest violation within the set. */
static double worst(const struct subset *subset)
{
    double max = 0;
    for (size_t a = 0; a < subset->count; a++)
        max = fmax(max, nonnegative_violation(&subset->base, subset->index[a]));
    return max;
}

static void sweep(struct subset *subset)
{
    const struct nonnegative *base = &subset->base;
    for (size_t a = 0; a < subset->count; a++) {
        size_t j = subset->index[a];
        /* the remainder of larger terms may be negative by rounding */
        double own = nonnegative_own(base, j), other = fmax(nonnegative_other(base, j), 0);
        if (base->alpha[j] > 0 && (own > 0 || !(base->diagonal[j] > 0)))
            put(subset, a, nonnegative_times(base, j, (other + 1) / fmax(own, 0)));
    }
}

static void leave(struct subset *subset)
{
    for (size_t a = 0; a < subset->count; a++)
        if (best_alone(&subset->base, subset->index[a]) <= 0)
            put(subset, a, 0);
}

/* Adds the changes of the set to the sums of the other patterns, and gives the set the same sums. */
static void hand_over(struct subset *subset, struct oracle *oracle)
{
    struct nonnegative *base = &subset->base;
    for (size_t a = 0; a < subset->count; a++)
        for (int side = 0; side < 2; side++)
            base->products[side][subset->index[a]] = subset->products[side][a];
    for (size_t a = 0; a < subset->count; a++) {
        size_t i = subset->index[a];
        /* requested above */
        nonnegative_add(base, i, base->alpha[i] - subset->before[a], oracle_row_part(oracle, i, 0));
    }
}

static enum status update(void *state, struct oracle *oracle)
{
    struct subset *subset = state;
    if (subset->count == 0)
        return STATUS_STALLED; /* optimal */
    double goal = 0.1 * subset->violation[0];
    fetch_block(subset, oracle);
    enter(subset);
    for (int k = 0; k < SWEEPS && worst(subset) > goal; k++)
        sweep(subset);
    leave(subset);
    hand_over(subset, oracle);
    return STATUS_OK;
}

/* Fewer than q patterns violate. */
static const struct kernel_cost fewer_rows[] = {{.is_stated = 1, .at_most = 1, .rows_q = 1}, {0}};

/* The members that both share. */
#define ALIKE                                                                                    \
    NONNEGATIVE_STATE, .setup_cost = {.is_stated = 1, .n2 = 1, .n = 1},                          \
    .iteration_cost = {.is_stated = 1, .rows_q = 1}, .further_iteration_costs = fewer_rows, .is_monotone = 1, \
    .converges_slowly = 1, .stays_positive = 1, \
    .ignores_tolerance = 1, .state_size = state_size, .init = init, .select = select, .update = update

extern const struct solver solver_munk_subset, solver_munk_subset_soft;

const struct solver solver_munk_subset = {
    .name = "munk-subset",
    .title = "munk on the most violating ones, hard margin",
    .reference = "Potluru et al. 2008, eq. 7 and Section 8",
    .formulation = FORMULATION_NO_BIAS_HARD_MARGIN,
    .parameters = PARAMETERS(&parameter_q),
    ALIKE,
};

const struct solver solver_munk_subset_soft = {
    .name = "munk-subset-soft",
    .title = "munk on the most violating ones, soft margin",
    .reference = "Potluru et al. 2008, eqs. 7, 8 and Section 8",
    .formulation = FORMULATION_NO_BIAS_SVM,
    .parameters = PARAMETERS(&parameter_c, &parameter_q),
    ALIKE,
};
