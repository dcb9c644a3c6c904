/*
 * Problems on which rounding decides, for every registered solver, run like the library runs them: data far from the
 * origin, whose kernel values have rounding errors larger than the answer, hulls that meet, and impossible values.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/library/hullbench.h"
#include "solvers/solver.h"
#include "tests/all_tests.h"
#include "tests/tested_solvers.h"

enum { N = 8 };

static const int labels[N] = {1, 1, 1, 1, -1, -1, -1, -1};

static int is_hull(const struct solver *solver)
{
    return solver->formulation == FORMULATION_NEAREST_POINTS;
}

static int is_minimum_norm(const struct solver *solver)
{
    return solver->formulation == FORMULATION_MINIMUM_NORM;
}

struct run {
    const struct solver *solver;
    struct hullbench_result result;
    char reason[256];
    double alpha[N];
};

static void add_parameter(char *text, size_t size, const struct solver *solver, const struct parameter *parameter,
                          const char *pair)
{
    size_t used = strlen(text);
    if (solver_reads(solver, parameter))
        snprintf(text + used, size - used, "%s%s", used ? "," : "", pair);
}

static struct run run(const struct solver *solver, const char *mu, const double *x, const char *kernel, size_t dims,
                      const char *stop, double tolerance, uint64_t iterations)
{
    struct run out = {.solver = solver};
    char parameters[128] = "";
    add_parameter(parameters, sizeof parameters, solver, &parameter_mu, mu);
    add_parameter(parameters, sizeof parameters, solver, &parameter_c, "C=1000");
    add_parameter(parameters, sizeof parameters, solver, &parameter_nu, "nu=0.1");
    add_parameter(parameters, sizeof parameters, solver, &parameter_forgetting, "forgetting=equivalent");
    const struct hullbench_problem problem = {.n = N,
                                              .dims = dims,
                                              .x = x,
                                              .y = labels,
                                              .solver = solver->name,
                                              .parameters = *parameters ? parameters : NULL,
                                              .kernel = kernel,
                                              .stop = stop,
                                              .tolerance = tolerance,
                                              .iterations = iterations};
    enum hullbench_status status = hullbench_train(&problem, out.alpha, &out.result, out.reason, sizeof out.reason);
    if (status == HULLBENCH_BAD_INPUT) /* it reports that it cannot start, like munk with negative kernel values */
        out.result.outcome = "refused";
    else
        assert_int_equal(status, HULLBENCH_OK);
    return out;
}

static int ended(const struct run *run, const char *outcome)
{
    return strcmp(run->result.outcome, outcome) == 0;
}

static int is_among(const char *outcome, const char *const *allowed)
{
    while (*allowed && strcmp(*allowed, outcome) != 0)
        allowed++;
    return *allowed != NULL;
}

/* ---- data far from the origin ---- */

/* Two squares of side 2, at distance 8, at (offset, offset): whole numbers, so the data are exact. */
static void squares(double offset, double *x)
{
    static const double corners[8][2] = {{4, -1}, {4, 1}, {6, -1}, {6, 1}, {-4, -1}, {-4, 1}, {-6, -1}, {-6, 1}};
    for (size_t i = 0; i < 8; i++)
        for (size_t d = 0; d < 2; d++)
            x[2 * i + d] = offset + corners[i][d];
}

/* 1/2 8^2 between the hulls, reduced or not, and 1/2 (2/8)^2 for the duals with a bias: the two faces are parallel.
 * Under a square penalty of C = 1000 the ridge adds 1/C (1/2 + 1/2) to |W|^2 of the hulls, where two corners of each
 * have half the weight. NAN if an offset moves the optimum. */
static double optimum(const struct solver *solver)
{
    double norm2 = 64 + (solver->square_penalty ? 1e-3 : 0);
    switch (solver->formulation) {
    case FORMULATION_NEAREST_POINTS:
        return norm2 / 2;
    case FORMULATION_C_SVM:
    case FORMULATION_SQUARE_SVM:
        return 2 / norm2;
    default:
        return (double)NAN;
    }
}

/* The error that the usual rule at 1e-3 allows: a gap of 1e-3 |W|^2; or a violation of at most 2e-3, times the sum of
 * the multipliers, 4 / |W|^2, times 1.5. */
static double allowed_distance(const struct solver *solver)
{
    return is_hull(solver) ? 1e-3 * 64 * 1.01 : 3e-3 * 4 / 64;
}

