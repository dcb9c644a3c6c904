/* Points of the SVM duals and steps along pairs, see box.h. */
#include "solvers/decomposition/box.h"

#include <math.h>
#include <string.h>

#include "solvers/kernel/shared_search.h"

void box_layout(struct box *box, struct arena *arena, size_t n)
{
    box->max_alpha = BOX_MAX_ALPHA;
    box->max_gain = INFINITY;
    box->n = n;
    box->n_padded = simd_padded(n);
    box->alpha = arena_doubles(arena, n);
    box->signed_alpha = arena_doubles(arena, n);
    box->f = arena_doubles(arena, n);
    for (int s = 0; s < 2; s++)
        box->eligible[s] = arena_take(arena, simd_set_bytes(n));
}

static void start_at_first_pair(struct box *box, struct oracle *oracle)
{
    for (int class = -1; class <= 1; class += 2) {
        size_t i = 0;
        while (box->y[i] != class)
            i++;
        box_set(box, i, fmin(1, box->c));
        box->simd->axpy(box->n_padded, box->signed_alpha[i], oracle_row(oracle, i), box->f);
    }
}

enum start box_start_of(const struct problem *problem)
{
    return (enum start)parameter_get(&problem->parameters, &parameter_start);
}

void box_start(struct box *box, const struct problem *problem, double c, enum start start, struct oracle *oracle)
{
    box->simd = oracle_simd(oracle);
    box->y = problem->y;
    box->c = c;
    for (size_t i = 0; i < box->n; i++) {
        box->f[i] = -box->y[i];
        box_set_eligible(box, i);
    }
    if (start == START_FIRST_PAIR)
        start_at_first_pair(box, oracle);
}

struct box_pair box_pair_of(const struct argminmax *argminmax)
{
    return (struct box_pair){argminmax->min_at, argminmax->max_at, argminmax->min, argminmax->max};
}

struct box_pair box_worst_pair(const struct box *box)
{
    struct argminmax argminmax =
        shared_argminmax(box->simd, box->n_padded, (const unsigned char *const *)box->eligible, box->f);
    return box_pair_of(&argminmax);
}

struct box_pair box_add_pair(struct box *box, double step, const double *row_up, const double *row_low)
{
    struct argminmax argminmax = shared_add_difference_argminmax(
        box->simd, box->n_padded, step, row_up, row_low, (const unsigned char *const *)box->eligible, box->f);
    return box_pair_of(&argminmax);
}

void box_bound_by_ridge(struct box *box, double ridge)
{
    struct progress start;
    box_fill_progress(box, &start);
    double root = sqrt((double)box->n) / ridge;
    box->max_alpha = fmin(box->max_alpha, root + sqrt(root * root + 2 * fmax(0, start.objective) / ridge));
    box->max_gain = 2 * fmax(0, start.objective) + (double)box->n / ridge;
}

int box_trusts_step(const struct box *box, const size_t *indices, const double *weights, size_t count, double step,
                    double slope)
{
    if (box->c <= box->max_alpha)
        return 1;
    int keeps = 0.5 * step * slope <= box->max_gain; /* the gain is at least that */
    for (size_t h = 0; h < count; h++)
        keeps &= box->alpha[indices[h]] + box->y[indices[h]] * step * weights[h] <= box->max_alpha;
    return keeps;
}

double box_pair_step(const struct box *box, const struct box_pair *pair, double curvature)
{
    double max_step = fmin(box_max_step(box, pair->up, 1), box_max_step(box, pair->low, 0)),
           delta = pair->f_low - pair->f_up;
    double step = curvature > 0 && delta < max_step * curvature ? delta / curvature : max_step;
    const size_t indices[] = {pair->up, pair->low};
    const double weights[] = {1, -1};
    return step > 0 && box_trusts_step(box, indices, weights, 2, step, delta) ? step : 0;
}

/* y_i alpha_i += change; if |change| = max_step, alpha_i is put exactly on its bound. */
static void move(struct box *box, size_t i, double change, double max_step)
{
    double step = box->y[i] * change, moved = box->alpha[i] + step;
    if (fabs(change) >= max_step)
        moved = step > 0 ? box->c : 0;
    box_set(box, i, moved);
}

void box_move_pair(struct box *box, const struct box_pair *pair, double step)
{
    move(box, pair->up, step, box_max_step(box, pair->up, 1));
    move(box, pair->low, -step, box_max_step(box, pair->low, 0));
}

double box_sum_alpha(const struct box *box)
{
    double sum = 0;
    for (size_t i = 0; i < box->n; i++)
        sum += box->alpha[i];
    return sum;
}

double box_gap(const struct box *box, const struct box_pair *pair, const size_t *active, size_t count)
{
    double bias = -0.5 * (pair->f_up + pair->f_low), sum = 0;
    for (size_t k = 0; k < count; k++) {
        size_t i = active ? active[k] : k;
        double u = box->y[i] * (box->f[i] + bias);
        sum += box->alpha[i] * u + box->c * fmax(0, -u);
    }
    return sum;
}

double box_norm2(const struct box *box, double sum_alpha)
{
    return box->simd->dot(box->n_padded, box->signed_alpha, box->f) + sum_alpha;
}

void box_fill_progress(const struct box *box, struct progress *progress)
{
    double sum = box_sum_alpha(box);
    progress->norm2 = box_norm2(box, sum);
    progress->objective = 0.5 * progress->norm2 - sum;
}

void box_alpha(const void *state, double *alpha)
{
    const struct box *box = state;
    memcpy(alpha, box->alpha, box->n * sizeof *alpha);
}
