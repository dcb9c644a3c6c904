/*
 * Planning-ahead SMO, after Glasmachers (2008), "The planning-ahead SMO algorithm" (arXiv 1307.8305).
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 * SMO tends to return to the pair it has just left. So the step along the current pair B1 is chosen for two steps,
 * along B1 and then along B2, the previous pair. Let v be the direction of a pair, e_up - e_low in y alpha,
 * w = F_low - F_up, and Q_ab = v_a . K v_b. Steps mu_1 and mu_2 lower the dual by
 *
 *   w_1 mu_1 + w_2 mu_2 - (Q_11 mu_1^2 + 2 Q_12 mu_1 mu_2 + Q_22 mu_2^2) / 2.
 *
 * The exact second step is mu_2 = (w_2 - Q_12 mu_1) / Q_22. With it, the double-step gain of both steps is
 *
 *   -(det Q / Q_22) mu_1^2 / 2 + (w_1 - Q_12 w_2 / Q_22) mu_1 + w_2^2 / (2 Q_22)
 *
 * and is largest for mu_1 = (Q_22 w_1 - Q_12 w_2) / det Q, then mu_2 = (Q_11 w_2 - Q_12 w_1) / det Q. The exact step of
 * SMO is w_1 / Q_11. The planned one is made if both mu_1 and mu_2 stay within the box. A planned step alone may
 * increase the dual. With eta in (0, 1), here the paper's 0.9, a planned step is
 *
 *   near  if mu_1 is between 1 - eta and 1 + eta times the exact step: it gains at least 1 - eta^2 of the exact step's
 *         gain without the box. The next pair is that of second-order selection or B2, by w^2 / 2Q, and its step may be
 *         planned again;
 *   far   otherwise. The next pair is the most violating up with any low, or B2, by the gain with the box
 *         (pair_gain.h), and its step is exact. As mu_2 is within the box, it gains no less than planned, so the two
 *         steps gain no less than the exact step along the first pair without the box.
 *
 * Q_12 comes from the rows of B1, Q_22 from the update of B2, so planning requests no kernel values. An iteration costs
 * 2N kernel operations, or 3N if B2 is updated and does not contain the pattern whose row the selection has read.
 * Set-up costs N for the diagonal.
 *
 * Only the abstract and first section of the paper were available. The double-step gain is derived above; eta, its
 * value and that B2 joins the selection are from memory. Two rules are our own. A step may be planned after a near step
 * but not after a far one, which preserves the bounds above. No step is planned if mu_1 would lead back or det Q is
 * below 1e-10 Q_11 Q_22, so that the directions are almost parallel.
 */
#include "solvers/decomposition/pair_gain.h"
#include "solvers/decomposition/pair_smo.h"

static const double eta = 0.9;
static const double min_det = 1e-10; /* of Q_11 Q_22 */

/* A pair that was updated, and its Q; 0 if none. */
struct updated_pair {
    size_t up, low;
    double curvature;
};

struct planning_smo {
    struct pair_smo smo;
    struct gain_patterns patterns;
    struct updated_pair last, before; /* the last pair, and the one before it */
    int was_planned, was_near;        /* whether the last step was planned, and near */
};

