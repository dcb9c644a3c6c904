/* Running a solver of ours or LIBSVM on a problem, and certifying what it returns, see bench.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if HAVE_LIBSVM
#include <libsvm/svm.h>
#endif

#include "tests/bench/bench.h"
#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"

static void *got(void *memory)
{
    if (!memory) {
        fputs("bench: out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

void bench_rows_open(struct bench_rows *rows, const struct bench_problem *problem, const struct simd *simd,
                     size_t megabytes)
{
    const struct kernel kernel = {.type = KERNEL_RBF, .width = problem->width};
    if (points_create(&rows->points, KERNEL_RBF, problem->x, problem->dims, problem->rows, problem->n, NULL) ||
        gram_create(&rows->gram, simd, &rows->points, megabytes << 20, 0, NULL) ||
        oracle_create(&rows->oracle, rows->gram, NULL))
        got(NULL);
    gram_set_kernel(rows->gram, &kernel);
}

void bench_rows_close(struct bench_rows *rows)
{
    oracle_free(rows->oracle);
    gram_free(rows->gram);
    points_free(&rows->points);
}

static struct problem problem_of(const struct run *run)
{
    struct problem problem = {.n = run->problem->n, .y = run->problem->y};
    problem.parameters = (struct parameters){0};
    parameter_set(&problem.parameters, &parameter_c, run->problem->c);
    parameter_set(&problem.parameters, &parameter_mu, run->problem->mu);
    parameter_set(&problem.parameters, &parameter_q, 2);
    parameter_set(&problem.parameters, &parameter_shrinking, run->contestant->shrinking);
    return problem;
}

/* The rule nearest to a bound on the violation that the solver has. */
static struct stop stop_of(const struct run *run)
{
    int has_kkt = run->contestant->solver->stops >> STOP_KKT & 1;
    return (struct stop){has_kkt ? STOP_KKT : STOP_KKT_RELAXED, run->tolerance};
}

static void run_ours(struct run *run)
{
    struct bench_rows rows;
    struct solution solution;
    struct problem problem = problem_of(run);
    bench_rows_open(&rows, run->problem, run->simd, run->megabytes);
    struct solve_request request = {.solver = run->contestant->solver,
                                    .problem = &problem,
                                    .oracle = rows.oracle,
                                    .stop = stop_of(run)};
    if (solve(&request, run->alpha, &solution, NULL) != STATUS_OK)
        got(NULL);
    run->iterations = solution.iterations;
    run->evaluations = oracle_evaluations(rows.oracle);
    bench_rows_close(&rows);
}

int contest_libsvm_version(void)
{
#if HAVE_LIBSVM
    return libsvm_version;
#else
    return 0;
#endif
}

#if HAVE_LIBSVM
static void be_quiet(const char *text)
{
    (void)text;
}

/* The patterns as LIBSVM takes them. */
struct peer {
    struct svm_problem problem;
    struct svm_node *nodes;
};

static struct peer *peer_open(const struct bench_problem *problem)
{
    size_t n = problem->n, dims = problem->dims;
    struct peer *peer = got(malloc(sizeof *peer));
    peer->problem =
        (struct svm_problem){(int)n, got(calloc(n, sizeof(double))), got(calloc(n, sizeof(struct svm_node *)))};
    peer->nodes = got(calloc(n * (dims + 1), sizeof(struct svm_node)));
    for (size_t i = 0; i < n; i++) {
        struct svm_node *node = peer->problem.x[i] = peer->nodes + i * (dims + 1);
        peer->problem.y[i] = problem->y[i];
        for (size_t d = 0; d < dims; d++)
            if (problem->x[i * dims + d] != 0)
                *node++ = (struct svm_node){(int)d + 1, problem->x[i * dims + d]};
        node->index = -1;
    }
    return peer;
}

static void peer_close(struct peer *peer)
{
    free(peer->problem.y);
    free(peer->problem.x);
    free(peer->nodes);
    free(peer);
}

static void run_libsvm(struct run *run)
{
    const struct peer *peer = run->peer;
    struct svm_parameter parameter = {.svm_type = C_SVC,
                                      .kernel_type = RBF,
                                      .gamma = 1 / run->problem->width,
                                      .cache_size = (double)run->megabytes,
                                      .eps = run->tolerance,
                                      .C = run->problem->c,
                                      .shrinking = run->contestant->shrinking};
    svm_set_print_string_function(be_quiet);
    struct svm_model *model = svm_train(&peer->problem, &parameter);
    memset(run->alpha, 0, run->problem->n * sizeof *run->alpha);
    for (int k = 0; k < model->l; k++)
        run->alpha[model->sv_indices[k] - 1] = fabs(model->sv_coef[0][k]);
    svm_free_and_destroy_model(&model);
}
#else
static struct peer *peer_open(const struct bench_problem *problem)
{
    (void)problem;
    return NULL;
}

static void peer_close(struct peer *peer)
{
    (void)peer;
}

static void run_libsvm(struct run *run)
{
    memset(run->alpha, 0, run->problem->n * sizeof *run->alpha);
}
#endif

void contest_open(struct run *run)
{
    run->alpha = got(simd_doubles(run->problem->n));
    run->peer = run->contestant->solver ? NULL : peer_open(run->problem);
}

void contest_close(struct run *run)
{
    free(run->alpha);
    if (run->peer)
        peer_close(run->peer);
}

void contest_run(void *context)
{
    struct run *run = context;
    if (run->contestant->solver)
        run_ours(run);
    else
        run_libsvm(run);
}

double contest_violation(const struct run *run)
{
    const size_t few_rows = 64; /* MB: each row is asked for once */
    struct bench_rows rows;
    struct judgement judgement;
    struct problem problem = problem_of(run);
    bench_rows_open(&rows, run->problem, run->simd, few_rows);
    double *products = got(simd_doubles(problem.n)), *scratch = got(simd_doubles(problem.n));
    judge(&problem, FORMULATION_C_SVM, rows.gram, run->alpha, 0, products, scratch, &judgement);
    free(products);
    free(scratch);
    bench_rows_close(&rows);
    return judgement.kkt_violation;
}

double contest_calibrate(struct run *run, double target)
{
    static const double shares[] = {1, 0.98, 0.95, 0.9, 0.8, 0.6, 0.3, 0.1, 0.01};
    double violation = INFINITY, best = INFINITY;
    for (size_t s = 0; s < sizeof shares / sizeof *shares && !(violation <= target); s++) {
        run->tolerance = shares[s] * target;
        contest_run(run);
        violation = contest_violation(run);
        best = fmin(best, violation);
    }
    return best;
}
