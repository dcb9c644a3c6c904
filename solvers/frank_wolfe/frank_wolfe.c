/* Vertices, directions and steps of the Frank-Wolfe solvers, see frank_wolfe.h. */
#include "solvers/frank_wolfe/frank_wolfe.h"

#include <math.h>
#include <string.h>

#include "solvers/hull/smallest.h"

const struct parameter parameter_classes = {
    .name = "classes",
    .meaning = "a step moves the class with the larger gap (one), or both classes by the same step length (both)",
    .type = PARAMETER_CHOICE, .choices = (const char *const[]){"one", "both", NULL},
    .fallback = FW_ONE_CLASS};

static void layout(struct frank_wolfe *fw, struct arena *arena, size_t n)
{
    for (int c = 0; c < 2; c++) {
        fw->direction[c].row = arena_doubles(arena, n);
        fw->direction[c].indices = arena_take(arena, n * sizeof(size_t));
        fw->toward[c].indices = arena_take(arena, n * sizeof(size_t));
        fw->away[c].indices = arena_take(arena, n * sizeof(size_t));
    }
    fw->coefficient = arena_doubles(arena, n);
    fw->weights = arena_doubles(arena, n);
    fw->free = arena_take(arena, n * sizeof(size_t));
}

size_t fw_state_size(size_t head, const struct problem *problem)
{
    struct frank_wolfe fw;
    struct arena arena = {.used = hull_state_size(head, 0, problem->n)};
    layout(&fw, &arena, problem->n);
    return arena.used;
}

enum status fw_start(struct frank_wolfe *fw, size_t head, const struct problem *problem, struct oracle *oracle)
{
    struct arena arena = {.block = (char *)fw};
    arena_take(&arena, head);
    enum status status = hull_start(&fw->hull, &arena, problem, hull_mu(problem), oracle);
    layout(fw, &arena, problem->n);
    fw->moves_both = solver_reads(problem->solver, &parameter_classes) &&
                     parameter_get(&problem->parameters, &parameter_classes) == FW_BOTH_CLASSES;
    return status;
}

/* ---- vertices ---- */

static double value_of(const struct hull *hull, int class, const struct hull_point *point)
{
    double sum = 0;
    for (size_t k = 0; k < point->count; k++)
        sum += class * hull_projection(hull, point->indices[k]);
    double rest = point->last_weight > 0 ? point->last_weight * (class * hull_projection(hull, point->last)) : 0;
    return point->weight * sum + rest;
}

/* Finds A: patterns at mu go to A's indices, free ones to fw->free with -v in search->value; the first of these join
 * A. */
static int find_away(struct frank_wolfe *fw, int class)
{
    struct hull *hull = &fw->hull;
    int c = class_index(class), has_rest = hull->rest_weight > 0;
    struct fw_vertex *away = &fw->away[c];
    size_t n_bound = 0, n_free = 0, n_full = hull->n_full_weights;
    for (size_t k = 0; k < hull->count[c]; k++) {
        size_t j = hull->members[c][k];
        double weight = hull->weights[c][j];
        if (weight >= hull->mu) {
            away->indices[n_bound++] = j;
        } else if (weight > 0) {
            hull->search->value[j] = -class * hull_projection(hull, j);
            fw->free[n_free++] = j;
        }
    }
    if (n_bound > n_full || n_full - n_bound + (size_t)has_rest > n_free)
        return 0;
    size_t needed = n_full - n_bound + (size_t)has_rest;
    if (needed > 0)
        smallest_partition(fw->free, n_free, needed, hull->search->value);
    memcpy(away->indices + n_bound, fw->free, needed * sizeof *fw->free);
    size_t last = away->indices[has_rest ? n_full : n_full - 1];
    away->point = (struct hull_point){away->indices, n_full, hull->mu, last, hull->rest_weight};
    away->value = value_of(hull, class, &away->point);
    return 1;
}

