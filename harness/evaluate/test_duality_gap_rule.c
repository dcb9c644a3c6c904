/*
 * Runs to a relative duality gap. Plain loops over patterns and multipliers recompute the gap of every run that
 * converged; made-up solvers record what the certificate asks of them, call by call.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/solve.h"
#include "harness/evaluate/recheck.h"
#include "tests/geometry.h"

enum { JUDGEMENTS = 16, CALLS = 64 }; /* largest number of judgements; largest number of recorded calls */

static const struct kernel linear = {.type = KERNEL_LINEAR};

struct run {
    enum status status;
    double alpha[MAX_GEOMETRY];
    struct solution solution;
    struct judgement judgement;
    struct error error;
};

static void certify(struct run *run, struct geometry *g, const struct solver *solver, double tolerance,
                    struct budget budget)
{
    const struct judging judging = {.problem = &g->problem,
                                    .formulation = solver->formulation,
                                    .gram = g->gram,
                                    .products = simd_doubles(g->n),
                                    .scratch = simd_doubles(g->n)};
    const struct solve_request request = {.solver = solver,
                                          .problem = &g->problem,
                                          .oracle = g->oracle,
                                          .patterns = &g->points,
                                          .kernel = &linear,
                                          .stop = {STOP_DUALITY_GAP, tolerance},
                                          .budget = budget,
                                          .judging = &judging,
                                          .judgement = &run->judgement};
    memset(run, 0, sizeof *run);
    assert_true(judging.products && judging.scratch);
    run->status = solve_certified(&request, run->alpha, &run->solution, &run->error);
    free(judging.products);
    free(judging.scratch);
}

/* W . X_i, W = sum y_j alpha_j X_j. */
static double product(const struct geometry *g, const double *alpha, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < g->n; j++)
        for (size_t d = 0; d < g->dims; d++)
            sum += g->y[j] * alpha[j] * g->x[j * g->dims + d] * g->x[i * g->dims + d];
    return sum;
}

static double norm2(const struct geometry *g, const double *alpha)
{
    double sum = 0;
    for (size_t i = 0; i < g->n; i++)
        sum += g->y[i] * alpha[i] * product(g, alpha, i);
    return sum;
}

static double relative(double primal, double dual)
{
    return dual > 0 ? (primal - dual) / dual : HUGE_VAL;
}

/* Hulls, not reduced: P = 1/2 |W|^2, D = the smallest s W . X of each class, minus P. */
static double gap_of_hulls(const struct geometry *g, const double *alpha)
{
    double least[2] = {HUGE_VAL, HUGE_VAL}, primal = norm2(g, alpha) / 2;
    for (size_t i = 0; i < g->n; i++)
        least[g->y[i] < 0] = fmin(least[g->y[i] < 0], g->y[i] * product(g, alpha, i));
    return relative(primal, least[0] + least[1] - primal);
}

/* C-SVM: P = 1/2 |W|^2 + C sum xi at the best bias, which is one of y_i - W . X_i; D = sum alpha - 1/2 |W|^2. */
static double gap_of_c_svm(const struct geometry *g, const double *alpha, double c)
{
    double half = norm2(g, alpha) / 2, primal = HUGE_VAL, dual = -half;
    for (size_t k = 0; k < g->n; k++) {
        double bias = g->y[k] - product(g, alpha, k), loss = 0;
        for (size_t i = 0; i < g->n; i++)
            loss += fmax(0, 1 - g->y[i] * (product(g, alpha, i) + bias));
        primal = fmin(primal, half + c * loss);
        dual += alpha[k];
    }
    return relative(primal, dual);
}

static const double tolerances[] = {0.3, 1e-2, 1e-3, 1e-6};
enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };
static const double slack = 1 + 1e-6; /* that of the recheck, larger than rounding in these sums */

