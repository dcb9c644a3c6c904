/*
 * SMO on packed patterns: those that are part of no violating pair are left out, and the others are moved together in
 * memory, so that the loops over them are those over all patterns, only shorter.
 *
 *   packed-smo               steps of 1-smo (smo.c), then conjugate SMO (conjugate.c)
 *   packed-second-order-smo  second-order SMO (second_order_smo.c). What is said below of conjugate steps holds for its
 *                            steps; it has no first steps of another kind
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 * A pattern at a bound whose y alpha can only grow is part of no violating pair while F is above F_low, the largest F
 * where y alpha can shrink; one whose y alpha can only shrink while F is below F_up (Fan, Chen and Lin 2005, Section 5,
 * after Joachims 1999). Every min(N, MAX_SHRINK_INTERVAL) conjugate steps, as in LIBSVM (Chang and Lin 2011), these
 * patterns leave, if they are many. Their multipliers stay, their F is not kept up to date, and a row costs as many
 * kernel operations as patterns take part.
 *
 * When no pair of the others violates by more than `subproblem_tolerance`, the solver looks at all patterns: it brings
 * their F up to date by what has moved, and finds the pair that violates most among all. If this pair violates by more
 * than the rule's tolerance, patterns leave that were outside the thresholds of the problem just solved by some slack.
 * Those inside, and all that violate, take part again, until they violate by no more than a part of the violation that
 * the look found. Solving this part of the problem exactly before others come back would be a waste of time.
 *
 * On large problems most kernel values are asked for at these looks, so a look passes over patterns whose F cannot have
 * crossed a threshold, by the bound of deferred_f.c. Few changes come near the bound. So while violating patterns are
 * found, only a small part of the bound is allowed for. When no more are found, the whole bound decides, so no pattern
 * that may violate is passed over at the end.
 *
 * Large problems begin with every SAMPLED-th pattern. Near the solution of this sample most other patterns turn out to
 * be optimal at 0 before a row has been asked for them. This is chunking with the multipliers kept (Vapnik 1982; Osuna,
 * Freund and Girosi 1997).
 *
 * On other problems packed-smo begins with the steps of 1-smo, along the pair that violates most, which is found while
 * F is updated. A conjugate step gains more, but makes one more pass over the patterns and several over those that its
 * direction moves. While steps bring patterns in, the row of each pattern has to be computed in any case, so little is
 * lost by the cheaper steps. There are STEPS_PER_ENTRY of them for each multiplier that has left 0, and for the two of
 * a first pair. By then most steps move multipliers that had left 0 before, and several times fewer conjugate steps do
 * the same. So all further steps are conjugate. A problem that is solved earlier has no conjugate steps, and one that
 * is not has few of the first kind. Convergence is that of conjugate SMO, begun at the multipliers reached, or, where
 * multipliers leave 0 so often that it never begins, that of 1-smo.
 *
 * While patterns are left out, the violation reported to the stopping rules is infinite. The objective is updated with
 * the steps: one of length t along a direction p of slope -s adds t (t p . K p / 2 - s).
 */
#include <math.h>
#include <string.h>

#include "solvers/decomposition/conjugate.h"
#include "solvers/decomposition/deferred_f.h"

enum {
    STEPS_PER_ENTRY = 2,           /* of 1-smo, for each time that a multiplier left 0 */
    MAX_SHRINK_INTERVAL = 1000,    /* conjugate steps from one check of what may leave to the next, */
    SAMPLED_SHRINK_INTERVAL = 100, /* the same on large problems, where rows are seldom in memory */
    MIN_SHRINK_FRACTION = 5,       /* one in so many has to leave for shrinking to be worth its time */
    SAMPLED = 8,                   /* a large problem begins with one pattern in so many */
    MIN_SAMPLE = 1000,             /* a problem is large where its sample has so many */
    KEPT_LOOKS = 8                 /* on large problems, see deferred_f.h */
};
static const double max_slack = 0.2;     /* of F, whose margins are at a distance of 2 */
static const double coarse = 0.1;        /* violation at which a sample is solved well enough */
static const double believed = 0.05;     /* part of the bound of a change of F, until a look has to be certain */
static const double part_of_left = 0.03; /* of the violation that a look found; the next part is solved to this */

struct packed_smo {
    struct box box; /* of the patterns that take part */
    struct conjugate direction;
    struct box_pair pair; /* the one that violates most of those */
    struct oracle *oracle;
    double tolerance, subproblem_tolerance, objective;
    double leave_up, leave_low; /* thresholds: patterns outside leave */
    size_t until_shrink;        /* conjugate steps */
    size_t steps, entries;      /* first steps; 2, and the times that a multiplier left 0 in them */
    size_t n;                   /* all patterns */
    const signed char *y_all;   /* n */
    double *alpha_all;          /* n; up to date for patterns left out */
    double *diagonal_all;       /* n */
    size_t *active;             /* the patterns that take part, ascending */
    signed char *y;             /* their labels */
    double *scratch[2];         /* for their rows, cut to them */
    struct deferred_f deferred; /* F of all patterns */
    unsigned char *wanted;      /* n flags: patterns whose F a look brings up to date */
    int defers;                 /* whether looks pass over patterns */
    int is_certain;             /* no pattern that the last look passed over is part of a violating pair */
};

