/*
 * MinOver, MaxMinOver and SoftMaxMinOver (Martinetz 2003): the direction of largest margin for the patterns z_j = y_j
 * (X_j, s), found by adding up patterns, v = (1/K) sum n_j z_j with whole numbers n_j. Let zbar_S be the mean of the K
 * patterns of a set S. Step t computes
 *
 *   A = the K patterns of smallest margin v . z,  O = the K patterns of largest margin among those with n > 0
 *   v' = v + 2 zbar_A - zbar_O  if v . zbar_O - v . zbar_A >= 4 R_K^2 (forgetting),  v' = v + zbar_A otherwise
 *
 * from v = 0, where A is the first K patterns. R_K is the mean of the K largest |z|. K = 1 in max-minover and in
 * minover, which does not forget; K = nu N in soft-max-minover. s = 1 for the paper's augmented patterns (its -1 is
 * equivalent); s = 0 means no bias. Equation (4) lacks a minus: v . (x, -1) = sum n y k(x_j, x) - b implies b = -sum n
 * y.
 *
 * sum n = K t, so W = v / t is a point of the convex hull of the z_j with multipliers n_j / (K t), and the problem is
 * that of minimum norm. Without forgetting n_j <= t: W is in the reduced hull, alpha <= 1/K, and |W| decreases to the
 * largest margin d_K. The paper's forgetting preserves this only for K = 1. For larger K a pattern in A but not in O
 * gains two, n_j may exceed t, and W leaves the reduced hull and may converge to another direction
 * (docs/study-minover.md). Section IV.A states that the algorithm is MaxMinOver on all means of K patterns; with
 * `forgetting: equivalent` it is. O then consists of the patterns with n_j = t and, for the rest, those of largest
 * margins, so that n - 1_O is a sum of t - 1 sets of K patterns. For K = 1 both are the same.
 *
 * f_j = sum_i n_i y_i k_ij is updated incrementally, and the sums of rows over A and O are kept: the next step requests
 * the rows of the patterns that entered or left, or all K rows if those are not fewer.
 */
#include <math.h>
#include <string.h>

#include "solvers/arena.h"
#include "solvers/hull/smallest.h"
#include "solvers/solver.h"

/* Patterns of a mean zbar: the chosen ones, and those summed in `sum`. */
struct chosen {
    unsigned char *now, *summed; /* n flags each */
    double *sum;                 /* sum of y_i k_ij over the summed patterns; n_padded */
};

struct minover {
    size_t n, n_padded, k;
    const struct simd *simd;
    const signed char *y;
    enum forgetting forgetting;
    double added2;     /* s^2 */
    double threshold;  /* 4 R_K^2 K^2: threshold for K v . (K zbar_O - K zbar_A) */
    uint64_t steps;    /* t */
    uint64_t *count;   /* n_j */
    int64_t balance;   /* sum n_j y_j */
    double *f;         /* n_padded */
    struct chosen learned, forgotten;
    int forgets, outside; /* whether the next step forgets; whether some n_j > t */
    double *margin;    /* scratch: u_j = K v . z_j, or other values to minimise; n_padded */
    size_t *order;     /* scratch: a permutation of the patterns */
    size_t *candidate; /* scratch: patterns that may be forgotten, or whose rows are added */
};

enum { ROWS_AT_ONCE = 64 };

static void layout_chosen(struct chosen *chosen, struct arena *arena, size_t n)
{
    chosen->now = arena_take(arena, n);
    chosen->summed = arena_take(arena, n);
    chosen->sum = arena_doubles(arena, n);
}

static void layout(struct minover *m, struct arena *arena, size_t n)
{
    arena_take(arena, sizeof *m);
    m->n = n;
    m->n_padded = simd_padded(n);
    m->count = arena_take(arena, n * sizeof *m->count);
    m->f = arena_doubles(arena, n);
    layout_chosen(&m->learned, arena, n);
    layout_chosen(&m->forgotten, arena, n);
    m->margin = arena_doubles(arena, n);
    m->order = arena_take(arena, n * sizeof *m->order);
    m->candidate = arena_take(arena, n * sizeof *m->candidate);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct minover m;
    layout(&m, &arena, problem->n);
    return arena.used;
}

/* nu N as a whole number from 1 to N; 1 for solvers without nu. */
static size_t patterns_a_step(const struct problem *problem)
{
    double nu = parameter_get(&problem->parameters, &parameter_nu), n = (double)problem->n;
    return isnan(nu) ? 1 : (size_t)fmin(fmax(floor(nu * n + 0.5), 1), n);
}

/* R_K; requests the diagonal. */
static double mean_largest_norm(struct minover *m, struct oracle *oracle)
{
    double sum = 0;
    for (size_t j = 0; j < m->n; j++)
        m->margin[j] = -sqrt(oracle_value(oracle, j, j) + m->added2);
    smallest_partition(m->order, m->n, m->k, m->margin);
    for (size_t i = 0; i < m->k; i++)
        sum -= m->margin[m->order[i]];
    return sum / (double)m->k;
}