static void what_hulls_call_converged_has_the_gap(void **state)
{
    static const char *const names[] = {"mdm", "minkowski-mdm", "clip-mdm", "cycle-clip-mdm", "second-order-clip-mdm"};
    struct geometry g;
    struct run run;
    (void)state;
    geometry_random(&g, 40, 2, 4, 1, &linear);
    for (size_t s = 0; s < sizeof names / sizeof *names; s++)
        for (size_t t = 0; t < TOLERANCES; t++) {
            certify(&run, &g, solver_find(names[s]), tolerances[t], (struct budget){.iterations = 1000000});
            assert_int_equal(run.status, STATUS_OK);
            assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
            assert_true(gap_of_hulls(&g, run.alpha) <= slack * tolerances[t]);
        }
    geometry_close(&g);
}

static void what_svms_call_converged_has_the_gap(void **state)
{
    static const char *const names[] = {"1-smo",         "second-order-smo", "packed-smo", "packed-second-order-smo",
                                        "conjugate-smo", "svm-light",        "keerthi-1",  "platt-smo"};
    static const double penalties[] = {0.1, 10};
    struct geometry g;
    struct run run;
    (void)state;
    geometry_random(&g, 40, 2, 0.5, 2, &linear);
    for (size_t s = 0; s < sizeof names / sizeof *names; s++)
        for (size_t t = 0; t < 2 * TOLERANCES; t++) {
            const double c = penalties[t / TOLERANCES], asked = tolerances[t % TOLERANCES];
            parameter_set(&g.problem.parameters, &parameter_c, c);
            certify(&run, &g, solver_find(names[s]), asked, (struct budget){.iterations = 1000000});
            assert_int_equal(run.status, STATUS_OK);
            assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
            assert_true(gap_of_c_svm(&g, run.alpha, c) <= slack * asked);
        }
    geometry_close(&g);
}

/* One point against one: W = (2, 0) from the start, P = D = 2. */
static void an_optimal_start_is_certified_without_a_step(void **state)
{
    static const double x[] = {1, 0, -1, 0};
    static const signed char y[] = {1, -1};
    struct geometry g;
    struct run run;
    (void)state;
    geometry_open(&g, 2, 2, x, y, &linear);
    certify(&run, &g, solver_find("mdm"), 1e-3, (struct budget){.iterations = 5});
    assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
    assert_int_equal(run.solution.iterations, 0);
    assert_true(run.judgement.objective == 2 && run.judgement.duality_gap == 0);
    geometry_close(&g);
}

