/*
 * packed-second-order-smo solves the C-SVM. On the 13 sets of the benchmark (split 1), with C from 2^-4 to 2^14 and
 * widths from 1/16 to 16 times the tuned ones, it reaches a violation of 1e-10 in 0.03 s on average and in at most 0.8
 * s (2.4 million iterations). conjugate-smo takes fewer iterations, but if rounding ends its descent before 1e-10 it
 * runs until it is stopped.
 */
#include "harness/evaluate/mu_of_c.h"

#include <assert.h>
#include <math.h>

static const double tolerance = 1e-10;

static double sum_of(const double *alpha, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += alpha[i];
    return sum;
}

enum status mu_of_c_find(const struct problem *problem, struct oracle *oracle, uint64_t max_iterations, double *alpha,
                         struct judging *judging, const volatile sig_atomic_t *interrupted, struct mu_of_c *found,
                         struct error *error)
{
    const struct solver *solver = solver_find("packed-second-order-smo");
    const double c = parameter_get(&problem->parameters, &parameter_c);
    struct problem svm = {.n = problem->n, .y = problem->y};
    struct solution solution;
    assert(solver);
    parameter_set(&svm.parameters, &parameter_c, c);
    const struct solve_request request = {
        .solver = solver,
        .problem = &svm,
        .oracle = oracle,
        .stop = {STOP_KKT, tolerance},
        .budget = {.iterations = max_iterations},
        .interrupted = interrupted,
    };
    enum status status = solve(&request, alpha, &solution, error);
    if (status != STATUS_OK)
        return status;
    judge(&svm, FORMULATION_C_SVM, oracle_gram(oracle), alpha, judging->support_threshold, judging->products,
          judging->scratch, &judging->judgement);
    const double sum = sum_of(alpha, svm.n);
    *found = (struct mu_of_c){.mu = sum > 0 ? fmin(1, 2 * c / sum) : 1,
                              .kkt_violation = judging->judgement.kkt_violation,
                              .iterations = solution.iterations};
    found->is_known = solution.outcome != OUTCOME_FAILED && isfinite(judging->judgement.duality_gap) &&
                      found->kkt_violation <= MU_OF_C_MAX_VIOLATION;
    return STATUS_OK;
}
