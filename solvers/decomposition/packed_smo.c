/*
 * SMO with shrinking on packed patterns. Patterns that cannot belong to a violating pair are removed, and the others
 * are moved together in memory, so that the same loops run over fewer patterns.
 *
 *   packed-smo               steps of 1-smo (smo.c), then conjugate SMO (conjugate.c)
 *   packed-second-order-smo  second-order SMO (second_order_smo.c), without initial steps of another kind. The
 *                            statements below on conjugate steps apply to its steps
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 * A pattern at a bound whose y alpha can only increase belongs to no violating pair while F is above F_low, the largest
 * F where y alpha can decrease. A pattern whose y alpha can only decrease belongs to none while F is below F_up (Fan,
 * Chen and Lin 2005, Section 5, after Joachims 1999). Every min(N, MAX_SHRINK_INTERVAL) conjugate steps, as in LIBSVM
 * (Chang and Lin 2011), these patterns are removed if they are many. Their multipliers stay fixed, their F is not
 * updated, and a row costs one kernel operation per active pattern.
 *
 * When no pair of active patterns violates by more than `subproblem_tolerance`, the solver checks all patterns (a
 * look): it updates their F by the changes and finds the most violating pair among all. If its violation exceeds the
 * rule's tolerance, patterns outside the thresholds of the problem just solved, by some slack, are removed. Those
 * inside, and all that violate, become active, until their violation is at most a fraction of the one that the look
 * found. It would waste time to solve this subproblem exactly before other patterns return.
 *
 * On large problems most kernel values are requested in these looks. A look therefore skips patterns whose F cannot
 * have crossed a threshold, by the bound of deferred_f.c. Few changes come near the bound. So while violating patterns
 * are found, only a small fraction of the bound is used. When no more are found, the full bound decides, so at the end
 * no pattern that may violate is skipped.
 *
 * Large problems start with every SAMPLED-th pattern. Near the solution of this sample, most other patterns turn out to
 * be optimal at 0 before a row has been requested for them. This is chunking that keeps the multipliers (Vapnik 1982;
 * Osuna, Freund and Girosi 1997).
 *
 * On other problems packed-smo starts with the steps of 1-smo, along the most violating pair, which is found while F is
 * updated. A conjugate step gains more, but needs one more pass over the patterns and several over those that its
 * direction moves. While steps bring patterns in, each pattern's row must be computed in any case, so the cheaper steps
 * lose little. The solver makes STEPS_PER_ENTRY of them for each multiplier that has left 0, and for the two of a first
 * pair. By then most steps move multipliers that had left 0 before, and a several times smaller number of conjugate
 * steps does the same. So all further steps are conjugate. A problem that is solved earlier has no conjugate steps, and
 * any other has few of the first kind. Convergence is that of conjugate SMO started at the multipliers reached, or that
 * of 1-smo if multipliers leave 0 so often that conjugate steps never begin.
 *
 * While patterns are left out, the violation reported to the stopping rules is infinite. The objective is updated with
 * the steps: a step of length t along a direction p of slope -s adds t (t p . K p / 2 - s).
 */
#include <math.h>
#include <string.h>

#include "solvers/decomposition/conjugate.h"
#include "solvers/decomposition/deferred_f.h"
#include "solvers/kernel/helpers.h"
#include "solvers/kernel/shared_search.h"

enum {
    STEPS_PER_ENTRY = 2,           /* steps of 1-smo per multiplier that left 0 */
    MAX_SHRINK_INTERVAL = 1000,    /* conjugate steps between checks for patterns to remove */
    SAMPLED_SHRINK_INTERVAL = 100, /* the same on large problems, where rows are rarely in memory */
    MIN_SHRINK_FRACTION = 5,       /* shrink only if at least 1 / MIN_SHRINK_FRACTION of the patterns leave */
    SAMPLED = 8,                   /* a large problem starts with every SAMPLED-th pattern */
    MIN_SAMPLE = 1000,             /* a problem is large if this sample has at least MIN_SAMPLE patterns */
    KEPT_LOOKS = 8,                /* on large problems, see deferred_f.h */
    MIN_SHARED = 1 << 10           /* patterns of a pass for each thread that shares it (helpers.h) */
};
static const double max_slack = 0.2;     /* in units of F; the margins are at a distance of 2 */
static const double coarse = 0.1;        /* violation at which a sample is solved well enough */
static const double believed = 0.05;     /* fraction of the bound on a change of F that is used until a look must be
                                          * certain */
