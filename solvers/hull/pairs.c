/*
 * Pairs of MDM: selection, step, and bounds that need no pass over the patterns, see hull.h.
 *
 * A step of lambda from U to L in class s changes W_s . W_s by 2 lambda (W_s . X_L - W_s . X_U) + lambda^2
 * |X_L - X_U|^2 and W+ . W- by lambda times the other class's product with X_L - X_U. A, B and C updated in this way
 * give |W| and the gap of an earlier extreme point, which is still a point of the hull, accurately enough to show that
 * a rule on gaps is far from being met. They are summed only if this does not show it.
 */
#include <math.h>

#include "solvers/cycle.h"
#include "solvers/hull/hull.h"

/* Relative to the sum of A, B and C, or to the largest |X_j|^2 if only |W|^2 is updated: far more than the rounding
 * error of 10^5 steps. */
static const double norms_error = 1e-9;

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

void hull_take_extremes(struct hull *hull, const struct argminmax *of)
{
    for (int c = 0; c < 2; c++) { /* extremes of D - E, which is v in class +1 and -v in class -1 */
        const struct argminmax *found = &of[c];
        int none = found->min == INFINITY || found->max == -INFINITY;
        size_t low = c ? found->max_at : found->min_at, high = c ? found->min_at : found->max_at;
        hull->pair[c] = none ? (struct hull_pair){0, 0, 0} : (struct hull_pair){low, high, found->max - found->min};
    }
    hull->has_pairs = 1;
}

void hull_find_pairs(struct hull *hull)
{
    struct argminmax of[2];
    if (hull->has_pairs)
        return;
    hull->simd->difference_argminmax(hull->n_padded, hull->products[0], hull->products[1],
                                     (const unsigned char *const *)hull->eligible, of);
    hull_take_extremes(hull, of);
}

/* The gap of the last extreme point found in the class, at the current D and E: a lower bound on the class's gap. */
static double gap_at_last_vertex(const struct hull *hull, int class)
{
    int c = class_index(class);
    size_t n_full = hull->n_full_weights - hull->left_at_mu[c];
    const size_t *vertex = hull->search->vertex[c];
    double sums[4] = {0}; /* so that additions need not wait for each other */
    size_t k = 0;
    if (hull->search->vertex_count[c] == 0)
        return 0;
    for (; k + 4 <= n_full; k += 4)
        for (size_t s = 0; s < 4; s++)
            sums[s] += hull_projection(hull, vertex[k + s]);
    for (; k < n_full; k++)
        sums[0] += hull_projection(hull, vertex[k]);
    double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    double last = hull->rest_weight > 0 ? hull->rest_weight * hull_projection(hull, vertex[n_full]) : 0;
    return hull_own_value(&hull->norms, class) - class * (hull->mu * sum + last);
}

/* A bound on the rounding error of a gap or of |W|^2. */
static double rounding_of(const struct hull *hull)
{
    const struct hull_norms *norms = &hull->norms;
    int is_length = hull->norms_state == NORMS_LENGTH;
    return norms_error * (is_length ? hull->largest_norm2 : fabs(norms->a) + fabs(norms->b) + fabs(norms->c));
}

double hull_gap_bound(const struct hull *hull, int class, double floor)
{
    double error = rounding_of(hull), limit = hull->tolerance * sqrt(fmax(hull_norm2(&hull->norms), 0));
    return floor - error > limit ? floor - error : gap_at_last_vertex(hull, class) - error;
}

/* Nonzero, with bounds in *progress, if no rule on gaps can be met and the hulls do not meet. */
static int is_far(const struct hull *hull, int class, double floor, struct progress *progress)
{
    const struct hull_norms *norms = &hull->norms;
    if (!hull->norms_state || progress->need_objective)
        return 0;
    double error = rounding_of(hull);
    double norm2 = hull_norm2(norms) + error, limit = hull->tolerance * sqrt(fmax(norm2, 0));
    if (progress->rounding_norm2 > 0 && norm2 - 2 * error <= progress->rounding_norm2)
        return 0;
    if (!(floor > limit) && hull->norms_state != NORMS_LENGTH)
        floor = gap_at_last_vertex(hull, class) - error;
    if (!(floor > limit))
        return 0;
    progress->norm2 = norm2;
    progress->gap_lower_bound = floor;
    return 1;
}

void hull_fill_for_pair(struct hull *hull, int class, const struct hull_pair *pair, struct progress *progress)
{
    progress->updated_class = class;
    progress->delta = pair->delta;
    /* To first order, moving as much weight as possible from U to L lowers s W . W_s by this much; X^ does better. */
    double floor = pair->delta * hull_pair_max_step(hull, class, pair);
    if (is_far(hull, class, floor, progress))
        return;
    hull->norms = hull_norms(hull);
    hull->norms_state = NORMS_EXACT;
    hull_fill_progress(&hull->norms, progress);
    progress->gap_lower_bound = floor;
}

