/*
 * A primal-dual interior-point method with predictor and corrector (Mehrotra 1992) for the C-SVM dual with a kernel of
 * low rank, such as a linear one, after Fine and Scheinberg (2001). With a factor K = G G' of rank r (kernel_factor.c)
 * it solves equations of r + 1 unknowns instead of N, and an iteration takes some N r^2 / 2 multiplications and as many
 * additions, without any kernel operation.
 *
 * With W = sum y_j alpha_j g_j and the bias b as variables of their own, s = C - alpha, multipliers z and v of the
 * bounds 0 and C, and slope_j = y_j (g_j . W + b) - 1, the optimality conditions are
 *
 *     slope = z - v,  W = G' y alpha,  y' alpha = 0,  alpha z = 0,  s v = 0,  alpha, s, z, v >= 0.
 *
 * A Newton step for alpha z = s v = target, with D = z/alpha + v/s and h_j = y_j (1, g_j), is
 *
 *     d_alpha = D^-1 (q - H (d_b, d_W)),      q = target (1/alpha - 1/s) - corrections - slope,
 *     (diag(0, 1, ..., 1) + H' D^-1 H) (d_b, d_W) = H' D^-1 q + (y' alpha, G' y alpha - W).
 *
 * This is the formula of Sherman, Morrison and Woodbury for (H H' + D)^-1, except that W need not equal G' y alpha
 * before the step: what rounding leaves of the difference, the next step takes away (Ferris and Munson 2003). The bias
 * is the first unknown of Cholesky's factorisation, since its pivot is a sum of positive numbers. It is in units of
 * beta, the length of a typical g_j.
 *
 * The step with target 0 is the predictor. Its d_alpha d_z and d_alpha d_v are the corrections of the second step,
 * whose target is (m after the predictor / m)^3 m, m the mean of all alpha z and s v. All variables take the same step
 * length, INTERIOR_STEP_SHARE of the way to the first bound, at most 1. All start in the interior, with equal alpha in
 * each class, C/2 in the smaller one; W along the difference of the means; z and v so that all alpha z and s v are
 * equal. A large alpha may fall by INTERIOR_STEP_SHARE in a step, while a small one at most doubles.
 *
 * What is handed out is not the iterate, in which no multiplier is at a bound: see low_rank_point.c. The method ends
 * (`stalled`) when alpha'z + s'v is at the level of rounding, or when neither it nor the gap has fallen in MAX_IDLE
 * iterations.
 */
#include "solvers/dense/low_rank_interior_point.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/dense/interior_step.h"

enum { MAX_IDLE = 8, ROWS_AT_ONCE = 128 };

const struct parameter parameter_max_rank = {
    .name = "max_rank",
    .meaning = "largest rank of the kernel matrix for which low-rank-interior-point has memory; it refuses others",
    .type = PARAMETER_INTEGER,
    .min = 1,
    .max = 65536,
    .scale = PARAMETER_LOG,
    .fallback = 500,
};

static void layout(struct low_rank *ip, struct arena *arena, const struct problem *problem)
{
    size_t n = problem->n, max_rank = (size_t)parameter_get(&problem->parameters, &parameter_max_rank);
    size_t rank = n - 1 < max_rank ? n - 1 : max_rank;
    double **const of_patterns[] = {&ip->alpha, &ip->s, &ip->z, &ip->v, &ip->slope, &ip->inverse, &ip->weights,
                                    &ip->products, &ip->predictor.alpha, &ip->predictor.z, &ip->predictor.v,
                                    &ip->corrector.alpha, &ip->corrector.z, &ip->corrector.v, &ip->best.alpha,
                                    &ip->trial.alpha};
    double **const of_rank[] = {&ip->w, &ip->sum, &ip->predictor.w, &ip->corrector.w, &ip->moves, &ip->ones};
    arena_take(arena, sizeof *ip);
    kernel_factor_layout(&ip->factor, arena, n, rank);
    for (size_t k = 0; k < sizeof of_patterns / sizeof *of_patterns; k++)
        *of_patterns[k] = arena_doubles(arena, n);
    for (size_t k = 0; k < sizeof of_rank / sizeof *of_rank; k++)
        *of_rank[k] = arena_doubles(arena, rank + 1);
    ip->free = arena_take(arena, n * sizeof *ip->free);
    ip->matrix = arena_doubles(arena, (rank + 1) * simd_padded(rank + 1));
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct low_rank ip;
    layout(&ip, &arena, problem);
    return arena.used;
}