static const double part_of_left = 0.03; /* fraction of the violation found by a look to which the next subproblem is
                                          * solved */

struct packed_smo {
    struct box box; /* of the active patterns */
    struct conjugate direction;
    struct box_pair pair; /* their most violating pair */
    struct oracle *oracle;
    double tolerance, subproblem_tolerance, objective;
    double leave_up, leave_low; /* thresholds: patterns outside are removed */
    size_t until_shrink;        /* conjugate steps */
    size_t steps, entries;      /* initial steps; 2 plus the number of times that a multiplier left 0 in them */
    size_t n;                   /* all patterns */
    const signed char *y_all;   /* n */
    double *alpha_all;          /* n; current for inactive patterns */
    double *diagonal_all;       /* n */
    size_t *active;             /* active patterns, ascending */
    signed char *y;             /* their labels */
    double *scratch[2];         /* for their rows, restricted to them */
    struct deferred_f deferred; /* F of all patterns */
    unsigned char *wanted;      /* n flags: patterns whose F a look updates */
    int defers;                 /* whether looks skip patterns */
    int is_certain;             /* no pattern skipped by the last look belongs to a violating pair */
};

/* Whether the solver starts with a sample and looks skip patterns. */
static int is_large(size_t n)
{
    return n / SAMPLED >= MIN_SAMPLE;
}

static size_t shrink_interval(size_t n)
{
    return is_large(n) ? SAMPLED_SHRINK_INTERVAL : n < MAX_SHRINK_INTERVAL ? n : MAX_SHRINK_INTERVAL;
}

