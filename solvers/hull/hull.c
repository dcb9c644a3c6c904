/*
 * The state shared by nearest-point solvers, see hull.h.
 *
 * Departs from Lopez, Barbero and Dorronsoro (2011), Section 2.1, in one point: A, B and C are summed anew from the
 * multipliers and the products D and E instead of being carried along by recurrences. That asks for no kernel values and
 * does not drift over 10^5 iterations.
 */
#include "solvers/hull/hull.h"

#include <math.h>

#include "solvers/hull/smallest.h"

void hull_layout(struct hull *hull, struct arena *arena, size_t n)
{
    hull->n = n;
    hull->n_padded = lanes_padded(n);
    for (int c = 0; c < 2; c++) {
        hull->weights[c] = arena_doubles(arena, n);
        hull->products[c] = arena_doubles(arena, n);
        hull->members[c] = arena_take(arena, n * sizeof(size_t));
        hull->order[c] = arena_take(arena, n * sizeof(size_t));
        hull->vertex[c] = arena_take(arena, n * sizeof(size_t));
    }
    hull->value = arena_doubles(arena, n);
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

/* K = floor(1/mu) and sigma = 1 - K mu, with a sigma that is 0 or mu but for rounding taken as such. */
static void split_unit_weight(struct hull *hull)
{
    const double rounding = 1e-12; /* of quantities of order one, some 10^4 units in the last place */
    double whole = floor(1 / hull->mu);
    double rest = 1 - whole * hull->mu;
    if (hull->mu - rest < rounding) {
        whole += 1;
        rest = 0;
    }
    hull->whole_weights = (size_t)whole;
    hull->rest_weight = rest < rounding ? 0 : rest;
}

/* Lays out the state and sorts the patterns by class. STATUS_BAD_INPUT when a reduced hull is empty. */
static enum status prepare(struct hull *hull, struct arena *arena, const struct problem *problem, double mu,
                           struct oracle *oracle)
{
    hull_layout(hull, arena, problem->n);
    hull->lanes = oracle_lanes(oracle);
    hull->y = problem->y;
    hull->mu = mu;
    split_unit_weight(hull);
    hull->count[0] = hull->count[1] = 0;
    for (size_t j = 0; j < hull->n; j++) {
        int c = class_index(hull->y[j]);
        hull->order[c][hull->count[c]] = j;
        hull->members[c][hull->count[c]++] = j;
    }
    size_t needed = hull->whole_weights + (hull->rest_weight > 0);
    return needed > hull->count[0] || needed > hull->count[1] ? STATUS_BAD_INPUT : STATUS_OK;
}

/* Equal weights on the first `count` members of each class. */
static void put_weight(struct hull *hull, const size_t *count, struct oracle *oracle)
{
    if (count[0] + count[1] == hull->n)
        oracle_expect_all(oracle);
    for (int c = 0; c < 2; c++) {
        double weight = fmin(1 / (double)count[c], hull->mu);
        for (size_t k = 0; k < count[c]; k++)
            hull->weights[c][hull->members[c][k]] = weight;
        struct combination point = {hull->members[c], count[c], weight, 0, 0};
        oracle_combination_row(oracle, &point, hull->products[c]);
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

enum status hull_start_at_first_pair(struct hull *hull, struct arena *arena, const struct problem *problem,
                                     struct oracle *oracle)
{
    const size_t one_each[2] = {1, 1};
    enum status status = prepare(hull, arena, problem, 1, oracle);
    if (status == STATUS_OK)
        put_weight(hull, one_each, oracle);
    return status;
}

struct hull_norms hull_norms(const struct hull *hull)
{
    const struct lanes *lanes = hull->lanes;
    return (struct hull_norms){.a = lanes->dot(hull->n_padded, hull->weights[0], hull->products[0]),
                               .b = lanes->dot(hull->n_padded, hull->weights[1], hull->products[1]),
                               .c = lanes->dot(hull->n_padded, hull->weights[0], hull->products[1])};
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

struct combination hull_extreme_point(struct hull *hull, int class, double *value)
{
    int c = class_index(class);
    size_t whole = hull->whole_weights, needed = whole + (hull->rest_weight > 0), count = hull->count[c];
    size_t *order = hull->order[c], *chosen = hull->vertex[c], kept = 0;
    double *v = hull->value, sum = 0;
    for (size_t k = 0; k < count; k++) {
        size_t j = hull->members[c][k];
        v[j] = class * hull_projection(hull, j);
    }
    smallest_partition(order, count, needed, v);
    size_t last = order[needed - 1];
    for (size_t k = 0; k < count && kept < whole; k++) {
        size_t j = hull->members[c][k];
        int below = v[j] < v[last] || (v[j] == v[last] && j < last);
        if (below || (j == last && needed == whole)) {
            chosen[kept++] = j;
            sum += v[j];
        }
    }
    *value = hull->mu * sum + hull->rest_weight * (hull->rest_weight > 0 ? v[last] : 0);
    return (struct combination){chosen, whole, hull->mu, last, hull->rest_weight};
}

double hull_gap(const struct hull *hull, int class)
{
    if (class == 0)
        return hull_gap(hull, 1) + hull_gap(hull, -1);
    struct hull scratch = *hull; /* the arrays hull_extreme_point writes are scratch that no result is kept in */
    struct hull_norms norms = hull_norms(hull);
    double value;
    hull_extreme_point(&scratch, class, &value);
    return hull_own_value(&norms, class) - value;
}

struct hull_pair hull_pair(const struct hull *hull, int class)
{
    int c = class_index(class);
    size_t low = hull->n, high = hull->n;
    double smallest = INFINITY, largest = -INFINITY;
    for (size_t k = 0; k < hull->count[c]; k++) {
        size_t j = hull->members[c][k];
        double v = class * hull_projection(hull, j), weight = hull->weights[c][j];
        if (weight < hull->mu && v < smallest) { /* eq. (13) */
            smallest = v;
            low = j;
        }
        if (weight > 0 && v > largest) { /* eq. (7) */
            largest = v;
            high = j;
        }
    }
    if (low == hull->n || high == hull->n)
        return (struct hull_pair){0, 0, 0};
    return (struct hull_pair){low, high, largest - smallest};
}

struct hull_pair hull_choose_pair(const struct hull *hull, int ties_to_positive, struct progress *progress)
{
    struct hull_norms norms = hull_norms(hull);
    hull_fill_progress(&norms, progress);
    struct hull_pair plus = hull_pair(hull, 1), minus = hull_pair(hull, -1);
    int positive = plus.delta > minus.delta || (ties_to_positive && plus.delta == minus.delta);
    struct hull_pair chosen = positive ? plus : minus;
    progress->updated_class = positive ? 1 : -1;
    progress->delta = chosen.delta;
    progress->gap_floor = chosen.delta * hull_pair_room(hull, progress->updated_class, &chosen); /* as in mdm.c */
    return chosen;
}

double hull_step_pair(struct hull *hull, int class, const struct hull_pair *pair, double length2, const double *row_low,
                      const double *row_high)
{
    double lambda = hull_step(pair->delta, length2, hull_pair_room(hull, class, pair));
    if (!(lambda > 0))
        return 0;
    hull->lanes->add_difference(hull->n_padded, lambda, row_low, row_high, hull->products[class_index(class)]);
    hull_move_pair(hull, class, pair, lambda);
    return lambda;
}

double hull_pair_room(const struct hull *hull, int class, const struct hull_pair *pair)
{
    const double *weights = hull->weights[class_index(class)];
    return fmin(hull->mu - weights[pair->low], weights[pair->high]);
}

void hull_move_pair(struct hull *hull, int class, const struct hull_pair *pair, double step)
{
    double *weights = hull->weights[class_index(class)];
    int fills = step >= hull->mu - weights[pair->low];
    weights[pair->low] = fills ? hull->mu : weights[pair->low] + step;
    weights[pair->high] -= step;
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

double hull_step(double delta, double norm2, double most)
{
    return norm2 > 0 && delta < most * norm2 ? delta / norm2 : most;
}
