/* Newton steps on faces, see face.h. */
#include "solvers/hull/face.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void face_layout(struct face *face, struct arena *arena, size_t n)
{
    face->max = n < FACE_MAX ? n : FACE_MAX;
    const size_t padded = tiled_factor_padded(face->max);
    double **const arrays[] = {&face->solution, &face->column[0], &face->column[1]};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        *arrays[a] = arena_doubles(arena, padded);
    face->change = arena_doubles(arena, n);
    face->product_change = arena_doubles(arena, n);
    face->entries = arena_take(arena, n * sizeof *face->entries);
    face->order = arena_take(arena, n * sizeof *face->order);
    face->is_movable = arena_take(arena, n);
}

/* Between the F at which patterns of a class rise and those at which they fall: the mean F of its free patterns, or the
 * middle of its pair. */
static double threshold(const struct face_state *state, int c)
{
    const struct hull *hull = state->hull;
    double sum = 0;
    size_t free_ones = 0;
    for (size_t i = 0; i < hull->count[c]; i++) {
        const size_t k = hull->members[c][i];
        if (state->room[k] > 0 && state->room[k] < hull->mu) {
            sum += hull->products[0][k];
            free_ones++;
        }
    }
    const struct hull_pair *pair = &hull->pair[c];
    return free_ones > 0 ? sum / (double)free_ones
                         : 0.5 * (hull->products[0][pair->low] + hull->products[0][pair->high]);
}

size_t face_count_movable(struct face *face, const struct face_state *state)
{
    const struct hull *hull = state->hull;
    const double *f = hull->products[0], lambda[2] = {threshold(state, 0), threshold(state, 1)};
    size_t count = 0;
    for (size_t k = 0; k < hull->n; k++) {
        const double above = f[k] - lambda[class_index(hull->y[k])];
        face->is_movable[k] = state->room[k] > 0 ? state->room[k] < hull->mu || above > 0 : above < 0;
        count += face->is_movable[k];
    }
    return count;
}

static double inside(const struct face_state *state, size_t k, double change)
{
    const double room = state->room[k] + change;
    return fmin(room, state->hull->mu - room);
}

/* The farthest from the bounds first; ties stay in order. */
static int compare_entries(const void *a, const void *b)
{
    const struct face_entry *x = a, *y = b;
    if (x->inside != y->inside)
        return x->inside < y->inside ? 1 : -1;
    return (x->k > y->k) - (x->k < y->k);
}

/* The movable patterns in the order of their distance from the bounds after the change. */
static void sort_order(struct face *face, const struct face_state *state)
{
    size_t n = 0;
    for (size_t k = 0; k < state->hull->n; k++)
        if (face->is_movable[k])
            face->entries[n++] = (struct face_entry){inside(state, k, face->change[k]), k};
    qsort(face->entries, n, sizeof *face->entries, compare_entries);
    for (size_t q = 0; q < n; q++)
        face->order[q] = face->entries[q].k;
    face->factor.n = n;
}

/* Takes the patterns that are no longer movable out of the order. Rows and columns of the factor that stay are moved
 * together; returns the number of rows that stay. */
static size_t leave(struct face *face)
{
    const struct tiled_factor *factor = &face->factor;
    size_t first = 0, n = 0;
    while (first < factor->n && face->is_movable[face->order[first]])
        first++;
    const size_t rows = first / FACTOR_TILE * FACTOR_TILE;
    for (size_t q = 0; q < factor->n; q++)
        if (face->is_movable[face->order[q]]) {
            if (q > n)
                tiled_factor_move(factor, q, n, rows);
            face->order[n++] = face->order[q];
        }
    face->factor.n = n;
    return rows;
}

/* Writes K + rho E from row `rows` on, and factors it. */
static double factor(struct face *face, const struct face_state *state, size_t rows)
{
    const struct hull *hull = state->hull;
    for (size_t q = rows; q < face->factor.n; q++) {
        const double *row = state->row(state->context, face->order[q]);
        const signed char y = hull->y[face->order[q]];
        double *column = tiled_factor_at(&face->factor, 0, q);
        for (size_t p = rows; p <= q; p++) {
            const size_t k = face->order[p];
            column[p * FACTOR_TILE] = row[k] + (hull->y[k] == y ? face->penalty : 0);
        }
    }
    return tiled_factor_compute(&face->factor, rows, tiled_factor_padded(face->factor.n));
}

static double class_sum(const struct face *face, const struct hull *hull, int c, const double *x)
{
    double sum = 0;
    for (size_t q = 0; q < face->factor.n; q++)
        sum += class_index(hull->y[face->order[q]]) == c ? x[q] : 0;
    return sum;
}

/* The solution for the movable patterns, whose sum in each class cancels that of the others' changes. F + K_R d_R is in
 * product_change. */