/* The first pattern from j on that is either chosen or summed, but not both; n if none. */
static size_t next_change(const struct chosen *chosen, size_t j, size_t n)
{
    uint64_t now, summed; /* of eight patterns */
    for (; j + sizeof now <= n; j += sizeof now) {
        memcpy(&now, chosen->now + j, sizeof now);
        memcpy(&summed, chosen->summed + j, sizeof summed);
        if (now != summed)
            break;
    }
    while (j < n && chosen->now[j] == chosen->summed[j])
        j++;
    return j;
}

/* Writes these patterns, ascending, to m->candidate; returns their number. */
static size_t find_changes(const struct minover *m, const struct chosen *chosen)
{
    size_t changes = 0;
    for (size_t j = next_change(chosen, 0, m->n); j < m->n; j = next_change(chosen, j + 1, m->n))
        m->candidate[changes++] = j;
    return changes;
}

/* Updates `sum` to the currently chosen patterns. */
static void sum_rows(const struct minover *m, struct chosen *chosen, struct oracle *oracle)
{
    size_t changes = find_changes(m, chosen);
    if (m->k == 1 || changes >= m->k) {
        memset(chosen->sum, 0, m->n_padded * sizeof *chosen->sum);
        memset(chosen->summed, 0, m->n);
        changes = find_changes(m, chosen);
    }
    for (size_t first = 0; first < changes; first += ROWS_AT_ONCE) {
        size_t left = changes - first, some = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        const size_t *rows = m->candidate + first;
        double signs[ROWS_AT_ONCE];
        for (size_t k = 0; k < some; k++)
            signs[k] = chosen->now[rows[k]] ? m->y[rows[k]] : -m->y[rows[k]];
        oracle_add_rows(oracle, rows, signs, some, chosen->sum);
    }
    memcpy(chosen->summed, chosen->now, m->n);
}

/* v += times zbar of the chosen patterns. */
static void add(struct minover *m, struct chosen *chosen, int times, struct oracle *oracle)
{
    sum_rows(m, chosen, oracle);
    m->simd->axpy(m->n_padded, times, chosen->sum, m->f);
    for (size_t j = 0; j < m->n; j++) {
        int change = chosen->now[j] ? times : 0;
        m->count[j] += (uint64_t)change; /* -1 subtracts one */
        m->balance += change * m->y[j];
    }
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle, enum forgetting forgetting)
{
    struct minover *m = state;
    struct arena arena = {.block = state};
    double added = parameter_get(&problem->parameters, &parameter_added);
    layout(m, &arena, problem->n);
    m->simd = oracle_simd(oracle);
    m->y = problem->y;
    m->forgetting = forgetting;
    m->added2 = added * added;
    m->k = patterns_a_step(problem);
    for (size_t j = 0; j < m->n; j++)
        m->order[j] = j;
    if (forgetting != FORGETTING_NO) {
        double radius = (double)m->k * mean_largest_norm(m, oracle);
        m->threshold = 4 * radius * radius;
    }
    memset(m->learned.now, 1, m->k);
    add(m, &m->learned, 1, oracle);
    m->steps = 1;
    return STATUS_OK;
}

static enum status init_minover(void *state, const struct problem *problem, struct oracle *oracle)
{
    return init(state, problem, oracle, FORGETTING_NO);
}

static enum status init_max_minover(void *state, const struct problem *problem, struct oracle *oracle)
{
    return init(state, problem, oracle, FORGETTING_PAPER);
}

static enum status init_soft(void *state, const struct problem *problem, struct oracle *oracle)
{
    double forgetting = parameter_get(&problem->parameters, &parameter_forgetting);
    return init(state, problem, oracle, (enum forgetting)forgetting);
}

/* Over all patterns: |K v|^2 = sum n_j u_j, and whether some n_j > t. */
struct totals {
    double norm2;
    int outside;
};

/* Fills margin with u_j. */
static struct totals fill_margins(const struct minover *m)
{
    double shift = m->added2 * (double)m->balance, norm2 = 0;
    int outside = 0;
    for (size_t j = 0; j < m->n; j++) {
        double margin = m->y[j] * (m->f[j] + shift);
        m->margin[j] = margin;
        norm2 += (double)(int64_t)m->count[j] * margin;
        outside |= m->count[j] > m->steps;
    }
    return (struct totals){norm2, outside};
}

/* Puts the K patterns of smallest margin first in order; returns the sum of their margins. */
static double smallest_margins(const struct minover *m)
{
    double sum = 0;
    smallest_partition(m->order, m->n, m->k, m->margin);
    for (size_t i = 0; i < m->k; i++)
        sum += m->margin[m->order[i]];
    return sum;
}

/* Flags the patterns to forget and returns the sum of their margins. Negates `margin`. At least K patterns have n > 0:
 * those just learned. */
