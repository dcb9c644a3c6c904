/*
 * clip-mdm with conjugate steps, shrinking and Newton steps, for the nu-SVC.
 *
 *   min 1/2 |W|^2,  W = sum s_i X_i,  s_i = y_i alpha_i,  0 <= alpha <= mu,  sum of alpha = 1 in each class
 *
 * With F_i = W . X_i, a step moves s_up up and s_low down, both in one class. The class is that of the larger Delta =
 * max F - min F, with the minimum over the patterns whose s may increase, and the maximum over those where it may
 * decrease (clip-mdm; Lopez, Barbero and Dorronsoro 2011, Section 4.1). up is where F is smallest. low and the step are
 * those of conjugate SMO (Torres-Barran, Alaiz and Dorronsoro 2021; solvers/decomposition/conjugate.c) with the
 * direction P of the previous step:
 *
 *   P' = X_up - X_low + gamma P,   gamma = -(X_up - X_low) . P / |P|^2,
 *   low = argmax (F_low - F_up)^2 / |P'|^2,   W' = W + lambda P',   lambda = -W . P' / |P'|^2,
 *
 * clipped so that every multiplier that P' moves stays within its bounds. After a clipped step, P = 0. As in
 * conjugate-clip-mdm, P may move patterns of both classes. If the hulls overlap much and nu is small, nearly all
 * support vectors are free, and P moves most of them. So P is an array over the patterns, and loops over vectors do
 * everything; conjugate-clip-mdm lists the patterns that its up to eight directions move.
 *
 * room_i is how far s_i may decrease: alpha_i in class +1, mu - alpha_i in class -1. So s_i may increase by mu -
 * room_i, and both classes have the same bounds, 0 <= room <= mu.
 *
 * Patterns that are optimal at a bound are left out (part.c), for the first time after min(N, FIRST_CUT) steps. When
 * Delta of the others has fallen to 1 / LOOK_FACTOR of its last value over all patterns, all are checked (a look) and
 * are active in the next iteration; then patterns are left out again. If objective and |W|^2 are asked for, as
 * they are when the harness checks a gap, all are also checked if the gap of the active patterns, a lower bound on the
 * gap, is small enough for the rule; it is summed when the steps have grown by one in LOOK_SPACING.
 * Between looks Delta is reported as infinite, so that no rule is met. P is forgotten when patterns leave or return.
 *
 * It starts at the first 1/mu patterns of each class, rounded up. A step costs two kernel operations for each active
 * pattern.
 *
 * If only the optimum is wanted (starts_anywhere), Newton steps on faces (face.h) are made in between, since the steps
 * above approach an optimum with thousands of free patterns slowly: on 5000 noisy patterns, nu = 0.05, they need some
 * 100000 for each digit of the gap. The first is made when the others have taken as long as its factor would, at
 * FACE_PRICE, so that problems which are solved sooner lose nothing.
 */
#include <math.h>
#include <string.h>

#include "solvers/cycle.h"
#include "solvers/hull/face.h"
#include "solvers/hull/part.h"

enum {
    FIRST_CUT = 1000,
    LOOK_FACTOR = 3,
    LOOK_SPACING = 32,
    BALANCE_SPACING = 16, /* steps between checks that P keeps the sums of multipliers */
    FACE_PRICE = 100, /* multiplications of a step on a face that take as long as an active pattern in another step */
    FACE_PAUSE = 4    /* after a step on a face, others take this fraction of its time */
};

