/*
 * svm-train's lines. obj is what it minimises: 1/2 |W|^2 - sum alpha for the SVM duals, 1/2 |W|^2 for hulls and minimum
 * norm; rho is the model's. nu is sum alpha / (C N) for the C-SVM and 2 / (mu N) for reduced hulls; other problems have
 * none. nSV counts multipliers that are not 0, nBSV those at their bound. Gap and violation are the judge's, of the
 * multipliers alone.
 */
#include "harness/cli/train_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The bound of a multiplier; infinite where there is none. */
static double bound_of(const struct solver *solver, const struct job *job, const struct job_result *result)
{
    switch (solver->formulation) {
    case FORMULATION_C_SVM:
    case FORMULATION_NO_BIAS_SVM:
        return job->parameters.value[PARAMETER_C];
    case FORMULATION_NEAREST_POINTS:
        return isnan(result->mu_effective) ? HUGE_VAL : result->mu_effective;
    default:
        return HUGE_VAL;
    }
}

void train_report(FILE *stream, const struct dataset *dataset, const struct solver *solver, const struct job *job,
                  const struct job_result *result, const double *alpha, const struct model *model)
{
    const struct judgement *judgement = &result->judgement;
    int minimised =
        solver->formulation == FORMULATION_NEAREST_POINTS || solver->formulation == FORMULATION_MINIMUM_NORM;
    double bound = bound_of(solver, job, result), sum = 0, n = (double)dataset->splits[0].n_train;
    size_t at_bound = 0, vectors = model->count[0] + model->count[1];
    for (size_t i = 0; i < dataset->splits[0].n_train; i++) {
        sum += alpha[i];
        at_bound += alpha[i] >= bound;
    }
    if (result->solution.outcome == OUTCOME_CONVERGED)
        fprintf(stream, "optimization finished, #iter = %" PRIu64 "\n", result->solution.iterations);
    else
        fprintf(stream, "WARNING: not converged (%s), #iter = %" PRIu64 "\n", outcome_name(result->solution.outcome),
               result->solution.iterations);
    if (*result->solution.reason)
        fprintf(stream, "reason: %s\n", result->solution.reason);
    if (solver->formulation == FORMULATION_C_SVM)
        fprintf(stream, "nu = %f\n", sum / (bound * n));
    else if (isfinite(bound) && minimised)
        fprintf(stream, "nu = %f\n", 2 / (bound * n));
    fprintf(stream, "obj = %f, rho = %f\n", minimised ? judgement->objective : 0 - judgement->objective, model->rho);
    fprintf(stream, "nSV = %zu, nBSV = %zu\nTotal nSV = %zu\n", vectors, at_bound, vectors);
    if (solver->solve_external)
        fputs("kernel operations: not counted, the solver takes kernel values of its own\n", stream);
    else
        fprintf(stream,
                "kernel operations = %" PRIu64 " + %" PRIu64 " (set-up + iterations), kernel evaluations = %" PRIu64
                "\n",
                result->operations[PHASE_SETUP], result->operations[PHASE_ITERATIONS], result->evaluations);
    fprintf(stream, "duality gap = %.6g, KKT violation = %.6g (recomputed from the multipliers)\n",
            judgement->duality_gap, judgement->kkt_violation);
}
