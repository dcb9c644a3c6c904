/*
 * Discrete, tied and categorical data, on which many kernel values and steps are equal, weights of directions cancel to
 * exactly 0, and optima have few digits. `solve` without a solver must be able to train on such data.
 *
 * Random problems, each reproducible by the number in the message: small sets of binary features at C = 10, small ones
 * of up to six levels at C = 1 to 1e5, and 500 to 2000 rows with three categorical features at C = 1e4; linear and
 * polynomial kernels. packed-smo, which `solve` takes, and conjugate-smo run on each of them, as `solve` runs them, and
 * the other solvers of the C-SVM in turn. No run fails, and the optimum is between dual and primal of every run: the
 * dual values agree with those of second-order-smo within the duality gaps. HULLBENCH_TESTS=all tries 10 000 problems.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/stopping.h"
#include "harness/library/hullbench.h"
#include "solvers/registry.h"
#include "tests/all_tests.h"
#include "tests/tested_solvers.h"

/* Every LARGE-th problem has many rows; of these the quick selection tries every QUICK_LARGE-th. Every LEVELS-th
 * problem has more than two levels. */
enum { MAX_ROWS = 2000, MAX_COLUMNS = 36, QUICK_PROBLEMS = 2500, PROBLEMS = 10000,
       LARGE = 50, QUICK_LARGE = 500, LEVELS = 10 };

static const char *const kernels[] = {
    "linear",
    "polynomial,degree=2,scale=1,offset=1",
    "polynomial,degree=3,scale=0.5,offset=1",
    "polynomial,degree=2,scale=1,offset=0",
};

struct tied {
    unsigned long number;
    size_t n, dims;
    double *x;
    int *y;
    double c;
    const char *kernel;
    uint64_t draw;
};

