/*
 * The state shared by nearest-point solvers, see hull.h.
 *
 * It differs from Lopez, Barbero and Dorronsoro (2011), Section 2.1, in one point: where a decision depends on A, B and
 * C, they are summed again from the multipliers and the products D and E instead of being updated by recurrences
 * (pairs.c uses recurrences, too, for bounds). This needs no kernel values and does not drift over 10^5 iterations.
 */
#include "solvers/hull/hull.h"

#include <math.h>
#include <string.h>

#include "solvers/hull/smallest.h"

void hull_layout(struct hull *hull, struct arena *arena, size_t n)
{
    struct hull_search search = {.value = NULL};
    hull->n = n;
    hull->n_padded = simd_padded(n);
    for (int c = 0; c < 2; c++) {
        hull->weights[c] = arena_doubles(arena, n);
        hull->products[c] = arena_doubles(arena, n);
        hull->members[c] = arena_take(arena, n * sizeof(size_t));
        search.vertex[c] = arena_take(arena, n * sizeof(size_t));
        hull->class_set[c] = arena_take(arena, simd_set_bytes(n));
    }
    for (int s = 0; s < 4; s++)
        hull->eligible[s] = arena_take(arena, simd_set_bytes(n));
    search.order = arena_take(arena, n * sizeof(size_t));
    search.found = arena_take(arena, (hull->n_padded + SIMD_LANES) * sizeof(size_t));
    search.key = arena_doubles(arena, hull->n_padded + SIMD_LANES);
    hull->search = arena_take(arena, sizeof *hull->search);
    search.value = arena_doubles(arena, n);
    if (hull->search)
        *hull->search = search;
}

size_t hull_state_size(size_t head, size_t rows, size_t n)
{
    struct arena arena = {0};
    struct hull hull;
    arena_take(&arena, head);
    hull_layout(&hull, &arena, n);
    for (size_t r = 0; r < rows; r++)
        arena_doubles(&arena, n);
    return arena.used;
}

/* K = floor(1/mu) and sigma = 1 - K mu, where a sigma within rounding of 0 or mu counts as such. Then mu becomes 1/K,
 * so that the weights of an extreme point sum to 1. Otherwise directions between points of the hull would not sum to
 * 0, and a long step along a short one would leave the hull. */
static void split_unit_weight(struct hull *hull)
{
    const double rounding = 1e-12; /* of quantities of order one: some 10^4 units in the last place */
    double n_full = floor(1 / hull->mu);
    double rest = 1 - n_full * hull->mu;
    if (hull->mu - rest < rounding) {
        n_full += 1;
        rest = 0;
    }
    hull->n_full_weights = (size_t)n_full;
    hull->rest_weight = rest < rounding ? 0 : rest;
    if (hull->rest_weight == 0)
        hull->mu = 1 / n_full;
}

/* Lays out the state and sorts the patterns by class. STATUS_BAD_INPUT if a reduced hull is empty. */
static enum status prepare(struct hull *hull, struct arena *arena, const struct problem *problem, double mu,
                           struct oracle *oracle)
{
    hull_layout(hull, arena, problem->n);
    hull->simd = oracle_simd(oracle);
    hull->y = problem->y;
    hull->mu = mu;
    hull->tolerance = problem->tolerance;
    split_unit_weight(hull);
    hull->count[0] = hull->count[1] = 0;
    for (size_t j = 0; j < hull->n; j++) {
        int c = class_index(hull->y[j]);
        hull->members[c][hull->count[c]++] = j;
        simd_set_put(hull->class_set[c], j, 1);
    }
    size_t needed = hull->n_full_weights + (hull->rest_weight > 0);
    return needed > hull->count[0] || needed > hull->count[1] ? STATUS_BAD_INPUT : STATUS_OK;
}

/* Sets equal weights on the first `count` members of each class. */
static void put_weight(struct hull *hull, const size_t *count, struct oracle *oracle)
{
    if (count[0] + count[1] == hull->n)
        oracle_prefetch_all(oracle);
    for (int c = 0; c < 2; c++) {
        double weight = fmin(1 / (double)count[c], hull->mu);
        for (size_t k = 0; k < count[c]; k++)
            hull->weights[c][hull->members[c][k]] = weight;
        for (size_t k = 0; k < hull->count[c]; k++)
            hull_set_weight(hull, hull->members[c][k], hull->weights[c][hull->members[c][k]]);
        struct hull_point point = {hull->members[c], count[c], weight, 0, 0};
        oracle_hull_point_row(oracle, &point, hull->products[c]);
    }
}

enum status hull_start(struct hull *hull, struct arena *arena, const struct problem *problem, double mu,
                       struct oracle *oracle)
{
    enum status status = prepare(hull, arena, problem, mu, oracle);
    if (status == STATUS_OK)
        put_weight(hull, hull->count, oracle);
    return status;
}

enum status hull_start_at_few(struct hull *hull, struct arena *arena, const struct problem *problem, double mu,
                              struct oracle *oracle)
{
    enum status status = prepare(hull, arena, problem, mu, oracle);
    const size_t needed = hull->n_full_weights + (hull->rest_weight > 0), few[2] = {needed, needed};
    if (status == STATUS_OK)
        put_weight(hull, few, oracle);
    return status;
}

enum status hull_start_at_first_pair(struct hull *hull, struct arena *arena, const struct problem *problem,
                                     struct oracle *oracle)
{
    const size_t one_each[2] = {1, 1};
    enum status status = prepare(hull, arena, problem, 1, oracle);
    if (status == STATUS_OK)
        put_weight(hull, one_each, oracle);
    return status;
}

void hull_join(struct hull *hull)
{
    hull->simd->axpy(hull->n_padded, -1, hull->products[1], hull->products[0]);
    memset(hull->products[1], 0, hull->n_padded * sizeof *hull->products[1]);
    hull->is_joined = 1;
}

