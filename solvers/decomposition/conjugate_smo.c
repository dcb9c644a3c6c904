/*
 * Conjugate SMO, after Torres-Barran, Alaiz and Dorronsoro (2021), "Faster SVM training via conjugate SMO", Pattern
 * Recognition 111. The directions and the choice of the pair are in conjugate.c.
 *
 *   conjugate-smo    the linear penalty, as in 1-smo
 *   conjugate-2-smo  the square penalty, as in 2-smo: no upper bound, K + I/C
 *
 * An iteration costs 2N kernel operations; set-up costs N for the diagonal. Delta in the stopping rules is still that
 * of the most violating pair.
 *
 * conjugate-smo can leave out patterns while they stay optimal at a bound (shrinking.h). Then only active patterns are
 * chosen, moved and updated, and q covers only these. A p that moves a pattern about to leave is discarded. So is any p
 * when patterns may return, since q is outdated for those.
 */
#include "solvers/decomposition/conjugate.h"
#include "solvers/decomposition/pair_smo.h"
#include "solvers/decomposition/shrinking.h"
#include "solvers/kernel/shared_search.h"

struct conjugate_smo {
    struct pair_smo smo; /* its pair: the most violating among the active patterns */
    struct shrink shrink;
    struct oracle *oracle; /* for the check of inactive patterns in select */
    double tolerance;
    struct conjugate direction;
};

