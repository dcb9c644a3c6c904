/*
 * clip-mdm along conjugate directions. It extends clip-mdm on mu-reduced hulls as conjugate SMO (Torres-Barran, Alaiz
 * and Dorronsoro 2021; conjugate-smo) extends SMO, and with more than one earlier direction.
 *
 * The class and L are those of clip-mdm: the class with the larger Delta, L = argmin v_j over alpha_j < mu, with
 * v_j = s W . X_j. The pair's direction is made conjugate to those of the last `directions` steps, which may move
 * patterns of both classes. U is the pattern with alpha_U > 0 that gains most along the resulting direction
 * (directions.c):
 *
 *   U = argmax (v_U - v_L)^2 / |P|^2,   P = y (X_L - X_U) - sum over k of gamma_k P_k.
 *
 * W' = W + lambda P with lambda = -W . P / |P|^2, clipped so that every multiplier that P moves stays within [0, mu].
 * After a clipped step the slope along P is not 0, and P is not kept; earlier directions are kept, except those that
 * move the pattern at the bound. If no step along P is possible or P does not descend, all directions are forgotten and
 * the step goes along the pair. |W| never increases: a step ends at or before the minimum along its line. With
 * `directions` = 0 this is second-order-clip-mdm, except that the choice of U ignores the bounds.
 *
 * The published method keeps one direction. Keeping several is our addition, as in conjugate gradients, because
 * rounding and bounds spoil what a single direction should carry over from all previous ones.
 *
 * `begin` selects the start: the barycentres, as in clip-mdm, which requests all rows, and from which each pattern that
 * is no support vector must lose its weight; or the first 1/mu patterns of each class, rounded up.
 *
 * An iteration costs 2N kernel operations; set-up costs N for the diagonal, plus the rows of the start. Delta in the
 * stopping rules is still that of the most violating pair.
 *
 * With `hull_shrinking`, patterns that are optimal at a bound are left out (part.c), for the first time after CUT_AFTER
 * iterations. Rows are restricted to the active patterns. When their Delta has fallen to 1 / LOOK_FACTOR of the last
 * Delta over all patterns, all are checked and are active in the next iteration; then patterns are removed again. So
 * nothing depends on the tolerance of the stopping rule. Between these looks, Delta and the gaps are reported as
 * infinite, so that no rule on them is met. All directions are forgotten when patterns leave and when they return.
 */
#include <math.h>
#include <string.h>

#include "solvers/hull/directions.h"
#include "solvers/hull/part.h"

enum { CUT_AFTER = 100, LOOK_FACTOR = 3 };

