/*
 * SVM-Light, Joachims (1999), "Making large-scale SVM learning practical"; Lopez (2008), Section 3.1.2.
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 * An iteration optimises over a working set of at most q variables, with the others fixed. Zoutendijk's direction
 * selects the set (working_set.c), and inner_qp.c solves the quadratic program over it. For q = 2 the step of 1-SMO is
 * used, operation by operation: with q = 2 and no shrinking, both visit the same points (Lopez 2008, Corollary 1 and
 * Section 5.3). Variables that stay optimal at a bound are left out temporarily (shrinking.c). An iteration costs |set|
 * N kernel operations, or |set| times the number of active patterns; the block of the quadratic program comes from the
 * same rows.
 *
 * The rule `kkt-relaxed` evaluates (3.1.1) to (3.1.3) at the bias b of SVM-Light's program: the multiplier of sum y
 * alpha = 0 in the last quadratic program. At its optimum a variable between its bounds has F_i + b = 0, so b is taken
 * from the first such variable of the set. If the set has none, b stays unchanged. If no variable at all is between its
 * bounds, or no pair violates, b is midway between the thresholds. It may lie anywhere inside or outside the thresholds
 * of the whole problem, so the rule may stop later than `delta`, which is equivalent to a bias midway between them.
 *
 * Differs from SVM-Light in the inner solver, which is exact except for rounding and a limit on its steps, and in the
 * step of 1-SMO that is used if the inner solver moves nothing. SVM-Light also prefers patterns whose kernel row is in
 * memory for half of a set, and picks every 101st set in pseudo-random order in case its inner solver got stuck.
 */
#include <string.h>

#include "solvers/decomposition/inner_qp.h"
#include "solvers/decomposition/shrinking.h"
#include "solvers/decomposition/working_set.h"

struct svm_light {
    struct box box; /* first, so that box_alpha accepts the state */
    struct working_set set;
    struct inner_qp qp;
    struct shrink shrink;
    struct oracle *oracle; /* for the check of inactive patterns in select */
    double *rows;          /* the set's rows, n_padded each; for q > 2 */
    double *start, *f_start; /* y alpha and F of the set before the step */
    struct box_pair pair,
        next; /* the most violating pair of the active patterns, and the one after the step, if has_next is set */
    int has_next;
    double bias;
    int has_bias;          /* whether the bias is that of a working set */
    double tolerance;
};

static void layout(struct svm_light *light, struct arena *arena, const struct problem *problem)
{
    size_t n = problem->n;
    box_layout(&light->box, arena, n);
    working_set_layout(&light->set, arena, problem);
    shrink_layout(&light->shrink, arena, n);
    size_t max = light->set.max_members < n ? light->set.max_members : n, rows = light->set.max_members > 2 ? max : 0;
    inner_qp_layout(&light->qp, arena, max);
    light->start = arena_doubles(arena, max);
    light->f_start = arena_doubles(arena, max);
    light->rows = arena_take(arena, rows * light->box.n_padded * sizeof *light->rows);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct svm_light light;
    arena_take(&arena, sizeof light);
    layout(&light, &arena, problem);
    return arena.used;
}

static double worst_delta(const struct svm_light *light)
{
    return light->pair.f_low - light->pair.f_up;
}

/* Among the active patterns. If no working set determines the bias, it is midway between the pair's thresholds. */
static void find_worst_pair(struct svm_light *light)
{
    struct box_pair pair = BOX_NO_PAIR;
    if (light->has_next)
        pair = light->next;
    else if (!shrink_is_shrunk(&light->shrink, &light->box))
        pair = box_worst_pair(&light->box);
    else
        for (size_t k = 0; k < light->shrink.count; k++)
            box_consider(&light->box, light->shrink.active[k], &pair);
    light->pair = pair;
    light->has_next = 0;
    if (!light->has_bias || !(worst_delta(light) > 0))
        light->bias = -0.5 * (pair.f_up + pair.f_low);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct svm_light *light = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *light);
    layout(light, &arena, problem);
    box_start(&light->box, problem, parameter_get(&problem->parameters, &parameter_c), box_start_of(problem), oracle);
    shrink_start(&light->shrink, problem);
    light->oracle = oracle;
    light->tolerance = problem->tolerance;
    find_worst_pair(light);
    return STATUS_OK;
}

/* The largest violation of (3.1.1) to (3.1.3) at the bias, over the active patterns. */
static double violation(const struct svm_light *light)
{
    return fmax(light->pair.f_low + light->bias, -(light->pair.f_up + light->bias));
}

