/* Runs a solver of ours or a peer on a problem and certifies its result, see bench.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "solvers/kernel/helpers.h"

void bench_rows_open(struct bench_rows *rows, const struct bench_problem *problem, const struct simd *simd,
                     size_t megabytes)
{
    const struct kernel kernel = {.type = problem->is_linear ? KERNEL_LINEAR : KERNEL_RBF, .width = problem->width};
    struct patterns patterns =
        problem->x ? patterns_dense(problem->x, problem->n, problem->dims) : problem->sparse;
    if (points_create(&rows->points, kernel.type, patterns, problem->rows, problem->n, NULL) ||
        gram_create(&rows->gram, simd, &rows->points, megabytes << 20, 0, NULL) ||
        oracle_create(&rows->oracle, rows->gram, NULL))
        bench_got(NULL);
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

/* The solver's rule that is closest to a bound on the violation. */
static struct stop stop_of(const struct run *run)
{
    int has_kkt = run->contestant->solver->stops >> STOP_KKT & 1;
    return (struct stop){has_kkt ? STOP_KKT : STOP_KKT_RELAXED, run->tolerance};
}

static void run_ours(void *context)
{
    struct run *run = context;
    struct bench_rows rows;
    struct solution solution;
    struct problem problem = problem_of(run);
    bench_rows_open(&rows, run->problem, run->simd, run->megabytes);
    struct solve_request request = {.solver = run->contestant->solver,
                                    .problem = &problem,
                                    .oracle = rows.oracle,
                                    .stop = stop_of(run)};
    if (solve(&request, run->alpha, &solution, NULL) != STATUS_OK)
        bench_got(NULL);
    run->iterations = solution.iterations;
    run->operations = oracle_operations(rows.oracle, PHASE_SETUP) + oracle_operations(rows.oracle, PHASE_ITERATIONS);
    bench_rows_close(&rows);
}

void contest_open(struct run *run)
{
    run->alpha = bench_got(simd_doubles(run->problem->n));
    run->state = run->contestant->peer ? peer_state_open(run->contestant->peer, run->problem, run->megabytes) : NULL;
}

void contest_close(struct run *run)
{
    free(run->alpha);
    if (run->state)
        peer_state_close(run->state);
}

void contest_run(void *context)
{
    struct run *run = context;
    if (run->state)
        run->seconds = peer_run(run->state, run->tolerance, run->alpha);
    else
        helpers_with(run_ours, run); /* of the team of the caller, if any */
}

double contest_violation(const struct run *run)
{
    const size_t few_rows = 64; /* MB: each row is requested once */
    const double feasible = 1e-4; /* peers that sum multipliers in single precision reach only this accuracy */
    struct bench_rows rows;
    struct judgement judgement;
    struct problem problem = problem_of(run);
    bench_rows_open(&rows, run->problem, run->simd, few_rows);
    double *products = bench_got(simd_doubles(problem.n)), *scratch = bench_got(simd_doubles(problem.n));
    judge(&(struct judging){&problem, FORMULATION_C_SVM, rows.gram, run->alpha, 0, products, scratch}, &judgement);
    free(products);
    free(scratch);
    bench_rows_close(&rows);
    return judgement.feasibility <= feasible ? judgement.kkt_violation : (double)INFINITY;
}

double contest_calibrate(struct run *run, double target)
{
    static const double shares[] = {1, 0.98, 0.95, 0.9, 0.8, 0.6, 0.3, 0.1, 0.01};
    double best = INFINITY, at_target = 0;
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        run->tolerance = shares[s] * target;
        double took = bench_seconds(contest_run, run);
        if (run->seconds < 0)
            return (double)NAN;
        took = run->seconds > 0 ? run->seconds : took;
        at_target = s == 0 ? took : at_target;
        run->calibrated = took;
        double violation = contest_violation(run);
        if (violation <= target)
            return violation;
        best = fmin(best, violation);
    }
    run->tolerance = target;
    run->calibrated = at_target;
    return best;
}

size_t contest_support_vectors(const struct run *run)
{
    size_t found = 0;
    for (size_t i = 0; i < run->problem->n; i++)
        found += run->alpha[i] > 0;
    return found;
}
