/*
 * Let v_j = s W . X_j, and L and U of a class as in struct hull_pair. A pattern at alpha_j = 0 with v_j above both v_L
 * and v_U gains nothing as an L and has no weight to give as a U. The same holds for one at alpha_j = mu with v_j below
 * both (Joachims 1999 and Fan, Chen and Lin 2005, Section 5, for SMO). Their multipliers stay fixed, and the other
 * patterns are moved together in memory, so that the same loops run over fewer patterns.
 *
 * Let m patterns of weight mu be left out of a class. Its extreme points that have weight mu on these and 0 on the
 * other inactive patterns are determined by the K - m active patterns of smallest v, and one more for the rest. In s
 * W . W_s - s W . X^ the inactive patterns cancel, so the gap of the part is that of an admissible X^ of the whole: a
 * lower bound on the class's gap. A look at all patterns shows whether it equals the gap; it updates v of the inactive
 * patterns by the changes:
 *
 *   W' . X_j = W . X_j + sum over i of y_i (alpha_i' - alpha_i) k(x_i, x_j)
 */
#include "solvers/hull/part.h"

#include <math.h>
#include <string.h>

enum {
    MIN_CUT_FRACTION = 10, /* at least 1 / MIN_CUT_FRACTION of the patterns must leave */
    MAX_LOOKS = 16         /* number of looks after which W . X_j is summed from zero, so that rounding errors do not
                            * accumulate */
};

void part_layout(struct hull_part *part, struct arena *arena, size_t n)
{
    part->n = n;
    part->alpha = arena_doubles(arena, n);
    part->products = arena_doubles(arena, n);
    part->before = arena_doubles(arena, n);
    part->change = arena_doubles(arena, n);
    part->values = arena_doubles(arena, n);
    part->active = arena_take(arena, n * sizeof *part->active);
    part->left = arena_take(arena, n * sizeof *part->left);
    part->labels = arena_take(arena, n);
}

static void take_all(struct hull_part *part)
{
    part->n_left = 0;
    for (size_t i = 0; i < part->n; i++)
        part->active[i] = i;
}

void part_start(struct hull_part *part, const struct hull *hull)
{
    part->y = hull->y;
    take_all(part);
}

void part_alpha(const struct hull_part *part, const struct hull *hull, double *alpha)
{
    for (size_t k = 0; k < part->n_left; k++)
        alpha[part->left[k]] = part->alpha[part->left[k]];
    for (size_t k = 0; k < hull->n; k++)
        alpha[part->active[k]] = hull->weights[class_index(hull->y[k])][k];
}

/* Copies the hull's state of the active patterns. */
static void keep(struct hull_part *part, const struct hull *hull)
{
    part_alpha(part, hull, part->alpha);
    for (size_t k = 0; k < hull->n; k++)
        part->products[part->active[k]] = hull->products[0][k];
}

static void empty(struct hull *hull)
{
    size_t bytes = hull->n_padded * sizeof(double), set_bytes = simd_set_bytes(hull->n);
    memset(hull->products[0], 0, bytes);
    for (size_t s = 0; s < 4; s++)
        memset(hull->eligible[s], 0, set_bytes);
    for (int c = 0; c < 2; c++) {
        memset(hull->weights[c], 0, bytes);
        memset(hull->class_set[c], 0, set_bytes);
        hull->count[c] = hull->left_at_mu[c] = 0;
        hull->search->window[c].is_set = 0;
        hull->search->vertex_count[c] = 0;
    }
}

/* Makes the hull that of the active patterns. */
static void gather(struct hull_part *part, struct hull *hull)
{
    empty(hull);
    hull->n = part->n - part->n_left;
    hull->n_padded = simd_padded(hull->n);
    hull->y = part->labels;
    for (size_t k = 0; k < hull->n; k++) {
        size_t i = part->active[k];
        int c = class_index(part->y[i]);
        part->labels[k] = part->y[i];
        hull->members[c][hull->count[c]++] = k;
        simd_set_put(hull->class_set[c], k, 1);
        hull->products[0][k] = part->products[i];
        hull_set_weight(hull, k, part->alpha[i]);
    }
    for (size_t k = 0; k < part->n_left; k++) {
        size_t i = part->left[k];
        hull->left_at_mu[class_index(part->y[i])] += part->alpha[i] > 0;
    }
}

