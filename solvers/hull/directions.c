/*
 * The direction D = y (X_L - X_U) of a pair is made conjugate to the directions P_1, ..., P_m of earlier steps, which
 * are conjugate to each other, P_k . P_l = 0 for k != l:
 *
 *   P = D - sum over k of gamma_k P_k,   gamma_k = D . P_k / |P_k|^2,
 *   |P|^2 = |D|^2 - sum over k of gamma_k^2 |P_k|^2.
 *
 * (The Hessian of 1/2 |W|^2 in terms of the multipliers is the kernel matrix with signs, so conjugate means orthogonal
 * in the space of the patterns.) After exact minima along all P_k the slopes W . P_k are 0. So 1/2 |W|^2 decreases as
 * steeply along P as along D, by Delta, but with less curvature: its minimum is lower by Delta^2 / (2 |P|^2), and U is
 * chosen to maximise this. With m = 0 it is the choice of Fan, Chen and Lin (2005), with m = 1 that of conjugate-smo
 * (solvers/decomposition/conjugate.c). P may move patterns of both classes although D moves those of one. The sums of
 * multipliers of both classes are constant along D, hence along P.
 *
 * q_k = P_k . X_j is updated by q = y (row_L - row_U) - sum over k of gamma_k q_k. So D . P_k is read from q_k, and a
 * direction requests only the two rows of its pair.
 *
 * A P_k that moves a pattern which has reached a bound is useless and is forgotten. Each P is a combination of all kept
 * directions and moves all patterns that these move, so the directions that move a given pattern are the latest ones.
 */
#include "solvers/hull/directions.h"

#include <string.h>

void directions_layout(struct directions *directions, struct arena *arena, size_t n, size_t most)
{
    directions->most = most;
    directions->kept = arena_take(arena, (most + 1) * sizeof *directions->kept);
    for (size_t k = 0; k <= most; k++) {
        struct direction direction = {.p = arena_doubles(arena, n), .q = arena_doubles(arena, n)};
        if (directions->kept)
            directions->kept[k] = direction;
    }
    directions->indices = arena_take(arena, n * sizeof *directions->indices);
    directions->place = arena_take(arena, n * sizeof *directions->place);
    directions->set = arena_take(arena, simd_set_bytes(n));
    directions->alpha = arena_doubles(arena, n);
    directions->moved = arena_doubles(arena, n);
    directions->diagonal = arena_doubles(arena, n);
    directions->left = arena_doubles(arena, n);
    directions->value = arena_doubles(arena, n);
    directions->terms = arena_take(arena, (most + 2) * sizeof *directions->terms);
    directions->q_first = arena_doubles(arena, most);
    directions->scale = arena_doubles(arena, most);
    directions->factors = arena_doubles(arena, most + 2);
}

/* Removes the patterns from position `members` on, which no direction moves any more. */
static void cut_members(struct directions *directions, size_t members)
{
    while (directions->members > members) {
        directions->place[directions->indices[--directions->members]] = 0;
        simd_set_put(directions->set, directions->members, 0);
        directions->alpha[directions->members] = 0;
    }
}

void directions_forget(struct directions *directions)
{
    directions->count = 0;
    cut_members(directions, 0);
}

size_t directions_choose_high(struct directions *directions, const struct hull *hull, int class,
                              const struct hull_pair *pair, const double *row_low)
{
    size_t low = pair->low;
    double diagonal_low = directions->diagonal[low];
    for (size_t k = 0; k < directions->count; k++) {
        directions->terms[k] = directions->kept[k].q;
        directions->q_first[k] = directions->kept[k].q[low];
        directions->scale[k] = directions->kept[k].scale;
    }
    const double *diagonal = directions->count ? directions->left : directions->diagonal;
    struct lost_curvature lost = {.count = directions->count, .q = directions->terms, .q_first = directions->q_first,
                                  .scale = directions->scale, .row = row_low, .diagonal = directions->diagonal,
                                  .diagonal_first = diagonal_low};
    if (directions->count > 0)
        hull->simd->take_lost_curvature(hull->n_padded, &lost, directions->left);
    const double *v = hull->products[0];
    if (class < 0) {
        hull->simd->blend(hull->n_padded, 0, class, hull->products[0], directions->value);
        v = directions->value;
    }
    struct second_index second_index = {.eligible = hull->eligible[class > 0 ? 1 : 2], .f = v,
                                        .row = row_low, .diagonal = diagonal,
                                        .f_first = v[low], .diagonal_first = diagonal_low,
                                        .hint = pair->high};
    return hull->simd->select_second_index(hull->n_padded, &second_index);
}

static void add(struct directions *directions, const struct hull *hull, double *p, size_t i, double weight)
{
    if (directions->place[i] == 0) {
        size_t h = directions->members++;
        directions->indices[h] = i;
        directions->place[i] = h + 1;
        directions->alpha[h] = hull->weights[class_index(hull->y[i])][i];
        simd_set_put(directions->set, h, 1);
    }
    p[directions->place[i] - 1] += weight;
}

/* Returns |P|^2 and writes -gamma_k to `factors`. */
static double take_curvature(struct directions *directions, int class, const struct hull_pair *pair, double length2)
{
    double lost = 0;
    for (size_t k = 0; k < directions->count; k++) {
        const struct direction *kept = &directions->kept[k];
        double along = class * (kept->q[pair->low] - kept->q[pair->high]); /* D . P_k */
        lost += along * along * kept->scale;
        directions->factors[k] = -along * kept->scale;
    }
    if (lost < (1 - SECOND_INDEX_MIN_LEFT) * length2)
        return length2 - lost;
    directions_forget(directions);
    return length2;
}