static void far_from_the_origin_no_solver_says_converged_of_what_is_not(void **state)
{
    (void)state;
    size_t certified = 0; /* where the kernel values have rounding errors above the answer */
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (double offset = 1e7; offset < 2e12; offset *= all_tests() ? 10 : 100) {
            double x[2 * N], exact = optimum(*at);
            squares(offset, x);
            struct run far = run(*at, "mu=0.75", x, NULL, 2, NULL, 1e-3, 20000);
            if (!ended(&far, "converged"))
                continue;
            certified += offset > 2e7;
            if (isnan(exact))
                fail_msg("%s says converged at an offset of %g", (*at)->name, offset);
            if (!(fabs(far.result.objective - exact) <= allowed_distance(*at)))
                fail_msg("%s says converged at %g for %g, offset %g", (*at)->name, far.result.objective, exact, offset);
        }
    assert_true(certified > 0 || getenv("HULLBENCH_TESTED_SOLVER"));
}

static void nearer_the_origin_every_solver_finds_the_optimum(void **state)
{
    static const double offsets[] = {0, 1e2, 1e4, 1e6};
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (size_t k = 0; k < sizeof offsets / sizeof *offsets && !isnan(optimum(*at)); k++) {
            double x[2 * N];
            squares(offsets[k], x);
            /* slow solvers need not arrive */
            uint64_t iterations = (*at)->converges_slowly && !all_tests() ? 1000 : 100000;
            struct run found = run(*at, "mu=0.75", x, NULL, 2, NULL, 1e-3, iterations);
            int well =
                ended(&found, "converged") && fabs(found.result.objective - optimum(*at)) <= allowed_distance(*at);
            if (!well && !(*at)->converges_slowly)
                fail_msg("%s at an offset of %g: %s, %g for %g: %s", (*at)->name, offsets[k], found.result.outcome,
                         found.result.objective, optimum(*at), found.reason);
        }
}

static void what_rounding_hides_is_found_or_said(void **state)
{
    (void)state;
    double x[2 * N];
    squares(1e9, x); /* a violation of 5e5 is below the rounding of kernel values of 2e18, but not of close products */
    struct run smo = run(solver_find("1-smo"), "mu=0.75", x, NULL, 2, NULL, 1e-3, 20000);
    assert_true(ended(&smo, "stalled") && strstr(smo.reason, "KKT violation") && strstr(smo.reason, "0.001"));
    squares(1e8, x);
    struct run mdm = run(solver_find("mdm"), "mu=0.75", x, NULL, 2, NULL, 1e-3, 20000);
    assert_true(ended(&mdm, "stalled") && strstr(mdm.reason, "rounding"));
}

/* A step that rounding makes 0 or negative ends a solver's loop without further checks. */
static void a_stall_that_rounding_explains_has_the_reason(void **state)
{
    (void)state;
    int stalls = 0;
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (double tolerance = 1e-6; is_hull(*at) && !(*at)->converges_slowly && tolerance > 1e-13; tolerance /= 100) {
            double x[2 * N];
            squares(1e7, x);
            for (size_t i = 0; i < N; i++)
                x[2 * i] += 0.37 * (double)i;
            struct run out = run(*at, "mu=0.75", x, "polynomial,degree=3", 2, NULL, tolerance, 20000);
            stalls += ended(&out, "stalled");
            if (ended(&out, "stalled") && !strstr(out.reason, "rounding"))
                fail_msg("%s: stalled at %g: %s", (*at)->name, out.result.objective, out.reason);
        }
    assert_true(stalls > 0 || getenv("HULLBENCH_TESTED_SOLVER"));
}

/* Distances are summed from differences. */
static void a_gaussian_kernel_does_not_mind(void **state)
{
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        double near[2 * N], far[2 * N];
        squares(0, near);
        squares(1e8, far);
        struct run here = run(*at, "mu=0.75", near, "rbf,width=8", 2, NULL, 1e-3, 20000);
        struct run there = run(*at, "mu=0.75", far, "rbf,width=8", 2, NULL, 1e-3, 20000);
        assert_string_equal(here.result.outcome, there.result.outcome);
        assert_true(here.result.objective == there.result.objective);
        assert_true(ended(&here, "converged") || (*at)->converges_slowly);
    }
}

/* ---- hulls that meet ---- */

