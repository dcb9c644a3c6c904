/*
 * clip-mdm along conjugate directions: what conjugate SMO (Torres-Barran, Alaiz and Dorronsoro 2021; conjugate-smo) is
 * to SMO, on mu-reduced hulls, and with more than one earlier direction.
 *
 * The class and L are those of clip-mdm: the class with the larger Delta, L = argmin v_j over alpha_j < mu, with v_j =
 * s W . X_j. The pair's direction is made conjugate to those of the last `directions` steps, in which patterns of both
 * classes may take part, and U is the pattern with alpha_U > 0 that gains most along what that leaves (directions.c):
 *
 *   U = argmax (v_U - v_L)^2 / |P|^2,   P = y (X_L - X_U) - sum over k of gamma_k P_k.
 *
 * W' = W + lambda P with lambda = -W . P / |P|^2, clipped so that every multiplier which P moves stays within [0, mu].
 * After a clipped step the slope along P is not 0, and P is not kept; earlier directions are kept but for those that
 * move the pattern at the bound. Where P has no room or does not descend, all are forgotten and the step
 * goes along the pair. |W| never grows: a step ends at the minimum along its line or before it. With `directions` = 0
 * this is second-order-clip-mdm without bounds in the choice of U.
 *
 * The published method keeps one direction. To keep several is our addition: as in conjugate gradients, where rounding
 * and bounds spoil what one direction should carry along of all.
 *
 * `begin` says where: at the barycentres as clip-mdm, which asks for all rows, and from where each pattern that is no
 * support vector has to give up its weight; or at the first 1/mu patterns of each class, rounded up.
 *
 * 2N kernel operations an iteration; N at set-up for the diagonal, and the rows of the start. Delta in the stopping
 * rules stays that of the pair that violates most.
 */
#include <math.h>

#include "solvers/hull/directions.h"

static const struct parameter parameter_directions = {
    .name = "directions",
    .meaning = "earlier directions to which that of a pair is made conjugate",
    .type = PARAMETER_INTEGER,
    .min = 0,
    .max = 1000,
    .fallback = 8,
};

enum begin { BEGIN_FEW, BEGIN_BARYCENTRES };
static const struct parameter parameter_begin = {
    .name = "begin",
    .meaning = "start at the first 1/mu patterns of each class (few) or at the barycentres",
    .type = PARAMETER_CHOICE,
    .choices = (const char *const[]){"few", "barycentres", NULL},
    .fallback = BEGIN_FEW,
};

struct conjugate_mdm {
    struct hull hull;
    struct hull_pair pair;
    int class;
    struct directions directions;
};

static void place(struct conjugate_mdm *mdm, struct arena *arena, const struct problem *problem)
{
    directions_layout(&mdm->directions, arena, problem->n,
                      (size_t)parameter_get(&problem->parameters, &parameter_directions));
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {.used = hull_state_size(sizeof(struct conjugate_mdm), 0, problem->n)};
    struct conjugate_mdm mdm;
    if (arena.used < SIZE_MAX)
        place(&mdm, &arena, problem);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct conjugate_mdm *mdm = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *mdm);
    enum begin begin = (enum begin)parameter_get(&problem->parameters, &parameter_begin);
    enum status status = begin == BEGIN_FEW
                             ? hull_start_at_few(&mdm->hull, &arena, problem, hull_mu(problem), oracle)
                             : hull_start(&mdm->hull, &arena, problem, hull_mu(problem), oracle);
    if (status != STATUS_OK)
        return status;
    place(mdm, &arena, problem);
    oracle_diagonal(oracle, mdm->directions.diagonal);
    hull_join(&mdm->hull);
    return STATUS_OK;
}

static enum status select(void *state, struct progress *progress)
{
    struct conjugate_mdm *mdm = state;
    mdm->pair = hull_choose_pair(&mdm->hull, 0, progress);
    mdm->class = progress->updated_class;
    progress->gap_lower_bound = hull_gap_bound(&mdm->hull, mdm->class, progress->gap_lower_bound);
    return STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct conjugate_mdm *mdm = state;
    if (!(mdm->pair.delta > 0))
        return STATUS_STALLED; /* optimal */
    const double *low = oracle_row(oracle, mdm->pair.low);
    mdm->pair.high = directions_choose_high(&mdm->directions, &mdm->hull, mdm->class, &mdm->pair, low);
    const double *high = oracle_row(oracle, mdm->pair.high);
    directions_turn(&mdm->directions, &mdm->hull, mdm->class, &mdm->pair, low, high);
    if (directions_step(&mdm->directions, &mdm->hull))
        return STATUS_OK;
    directions_forget(&mdm->directions);
    directions_turn(&mdm->directions, &mdm->hull, mdm->class, &mdm->pair, low, high);
    return directions_step(&mdm->directions, &mdm->hull) ? STATUS_OK : STATUS_STALLED;
}

static const struct kernel_cost from_barycentres[] = {{.is_stated = 1, .n2 = 1, .n = 1}, {0}};

extern const struct solver solver_conjugate_clip_mdm;

const struct solver solver_conjugate_clip_mdm = {
    .name = "conjugate-clip-mdm",
    .title = "second-order clip-mdm along conjugate directions",
    .reference = "after Torres-Barran, Alaiz and Dorronsoro 2021; Lopez et al. 2011, Section 4.1",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu, &parameter_directions, &parameter_begin),
    .setup_cost = {.is_stated = 1, .rows_point = 2, .n = 1},
    .further_setup_costs = from_barycentres,
    .iteration_cost = {.is_stated = 1, .n = 2},
    .is_monotone = 1,
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