/* SplitMix64 (Steele, Lea and Flood 2014). */
static double unit_draw(struct tied *tied)
{
    uint64_t z = tied->draw += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static size_t below(struct tied *tied, size_t n)
{
    return (size_t)(unit_draw(tied) * (double)n);
}

/* Features with that many levels, as a number or as one column for each level. Labels by the sum of a random weight of
 * each level, some of them flipped. */
static void fill(struct tied *tied, size_t features, size_t levels, int columns)
{
    double weights[MAX_COLUMNS] = {0}, flipped = below(tied, 2) ? 0.5 : 0.5 * unit_draw(tied);
    tied->dims = columns ? features * levels : features;
    for (size_t w = 0; w < features * levels; w++)
        weights[w] = unit_draw(tied) - 0.5;
    memset(tied->x, 0, tied->n * tied->dims * sizeof *tied->x);
    for (size_t i = 0; i < tied->n; i++) {
        double sum = 0, *row = tied->x + i * tied->dims;
        for (size_t f = 0; f < features; f++) {
            size_t level = below(tied, levels);
            sum += weights[f * levels + level];
            if (columns)
                row[f * levels + level] = 1;
            else
                row[f] = (double)level;
        }
        tied->y[i] = (sum > 0) != (unit_draw(tied) < flipped) ? 1 : -1;
    }
    tied->y[0] = 1;
    tied->y[1] = -1;
}

static void open_tied(struct tied *tied)
{
    tied->x = calloc((size_t)MAX_ROWS * MAX_COLUMNS, sizeof *tied->x);
    tied->y = calloc(MAX_ROWS, sizeof *tied->y);
    assert_true(tied->x && tied->y);
}

static void close_tied(struct tied *tied)
{
    free(tied->x);
    free(tied->y);
}

static void make(struct tied *tied, unsigned long number)
{
    tied->number = number;
    tied->draw = number * UINT64_C(1000003);
    tied->kernel = kernels[below(tied, 4)];
    if (number % LARGE == 0) {
        tied->n = 500 + below(tied, 1501);
        tied->c = 1e4;
        tied->kernel = kernels[0];
        fill(tied, 3, 2 + below(tied, 5), (int)below(tied, 2));
    } else if (number % LEVELS == 0) {
        tied->n = 4 + below(tied, 60);
        tied->c = pow(10, (double)below(tied, 6));
        fill(tied, 1 + below(tied, 6), 2 + below(tied, 5), (int)below(tied, 2));
    } else {
        tied->n = 6 + below(tied, 55);
        tied->c = 10;
        fill(tied, 2 + below(tied, 3), 2, 0);
    }
}

struct outcome_of {
    struct hullbench_result result;
    char message[256];
    double max_alpha; /* NAN if a multiplier is not finite */
};

static struct outcome_of train(const struct tied *tied, const char *solver, const char *parameters, const char *stop,
                               double tolerance, uint64_t iterations)
{
    double *alpha = calloc(tied->n, sizeof *alpha);
    struct outcome_of out;
    const struct hullbench_problem problem = {.n = tied->n, .dims = tied->dims, .x = tied->x, .y = tied->y,
                                              .solver = solver, .parameters = parameters, .kernel = tied->kernel,
                                              .stop = stop, .tolerance = tolerance, .iterations = iterations};
    assert_non_null(alpha);
    if (hullbench_train(&problem, alpha, &out.result, out.message, sizeof out.message) != HULLBENCH_OK)
        out.result.outcome = "refused";
    out.max_alpha = 0;
    for (size_t i = 0; i < tied->n; i++)
        out.max_alpha = isfinite(alpha[i]) ? fmax(out.max_alpha, alpha[i]) : (double)NAN;
    free(alpha);
    return out;
}

static int ended(const struct outcome_of *run, const char *outcome)
{
    return strcmp(run->result.outcome, outcome) == 0;
}

/* Whether the intervals from dual to primal have a point in common. */
static int agree(const struct hullbench_result *a, const struct hullbench_result *b)
{
    const double rounding = 1e-9 * fmax(fabs(a->objective), fabs(b->objective)); /* of sums of up to 2000 terms */
    return a->objective <= b->objective + b->duality_gap + rounding &&
           b->objective <= a->objective + a->duality_gap + rounding;
}

struct counts {
    int runs, wrong, converged, missed; /* missed: second-order-smo has converged, this one not */
};

static void try_solver(const struct tied *tied, const char *solver, uint64_t iterations,
                       const struct outcome_of *reference, struct counts *counts)
{
    char parameters[64];
    snprintf(parameters, sizeof parameters, "C=%.17g", tied->c);
    struct outcome_of run = train(tied, solver, parameters, "duality-gap", 1e-3, iterations);
    int is_wrong = ended(&run, "failed") || ended(&run, "refused") || !agree(&run.result, &reference->result);
    counts->runs++;
    counts->wrong += is_wrong;
    counts->converged += ended(&run, "converged");
    counts->missed += !ended(&run, "converged") && ended(reference, "converged");
    if (is_wrong)
        fprintf(stderr,
                "problem %lu, %zu x %zu, C=%g, %s, %s: %s, dual %.17g, gap %g, off balance by %g; "
                "expected %.17g, gap %g: %s\n",
                tied->number, tied->n, tied->dims, tied->c, tied->kernel, solver, run.result.outcome,
                run.result.objective, run.result.duality_gap, run.result.feasibility, reference->result.objective,
                reference->result.duality_gap, run.message);
}

static const struct solver *solver_in_turn(unsigned long number)
{
    const struct solver *c_svm[MAX_SOLVERS] = {NULL};
    size_t count = 0;
    for (const struct solver *const *at = solvers_all(); *at; at++)
        if ((*at)->formulation == FORMULATION_C_SVM && !(*at)->solve_external)
            c_svm[count++] = *at;
    return c_svm[number % count];
}

static void no_solver_of_the_c_svm_loses_a_multiplier(void **state)
{
    struct tied tied;
    struct counts packed = {0}, others = {0};
    const uint64_t most = 100000, few = 20000; /* iterations */
    (void)state;
    open_tied(&tied);
    for (unsigned long number = 1; number <= (all_tests() ? PROBLEMS : QUICK_PROBLEMS); number++) {
        if (number % LARGE == 0 && number % QUICK_LARGE && !all_tests())
            continue;
        make(&tied, number);
        char parameters[64];
        snprintf(parameters, sizeof parameters, "C=%.17g", tied.c);
        const struct outcome_of reference = train(&tied, "second-order-smo", parameters, "kkt", 1e-4, most);
        try_solver(&tied, "packed-smo", most, &reference, &packed);
        try_solver(&tied, "conjugate-smo", few, &reference, &others);
        if (number % LARGE)
            try_solver(&tied, solver_in_turn(number / LEVELS)->name, few, &reference, &others);
    }
    close_tied(&tied);
    print_message("packed-smo: %d of %d converged; others: %d of %d\n", packed.converged, packed.runs,
                  others.converged, others.runs);
    assert_int_equal(packed.wrong + others.wrong, 0);
    assert_int_equal(packed.missed, 0);
    assert_true(packed.converged > 9 * packed.runs / 10);
}

/* Directions that are almost null under the kernel have large weights. Their rounding, multiplied from step to step,
 * must not leave sum y alpha = 0, which is checked far below what `failed` needs. */
static void conjugate_steps_keep_the_balance(void **state)
{
    static const char *const solvers[] = {"conjugate-smo", "packed-smo"};
    static const double levels[] = {0, 1e-3, 7};
    struct tied tied = {.kernel = "polynomial,degree=3,scale=1,offset=0"};
    double worst = 0;
    (void)state;
    open_tied(&tied);
    for (tied.number = 1601; tied.number <= 2300; tied.number++) {
        char parameters[64];
        tied.draw = tied.number;
        tied.n = 20 + below(&tied, 20);
        tied.c = pow(10, 1 + 3 * unit_draw(&tied));
        fill(&tied, 3, 3, 0);
        for (size_t k = 0; k < tied.n * tied.dims; k++)
            tied.x[k] = levels[(size_t)tied.x[k]];
        snprintf(parameters, sizeof parameters, "C=%.17g", tied.c);
        for (size_t s = 0; s < 2; s++) {
            struct outcome_of run = train(&tied, solvers[s], parameters, "duality-gap", 1e-7, 5000);
            worst = fmax(worst, run.result.feasibility);
        }
    }
    close_tied(&tied);
    print_message("sum y alpha: at most %g C\n", worst);
    assert_true(worst <= 1e-11);
}

/* Between two tied samples W vanishes in the middle of a run, and the margin of the plane with it. What rounding makes
 * of that plane's gap must not end the run. */
static void no_gap_of_a_vanishing_plane_stops(void **state)
{
    struct tied tied = {.kernel = "polynomial,degree=2,scale=1,offset=1"};
    int stalled = 0, converged = 0;
    (void)state;
    open_tied(&tied);
    for (tied.number = 1; tied.number <= 300; tied.number++) {
        char parameters[64];
        tied.draw = tied.number;
        tied.n = 6 + below(&tied, 55);
        tied.c = pow(10, 3 * unit_draw(&tied));
        fill(&tied, 1, 2, 0);
        snprintf(parameters, sizeof parameters, "C=%.17g", tied.c);
        struct outcome_of run = train(&tied, solver_in_turn(tied.number)->name, parameters, "svm-gap", 1e-3, 5000);
        stalled += ended(&run, "stalled");
        converged += ended(&run, "converged");
    }
    close_tied(&tied);
    assert_int_equal(stalled, 0);
    assert_true(converged > 200);
}

/* ---- exact optima ---- */

/* Sets whose optimum has few digits, so that a solver may stand exactly on it: first steps and starts are optimal, a
 * reduced hull is one point, violations are exactly 0. */
static const struct {
    const char *name;
    size_t n, dims;
    int y[6];
    double x[6];
} exact_sets[] = {
    {"one pair", 2, 1, {1, -1}, {1, -1}},
    {"one pattern inside", 3, 1, {1, 1, -1}, {2, 0, -2}},
    {"tied", 5, 1, {1, -1, -1, 1, -1}, {0, 0, 1, 0, 0}},
    {"two of each", 4, 1, {1, 1, -1, -1}, {1, 1, -1, -1}},
    {"apart", 4, 1, {1, 1, -1, -1}, {1, 2, -1, -3}},
};

/* No run ends as stalled, without a reason, where neither gap nor violation is left. */
static void at(const struct tied *tied, const char *name, const struct solver *solver, enum stop_rule rule,
               double mu, size_t *seen)
{
    char parameters[128] = "";
    const struct {
        const struct parameter *parameter;
        double value;
    } values[] = {{&parameter_mu, mu}, {&parameter_c, tied->c}, {&parameter_nu, 0.5}};
    for (size_t v = 0; v < 3; v++)
        if (solver_reads(solver, values[v].parameter)) {
            size_t used = strlen(parameters);
            snprintf(parameters + used, sizeof parameters - used, "%s%s=%.17g", used ? "," : "",
                     values[v].parameter->name, values[v].value);
        }
    struct outcome_of run =
        train(tied, solver->name, *parameters ? parameters : NULL, stop_rule_name(rule), 1e-9, 2000);
    int is_optimal = run.result.duality_gap <= 0 && run.result.kkt_violation <= 0;
    *seen += is_optimal && ended(&run, "converged");
    if (is_optimal && ended(&run, "stalled") && !*run.message)
        fail_msg("%s, %s, %s by %s: stalled after %lu", name, tied->kernel, solver->name, stop_rule_name(rule),
                 (unsigned long)run.result.iterations);
}

static void an_exact_optimum_meets_every_rule(void **state)
{
    struct tied tied = {.c = 10};
    size_t seen = 0;
    (void)state;
    open_tied(&tied);
    for (size_t s = 0; s < sizeof exact_sets / sizeof *exact_sets; s++)
        for (size_t k = 0; k < 4; k++)
            for (const struct solver *const *solver = tested_solvers(); *solver; solver++)
                for (unsigned rule = 0; rule < STOP_RULES; rule++) {
                    if (!stop_rule_fits((enum stop_rule)rule, *solver) || rule == STOP_ITERATIONS ||
                        rule == STOP_DUAL_CHANGE) /* compares two iterations */
                        continue;
                    tied.n = exact_sets[s].n;
                    tied.dims = exact_sets[s].dims;
                    tied.kernel = kernels[k];
                    memcpy(tied.x, exact_sets[s].x, sizeof exact_sets[s].x);
                    memcpy(tied.y, exact_sets[s].y, sizeof exact_sets[s].y);
                    for (double mu = 0.5; mu <= 1; mu += 0.25)
                        if (mu == 1 || solver_reads(*solver, &parameter_mu))
                            at(&tied, exact_sets[s].name, *solver, (enum stop_rule)rule, mu, &seen);
                }
    close_tied(&tied);
    print_message("%zu runs ended on an optimum\n", seen);
    assert_true(seen > 1000 || getenv("HULLBENCH_TESTED_SOLVER"));
}

/* ---- the constraints of hulls ---- */

/* Draws mu: 1 / k, where the hull of a class may be one point, and what rounds to it or lies next to it, or any. */
static double draw_mu(struct tied *tied)
{
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < tied->n; i++)
        count[tied->y[i] < 0]++;
    size_t least = count[0] < count[1] ? count[0] : count[1];
    double mu = 1 / (double)(1 + below(tied, least));
    const double factors[] = {1, 1 + DBL_EPSILON, 1 - DBL_EPSILON, 1 + 1e-14, 1 - 1e-14, 1 + 1e-12, 1 + 1e-11, 1 + 1e-9,
                              1 + 1e-6, 1 + unit_draw(tied)};
    return fmin(1, mu * factors[below(tied, sizeof factors / sizeof *factors)]);
}

