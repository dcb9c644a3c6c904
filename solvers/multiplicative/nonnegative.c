/* The state shared by solvers of the SVM dual without bias, see nonnegative.h. */
#include "solvers/multiplicative/nonnegative.h"

#include <math.h>
#include <string.h>

/* Products of it with kernel values down to 1e-157 are not denormal, and all of them vanish beside the terms of a sum.
 * */
static const double min_alpha = 0x1p-500;

void nonnegative_layout(struct nonnegative *state, struct arena *arena, size_t n)
{
    state->n = n;
    state->n_padded = simd_padded(n);
    state->alpha = arena_doubles(arena, n);
    state->diagonal = arena_doubles(arena, n);
    for (int side = 0; side < 2; side++) {
        state->products[side] = arena_doubles(arena, n);
        state->part[side] = arena_doubles(arena, n);
    }
    state->has_negative = arena_take(arena, n);
}

size_t nonnegative_state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct nonnegative state;
    arena_take(&arena, sizeof state);
    nonnegative_layout(&state, &arena, problem->n);
    return arena.used;
}

enum { ROWS_AT_ONCE = 64 };

/* Notes whether the row has values below zero, and where the first is. */
static int look_for_negative(struct nonnegative *state, size_t i, const double *row, size_t *where)
{
    size_t j = 0;
    while (j < state->n && !(row[j] < 0))
        j++;
    *where = j;
    return state->has_negative[i] = j < state->n;
}

enum status nonnegative_init(void *state, const struct problem *problem, int refuse_negative, struct oracle *oracle)
{
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof(struct nonnegative));
    nonnegative_layout(state, &arena, problem->n);
    return nonnegative_start(state, problem, START_AT_OWN_OPTIMUM, refuse_negative, oracle);
}

enum status nonnegative_start(struct nonnegative *state, const struct problem *problem, enum start_at start,
                              int refuse_negative, struct oracle *oracle)
{
    int is_hard = problem->solver->formulation == FORMULATION_NO_BIAS_HARD_MARGIN;
    double limit = is_hard ? INFINITY : parameter_get(&problem->parameters, &parameter_c);
    state->simd = oracle_simd(oracle);
    state->y = problem->y;
    state->limit = limit;
    oracle_diagonal(oracle, state->diagonal);
    for (size_t j = 0; j < state->n && start == START_AT_OWN_OPTIMUM; j++) {
        double k = state->diagonal[j];
        state->alpha[j] = fmin(k > 0 && isfinite(1 / k) ? 1 / k : 1, limit);
    }
    oracle_prefetch_all(oracle);
    for (size_t i = 0; i < state->n; i++) {
        const double *row = oracle_row(oracle, i);
        size_t at;
        if (look_for_negative(state, i, row, &at) && refuse_negative)
            return error_set(problem->error, STATUS_BAD_INPUT,
                             "the kernel of training patterns %zu and %zu is %g: this solver needs values of 0 or more "
                             "(a Gaussian, a polynomial of even degree); m3 and kernel-adatron take any",
                             i + 1, at + 1, row[at]);
        nonnegative_add(state, i, state->alpha[i], row);
    }
    return STATUS_OK;
}

void nonnegative_add(struct nonnegative *state, size_t i, double change, const double *row)
{
    size_t side = nonnegative_side(state, i);
    const double *above = row;
    if (state->has_negative[i]) {
        for (size_t j = 0; j < state->n_padded; j++) {
            state->part[0][j] = row[j] > 0 ? row[j] : 0;
            state->part[1][j] = row[j] < 0 ? -row[j] : 0;
        }
        above = state->part[0];
        state->simd->axpy(state->n_padded, change, state->part[1], state->products[!side]);
    }
    state->simd->axpy(state->n_padded, change, above, state->products[side]);
}

void nonnegative_sum_class(struct nonnegative *state, size_t side, struct oracle *oracle)
{
    size_t indices[ROWS_AT_ONCE], count = 0;
    double weights[ROWS_AT_ONCE], *sum = state->products[side];
    memset(sum, 0, state->n_padded * sizeof *sum);
    for (size_t i = 0; i < state->n; i++) {
        if (nonnegative_side(state, i) != side)
            continue;
        indices[count] = i;
        weights[count++] = state->alpha[i];
        if (count == ROWS_AT_ONCE) {
            oracle_add_rows(oracle, indices, weights, count, sum);
            count = 0;
        }
    }
    oracle_add_rows(oracle, indices, weights, count, sum);
}

void nonnegative_sum(struct nonnegative *state, struct oracle *oracle)
{
    if (!memchr(state->has_negative, 1, state->n)) {
        nonnegative_sum_class(state, 0, oracle);
        nonnegative_sum_class(state, 1, oracle);
        return;
    }
    for (int side = 0; side < 2; side++)
        memset(state->products[side], 0, state->n_padded * sizeof(double));
    for (size_t i = 0; i < state->n; i++)
        nonnegative_add(state, i, state->alpha[i], oracle_row(oracle, i));
}

double nonnegative_times(const struct nonnegative *state, size_t j, double factor)
{
    double next = state->alpha[j] * factor;
    if (!isfinite(next))
        return isfinite(state->limit) ? state->limit : state->alpha[j];
    return fmin(fmax(next, min_alpha), state->limit);
}

double nonnegative_violation(const struct nonnegative *state, size_t j)
{
    double slope = (nonnegative_own(state, j) - nonnegative_other(state, j)) - 1, k = state->diagonal[j];
    double alpha = state->alpha[j], worth = nonnegative_worth(state, j);
    if (!(k > 0 && isfinite(1 / k)))
        return (slope < 0 ? alpha < state->limit : alpha > 0) ? fabs(slope) : 0;
    return slope < 0 ? fmin(-slope, worth * (state->limit - alpha)) : fmin(slope, worth * alpha);
}

struct sums {
    double norm2, alpha;
};

static struct sums sums_of(const struct nonnegative *state)
{
    struct sums sums = {0};
    for (size_t j = 0; j < state->n; j++) {
        sums.norm2 += state->alpha[j] * (nonnegative_own(state, j) - nonnegative_other(state, j));
        sums.alpha += state->alpha[j];
    }
    return sums;
}

enum status nonnegative_select(void *state, struct progress *progress)
{
    const struct nonnegative *at = state;
    struct sums sums = sums_of(at);
    progress->norm2 = sums.norm2;
    progress->objective = 0.5 * sums.norm2 - sums.alpha;
    progress->updated_class = 0;
    progress->delta = 0;
    for (size_t j = 0; j < at->n; j++)
        progress->delta = fmax(progress->delta, nonnegative_violation(at, j));
    return STATUS_OK;
}

double nonnegative_gap(const void *state, int class)
{
    const struct nonnegative *at = state;
    struct sums sums = sums_of(at);
    double slack = 0, margin = INFINITY;
    (void)class;
    for (size_t j = 0; j < at->n; j++) {
        double yf = nonnegative_own(at, j) - nonnegative_other(at, j);
        slack += fmax(0, 1 - yf);
        margin = fmin(margin, yf);
    }
    if (isfinite(at->limit))
        return sums.norm2 + at->limit * slack - sums.alpha;
    return margin > 0 ? 0.5 * sums.norm2 / margin / margin + 0.5 * sums.norm2 - sums.alpha : (double)NAN;
}

void nonnegative_alpha(const void *state, double *alpha)
{
    const struct nonnegative *at = state;
    memcpy(alpha, at->alpha, at->n * sizeof *alpha);
}