/* The values of v below which patterns at mu leave, and above which those at 0 do; none leave if L or U is missing. */
struct range {
    double low, high;
};

static struct range range_of(const struct hull *hull, int class)
{
    int c = class_index(class);
    size_t low = hull->pair[c].low, high = hull->pair[c].high;
    if (hull->y[low] != class || hull->y[high] != class || !(hull->weights[c][low] < hull->mu) ||
        !(hull->weights[c][high] > 0))
        return (struct range){-INFINITY, INFINITY};
    double v_low = class * hull_projection(hull, low), v_high = class * hull_projection(hull, high);
    return (struct range){fmin(v_low, v_high), fmax(v_low, v_high)};
}

static int leaves(const struct hull *hull, const struct range *ranges, size_t j)
{
    int c = class_index(hull->y[j]);
    double v = hull->y[j] * hull_projection(hull, j), alpha = hull->weights[c][j];
    return alpha > 0 ? !(alpha < hull->mu) && v < ranges[c].low : v > ranges[c].high;
}

/* Divides the patterns of a complete hull into active and inactive. Returns the number of inactive ones. */
static size_t sort(struct hull_part *part, const struct hull *hull)
{
    const struct range ranges[2] = {range_of(hull, 1), range_of(hull, -1)};
    size_t stay = 0, left = 0;
    for (size_t j = 0; j < hull->n; j++)
        if (leaves(hull, ranges, j))
            part->left[left++] = j;
        else
            part->active[stay++] = j;
    return left;
}

/* Whether each class still has the extreme points above, as it does except for rounding. */
static int has_vertices(const struct hull *hull)
{
    size_t needed = hull->n_full_weights + (hull->rest_weight > 0);
    for (int c = 0; c < 2; c++)
        if (hull->left_at_mu[c] >= needed || needed - hull->left_at_mu[c] > hull->count[c] ||
            hull->left_at_mu[c] > hull->n_full_weights)
            return 0;
    return 1;
}

size_t part_cut(struct hull_part *part, struct hull *hull, struct oracle *oracle)
{
    hull_find_pairs(hull);
    keep(part, hull);
    part->n_left = sort(part, hull);
    if (part->n_left == 0 || part->n_left * MIN_CUT_FRACTION < part->n) {
        take_all(part);
        return 0;
    }
    gather(part, hull);
    if (!has_vertices(hull)) {
        take_all(part);
        gather(part, hull);
        return 0;
    }
    for (size_t i = 0; i < part->n; i++)
        part->before[i] = part->y[i] * part->alpha[i];
    oracle_set_active(oracle, part->active, hull->n);
    return part->n_left;
}

/* W . X_j of the inactive patterns: updated by the changes or, if more multipliers have changed than are nonzero, and
 * at times in any case, summed from zero. */
static void update_left(struct hull_part *part, struct oracle *oracle)
{
    size_t moved = 0, terms = 0;
    for (size_t i = 0; i < part->n; i++) {
        part->change[i] = part->y[i] * part->alpha[i] - part->before[i];
        moved += part->change[i] != 0;
        terms += part->alpha[i] != 0;
    }
    int anew = moved > terms || ++part->looks >= MAX_LOOKS;
    if (anew)
        part->looks = 0;
    for (size_t i = 0; anew && i < part->n; i++)
        part->change[i] = part->y[i] * part->alpha[i];
    for (size_t k = 0; k < part->n_left; k++)
        part->values[k] = anew ? 0 : part->products[part->left[k]];
    oracle_expand_at(oracle, part->left, part->n_left, part->change, part->values);
    for (size_t k = 0; k < part->n_left; k++)
        part->products[part->left[k]] = part->values[k];
}

void part_join(struct hull_part *part, struct hull *hull, struct oracle *oracle)
{
    keep(part, hull);
    update_left(part, oracle);
    take_all(part);
    gather(part, hull);
}