static void solve(struct face *face, const struct hull *hull)
{
    const size_t n = face->factor.n;
    double *x = face->solution, m[2][2], lack[2] = {0, 0};
    for (size_t k = 0; k < hull->n; k++)
        if (!face->is_movable[k])
            lack[class_index(hull->y[k])] -= face->change[k];
    for (size_t q = 0; q < n; q++) {
        x[q] = -face->product_change[face->order[q]];
        for (int c = 0; c < 2; c++)
            face->column[c][q] = class_index(hull->y[face->order[q]]) == c;
    }
    tiled_factor_solve(&face->factor, x);
    for (int c = 0; c < 2; c++)
        tiled_factor_solve(&face->factor, face->column[c]);
    for (int c = 0; c < 2; c++) {
        lack[c] -= class_sum(face, hull, c, x);
        for (int d = 0; d < 2; d++)
            m[c][d] = class_sum(face, hull, c, face->column[d]);
        if (m[c][c] == 0)
            m[c][c] = 1; /* no pattern of this class moves */
    }
    const double determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    const double lambda[2] = {(lack[0] * m[1][1] - lack[1] * m[0][1]) / determinant,
                              (lack[1] * m[0][0] - lack[0] * m[1][0]) / determinant};
    for (size_t q = 0; q < n; q++)
        face->change[face->order[q]] =
            x[q] + (lambda[0] * face->column[0][q] + lambda[1] * face->column[1][q]);
}

/* Patterns that the solution puts outside their bounds move to them; returns their number. */
static size_t put_on_bounds(struct face *face, const struct face_state *state)
{
    const struct hull *hull = state->hull;
    size_t count = 0;
    for (size_t k = 0; k < hull->n; k++) {
        if (!face->is_movable[k] || inside(state, k, face->change[k]) >= 0)
            continue;
        face->change[k] = face->change[k] < 0 ? -state->room[k] : hull->mu - state->room[k];
        face->is_movable[k] = 0;
        count++;
        if (face->change[k] != 0)
            hull->simd->axpy(hull->n_padded, face->change[k], state->row(state->context, k), face->product_change);
    }
    return count;
}

/* Distributes what rounding has left in the sums of d over patterns far from their bounds. */
static void correct_sums(struct face *face, const struct face_state *state)
{
    double sum[2] = {0, 0}, room[2] = {0, 0};
    for (size_t k = 0; k < state->hull->n; k++)
        sum[class_index(state->hull->y[k])] += face->change[k];
    for (size_t q = 0; q < face->factor.n; q++) {
        const size_t k = face->order[q];
        room[class_index(state->hull->y[k])] += inside(state, k, face->change[k]);
    }
    for (size_t q = 0; q < face->factor.n; q++) {
        const size_t k = face->order[q];
        const int c = class_index(state->hull->y[k]);
        if (room[c] > fabs(sum[c]))
            face->change[k] -= sum[c] * (inside(state, k, face->change[k]) / room[c]);
    }
}

/* Adds K_M d_M, so that product_change becomes K d. */
static void add_products(struct face *face, const struct face_state *state)
{
    const struct hull *hull = state->hull;
    for (size_t q = 0; q < face->factor.n; q++) {
        const size_t k = face->order[q];
        hull->simd->axpy(hull->n_padded, face->change[k], state->row(state->context, k), face->product_change);
    }
    hull->simd->axpy(hull->n_padded, -1, hull->products[0], face->product_change);
}

double face_solve(struct face *face, const struct face_state *state, double *slope, double *curvature)
{
    const struct hull *hull = state->hull;
    double multiplications = 0;
    size_t rows = 0, passes = 0, left;
    memset(face->change, 0, hull->n_padded * sizeof *face->change);
    memcpy(face->product_change, hull->products[0], hull->n_padded * sizeof *face->product_change);
    face->penalty = 0;
    for (size_t k = 0; k < hull->n; k++)
        face->penalty += state->diagonal[k] / (double)hull->n;
    *slope = *curvature = 0;
    sort_order(face, state);
    do {
        multiplications += factor(face, state, rows);
        solve(face, hull);
        left = put_on_bounds(face, state);
        rows = left > 0 ? leave(face) : rows;
        if (left > 0 && 2 * rows < face->factor.n) { /* little is kept: better the order of this solution */
            sort_order(face, state);
            rows = 0;
        }
    } while (left > 0 && face->factor.n > 0 && ++passes < FACE_MAX_PASSES);
    if (left > 0)
        return multiplications;
    correct_sums(face, state);
    add_products(face, state);
    *slope = -hull->simd->dot(hull->n_padded, hull->products[0], face->change);
    *curvature = hull->simd->dot(hull->n_padded, face->product_change, face->change);
    return multiplications;
}