/* ---- Newton's equations ---- */

static double *matrix_row(const struct low_rank *ip, size_t k)
{
    return ip->matrix + k * ip->factor.stride;
}

double low_rank_dot(const struct simd *simd, size_t count, const double *x, const double *y)
{
    size_t whole = count / SIMD_LANES * SIMD_LANES;
    double sum = simd->dot(whole, x, y);
    for (size_t k = whole; k < count; k++)
        sum += x[k] * y[k];
    return sum;
}

/* The lower half of diag(0, 1, ..., 1) + sum over j of inverse_j (beta, g_j) (beta, g_j)'. */
static void find_matrix(struct low_rank *ip)
{
    const struct kernel_factor *factor = &ip->factor;
    memset(ip->matrix, 0, (factor->rank + 1) * factor->stride * sizeof(double));
    for (size_t first = 0; first < ip->n; first += ROWS_AT_ONCE) {
        size_t count = ip->n - first < ROWS_AT_ONCE ? ip->n - first : ROWS_AT_ONCE;
        for (size_t k = 0; k <= factor->rank; k++) {
            for (size_t j = 0; j < count; j++)
                ip->weights[j] = ip->inverse[first + j] * factor->row[first + j][k];
            factor->simd->add_rows(simd_padded(k + 1), factor->row + first, ip->weights, count, matrix_row(ip, k));
        }
    }
    for (size_t k = 1; k <= factor->rank; k++)
        matrix_row(ip, k)[k] += 1;
}

/* Cholesky's factor of the matrix, in place. A pivot that is pure rounding error is made so large that its variable
 * does not move. */
static void factor_matrix(struct low_rank *ip)
{
    const double huge = 1e100; /* relative to the diagonal element */
    const struct simd *simd = ip->factor.simd;
    for (size_t k = 0; k <= ip->factor.rank; k++) {
        double *row = matrix_row(ip, k);
        for (size_t l = 0; l < k; l++) {
            const double *other = matrix_row(ip, l);
            row[l] = (row[l] - low_rank_dot(simd, l, row, other)) / other[l];
        }
        double pivot = row[k] - low_rank_dot(simd, k, row, row);
        row[k] = sqrt(pivot > DBL_EPSILON * row[k] ? pivot : huge * fmax(row[k], DBL_MIN));
    }
}

void low_rank_solve(const struct low_rank *ip, size_t size, double *x)
{
    for (size_t k = 0; k < size; k++)
        x[k] = (x[k] - low_rank_dot(ip->factor.simd, k, matrix_row(ip, k), x)) / matrix_row(ip, k)[k];
    for (size_t k = size; k-- > 0;) {
        const double *row = matrix_row(ip, k), value = x[k] / row[k];
        for (size_t l = 0; l < k; l++)
            x[l] -= row[l] * value;
        x[k] = value;
    }
}

/* ---- the start ---- */

/* W is `size` times the difference of the means, where `size` minimises the dual along it, for multipliers of at most
 * C/2; b is midway between the means of the classes. Puts W . X_j + b into `products`. */
static void start_plane(struct low_rank *ip, const size_t *count, double max_sum)
{
    const struct kernel_factor *factor = &ip->factor;
    double mean[2] = {0, 0};
    for (size_t j = 0; j < ip->n; j++)
        ip->weights[j] = ip->y[j] / (double)count[ip->y[j] < 0];
    kernel_factor_sum(factor, ip->weights, ip->w);
    ip->w[0] = 0;
    double norm2 = factor->simd->dot(factor->stride, ip->w, ip->w);
    factor->simd->scale(factor->stride, norm2 * max_sum > 2 ? 2 / norm2 : max_sum, ip->w);
    kernel_factor_products(factor, ip->w, ip->products);
    for (size_t j = 0; j < ip->n; j++)
        mean[ip->y[j] < 0] += ip->products[j] / (double)count[ip->y[j] < 0];
    double bias = -0.5 * (mean[0] + mean[1]);
    ip->w[0] = bias / factor->beta;
    for (size_t j = 0; j < ip->n; j++)
        ip->products[j] += bias;
}