static void layout(struct packed_smo *packed, struct arena *arena, size_t n)
{
    arena_take(arena, sizeof *packed);
    box_layout(&packed->box, arena, n);
    conjugate_layout(&packed->direction, arena, n);
    packed->alpha_all = arena_doubles(arena, n);
    packed->diagonal_all = arena_doubles(arena, n);
    packed->active = arena_take(arena, n * sizeof *packed->active);
    packed->y = arena_take(arena, n);
    packed->scratch[0] = arena_doubles(arena, n);
    packed->scratch[1] = arena_doubles(arena, n);
    deferred_f_layout(&packed->deferred, arena, n, is_large(n) ? KEPT_LOOKS : 1);
    packed->wanted = arena_take(arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct packed_smo packed;
    layout(&packed, &arena, problem->n);
    return arena.used;
}

static int is_shrunk(const struct packed_smo *packed)
{
    return packed->box.n < packed->n;
}

static double delta(const struct packed_smo *packed)
{
    return packed->pair.f_low - packed->pair.f_up;
}

/* ---- shrinking ---- */

static void keep_alphas(struct packed_smo *packed)
{
    for (size_t k = 0; k < packed->box.n; k++)
        packed->alpha_all[packed->active[k]] = packed->box.alpha[k];
}

static void resize(struct box *box, size_t n, const signed char *y)
{
    box->n = n;
    box->n_padded = simd_padded(n);
    box->y = y;
    for (size_t k = n; k < box->n_padded; k++) {
        box->f[k] = box->alpha[k] = box->signed_alpha[k] = 0;
        for (size_t s = 0; s < 2; s++)
            simd_set_put(box->eligible[s], k, 0);
    }
}

typedef int leaves(const struct packed_smo *packed, size_t k);

static int is_not_sampled(const struct packed_smo *packed, size_t k)
{
    return packed->active[k] % SAMPLED != 0;
}

static int is_outside(const struct packed_smo *packed, size_t k)
{
    const struct box *box = &packed->box;
    int may_grow = box_may_grow(box, k), may_shrink = box_may_shrink(box, k);
    return (!may_shrink && box->f[k] > packed->leave_low) || (!may_grow && box->f[k] < packed->leave_up);
}

struct count_request {
    const struct packed_smo *packed;
    size_t outside[HELPERS_MAX_PARTS];
};

static void count_part(void *context, const struct helpers_part *part)
{
    struct count_request *of = context;
    size_t outside = 0;
    for (size_t k = part->first; k < part->end; k++)
        outside += is_outside(of->packed, k) != 0;
    of->outside[part->part] = outside;
}

static size_t count_outside(const struct packed_smo *packed)
{
    struct count_request request = {.packed = packed};
    const struct helpers_division division = {packed->box.n, 1, MIN_SHARED, 1};
    const size_t parts = helpers_run(&division, count_part, &request);
    size_t outside = 0;
    for (size_t part = 0; part < parts; part++)
        outside += request.outside[part];
    return outside;
}

/* Moves the remaining patterns together in memory. */
static void shrink(struct packed_smo *packed, leaves *leave)
{
    struct box *box = &packed->box;
    size_t count = 0;
    keep_alphas(packed);
    conjugate_restart(&packed->direction, box);
    for (size_t k = 0; k < box->n; k++) {
        if (leave(packed, k))
            continue;
        packed->active[count] = packed->active[k];
        packed->y[count] = box->y[k];
        packed->direction.diagonal[count] = packed->direction.diagonal[k];
        box->alpha[count] = box->alpha[k];
        box->signed_alpha[count] = box->signed_alpha[k];
        box->f[count] = box->f[k];
        for (size_t s = 0; s < 2; s++)
            simd_set_put(box->eligible[s], count, simd_set_has(box->eligible[s], k));
        count++;
    }
    resize(box, count, packed->y);
    oracle_set_active(packed->oracle, packed->active, count);
    packed->pair = box_worst_pair(box);
}

/* Nonzero if many left. None leaves where the rule is met: it would then be checked only after a look at all. */
static int shrink_if_many_leave(struct packed_smo *packed, double leave_up, double leave_low)
{
    packed->until_shrink = shrink_interval(packed->n);
    packed->leave_up = leave_up;
    packed->leave_low = leave_low;
    int many = delta(packed) > packed->tolerance &&
               MIN_SHRINK_FRACTION * count_outside(packed) >= packed->box.n;
    if (many)
        shrink(packed, is_outside);
    return many;
}

/* ---- looks at all patterns ---- */

/* Makes the patterns active that the look has seen. */
static void gather_seen(struct packed_smo *packed)
{
    const struct deferred_f *deferred = &packed->deferred;
    struct box *box = &packed->box;
    size_t count = 0;
    box->y = packed->y;
    for (size_t i = 0; i < packed->n; i++) {
        if (deferred->seen[i] != deferred->look)
            continue;
        packed->active[count] = i;
        packed->y[count] = packed->y_all[i];
        packed->direction.diagonal[count] = packed->diagonal_all[i];
        box->f[count] = deferred->f[i];
        box_set(box, count++, packed->alpha_all[i]);
    }
    resize(box, count, packed->y);
    packed->pair = box_worst_pair(box);
}

/* Begins a look with the active patterns and those whose multipliers have changed; or, `all`, with all patterns. */
static void begin_look(struct packed_smo *packed, int all)
{
    struct deferred_f *deferred = &packed->deferred;
    double *signed_alpha = packed->scratch[0];
    keep_alphas(packed);
    conjugate_restart(&packed->direction, &packed->box);
    for (size_t i = 0; i < packed->n; i++)
        signed_alpha[i] = packed->y_all[i] * packed->alpha_all[i];
    deferred_f_begin(deferred, signed_alpha);
    for (size_t i = 0; i < packed->n; i++)
        packed->wanted[i] = all || deferred->change[i] != 0;
    for (size_t k = 0; k < packed->box.n; k++)
        packed->wanted[packed->active[k]] = 1;
    deferred_f_update(deferred, packed->wanted);
    deferred_f_measure(deferred);
    gather_seen(packed);
}

struct question {
    struct packed_smo *packed;
    const struct box_pair *pair;
    double share;
};

static void ask_part(void *context, const struct helpers_part *part)
{
    const struct question *of = context;
    const struct packed_smo *packed = of->packed;
    const struct deferred_f *deferred = &packed->deferred;
    for (size_t i = part->first; i < part->end; i++) {
        double bound = of->share * deferred_f_bound(deferred, i), alpha = packed->alpha_all[i];
        int may_grow = packed->y_all[i] > 0 ? alpha < packed->box.c : alpha > 0,
            may_shrink = packed->y_all[i] > 0 ? alpha > 0 : alpha < packed->box.c;
        packed->wanted[i] = (may_grow && !(deferred->f[i] - bound >= of->pair->f_low)) ||
                            (may_shrink && !(deferred->f[i] + bound <= of->pair->f_up));
    }
}

/* Extends the look to the patterns whose F may have crossed a threshold, if its change is within `share` of its bound.
 * A pattern between its bounds, which the start may have left out, is compared with both thresholds. */
static void see_in_question(struct packed_smo *packed, const struct box_pair *pair, double share)
{
    helpers_run(&(struct helpers_division){packed->n, SIMD_LANES, MIN_SHARED, 1}, ask_part,
                &(struct question){packed, pair, share});
    if (deferred_f_update(&packed->deferred, packed->wanted) > 0)
        gather_seen(packed);
}

/* Makes all patterns active and updates their F. */
static void unshrink(struct packed_smo *packed)
{
    begin_look(packed, 1);
}

/* Updates F of the patterns that violate or may violate: first of those that are likely to. If these satisfy the rule,
 * then of the others, by the full bound. A pattern whose F, by the bound, is neither below the smallest F of I_up nor
 * above the largest of I_low belongs to no violating pair. */
static void look(struct packed_smo *packed)
{
    struct box_pair solved = packed->pair;
    begin_look(packed, !packed->defers);
    if (packed->defers)
        see_in_question(packed, &solved, believed);
    if (packed->defers && delta(packed) <= packed->tolerance) {
        struct box_pair thresholds = {.f_up = packed->pair.f_low, .f_low = packed->pair.f_up};
        see_in_question(packed, &thresholds, 1);
    }
}

/* Checks all patterns; removes those that are far from violating. */
static void check_all(struct packed_smo *packed)
{
    struct box_pair solved = packed->pair;
    look(packed);
    double left = delta(packed), slack = fmin(left, max_slack);
    packed->subproblem_tolerance = fmax(packed->tolerance, part_of_left * fmin(left, 1));
    packed->is_certain = left <= packed->tolerance;
    int is_cut = !packed->is_certain && shrink_if_many_leave(packed, solved.f_up - slack, solved.f_low + slack);
    if (!is_cut && is_shrunk(packed))
        oracle_set_active(packed->oracle, packed->active, packed->box.n);
}

/* ---- solver interface ---- */

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct packed_smo *packed = state;
    struct arena arena = {.block = state};
    struct box *box = &packed->box;
    struct progress start;
    size_t n = problem->n;
    layout(packed, &arena, n);
    packed->n = n;
    packed->y_all = problem->y;
    packed->oracle = oracle;
    packed->subproblem_tolerance = packed->tolerance = problem->tolerance;
    packed->until_shrink = shrink_interval(n);
    oracle_diagonal(oracle, packed->diagonal_all);
    memcpy(packed->direction.diagonal, packed->diagonal_all, n * sizeof *packed->diagonal_all);
    box_start(box, problem, parameter_get(&problem->parameters, &parameter_c), box_start_of(problem), oracle);
    box_fill_progress(box, &start);
    packed->objective = start.objective;
    deferred_f_start(&packed->deferred, problem, box->f, box->signed_alpha, packed->diagonal_all, oracle);
    for (size_t i = 0; i < n; i++)
        packed->active[i] = i;
    packed->entries = 2;
    packed->pair = box_worst_pair(box);
    if (is_large(n)) {
        packed->defers = oracle_is_semidefinite(oracle);
        shrink(packed, is_not_sampled);
        packed->subproblem_tolerance = fmax(packed->tolerance, coarse);
    }
    return STATUS_OK;
}