struct packed_mdm {
    struct hull hull; /* of the active patterns; its weights are current after put_weights only */
    struct hull_part part;
    struct oracle *oracle;
    size_t up, low; /* of the class to be updated */
    double *room, *moved;             /* n_padded; `moved` is scratch */
    double *p, *q;                    /* n_padded: P = sum p_i X_i; q_j = P . X_j. Of no meaning if p_scale is 0 */
    double p_norm2, p_scale, p_slope; /* |P|^2 and its inverse, 0 without a P; -W . P */
    double *unit[2];                  /* n_padded: zeros */
    unsigned char *moves;             /* set (simd.h): the patterns that P moves */
    double *diagonal_all, *diagonal;  /* n: |X_j|^2 of all patterns, and of the active ones */
    double *scratch[2];               /* n_padded: rows of active patterns */
    double norm2;                     /* |W|^2, updated by the steps */
    size_t steps, next_look;          /* steps made; the number of them before which no gap is summed */
    size_t until_cut;                 /* steps; SIZE_MAX: no more patterns are left out */
    double look_below;                /* Delta below which all patterns are checked */
    struct face face;                 /* its factor has no memory if no steps on faces are to be made */
    double work, next_face;           /* active patterns of all steps; the work before the next step on a face */
};

static void place(struct packed_mdm *mdm, struct arena *arena, size_t n)
{
    part_layout(&mdm->part, arena, n);
    double **const arrays[] = {&mdm->room, &mdm->moved, &mdm->p, &mdm->q, &mdm->diagonal_all, &mdm->diagonal,
                               &mdm->scratch[0], &mdm->scratch[1], &mdm->unit[0], &mdm->unit[1]};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        *arrays[a] = arena_doubles(arena, n);
    mdm->moves = arena_take(arena, simd_set_bytes(n));
    face_layout(&mdm->face, arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {.used = hull_state_size(sizeof(struct packed_mdm), 0, problem->n)};
    struct packed_mdm mdm;
    if (arena.used < SIZE_MAX)
        place(&mdm, &arena, problem->n);
    return arena.used;
}

/* ---- rooms, and the weights of the hull ---- */

static void put_weights(const struct packed_mdm *mdm)
{
    const struct hull *hull = &mdm->hull;
    for (size_t k = 0; k < hull->n; k++)
        hull->weights[class_index(hull->y[k])][k] = hull->y[k] > 0 ? mdm->room[k] : hull->mu - mdm->room[k];
}

static void set_eligible(struct packed_mdm *mdm, size_t k)
{
    struct hull *hull = &mdm->hull;
    int first = 2 * class_index(hull->y[k]);
    simd_set_put(hull->eligible[first], k, mdm->room[k] < hull->mu);
    simd_set_put(hull->eligible[first + 1], k, mdm->room[k] > 0);
}

/* From now on the direction of the next step is that of its pair alone. */
static void forget(struct packed_mdm *mdm)
{
    mdm->p_norm2 = mdm->p_scale = mdm->p_slope = 0;
    memset(mdm->moves, 0, simd_set_bytes(mdm->hull.n));
}

/* Takes the rooms from the hull, whose patterns have changed. */
static void take_hull(struct packed_mdm *mdm)
{
    const struct hull *hull = &mdm->hull;
    memset(mdm->room, 0, hull->n_padded * sizeof *mdm->room);
    memset(mdm->p, 0, hull->n_padded * sizeof *mdm->p);
    memset(mdm->q, 0, hull->n_padded * sizeof *mdm->q);
    for (size_t k = 0; k < hull->n; k++) {
        double alpha = hull->weights[class_index(hull->y[k])][k];
        mdm->room[k] = hull->y[k] > 0 ? alpha : hull->mu - alpha;
        mdm->diagonal[k] = mdm->diagonal_all[mdm->part.active[k]];
        set_eligible(mdm, k);
    }
    mdm->hull.has_pairs = 0;
    forget(mdm);
}

/* ---- active patterns ---- */

static int is_cut(const struct packed_mdm *mdm)
{
    return mdm->part.n_left > 0;
}

static double worst_delta(struct packed_mdm *mdm)
{
    hull_find_pairs(&mdm->hull);
    return fmax(mdm->hull.pair[0].delta, mdm->hull.pair[1].delta);
}

static void look_at_all(struct packed_mdm *mdm, size_t until_cut)
{
    put_weights(mdm);
    part_join(&mdm->part, &mdm->hull, mdm->oracle);
    take_hull(mdm);
    mdm->until_cut = until_cut;
}

static void cut(struct packed_mdm *mdm)
{
    mdm->look_below = worst_delta(mdm) / LOOK_FACTOR;
    mdm->until_cut = mdm->hull.n < FIRST_CUT ? mdm->hull.n : FIRST_CUT;
    put_weights(mdm);
    if (part_cut(&mdm->part, &mdm->hull, mdm->oracle) > 0)
        take_hull(mdm);
}

/* Whether the gap of the active patterns would meet a rule on gaps, as far as it is time to ask. */
static int may_be_met(struct packed_mdm *mdm)
{
    if (mdm->steps < mdm->next_look)
        return 0;
    mdm->next_look = mdm->steps + mdm->steps / LOOK_SPACING;
    put_weights(mdm);
    mdm->hull.norms_state = NORMS_STALE;
    return hull_gap(&mdm->hull, 0) <= mdm->hull.tolerance * mdm->norm2;
}

static void cut_or_look(struct packed_mdm *mdm, const struct progress *progress)
{
    if (!is_cut(mdm)) {
        if (mdm->until_cut == 0)
            cut(mdm);
    } else if (mdm->norm2 <= progress->rounding_norm2)
        look_at_all(mdm, SIZE_MAX); /* only the sum over all patterns shows whether the hulls meet */
    else if (worst_delta(mdm) <= mdm->look_below || (progress->need_objective && may_be_met(mdm)))
        look_at_all(mdm, 1);
}

/* The row of the k-th active pattern, restricted to the active patterns. */
static const double *row_of(struct packed_mdm *mdm, size_t k, int which)
{
    return is_cut(mdm) ? oracle_active_row(mdm->oracle, mdm->part.active[k], mdm->scratch[which])
                       : oracle_row(mdm->oracle, k);
}

/* ---- the step ---- */

static size_t choose_low(const struct packed_mdm *mdm, int class, const double *row_up)
{
    const struct hull *hull = &mdm->hull;
    const double *f = hull->products[0];
    const struct second_index second_index = {.eligible = hull->eligible[2 * class_index(class) + 1],
                                              .f = f,
                                              .row = row_up,
                                              .diagonal = mdm->diagonal,
                                              .q = mdm->p_scale > 0 ? mdm->q : NULL,
                                              .f_first = f[mdm->up],
                                              .diagonal_first = mdm->diagonal[mdm->up],
                                              .q_first = mdm->q[mdm->up],
                                              .scale = mdm->p_scale,
                                              .hint = mdm->low};
    return hull->simd->select_second_index(hull->n_padded, &second_index);
}

/* A direction, and the step along it that minimises |W|. */
struct line {
    double gamma, slope, step; /* slope: -W . P' */
};

/* Replaces P by P' in all but p and q, and computes the step. */
static struct line turn(struct packed_mdm *mdm, double curvature)
{
    const double *f = mdm->hull.products[0];
    const double along = mdm->p_scale > 0 ? mdm->q[mdm->up] - mdm->q[mdm->low] : 0, lost = along * along * mdm->p_scale;
    if (!(lost < (1 - SECOND_INDEX_MIN_LEFT) * curvature))
        forget(mdm);
    const double gamma = -along * mdm->p_scale, slope = (f[mdm->low] - f[mdm->up]) + gamma * mdm->p_slope;
    simd_set_put(mdm->moves, mdm->up, 1);
    simd_set_put(mdm->moves, mdm->low, 1);
    mdm->p_norm2 = mdm->p_scale > 0 ? curvature - lost : curvature;
    mdm->p_scale = mdm->p_norm2 > 0 ? 1 / mdm->p_norm2 : 0;
    return (struct line){gamma, slope, slope * mdm->p_scale};
}

/* p' = e_up - e_low + gamma p. Then moves by a step after which all patterns that P' moves are free; returns 0, with
 * nothing moved, if some would not be. */
static int move_freely(struct packed_mdm *mdm, const struct line *line)
{
    struct hull *hull = &mdm->hull;
    const unsigned char *const sets[2] = {mdm->moves, mdm->moves};
    struct argminmax of;
    memcpy(mdm->moved, mdm->room, hull->n_padded * sizeof *mdm->moved);
    mdm->unit[0][mdm->up] = mdm->unit[1][mdm->low] = 1;
    hull->simd->turn_argminmax(hull->n_padded, line->gamma, line->step, mdm->unit[0], mdm->unit[1], sets, mdm->p,
                               mdm->moved, &of);
    mdm->unit[0][mdm->up] = mdm->unit[1][mdm->low] = 0;
    if (!(line->step > 0 && of.min > 0 && of.max < hull->mu))
        return 0;
    double *before = mdm->room;
    mdm->room = mdm->moved;
    mdm->moved = before;
    set_eligible(mdm, mdm->up); /* all others were free */
    set_eligible(mdm, mdm->low);
    return 1;
}

/* How far a room may change in the direction of p. */
static double max_change(const struct packed_mdm *mdm, size_t k)
{
    return mdm->p[k] > 0 ? mdm->hull.mu - mdm->room[k] : mdm->room[k];
}

/* The longest step that keeps all rooms within their bounds. */
static double longest_step(const struct packed_mdm *mdm)
{
    double longest = INFINITY;
    for (size_t k = 0; k < mdm->hull.n; k++)
        if (mdm->p[k] != 0 && max_change(mdm, k) < longest * fabs(mdm->p[k]))
            longest = max_change(mdm, k) / fabs(mdm->p[k]);
    return longest;
}

/* A step that may put patterns on bounds. */
static void move_to_bounds(struct packed_mdm *mdm, double step)
{
    for (size_t k = 0; k < mdm->hull.n; k++) {
        if (mdm->p[k] == 0)
            continue;
        mdm->room[k] = cycle_land(mdm->room[k], step * mdm->p[k], max_change(mdm, k),
                                  mdm->p[k] > 0 ? mdm->hull.mu : 0);
        set_eligible(mdm, k);
    }
}

/* Whether P' still keeps the sums of multipliers, so that a long step may be trusted (cycle_weights_are_balanced). */
static int is_balanced(const struct packed_mdm *mdm)
{
    double sum[2] = {0, 0}, largest = 0;
    if (mdm->steps % BALANCE_SPACING != 0)
        return 1;
    for (size_t k = 0; k < mdm->hull.n; k++) {
        sum[class_index(mdm->hull.y[k])] += mdm->p[k];
        largest = fabs(mdm->p[k]) > largest ? fabs(mdm->p[k]) : largest;
    }
    return fabs(sum[0]) <= 1e-10 * largest && fabs(sum[1]) <= 1e-10 * largest;
}

/* Moves along the pair's direction, conjugate to P if there is one; returns 0, with nothing moved, if it does not
 * descend or admits no step. */
static int move(struct packed_mdm *mdm, const double *row_up, const double *row_low)
{
    struct hull *hull = &mdm->hull;
    struct argminmax of[2];
    const double curvature = (row_up[mdm->up] - row_up[mdm->low]) + (row_low[mdm->low] - row_low[mdm->up]);
    const struct line line = turn(mdm, curvature);
    double step = line.step;
    if (!(line.slope > 0))
        return 0;
    const int is_free = move_freely(mdm, &line);
    if (!is_free) {
        step = hull_step(line.slope, mdm->p_norm2, longest_step(mdm));
        if (!(step > 0))
            return 0;
        move_to_bounds(mdm, step);
    }
    hull->simd->turn_argminmax_twice(hull->n_padded, line.gamma, step, row_up, row_low,
                                     (const unsigned char *const *)hull->eligible, mdm->q, hull->products[0], of);
    hull_take_extremes(hull, of);
    hull->norms_state = NORMS_STALE;
    mdm->norm2 += step * (step * mdm->p_norm2 - 2 * line.slope);
    mdm->p_slope = line.slope - step * mdm->p_norm2;
    if (!is_free || !is_balanced(mdm))
        forget(mdm);
    return 1;
}

static enum status step(struct packed_mdm *mdm)
{
    hull_find_pairs(&mdm->hull);
    const int class = mdm->hull.pair[0].delta > mdm->hull.pair[1].delta ? 1 : -1;
    const struct hull_pair *pair = &mdm->hull.pair[class_index(class)];
    if (!(pair->delta > 0))
        return STATUS_STALLED; /* optimal */
    mdm->up = class > 0 ? pair->low : pair->high;
    mdm->low = class > 0 ? pair->high : pair->low;
    const double *row_up = row_of(mdm, mdm->up, 0);
    mdm->low = choose_low(mdm, class, row_up);
    const double *row_low = row_of(mdm, mdm->low, 1);
    int is_moved = move(mdm, row_up, row_low);
    if (!is_moved) {
        forget(mdm);
        is_moved = move(mdm, row_up, row_low);
    }
    mdm->steps += is_moved != 0;
    return is_moved ? STATUS_OK : STATUS_STALLED;
}

/* ---- steps on a face ---- */

static const double *active_row(void *context, size_t k)
{
    return row_of(context, k, 0);
}

/* Moves by t times the change of the face's step; a pattern that reaches a bound is put exactly on it. */
static void move_on_face(struct packed_mdm *mdm, double t)
{
    const double *change = mdm->face.change;
    for (size_t k = 0; k < mdm->hull.n; k++) {
        if (change[k] == 0)
            continue;
        const double most = change[k] > 0 ? mdm->hull.mu - mdm->room[k] : mdm->room[k];
        mdm->room[k] = cycle_land(mdm->room[k], t * change[k], most, change[k] > 0 ? mdm->hull.mu : 0);
        set_eligible(mdm, k);
    }
    mdm->hull.simd->axpy(mdm->hull.n_padded, t, mdm->face.product_change, mdm->hull.products[0]);
    mdm->hull.has_pairs = 0;
    mdm->hull.norms_state = NORMS_STALE;
    forget(mdm);
}

/* Finds the patterns that a step on a face would move; returns nonzero if it is due: the other steps have taken as long
 * as the first factor would, which has not become too large, and the gap is not small enough yet. */
static int face_is_due(struct packed_mdm *mdm, const struct face_state *state)
{
    if (!mdm->face.factor.values || mdm->work < mdm->next_face)
        return 0;
    hull_find_pairs(&mdm->hull);
    const size_t count = face_count_movable(&mdm->face, state);
    const double n = (double)count, factor_time = n * n * n / (6 * FACE_PRICE);
    mdm->next_face = fmax(factor_time, (1 + 1.0 / LOOK_SPACING) * mdm->work);
    if (count < 2 || count > mdm->face.max || mdm->work < factor_time)
        return 0;
    put_weights(mdm);
    return hull_gap(&mdm->hull, 0) > mdm->hull.tolerance * mdm->norm2;
}

/* Returns 0, with nothing moved, if no step on a face is due, or if it does not descend. */
static int step_on_face(struct packed_mdm *mdm)
{
    const struct face_state state = {&mdm->hull, mdm->room, mdm->diagonal, active_row, mdm};
    double slope, curvature;
    if (!face_is_due(mdm, &state))
        return 0;
    const double time = face_solve(&mdm->face, &state, &slope, &curvature) / FACE_PRICE;
    const double t = slope > 0 ? hull_step(slope, curvature, 1) : 0;
    mdm->next_face = mdm->work + (t > 0 ? time / FACE_PAUSE : fmax(mdm->work, time));
    mdm->next_look = mdm->steps;
    if (!(t > 0))
        return 0;
    move_on_face(mdm, t);
    mdm->norm2 += t * (t * curvature - 2 * slope);
    return 1;
}

/* ---- solver interface ---- */

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct packed_mdm *mdm = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *mdm);
    enum status status = hull_start_at_few(&mdm->hull, &arena, problem, hull_mu(problem), oracle);
    if (status != STATUS_OK)
        return status;
    place(mdm, &arena, problem->n);
    oracle_diagonal(oracle, mdm->diagonal_all);
    hull_join(&mdm->hull);
    part_start(&mdm->part, &mdm->hull);
    take_hull(mdm);
    struct hull_norms norms = hull_norms(&mdm->hull);
    mdm->norm2 = hull_norm2(&norms);
    mdm->oracle = oracle;
    mdm->until_cut = problem->n < FIRST_CUT ? problem->n : FIRST_CUT;
    mdm->face.factor.simd = mdm->hull.simd;
    if (!problem->starts_anywhere)
        return STATUS_OK;
    mdm->face.factor.values = oracle_reserve(oracle, tiled_factor_doubles(mdm->face.max));
    if (!mdm->face.factor.values)
        return error_set(problem->error, STATUS_NO_MEMORY, "out of memory for a factor of %zu rows", mdm->face.max);
    return STATUS_OK;
}

