/*
 * The kernel adatron: gradient ascent on the dual without bias, one coefficient after the other. Friess, Cristianini
 * and Campbell (1998).
 *
 *   alpha_j' = max(0, alpha_j + step (1 - y_j f_j) / k_jj),      soft margin: at most C
 *
 * The paper's learning rate is step / k_jj. Along one coordinate S decreases for every step below 2, and step 1 reaches
 * its minimum. An iteration is a sweep over all coefficients in order, with f updated: N kernel operations for each
 * coefficient that changes. It starts like munk and m3. Where k_jj is not positive, S has no minimum along the
 * coefficient; it goes to the bound that its slope leads to, and without such a bound it does not change.
 */
#include "solvers/multiplicative/nonnegative.h"

#include <math.h>

const struct parameter parameter_step = {
    .name = "step",
    .meaning = "learning rate of pattern j times k_jj; at 2 and above it does not converge",
    .min = 0, .min_is_open = 1, .max = 2, .fallback = 1};

struct adatron {
    struct nonnegative base; /* first, so that nonnegative_alpha and similar functions accept the state */
    double step;
};

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct adatron adatron;
    arena_take(&arena, sizeof adatron);
    nonnegative_layout(&adatron.base, &arena, problem->n);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct adatron *adatron = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *adatron);
    nonnegative_layout(&adatron->base, &arena, problem->n);
    adatron->step = parameter_get(&problem->parameters, &parameter_step);
    return nonnegative_start(&adatron->base, problem, START_AT_OWN_OPTIMUM, 0, oracle);
}

static double wanted(const struct adatron *adatron, size_t j)
{
    const struct nonnegative *base = &adatron->base;
    double slope = (nonnegative_own(base, j) - nonnegative_other(base, j)) - 1;
    double k = base->diagonal[j] > 0 ? base->diagonal[j] : 0;
    double next = base->alpha[j] - adatron->step * slope / k;
    if (isnan(next) || (isinf(next) && next > 0 && isinf(base->limit))) /* no slope, or no bound above */
        return base->alpha[j];
    return fmin(fmax(next, 0), base->limit);
}

static enum status update(void *state, struct oracle *oracle)
{
    struct adatron *adatron = state;
    struct nonnegative *base = &adatron->base;
    int moved = 0;
    for (size_t j = 0; j < base->n; j++) {
        double next = wanted(adatron, j), change = next - base->alpha[j];
        if (!(change > 0 || change < 0))
            continue;
        nonnegative_add(base, j, change, oracle_row(oracle, j));
        base->alpha[j] = next;
        moved = 1;
    }
    return moved ? STATUS_OK : STATUS_STALLED;
}

/* The members that both share. */
#define ALIKE                                                                                   \
    NONNEGATIVE_SOLVER, .setup_cost = {.is_stated = 1, .n2 = 1, .n = 1},                                \
    .iteration_cost = {.is_stated = 1, .at_most = 1, .n2 = 1}, .is_monotone = 1, .converges_slowly = 1, \
    .ignores_tolerance = 1, .state_size = state_size, .init = init, .update = update

extern const struct solver solver_kernel_adatron, solver_kernel_adatron_soft;

const struct solver solver_kernel_adatron = {
    .name = "kernel-adatron",
    .title = "kernel adatron, hard margin",
    .reference = "Friess, Cristianini and Campbell 1998; Potluru et al. 2008",
    .formulation = FORMULATION_NO_BIAS_HARD_MARGIN,
    .parameters = PARAMETERS(&parameter_step),
    ALIKE,
};

const struct solver solver_kernel_adatron_soft = {
    .name = "kernel-adatron-soft",
    .title = "kernel adatron, soft margin",
    .reference = "Friess, Cristianini and Campbell 1998",
    .formulation = FORMULATION_NO_BIAS_SVM,
    .parameters = PARAMETERS(&parameter_c, &parameter_step),
    ALIKE,
};