/* With any budget, a run converges if and only if its multipliers have the required gap. */
static void a_budget_that_ends_is_converged_only_with_the_gap(void **state)
{
    const double asked = 1e-3;
    struct geometry g;
    struct run run;
    size_t seen[2] = {0, 0};
    (void)state;
    geometry_random(&g, 60, 2, 3, 3, &linear);
    for (uint64_t limit = 1; limit < 200; limit += limit < 20 ? 1 : 7) {
        certify(&run, &g, solver_find("mdm"), asked, (struct budget){.iterations = limit});
        const double left = gap_of_hulls(&g, run.alpha);
        const int is_met = run.solution.outcome == OUTCOME_CONVERGED;
        seen[is_met]++;
        assert_true(is_met ? left <= slack * asked : left * slack > asked);
        assert_true(is_met || run.solution.outcome == OUTCOME_ITERATION_LIMIT);
        assert_true(run.solution.iterations <= limit && (is_met || run.solution.iterations == limit));
        assert_true(fabs(relative_gap(FORMULATION_NEAREST_POINTS, run.judgement.objective,
                                      run.judgement.duality_gap) - left) <= 1e-9 * left + 1e-12 ||
                    isinf(left));
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
    certify(&run, &g, solver_find("mdm"), 1e-9, (struct budget){.kernel_operations = 3 * g.n});
    assert_int_equal(run.solution.outcome, OUTCOME_OPERATION_LIMIT);
    assert_true(gap_of_hulls(&g, run.alpha) > 1e-9);
    geometry_close(&g);
}

/* The corners of a square, with opposite corners in the same class: both hulls contain the centre, and the optimum is
 * 0. */
static void hulls_that_meet_have_no_relative_gap(void **state)
{
    static const double x[] = {1, 1, -1, -1, 1, -1, -1, 1};
    static const signed char y[] = {1, 1, -1, -1};
    struct geometry g;
    struct run run;
    (void)state;
    geometry_open(&g, 4, 2, x, y, &linear);
    certify(&run, &g, solver_find("mdm"), 1e-3, (struct budget){.iterations = 100000});
    assert_int_equal(run.status, STATUS_OK);
    assert_int_equal(run.solution.outcome, OUTCOME_STALLED);
    assert_non_null(strstr(run.solution.reason, "the hulls meet"));
    assert_true(norm2(&g, run.alpha) < 1e-12);
    geometry_close(&g);
}

/* The offset of 1e8 is exact in each feature and leaves no digit of W . X in double precision. The run ends, and what
 * it certifies is the optimum of the same patterns without the offset. */
static void a_huge_offset_ends_without_a_false_certificate(void **state)
{
    static const char *const names[] = {"mdm", "1-smo", "packed-smo", "keerthi-1", "svm-light"};
    double x[2][80];
    signed char y[40];
    struct geometry g[2];
    struct run run, reference;
    char reason[REASON_SIZE];
    (void)state;
    for (size_t i = 0; i < 40; i++) {
        y[i] = i % 2 ? 1 : -1;
        x[0][2 * i] = y[i] + (double)(i % 7) / 8;
        x[0][2 * i + 1] = (double)(i % 5) / 4;
        x[1][2 * i] = 1e8 + x[0][2 * i];
        x[1][2 * i + 1] = 1e8 + x[0][2 * i + 1];
    }
    for (int far = 0; far < 2; far++) {
        geometry_open(&g[far], 40, 2, x[far], y, &linear);
        parameter_set(&g[far].problem.parameters, &parameter_c, 1);
    }
    for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
        const struct solver *solver = solver_find(names[s]);
        const struct stop stop = {STOP_DUALITY_GAP, 1e-3};
        certify(&reference, &g[0], solver, 1e-9, (struct budget){.iterations = 100000});
        certify(&run, &g[1], solver, 1e-3, (struct budget){.iterations = 1000});
        assert_int_equal(run.status, STATUS_OK);
        enum recheck verdict = recheck_rule(&stop, solver, 0, &run.judgement, reason);
        assert_int_equal(verdict == RECHECK_BORNE_OUT, run.solution.outcome == OUTCOME_CONVERGED);
        double optimum = reference.judgement.objective, found = run.judgement.objective;
        if (verdict == RECHECK_BORNE_OUT)
            assert_true(fabs(found - optimum) <= 1.01e-3 * optimum);
    }
    geometry_close(&g[0]);
    geometry_close(&g[1]);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The smallest s W . X in the class's hull with weights up to mu: assigns mu to the smallest values until the sum is
 * 1. */
static double least_in_reduced_hull(const struct geometry *g, const double *alpha, int class, double mu)
{
    double values[MAX_GEOMETRY] = {0}, sum = 0, left = 1;
    size_t count = 0;
    for (size_t i = 0; i < g->n; i++)
        if (g->y[i] == class)
            values[count++] = class * product(g, alpha, i);
    qsort(values, count, sizeof *values, compare);
    for (size_t i = 0; i < count && left > 0; i++, left -= mu)
        sum += fmin(mu, left) * values[i];
    return sum;
}

/* cycle-clip-mdm starts at the first K = 1/mu patterns of each class, rounded up, which needs 2 K N kernel values;
 * under the papers' rules it starts at the barycentres, which needs N^2. Both end within the gap and within the
 * weights' bounds. */
static void reduced_hulls_start_at_few_patterns(void **state)
{
    static const double bounds[] = {1, 0.5, 0.3, 0.125, 0.07};
    static const size_t needed[] = {1, 2, 4, 8, 15};
    const struct solver *solver = solver_find("cycle-clip-mdm");
    struct geometry g;
    struct run run;
    (void)state;
    geometry_random(&g, 60, 2, 4, 4, &linear);
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        const double mu = bounds[b], slack_of_weights = 1e-12;
        double sum[2] = {0, 0};
        parameter_set(&g.problem.parameters, &parameter_mu, mu);
        certify(&run, &g, solver, 1e-4, (struct budget){.iterations = 100000});
        assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
        assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP), 2 * needed[b] * g.n);
        for (size_t i = 0; i < g.n; i++) {
            assert_true(run.alpha[i] >= 0 && run.alpha[i] <= mu + slack_of_weights);
            sum[g.y[i] < 0] += run.alpha[i];
        }
        assert_true(fabs(sum[0] - 1) < slack_of_weights && fabs(sum[1] - 1) < slack_of_weights);
        const double primal = norm2(&g, run.alpha) / 2,
                     dual = least_in_reduced_hull(&g, run.alpha, 1, mu) + least_in_reduced_hull(&g, run.alpha, -1, mu) -
                            primal;
        assert_true(relative(primal, dual) <= slack * 1e-4);
        const struct solve_request usual = {.solver = solver,
                                            .problem = &g.problem,
                                            .oracle = g.oracle,
                                            .patterns = &g.points,
                                            .kernel = &linear,
                                            .stop = {STOP_GAP_SUM_NORM2, 1e-4},
                                            .budget = {.iterations = 100000}};
        double alpha[MAX_GEOMETRY];
        assert_int_equal(solve(&usual, alpha, &run.solution, &run.error), STATUS_OK);
        assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
        assert_int_equal(oracle_operations(g.oracle, PHASE_SETUP), g.n * g.n);
        assert_true(fabs(norm2(&g, alpha) / 2 / primal - 1) <= 2e-4);
    }
    geometry_close(&g);
}