/* Removes patterns or, if the active ones satisfy every rule that could be met, checks all patterns. */
static void shrink_or_check(struct svm_light *light)
{
    double enough = 2 * light->tolerance; /* a bound on `delta`, and on `kkt-relaxed` at the midway bias, above which
                                           * no rule is met */
    if (worst_delta(light) > enough) {
        shrink_remove(&light->shrink, &light->box, &light->pair);
    } else if (shrink_is_shrunk(&light->shrink, &light->box)) {
        shrink_check_all(&light->shrink, &light->box, enough, light->oracle);
        find_worst_pair(light);
    }
    for (size_t k = 0; k < light->box.n - light->shrink.count; k++)
        light->set.age[light->shrink.inactive[k]] = 0; /* it leaves the working set, too */
}

static void fill_progress(const struct svm_light *light, struct progress *progress)
{
    const struct box *box = &light->box;
    int shrunk = shrink_is_shrunk(&light->shrink, box);
    progress->delta = worst_delta(light);
    progress->violation = shrunk ? INFINITY : violation(light);
    progress->updated_class = 0;
    if (!progress->need_objective)
        return;
    box_fill_progress(box, progress);
    if (shrunk) {
        progress->norm2 = light->shrink.norm2;
        progress->objective = 0.5 * light->shrink.norm2 - box_sum_alpha(box);
    }
}

static enum status select(void *state, struct progress *progress)
{
    struct svm_light *light = state;
    shrink_or_check(light);
    working_set_choose(&light->set, &light->box, light->shrink.active, light->shrink.count, &light->pair);
    fill_progress(light, progress);
    return STATUS_OK;
}

/* The step of 1-SMO. Nonzero if anything has moved. */
static int optimise_pair(struct svm_light *light, struct oracle *oracle)
{
    struct box *box = &light->box;
    const struct shrink *shrink = &light->shrink;
    size_t up = light->pair.up, low = light->pair.low;
    const double *row_up = shrink_row(shrink, box, oracle, up), *row_low = shrink_row(shrink, box, oracle, low);
    double step = box_pair_step(box, &light->pair, box_curvature(&light->pair, row_up, row_low));
    if (!(step > 0))
        return 0;
    box_move_pair(box, &light->pair, step);
    if (!shrink_is_shrunk(shrink, box)) {
        light->next = box_add_pair(box, step, row_up, row_low);
        light->has_next = 1;
        return 1;
    }
    for (size_t k = 0; k < shrink->count; k++) {
        size_t i = shrink->active[k];
        box->f[i] += step * (row_up[i] - row_low[i]);
    }
    return 1;
}

static void copy_row(const struct svm_light *light, const double *row, double *out)
{
    const struct shrink *shrink = &light->shrink;
    if (!shrink_is_shrunk(shrink, &light->box)) {
        memcpy(out, row, light->box.n_padded * sizeof *out);
        return;
    }
    for (size_t k = 0; k < shrink->count; k++)
        out[shrink->active[k]] = row[shrink->active[k]];
}

static void set_up_qp(struct svm_light *light, struct oracle *oracle)
{
    const struct box *box = &light->box;
    struct inner_qp *qp = &light->qp;
    qp->count = light->set.count;
    for (size_t a = 0; a < qp->count; a++) {
        size_t i = light->set.members[a];
        double *row = light->rows + a * box->n_padded;
        copy_row(light, shrink_row(&light->shrink, box, oracle, i), row);
        for (size_t b = 0; b < qp->count; b++)
            qp->k[a * qp->count + b] = row[light->set.members[b]];
        qp->x[a] = box->signed_alpha[i];
        qp->g[a] = box->f[i];
        qp->lower[a] = box->y[i] > 0 ? 0 : -box->c;
        qp->upper[a] = box->y[i] > 0 ? box->c : 0;
    }
}

/* The row of a member of the set, as stored by set_up_qp. */
static const double *row_of_member(const struct svm_light *light, size_t i)
{
    size_t a = 0;
    while (light->set.members[a] != i)
        a++;
    return light->rows + a * light->box.n_padded;
}

/* The step of 1-SMO along the most violating pair, which is always in the set (working_set.c). Unless it ends at a
 * bound, it is rounded to a multiple that the larger multiplier can represent, so that both change by the same amount,
 * and F is updated by the actual changes. Nonzero if anything has moved. */
static int move_worst_pair(struct svm_light *light)
{
    struct box *box = &light->box;
    size_t up = light->pair.up, low = light->pair.low;
    const double *row_up = row_of_member(light, up), *row_low = row_of_member(light, low);
    double before_up = box->signed_alpha[up], before_low = box->signed_alpha[low];
    double step = box_pair_step(box, &light->pair, box_curvature(&light->pair, row_up, row_low));
    double largest = fmax(box->alpha[up], box->alpha[low]);
    if (step < fmin(box_max_step(box, up, 1), box_max_step(box, low, 0)))
        step = (largest + step) - largest;
    box_move_pair(box, &light->pair, step);
    shrink_add_row(&light->shrink, box, box->signed_alpha[up] - before_up, row_up);
    shrink_add_row(&light->shrink, box, box->signed_alpha[low] - before_low, row_low);
    return box->signed_alpha[up] != before_up || box->signed_alpha[low] != before_low;
}

