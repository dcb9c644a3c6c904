/*
 * Second-order SMO whose steps overshoot the minimum along their pair: successive over-relaxation, which Mangasarian
 * and Musicant (1999) apply to single multipliers, applied to the pairs of second_order_smo.c.
 *
 *   t = min(relaxation (F_j - F_i) / eta_ij, max step of both multipliers)
 *
 * (notation of box.h). A step of lambda times the exact one has lambda (2 - lambda) times its gain, so the dual
 * decreases for every relaxation below 2. With 1 it is bitwise second-order-smo. A step leaves 1 - lambda times the old
 * slope along its pair, so later pairs undo less of it. An iteration costs 2N kernel operations; set-up costs N for the
 * diagonal.
 *
 * It follows no paper. The default was chosen on generated data (docs/study-variants.md).
 */
#include "solvers/decomposition/pair_smo.h"

static const struct parameter relaxation = {
    .name = "relaxation",
    .meaning = "step length, as a multiple of the step to the minimum along the pair",
    .type = PARAMETER_REAL,
    .min = 0,
    .min_is_open = 1,
    .max = 2,
    .max_is_open = 1,
    .fallback = 1.35,
};

struct overshooting_smo {
    struct pair_smo smo;
    double *diagonal; /* n */
    double relaxation;
};

static void layout(struct overshooting_smo *over, struct arena *arena, size_t n)
{
    pair_smo_layout(&over->smo, arena, sizeof *over, n);
    over->diagonal = arena_doubles(arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct overshooting_smo over;
    layout(&over, &arena, problem->n);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct overshooting_smo *over = state;
    struct arena arena = {.block = state};
    layout(over, &arena, problem->n);
    over->relaxation = parameter_get(&problem->parameters, &relaxation);
    oracle_diagonal(oracle, over->diagonal);
    pair_smo_start(&over->smo, problem, oracle);
    return STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct overshooting_smo *over = state;
    struct pair_smo *smo = &over->smo;
    if (!(smo->pair.f_low > smo->pair.f_up))
        return STATUS_STALLED; /* optimal */
    const double *row_up = oracle_row(oracle, smo->pair.up);
    struct box_pair pair = pair_smo_second_order(smo, over->diagonal, row_up);
    const double *row_low = oracle_row(oracle, pair.low);
    double step = box_pair_step(&smo->box, &pair, box_curvature(&pair, row_up, row_low) / over->relaxation);
    if (!(step > 0))
        return STATUS_STALLED;
    pair_smo_move(smo, pair, step, row_up, row_low);
    return STATUS_OK;
}

/* `start: first-pair`. */
static const struct kernel_cost from_first_pair[] = {{.is_stated = 1, .n = 3}, {0}};

extern const struct solver solver_overshooting_smo;

const struct solver solver_overshooting_smo = {
    .name = "overshooting-smo",
    .title = "second-order SMO with over-relaxed steps",
    .reference = "over-relaxation after Mangasarian and Musicant 1999, along the pairs of Fan, Chen and Lin 2005",
    PAIR_SMO_LINEAR,
    .parameters = PARAMETERS(&parameter_c, &parameter_start, &relaxation),
    .setup_cost = {.is_stated = 1, .n = 1},
    .further_setup_costs = from_first_pair,
    .iteration_cost = {.is_stated = 1, .n = 2},
    .is_monotone = 1,
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .update = update,
};
