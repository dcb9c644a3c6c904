/*
 * Every registered solver on small random problems, against an independent solution (tests/small_qp.c): objective and
 * gap enclose it; solvers that converge at a tight tolerance agree with it to 1e-8; and the judge confirms every
 * converged result. Then the same problems with rows in another order, classes exchanged, and patterns of twice the
 * length, for which the previous answers determine the new ones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "harness/evaluate/recheck.h"
#include "harness/evaluate/solve.h"
#include "solvers/registry.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"
#include "tests/small_qp.h"
#include "tests/tested_solvers.h"

enum { PROBLEMS = 2000, QUICK_STEP = 10, DIMS = 3, MIN = 4, MAX = 12 };

/* Every tenth problem; all of them if HULLBENCH_TESTS=all. 3 does not divide 10, so that all kernels take part. */
static unsigned long problem_step(void)
{
    return all_tests() ? 1 : QUICK_STEP;
}

struct drawn {
    size_t n;
    double x[MAX * DIMS];
    signed char y[MAX];
    struct kernel kernel;
    double c, mu, nu;
};

static double between(gsl_rng *rng, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(rng);
}

static struct drawn draw(unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    struct drawn drawn = {.n = MIN + gsl_rng_uniform_int(rng, MAX - MIN + 1)};
    const struct kernel kernels[] = {{.type = KERNEL_RBF, .width = pow(2, between(rng, -1, 3))},
                                     {.type = KERNEL_POLYNOMIAL, .scale = 0.5, .offset = 1, .degree = 2},
                                     {.type = KERNEL_LINEAR}};
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < drawn.n; i++) {
        drawn.y[i] = i == 0 ? 1 : i == 1 ? -1 : gsl_rng_uniform(rng) < 0.5 ? 1 : -1;
        count[drawn.y[i] < 0]++;
        for (size_t d = 0; d < DIMS; d++)
            drawn.x[i * DIMS + d] = between(rng, -1, 1) + (d == 0 ? 0.7 * drawn.y[i] : 0);
    }
    drawn.kernel = kernels[seed % 3];
    drawn.c = pow(10, between(rng, -1, 2));
    double floor = 1 / (double)(count[0] < count[1] ? count[0] : count[1]);
    drawn.mu = fmin(1, floor * between(rng, 1.05, 3));
    drawn.nu = between(rng, 0.1, 0.9);
    gsl_rng_free(rng);
    return drawn;
}

static void open(struct geometry *g, const struct drawn *drawn)
{
    geometry_open(g, drawn->n, DIMS, drawn->x, drawn->y, &drawn->kernel);
    parameter_set(&g->problem.parameters, &parameter_c, drawn->c);
}

/* Full hulls, also for the minimum norm, for solvers that do not read mu or nu. */
static void set_parameters(struct geometry *g, const struct drawn *drawn, const struct solver *solver)
{
    parameter_set(&g->problem.parameters, &parameter_mu, solver_reads(solver, &parameter_mu) ? drawn->mu : 1);
    parameter_set(&g->problem.parameters, &parameter_nu, solver_reads(solver, &parameter_nu) ? drawn->nu : (double)NAN);
    parameter_set(&g->problem.parameters, &parameter_forgetting, FORGETTING_EQUIVALENT);
}

/* ---- the independent solution ---- */

static int is_svm(enum formulation formulation)
{
    return formulation != FORMULATION_NEAREST_POINTS && formulation != FORMULATION_MINIMUM_NORM;
}

static int has_balance(enum formulation formulation)
{
    return formulation == FORMULATION_C_SVM || formulation == FORMULATION_SQUARE_SVM;
}

static double added_of(const struct solver *solver, const struct geometry *g)
{
    double added = parameter_get(&g->problem.parameters, &parameter_added);
    return solver->formulation == FORMULATION_MINIMUM_NORM && !isnan(added) ? added * added : 0;
}

