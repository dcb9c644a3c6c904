/* The state shared by solvers of the minimum norm problem, see min_norm.h. |W|^2 and s are summed anew where they are
 * needed instead of being carried along, which asks for no kernel values. */
#include "solvers/norm/min_norm.h"

#include <math.h>
#include <string.h>

static void layout(struct min_norm *norm, struct arena *arena, size_t head, size_t n)
{
    arena_take(arena, head);
    norm->n = n;
    norm->n_padded = lanes_padded(n);
    norm->alpha = arena_doubles(arena, n);
    norm->f = arena_doubles(arena, n);
}

size_t min_norm_state_size(size_t head, size_t n)
{
    struct arena arena = {0};
    struct min_norm norm;
    layout(&norm, &arena, head, n);
    return arena.used;
}

void min_norm_start(struct min_norm *norm, size_t head, const struct problem *problem, struct oracle *oracle)
{
    struct arena arena = {.block = (char *)norm};
    layout(norm, &arena, head, problem->n);
    norm->lanes = oracle_lanes(oracle);
    norm->y = problem->y;
    norm->alpha[0] = 1;
    norm->lanes->axpy(norm->n_padded, norm->y[0], oracle_row(oracle, 0), norm->f);
    min_norm_sum_bias(norm);
}

double min_norm_norm2(const struct min_norm *norm)
{
    double sum = 0;
    for (size_t j = 0; j < norm->n; j++)
        sum += norm->alpha[j] * min_norm_along(norm, j);
    return sum;
}

void min_norm_fill_progress(double norm2, struct progress *progress)
{
    progress->norm2 = norm2;
    progress->objective = 0.5 * norm2;
}

struct min_norm_pair min_norm_pair(const struct min_norm *norm)
{
    struct min_norm_pair pair = {0};
    double least = INFINITY, most = -INFINITY;
    for (size_t j = 0; j < norm->n; j++) {
        double u = min_norm_along(norm, j);
        if (u < least) {
            least = u;
            pair.low = j;
        }
        if (u > most && norm->alpha[j] > 0) {
            most = u;
            pair.high = j;
        }
    }
    pair.delta = most - least;
    return pair;
}

void min_norm_sum_bias(struct min_norm *norm)
{
    double sum = 0;
    for (size_t j = 0; j < norm->n; j++)
        sum += norm->y[j] * norm->alpha[j];
    norm->bias = sum;
}

double min_norm_gap(const void *state, int class)
{
    const struct min_norm *norm = state;
    (void)class;
    return min_norm_norm2(norm) - min_norm_along(norm, min_norm_pair(norm).low);
}

void min_norm_alpha(const void *state, double *alpha)
{
    const struct min_norm *norm = state;
    memcpy(alpha, norm->alpha, norm->n * sizeof *alpha);
}
