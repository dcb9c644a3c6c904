/*
 * Between two looks the multipliers change by d_i in terms of y alpha, so W changes by D = sum d_i X_i and, by
 * Cauchy-Schwarz,
 *
 *   |F_j' - F_j| = |D . X_j| <= |D| |X_j|,     |D|^2 = sum d_i D . X_i = sum d_i (F_i' - F_i).
 *
 * The sum is over the patterns that have moved, whose F is known at both looks. Over several looks the lengths |D| add
 * up, by the triangle inequality. This holds for a positive semidefinite kernel (oracle_is_semidefinite).
 *
 * F is computed as a sum of products with multipliers. Its rounding error is at most the number of products, times the
 * sum of the multipliers' magnitudes, times the unit roundoff, times the largest |X_i|^2. The sum over i has this error
 * times the sum of |d_i|. It is added to |D|^2, which rounding might otherwise make too small.
 *
 * F of a pattern is updated by the multipliers that have changed since the look that last saw it, or summed again.
 */
#include "solvers/decomposition/deferred_f.h"

#include <float.h>
#include <math.h>
#include <string.h>

void deferred_f_layout(struct deferred_f *deferred, struct arena *arena, size_t n, size_t kept)
{
    deferred->n = n;
    deferred->kept = kept;
    deferred->seen = arena_take(arena, n * sizeof *deferred->seen);
    deferred->index = arena_take(arena, n * sizeof *deferred->index);
    deferred->f = arena_doubles(arena, n);
    deferred->f_before = arena_doubles(arena, n);
    deferred->signed_alpha = arena_doubles(arena, n);
    deferred->change = arena_doubles(arena, n);
    deferred->path_seen = arena_doubles(arena, n);
    deferred->change_since = arena_doubles(arena, n);
    deferred->kept_alpha = arena_doubles(arena, kept * n);
    deferred->norm = arena_doubles(arena, n);
    deferred->values = arena_doubles(arena, n);
}

void deferred_f_start(struct deferred_f *deferred, const struct problem *problem, const double *f,
                      const double *signed_alpha, const double *diagonal, struct oracle *oracle)
{
    deferred->y = problem->y;
    deferred->oracle = oracle;
    memcpy(deferred->f, f, deferred->n * sizeof *f);
    memcpy(deferred->signed_alpha, signed_alpha, deferred->n * sizeof *signed_alpha);
    for (size_t i = 0; i < deferred->n; i++) {
        deferred->norm[i] = sqrt(diagonal[i]);
        deferred->max_norm2 = fmax(deferred->max_norm2, diagonal[i]);
        deferred->terms += signed_alpha[i] != 0;
        deferred->moved += fabs(signed_alpha[i]);
    }
}

/* Lists the wanted patterns that look `number` saw last; if it is the current look, those last seen before all looks
 * whose multipliers are kept. */
static size_t list(struct deferred_f *deferred, const unsigned char *wanted, size_t number)
{
    size_t count = 0, look = deferred->look, older = number == look;
    for (size_t i = 0; i < deferred->n; i++) { /* without a branch that could not be predicted */
        const size_t seen = deferred->seen[i];
        const int is_listed = older ? seen + deferred->kept < look : seen == number;
        deferred->index[count] = i;
        count += (size_t)((wanted[i] != 0) & is_listed);
    }
    return count;
}

/* The changes since look `number`; NULL if more multipliers have changed than are nonzero. */
static const double *moved_since(struct deferred_f *deferred, size_t number)
{
    const double *before = deferred->kept_alpha + number % deferred->kept * deferred->n;
    size_t moved = 0, terms = 0;
    if (number + 1 == deferred->look)
        return deferred->change;
    for (size_t i = 0; i < deferred->n; i++) {
        deferred->change_since[i] = deferred->signed_alpha[i] - before[i];
        moved += deferred->change_since[i] != 0;
        terms += deferred->signed_alpha[i] != 0;
    }
    return moved > terms ? NULL : deferred->change_since;
}

/* Adds the changes to F of the listed patterns; if NULL, adds all multipliers to -y. */
static void update_listed(struct deferred_f *deferred, size_t count, const double *moved)
{
    double *values = deferred->values;
    for (size_t k = 0; k < count; k++) {
        size_t i = deferred->index[k];
        values[k] = moved ? deferred->f[i] : -deferred->y[i];
    }
    oracle_expand_at(deferred->oracle, deferred->index, count, moved ? moved : deferred->signed_alpha, values);
    for (size_t k = 0; k < count; k++) {
        size_t i = deferred->index[k];
        deferred->f[i] = values[k];
        deferred->seen[i] = deferred->look;
        deferred->path_seen[i] = deferred->path;
    }
}

size_t deferred_f_update(struct deferred_f *deferred, const unsigned char *wanted)
{
    size_t look = deferred->look, sum = 0;
    for (size_t back = 0; back <= deferred->kept && back <= look; back++) {
        size_t number = look - back, count = list(deferred, wanted, number);
        if (count > 0)
            update_listed(deferred, count, back == 0 ? NULL : moved_since(deferred, number));
        sum += count;
    }
    return sum;
}

void deferred_f_begin(struct deferred_f *deferred, const double *signed_alpha)
{
    memcpy(deferred->kept_alpha + deferred->look % deferred->kept * deferred->n, deferred->signed_alpha,
           deferred->n * sizeof *signed_alpha);
    deferred->look++;
    memcpy(deferred->f_before, deferred->f, deferred->n * sizeof *deferred->f);
    for (size_t i = 0; i < deferred->n; i++) {
        double change = signed_alpha[i] - deferred->signed_alpha[i];
        deferred->change[i] = change;
        deferred->signed_alpha[i] = signed_alpha[i];
        deferred->terms += change != 0;
        deferred->moved += fabs(change);
    }
}

void deferred_f_measure(struct deferred_f *deferred)
{
    double norm2 = 0, moved = 0;
    for (size_t i = 0; i < deferred->n; i++)
        if (deferred->change[i] != 0) {
            norm2 += deferred->change[i] * (deferred->f[i] - deferred->f_before[i]);
            moved += fabs(deferred->change[i]);
        }
    const double value_roundings = 64;
    double f_error = DBL_EPSILON * (deferred->terms + value_roundings) * deferred->moved * deferred->max_norm2;
    deferred->path += sqrt(fmax(norm2, 0) + 2 * f_error * moved);
    for (size_t i = 0; i < deferred->n; i++)
        if (deferred->seen[i] == deferred->look)
            deferred->path_seen[i] = deferred->path;
}

double deferred_f_bound(const struct deferred_f *deferred, size_t i)
{
    return deferred->seen[i] == deferred->look ? 0
                                               : (deferred->path - deferred->path_seen[i]) * deferred->norm[i];
}
