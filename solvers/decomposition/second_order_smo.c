/*
 * SMO with the second-order working set of Fan, Chen and Lin (2005), WSS 2, as in LIBSVM.
 *
 *   i = argmin F over I_up,  j = argmax (F_j - F_i)^2 / eta_ij over the j of I_low with F_j > F_i,
 *   eta_ij = k_ii + k_jj - 2 k_ij, replaced by 1e-12 (Fan, Chen and Lin's tau) if not positive
 *
 * (notation of box.h). Without the box, the step (F_j - F_i) / eta_ij lowers the dual by half of the maximised value.
 * Delta in the stopping rules is still that of the most violating pair, so both solvers stop at the same accuracy.
 *
 *   second-order-smo    the linear penalty, as in 1-smo
 *   second-order-2-smo  the square penalty, as in 2-smo: no upper bound, K + I/C
 *
 * An iteration costs 2N kernel operations; set-up costs N for the diagonal. Unlike LIBSVM, ties go to the lowest index.
 */
#include "solvers/decomposition/pair_smo.h"

struct second_order_smo {
    struct pair_smo smo;
    double *diagonal; /* n */
};

static void layout(struct second_order_smo *second, struct arena *arena, size_t n)
{
    pair_smo_layout(&second->smo, arena, sizeof *second, n);
    second->diagonal = arena_doubles(arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct second_order_smo second;
    layout(&second, &arena, problem->n);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct second_order_smo *second = state;
    struct arena arena = {.block = state};
    layout(second, &arena, problem->n);
    oracle_diagonal(oracle, second->diagonal);
    pair_smo_start(&second->smo, problem, oracle);
    return STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct second_order_smo *second = state;
    struct pair_smo *smo = &second->smo;
    if (!(smo->pair.f_low > smo->pair.f_up))
        return STATUS_STALLED; /* optimal */
    const double *row_up = oracle_row(oracle, smo->pair.up);
    struct box_pair pair = pair_smo_second_order(smo, second->diagonal, row_up);
    const double *row_low = oracle_row(oracle, pair.low);
    return pair_smo_step(smo, pair, row_up, row_low) > 0 ? STATUS_OK : STATUS_STALLED;
}

/* `start: first-pair`. */
static const struct kernel_cost from_first_pair[] = {{.is_stated = 1, .n = 3}, {0}};

/* The members that both share. */
#define ALIKE                                                                                            \
    .parameters = PARAMETERS(&parameter_c, &parameter_start), .setup_cost = {.is_stated = 1, .n = 1},     \
    .further_setup_costs = from_first_pair, .iteration_cost = {.is_stated = 1, .n = 2}, .is_monotone = 1, \
    .ignores_tolerance = 1, .state_size = state_size, .init = init, .update = update

extern const struct solver solver_second_order_smo, solver_second_order_two_smo;

const struct solver solver_second_order_smo = {
    .name = "second-order-smo",
    .title = "SMO with the second-order working set",
    .reference = "Fan, Chen and Lin 2005, WSS 2",
    PAIR_SMO_LINEAR,
    ALIKE,
};

const struct solver solver_second_order_two_smo = {
    .name = "second-order-2-smo",
    .title = "SMO with the second-order working set",
    .reference = "Fan, Chen and Lin 2005, WSS 2; Lopez 2008, Algorithm 2",
    PAIR_SMO_SQUARE,
    ALIKE,
};
