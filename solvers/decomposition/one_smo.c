/*
 * 1-SMO: sequential minimal optimisation of the C-SVM dual with the maximal violating pair, Keerthi, Shevade,
 * Bhattacharyya and Murthy (2001), second modification; Lopez (2008), Algorithm 3.
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 * With F_i = sum_j alpha_j y_j k(x_i, x_j) - y_i, y_i alpha_i may grow in I_up = {y = 1, alpha < C} u {y = -1, alpha > 0} and
 * shrink in I_low = {y = 1, alpha > 0} u {y = -1, alpha < C}. The pair is i = argmin F over I_up, j = argmax F over I_low;
 * the KKT violation is Delta = F_j - F_i, optimal when <= 0. The step t = Delta / (k_ii + k_jj - 2 k_ij), clipped to the box,
 * is added to y_i alpha_i and taken from y_j alpha_j. 2N kernel operations an iteration.
 */
#include <math.h>

#include "solvers/arena.h"
#include "solvers/solver.h"

struct one_smo {
    size_t n, n_padded;
    const struct lanes *lanes;
    const signed char *y;
    double c;
    double *alpha;       /* n_padded */
    double *signed_alpha; /* y_i alpha_i */
    double *f;           /* F_i, zero padded */
    size_t up, low;
    double f_up, f_low;
};

static void layout(struct one_smo *smo, struct arena *arena, size_t n)
{
    smo->n = n;
    smo->n_padded = lanes_padded(n);
    smo->alpha = arena_doubles(arena, n);
    smo->signed_alpha = arena_doubles(arena, n);
    smo->f = arena_doubles(arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct one_smo smo;
    arena_take(&arena, sizeof smo);
    layout(&smo, &arena, problem->n);
    return arena.used;
}

static void set_alpha(struct one_smo *smo, size_t i, double value)
{
    smo->alpha[i] = value;
    smo->signed_alpha[i] = smo->y[i] * value;
}

/* min(1, C) on the first pattern of each class (Lopez 2008, Section 5.2). */
static void start_at_first_pair(struct one_smo *smo, struct oracle *oracle)
{
    for (int class = -1; class <= 1; class += 2) {
        size_t i = 0;
        while (smo->y[i] != class)
            i++;
        set_alpha(smo, i, fmin(1, smo->c));
        smo->lanes->axpy(smo->n_padded, smo->signed_alpha[i], oracle_row(oracle, i), smo->f);
    }
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct one_smo *smo = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *smo);
    layout(smo, &arena, problem->n);
    smo->lanes = oracle_lanes(oracle);
    smo->y = problem->y;
    smo->c = problem->parameters.value[PARAMETER_C];
    for (size_t i = 0; i < smo->n; i++)
        smo->f[i] = -smo->y[i];
    if ((enum start)problem->parameters.value[PARAMETER_START] == START_FIRST_PAIR)
        start_at_first_pair(smo, oracle);
    return STATUS_OK;
}

static int may_grow(const struct one_smo *smo, size_t i)
{
    return smo->y[i] > 0 ? smo->alpha[i] < smo->c : smo->alpha[i] > 0;
}

static int may_shrink(const struct one_smo *smo, size_t i)
{
    return smo->y[i] > 0 ? smo->alpha[i] > 0 : smo->alpha[i] < smo->c;
}

static double sum_alpha(const struct one_smo *smo)
{
    double sum = 0;
    for (size_t i = 0; i < smo->n; i++)
        sum += smo->alpha[i];
    return sum;
}

/* |W|^2 = sum y_i alpha_i (F_i + y_i) */
static double norm2(const struct one_smo *smo, double sum)
{
    return smo->lanes->dot(smo->n_padded, smo->signed_alpha, smo->f) + sum;
}

static enum status select(void *state, struct progress *progress)
{
    struct one_smo *smo = state;
    smo->f_up = INFINITY;
    smo->f_low = -INFINITY;
    for (size_t i = 0; i < smo->n; i++) {
        if (smo->f[i] < smo->f_up && may_grow(smo, i)) {
            smo->f_up = smo->f[i];
            smo->up = i;
        }
        if (smo->f[i] > smo->f_low && may_shrink(smo, i)) {
            smo->f_low = smo->f[i];
            smo->low = i;
        }
    }
    progress->delta = smo->f_low - smo->f_up;
    progress->updated_class = 0;
    if (progress->want_values) {
        double sum = sum_alpha(smo);
        progress->norm2 = norm2(smo, sum);
        progress->objective = 0.5 * progress->norm2 - sum;
    }
    return STATUS_OK;
}

static double room_up(const struct one_smo *smo, size_t i)
{
    return smo->y[i] > 0 ? smo->c - smo->alpha[i] : smo->alpha[i];
}

static double room_down(const struct one_smo *smo, size_t i)
{
    return smo->y[i] > 0 ? smo->alpha[i] : smo->c - smo->alpha[i];
}

/* y_i alpha_i += change, |change| = room putting alpha_i exactly on its bound. */
static void move(struct one_smo *smo, size_t i, double change, double room)
{
    double step = smo->y[i] * change, moved = smo->alpha[i] + step;
    if (fabs(change) >= room)
        moved = step > 0 ? smo->c : 0;
    set_alpha(smo, i, moved);
}

static enum status update(void *state, struct oracle *oracle)
{
    struct one_smo *smo = state;
    size_t up = smo->up, low = smo->low;
    if (!(smo->f_low > smo->f_up))
        return STATUS_STALLED; /* optimal */
    const double *row_up = oracle_row(oracle, up), *row_low = oracle_row(oracle, low);
    double curvature = (row_up[up] - row_up[low]) + (row_low[low] - row_low[up]);
    double most_up = room_up(smo, up), most_low = room_down(smo, low), most = fmin(most_up, most_low);
    double delta = smo->f_low - smo->f_up;
    double step = curvature > 0 && delta < most * curvature ? delta / curvature : most;
    if (!(step > 0))
        return STATUS_STALLED;
    smo->lanes->add_difference(smo->n_padded, step, row_up, row_low, smo->f);
    move(smo, up, step, most_up);
    move(smo, low, -step, most_low);
    return STATUS_OK;
}

/* Primal less dual at the bias midway between the thresholds: |W|^2 - sum alpha + C sum max(0, -y_i (F_i + b)). */
static double gap(const void *state, int class)
{
    const struct one_smo *smo = state;
    (void)class;
    double bias = -0.5 * (smo->f_up + smo->f_low), slack = 0, sum = sum_alpha(smo);
    for (size_t i = 0; i < smo->n; i++)
        slack += fmax(0, -smo->y[i] * (smo->f[i] + bias));
    return norm2(smo, sum) - sum + smo->c * slack;
}

static void alpha(const void *state, double *out)
{
    const struct one_smo *smo = state;
    for (size_t i = 0; i < smo->n; i++)
        out[i] = smo->alpha[i];
}

extern const struct solver solver_one_smo;
const struct solver solver_one_smo = {
    .name = "1-smo",
    .title = "SMO with the maximal violating pair, linear penalty",
    .reference = "Keerthi et al. 2001, modification 2; Lopez 2008, Algorithm 3",
    .formulation = FORMULATION_C_SVM,
    .parameters = 1u << PARAMETER_C | 1u << PARAMETER_START,
    .stops = 1u << STOP_DELTA | 1u << STOP_DUAL_CHANGE | 1u << STOP_KKT | 1u << STOP_ITERATIONS,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = gap,
    .alpha = alpha,
};