void fw_find_vertices(struct frank_wolfe *fw, struct progress *progress)
{
    struct hull *hull = &fw->hull;
    hull->norms = hull_norms(hull);
    hull->norms_state = NORMS_EXACT;
    hull_fill_progress(&hull->norms, progress);
    for (int c = 0; c < 2; c++) {
        int class = c ? -1 : 1;
        struct fw_vertex *toward = &fw->toward[c];
        toward->point = hull_extreme_point(hull, class, toward->indices, &toward->value);
        fw->gap[c] = hull_own_value(&hull->norms, class) - toward->value;
        progress->class_gap[c] = fw->gap[c];
        fw->has_away[c] = find_away(fw, class);
    }
}

/* ---- directions ---- */

static void add(struct frank_wolfe *fw, struct fw_direction *direction, size_t j, double weight)
{
    if (fw->coefficient[j] == 0)
        direction->indices[direction->count++] = j;
    fw->coefficient[j] += weight;
}

static void add_point(struct frank_wolfe *fw, struct fw_direction *direction, const struct hull_point *point,
                      double sign)
{
    for (size_t k = 0; k < point->count; k++)
        add(fw, direction, point->indices[k], sign * point->weight);
    if (point->last_weight > 0)
        add(fw, direction, point->last, sign * point->last_weight);
}

static void add_weights(struct frank_wolfe *fw, struct fw_direction *direction, int c, double sign)
{
    const struct hull *hull = &fw->hull;
    for (size_t k = 0; k < hull->count[c]; k++) {
        size_t j = hull->members[c][k];
        if (hull->weights[c][j] > 0)
            add(fw, direction, j, sign * hull->weights[c][j]);
    }
}

/* The step at which multiplier j reaches its bound. */
static double room(const struct frank_wolfe *fw, int c, size_t j)
{
    double weight = fw->hull.weights[c][j], rate = fw->coefficient[j];
    return rate > 0 ? (fw->hull.mu - weight) / rate : weight / -rate;
}

/* Drops the indices whose coefficients have cancelled; finds gap and largest step. */
static void finish(struct frank_wolfe *fw, struct fw_direction *direction, int c)
{
    int class = c ? -1 : 1;
    size_t kept = 0;
    double slope = 0, most = INFINITY;
    for (size_t k = 0; k < direction->count; k++) {
        size_t j = direction->indices[k];
        if (fw->coefficient[j] == 0)
            continue;
        direction->indices[kept++] = j;
        slope += fw->coefficient[j] * (class * hull_projection(&fw->hull, j));
        most = fmin(most, room(fw, c, j));
    }
    direction->count = kept;
    direction->gap = -slope;
    direction->max_step = most;
}

double fw_set_direction(struct frank_wolfe *fw, int c, enum fw_kind kind)
{
    struct fw_direction *direction = &fw->direction[c];
    if (!fw->has_away[c] && kind == FW_PAIR)
        kind = FW_TOWARD;
    for (size_t k = 0; k < direction->count; k++)
        fw->coefficient[direction->indices[k]] = 0;
    direction->count = 0;
    direction->kind = kind;
    direction->gap = 0;
    direction->max_step = INFINITY;
    if (kind == FW_AWAY && !fw->has_away[c])
        return 0;
    if (kind != FW_PAIR)
        add_weights(fw, direction, c, kind == FW_AWAY ? 1 : -1);
    if (kind != FW_AWAY)
        add_point(fw, direction, &fw->toward[c].point, 1);
    if (kind != FW_TOWARD)
        add_point(fw, direction, &fw->away[c].point, -1);
    finish(fw, direction, c);
    if (kind == FW_TOWARD)
        direction->max_step = 1;
    else if (kind == FW_AWAY)
        direction->max_step = fmin(direction->max_step, 1);
    return direction->gap;
}

