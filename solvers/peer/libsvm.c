/*
 * LIBSVM (Chang and Lin 2011) as solvers of a plugin, `make peer`. It runs as its authors published it, from the
 * patterns, with its own kernel values, which it keeps in single precision. So nothing is counted; the judge evaluates
 * its multipliers like those of any solver.
 *
 *   libsvm-c-svc    the dual of the C-SVM. It stops at m(alpha) - M(alpha) < eps (Fan, Chen and Lin 2005, eq. 6),
 *                   which is the rule kkt: eps = tolerance
 *   libsvm-nu-svc   min 1/2 |W|^2 over 0 <= a <= 1, each class summing to nu N / 2. With a = alpha nu N / 2 that is the
 *                   nearest point problem of reduced hulls, mu = 2 / (nu N), so nu = 2 / (mu N); the violation of a
 *                   pair is 1 / mu times that of alpha. Rule delta, Delta <= 2 tolerance: eps = 2 tolerance / mu
 *
 * Kernels: exp(-|x - z|^2 / width) is gamma = 1 / width; (scale x.z + offset)^degree is gamma = scale, coef0 = offset.
 */
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libsvm/svm.h>

#include "solvers/plugin.h"

/* LIBSVM reports its iterations only in its printed output, through a function without a user argument. It prints in
 * the thread that trains. */
static _Thread_local long long told_iterations;

static void read_iterations(const char *text)
{
    const char *at = strstr(text, "#iter = ");
    if (at)
        told_iterations = strtoll(at + strlen("#iter = "), NULL, 10);
}

static void listen(void)
{
    svm_set_print_string_function(read_iterations);
}

static pthread_once_t listening = PTHREAD_ONCE_INIT;

/* ---- the patterns in LIBSVM's format ---- */

struct nodes {
    struct svm_problem problem;
    struct svm_node *all;
};

static void nodes_free(struct nodes *nodes)
{
    free(nodes->problem.x);
    free(nodes->problem.y);
    free(nodes->all);
}

/* Features that are 0 are omitted, as in svm-train. */
static struct svm_node *write_features(struct svm_node *node, const struct points *patterns, size_t i)
{
    const double *values;
    const uint32_t *feature;
    size_t count = patterns_row(&patterns->patterns, patterns->rows[i], &values, &feature);
    for (size_t k = 0; k < count; k++)
        if (values[k] != 0)
            *node++ = (struct svm_node){(int)(feature ? feature[k] : k) + 1, values[k]};
    *node++ = (struct svm_node){-1, 0};
    return node;
}

/* A precomputed kernel: the pattern's number, then its kernel values with all patterns. */
static struct svm_node *write_values(struct svm_node *node, const struct points *patterns, size_t i)
{
    *node++ = (struct svm_node){0, (double)(i + 1)};
    for (size_t j = 0; j < patterns->n; j++)
        *node++ = (struct svm_node){(int)j + 1, points_value(patterns, i, patterns->rows[j])};
    *node++ = (struct svm_node){-1, 0};
    return node;
}

static enum status nodes_make(struct nodes *nodes, const struct problem *problem, const struct points *patterns,
                              const struct kernel *kernel)
{
    int table = kernel->type == KERNEL_PRECOMPUTED;
    size_t n = patterns->n, width = table ? n + 2 : patterns->dims + 1;
    *nodes = (struct nodes){.problem = {.l = (int)n}};
    if (n > INT_MAX || width > INT_MAX || n > SIZE_MAX / sizeof(struct svm_node) / width)
        return error_set(problem->error, STATUS_BAD_INPUT, "%zu patterns of %zu features are too many for LIBSVM", n,
                         width - 1);
    nodes->problem.y = malloc(n * sizeof *nodes->problem.y);
    nodes->problem.x = malloc(n * sizeof *nodes->problem.x);
    nodes->all = malloc(n * width * sizeof *nodes->all);
    if (!nodes->problem.y || !nodes->problem.x || !nodes->all)
        return error_set(problem->error, STATUS_NO_MEMORY, "out of memory for %zu patterns", n);
    struct svm_node *next = nodes->all;
    for (size_t i = 0; i < n; i++) {
        nodes->problem.y[i] = problem->y[i];
        nodes->problem.x[i] = next;
        next = table ? write_values(next, patterns, i)
                     : write_features(next, patterns, i);
    }
    return STATUS_OK;
}

static void set_kernel(struct svm_parameter *parameter, const struct kernel *kernel)
{
    switch (kernel->type) {
    case KERNEL_RBF:
        parameter->kernel_type = RBF;
        parameter->gamma = 1 / kernel->width;
        break;
    case KERNEL_POLYNOMIAL:
        parameter->kernel_type = POLY;
        parameter->gamma = kernel->scale;
        parameter->coef0 = kernel->offset;
        parameter->degree = (int)kernel->degree;
        break;
    default:
        parameter->kernel_type = kernel->type == KERNEL_LINEAR ? LINEAR : PRECOMPUTED;
    }
}

/* ---- training ---- */

/* The iteration limit in svm.cpp. */
static long long most_iterations(size_t n)
{
    return n > INT_MAX / 100 ? INT_MAX : n > 100000 ? 100 * (long long)n : 10000000;
}