static void start(struct low_rank *ip)
{
    size_t count[2] = {0, 0};
    double distance = 0;
    for (size_t j = 0; j < ip->n; j++)
        count[ip->y[j] < 0]++;
    double max_sum = 0.5 * ip->bound * (double)(count[0] < count[1] ? count[0] : count[1]);
    start_plane(ip, count, max_sum);
    for (size_t j = 0; j < ip->n; j++)
        distance += fabs(ip->y[j] * ip->products[j] - 1) / (double)ip->n;
    double product = max_sum / (double)ip->n * (1 + distance);
    for (size_t j = 0; j < ip->n; j++) {
        ip->alpha[j] = max_sum / (double)count[ip->y[j] < 0];
        ip->s[j] = ip->bound - ip->alpha[j];
        ip->z[j] = product / ip->alpha[j];
        ip->v[j] = product / ip->s[j];
    }
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct low_rank *ip = state;
    struct arena arena = {.block = state};
    layout(ip, &arena, problem);
    ip->n = problem->n;
    ip->y = problem->y;
    ip->c = parameter_get(&problem->parameters, &parameter_c);
    enum status status = kernel_factor_compute(&ip->factor, oracle, ip->c, problem->error);
    if (status != STATUS_OK)
        return status;
    ip->bound = ip->c / ip->factor.unit;
    start(ip);
    memcpy(ip->best.alpha, ip->alpha, ip->n * sizeof(double));
    low_rank_judge(ip, &ip->best);
    ip->least_products = INFINITY;
    return STATUS_OK;
}

/* ---- a step ---- */

/* slope and D^-1 of the iterate; into `sum` what y' alpha = 0 and W = G' y alpha lack. */
static void find_state(struct low_rank *ip)
{
    kernel_factor_products(&ip->factor, ip->w, ip->products);
    for (size_t j = 0; j < ip->n; j++) {
        ip->slope[j] = ip->y[j] * ip->products[j] - 1;
        ip->inverse[j] = 1 / (ip->z[j] / ip->alpha[j] + ip->v[j] / ip->s[j]);
        ip->weights[j] = ip->y[j] * ip->alpha[j];
    }
    kernel_factor_sum(&ip->factor, ip->weights, ip->sum);
    for (size_t k = 1; k <= ip->factor.rank; k++)
        ip->sum[k] -= ip->w[k];
}

/* The step for alpha z = s v = target, with the corrections of `before`, or none if that is NULL. */
static void find_step(struct low_rank *ip, double target, const struct low_rank_step *before,
                      struct low_rank_step *step)
{
    const struct kernel_factor *factor = &ip->factor;
    for (size_t j = 0; j < ip->n; j++) {
        double to_z = target - (before ? before->alpha[j] * before->z[j] : 0);
        double to_v = target + (before ? before->alpha[j] * before->v[j] : 0); /* d_s = -d_alpha */
        step->z[j] = to_z / ip->alpha[j] - ip->z[j];
        step->v[j] = to_v / ip->s[j] - ip->v[j];
        step->alpha[j] = to_z / ip->alpha[j] - to_v / ip->s[j] - ip->slope[j];
        ip->weights[j] = ip->y[j] * (ip->inverse[j] * step->alpha[j]);
    }
    kernel_factor_sum(factor, ip->weights, step->w);
    factor->simd->axpy(factor->stride, 1, ip->sum, step->w);
    low_rank_solve(ip, factor->rank + 1, step->w);
    kernel_factor_products(factor, step->w, ip->products);
    for (size_t j = 0; j < ip->n; j++) {
        step->alpha[j] = ip->inverse[j] * (step->alpha[j] - ip->y[j] * ip->products[j]);
        step->z[j] -= ip->z[j] / ip->alpha[j] * step->alpha[j];
        step->v[j] += ip->v[j] / ip->s[j] * step->alpha[j];
    }
}

