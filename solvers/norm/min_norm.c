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

struct min_norm_pair min_norm_choose_pair(const struct min_norm *norm, struct progress *progress)
{
    struct min_norm_pair pair = min_norm_pair(norm);
    progress->delta = pair.delta;
    progress->updated_class = 0;
    if (progress->want_values)
        min_norm_fill_progress(min_norm_norm2(norm), progress);
    return pair;
}

/* |z_L - z_U|^2 */
static double length2(const struct min_norm *norm, const struct min_norm_pair *pair, struct oracle *oracle)
{
    size_t l = pair->low, u = pair->high;
    double low = oracle_value(oracle, l, l), high = oracle_value(oracle, u, u), cross = oracle_value(oracle, l, u);
    return norm->y[l] == norm->y[u] ? (low - cross) + (high - cross) : (low + cross) + (high + cross) + 4;
}

double min_norm_move_pair(struct min_norm *norm, const struct min_norm_pair *pair, struct oracle *oracle)
{
    const double *row_low = oracle_row(oracle, pair->low), *row_high = oracle_row(oracle, pair->high);
    double norm2 = length2(norm, pair, oracle), most = norm->alpha[pair->high];
    double lambda = norm2 > 0 ? fmin(most, pair->delta / norm2) : most; /* eq. (3.2.6) */
    double step = lambda * norm->y[pair->low];
    if (norm->y[pair->low] == norm->y[pair->high])
        norm->lanes->add_difference(norm->n_padded, step, row_low, row_high, norm->f);
    else {
        norm->lanes->axpy(norm->n_padded, step, row_low, norm->f);
        norm->lanes->axpy(norm->n_padded, step, row_high, norm->f);
    }
    norm->alpha[pair->low] += lambda;  /* eq. (3.2.8) */
    norm->alpha[pair->high] -= lambda; /* eq. (3.2.9) */
    min_norm_sum_bias(norm);
    return lambda;
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