static enum status train(const struct problem *problem, const struct points *patterns, const struct kernel *kernel,
                         struct svm_parameter *parameter, double *alpha, uint64_t *iterations)
{
    struct nodes nodes;
    enum status status = nodes_make(&nodes, problem, patterns, kernel);
    parameter->cache_size = 100; /* MB, as in svm-train */
    parameter->shrinking = parameter_get(&problem->parameters, &parameter_shrinking) != 0;
    set_kernel(parameter, kernel);
    const char *refusal = status == STATUS_OK ? svm_check_parameter(&nodes.problem, parameter) : NULL;
    if (refusal)
        status = error_set(problem->error, STATUS_BAD_INPUT, "LIBSVM says: %s", refusal);
    if (status == STATUS_OK) {
        pthread_once(&listening, listen);
        told_iterations = -1;
        struct svm_model *model = svm_train(&nodes.problem, parameter);
        for (int k = 0; k < model->l; k++)
            alpha[model->sv_indices[k] - 1] = fabs(model->sv_coef[0][k]);
        svm_free_and_destroy_model(&model);
        if (told_iterations < 0)
            status = error_set(problem->error, STATUS_IO, "LIBSVM did not tell its iterations");
        else if (told_iterations >= most_iterations(problem->n))
            status = STATUS_STALLED;
        *iterations = told_iterations < 0 ? 0 : (uint64_t)told_iterations;
    }
    nodes_free(&nodes);
    return status;
}

static enum status c_svc(const struct problem *problem, const struct points *patterns, const struct kernel *kernel,
                         double *alpha, uint64_t *iterations)
{
    struct svm_parameter parameter = {
        .svm_type = C_SVC, .C = parameter_get(&problem->parameters, &parameter_c), .eps = problem->tolerance};
    return train(problem, patterns, kernel, &parameter, alpha, iterations);
}

/* Scales LIBSVM's multipliers, which it has divided by the margin, back to classes that sum to 1. Those that were at
 * their bound are put exactly on it; so are all of a class if they must be (mu is 1 over their number). Returns zero if
 * they are lost, because the margin was 0 in its kernel values, which it keeps in single precision. */
static int scale_back(const struct problem *problem, const size_t count[2], double mu, double *alpha)
{
    const double rounding = 1e-11;
    double sum[2] = {0, 0};
    for (size_t i = 0; i < problem->n; i++)
        sum[problem->y[i] < 0] += alpha[i];
    if (!isfinite(sum[0] + sum[1]) || !(sum[0] > 0 && sum[1] > 0))
        return 0;
    for (size_t i = 0; i < problem->n; i++) {
        int c = problem->y[i] < 0;
        alpha[i] /= sum[c];
        if (alpha[i] >= mu * (1 - rounding) || mu * (double)count[c] <= 1 + rounding)
            alpha[i] = mu;
    }
    return 1;
}

/* nu = 2 / (mu N), but 1e-12 below the largest feasible value: there the margin to divide by is 0, and LIBSVM returns
 * zeros. */
static enum status nu_svc(const struct problem *problem, const struct points *patterns, const struct kernel *kernel,
                          double *alpha, uint64_t *iterations)
{
    double mu = parameter_get(&problem->parameters, &parameter_mu), n = (double)problem->n;
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < problem->n; i++)
        count[problem->y[i] < 0]++;
    double max = 2 * fmin((double)count[0], (double)count[1]) / n;
    struct svm_parameter parameter = {
        .svm_type = NU_SVC, .nu = fmin(2 / (mu * n), max * (1 - 1e-12)), .eps = 2 * problem->tolerance / mu};
    enum status status = train(problem, patterns, kernel, &parameter, alpha, iterations);
    if ((status == STATUS_OK || status == STATUS_STALLED) && !scale_back(problem, count, mu, alpha))
        status = error_set(problem->error, STATUS_NOT_FOUND,
                           "LIBSVM found a margin of 0 and divided its multipliers by it");
    return status;
}

static const struct solver solver_c_svc = {
    .name = "libsvm-c-svc",
    .title = "LIBSVM's C-SVC; kernel values are not counted",
    .reference = "Chang and Lin 2011; Fan, Chen and Lin 2005",
    .formulation = FORMULATION_C_SVM,
    .parameters = PARAMETERS(&parameter_c, &parameter_shrinking),
    .may_stall = 1, /* its kernel values are rounded to single precision */
    .stops = 1u << STOP_KKT,
    .solve_external = c_svc,
};

static const struct solver solver_nu_svc = {
    .name = "libsvm-nu-svc",
    .title = "LIBSVM's nu-SVC, nu = 2/(mu N); not counted",
    .reference = "Chang and Lin 2001 and 2011; Crisp and Burges 1999",
    .formulation = FORMULATION_NEAREST_POINTS,
    .parameters = PARAMETERS(&parameter_mu, &parameter_shrinking),
    .may_stall = 1,
    .stops = 1u << STOP_DELTA,
    .solve_external = nu_svc,
};

HULLBENCH_PLUGIN(&solver_c_svc, &solver_nu_svc);
