/*
 * The strategy of the tutorial's Figure 6 and Table 1, with positive recombination weights only (mu = floor(lambda /
 * 2)), that is, without the negative ones of "active" CMA. Points are x = m + sigma B D z, C = B D^2 B', z normal. With
 * y = (x - m) / sigma of the best mu points, weights w_1 >= ... >= w_mu, and <y> = sum w_i y_i:
 *
 *   m       <- m + sigma <y>
 *   p_sigma <- (1 - c_sigma) p_sigma + sqrt(c_sigma (2 - c_sigma) mu_eff) C^(-1/2) <y>
 *   p_c     <- (1 - c_c) p_c + h sqrt(c_c (2 - c_c) mu_eff) <y>
 *   C       <- (1 + c_1 (1 - h) c_c (2 - c_c) - c_1 - c_mu) C + c_1 p_c p_c' + c_mu sum w_i y_i y_i'
 *   sigma   <- sigma exp(min(1, (c_sigma / d_sigma) (|p_sigma| / E|N(0, I)| - 1)))
 *
 * The minimum with 1 is not in the tutorial: it limits the growth of the step to a factor e per generation.
 *
 * C^(-1/2) = B D^-1 B'. B and D come from one Jacobi rotation (Golub and Van Loan, Matrix Computations, Section 8.5),
 * which diagonalises a 2 x 2 matrix:
 *
 *   theta = (c_22 - c_11) / (2 c_12),  t = sign(theta) / (|theta| + sqrt(theta^2 + 1)),  c = 1 / sqrt(t^2 + 1),
 *   s = t c
 *
 * The bits are the same on every machine: normal deviates are quotients (gsl_ran_gaussian_ratio_method), the
 * exponential is that of the kernels, the logarithms of the weights are rounded to 12 digits, and all other operations
 * are sums, products, quotients and square roots.
 */
#include "harness/tune/cma_es.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#include "harness/base/pool.h"
#include "harness/stats/distributions.h"
#include "harness/support/decimal.h"
#include "solvers/kernel/simd.h"

static const double n = 2;

static void set_weights(struct cma_es *search)
{
    double sum = 0, squares = 0, middle = round_to_12_digits(log(0.5 * ((double)search->population + 1)));
    for (size_t i = 0; i < search->parents; i++) {
        search->weights[i] = middle - round_to_12_digits(log((double)(i + 1)));
        sum += search->weights[i];
    }
    for (size_t i = 0; i < search->parents; i++) {
        search->weights[i] /= sum;
        squares += search->weights[i] * search->weights[i];
    }
    search->mu_eff = 1 / squares;
}

/* Table 1 of the tutorial, alpha_cov = 2. */
static void set_rates(struct cma_es *search)
{
    double mu = search->mu_eff;
    search->c_step = (mu + 2) / (n + mu + 5);
    search->d_step = 1 + 2 * fmax(0, sqrt((mu - 1) / (n + 1)) - 1) + search->c_step;
    search->c_path = (4 + mu / n) / (n + 4 + 2 * mu / n);
    search->c_one = 2 / ((n + 1.3) * (n + 1.3) + mu);
    search->c_mu = fmin(1 - search->c_one, 2 * (0.25 + mu + 1 / mu - 2) / ((n + 2) * (n + 2) + mu));
}

/* Computes B and D of C = B D^2 B'. */
static void decompose(struct cma_es *search)
{
    const double smallest = 1e-40; /* of an eigenvalue: C shrinks without limit on a flat function; D is a divisor */
    double p = search->covariance[0][0], off = search->covariance[0][1], q = search->covariance[1][1], c = 1, s = 0;
    if (fabs(p) + fabs(off) != fabs(p) || fabs(q) + fabs(off) != fabs(q)) {
        double theta = 0.5 * (q - p) / off;
        double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)); /* an infinite theta gives t = 0 */
        c = 1 / sqrt(t * t + 1);
        s = t * c;
    }
    search->vectors[0][0] = search->vectors[1][1] = c;
    search->vectors[0][1] = s;
    search->vectors[1][0] = -s;
    search->lengths[0] = sqrt(fmax(c * (c * p - s * off) - s * (c * off - s * q), smallest));
    search->lengths[1] = sqrt(fmax(s * (s * p + c * off) + c * (s * off + c * q), smallest));
}