static enum status select(void *state, struct progress *progress)
{
    struct packed_smo *packed = state;
    if (is_shrunk(packed) && !packed->is_certain && delta(packed) <= packed->subproblem_tolerance)
        check_all(packed);
    else if (packed->until_shrink == 0)
        shrink_if_many_leave(packed, packed->pair.f_up, packed->pair.f_low);
    progress->delta = is_shrunk(packed) && !packed->is_certain ? INFINITY : delta(packed);
    progress->violation = 0.5 * progress->delta; /* at the bias midway between the thresholds */
    progress->updated_class = 0;
    if (!progress->need_objective)
        return STATUS_OK;
    double sum = 0;
    keep_alphas(packed);
    for (size_t i = 0; i < packed->n; i++)
        sum += packed->alpha_all[i];
    progress->objective = packed->objective;
    progress->norm2 = 2 * (packed->objective + sum);
    return STATUS_OK;
}

/* The row of the pattern at position k, restricted to the active patterns. */
static const double *row_of(struct packed_smo *packed, size_t k, int which)
{
    return is_shrunk(packed) ? oracle_active_row(packed->oracle, packed->active[k], packed->scratch[which])
                             : oracle_row(packed->oracle, k);
}

/* Whether the next step is one of 1-smo; after the first that is not, none is. */
static int is_first_step(const struct packed_smo *packed)
{
    return !is_large(packed->n) && packed->steps < STEPS_PER_ENTRY * packed->entries;
}

