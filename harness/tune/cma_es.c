/*
 * The strategy of the tutorial's Figure 6 and Table 1, with positive recombination weights (mu = floor(lambda / 2)),
 * that is, without the negative ones of "active" CMA. Points are x = m + sigma B D z, C = B D^2 B', z normal. With y =
 * (x - m) / sigma of the best mu points, weights w_1 >= ... >= w_mu, and <y> = sum w_i y_i:
 *
 *   m       <- m + sigma <y>
 *   p_sigma <- (1 - c_sigma) p_sigma + sqrt(c_sigma (2 - c_sigma) mu_eff) C^(-1/2) <y>
 *   p_c     <- (1 - c_c) p_c + h sqrt(c_c (2 - c_c) mu_eff) <y>
 *   C       <- (1 + c_1 (1 - h) c_c (2 - c_c) - c_1 - c_mu) C + c_1 p_c p_c' + c_mu sum w_i y_i y_i'
 *   sigma   <- sigma exp(min(1, (c_sigma / d_sigma) (|p_sigma| / E|N(0, I)| - 1)))
 *
 * The minimum with 1 is not in the tutorial: the step grows by no more than e a generation.
 *
 * The same bits everywhere: normal deviates are quotients (gsl_ran_gaussian_ratio_method), the exponential is that of
 * the kernels, the logarithms of the weights are rounded to 12 digits, and all else is sums, products, quotients and
 * roots.
 */
#include "harness/tune/cma_es.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "harness/support/round_to_12_digits.h"
#include "harness/tune/log_scale.h"
#include "harness/tune/symmetric_eigen.h"
#include "solvers/kernel/simd.h"

struct cma_es {
    size_t n, population, parents;
    gsl_rng *random;
    double *block;                                                             /* behind all arrays */
    double *weights;                                                           /* parents, sum 1 */
    double *mean, *path_step, *path_covariance, *step_mean, *whitened, *drawn; /* n each */
    double *covariance, *vectors, *work;                                       /* n x n each */
    double *lengths;                                                           /* n: D, the roots of C's eigenvalues */
    size_t *order; /* population: points from best to worst */
    double step, mu_eff, c_step, d_step, c_path, c_one, c_mu, expected_norm;
    double forgotten; /* (1 - c_sigma)^(2 g) after g generations */
};

size_t cma_es_population(size_t n)
{
    return 4 + (size_t)floor(3 * round_to_12_digits(log((double)n)));
}

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
    double n = (double)search->n, mu = search->mu_eff;
    search->c_step = (mu + 2) / (n + mu + 5);
    search->d_step = 1 + 2 * fmax(0, sqrt((mu - 1) / (n + 1)) - 1) + search->c_step;
    search->c_path = (4 + mu / n) / (n + 4 + 2 * mu / n);
    search->c_one = 2 / ((n + 1.3) * (n + 1.3) + mu);
    search->c_mu = fmin(1 - search->c_one, 2 * (0.25 + mu + 1 / mu - 2) / ((n + 2) * (n + 2) + mu));
    search->expected_norm = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

/* B and D of C = B D^2 B'. */
static void decompose(struct cma_es *search)
{
    const double least = 1e-40; /* of an eigenvalue: a flat function lets C shrink for ever, and D is divided by */
    size_t n = search->n;
    for (size_t i = 0; i < n * n; i++)
        search->work[i] = search->covariance[i];
    symmetric_eigen(n, search->work, search->vectors, search->lengths);
    for (size_t k = 0; k < n; k++)
        search->lengths[k] = sqrt(fmax(search->lengths[k], least));
}

enum status cma_es_create(struct cma_es **out, const struct cma_es_options *options, struct error *error)
{
    size_t n = options->n, population = options->population ? options->population : cma_es_population(n);
    struct cma_es *search = *out = calloc(1, sizeof *search);
    if (search) {
        search->random = gsl_rng_alloc(gsl_rng_mt19937);
        search->order = malloc(population * sizeof *search->order);
        search->block = calloc(population + 7 * n + 3 * n * n, sizeof *search->block);
    }
    if (!search || !search->random || !search->order || !search->block) {
        cma_es_free(search);
        *out = NULL;
        return error_set(error, STATUS_NO_MEMORY, "out of memory for a search of %zu numbers", n);
    }
    double **const vectors[] = {&search->mean,     &search->path_step, &search->path_covariance, &search->step_mean,
                                &search->whitened, &search->drawn,     &search->lengths};
    double **const matrices[] = {&search->covariance, &search->vectors, &search->work}, *at = search->block;
    search->weights = at;
    at += population;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++, at += n)
        *vectors[i] = at;
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++, at += n * n)
        *matrices[i] = at;
    search->n = n;
    search->population = population;
    search->parents = population / 2;
    search->step = options->step;
    search->forgotten = 1;
    for (size_t i = 0; i < n; i++) {
        search->mean[i] = options->start[i];
        search->covariance[i * n + i] = 1;
    }
    gsl_rng_set(search->random, options->seed);
    set_weights(search);
    set_rates(search);
    decompose(search);
    return STATUS_OK;
}