/* Whether it begins with a sample, and looks pass over patterns. */
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

static size_t count_leaving(const struct packed_smo *packed, leaves *leave)
{
    size_t leaving = 0;
    for (size_t k = 0; k < packed->box.n; k++)
        leaving += leave(packed, k) != 0;
    return leaving;
}

/* Moves the patterns that stay together in memory. */
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

/* Nonzero where many left. */
static int shrink_if_many_leave(struct packed_smo *packed, double leave_up, double leave_low)
{
    packed->until_shrink = shrink_interval(packed->n);
    packed->leave_up = leave_up;
    packed->leave_low = leave_low;
    int many = MIN_SHRINK_FRACTION * count_leaving(packed, is_outside) >= packed->box.n;
    if (many)
        shrink(packed, is_outside);
    return many;
}

/* ---- looks at all patterns ---- */

/* Those take part that the look has seen. */
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

/* Begins a look with the patterns that take part and those whose multipliers have moved; or, `all`, with all. */
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

/* Continues the look with the patterns whose F may have crossed a threshold, if its change is within `share` of its
 * bound. A pattern between its bounds, which the start may have left out, is compared with both thresholds. */
static void see_in_question(struct packed_smo *packed, const struct box_pair *pair, double share)
{
    const struct deferred_f *deferred = &packed->deferred;
    for (size_t i = 0; i < packed->n; i++) {
        double bound = share * deferred_f_bound(deferred, i), alpha = packed->alpha_all[i];
        int may_grow = packed->y_all[i] > 0 ? alpha < packed->box.c : alpha > 0,
            may_shrink = packed->y_all[i] > 0 ? alpha > 0 : alpha < packed->box.c;
        packed->wanted[i] = (may_grow && !(deferred->f[i] - bound >= pair->f_low)) ||
                            (may_shrink && !(deferred->f[i] + bound <= pair->f_up));
    }
    if (deferred_f_update(&packed->deferred, packed->wanted) > 0)
        gather_seen(packed);
}

/* All patterns take part, their F brought up to date. */
static void unshrink(struct packed_smo *packed)
{
    begin_look(packed, 1);
}

/* Brings F up to date for the patterns that violate or may violate: first for those that are likely to. If these
 * satisfy the rule, then for the others, by the whole bound. A pattern whose F, by the bound, is neither below the
 * least F of I_up nor above the largest of I_low is part of no violating pair. */
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

/* Looks at all patterns; those that are far from violating leave again. */
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

/* ---- the contract ---- */

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

/* The row of the pattern at place k, at the patterns that take part. */
static const double *row_of(struct packed_smo *packed, size_t k, int which)
{
    return is_shrunk(packed) ? oracle_active_row(packed->oracle, packed->active[k], packed->scratch[which])
                             : oracle_row(packed->oracle, k);
}

/* Whether the next step is one of 1-smo; once it is not, none is any more. */
static int is_first_step(const struct packed_smo *packed)
{
    return !is_large(packed->n) && packed->steps < STEPS_PER_ENTRY * packed->entries;
}

/* The step along a pair of which both rows are given, and the pair that violates most after it; 0: there is none. */
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

/* That of 1-smo; all patterns take part. */
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

/* Makes `low` of the pair the one that gains most with its up, whose row is given; returns its row. */
static const double *choose_low(struct packed_smo *packed, struct box_pair *pair, const double *row_up)
{
    const struct box *box = &packed->box;
    struct second_index second_index = conjugate_second_index(&packed->direction, box, pair, row_up);
    pair->low = box->simd->select_second_index(box->n_padded, &second_index);
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
    if (!(search.max_step > 0 && search.slope > 0))
        return STATUS_STALLED;
    int clipped;
    double length = conjugate_length(direction, &search, &clipped);
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

/* Where the patterns that take part allow no step, all do, from then on. */
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

/* Of the problem of the patterns taking part. */
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

/* Rows of the patterns that take part, F of all brought up to date, and a second pair once all take part. */
static const struct kernel_cost with_shrinking[] = {{.is_stated = 1, .at_most = 1, .n2 = 1, .n = 4}, {0}};

/* The members that they have alike. */
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
    .title = "SMO with conjugate steps that packs the patterns still in question, linear penalty",
    .reference = "Torres-Barran, Alaiz and Dorronsoro 2021; Fan, Chen and Lin 2005, Section 5",
    .update = update,
    ALIKE,
};

const struct solver solver_packed_second_order_smo = {
    .name = "packed-second-order-smo",
    .title = "second-order SMO that packs the patterns still in question, linear penalty",
    .reference = "Fan, Chen and Lin 2005, WSS 2 and Section 5",
    .update = update_second_order,
    ALIKE,
};