/* Whether rounding prevents further progress. */
static int is_done(const struct low_rank *ip)
{
    double size = ip->factor.simd->dot(ip->factor.stride, ip->w, ip->w) - ip->w[0] * ip->w[0];
    for (size_t j = 0; j < ip->n; j++)
        size += ip->alpha[j];
    return ip->idle > MAX_IDLE || ip->least_products <= DBL_EPSILON * size;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct low_rank *ip = state;
    const double variables = 2 * (double)ip->n, last_gap = ip->best.gap;
    const struct interior_values values = {ip->n, ip->alpha, ip->s, ip->z, ip->v};
    const struct interior_step predictor = {ip->predictor.alpha, ip->predictor.z, ip->predictor.v};
    const struct interior_step corrector = {ip->corrector.alpha, ip->corrector.z, ip->corrector.v};
    (void)oracle;
    if (is_done(ip))
        return STATUS_STALLED;
    find_state(ip);
    find_matrix(ip);
    factor_matrix(ip);
    find_step(ip, 0, NULL, &ip->predictor);
    double now = interior_products(&values, &predictor, 0);
    double share = interior_products(&values, &predictor, fmin(interior_max_length(&values, &predictor), 1)) / now;
    find_step(ip, share * share * share * now / variables, &ip->predictor, &ip->corrector);
    double length = INTERIOR_STEP_SHARE * interior_max_length(&values, &corrector);
    double next = interior_products(&values, &corrector, length);
    if (!(length > 0) || !(next > 0) || !(next < INFINITY))
        return STATUS_STALLED; /* the remainder cannot be distinguished from 0 in double precision */
    interior_move(&values, &corrector, length);
    ip->factor.simd->axpy(ip->factor.stride, length, ip->corrector.w, ip->w);
    low_rank_hand_out(ip);
    ip->idle = next < 0.99 * ip->least_products || ip->best.gap < last_gap ? 0 : ip->idle + 1;
    ip->least_products = fmin(ip->least_products, next);
    return STATUS_OK;
}

/* ---- what the harness asks for ---- */

static enum status select(void *state, struct progress *progress)
{
    const struct low_rank *ip = state;
    const struct low_rank_point *best = &ip->best;
    progress->norm2 = ip->factor.unit * best->norm2;
    progress->objective = ip->factor.unit * (0.5 * best->norm2 - best->sum);
    progress->delta = best->low - best->up;
    progress->violation = 0.5 * progress->delta; /* at the bias midway between the thresholds */
    progress->updated_class = 0;
    return STATUS_OK;
}

static double gap(const void *state, int label)
{
    const struct low_rank *ip = state;
    (void)label;
    return ip->factor.unit * ip->best.gap;
}

static void alpha(const void *state, double *alpha)
{
    const struct low_rank *ip = state;
    for (size_t j = 0; j < ip->n; j++)
        alpha[j] = ip->factor.unit * ip->best.alpha[j];
}

extern const struct solver solver_low_rank_interior_point;
const struct solver solver_low_rank_interior_point = {
    .name = "low-rank-interior-point",
    .title = "primal-dual interior point, low-rank kernel",
    .reference = "Fine and Scheinberg 2001; Mehrotra 1992; Ferris and Munson 2003",
    .formulation = FORMULATION_C_SVM,
    .parameters = PARAMETERS(&parameter_c, &parameter_max_rank),
    .stops = 1u << STOP_DELTA | 1u << STOP_KKT | 1u << STOP_KKT_RELAXED | 1u << STOP_ITERATIONS,
    .setup_cost = {.is_stated = 1, .at_most = 1, .n2 = 1, .n = 1},
    .iteration_cost = {.is_stated = 1},
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = gap,
    .alpha = alpha,
};