/* The values that are free of cost; |W|^2 is summed if it must be. */
static enum status select(void *state, struct progress *progress)
{
    struct packed_mdm *mdm = state;
    struct hull *hull = &mdm->hull;
    cut_or_look(mdm, progress);
    progress->delta = worst_delta(mdm);
    progress->updated_class = hull->pair[0].delta > hull->pair[1].delta ? 1 : -1;
    if (is_cut(mdm))
        progress->delta = progress->violation = progress->gap_lower_bound = progress->class_gap[0] =
            progress->class_gap[1] = INFINITY;
    else if (progress->need_objective || mdm->norm2 <= progress->rounding_norm2) {
        put_weights(mdm);
        hull->norms = hull_norms(hull);
        hull->norms_state = NORMS_EXACT;
        mdm->norm2 = hull_norm2(&hull->norms);
    }
    progress->norm2 = mdm->norm2;
    progress->objective = 0.5 * mdm->norm2;
    return STATUS_OK;
}

/* If the active patterns admit no step, all become active from then on. */
static enum status update(void *state, struct oracle *oracle)
{
    struct packed_mdm *mdm = state;
    (void)oracle;
    if (step_on_face(mdm))
        return STATUS_OK;
    mdm->work += (double)mdm->hull.n;
    enum status status = step(mdm);
    if (status != STATUS_OK && is_cut(mdm)) {
        look_at_all(mdm, SIZE_MAX);
        status = step(mdm);
    }
    if (mdm->until_cut > 0 && mdm->until_cut < SIZE_MAX)
        mdm->until_cut--;
    return status;
}