/*
 * Made-up solvers. X = (2, 0), (2, 1) against (0, 0): alpha = (1 - t, t, 1) has W = (2, t), and the gap is
 *
 *     W . W - W . X_0 = 4 + t^2 - 4 = t^2,   D = 1/2 |W|^2 - t^2 = 2 - t^2 / 2,   (P - D) / D = t^2 / (2 - t^2 / 2).
 */
static const double three[] = {2, 0, 2, 1, 0, 0};
static const signed char three_labels[] = {1, 1, -1};

struct corner {
    double t, tolerance;
};

static struct {
    double believed_share, limit, tolerances[CALLS];
    size_t n_tolerances, n_alpha;
} made; /* configures the made-up solvers and records their calls */

static double true_gap(double t)
{
    return t * t / (2 - t * t / 2);
}

static size_t corner_size(const struct problem *problem)
{
    (void)problem;
    return sizeof(struct corner);
}

static enum status corner_init(void *state, const struct problem *problem, struct oracle *oracle)
{
    (void)oracle;
    *(struct corner *)state = (struct corner){1, problem->tolerance};
    made.tolerances[made.n_tolerances++] = problem->tolerance;
    return STATUS_OK;
}

static enum status corner_select(void *state, struct progress *progress)
{
    const struct corner *corner = state;
    progress->delta = corner->t;
    progress->norm2 = 4 + corner->t * corner->t;
    progress->objective = progress->norm2 / 2;
    return STATUS_OK;
}

static enum status corner_update(void *state, struct oracle *oracle)
{
    struct corner *corner = state;
    (void)oracle;
    if (corner->t <= made.limit)
        return STATUS_STALLED;
    corner->t /= 2;
    return STATUS_OK;
}

static double corner_gap(const void *state, int class)
{
    const struct corner *corner = state;
    return class < 0 ? 0 : made.believed_share * corner->t * corner->t;
}

static void corner_alpha(const void *state, double *alpha)
{
    const struct corner *corner = state;
    alpha[0] = 1 - corner->t;
    alpha[1] = corner->t;
    alpha[2] = 1;
    made.n_alpha++;
}

static void corner_tighten(void *state, double tolerance)
{
    ((struct corner *)state)->tolerance = tolerance;
    assert_true(made.n_tolerances < CALLS);
    made.tolerances[made.n_tolerances++] = tolerance;
}