void fw_choose_classes(struct frank_wolfe *fw, struct progress *progress)
{
    double gap[2] = {fw->direction[0].gap, fw->direction[1].gap};
    int c = gap[0] > gap[1] ? 0 : 1;
    for (int k = 0; k < 2; k++)
        fw->moves[k] = fw->moves_both ? gap[k] > 0 : k == c;
    progress->updated_class = fw->moves_both ? 0 : c ? -1 : 1;
    progress->delta = fw->moves_both ? fmax(gap[0], 0) + fmax(gap[1], 0) : gap[c];
}

/* ---- steps ---- */

static void ask_row(struct frank_wolfe *fw, int c, struct oracle *oracle)
{
    const struct hull *hull = &fw->hull;
    struct fw_direction *direction = &fw->direction[c];
    double *row = direction->row;
    if (direction->kind == FW_PAIR) {
        memset(row, 0, hull->n_padded * sizeof *row);
        for (size_t k = 0; k < direction->count; k++)
            fw->weights[k] = fw->coefficient[direction->indices[k]];
        oracle_add_rows(oracle, direction->indices, fw->weights, direction->count, row);
        return;
    }
    int away = direction->kind == FW_AWAY;
    oracle_hull_point_row(oracle, away ? &fw->away[c].point : &fw->toward[c].point, row);
    hull->simd->blend(hull->n_padded, away ? -1 : 1, away ? 1 : -1, hull->products[c], row);
}

/* The sum of d_j x_j. */
static double along(const struct frank_wolfe *fw, const struct fw_direction *direction, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < direction->count; k++)
        sum += fw->coefficient[direction->indices[k]] * x[direction->indices[k]];
    return sum;
}

static void move(struct frank_wolfe *fw, int c, double step)
{
    const struct fw_direction *direction = &fw->direction[c];
    /* Relative: bounds that are reached together in exact arithmetic. For a pair of patterns the arithmetic is
     * MDM's. */
    const double rounding = direction->count > 2 ? 1e-14 : 0;
    struct hull *hull = &fw->hull;
    for (size_t k = 0; k < direction->count; k++) {
        size_t j = direction->indices[k];
        double *weight = &hull->weights[c][j];
        int meets = room(fw, c, j) <= step * (1 + rounding);
        double bound = fw->coefficient[j] > 0 ? hull->mu : 0;
        *weight = meets ? bound : *weight + step * fw->coefficient[j];
    }
    hull->simd->axpy(hull->n_padded, step, direction->row, hull->products[c]);
    hull->norms_state = NORMS_STALE;
}

/* Gap and largest step over all moving classes. */
static void sum_up(const struct frank_wolfe *fw, double *gap, double *max_step)
{
    *gap = 0;
    *max_step = INFINITY;
    for (int c = 0; c < 2; c++)
        if (fw->moves[c]) {
            *gap += fw->direction[c].gap;
            *max_step = fmin(*max_step, fw->direction[c].max_step);
        }
}

enum status fw_move(struct frank_wolfe *fw)
{
    double gap, max_step, length2 = 0;
    sum_up(fw, &gap, &max_step);
    for (int c = 0; c < 2; c++)
        if (fw->moves[c])
            length2 += along(fw, &fw->direction[c], fw->direction[c].row);
    if (fw->moves[0] && fw->moves[1])
        length2 -= 2 * along(fw, &fw->direction[1], fw->direction[0].row);
    double step = hull_step(gap, length2, max_step);
    if (!(gap > 0) || !(step > 0))
        return STATUS_STALLED;
    for (int c = 0; c < 2; c++)
        if (fw->moves[c])
            move(fw, c, step);
    return STATUS_OK;
}

enum status fw_update(void *state, struct oracle *oracle)
{
    struct frank_wolfe *fw = state;
    double gap, max_step;
    sum_up(fw, &gap, &max_step);
    if (!(gap > 0) || !(max_step > 0))
        return STATUS_STALLED;
    for (int c = 0; c < 2; c++)
        if (fw->moves[c])
            ask_row(fw, c, oracle);
    return fw_move(fw);
}