static double gap(const void *state, int class)
{
    const struct packed_mdm *mdm = state;
    put_weights(mdm);
    return hull_gap(&mdm->hull, class);
}

static void alpha(const void *state, double *out)
{
    const struct packed_mdm *mdm = state;
    put_weights(mdm);
    part_alpha(&mdm->part, &mdm->hull, out);
}

/* Rows of the active patterns, and a look at the others, with twice the rows if the active ones admit no step; and a
 * step on a face. */
static const struct kernel_cost with_shrinking[] = {{.is_stated = 1, .at_most = 1, .n2 = 1, .n = 4},
                                                    {.is_stated = 1, .at_most = 1, .n2 = 1 + FACE_COST},
                                                    {0}};

extern const struct solver solver_packed_clip_mdm;

const struct solver solver_packed_clip_mdm = {
    .name = "packed-clip-mdm",
    .title = "clip-mdm with conjugate and Newton steps",
    .reference = "after Torres-Barran, Alaiz and Dorronsoro 2021; Joachims 1999; Lopez et al. 2011, Section 4.1",
    .formulation = FORMULATION_NEAREST_POINTS,
    .stops = HULL_STOPS,
    .parameters = PARAMETERS(&parameter_mu),
    .setup_cost = {.is_stated = 1, .rows_point = 2, .n = 1},
    .iteration_cost = {.is_stated = 1, .n = 2},
    .further_iteration_costs = with_shrinking,
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = gap,
    .alpha = alpha,
};