/* The step along a pair whose rows are given, and the most violating pair after it; 0: no step was possible. */
static int step_along_pair(struct packed_smo *packed, const struct box_pair *pair, const double *row_up,
                           const double *row_low)
{
    struct box *box = &packed->box;
    double curvature = box_curvature(pair, row_up, row_low), length = box_pair_step(box, pair, curvature);
    if (!(length > 0))
        return 0;
    packed->objective += length * (0.5 * length * curvature - (pair->f_low - pair->f_up));
    box_move_pair(box, pair, length);
    packed->pair = box_add_pair(box, length, row_up, row_low);
    return 1;
}

/* The step of 1-smo; all patterns are active. */
static enum status first_step(struct packed_smo *packed)
{
    const double *alpha = packed->box.alpha;
    struct box_pair pair = packed->pair;
    size_t entering = (size_t)(alpha[pair.up] == 0) + (alpha[pair.low] == 0);
    const double *row_up = oracle_row(packed->oracle, pair.up), *row_low = oracle_row(packed->oracle, pair.low);
    if (!step_along_pair(packed, &pair, row_up, row_low))
        return STATUS_STALLED;
    packed->steps++;
    packed->entries += entering;
    return STATUS_OK;
}

/* Sets `low` of the pair to the pattern that gains most with its up, whose row is given. Returns the row of low. */
static const double *choose_low(struct packed_smo *packed, struct box_pair *pair, const double *row_up)
{
    const struct box *box = &packed->box;
    struct second_index second_index = conjugate_second_index(&packed->direction, box, pair, row_up);
    pair->low = shared_select_second_index(box->simd, box->n_padded, &second_index);
    pair->f_low = box->f[pair->low];
    return row_of(packed, pair->low, 1);
}

static enum status second_order_step(struct packed_smo *packed)
{
    struct box_pair pair = packed->pair;
    const double *row_up = row_of(packed, pair.up, 0);
    const double *row_low = choose_low(packed, &pair, row_up);
    if (!step_along_pair(packed, &pair, row_up, row_low))
        return STATUS_STALLED;
    packed->until_shrink--;
    packed->is_certain = 0;
    return STATUS_OK;
}

