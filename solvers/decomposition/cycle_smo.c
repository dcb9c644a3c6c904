/*
 * SMO with cycle breaking, the acceleration that Barbero, Lopez and Dorronsoro (2008) propose for MDM and suggest for
 * SMO.
 *
 * The pair is that of 1-smo. If the same ordered pair was updated K <= `history` updates ago, the updates since then
 * are combined into V = sum_{j=1..K} lambda_{T-j} D_{T-j} with D = X_up - X_low, that is V = sum_h w_h X_h in the
 * patterns' own sign (solvers/cycle.h). Instead of the pair's step, W then moves along V:
 *
 *   lambda = -grad . V / |V|^2 = -sum_h w_h F_h / sum_h w_h (V . X_h),
 *
 * the minimiser of the dual along V, clipped so that every multiplier involved stays within [0, C]. As along any D,
 * sum y alpha does not change. The pair's step is taken if V does not descend, one of its multipliers cannot move, V
 * has no length, the step is not to be trusted (box.h), or its updates cancel except for rounding. After a step along
 * V the updates are forgotten, so that a cycle is used once. The objective cannot increase: either kind of step ends at
 * or before the exact minimum along its line.
 *
 *   cycle-1-smo  the linear penalty;   cycle-2-smo  the square one: no upper bound, K + I/C
 *
 * 2N kernel operations for a pair's step, M N for one along a V of M patterns; |V|^2 is computed from the rows, like
 * |X_up - X_low|^2.
 */
#include <string.h>

#include "solvers/cycle.h"
#include "solvers/decomposition/pair_smo.h"

struct cycle_smo {
    struct pair_smo smo;
    struct cycle cycle;
    double *products; /* n_padded: V . X_j */
};

static void layout(struct cycle_smo *state, struct arena *arena, const struct problem *problem)
{
    pair_smo_layout(&state->smo, arena, sizeof *state, problem->n);
    cycle_layout(&state->cycle, arena, (size_t)parameter_get(&problem->parameters, &parameter_history));
    state->products = arena_doubles(arena, problem->n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct cycle_smo state;
    layout(&state, &arena, problem);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct cycle_smo *smo = state;
    struct arena arena = {.block = state};
    layout(smo, &arena, problem);
    pair_smo_start(&smo->smo, problem, oracle);
    return STATUS_OK;
}

/* -grad . V */
static double descent(const struct box *box, const struct cycle *cycle)
{
    double sum = 0;
    for (size_t h = 0; h < cycle->members; h++)
        sum -= cycle->weights[h] * box->f[cycle->indices[h]];
    return sum;
}

/* Fills the products; returns |V|^2. */
static double ask_for_products(struct cycle_smo *state, struct oracle *oracle)
{
    const struct cycle *cycle = &state->cycle;
    const struct box *box = &state->smo.box;
    double norm2 = 0;
    memset(state->products, 0, box->n_padded * sizeof *state->products);
    for (size_t h = 0; h < cycle->members; h++)
        box->simd->axpy(box->n_padded, cycle->weights[h], oracle_row(oracle, cycle->indices[h]), state->products);
    for (size_t h = 0; h < cycle->members; h++)
        norm2 += cycle->weights[h] * state->products[cycle->indices[h]];
    return norm2;
}

/* The step along the last k updates; nonzero if it was made. */
static int break_cycle(struct cycle_smo *state, size_t k, struct oracle *oracle)
{
    struct cycle *cycle = &state->cycle;
    struct box *box = &state->smo.box;
    cycle_combine(cycle, k);
    double max_step = box_max_step_along(box, cycle->indices, cycle->weights, cycle->members),
           slope = descent(box, cycle);
    if (!(max_step > 0 && slope > 0) || !cycle_is_balanced(cycle, NULL))
        return 0;
    double norm2 = ask_for_products(state, oracle), step = fmin(slope / norm2, max_step);
    if (!(norm2 > 0 && box_trusts_step(box, cycle->indices, cycle->weights, cycle->members, step, slope)))
        return 0;
    box->simd->axpy(box->n_padded, step, state->products, box->f);
    box_move_along(box, cycle->indices, cycle->weights, cycle->members, step);
    return 1;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct cycle_smo *smo = state;
    const struct box_pair pair = smo->smo.pair;
    if (!(pair.f_low > pair.f_up))
        return STATUS_STALLED; /* optimal */
    size_t k = cycle_find(&smo->cycle, pair.up, pair.low);
    if (k > 0 && break_cycle(smo, k, oracle)) {
        cycle_forget(&smo->cycle);
        return STATUS_OK;
    }
    const double *row_up = oracle_row(oracle, pair.up), *row_low = oracle_row(oracle, pair.low);
    double step = pair_smo_step(&smo->smo, pair, row_up, row_low);
    if (!(step > 0))
        return STATUS_STALLED;
    cycle_remember(&smo->cycle, pair.up, pair.low, step);
    return STATUS_OK;
}

/* Along a V of M patterns; and along the pair if that V has no length. */
static const struct kernel_cost along_cycle[] = {
    {.is_stated = 1, .rows_cycle = 1}, {.is_stated = 1, .n = 2, .rows_cycle = 1}, {0}};

/* `start: first-pair`. */
static const struct kernel_cost from_first_pair[] = {{.is_stated = 1, .n = 2}, {0}};

/* The members that both share. */
#define ALIKE                                                                                             \
    .reference = "Barbero, Lopez and Dorronsoro 2008, Sections 3 and 5",                                  \
    .parameters = PARAMETERS(&parameter_c, &parameter_start, &parameter_history),                    \
    .setup_cost = {.is_stated = 1}, .further_setup_costs = from_first_pair,                               \
    .iteration_cost = {.is_stated = 1, .n = 2}, .further_iteration_costs = along_cycle, .is_monotone = 1, \
    .ignores_tolerance = 1, .state_size = state_size, .init = init, .update = update

extern const struct solver solver_cycle_one_smo, solver_cycle_two_smo;

const struct solver solver_cycle_one_smo = {
    .name = "cycle-1-smo",
    .title = "1-smo that breaks cycles of updates",
    PAIR_SMO_LINEAR,
    ALIKE,
};

const struct solver solver_cycle_two_smo = {
    .name = "cycle-2-smo",
    .title = "2-smo that breaks cycles of updates",
    PAIR_SMO_SQUARE,
    ALIKE,
};