void cma_es_begin(struct pool *pool, struct cma_es *search, size_t population, const double start[2], double step,
                  uint32_t seed)
{
    *search = (struct cma_es){
        .mean = {start[0], start[1]},
        .step = step,
        .covariance = {{1, 0}, {0, 1}},
        .random = random_numbers(pool, seed),
        .population = population,
        .parents = population / 2,
        .forgotten = 1,
    };
    set_weights(search);
    set_rates(search);
    decompose(search);
}

/* Row i of B times x. */
static double rotated(const struct cma_es *search, size_t i, const double x[2])
{
    return search->vectors[i][0] * x[0] + search->vectors[i][1] * x[1];
}

void cma_es_ask(struct cma_es *search, double *points)
{
    for (size_t p = 0; p < search->population; p++) {
        double drawn[2];
        for (int k = 0; k < 2; k++)
            drawn[k] = search->lengths[k] * gsl_ran_gaussian_ratio_method(search->random, 1);
        for (size_t i = 0; i < 2; i++)
            points[2 * p + i] = search->mean[i] + search->step * rotated(search, i, drawn);
    }
}

static int is_better(double value, double other)
{
    return value < other || (isnan(other) && !isnan(value));
}

/* Sorts by insertion: populations are small, and equal values keep their order. */
static void rank_points(struct cma_es *search, const double *values)
{
    size_t *order = search->order;
    for (size_t p = 0; p < search->population; p++) {
        size_t at = p;
        for (; at > 0 && is_better(values[p], values[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = p;
    }
}

/* Updates p_sigma and returns its length. */
static double follow_step(struct cma_es *search, const double step_mean[2])
{
    double gain = sqrt(search->c_step * (2 - search->c_step) * search->mu_eff), scaled[2], squares = 0;
    for (int k = 0; k < 2; k++) /* D^-1 B' <y> */
        scaled[k] = (search->vectors[0][k] * step_mean[0] + search->vectors[1][k] * step_mean[1]) / search->lengths[k];
    for (size_t i = 0; i < 2; i++) {
        search->path_step[i] = (1 - search->c_step) * search->path_step[i] + gain * rotated(search, i, scaled);
        squares += search->path_step[i] * search->path_step[i];
    }
    return sqrt(squares);
}

/* `holds` is the indicator h: 0 while p_sigma is so long that only the step should grow. */
static void adapt_covariance(struct cma_es *search, const double *points, const double step_mean[2], int holds)
{
    double leak = search->c_path * (2 - search->c_path), gain = holds ? sqrt(leak * search->mu_eff) : 0;
    double keep = 1 + (holds ? 0 : search->c_one * leak) - search->c_one - search->c_mu;
    double *path = search->path_covariance;
    for (int i = 0; i < 2; i++)
        path[i] = (1 - search->c_path) * path[i] + gain * step_mean[i];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j <= i; j++) {
            double ranks = 0;
            for (size_t k = 0; k < search->parents; k++) {
                const double *point = points + 2 * search->order[k];
                double a = (point[i] - search->mean[i]) / search->step, b = (point[j] - search->mean[j]) / search->step;
                ranks += search->weights[k] * (a * b);
            }
            search->covariance[i][j] = search->covariance[j][i] =
                keep * search->covariance[i][j] + search->c_one * (path[i] * path[j]) + search->c_mu * ranks;
        }
}

/* exp(x) for |x| < 700, with the exponential of the kernels. */
static double exponential(double x)
{
    _Alignas(SIMD_ALIGNMENT) double in[SIMD_LANES] = {fabs(x)}, out[SIMD_LANES];
    simd_select("generic")->exp_negative(SIMD_LANES, in, 1, out);
    return x < 0 ? out[0] : 1 / out[0];
}

void cma_es_tell(struct cma_es *search, const double *points, const double *values)
{
    const double expected_norm = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    double step_mean[2] = {0, 0}; /* <y> */
    rank_points(search, values);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < search->parents; k++)
            step_mean[i] += search->weights[k] * (points[2 * search->order[k] + i] - search->mean[i]) / search->step;
    double length = follow_step(search, step_mean);
    search->forgotten *= (1 - search->c_step) * (1 - search->c_step);
    int holds = length / sqrt(1 - search->forgotten) < (1.4 + 2 / (n + 1)) * expected_norm;
    adapt_covariance(search, points, step_mean, holds);
    for (int i = 0; i < 2; i++)
        search->mean[i] += search->step * step_mean[i];
    search->step *= exponential(fmin(1, search->c_step / search->d_step * (length / expected_norm - 1)));
    decompose(search);
}