/* p = sum of -gamma_k p_k */
static void combine_weights(struct directions *directions, const struct hull *hull, double *p)
{
    memset(p, 0, hull->n_padded * sizeof *p);
    for (size_t k = 0; k < directions->count; k++)
        directions->terms[k] = directions->kept[k].p;
    hull->simd->add_rows(simd_padded(directions->members), directions->terms, directions->factors, directions->count,
                         p);
}

/* q = y (row_L - row_U) + sum of -gamma_k q_k */
static void combine_products(struct directions *directions, const struct hull *hull, int class, const double *row_low,
                             const double *row_high, double *q)
{
    size_t count = directions->count;
    memset(q, 0, hull->n_padded * sizeof *q);
    for (size_t k = 0; k < count; k++)
        directions->terms[k] = directions->kept[k].q;
    directions->terms[count] = row_low;
    directions->terms[count + 1] = row_high;
    directions->factors[count] = class;
    directions->factors[count + 1] = -class;
    hull->simd->add_rows(hull->n_padded, directions->terms, directions->factors, count + 2, q);
    directions->terms[count] = directions->terms[count + 1] = NULL; /* the rows expire */
}

void directions_turn(struct directions *directions, const struct hull *hull, int class, const struct hull_pair *pair,
                     const double *row_low, const double *row_high)
{
    struct direction *turned = &directions->kept[directions->most];
    size_t low = pair->low, high = pair->high;
    double length2 = (row_low[low] - row_low[high]) + (row_high[high] - row_high[low]);
    turned->norm2 = take_curvature(directions, class, pair, length2);
    turned->scale = turned->norm2 > 0 ? 1 / turned->norm2 : 0;
    combine_weights(directions, hull, turned->p);
    add(directions, hull, turned->p, low, 1);
    add(directions, hull, turned->p, high, -1);
    turned->size = directions->members;
    combine_products(directions, hull, class, row_low, row_high, turned->q);
}

/* Keeps the current direction. If the maximum is reached, the oldest is forgotten. */
static void keep(struct directions *directions)
{
    struct direction *kept = directions->kept, turned = kept[directions->most];
    if (directions->most == 0) {
        directions_forget(directions);
    } else if (directions->count == directions->most) {
        struct direction oldest = kept[0];
        memmove(kept, kept + 1, (directions->most - 1) * sizeof *kept);
        kept[directions->most - 1] = turned;
        kept[directions->most] = oldest;
    } else {
        kept[directions->most] = kept[directions->count];
        kept[directions->count++] = turned;
    }
}

/* -W . P */
static double descent(const struct directions *directions, const struct hull *hull, const struct direction *turned)
{
    double sum = 0;
    for (size_t h = 0; h < turned->size; h++) {
        size_t i = directions->indices[h];
        sum -= turned->p[h] * (hull->y[i] * hull_projection(hull, i));
    }
    return sum;
}

/* Moves the multipliers by a step after which none is at a bound. Returns 0 if one would be. */
static int move_freely(struct directions *directions, struct hull *hull, const struct direction *turned, double step)
{
    const unsigned char *sets[2] = {directions->set, directions->set};
    const size_t padded = simd_padded(turned->size);
    struct argminmax of;
    memcpy(directions->moved, directions->alpha, padded * sizeof *directions->moved);
    hull->simd->axpy(padded, step, turned->p, directions->moved);
    hull->simd->argminmax(padded, sets, directions->moved, &of);
    if (!(of.min > 0 && of.max < hull->mu))
        return 0;
    for (size_t h = 0; h < turned->size; h++)
        hull_move_weight(hull, directions->indices[h], directions->moved[h]);
    double *before = directions->alpha;
    directions->alpha = directions->moved;
    directions->moved = before;
    return 1;
}

/* W' = W + step P, with slope = -W . P */
static void move_w(struct directions *directions, struct hull *hull, const struct direction *turned, double slope,
                   double step)
{
    directions->norm2 += step * (step * turned->norm2 - 2 * slope);
    hull_move_products(hull, step, turned->q, directions->norm2);
}

static int is_at_bound(const struct hull *hull, size_t i)
{
    double alpha = hull->weights[class_index(hull->y[i])][i];
    return !(alpha > 0 && alpha < hull->mu);
}

/* After a step that put patterns on bounds: forgets the directions that move these patterns, and the current one. */
static void leave_bounds(struct directions *directions, const struct hull *hull)
{
    size_t first = 0;
    while (first < directions->members && !is_at_bound(hull, directions->indices[first]))
        first++;
    while (directions->count > 0 && directions->kept[directions->count - 1].size > first)
        directions->count--;
    cut_members(directions, directions->count ? directions->kept[directions->count - 1].size : 0);
    for (size_t h = 0; h < directions->members; h++)
        directions->alpha[h] = hull->weights[class_index(hull->y[directions->indices[h]])][directions->indices[h]];
}

int directions_step(struct directions *directions, struct hull *hull)
{
    const struct direction *turned = &directions->kept[directions->most];
    double slope = descent(directions, hull, turned), step = slope * turned->scale;
    if (!(slope > 0))
        return 0;
    if (step > 0 && move_freely(directions, hull, turned, step)) {
        move_w(directions, hull, turned, slope, step);
        keep(directions);
        return 1;
    }
    double max_step = hull_max_step_along(hull, directions->indices, turned->p, turned->size);
    if (!(max_step > 0))
        return 0;
    step = hull_step(slope, turned->norm2, max_step);
    hull_move_along(hull, directions->indices, turned->p, turned->size, step);
    move_w(directions, hull, turned, slope, step);
    leave_bounds(directions, hull);
    return 1;
}