static double upper_of(const struct solver *solver, const struct geometry *g)
{
    const struct parameters *parameters = &g->problem.parameters;
    double mu = parameter_get(parameters, &parameter_mu), nu = parameter_get(parameters, &parameter_nu);
    double n = (double)g->n;
    switch (solver->formulation) {
    case FORMULATION_NEAREST_POINTS:
        return mu < 1 ? mu : HUGE_VAL;
    case FORMULATION_C_SVM:
    case FORMULATION_NO_BIAS_SVM:
        return parameter_get(parameters, &parameter_c);
    case FORMULATION_MINIMUM_NORM:
        return isnan(nu) ? HUGE_VAL : 1 / fmin(fmax(floor(nu * n + 0.5), 1), n);
    default:
        return HUGE_VAL;
    }
}

/* Each coordinate of a class of m starts at 1/m, or inside the box with equal sums of the classes. */
static void set_rows(const struct solver *solver, const struct geometry *g, struct small_qp *qp)
{
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < g->n; i++)
        count[g->y[i] < 0]++;
    qp->rows = solver->formulation == FORMULATION_NEAREST_POINTS                                ? 2
               : has_balance(solver->formulation) || solver->formulation == FORMULATION_MINIMUM_NORM ? 1
                                                                                                     : 0;
    for (size_t i = 0; i < g->n; i++) {
        int minus = g->y[i] < 0;
        qp->p[i] = is_svm(solver->formulation) ? 1 : 0;
        qp->x[i] =
            (isfinite(qp->upper) && is_svm(solver->formulation) ? 0.5L * qp->upper : 1.0L) / (long double)count[minus];
        if (solver->formulation == FORMULATION_NEAREST_POINTS)
            qp->a[minus][i] = 1;
        else if (has_balance(solver->formulation))
            qp->a[0][i] = g->y[i];
        else if (qp->rows) {
            qp->a[0][i] = 1;
            qp->x[i] = 1 / (long double)g->n;
        }
    }
    if (!is_svm(solver->formulation))
        qp->b[0] = qp->b[1] = 1;
}

static long double kernel_of(const struct drawn *drawn, size_t i, size_t j)
{
    long double dot = 0, distance = 0;
    for (size_t d = 0; d < DIMS; d++) {
        long double a = drawn->x[i * DIMS + d], b = drawn->x[j * DIMS + d];
        dot += a * b;
        distance += (a - b) * (a - b);
    }
    const struct kernel *kernel = &drawn->kernel;
    return kernel->type == KERNEL_LINEAR ? dot
           : kernel->type == KERNEL_RBF
               ? expl(-distance / kernel->width)
               : (kernel->scale * dot + kernel->offset) * (kernel->scale * dot + kernel->offset);
}

static void set_matrix(const struct solver *solver, const struct geometry *g, const struct drawn *drawn,
                       struct small_qp *qp)
{
    long double ridge = solver_ridge(solver, &g->problem), added = added_of(solver, g);
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            qp->q[i][j] = g->y[i] * g->y[j] * (kernel_of(drawn, i, j) + added + (i == j ? ridge : 0));
}

/* The judge's objective at the optimum; infinite or NAN if there is none. */
static double exact_of(const struct solver *solver, const struct geometry *g, const struct drawn *drawn)
{
    struct small_qp qp = {.n = g->n, .upper = upper_of(solver, g)};
    set_matrix(solver, g, drawn, &qp);
    set_rows(solver, g, &qp);
    double value = (double)small_qp_solve(&qp);
    return is_svm(solver->formulation) ? 0 - value : value;
}

/* ---- the solvers ---- */

struct answer {
    struct solution solution;
    struct judgement judged;
    double alpha[MAX];
};

/* Returns 0 if the solver reports that it cannot start on this problem. */
static int answer_to(struct geometry *g, const struct drawn *drawn, const struct solver *solver, struct answer *answer)
{
    struct error error;
    double *alpha = simd_doubles(g->n), *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    set_parameters(g, drawn, solver);
    const struct solve_request request = {.solver = solver,
                                          .problem = &g->problem,
                                          .oracle = g->oracle,
                                          .stop = {geometry_rule(solver), 1e-9},
                                          .budget = {.iterations = solver->converges_slowly ? 100 : 20000}};
    enum status status = solve(&request, alpha, &answer->solution, &error);
    if (status == STATUS_OK) {
        judge(&(struct judging){&g->problem, solver->formulation, g->gram, alpha, 1e-6, products, scratch},
              &answer->judged);
        memcpy(answer->alpha, alpha, g->n * sizeof *alpha);
    } else
        assert_int_equal(status, STATUS_BAD_INPUT);
    free(alpha);
    free(products);
    free(scratch);
    return status == STATUS_OK;
}