static const struct parameter parameter_directions = {
    .name = "directions",
    .meaning = "number of earlier directions to which the direction of a pair is made conjugate",
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

static const struct parameter parameter_shrink_hull = {
    .name = "hull_shrinking",
    .meaning = "leave out patterns that are optimal at a bound",
    .type = PARAMETER_SWITCH,
    .fallback = 0,
};

struct conjugate_mdm {
    struct hull hull; /* of the active patterns */
    struct hull_pair pair;
    int class;
    struct directions directions;
    struct hull_part part;
    struct oracle *oracle; /* for the looks in select */
    size_t until_cut;      /* iterations; SIZE_MAX: no more patterns are removed */
    double look_below;     /* the Delta below which all patterns are checked */
    double *diagonal;      /* n: |X_j|^2 of all patterns */
    double *scratch[2];    /* n: rows of the active patterns */
};

static void place(struct conjugate_mdm *mdm, struct arena *arena, const struct problem *problem)
{
    directions_layout(&mdm->directions, arena, problem->n,
                      (size_t)parameter_get(&problem->parameters, &parameter_directions));
    part_layout(&mdm->part, arena, problem->n);
    mdm->diagonal = arena_doubles(arena, problem->n);
    for (size_t r = 0; r < 2; r++)
        mdm->scratch[r] = arena_doubles(arena, problem->n);
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
    oracle_diagonal(oracle, mdm->diagonal);
    memcpy(mdm->directions.diagonal, mdm->diagonal, problem->n * sizeof *mdm->diagonal);
    for (size_t i = 0; i < problem->n; i++)
        mdm->hull.largest_norm2 = fmax(mdm->hull.largest_norm2, mdm->diagonal[i]);
    hull_join(&mdm->hull);
    part_start(&mdm->part, &mdm->hull);
    mdm->oracle = oracle;
    mdm->until_cut = parameter_get(&problem->parameters, &parameter_shrink_hull) != 0 ? CUT_AFTER : SIZE_MAX;
    return STATUS_OK;
}

/* ---- inactive patterns ---- */

static int is_cut(const struct conjugate_mdm *mdm)
{
    return mdm->part.n_left > 0;
}

static double worst_delta(struct conjugate_mdm *mdm)
{
    hull_find_pairs(&mdm->hull);
    return fmax(mdm->hull.pair[0].delta, mdm->hull.pair[1].delta);
}

/* Called after the set of active patterns has changed. */
static void begin_anew(struct conjugate_mdm *mdm)
{
    directions_forget(&mdm->directions);
    for (size_t k = 0; k < mdm->hull.n; k++)
        mdm->directions.diagonal[k] = mdm->diagonal[mdm->part.active[k]];
}

static void look_at_all(struct conjugate_mdm *mdm, size_t until_cut)
{
    part_join(&mdm->part, &mdm->hull, mdm->oracle);
    begin_anew(mdm);
    mdm->until_cut = until_cut;
}

static void cut(struct conjugate_mdm *mdm)
{
    struct hull_norms norms = hull_norms(&mdm->hull);
    mdm->look_below = worst_delta(mdm) / LOOK_FACTOR;
    mdm->directions.norm2 = hull_norm2(&norms);
    mdm->until_cut = CUT_AFTER;
    if (part_cut(&mdm->part, &mdm->hull, mdm->oracle) > 0)
        begin_anew(mdm);
}

static void cut_or_look(struct conjugate_mdm *mdm)
{
    if (!is_cut(mdm) && mdm->until_cut == 0)
        cut(mdm);
    else if (is_cut(mdm) && worst_delta(mdm) <= mdm->look_below)
        look_at_all(mdm, 1);
}

/* While patterns are inactive, only |W|^2 is known for the whole problem. */
static void hide(const struct conjugate_mdm *mdm, struct progress *progress)
{
    progress->norm2 = mdm->directions.norm2;
    progress->objective = 0.5 * progress->norm2;
    progress->delta = progress->violation = progress->gap_lower_bound = INFINITY;
    progress->class_gap[0] = progress->class_gap[1] = INFINITY;
}

/* The row of the k-th active pattern, restricted to the active patterns. */
static const double *row_of(struct conjugate_mdm *mdm, size_t k, int which)
{
    return is_cut(mdm) ? oracle_active_row(mdm->oracle, mdm->part.active[k], mdm->scratch[which])
                       : oracle_row(mdm->oracle, k);
}

/* ---- solver interface ---- */

static enum status select(void *state, struct progress *progress)
{
    struct conjugate_mdm *mdm = state;
    cut_or_look(mdm);
    mdm->pair = hull_choose_pair(&mdm->hull, 0, progress);
    mdm->class = progress->updated_class;
    if (is_cut(mdm))
        hide(mdm, progress);
    else if (mdm->hull.norms_state == NORMS_EXACT) {
        mdm->directions.norm2 = hull_norm2(&mdm->hull.norms);
        progress->gap_lower_bound = hull_gap_bound(&mdm->hull, mdm->class, progress->gap_lower_bound);
    }
    return STATUS_OK;
}

static enum status step(struct conjugate_mdm *mdm)
{
    if (!(mdm->pair.delta > 0))
        return STATUS_STALLED; /* optimal */
    const double *low = row_of(mdm, mdm->pair.low, 0);
    mdm->pair.high = directions_choose_high(&mdm->directions, &mdm->hull, mdm->class, &mdm->pair, low);
    const double *high = row_of(mdm, mdm->pair.high, 1);
    directions_turn(&mdm->directions, &mdm->hull, mdm->class, &mdm->pair, low, high);
    if (directions_step(&mdm->directions, &mdm->hull))
        return STATUS_OK;
    directions_forget(&mdm->directions);
    directions_turn(&mdm->directions, &mdm->hull, mdm->class, &mdm->pair, low, high);
    return directions_step(&mdm->directions, &mdm->hull) ? STATUS_OK : STATUS_STALLED;
}

/* If the active patterns admit no step, all become active from then on. */
static enum status update(void *state, struct oracle *oracle)
{
    struct conjugate_mdm *mdm = state;
    enum status status = step(mdm);
    (void)oracle;
    if (status != STATUS_OK && is_cut(mdm)) {
        struct progress unseen = {.need_objective = 0};
        look_at_all(mdm, SIZE_MAX);
        mdm->pair = hull_choose_pair(&mdm->hull, 0, &unseen);
        mdm->class = unseen.updated_class;
        status = step(mdm);
    }
    if (mdm->until_cut > 0 && mdm->until_cut < SIZE_MAX)
        mdm->until_cut--;
    return status;
}

static void alpha(const void *state, double *out)
{
    const struct conjugate_mdm *mdm = state;
    part_alpha(&mdm->part, &mdm->hull, out);
}

static const struct kernel_cost from_barycentres[] = {{.is_stated = 1, .n2 = 1, .n = 1}, {0}};

/* Rows of the active patterns, and a look at the others, with twice the rows if the active ones admit no step. */
static const struct kernel_cost with_shrinking[] = {{.is_stated = 1, .at_most = 1, .n2 = 1, .n = 4}, {0}};

extern const struct solver solver_conjugate_clip_mdm;

const struct solver solver_conjugate_clip_mdm = {
    .name = "conjugate-clip-mdm",
    .title = "second-order clip-mdm, conjugate directions",
    .reference = "after Torres-Barran, Alaiz and Dorronsoro 2021; Lopez et al. 2011, Section 4.1",
    .formulation = FORMULATION_NEAREST_POINTS,
    .stops = HULL_STOPS,
    .parameters = PARAMETERS(&parameter_mu, &parameter_directions, &parameter_begin, &parameter_shrink_hull),
    .setup_cost = {.is_stated = 1, .rows_point = 2, .n = 1},
    .further_setup_costs = from_barycentres,
    .iteration_cost = {.is_stated = 1, .n = 2},
    .further_iteration_costs = with_shrinking,
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = hull_gap_of_state,
    .alpha = alpha,
};