static void layout(struct planning_smo *planning, struct arena *arena, size_t n)
{
    pair_smo_layout(&planning->smo, arena, sizeof *planning, n);
    gain_patterns_layout(&planning->patterns, arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct planning_smo planning;
    layout(&planning, &arena, problem->n);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct planning_smo *planning = state;
    struct arena arena = {.block = state};
    layout(planning, &arena, problem->n);
    gain_patterns_start(&planning->patterns, problem, oracle);
    pair_smo_start(&planning->smo, problem, oracle);
    return STATUS_OK;
}

/* w^2 / 2Q; 0 if the pair cannot move. */
static double gain_without_box(const struct box *box, const struct box_pair *pair, double curvature)
{
    double delta = pair->f_low - pair->f_up;
    if (!(box_may_grow(box, pair->up) && box_may_shrink(box, pair->low)))
        return 0;
    return 0.5 * delta * delta / (curvature > 0 ? curvature : SECOND_INDEX_MIN_CURVATURE);
}

/* The pair after a planned step; `row` is the row of the most violating up. */
static struct box_pair choose_after_plan(const struct planning_smo *planning, const double *row)
{
    const struct box *box = &planning->smo.box;
    const double *diagonal = planning->patterns.diagonal;
    const struct updated_pair *next = &planning->before; /* B2 of the plan */
    struct pair_gain best = {0, planning->smo.pair}, planned = pair_gain_of(box, next->up, next->low, next->curvature);
    if (planning->was_near) {
        best.pair = pair_smo_second_order(&planning->smo, diagonal, row);
        size_t up = best.pair.up, low = best.pair.low;
        best.gain = gain_without_box(box, &best.pair, (diagonal[up] - row[low]) + (diagonal[low] - row[low]));
        planned.gain = gain_without_box(box, &planned.pair, next->curvature);
    } else {
        pair_gain_search(box, &planning->patterns, best.pair.up, row, &best);
    }
    return planned.gain > best.gain ? planned.pair : best.pair;
}

static int admits(const struct box *box, size_t i, double change)
{
    return fabs(change) <= box_max_step(box, i, change > 0);
}

/* The change of y alpha of pattern i in a step along the pair. */
static double change_of(const struct box_pair *pair, double step, size_t i)
{
    return i == pair->up ? step : i == pair->low ? -step : 0;
}

/* mu_1 for the pair and the last one; 0 if no step can be planned. */
static double plan(const struct planning_smo *planning, const struct box_pair *pair, double q11, const double *row_up,
                   const double *row_low)
{
    const struct box *box = &planning->smo.box;
    const size_t up = planning->last.up, low = planning->last.low;
    const double q22 = planning->last.curvature, q12 = (row_up[up] - row_up[low]) - (row_low[up] - row_low[low]);
    const double w1 = pair->f_low - pair->f_up, w2 = box->f[low] - box->f[up];
    const double det = q11 * q22 - q12 * q12;
    int was_far = planning->was_planned && !planning->was_near;
    if (was_far || !(q11 > 0 && q22 > 0 && det > min_det * q11 * q22))
        return 0;
    double mu1 = (q22 * w1 - q12 * w2) / det, mu2 = (q11 * w2 - q12 * w1) / det;
    int is_possible = mu1 > 0 && admits(box, pair->up, mu1) && admits(box, pair->low, -mu1) &&
                      admits(box, up, change_of(pair, mu1, up) + mu2) &&
                      admits(box, low, change_of(pair, mu1, low) - mu2);
    return is_possible ? mu1 : 0;
}

/* Performs the step along the pair, planned or exact. Nonzero if anything has moved. */
static int step_along(struct planning_smo *planning, const struct box_pair *pair, const double *row_up,
                      const double *row_low)
{
    double curvature = box_curvature(pair, row_up, row_low), exact = (pair->f_low - pair->f_up) / curvature;
    double planned = plan(planning, pair, curvature, row_up, row_low);
    if (planned > 0)
        pair_smo_move(&planning->smo, *pair, planned, row_up, row_low);
    else if (!(pair_smo_step(&planning->smo, *pair, row_up, row_low) > 0))
        return 0;
    planning->was_planned = planned > 0;
    planning->was_near = fabs(planned - exact) <= eta * exact;
    planning->before = planning->last;
    planning->last = (struct updated_pair){pair->up, pair->low, curvature};
    return 1;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct planning_smo *planning = state;
    const struct box_pair worst = planning->smo.pair;
    if (!(worst.f_low > worst.f_up))
        return STATUS_STALLED; /* optimal */
    const double *row = oracle_row(oracle, worst.up);
    struct box_pair pair = planning->was_planned
                               ? choose_after_plan(planning, row)
                               : pair_smo_second_order(&planning->smo, planning->patterns.diagonal, row);
    const double *row_up = pair.up == worst.up ? row : oracle_row(oracle, pair.up),
                 *row_low = pair.low == worst.up ? row : oracle_row(oracle, pair.low);
    return step_along(planning, &pair, row_up, row_low) ? STATUS_OK : STATUS_STALLED;
}

/* `start: first-pair`. */
static const struct kernel_cost from_first_pair[] = {{.is_stated = 1, .n = 3}, {0}};

/* The pair of the plan. */
static const struct kernel_cost of_planned_pair[] = {{.is_stated = 1, .n = 3}, {0}};

extern const struct solver solver_planning_ahead_smo;

const struct solver solver_planning_ahead_smo = {
    .name = "planning-ahead-smo",
    .title = "second-order SMO, steps planned for two pairs",
    .reference = "after Glasmachers 2008, The planning-ahead SMO algorithm",
    .formulation = FORMULATION_C_SVM,
    .parameters = PARAMETERS(&parameter_c, &parameter_start),
    /* not dual-change: a planned step may leave the dual unchanged */
    .stops = PAIR_SMO_STOPS & ~(1u << STOP_DUAL_CHANGE),
    .setup_cost = {.is_stated = 1, .n = 1},
    .further_setup_costs = from_first_pair,
    .iteration_cost = {.is_stated = 1, .n = 2},
    .further_iteration_costs = of_planned_pair,
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .select = pair_smo_select,
    .update = update,
    .gap = pair_smo_gap_linear,
    .alpha = box_alpha,
};