/* Nonzero if anything has moved. The inner solver moves nothing if no pair violates by more than its rounding
 * allowance, which grows with K and the multipliers. */
static int optimise_set(struct svm_light *light, struct oracle *oracle)
{
    struct box *box = &light->box;
    int moved = 0;
    set_up_qp(light, oracle);
    inner_qp_solve(&light->qp);
    for (size_t a = 0; a < light->qp.count; a++) {
        size_t i = light->set.members[a];
        if (light->qp.x[a] == light->start[a])
            continue;
        moved = 1;
        shrink_add_row(&light->shrink, box, light->qp.x[a] - light->start[a], light->rows + a * box->n_padded);
        box_set(box, i, box->y[i] * light->qp.x[a]);
    }
    return moved || move_worst_pair(light);
}

/* Takes the bias from the set's optimum, after the step. */
static void take_bias(struct svm_light *light)
{
    const struct box *box = &light->box;
    for (size_t a = 0; a < light->set.count; a++)
        if (box_is_free(box, light->set.members[a])) {
            light->bias = -box->f[light->set.members[a]];
            light->has_bias = 1;
            return;
        }
    size_t i = 0;
    while (i < box->n && !box_is_free(box, i))
        i++;
    if (i == box->n)
        light->has_bias = 0;
}

static void note_start(struct svm_light *light)
{
    for (size_t a = 0; a < light->set.count; a++) {
        light->start[a] = light->box.signed_alpha[light->set.members[a]];
        light->f_start[a] = light->box.f[light->set.members[a]];
    }
}

/* |W'|^2 - |W|^2 = sum (x' - x) (W + W') . X over the set, W . X = F + y */
static void carry_norm2(struct svm_light *light)
{
    const struct box *box = &light->box;
    for (size_t a = 0; a < light->set.count; a++) {
        size_t i = light->set.members[a];
        double products = light->f_start[a] + box->f[i] + 2 * box->y[i];
        light->shrink.norm2 += (box->signed_alpha[i] - light->start[a]) * products;
    }
}

static enum status update(void *state, struct oracle *oracle)
{
    struct svm_light *light = state;
    if (!(worst_delta(light) > 0))
        return STATUS_STALLED; /* optimal */
    note_start(light);
    int moved = light->set.max_members == 2 ? optimise_pair(light, oracle) : optimise_set(light, oracle);
    if (!moved)
        return STATUS_STALLED;
    carry_norm2(light);
    take_bias(light);
    find_worst_pair(light);
    shrink_count(&light->shrink, &light->box, light->bias, violation(light));
    return STATUS_OK;
}

/* An inactive pattern adds nothing while it is optimal at its bound, so while patterns are inactive this is the gap of
 * the problem without them. */
static double gap(const void *state, int class)
{
    const struct svm_light *light = state;
    (void)class;
    return box_gap(&light->box, &light->pair, light->shrink.active, light->shrink.count);
}

static void tighten(void *state, double tolerance)
{
    struct svm_light *light = state;
    light->tolerance = tolerance;
}

/* `start: first-pair`. */
static const struct kernel_cost from_first_pair[] = {{.is_stated = 1, .n = 2}, {0}};

/* A smaller set, rows of the active patterns, and the check of the inactive ones. */
static const struct kernel_cost with_shrinking[] = {{.is_stated = 1, .at_most = 1, .n2 = 1, .rows_q = 1}, {0}};

extern const struct solver solver_svm_light;

const struct solver solver_svm_light = {
    .name = "svm-light",
    .title = "decomposition by Zoutendijk's direction",
    .reference = "Joachims 1999; Lopez 2008, Section 3.1.2",
    .formulation = FORMULATION_C_SVM,
    .parameters = PARAMETERS(&parameter_c, &parameter_start, &parameter_q, &parameter_new_variables,
                             &parameter_shrinking, &parameter_shrink_after),
    .stops = 1u << STOP_DELTA | 1u << STOP_KKT | 1u << STOP_KKT_RELAXED | 1u << STOP_ITERATIONS,
    .setup_cost = {.is_stated = 1},
    .further_setup_costs = from_first_pair,
    .iteration_cost = {.is_stated = 1, .rows_q = 1},
    .further_iteration_costs = with_shrinking,
    .is_monotone = 1,
    .default_stop = {STOP_KKT_RELAXED, 1e-3},
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = gap,
    .alpha = box_alpha,
    .tighten = tighten,
};