/* Appends "name=value" for mu, C and, drawn, each parameter that is a choice. */
static void draw_parameters(struct tied *tied, const struct solver *solver, double mu, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (size_t p = 0; p < solver_count_parameters(solver); p++) {
        const struct parameter *parameter = solver->parameters[p];
        const char *const *words = parameter_words(parameter), *comma = used ? "," : "";
        size_t count = 0;
        while (words && words[count])
            count++;
        if (words)
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", comma, parameter->name,
                                     words[below(tied, count)]);
        else if (parameter == &parameter_mu || parameter == &parameter_c)
            used += (size_t)snprintf(text + used, size - used, "%s%s=%.17g", comma, parameter->name,
                                     parameter == &parameter_mu ? mu : tied->c);
    }
}

/* After any number of iterations, each class's multipliers sum to 1 and lie in [0, mu], far below what `failed` needs.
 * On tied data, hulls of one point and close to one, directions may be nothing but rounding. */
static void no_solver_of_hulls_leaves_its_constraints(void **state)
{
    static const char *const hull_kernels[] = {"linear", "rbf,width=2", "polynomial,degree=2,scale=1,offset=1"};
    struct tied tied = {.c = 10};
    char parameters[160];
    int runs = 0, wrong = 0;
    (void)state;
    open_tied(&tied);
    for (unsigned long number = 1; number <= (all_tests() ? 20000 : 3000); number++) {
        tied.draw = number * UINT64_C(1000003);
        tied.n = 2 + below(&tied, 12);
        fill(&tied, 1 + below(&tied, 2), 2 + below(&tied, 3), 0);
        tied.kernel = hull_kernels[below(&tied, 3)];
        const double mu = draw_mu(&tied);
        const uint64_t iterations = (uint64_t)exp(log(1000) * unit_draw(&tied));
        for (const struct solver *const *solver = tested_solvers(); *solver; solver++) {
            if ((*solver)->formulation != FORMULATION_NEAREST_POINTS)
                continue;
            draw_parameters(&tied, *solver, mu, parameters, sizeof parameters);
            struct outcome_of run =
                train(&tied, (*solver)->name, *parameters ? parameters : NULL, "iterations", 1e-12, iterations);
            int is_wrong = ended(&run, "refused") || ended(&run, "failed") || !(run.result.feasibility <= 1e-11);
            runs++;
            wrong += is_wrong;
            if (is_wrong)
                fprintf(stderr, "problem %lu, %zu x %zu, %s, mu=%.17g, %s %s, %lu iterations: %s, %g: %s\n", number,
                        tied.n, tied.dims, tied.kernel, mu, (*solver)->name, parameters, (unsigned long)iterations,
                        run.result.outcome, run.result.feasibility, run.message);
        }
    }
    close_tied(&tied);
    print_message("%d runs kept their constraints\n", runs - wrong);
    assert_int_equal(wrong, 0);
}