static struct solver corner_solver(void)
{
    return (struct solver){.name = "corner",
                           .formulation = FORMULATION_NEAREST_POINTS,
                           .stops = 1u << STOP_KKT,
                           .state_size = corner_size,
                           .init = corner_init,
                           .select = corner_select,
                           .update = corner_update,
                           .gap = corner_gap,
                           .alpha = corner_alpha};
}

/* Runs at most 1000 iterations with a solver that reports `share` times its gap and finds no step below `limit`. */
static void run_corner(struct run *run, const struct solver *solver, double tolerance, double share, double limit)
{
    struct geometry g;
    memset(&made, 0, sizeof made);
    made.believed_share = share;
    made.limit = limit;
    geometry_open(&g, 3, 2, three, three_labels, &linear);
    certify(run, &g, solver, tolerance, (struct budget){.iterations = 1000});
    geometry_close(&g);
}

static void a_solver_that_knows_its_gap_stops_at_the_first_state_that_has_it(void **state)
{
    const struct solver solver = corner_solver();
    struct run run;
    (void)state;
    for (size_t t = 0; t < TOLERANCES; t++) {
        uint64_t steps = 0;
        while (true_gap(ldexp(1, -(int)steps)) > tolerances[t])
            steps++;
        run_corner(&run, &solver, tolerances[t], 1, 0);
        assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
        assert_int_equal(run.solution.iterations, steps);
        assert_true(run.alpha[1] == ldexp(1, -(int)steps));
    }
}

/* The solver reports at most a hundredth of its gap, so the judge makes it continue until the true gap is reached. */
static void a_solver_that_thinks_too_well_of_itself_goes_on(void **state)
{
    static const double shares[] = {0.5, 1e-2, 1e-5};
    const struct solver solver = corner_solver();
    struct run run;
    (void)state;
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        run_corner(&run, &solver, 1e-6, shares[s], 0);
        assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
        assert_true(true_gap(run.alpha[1]) <= 1e-6);
        assert_true(made.n_alpha <= JUDGEMENTS);
    }
}

/* A solver that always reports 0 is judged the maximum number of times and not believed. */
static void a_solver_that_always_says_zero_is_not_believed(void **state)
{
    struct solver solver = corner_solver();
    struct run run;
    (void)state;
    run_corner(&run, &solver, 1e-3, 0, 0);
    assert_int_not_equal(run.solution.outcome, OUTCOME_CONVERGED);
    assert_true(true_gap(run.alpha[1]) > 1e-3);
    assert_true(made.n_alpha <= JUDGEMENTS);
}

static void a_solver_without_a_step_converges_only_with_the_gap(void **state)
{
    const struct solver solver = corner_solver();
    struct run run;
    (void)state;
    run_corner(&run, &solver, 1e-3, 1, 0.25); /* its gap is 0.03 */
    assert_int_equal(run.solution.outcome, OUTCOME_STALLED);
    assert_true(run.alpha[1] == 0.25);
    run_corner(&run, &solver, 1e-3, 2, 0.03125); /* 0.0005; it reports 0.001 */
    assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
    assert_true(run.alpha[1] == 0.03125);
}

/* `tighten`: first 100 eps, at most 1/2; then each tolerance is at most half and at least a thousandth of the last. */
static void a_solver_with_tolerances_of_its_own_gets_smaller_ones(void **state)
{
    struct solver solver = corner_solver();
    struct run run;
    (void)state;
    solver.tighten = corner_tighten;
    for (size_t t = 0; t < TOLERANCES; t++) {
        run_corner(&run, &solver, tolerances[t], 1, 0);
        assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
        assert_true(true_gap(run.alpha[1]) <= tolerances[t]);
        assert_true(made.tolerances[0] == fmin(0.5, 100 * tolerances[t]));
        for (size_t k = 1; k < made.n_tolerances; k++)
            assert_true(made.tolerances[k] <= made.tolerances[k - 1] / 2 &&
                        made.tolerances[k] >= made.tolerances[k - 1] / 1001);
    }
    /* It stops at 1e-4 in t = 2^-14 and reports a gap of 1000 t^2: the next tolerance is 0.7 times the missing
     * factor. */
    run_corner(&run, &solver, 1e-6, 1000, 0);
    const double square = ldexp(1, -28), left = 1000 * square / (2 + square / 2 - 1000 * square);
    assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
    assert_true(made.n_tolerances > 1 && fabs(made.tolerances[1] / (1e-4 * 0.7e-6 / left) - 1) < 1e-12);
    run_corner(&run, &solver, 1e-6, 0, 0); /* reports 0 in each state that meets its tolerance, as packed solvers may */
    assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
    assert_true(true_gap(run.alpha[1]) <= 1e-6);
    run_corner(&run, &solver, 1e-6, 1, 0.25); /* no step: smaller tolerances do not help */
    assert_int_equal(run.solution.outcome, OUTCOME_STALLED);
    assert_true(made.n_tolerances <= CALLS / 2);
}

