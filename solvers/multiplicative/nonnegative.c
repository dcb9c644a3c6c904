/* The state shared by solvers of the SVM dual without bias, see nonnegative.h. */
#include "solvers/multiplicative/nonnegative.h"

#include <math.h>
#include <string.h>

/* Its products with kernel values down to 1e-157 are not denormal, and all of them are negligible in a sum. */
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
    state->least = arena_doubles(arena, n);
    state->most = arena_doubles(arena, n);
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

/* Inline replacements of fmin and fmax; return the other argument if one is NaN. */
static inline double smaller(double a, double b)
{
    return b < a || isnan(a) ? b : a;
}

static inline double larger(double a, double b)
{
    return b > a || isnan(a) ? b : a;
}

/* Records the extremes of the row and whether it has negative values. */
static void look_at_row(struct nonnegative *state, size_t i, const double *row)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t j = 0; j < state->n; j++) {
        least = row[j] < least ? row[j] : least;
        most = row[j] > most ? row[j] : most;
    }
    state->least[i] = least;
    state->most[i] = most;
    state->has_negative[i] = least < 0;
}

static size_t first_negative(const double *row)
{
    size_t j = 0;
    while (!(row[j] < 0))
        j++;
    return j;
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
        look_at_row(state, i, row);
        if (state->has_negative[i] && refuse_negative) {
            size_t at = first_negative(row);
            return error_set(problem->error, STATUS_BAD_INPUT,
                             "the kernel of training patterns %zu and %zu is %g: this solver needs values of 0 or more "
                             "(a Gaussian, a polynomial of even degree); m3 and kernel-adatron take any",
                             i + 1, at + 1, row[at]);
        }
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

/* No term is negative, so no sum is below `least`, the largest of all rows' smallest terms so far. A row whose terms
 * are all below 2^-54 `least` leaves each sum bitwise unchanged; it is counted but not added. The multipliers of most
 * patterns that are no support vectors become so small. */
void nonnegative_sum_class(struct nonnegative *state, size_t side, struct oracle *oracle)
{
    size_t indices[ROWS_AT_ONCE], count = 0;
    double weights[ROWS_AT_ONCE], *sum = state->products[side], least = 0;
    memset(sum, 0, state->n_padded * sizeof *sum);
    for (size_t i = 0; i < state->n; i++) {
        double alpha = state->alpha[i];
        if (nonnegative_side(state, i) != side)
            continue;
        if (alpha * state->most[i] < 0x1p-54 * least) {
            oracle_count_row(oracle, i);
            continue;
        }
        least = larger(least, alpha * state->least[i]);
        indices[count] = i;
        weights[count++] = alpha;
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
    return smaller(larger(next, min_alpha), state->limit);
}

double nonnegative_violation(const struct nonnegative *state, size_t j)
{
    double slope = (nonnegative_own(state, j) - nonnegative_other(state, j)) - 1, k = state->diagonal[j];
    double alpha = state->alpha[j], worth = nonnegative_worth(state, j);
    if (!(k > 0 && isfinite(1 / k)))
        return (slope < 0 ? alpha < state->limit : alpha > 0) ? fabs(slope) : 0;
    return slope < 0 ? smaller(-slope, worth * (state->limit - alpha)) : smaller(slope, worth * alpha);
}

/* Over all patterns: |W|^2, the sum of alpha, that of xi_j = max(0, 1 - y_j f_j), and the smallest y_j f_j. */
struct sums {
    double norm2, alpha, slack, margin;
};

static void add_to_sums(struct sums *sums, const struct nonnegative *state, size_t j)
{
    double yf = nonnegative_own(state, j) - nonnegative_other(state, j);
    sums->norm2 += state->alpha[j] * yf;
    sums->alpha += state->alpha[j];
    sums->slack += larger(0, 1 - yf);
    sums->margin = smaller(sums->margin, yf);
}

static double gap_of(const struct nonnegative *state, const struct sums *sums)
{
    double norm2 = sums->norm2, margin = sums->margin;
    if (isfinite(state->limit))
        return norm2 + state->limit * sums->slack - sums->alpha;
    return margin > 0 ? 0.5 * norm2 / margin / margin + 0.5 * norm2 - sums->alpha : (double)NAN;
}

enum status nonnegative_select(void *state, struct progress *progress)
{
    const struct nonnegative *at = state;
    struct sums sums = {.margin = INFINITY};
    double delta = 0;
    for (size_t j = 0; j < at->n; j++) {
        add_to_sums(&sums, at, j);
        delta = larger(delta, nonnegative_violation(at, j));
    }
    progress->norm2 = sums.norm2;
    progress->objective = 0.5 * sums.norm2 - sums.alpha;
    progress->updated_class = 0;
    progress->delta = delta;
    double gap = gap_of(at, &sums);
    progress->class_gap[0] = progress->class_gap[1] = isnan(gap) ? INFINITY : gap; /* no gap yet: above any limit */
    return STATUS_OK;
}

double nonnegative_gap(const void *state, int class)
{
    const struct nonnegative *at = state;
    struct sums sums = {.margin = INFINITY};
    (void)class;
    for (size_t j = 0; j < at->n; j++)
        add_to_sums(&sums, at, j);
    return gap_of(at, &sums);
}

void nonnegative_alpha(const void *state, double *alpha)
{
    const struct nonnegative *at = state;
    memcpy(alpha, at->alpha, at->n * sizeof *alpha);
}