/* ---- curvature that rounding takes away ---- */

/* No run fails, and no multiplier exceeds the bound in box.h; the dual starts from 0. */
static void no_square_penalty_fails(const struct tied *tied, const char *stop, double size, uint64_t iterations)
{
    const double max_alpha = 2 * tied->c * sqrt((double)tied->n) * (1 + 1e-12);
    for (const struct solver *const *solver = tested_solvers(); *solver; solver++) {
        char parameters[64];
        if ((*solver)->formulation != FORMULATION_SQUARE_SVM)
            continue;
        snprintf(parameters, sizeof parameters, "C=%.17g", tied->c);
        struct outcome_of run = train(tied, (*solver)->name, parameters, stop, 1e-3, iterations);
        if (ended(&run, "failed") || ended(&run, "refused") || !(run.max_alpha <= max_alpha))
            fail_msg("%s, features of %g, C=%g, %s: %s, a multiplier of %g, allowed %g: %s", (*solver)->name, size,
                     tied->c, stop, run.result.outcome, run.max_alpha, max_alpha, run.message);
    }
}

/* Far from the origin 1/C is lost beside k_ii, and the curvature of a pair may be 0 or less. */
static void no_solver_fails_where_the_ridge_is_lost(void **state)
{
    struct tied tied = {.n = 40, .kernel = "linear"};
    (void)state;
    open_tied(&tied);
    for (double offset = 1e6; offset <= 1e10; offset *= 10)
        for (tied.c = 0.1; tied.c < 1e7; tied.c *= 100) {
            fill(&tied, 3, 5, 0);
            for (size_t v = 0; v < tied.n * tied.dims; v++)
                tied.x[v] = offset + tied.x[v] + 0.1 * unit_draw(&tied);
            no_square_penalty_fails(&tied, "kkt", offset, 20000);
        }
    close_tied(&tied);
}