static double choose_forgotten(struct minover *m)
{
    size_t n_candidates = 0, wanted = m->k;
    double sum = 0;
    memset(m->forgotten.now, 0, m->n);
    for (size_t j = 0; j < m->n; j++) {
        m->margin[j] = -m->margin[j];
        if (m->forgetting == FORGETTING_EQUIVALENT && m->count[j] == m->steps) {
            m->forgotten.now[j] = 1; /* at most K of them, since sum n = K t */
            sum -= m->margin[j];
            wanted--;
        } else {
            m->candidate[n_candidates] = j;
            n_candidates += m->count[j] > 0;
        }
    }
    if (wanted > 0)
        smallest_partition(m->candidate, n_candidates, wanted, m->margin);
    for (size_t i = 0; i < wanted; i++) {
        m->forgotten.now[m->candidate[i]] = 1;
        sum -= m->margin[m->candidate[i]];
    }
    return sum;
}

/* |W|^2 minus the smallest W . Z over the reduced hull; `low` and `norm2` refer to the margins. */
static double gap_of(const struct minover *m, double low, double norm2)
{
    double size = (double)m->k * (double)m->steps;
    return norm2 / size / size - low / (double)m->k / size;
}

static enum status select(void *state, struct progress *progress)
{
    struct minover *m = state;
    const struct totals totals = fill_margins(m);
    double size = (double)m->k * (double)m->steps, low = smallest_margins(m);
    m->outside = totals.outside;
    progress->updated_class = 0;
    progress->norm2 = totals.norm2 / size / size;
    progress->objective = 0.5 * progress->norm2;
    /* outside the reduced hull no gap is known */
    progress->delta = m->outside ? (double)INFINITY : gap_of(m, low, totals.norm2);
    memset(m->learned.now, 0, m->n);
    for (size_t i = 0; i < m->k; i++)
        m->learned.now[m->order[i]] = 1;
    m->forgets = m->forgetting != FORGETTING_NO && choose_forgotten(m) - low >= m->threshold;
    return STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct minover *m = state;
    add(m, &m->learned, m->forgets ? 2 : 1, oracle);
    if (m->forgets)
        add(m, &m->forgotten, -1, oracle);
    m->steps++;
    return STATUS_OK;
}

static double gap(const void *state, int class)
{
    const struct minover *m = state;
    (void)class;
    const struct totals totals = fill_margins(m); /* writes only scratch that holds no result */
    return totals.outside ? (double)NAN : gap_of(m, smallest_margins(m), totals.norm2);
}

static void alpha(const void *state, double *out)
{
    const struct minover *m = state;
    double size = (double)m->k * (double)m->steps;
    for (size_t j = 0; j < m->n; j++)
        out[j] = (double)m->count[j] / size;
}

extern const struct solver solver_minover, solver_max_minover, solver_soft_max_minover;

#define MINOVER_SOLVER                                                                                              \
    .formulation = FORMULATION_MINIMUM_NORM,                                                                        \
    .stops = 1u << STOP_DELTA | 1u << STOP_DELTA_NORM2 | 1u << STOP_DELTA_2NORM2 | 1u << STOP_GAP_MAX_NORM2 |       \
             1u << STOP_ITERATIONS,                                                                                 \
    .converges_slowly = 1, .counts_steps = 1, .ignores_tolerance = 1, .state_size = state_size,                     \
    .select = select, .update = update, .gap = gap, .alpha = alpha

static const struct kernel_cost with_forgetting[] = {{.is_stated = 1, .n = 2}, {0}};
static const struct kernel_cost without_diagonal[] = {{.is_stated = 1, .rows_nu = 1}, {0}}; /* without forgetting */
static const struct kernel_cost soft_with_forgetting[] = {{.is_stated = 1, .at_most = 1, .rows_nu = 2}, {0}};

const struct solver solver_minover = {
    .name = "minover",
    .title = "MinOver: adds the pattern of smallest margin",
    .reference = "Krauth and Mezard 1987; Martinetz 2003, Section II",
    .parameters = PARAMETERS(&parameter_added),
    .setup_cost = {.is_stated = 1, .n = 1},
    .iteration_cost = {.is_stated = 1, .n = 1},
    .init = init_minover,
    MINOVER_SOLVER,
};

const struct solver solver_max_minover = {
    .name = "max-minover",
    .title = "MinOver that unlearns the largest margin",
    .reference = "Martinetz 2003, Section III",
    .parameters = PARAMETERS(&parameter_added),
    .setup_cost = {.is_stated = 1, .n = 2},
    .iteration_cost = {.is_stated = 1, .n = 1},
    .further_iteration_costs = with_forgetting,
    .init = init_max_minover,
    MINOVER_SOLVER,
};

const struct solver solver_soft_max_minover = {
    .name = "soft-max-minover",
    .title = "MaxMinOver with nu N patterns at either end",
    .reference = "Martinetz 2003, Section IV",
    .parameters = PARAMETERS(&parameter_nu, &parameter_forgetting, &parameter_added),
    .setup_cost = {.is_stated = 1, .n = 1, .rows_nu = 1},
    .further_setup_costs = without_diagonal,
    .iteration_cost = {.is_stated = 1, .at_most = 1, .rows_nu = 1},
    .further_iteration_costs = soft_with_forgetting,
    .may_miss_optimum = parameters_may_leave_hull,
    .init = init_soft,
    MINOVER_SOLVER,
};
