/*
 * Runs a solver to a relative duality gap (P - D) / D <= eps (stopping.h), with P and D recomputed from the
 * multipliers.
 *
 * One judgement needs (support vectors) x (patterns) kernel values, so the solver's own sums decide when to call the
 * judge:
 *
 *   - Most solvers know their gap in every state. The loop checks it after increasing numbers of iterations
 *     (stopping.c), and the judge checks the state in which the loop stops. If rounding makes the solver's gap smaller
 *     than the judge's, the run continues to a smaller tolerance.
 *   - Solvers that shrink, or that skip steps too short for their tolerance, know their gap only in states that meet
 *     this tolerance (solver.h, `tighten`). They run with the rule kkt or kkt-relaxed and continue to smaller
 *     tolerances. Violations and gap decrease together, so the next tolerance is 0.7 eps / gap times the last one, but
 *     at most half and at least a thousandth of it. The first is 100 eps, at most 0.5: on synthetic problems of 5 000
 *     and 10 000 patterns with C = 1 and 100, a relative gap of 1e-3 corresponds to violations of 0.015 to 0.09.
 *   - An external solver restarts at each tolerance, eps first, and is judged each time.
 *
 * The run ends without a certificate if a budget is spent, if the solver finds no step, if its tolerance is below what
 * double precision resolves, or after MAX_JUDGEMENTS judgements, when the solver's own gap is no longer informative.
 */
#include "harness/evaluate/solve.h"

#include <math.h>

#include "harness/evaluate/recheck.h"

enum { MAX_JUDGEMENTS = 16 };

/* Tolerances on violations, in units of y (W . X + b). */
static const double min_tolerance = 1e-14, max_first_tolerance = 0.5, first_tolerances = 100;

struct certificate {
    const struct solve_request *request; /* the caller's request */
    struct solve_request next;           /* with the solver's current rule and tolerance */
    struct solve_run *run;               /* NULL for an external solver */
    struct judging judging;              /* of the multipliers that are returned */
    unsigned judgements;
    int is_judged; /* whether the current multipliers have been judged */
};

/* Continues the run, or restarts an external solver. */
static enum status run_on(struct certificate *certificate, double *alpha, struct solution *solution,
                          struct error *error)
{
    const struct solution before = *solution;
    certificate->is_judged = 0;
    if (certificate->run)
        return solve_on(certificate->run, &certificate->next, alpha, solution, error);
    enum status status = solve(&certificate->next, alpha, solution, error);
    solution->iterations += before.iterations;
    solution->seconds += before.seconds;
    solution->cpu_seconds += before.cpu_seconds;
    return status;
}

/* Returns the recomputed relative gap. */
static double judge_now(struct certificate *certificate)
{
    struct judgement *judgement = certificate->request->judgement;
    if (!certificate->is_judged) {
        judge(&certificate->judging, judgement);
        certificate->judgements++;
        certificate->is_judged = 1;
    }
    return relative_gap(certificate->judging.formulation, judgement->objective, judgement->duality_gap);
}

/* The recheck of the current multipliers. */
static enum recheck verdict_now(struct certificate *certificate)
{
    const struct solve_request *request = certificate->request;
    const struct recheck_request recheck = {&request->stop, request->solver, &certificate->judging, 0};
    char reason[REASON_SIZE];
    (void)judge_now(certificate);
    return recheck_closely(&recheck, request->judgement, reason);
}

/* Whether the run is over, certified or not. Otherwise *left gets the relative gap, NAN if unknown. */
static int is_over(struct certificate *certificate, struct solution *solution, double *left)
{
    const struct solve_request *request = certificate->request;
    const struct solver *solver = request->solver;
    int has_stopped = solution->outcome == OUTCOME_CONVERGED,
        may_go_on = has_stopped || (solver->tighten && solution->outcome == OUTCOME_STALLED && !*solution->reason);
    if (certificate->run && solver->tighten && has_stopped) {
        *left = solve_own_relative_gap(certificate->run);
        if (*left > request->stop.tolerance)
            return 0;
    }
    if (solution->outcome == OUTCOME_FAILED)
        return 1;
    enum recheck verdict = verdict_now(certificate);
    *left = judge_now(certificate);
    if (verdict == RECHECK_BORNE_OUT && !*solution->reason)
        solution->outcome = OUTCOME_CONVERGED;
    return verdict != RECHECK_NOT_MET || !may_go_on || certificate->judgements >= MAX_JUDGEMENTS;
}

/* Moves to the next tolerance; returns zero if there is none. */
static int tighten(struct certificate *certificate, double left)
{
    const struct solver *solver = certificate->request->solver;
    double *tolerance = &certificate->next.stop.tolerance, asked = certificate->request->stop.tolerance;
    double missing = left > 0 && isfinite(left) ? 0.7 * asked / left : 0.1;
    *tolerance *= fmax(1e-3, fmin(missing, 0.5));
    if (*tolerance < (solver->tighten || solver->solve_external ? min_tolerance : asked * min_tolerance))
        return 0;
    if (solver->tighten)
        solve_tighten(certificate->run, *tolerance);
    return 1;
}

static enum status certify(struct certificate *certificate, double *alpha, struct solution *solution,
                           struct error *error)
{
    enum status status;
    double left;
    do {
        status = run_on(certificate, alpha, solution, error);
    } while (status == STATUS_OK && !is_over(certificate, solution, &left) && tighten(certificate, left));
    if (status != STATUS_OK)
        return status;
    enum recheck verdict = solution->outcome == OUTCOME_FAILED ? RECHECK_NOT_MET : verdict_now(certificate);
    left = judge_now(certificate);
    if (solution->outcome == OUTCOME_CONVERGED && left > certificate->request->stop.tolerance)
        solution->outcome = OUTCOME_STALLED;
    if (solution->outcome == OUTCOME_STALLED && verdict == RECHECK_BORNE_OUT && !*solution->reason)
        solution->outcome = OUTCOME_CONVERGED;
    return STATUS_OK;
}

enum status solve_certified(const struct solve_request *request, double *alpha, struct solution *solution,
                            struct error *error)
{
    struct certificate certificate = {.request = request, .next = *request, .judging = *request->judging};
    certificate.judging.alpha = alpha;
    if (request->solver->tighten)
        certificate.next.stop.tolerance = fmin(first_tolerances * request->stop.tolerance, max_first_tolerance);
    if (request->solver->tighten || request->solver->solve_external)
        certificate.next.stop.rule = stop_own_rule(request->solver);
    *solution = (struct solution){.outcome = OUTCOME_FAILED, .objective = (double)NAN};
    enum status status = STATUS_OK;
    if (!request->solver->solve_external)
        status = solve_begin(&certificate.run, &certificate.next, error);
    if (status == STATUS_OK)
        status = certify(&certificate, alpha, solution, error);
    solve_end(certificate.run);
    return status;
}