/* Overlapping interiors; a corner on a side; the same corners; one point in both classes at the corner of each hull. */
static const double meeting[4][8][2] = {
    {{0, 0}, {3, 0}, {0, 3}, {3, 3}, {1, 1}, {5, 1}, {1, 5}, {5, 5}},
    {{0, -1.1}, {0, 1.7}, {-2, -1}, {-2, 1}, {0, 0.3}, {3, 0.1}, {2, 1}, {2, -1}},
    {{0.1, 0.7}, {1.3, 0.2}, {0.4, 1.9}, {1.1, 1.3}, {0.1, 0.7}, {1.3, 0.2}, {0.4, 1.9}, {1.1, 1.3}},
    {{0.3, 0.7}, {1.3, 0.2}, {1.4, 1.9}, {1.1, 1.3}, {0.3, 0.7}, {-1.3, -0.2}, {-1.4, 1.9}, {-1.1, 0.3}},
};

/* The solver's rule on gaps, then the others that compare with a fraction of |W|. */
static const char *const relative_rules[] = {NULL, "rch-gap", "rch-gap-both", "delta-w2", "gap-max-w2", "dual-change"};
static const enum stop_rule relative[] = {STOP_RULES,       STOP_RCH_GAP,       STOP_RCH_GAP_BOTH,
                                          STOP_DELTA_NORM2, STOP_GAP_MAX_NORM2, STOP_DUAL_CHANGE};

/* Compares a gap, which is a square, with |W|: short patterns meet such a rule anywhere, long ones nowhere, and others
 * while |W| is still far above its rounding error. */
static int is_of_length(enum stop_rule rule)
{
    return rule == STOP_RCH_GAP || rule == STOP_RCH_GAP_BOTH;
}

/* Slow solvers take all the iterations; unless all tests are asked for, they get fewer. */
static void check_meeting(const struct solver *solver, size_t which, size_t rule, double scale)
{
    uint64_t iterations = solver->converges_slowly && !all_tests() ? 20000 : 100000;
    static const char *const allowed[] = {"stalled", "iteration-limit", NULL};
    double x[2 * N], largest = 0;
    for (size_t i = 0; i < 16; i++) {
        x[i] = scale * meeting[which][i / 2][i % 2];
        largest = fmax(largest, fabs(x[i]));
    }
    struct run out = run(solver, "mu=1", x, NULL, 2, relative_rules[rule], 1e-5, iterations);
    int met_before = is_of_length(relative[rule]) && ended(&out, "converged") && out.result.objective > 1e-12;
    if (!met_before && !is_among(out.result.outcome, allowed))
        fail_msg("%s, hulls %zu, %s: %s at %g", solver->name, which,
                 relative_rules[rule] ? relative_rules[rule] : "usual rule", out.result.outcome, out.result.objective);
    if (ended(&out, "stalled") && !*out.reason)
        fail_msg("%s, hulls %zu: stalled at %g, and no reason is given", solver->name, which, out.result.objective);
    /* a slow solver still in progress is not lost in rounding */
    if (ended(&out, "iteration-limit") &&
        !(solver->converges_slowly && out.result.objective > 1e-12 * largest * largest))
        fail_msg("%s, hulls %zu, %s: %lu iterations, at %g", solver->name, which,
                 relative_rules[rule] ? relative_rules[rule] : "usual rule", (unsigned long)iterations,
                 out.result.objective);
}

static void where_hulls_meet_the_loop_ends_and_no_solver_says_converged(void **state)
{
    static const double scales[] = {1, 1e-40, 1e40};
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (size_t which = 0; which < 4 && is_hull(*at) && !(*at)->square_penalty; which++)
            for (size_t r = 0; r < sizeof relative / sizeof *relative; r++)
                for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
                    if (relative[r] == STOP_RULES ||
                        ((*at)->stops >> relative[r] & 1 && (scales[s] == 1 || !is_of_length(relative[r])) &&
                         !(relative[r] == STOP_DUAL_CHANGE &&
                           (*at)->converges_slowly))) /* slow steps are small changes */
                        check_meeting(*at, which, r, scales[s]);
}

/* The hull of the y (x, 1) contains the origin exactly if no plane separates. A square penalty moves it away. */
static void where_the_hull_holds_the_origin_the_loop_ends_too(void **state)
{
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (size_t which = 0; which < 4 && is_minimum_norm(*at); which++) {
            if ((*at)->square_penalty) {
                struct run apart = run(*at, "mu=1", &meeting[which][0][0], NULL, 2, NULL, 1e-2, 100000);
                assert_true(ended(&apart, "converged") || ended(&apart, "iteration-limit"));
                assert_true(apart.result.objective > 0.5e-3 / 8 * 0.99); /* 1 / (2 C N) */
                continue;
            }
            check_meeting(*at, which, 0, 1);
        }
}