void cma_es_free(struct cma_es *search)
{
    if (!search)
        return;
    if (search->random)
        gsl_rng_free(search->random);
    free(search->order);
    free(search->block);
    free(search);
}

/* out = B x */
static void rotate_back(const struct cma_es *search, const double *x, double *out)
{
    for (size_t i = 0; i < search->n; i++) {
        out[i] = 0;
        for (size_t k = 0; k < search->n; k++)
            out[i] += search->vectors[i * search->n + k] * x[k];
    }
}

void cma_es_ask(struct cma_es *search, double *points)
{
    size_t n = search->n;
    for (size_t p = 0; p < search->population; p++) {
        double *point = points + p * n;
        for (size_t k = 0; k < n; k++)
            search->drawn[k] = search->lengths[k] * gsl_ran_gaussian_ratio_method(search->random, 1);
        rotate_back(search, search->drawn, point);
        for (size_t i = 0; i < n; i++)
            point[i] = search->mean[i] + search->step * point[i];
    }
}

/* Insertion sort: populations are small, and equal values keep their order. */
static void rank_points(struct cma_es *search, const double *values)
{
    for (size_t p = 0; p < search->population; p++) {
        size_t at = p;
        for (; at > 0 && (values[p] < values[search->order[at - 1]] ||
                          (isnan(values[search->order[at - 1]]) && !isnan(values[p])));
             at--)
            search->order[at] = search->order[at - 1];
        search->order[at] = p;
    }
}

/* <y>; the mean is moved when the covariance no longer needs the old one. */
static void take_step(struct cma_es *search, const double *points)
{
    for (size_t i = 0; i < search->n; i++) {
        search->step_mean[i] = 0;
        for (size_t k = 0; k < search->parents; k++)
            search->step_mean[i] +=
                search->weights[k] * (points[search->order[k] * search->n + i] - search->mean[i]) / search->step;
    }
}

/* p_sigma; returns its length. */
static double follow_step(struct cma_es *search)
{
    size_t n = search->n;
    double gain = sqrt(search->c_step * (2 - search->c_step) * search->mu_eff), squares = 0;
    for (size_t k = 0; k < n; k++) { /* D^-1 B' <y> */
        search->drawn[k] = 0;
        for (size_t i = 0; i < n; i++)
            search->drawn[k] += search->vectors[i * n + k] * search->step_mean[i];
        search->drawn[k] /= search->lengths[k];
    }
    rotate_back(search, search->drawn, search->whitened);
    for (size_t i = 0; i < n; i++) {
        search->path_step[i] = (1 - search->c_step) * search->path_step[i] + gain * search->whitened[i];
        squares += search->path_step[i] * search->path_step[i];
    }
    return sqrt(squares);
}

/* `holds`: the indicator h, 0 while p_sigma is so long that the step alone should grow. */
static void adapt_covariance(struct cma_es *search, const double *points, int holds)
{
    size_t n = search->n;
    double leak = search->c_path * (2 - search->c_path), gain = holds ? sqrt(leak * search->mu_eff) : 0;
    double keep = 1 + (holds ? 0 : search->c_one * leak) - search->c_one - search->c_mu;
    for (size_t i = 0; i < n; i++)
        search->path_covariance[i] = (1 - search->c_path) * search->path_covariance[i] + gain * search->step_mean[i];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double ranks = 0;
            for (size_t k = 0; k < search->parents; k++) {
                const double *point = points + search->order[k] * n;
                double a = (point[i] - search->mean[i]) / search->step, b = (point[j] - search->mean[j]) / search->step;
                ranks += search->weights[k] * (a * b);
            }
            double *at = &search->covariance[i * n + j];
            *at = keep * *at + search->c_one * (search->path_covariance[i] * search->path_covariance[j]) +
                  search->c_mu * ranks;
            search->covariance[j * n + i] = *at;
        }
}

/* exp(x), |x| < 700, by the exponential of the kernels. */
static double exponential(double x)
{
    _Alignas(SIMD_ALIGNMENT) double in[SIMD_LANES] = {fabs(x)}, out[SIMD_LANES];
    simd_select("generic")->exp_negative(SIMD_LANES, in, 1, out);
    return x < 0 ? out[0] : 1 / out[0];
}

void cma_es_tell(struct cma_es *search, const double *points, const double *values)
{
    double n = (double)search->n;
    rank_points(search, values);
    take_step(search, points);
    double length = follow_step(search);
    search->forgotten *= (1 - search->c_step) * (1 - search->c_step);
    int holds = length / sqrt(1 - search->forgotten) < (1.4 + 2 / (n + 1)) * search->expected_norm;
    adapt_covariance(search, points, holds);
    for (size_t i = 0; i < search->n; i++)
        search->mean[i] += search->step * search->step_mean[i];
    search->step *= exponential(fmin(1, search->c_step / search->d_step * (length / search->expected_norm - 1)));
    decompose(search);
}

const double *cma_es_mean(const struct cma_es *search)
{
    return search->mean;
}

double cma_es_step(const struct cma_es *search)
{
    return search->step;
}

const double *cma_es_covariance(const struct cma_es *search)
{
    return search->covariance;
}