struct hull_pair hull_choose_pair(struct hull *hull, int ties_to_positive, struct progress *progress)
{
    hull_find_pairs(hull);
    const struct hull_pair *plus = &hull->pair[0], *minus = &hull->pair[1];
    int positive = plus->delta > minus->delta || (ties_to_positive && plus->delta == minus->delta);
    struct hull_pair chosen = positive ? *plus : *minus;
    hull_fill_for_pair(hull, positive ? 1 : -1, &chosen, progress);
    return chosen;
}

/* |X_L - X_U|^2; the caller's step may use another divisor. */
static double length2_of(const struct hull_pair *pair, const double *row_low, const double *row_high)
{
    return (row_low[pair->low] - row_low[pair->high]) + (row_high[pair->high] - row_high[pair->low]);
}

static void carry_norms(struct hull *hull, int class, const struct hull_pair *pair, double length2, double lambda)
{
    int c = class_index(class);
    const double *own = hull->products[c], *other = hull->products[1 - c];
    double *norm2 = c ? &hull->norms.b : &hull->norms.a;
    *norm2 += lambda * (2 * (own[pair->low] - own[pair->high]) + lambda * length2);
    hull->norms.c += lambda * (other[pair->low] - other[pair->high]);
}

double hull_step_pair(struct hull *hull, int class, const struct hull_pair *pair, double length2, const double *row_low,
                      const double *row_high)
{
    const struct hull_pair moved = *pair;
    struct argminmax of[2];
    double lambda = hull_step(moved.delta, length2, hull_pair_max_step(hull, class, &moved));
    if (!(lambda > 0))
        return 0;
    int norms_state = hull->norms_state >= NORMS_UPDATED;
    carry_norms(hull, class, &moved, length2_of(&moved, row_low, row_high), lambda);
    hull_move_pair(hull, class, &moved, lambda);
    hull->simd->move_difference_argminmax(hull->n_padded, lambda, row_low, row_high, class < 0, hull->products[0],
                                          hull->products[1], (const unsigned char *const *)hull->eligible, of);
    hull_take_extremes(hull, of);
    hull->norms_state = norms_state ? NORMS_UPDATED : NORMS_STALE;
    return lambda;
}

void hull_set_weight(struct hull *hull, size_t i, double weight)
{
    int c = class_index(hull->y[i]);
    hull->weights[c][i] = weight;
    simd_set_put(hull->eligible[c ? 3 : 0], i, weight < hull->mu);
    simd_set_put(hull->eligible[c ? 2 : 1], i, weight > 0);
    hull->has_pairs = 0;
    hull->norms_state = NORMS_STALE;
}

double hull_pair_max_step(const struct hull *hull, int class, const struct hull_pair *pair)
{
    const double *weights = hull->weights[class_index(class)];
    return fmin(hull->mu - weights[pair->low], weights[pair->high]);
}

void hull_move_pair(struct hull *hull, int class, const struct hull_pair *pair, double step)
{
    const double *weights = hull->weights[class_index(class)];
    int fills = step >= hull->mu - weights[pair->low];
    hull_set_weight(hull, pair->low, fills ? hull->mu : weights[pair->low] + step);
    hull_set_weight(hull, pair->high, weights[pair->high] - step);
}

/* How far alpha_i may change in the direction of `weight`. */
static double max_change(const struct hull *hull, size_t i, double weight)
{
    double alpha = hull->weights[class_index(hull->y[i])][i];
    return weight > 0 ? hull->mu - alpha : alpha;
}

double hull_max_step_along(const struct hull *hull, const size_t *indices, const double *weights, size_t count)
{
    double max_step = INFINITY;
    for (size_t h = 0; h < count; h++)
        max_step = fmin(max_step, max_change(hull, indices[h], weights[h]) / fabs(weights[h]));
    return max_step;
}

void hull_move_along(struct hull *hull, const size_t *indices, const double *weights, size_t count, double step)
{
    for (size_t h = 0; h < count; h++) {
        size_t i = indices[h];
        double alpha = hull->weights[class_index(hull->y[i])][i], change = step * weights[h];
        double bound = change > 0 ? hull->mu : 0;
        hull_move_weight(hull, i, cycle_land(alpha, change, max_change(hull, i, change), bound));
    }
    hull->has_pairs = 0;
    hull->norms_state = NORMS_STALE;
}

void hull_move_products(struct hull *hull, double step, const double *products, double norm2)
{
    struct argminmax of[2];
    hull->simd->move_difference_argminmax(hull->n_padded, step, products, hull->products[1], 0, hull->products[0],
                                          hull->products[1], (const unsigned char *const *)hull->eligible, of);
    hull_take_extremes(hull, of);
    hull->norms = (struct hull_norms){norm2, 0, 0};
    hull->norms_state = NORMS_LENGTH;
}