/* Nor where large features lose it, and rounding lets the multipliers grow. */
static void no_multiplier_runs_away_without_its_ridge(void **state)
{
    static const double scales[] = {1e8, 1e30, 1e60}, penalties[] = {3e-3, 1, 50, 1e30};
    static const char *const stops[] = {"kkt", "delta", "duality-gap"};
    struct tied tied = {.n = 36, .kernel = "linear"};
    (void)state;
    open_tied(&tied);
    for (size_t s = 0; s < 3; s++)
        for (size_t p = 0; p < 4; p++)
            for (size_t draw = 0; draw < 3; draw++) {
                fill(&tied, 4, 2, 0);
                for (size_t v = 0; v < tied.n * tied.dims; v++)
                    tied.x[v] = scales[s] * (unit_draw(&tied) + unit_draw(&tied) + unit_draw(&tied) - 1.5);
                tied.c = penalties[p];
                no_square_penalty_fails(&tied, stops[draw], scales[s], p == 3 && draw == 0 ? 600000 : 40000);
            }
    close_tied(&tied);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_gap_of_a_vanishing_plane_stops),
        cmocka_unit_test(no_solver_of_the_c_svm_loses_a_multiplier),
        cmocka_unit_test(conjugate_steps_keep_the_balance),
        cmocka_unit_test(an_exact_optimum_meets_every_rule),
        cmocka_unit_test(no_solver_of_hulls_leaves_its_constraints),
        cmocka_unit_test(no_solver_fails_where_the_ridge_is_lost),
        cmocka_unit_test(no_multiplier_runs_away_without_its_ridge),
    };
    return cmocka_run_group_tests_name("tied data", tests, NULL, NULL);
}
