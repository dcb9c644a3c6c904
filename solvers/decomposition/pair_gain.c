/* Exact gains of pairs, see pair_gain.h. */
#include "solvers/decomposition/pair_gain.h"

void gain_patterns_layout(struct gain_patterns *patterns, struct arena *arena, size_t n)
{
    patterns->diagonal = arena_doubles(arena, n);
    patterns->positive = arena_take(arena, simd_set_bytes(n));
}

void gain_patterns_start(const struct gain_patterns *patterns, const struct problem *problem, struct oracle *oracle)
{
    oracle_diagonal(oracle, patterns->diagonal);
    for (size_t i = 0; i < problem->n; i++)
        simd_set_put(patterns->positive, i, problem->y[i] > 0);
}

struct pair_gain pair_gain_of(const struct box *box, size_t i, size_t j, double curvature)
{
    size_t up = box->f[i] < box->f[j] ? i : j, low = up == i ? j : i;
    struct box_pair pair = {up, low, box->f[up], box->f[low]};
    double max_step = fmin(box_max_step(box, up, 1), box_max_step(box, low, 0));
    return (struct pair_gain){exact_gain(pair.f_low - pair.f_up, max_step, curvature), pair};
}

void pair_gain_search(const struct box *box, const struct gain_patterns *patterns, size_t fixed, const double *row,
                      struct pair_gain *best)
{
    const double f = box->f[fixed], *diagonal = patterns->diagonal;
    size_t up = best->pair.up, low = best->pair.low;
    struct exact_gains gains = {.eligible = {box->eligible[0], box->eligible[1]},
                                .positive = patterns->positive,
                                .alpha = box->alpha,
                                .f = box->f,
                                .row = row,
                                .diagonal = diagonal,
                                .alpha_max = box->c,
                                .f_first = f,
                                .diagonal_first = diagonal[fixed],
                                .first_up = box_max_step(box, fixed, 1),
                                .first_down = box_max_step(box, fixed, 0),
                                .min_gain = best->gain,
                                .hint = fabs(box->f[low] - f) > fabs(box->f[up] - f) ? low : up};
    size_t other = box->simd->select_exact_gain(box->n_padded, &gains);
    struct pair_gain found =
        pair_gain_of(box, fixed, other, (diagonal[fixed] - row[other]) + (diagonal[other] - row[other]));
    if (found.gain > best->gain)
        *best = found;
}