/* Meets its tolerance in t, or stops at made.limit; each call takes 10 iterations. */
static enum status corner_external(const struct problem *problem, const struct points *patterns,
                                   const struct kernel *kernel, double *alpha, uint64_t *iterations)
{
    const struct corner corner = {fmax(problem->tolerance, made.limit), problem->tolerance};
    (void)patterns, (void)kernel;
    assert_true(made.n_tolerances < CALLS && alpha[0] == 0 && alpha[1] == 0 && alpha[2] == 0);
    made.tolerances[made.n_tolerances++] = problem->tolerance;
    corner_alpha(&corner, alpha);
    *iterations = 10;
    return STATUS_OK;
}

static void an_external_solver_starts_anew_at_each_tolerance(void **state)
{
    const struct solver solver = {.name = "corner",
                                  .formulation = FORMULATION_NEAREST_POINTS,
                                  .stops = 1u << STOP_KKT,
                                  .solve_external = corner_external};
    struct run run;
    (void)state;
    run_corner(&run, &solver, 1e-2, 1, 0); /* the gap at t = 0.01 is 5e-5 */
    assert_int_equal(run.solution.outcome, OUTCOME_CONVERGED);
    assert_int_equal(made.n_tolerances, 1);
    assert_int_equal(run.solution.iterations, 10);
    run_corner(&run, &solver, 0.4, 1, 0); /* the gap at 0.4 is 0.083 */
    assert_int_equal(made.n_tolerances, 1);
    run_corner(&run, &solver, 1e-3, 1, 0.125); /* 0.0078 at best: judged until no tolerance is left, then given up */
    assert_int_equal(run.solution.outcome, OUTCOME_STALLED);
    assert_true(made.n_tolerances > 1 && made.n_tolerances <= JUDGEMENTS);
    assert_int_equal(run.solution.iterations, 10 * made.n_tolerances);
    for (size_t k = 1; k < made.n_tolerances; k++)
        assert_true(made.tolerances[k] <= made.tolerances[k - 1] / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_hulls_call_converged_has_the_gap),
        cmocka_unit_test(what_svms_call_converged_has_the_gap),
        cmocka_unit_test(an_optimal_start_is_certified_without_a_step),
        cmocka_unit_test(a_budget_that_ends_is_converged_only_with_the_gap),
        cmocka_unit_test(hulls_that_meet_have_no_relative_gap),
        cmocka_unit_test(a_huge_offset_ends_without_a_false_certificate),
        cmocka_unit_test(reduced_hulls_start_at_few_patterns),
        cmocka_unit_test(a_solver_that_knows_its_gap_stops_at_the_first_state_that_has_it),
        cmocka_unit_test(a_solver_that_thinks_too_well_of_itself_goes_on),
        cmocka_unit_test(a_solver_that_always_says_zero_is_not_believed),
        cmocka_unit_test(a_solver_without_a_step_converges_only_with_the_gap),
        cmocka_unit_test(a_solver_with_tolerances_of_its_own_gets_smaller_ones),
        cmocka_unit_test(an_external_solver_starts_anew_at_each_tolerance),
    };
    return cmocka_run_group_tests_name("certificate", tests, NULL, NULL);
}