static double scale_of(double value)
{
    return fmax(1, fabs(value));
}

static void check_answer(const struct solver *solver, const struct answer *answer, double exact, unsigned long seed,
                         size_t *settled)
{
    const struct judgement *judged = &answer->judged;
    double above = is_svm(solver->formulation) ? exact - judged->objective : judged->objective - exact;
    const struct stop stop = {geometry_rule(solver), 1e-9};
    if (!(judged->feasibility <= 1e-9))
        fail_msg("%s, problem %lu: a constraint is violated by %g", solver->name, seed, judged->feasibility);
    if (!(above >= -1e-8 * scale_of(exact) && above <= judged->duality_gap + 1e-8 * scale_of(exact)))
        fail_msg("%s, problem %lu: %.17g and a gap of %g do not enclose %.17g", solver->name, seed, judged->objective,
                 judged->duality_gap, exact);
    if (answer->solution.outcome != OUTCOME_CONVERGED)
        return;
    ++*settled;
    char reason[REASON_SIZE];
    if (recheck_rule(&stop, solver, 0, judged, reason) != RECHECK_BORNE_OUT)
        fail_msg("%s, problem %lu: converged at %g, but %s", solver->name, seed, stop.tolerance, reason);
    if (!solver->converges_slowly && !(above <= 1e-8 * scale_of(exact)))
        fail_msg("%s, problem %lu: converged %g from %.17g", solver->name, seed, above, exact);
}

/* Counts the solver's problems, and those on which it converged. */
static void try_solver(struct geometry *g, const struct drawn *drawn, const struct solver *solver, unsigned long seed,
                       size_t *tried, size_t *settled)
{
    struct answer answer;
    if (!answer_to(g, drawn, solver, &answer))
        return;
    double exact = exact_of(solver, g, drawn);
    if (!isfinite(exact) || fabs(exact) > 1e4) /* hard margins on classes that are not, or hardly, separable */
        return;
    ++*tried;
    check_answer(solver, &answer, exact, seed, settled);
}

static void every_solver_finds_what_an_independent_method_finds(void **state)
{
    (void)state;
    if (under_valgrind())
        skip_for("valgrind's long double has 53 bits");
    const struct solver *const *all = tested_solvers();
    size_t tried[MAX_SOLVERS] = {0}, settled[MAX_SOLVERS] = {0};
    for (unsigned long seed = 1; seed <= PROBLEMS; seed += problem_step()) {
        struct geometry g;
        struct drawn drawn = draw(seed);
        open(&g, &drawn);
        for (size_t s = 0; all[s]; s++)
            try_solver(&g, &drawn, all[s], seed, &tried[s], &settled[s]);
        geometry_close(&g);
    }
    /* enough problems tried and solved; platt-smo, which stalls at steps below its own eps, converges on half; of a
     * selection, on half less three standard deviations sqrt(n) / 2 */
    for (size_t s = 0; all[s]; s++) {
        double half = ((double)tried[s] - (all_tests() ? 0 : 3 * sqrt((double)tried[s]))) / 2;
        if (tried[s] < PROBLEMS / problem_step() / 4 || (!all[s]->converges_slowly && (double)settled[s] < half))
            fail_msg("%s: %zu problems, converged on %zu", all[s]->name, tried[s], settled[s]);
    }
}

/* ---- equivalent problems ---- */

static void reverse_rows(struct drawn *drawn)
{
    struct drawn old = *drawn;
    for (size_t i = 0; i < old.n; i++) {
        drawn->y[i] = old.y[old.n - 1 - i];
        memcpy(drawn->x + i * DIMS, old.x + (old.n - 1 - i) * DIMS, DIMS * sizeof *old.x);
    }
}

static void exchange_classes(struct drawn *drawn)
{
    for (size_t i = 0; i < drawn->n; i++)
        drawn->y[i] = (signed char)-drawn->y[i];
}