/* Hulls at a distance of a millionth of their size do not meet, although a Delta as small as requested may also be
 * found for hulls that meet. */
static void hulls_that_come_close_do_not_meet(void **state)
{
    (void)state;
    double x[2 * N] = {0, 0, 1, 0, 1, 1, 2, 0.5, -1e-6, 0, -1, 0, -1, 1, -2, 0.5};
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        if (!is_hull(*at) || (*at)->square_penalty || (*at)->converges_slowly)
            continue;
        struct run whole = run(*at, "mu=1", x, NULL, 2, "rch-gap-both", 1e-3, 100000);
        if (!ended(&whole, "converged"))
            fail_msg("%s: %s at %g: %s", (*at)->name, whole.result.outcome, whole.result.objective, whole.reason);
    }
    struct run absolute = run(solver_find("mdm"), "mu=1", &meeting[0][0][0], NULL, 2, "delta", 1e-5, 100000);
    assert_true(ended(&absolute, "converged") && absolute.result.duality_gap <= 4e-5);
}

/* One corner is 1e9 away, behind its own hull. Some weights might give |W|^2 an error of 1e3, but those of the nearest
 * points do not, and the optimum is that of the squares. */
static void one_far_sample_does_not_make_hulls_meet(void **state)
{
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        double x[2 * N];
        squares(0, x);
        x[6] = 1e9;
        struct run out = run(*at, "mu=0.75", x, NULL, 2, NULL, 1e-3, 20000);
        if (!is_hull(*at))
            continue;
        int well = ended(&out, "converged") && fabs(out.result.objective - optimum(*at)) <= allowed_distance(*at);
        if (strstr(out.reason, "meet") || (!well && !(*at)->converges_slowly))
            fail_msg("%s: %s at %g for %g: %s", (*at)->name, out.result.outcome, out.result.objective, optimum(*at),
                     out.reason);
    }
}

/* ---- impossible values ---- */

static void kernel_values_that_overflow_make_a_record_failed_with_the_reason(void **state)
{
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        double x[2 * N];
        squares(0, x);
        for (size_t i = 0; i < 16; i++)
            x[i] *= 1e160;
        struct run out = run(*at, "mu=0.75", x, NULL, 2, NULL, 1e-3, 1000);
        if (ended(&out, "refused"))
            continue;
        if (!ended(&out, "failed") && !ended(&out, "stalled") && !ended(&out, "iteration-limit"))
            fail_msg("%s: %s", (*at)->name, out.result.outcome);
        int finite = isfinite(out.result.objective) && isfinite(out.result.kkt_violation);
        if (strstr(out.reason, "violated by inf"))
            fail_msg("%s: no constraint is violated by an infinite amount: %s", (*at)->name, out.reason);
        if (!finite && !(ended(&out, "failed") && *out.reason))
            fail_msg("%s: %s, objective %g, violation %g", (*at)->name, out.result.outcome, out.result.objective,
                     out.result.kkt_violation);
    }
}

/* -I is a kernel for which every |W|^2 is negative. */
static void a_kernel_that_is_not_semidefinite_is_named(void **state)
{
    (void)state;
    double table[64] = {0};
    for (size_t i = 0; i < 8; i++)
        table[9 * i] = -1;
    struct run out = run(solver_find("mdm"), "mu=0.75", table, "precomputed", 8, NULL, 1e-3, 100);
    assert_true(ended(&out, "failed") && strstr(out.reason, "semidefinite"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_from_the_origin_no_solver_says_converged_of_what_is_not),
        cmocka_unit_test(nearer_the_origin_every_solver_finds_the_optimum),
        cmocka_unit_test(what_rounding_hides_is_found_or_said),
        cmocka_unit_test(a_stall_that_rounding_explains_has_the_reason),
        cmocka_unit_test(a_gaussian_kernel_does_not_mind),
        cmocka_unit_test(where_hulls_meet_the_loop_ends_and_no_solver_says_converged),
        cmocka_unit_test(where_the_hull_holds_the_origin_the_loop_ends_too),
        cmocka_unit_test(hulls_that_come_close_do_not_meet),
        cmocka_unit_test(one_far_sample_does_not_make_hulls_meet),
        cmocka_unit_test(kernel_values_that_overflow_make_a_record_failed_with_the_reason),
        cmocka_unit_test(a_kernel_that_is_not_semidefinite_is_named),
    };
    return cmocka_run_group_tests_name("rounded problems", tests, NULL, NULL);
}