static enum status conjugate_step(struct packed_smo *packed)
{
    struct conjugate *direction = &packed->direction;
    struct box *box = &packed->box;
    struct box_pair pair = packed->pair;
    const double *row_up = row_of(packed, pair.up, 0);
    const double *row_low = choose_low(packed, &pair, row_up);
    struct conjugate_line_search search =
        conjugate_direction(direction, box, &pair, box_curvature(&pair, row_up, row_low));
    int clipped;
    double length = conjugate_length(direction, box, &search, &clipped);
    if (!(length > 0))
        return STATUS_STALLED;
    packed->objective += length * (0.5 * length * direction->p_norm2 - search.slope);
    packed->pair = conjugate_move(direction, box, row_up, row_low, &search, length);
    if (clipped)
        conjugate_restart(direction, box);
    packed->until_shrink--;
    packed->is_certain = 0;
    return STATUS_OK;
}

static enum status step_of_packed_smo(struct packed_smo *packed)
{
    return is_first_step(packed) ? first_step(packed) : conjugate_step(packed);
}

static enum status step_unless_optimal(struct packed_smo *packed, enum status (*step)(struct packed_smo *packed))
{
    return packed->pair.f_low > packed->pair.f_up ? step(packed) : STATUS_STALLED;
}

/* If the active patterns admit no step, all become active from then on. */
static enum status update_by(struct packed_smo *packed, enum status (*step)(struct packed_smo *packed))
{
    enum status status = step_unless_optimal(packed, step);
    if (status == STATUS_OK || !is_shrunk(packed))
        return status;
    unshrink(packed);
    packed->until_shrink = SIZE_MAX;
    return step_unless_optimal(packed, step);
}

static enum status update(void *state, struct oracle *oracle)
{
    (void)oracle;
    return update_by(state, step_of_packed_smo);
}

static enum status update_second_order(void *state, struct oracle *oracle)
{
    (void)oracle;
    return update_by(state, second_order_step);
}

/* Of the problem of the active patterns. */
static double gap(const void *state, int class)
{
    const struct packed_smo *packed = state;
    (void)class;
    return box_gap(&packed->box, &packed->pair, NULL, packed->box.n);
}

static void alpha(const void *state, double *out)
{
    const struct packed_smo *packed = state;
    memcpy(out, packed->alpha_all, packed->n * sizeof *out);
    for (size_t k = 0; k < packed->box.n; k++)
        out[packed->active[k]] = packed->box.alpha[k];
}

static void tighten(void *state, double tolerance)
{
    struct packed_smo *packed = state;
    packed->tolerance = tolerance;
    packed->subproblem_tolerance = fmax(tolerance, part_of_left * fmin(delta(packed), 1));
}

/* `start: first-pair`. */
static const struct kernel_cost from_first_pair[] = {{.is_stated = 1, .n = 3}, {0}};

/* Rows of the active patterns, the update of F of all patterns, and a second pair once all are active. */
static const struct kernel_cost with_shrinking[] = {{.is_stated = 1, .at_most = 1, .n2 = 1, .n = 4}, {0}};

/* The members that both share. */
#define ALIKE                                                                                                \
    .formulation = FORMULATION_C_SVM, .parameters = PARAMETERS(&parameter_c, &parameter_start),              \
    .stops = 1u << STOP_DELTA | 1u << STOP_KKT | 1u << STOP_KKT_RELAXED | 1u << STOP_ITERATIONS,             \
    .setup_cost = {.is_stated = 1, .n = 1}, .further_setup_costs = from_first_pair,                          \
    .iteration_cost = {.is_stated = 1, .n = 2}, .further_iteration_costs = with_shrinking, .is_monotone = 1, \
    .state_size = state_size, .init = init, .select = select, .gap = gap, .alpha = alpha,            \
    .tighten = tighten

extern const struct solver solver_packed_smo, solver_packed_second_order_smo;

const struct solver solver_packed_smo = {
    .name = "packed-smo",
    .title = "conjugate SMO that packs the active patterns",
    .reference = "Torres-Barran, Alaiz and Dorronsoro 2021; Fan, Chen and Lin 2005, Section 5",
    .update = update,
    ALIKE,
};

const struct solver solver_packed_second_order_smo = {
    .name = "packed-second-order-smo",
    .title = "second-order SMO, packs the active patterns",
    .reference = "Fan, Chen and Lin 2005, WSS 2 and Section 5",
    .update = update_second_order,
    ALIKE,
};