/* |W - W'|, both for the multipliers' plane in the first problem's patterns; `reversed`: the other counts rows from the
 * end. */
static double distance_of(const struct solver *solver, const struct geometry *g, const struct drawn *drawn,
                          const struct answer *one, const struct answer *other, int reversed)
{
    struct small_qp qp = {.n = g->n};
    long double sum = 0;
    set_matrix(solver, g, drawn, &qp);
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++) {
            double a = one->alpha[i] - other->alpha[reversed ? g->n - 1 - i : i];
            double b = one->alpha[j] - other->alpha[reversed ? g->n - 1 - j : j];
            sum += a * b * qp.q[i][j];
        }
    return (double)sqrtl(fmaxl(sum, 0));
}

/* 1/2 |W - W*|^2 is at most the gap, for both answers, which share the optimal W*. */
static void compare_answers(const struct drawn *drawn, void (*change)(struct drawn *drawn), int reversed,
                            unsigned long seed)
{
    struct drawn changed = *drawn;
    struct geometry g, h;
    change(&changed);
    open(&g, drawn);
    open(&h, &changed);
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        struct answer one, other;
        if (!answer_to(&g, drawn, *at, &one) || !answer_to(&h, &changed, *at, &other) ||
            !isfinite(one.judged.duality_gap) || !isfinite(other.judged.duality_gap))
            continue;
        double noise = 1e-12 * scale_of(one.judged.objective),
               gaps[] = {one.judged.duality_gap, other.judged.duality_gap};
        double allowed = sqrt(2 * (fmax(gaps[0], 0) + noise)) + sqrt(2 * (fmax(gaps[1], 0) + noise));
        double apart = distance_of(*at, &g, drawn, &one, &other, reversed);
        if (!(apart <= allowed))
            fail_msg("%s, problem %lu: %g apart, gaps %g and %g", (*at)->name, seed, apart, gaps[0], gaps[1]);
    }
    geometry_close(&g);
    geometry_close(&h);
}

static void the_order_of_rows_and_the_names_of_classes_do_not_matter(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= PROBLEMS; seed += all_tests() ? 20 : 100) {
        struct drawn drawn = draw(seed);
        compare_answers(&drawn, reverse_rows, 1, seed);
        compare_answers(&drawn, exchange_classes, 0, seed);
    }
}

/* x -> 2x with C / 4 and, if it exists, twice the added coordinate. All products are four times as large and no digit
 * changes, so hulls have four times the objective and gap, and the duals a quarter. */
static void twice_as_long_patterns_scale_the_answer(void **state)
{
    (void)state;
    for (unsigned long seed = 2; seed <= PROBLEMS; seed += all_tests() ? 30 : 150) { /* 2 mod 3: linear */
        struct drawn drawn = draw(seed), twice = drawn;
        struct geometry g, h;
        assert_int_equal(drawn.kernel.type, KERNEL_LINEAR);
        for (size_t i = 0; i < MAX * DIMS; i++)
            twice.x[i] *= 2;
        twice.c /= 4;
        open(&g, &drawn);
        open(&h, &twice);
        double added = parameter_get(&g.problem.parameters, &parameter_added);
        parameter_set(&h.problem.parameters, &parameter_added, 2 * added);
        for (const struct solver *const *at = tested_solvers(); *at; at++) {
            struct answer one, other;
            if (!answer_to(&g, &drawn, *at, &one) || !answer_to(&h, &twice, *at, &other))
                continue;
            double factor = is_svm((*at)->formulation) ? 0.25 : 4;
            double gap = factor * one.judged.duality_gap + other.judged.duality_gap;
            if (!(fabs(factor * one.judged.objective - other.judged.objective) <=
                  fmax(gap, 0) + 1e-12 * scale_of(other.judged.objective)))
                fail_msg("%s, problem %lu: %.17g becomes %.17g", (*at)->name, seed, one.judged.objective,
                         other.judged.objective);
        }
        geometry_close(&g);
        geometry_close(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_finds_what_an_independent_method_finds),
        cmocka_unit_test(the_order_of_rows_and_the_names_of_classes_do_not_matter),
        cmocka_unit_test(twice_as_long_patterns_scale_the_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
