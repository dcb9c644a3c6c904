/*
 * SMO as published by Platt (1998, "Fast training of support vector machines using sequential minimal optimization");
 * Lopez (2008), Section 3.1.1.
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 * First heuristic: alternate passes over all patterns and over those between their bounds (passes.c); examine a pattern
 * i2 that violates (3.1.1) to (3.1.3) by more than tol at the bias b. Second heuristic: its partner i1 is the pattern
 * between its bounds with the largest |E1 - E2|. If that makes no progress, try each pattern between its bounds,
 * starting from a random one, then each pattern, starting from a random one. Progress is a change of alpha_2 by more
 * than eps (alpha_2' + alpha_2 + eps). The solver ends with a pass over all patterns without progress. The largest
 * violation at b in that pass is then given to the rule `kkt-relaxed`; if it exceeds tol, the run has stalled, since no
 * pair would move far enough.
 *
 * tol is the tolerance of the stopping rule and eps 1e-3, or tol if that is smaller (Platt: 1e-3 for both).
 *
 * The error cache holds E_i = F_i + b of the patterns between their bounds, stored as F and b. An error outside the
 * cache is summed over the support vectors, one kernel operation each. Trying a pair costs 3, a step 2 for each cached
 * pattern except the pair. After a step the bias makes the error of the pair's pattern between its bounds 0, i1 first;
 * otherwise it lies midway between the two biases that would make them 0.
 *
 * An iteration is a step. select runs the loops until a pair makes progress.
 */
#include <stdint.h>

#include "solvers/decomposition/passes.h"

const struct parameter parameter_seed = {
    .name = "seed",
    .meaning = "seed of the random starting points of its loops",
    .type = PARAMETER_INTEGER, .min = 0, .max = 9007199254740992.0, .fallback = 1}; /* 2^53 */

struct platt {
    struct passes passes; /* first, and begins with the box, so that passes_gap and box_alpha accept the state */
    double bias;
    uint64_t draw;      /* state of the random number generator */
    size_t first;       /* i1 of the pair, which determines the bias first */
    double violation;   /* largest violation seen in this pass */
};

static size_t state_size(const struct problem *problem)
{
    return passes_state_size(sizeof(struct platt), problem->n);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct platt *platt = state;
    passes_start(&platt->passes, sizeof *platt, problem, oracle);
    platt->draw = (uint64_t)parameter_get(&problem->parameters, &parameter_seed);
    return STATUS_OK;
}

/* A random number below n from the SplitMix generator of Steele, Lea and Flood (2014). */
static size_t random_below(struct platt *platt, size_t n)
{
    uint64_t z = platt->draw += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)(((z ^ z >> 31) >> 32) * (uint64_t)n >> 32);
}

static double value_of(const struct platt *platt, size_t i)
{
    const struct box *box = &platt->passes.box;
    return box_is_free(box, i) ? box->f[i] : passes_output(&platt->passes, i) - box->y[i];
}

static int try_pair(struct platt *platt, size_t i1, size_t i2)
{
    if (i1 == i2)
        return 0;
    platt->first = i1;
    return passes_try(&platt->passes, i1, value_of(platt, i1), i2, platt->passes.box.f[i2]);
}

/* The pattern between its bounds with the largest |E1 - E2|; n if there are fewer than two. */
static size_t farthest(const struct platt *platt, size_t i2)
{
    const struct box *box = &platt->passes.box;
    size_t members = 0, best = box->n;
    double max = -1;
    for (size_t i = 0; i < box->n; i++) {
        if (!box_is_free(box, i))
            continue;
        members++;
        double difference = fabs(box->f[i] - box->f[i2]);
        if (difference > max) {
            max = difference;
            best = i;
        }
    }
    return members > 1 ? best : box->n;
}

static int find_partner(struct platt *platt, size_t i2)
{
    const struct box *box = &platt->passes.box;
    size_t n = box->n, best = farthest(platt, i2);
    if (best < n && try_pair(platt, best, i2))
        return 1;
    for (int everyone = 0; everyone <= 1; everyone++) {
        size_t start = random_below(platt, n);
        for (size_t k = 0; k < n; k++) {
            size_t i1 = (start + k) % n;
            if ((everyone || box_is_free(box, i1)) && try_pair(platt, i1, i2))
                return 1;
        }
    }
    return 0;
}

/* Platt's examineExample. Nonzero if a pair has been found. */
static int examine(struct platt *platt, size_t i2)
{
    struct box *box = &platt->passes.box;
    box->f[i2] = value_of(platt, i2);
    double r = box->y[i2] * (box->f[i2] + platt->bias);
    double violation = fmax(box->alpha[i2] < box->c ? -r : 0, box->alpha[i2] > 0 ? r : 0);
    platt->violation = fmax(platt->violation, violation);
    return violation > platt->passes.tolerance && find_partner(platt, i2);
}

/* Runs the loops. Nonzero if a pair has been found; zero at the end. */
static int find_pair(struct platt *platt)
{
    struct passes *passes = &platt->passes;
    while (!passes->ended) {
        size_t i2 = passes_next(passes);
        if (i2 < passes->box.n) {
            if (examine(platt, i2))
                return 1;
            continue;
        }
        passes_turn(passes);
        if (!passes->ended)
            platt->violation = 0;
    }
    return 0;
}

static enum status select(void *state, struct progress *progress)
{
    struct platt *platt = state;
    int found = find_pair(platt);
    passes_fill_progress(&platt->passes, progress);
    progress->delta = found ? platt->passes.pair.f_low - platt->passes.pair.f_up : (double)NAN;
    progress->violation = found ? INFINITY : platt->violation;
    return found || platt->violation <= platt->passes.tolerance ? STATUS_OK : STATUS_STALLED;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct platt *platt = state;
    struct passes *passes = &platt->passes;
    if (passes->ended)
        return STATUS_STALLED;
    passes_step(passes, oracle);
    size_t i1 = platt->first, i2 = passes->pair.up == i1 ? passes->pair.low : passes->pair.up;
    const struct box *box = &passes->box;
    if (box_is_free(box, i1))
        platt->bias = -box->f[i1];
    else if (box_is_free(box, i2))
        platt->bias = -box->f[i2];
    else
        platt->bias = -0.5 * (box->f[i1] + box->f[i2]);
    return STATUS_OK;
}

static void tighten(void *state, double tolerance)
{
    struct platt *platt = state;
    passes_tighten(&platt->passes, tolerance);
    platt->violation = 0;
}

extern const struct solver solver_platt_smo;

const struct solver solver_platt_smo = {
    .name = "platt-smo",
    .title = "SMO with Platt's two heuristics",
    .reference = "Platt 1998; Lopez 2008, Section 3.1.1",
    .formulation = FORMULATION_C_SVM,
    .parameters = PARAMETERS(&parameter_c, &parameter_seed),
    .stops = 1u << STOP_KKT_RELAXED | 1u << STOP_ITERATIONS,
    .setup_cost = {.is_stated = 1},
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = passes_gap,
    .alpha = box_alpha,
    .tighten = tighten,
};