struct hull_norms hull_norms(const struct hull *hull)
{
    double sums[3];
    const double *of_minus = hull->products[hull->is_joined ? 0 : 1];
    hull->simd->dots(hull->n_padded, hull->weights[0], hull->weights[1], hull->products[0], of_minus, sums);
    if (hull->is_joined)
        return (struct hull_norms){sums[0], -sums[1], 0}; /* W+ . W and -W- . W */
    return (struct hull_norms){sums[0], sums[1], sums[2]};
}

double hull_norm2(const struct hull_norms *norms)
{
    return (norms->a - norms->c) + (norms->b - norms->c);
}

double hull_own_value(const struct hull_norms *norms, int class)
{
    return class > 0 ? norms->a - norms->c : norms->b - norms->c;
}

void hull_fill_progress(const struct hull_norms *norms, struct progress *progress)
{
    progress->norm2 = hull_norm2(norms);
    progress->objective = 0.5 * progress->norm2;
}

/* Writes members that include the `needed` ones of smallest v, ascending, to search->found, their v to search->key, and
 * all v to search->value. Returns their number. The largest of these v changes little between calls, so members with
 * slightly larger v suffice, unless there are too few. */
static size_t find_candidates(const struct hull *hull, int class, size_t needed)
{
    int c = class_index(class);
    struct hull_search *search = hull->search;
    size_t count = hull->simd->differences_below(
        hull->n_padded, class, hull->products[0], hull->products[1], hull->class_set[c],
        search->window[c].is_set ? search->window[c].threshold : -INFINITY, search->value, search->found,
        search->key);
    if (count >= needed) {
        if (count > needed + needed / 2 + 8)
            search->window[c].margin *= 0.95;
        return count;
    }
    search->window[c].margin *= 2;
    for (size_t k = 0; k < hull->count[c]; k++) {
        search->found[k] = hull->members[c][k];
        search->key[k] = search->value[search->found[k]];
    }
    return hull->count[c];
}

/* Sets the window of the next call; `last` is the largest needed v of this one. */
static void update_window(struct hull_search *search, int c, double last)
{
    const double share = 1e-3; /* of |v|, initially */
    if (!(search->window[c].margin > 0))
        search->window[c].margin = share * fabs(last);
    search->window[c].threshold = last + search->window[c].margin;
    search->window[c].is_set = 1;
}

struct hull_point hull_extreme_point(const struct hull *hull, int class, size_t *indices, double *value)
{
    struct hull_search *search = hull->search;
    int c = class_index(class);
    size_t n_full = hull->n_full_weights - hull->left_at_mu[c], needed = n_full + (hull->rest_weight > 0);
    size_t count = find_candidates(hull, class, needed);
    const double *v = search->value;
    double sum = 0;
    memcpy(search->order, search->found, count * sizeof *search->order);
    smallest_partition_by_keys(hull->simd, search->order, search->key, count, needed, v);
    size_t last = search->order[needed - 1], end = last + (needed == n_full), kept = 0;
    update_window(search, c, v[last]);
    for (size_t k = 0; k < count && kept <= n_full; k++) { /* without branches that depend on v */
        size_t j = search->found[k];
        indices[kept] = j;
        kept += (v[j] < v[last]) | ((v[j] == v[last]) & (j < end));
    }
    for (size_t k = 0; k < n_full; k++)
        sum += v[indices[k]];
    indices[n_full] = last;
    *value = hull->mu * sum + hull->rest_weight * (hull->rest_weight > 0 ? v[last] : 0);
    return (struct hull_point){indices, n_full, hull->mu, last, hull->rest_weight};
}

double hull_along(const struct hull_point *point, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < point->count; k++)
        sum += x[point->indices[k]];
    double rest = point->last_weight != 0 ? point->last_weight * x[point->last] : 0;
    return point->weight * sum + rest;
}

/* (1 - lambda) mu + lambda mu may round to slightly more than mu. */
static void add_weight(const struct hull *hull, double *weight, double amount)
{
    *weight += amount;
    if (*weight > hull->mu)
        *weight = hull->mu;
}

void hull_blend(struct hull *hull, int c, const struct hull_point *point, const double *row, double lambda)
{
    double *weights = hull->weights[c];
    hull->simd->blend(hull->n_padded, 1 - lambda, lambda, row, hull->products[c]);
    hull->simd->scale(hull->n_padded, 1 - lambda, weights);
    for (size_t k = 0; k < point->count; k++)
        add_weight(hull, &weights[point->indices[k]], lambda * point->weight);
    if (point->last_weight != 0)
        add_weight(hull, &weights[point->last], lambda * point->last_weight);
}

double hull_gap(const struct hull *hull, int class)
{
    if (class == 0)
        return hull_gap(hull, 1) + hull_gap(hull, -1);
    int c = class_index(class);
    struct hull_norms norms = hull->norms_state == NORMS_EXACT ? hull->norms : hull_norms(hull);
    double value;
    hull_extreme_point(hull, class, hull->search->vertex[c], &value);
    hull->search->vertex_count[c] = hull->n_full_weights - hull->left_at_mu[c] + (hull->rest_weight > 0);
    return hull_own_value(&norms, class) - value;
}

void hull_alpha(const void *state, double *alpha)
{
    const struct hull *hull = state;
    for (size_t j = 0; j < hull->n; j++)
        alpha[j] = hull->weights[class_index(hull->y[j])][j];
}

double hull_gap_of_state(const void *state, int class)
{
    return hull_gap(state, class);
}

double hull_step(double delta, double norm2, double max_step)
{
    return norm2 > 0 && delta < max_step * norm2 ? delta / norm2 : max_step;
}
