/* The state shared by solvers of the minimum norm problem, see min_norm.h. |W|^2 and s are summed when needed instead
 * of being updated incrementally; this requests no kernel values. */
#include "solvers/norm/min_norm.h"

#include <math.h>
#include <string.h>

static void layout(struct min_norm *norm, struct arena *arena, size_t head, size_t n)
{
    arena_take(arena, head);
    norm->n = n;
    norm->n_padded = simd_padded(n);
    norm->alpha = arena_doubles(arena, n);
    norm->f = arena_doubles(arena, n);
    norm->terms = arena_doubles(arena, n + PREFIX_SUMS_ROOM);
    norm->bias_sums = arena_doubles(arena, n + PREFIX_SUMS_ROOM);
    for (int s = 0; s < 2; s++)
        norm->eligible[s] = arena_take(arena, simd_set_bytes(n));
    norm->negative = arena_take(arena, simd_set_bytes(n));
    norm->support = arena_take(arena, n * sizeof *norm->support);
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
    norm->simd = oracle_simd(oracle);
    norm->y = problem->y;
    for (size_t j = 0; j < norm->n; j++) {
        simd_set_put(norm->negative, j, norm->y[j] < 0);
        simd_set_put(norm->eligible[0], j, 1);
    }
    min_norm_set(norm, 0, 1);
    norm->simd->axpy(norm->n_padded, norm->y[0], oracle_row(oracle, 0), norm->f);
    min_norm_sum_bias(norm);
}

double min_norm_norm2(const struct min_norm *norm)
{
    double sum = 0;
    for (size_t k = 0; k < norm->supports; k++)
        sum += norm->alpha[norm->support[k]] * min_norm_along(norm, norm->support[k]);
    return sum;
}

void min_norm_fill_progress(double norm2, struct progress *progress)
{
    progress->norm2 = norm2;
    progress->objective = 0.5 * norm2;
}

static struct min_norm_pair pair_of(const struct argminmax *u)
{
    return (struct min_norm_pair){u->min_at, u->max_at, u->max - u->min};
}

struct min_norm_pair min_norm_pair(const struct min_norm *norm)
{
    struct argminmax u;
    if (norm->has_pair)
        return norm->pair;
    norm->simd->signed_argminmax(norm->n_padded, (const unsigned char *const *)norm->eligible, norm->negative, norm->f,
                                 norm->bias, &u);
    return pair_of(&u);
}

struct min_norm_pair min_norm_choose_pair(const struct min_norm *norm, struct progress *progress)
{
    struct min_norm_pair pair = min_norm_pair(norm);
    progress->delta = pair.delta;
    progress->updated_class = 0;
    if (progress_needs_values(progress))
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
    double norm2 = length2(norm, pair, oracle), max_step = norm->alpha[pair->high];
    double lambda = norm2 > 0 ? fmin(max_step, pair->delta / norm2) : max_step; /* eq. (3.2.6) */
    double step = lambda * norm->y[pair->low];
    int of_both_classes = norm->y[pair->low] != norm->y[pair->high];
    struct argminmax u;
    min_norm_set(norm, pair->low, norm->alpha[pair->low] + lambda);   /* eq. (3.2.8) */
    min_norm_set(norm, pair->high, norm->alpha[pair->high] - lambda); /* eq. (3.2.9) */
    min_norm_sum_bias(norm);
    norm->simd->move_signed_argminmax(norm->n_padded, step, row_low, row_high, of_both_classes,
                                      (const unsigned char *const *)norm->eligible, norm->negative, norm->f,
                                      norm->bias, &u);
    norm->pair = pair_of(&u);
    norm->has_pair = 1;
    return lambda;
}

void min_norm_sum_bias(struct min_norm *norm)
{
    norm->bias = norm->simd->prefix_sums(norm->supports, norm->n_bias_sums, norm->terms, norm->bias_sums);
    norm->n_bias_sums = norm->supports;
    norm->has_pair = 0;
}

/* The position of j in `support`, or where it would be inserted. */
static size_t place_of(const struct min_norm *norm, size_t j)
{
    const size_t *at = norm->support;
    for (size_t left = norm->supports; left > 0; left /= 2) { /* without branches, which depend on data */
        size_t half = left - left / 2;
        at += at[half - 1] < j ? half : 0;
    }
    return (size_t)(at - norm->support);
}

/* Makes room for an element of a list at `place`, or removes it. */
static void move_list(void *list, size_t size, size_t place, size_t behind, int has)
{
    char *at = (char *)list + place * size;
    if (has)
        memmove(at + size, at, behind * size);
    else
        memmove(at, at + size, (behind - 1) * size);
}

void min_norm_set(struct min_norm *norm, size_t j, double alpha)
{
    int had = norm->alpha[j] > 0, has = alpha > 0;
    size_t place = place_of(norm, j), behind = norm->supports - place;
    norm->alpha[j] = alpha;
    norm->n_bias_sums = place < norm->n_bias_sums ? place : norm->n_bias_sums;
    if (had != has) {
        simd_set_put(norm->eligible[1], j, has);
        move_list(norm->support, sizeof *norm->support, place, behind, has);
        move_list(norm->terms, sizeof *norm->terms, place, behind, has);
        move_list(norm->bias_sums, sizeof *norm->bias_sums, place, behind, has);
        norm->supports += has ? 1 : (size_t)-1;
    }
    if (has && !had) {
        norm->support[place] = j;
        norm->bias_sums[place] = place > 0 ? norm->bias_sums[place - 1] : 0; /* as if a term 0 had been there */
    }
    if (has)
        norm->terms[place] = norm->y[j] * alpha;
}

void min_norm_find_support(struct min_norm *norm)
{
    double sum = 0; /* all multipliers may have changed, so earlier sums are of no use */
    norm->supports = 0;
    for (size_t j = 0; j < norm->n; j++) {
        simd_set_put(norm->eligible[1], j, norm->alpha[j] > 0);
        if (!(norm->alpha[j] > 0))
            continue;
        norm->terms[norm->supports] = norm->y[j] * norm->alpha[j];
        norm->bias_sums[norm->supports] = sum += norm->terms[norm->supports];
        norm->support[norm->supports++] = j;
    }
    norm->n_bias_sums = norm->supports;
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