static void layout(struct conjugate_smo *conjugate, struct arena *arena, size_t n)
{
    pair_smo_layout(&conjugate->smo, arena, sizeof *conjugate, n);
    shrink_layout(&conjugate->shrink, arena, n);
    conjugate_layout(&conjugate->direction, arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct conjugate_smo conjugate;
    layout(&conjugate, &arena, problem->n);
    return arena.used;
}

static void find_worst_pair(struct conjugate_smo *conjugate)
{
    struct box_pair pair = BOX_NO_PAIR;
    if (!shrink_is_shrunk(&conjugate->shrink, &conjugate->smo.box)) {
        conjugate->smo.pair = box_worst_pair(&conjugate->smo.box);
        return;
    }
    for (size_t k = 0; k < conjugate->shrink.count; k++)
        box_consider(&conjugate->smo.box, conjugate->shrink.active[k], &pair);
    conjugate->smo.pair = pair;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct conjugate_smo *conjugate = state;
    struct arena arena = {.block = state};
    layout(conjugate, &arena, problem->n);
    oracle_diagonal(oracle, conjugate->direction.diagonal);
    pair_smo_start(&conjugate->smo, problem, oracle);
    shrink_start(&conjugate->shrink, problem);
    conjugate->shrink.on = conjugate->shrink.on && !problem->solver->square_penalty;
    conjugate->oracle = oracle;
    conjugate->tolerance = problem->tolerance;
    find_worst_pair(conjugate);
    return STATUS_OK;
}

/* Removes patterns or, if the active ones satisfy every rule that could be met, checks all patterns. */
static void shrink_or_check(struct conjugate_smo *conjugate)
{
    struct shrink *shrink = &conjugate->shrink;
    struct box *box = &conjugate->smo.box;
    const double enough = 2 * conjugate->tolerance; /* a bound on `delta` above which no rule is met */
    if (conjugate->smo.pair.f_low - conjugate->smo.pair.f_up > enough) {
        shrink_remove(shrink, box, &conjugate->smo.pair);
        for (size_t k = 0; k < box->n - shrink->count; k++)
            if (conjugate->direction.place[shrink->inactive[k]] != 0)
                conjugate_restart(&conjugate->direction, box);
    } else if (shrink_is_shrunk(shrink, box)) {
        conjugate_restart(&conjugate->direction, box);
        shrink_check_all(shrink, box, enough, conjugate->oracle);
        find_worst_pair(conjugate);
    }
}

static enum status select(void *state, struct progress *progress)
{
    struct conjugate_smo *conjugate = state;
    const struct box *box = &conjugate->smo.box;
    shrink_or_check(conjugate);
    int shrunk = shrink_is_shrunk(&conjugate->shrink, box);
    progress->delta = conjugate->smo.pair.f_low - conjugate->smo.pair.f_up;
    progress->violation = shrunk ? INFINITY : 0.5 * progress->delta; /* at the bias midway between the thresholds */
    progress->updated_class = 0;
    if (!progress->need_objective)
        return STATUS_OK;
    box_fill_progress(box, progress);
    if (shrunk) {
        progress->norm2 = conjugate->shrink.norm2;
        progress->objective = 0.5 * progress->norm2 - box_sum_alpha(box);
    }
    return STATUS_OK;
}

static size_t best_of_active(const struct conjugate_smo *c, const struct second_index *second_index)
{
    const struct box *box = &c->smo.box;
    size_t best = second_index->hint;
    double max = 0;
    for (size_t k = 0; k < c->shrink.count; k++) {
        size_t j = c->shrink.active[k];
        double delta = box->f[j] - second_index->f_first, row = second_index->row[j];
        if (!(delta > 0 && box_may_shrink(box, j)))
            continue;
        double curvature = (second_index->diagonal_first - row) + (second_index->diagonal[j] - row);
        curvature = conjugate_curvature(&c->direction, curvature, second_index->q_first - second_index->q[j]);
        double gain = delta * delta / (curvature > 0 ? curvature : SECOND_INDEX_MIN_CURVATURE);
        if (gain > max) {
            max = gain;
            best = j;
        }
    }
    return best;
}

/* The pair of the most violating up and the low that gains most with it; `row` is the row of up. */
static struct box_pair choose_low(const struct conjugate_smo *c, const double *row)
{
    const struct box *box = &c->smo.box;
    struct box_pair best = c->smo.pair;
    struct second_index second_index = conjugate_second_index(&c->direction, box, &best, row);
    best.low = shrink_is_shrunk(&c->shrink, box) ? best_of_active(c, &second_index)
                                                 : shared_select_second_index(box->simd, box->n_padded, &second_index);
    best.f_low = box->f[best.low];
    return best;
}

/* Performs the step and finds the most violating pair after it. */
static void move(struct conjugate_smo *c, const double *row_up, const double *row_low,
                 const struct conjugate_line_search *search, double step)
{
    struct box *box = &c->smo.box;
    struct conjugate *direction = &c->direction;
    if (!shrink_is_shrunk(&c->shrink, box)) {
        c->smo.pair = conjugate_move(direction, box, row_up, row_low, search, step);
        return;
    }
    for (size_t k = 0; k < c->shrink.count; k++) {
        size_t i = c->shrink.active[k];
        direction->q[i] = search->gamma * direction->q[i] + (row_up[i] - row_low[i]);
        box->f[i] += step * direction->q[i];
    }
    box_move_along(box, direction->indices, direction->p, direction->members, step);
    find_worst_pair(c);
}

/* |W + step P|^2 - |W|^2 with W . P = sum p_i (F_i + y_i), F before the step */
static double change_of_norm2(const struct conjugate_smo *c, double step)
{
    const struct box *box = &c->smo.box;
    const struct conjugate *direction = &c->direction;
    double along = 0;
    for (size_t h = 0; h < direction->members; h++)
        along += direction->p[h] * (box->f[direction->indices[h]] + box->y[direction->indices[h]]);
    return step * (2 * along + step * direction->p_norm2);
}

static enum status update(void *state, struct oracle *oracle)
{
    struct conjugate_smo *c = state;
    struct box *box = &c->smo.box;
    if (!(c->smo.pair.f_low > c->smo.pair.f_up))
        return STATUS_STALLED; /* optimal */
    const double *row_up = shrink_row(&c->shrink, box, oracle, c->smo.pair.up);
    struct box_pair pair = choose_low(c, row_up);
    const double *row_low = shrink_row(&c->shrink, box, oracle, pair.low);
    struct conjugate_line_search search =
        conjugate_direction(&c->direction, box, &pair, box_curvature(&pair, row_up, row_low));
    int clipped;
    double step = conjugate_length(&c->direction, box, &search, &clipped);
    if (!(step > 0))
        return STATUS_STALLED;
    if (shrink_is_shrunk(&c->shrink, box))
        c->shrink.norm2 += change_of_norm2(c, step);
    move(c, row_up, row_low, &search, step);
    if (clipped)
        conjugate_restart(&c->direction, box);
    const struct box_pair *worst = &c->smo.pair; /* for the bias midway between its thresholds */
    shrink_count(&c->shrink, box, -0.5 * (worst->f_up + worst->f_low), 0.5 * (worst->f_low - worst->f_up));
    return STATUS_OK;
}

/* Primal minus dual, as in svm_light.c, of the problem of the active patterns. */
static double gap_linear(const void *state, int class)
{
    const struct conjugate_smo *c = state;
    (void)class;
    return box_gap(&c->smo.box, &c->smo.pair, c->shrink.active, c->shrink.count);
}

static void tighten(void *state, double tolerance)
{
    struct conjugate_smo *conjugate = state;
    conjugate->tolerance = tolerance;
}

/* `start: first-pair`. */
static const struct kernel_cost from_first_pair[] = {{.is_stated = 1, .n = 3}, {0}};

/* Rows of the active patterns, and the check of the inactive ones. */
static const struct kernel_cost with_shrinking[] = {{.is_stated = 1, .at_most = 1, .n2 = 1, .n = 2}, {0}};

extern const struct solver solver_conjugate_smo, solver_conjugate_two_smo;

const struct solver solver_conjugate_smo = {
    .name = "conjugate-smo",
    .title = "second-order SMO along conjugate directions",
    .reference = "Torres-Barran, Alaiz and Dorronsoro 2021",
    .formulation = FORMULATION_C_SVM,
    .parameters = PARAMETERS(&parameter_c, &parameter_start, &parameter_shrinking, &parameter_shrink_after),
    .stops = 1u << STOP_DELTA | 1u << STOP_KKT | 1u << STOP_KKT_RELAXED | 1u << STOP_ITERATIONS,
    .setup_cost = {.is_stated = 1, .n = 1},
    .further_setup_costs = from_first_pair,
    .iteration_cost = {.is_stated = 1, .n = 2},
    .further_iteration_costs = with_shrinking,
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = gap_linear,
    .alpha = box_alpha,
    .tighten = tighten,
};

const struct solver solver_conjugate_two_smo = {
    .name = "conjugate-2-smo",
    .title = "second-order SMO along conjugate directions",
    .reference = "Torres-Barran, Alaiz and Dorronsoro 2021; Lopez 2008, Algorithm 2",
    .formulation = FORMULATION_SQUARE_SVM,
    .square_penalty = 1,
    .parameters = PARAMETERS(&parameter_c, &parameter_start),
    .stops = PAIR_SMO_STOPS,
    .setup_cost = {.is_stated = 1, .n = 1},
    .further_setup_costs = from_first_pair,
    .iteration_cost = {.is_stated = 1, .n = 2},
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = pair_smo_gap_square,
    .alpha = box_alpha,
};
