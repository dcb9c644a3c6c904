/* The library's calls: the answer recomputed from the multipliers, decisions, a precomputed kernel, and rejected
 * problems. */
#include <locale.h>
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
#include "tests/all_tests.h"
#include "tests/comma_locale.h"
#include "tests/geometry.h"

enum { N = 60, DIMS = 3 };
static const double width = 4;

static double rbf(const double *a, const double *b)
{
    double distance2 = 0;
    for (size_t d = 0; d < DIMS; d++)
        distance2 += (a[d] - b[d]) * (a[d] - b[d]);
    return exp(-distance2 / width);
}

struct sample {
    double x[N * DIMS];
    int y[N];
    double k[N * N]; /* kernel values from independent code */
};

static void make_sample(struct sample *sample)
{
    const struct kernel kernel = {.type = KERNEL_RBF, .width = width};
    struct geometry g;
    geometry_random(&g, N, DIMS, 0.8, 3, &kernel);
    memcpy(sample->x, g.x, sizeof sample->x);
    for (size_t i = 0; i < N; i++)
        sample->y[i] = g.y[i];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            sample->k[i * N + j] = rbf(g.x + i * DIMS, g.x + j * DIMS);
    geometry_close(&g);
}

static struct hullbench_problem problem_of(const struct sample *sample)
{
    return (struct hullbench_problem){.n = N,
                                      .dims = DIMS,
                                      .x = sample->x,
                                      .y = sample->y,
                                      .solver = "clip-mdm",
                                      .parameters = "mu=0.08",
                                      .kernel = "rbf,width=4"};
}

/* |W|^2 and W . x_j from the sample's own kernel values */
static double norm2_of(const struct sample *sample, const double *alpha, double *f)
{
    double norm2 = 0;
    for (size_t j = 0; j < N; j++) {
        f[j] = 0;
        for (size_t i = 0; i < N; i++)
            f[j] += sample->y[i] * alpha[i] * sample->k[i * N + j];
        norm2 += sample->y[j] * alpha[j] * f[j];
    }
    return norm2;
}

static void given_multipliers_are_judged(void **state)
{
    struct sample sample;
    struct hullbench_result trained, judged;
    double alpha[N], f[N];
    char message[200];
    (void)state;
    make_sample(&sample);
    struct hullbench_problem problem = problem_of(&sample);
    assert_int_equal(hullbench_train(&problem, alpha, &trained, NULL, 0), HULLBENCH_OK);
    problem.tolerance = 1e-3;
    assert_int_equal(hullbench_judge(&problem, alpha, &judged, message, sizeof message), HULLBENCH_OK);
    assert_string_equal(judged.outcome, "converged");
    assert_true(judged.objective == trained.objective && judged.bias == trained.bias);
    assert_int_equal(judged.iterations + judged.setup_operations + judged.iteration_operations, 0);
    assert_true(fabs(judged.objective - norm2_of(&sample, alpha, f) / 2) < 1e-12);
    const double moved = alpha[0];
    alpha[0] += 0.01;
    assert_int_equal(hullbench_judge(&problem, alpha, &judged, message, sizeof message), HULLBENCH_OK);
    assert_string_equal(judged.outcome, "failed");
    assert_non_null(strstr(message, "a constraint is violated"));
    alpha[0] = moved;
    for (size_t i = 0, n[2] = {0, 0}; i < 2 * N; i++) /* barycentres: feasible, not optimal */
        if (i < N)
            n[sample.y[i] < 0]++;
        else
            alpha[i - N] = 1.0 / (double)n[sample.y[i - N] < 0];
    assert_int_equal(hullbench_judge(&problem, alpha, &judged, message, sizeof message), HULLBENCH_OK);
    assert_string_equal(judged.outcome, "stalled");
    assert_true(judged.duality_gap > 1e-3);
}

static void the_answer_is_what_its_multipliers_say(void **state)
{
    struct sample sample;
    struct hullbench_result result;
    double alpha[N], f[N], decision[N], sum[2] = {0, 0};
    size_t supports = 0;
    char message[200] = "untouched";
    (void)state;
    make_sample(&sample);
    struct hullbench_problem problem = problem_of(&sample);
    assert_int_equal(hullbench_train(&problem, alpha, &result, message, sizeof message), HULLBENCH_OK);
    assert_string_equal(message, "");
    assert_string_equal(result.outcome, "converged");
    for (size_t i = 0; i < N; i++) {
        assert_true(alpha[i] >= 0 && alpha[i] <= 0.08);
        sum[sample.y[i] < 0] += alpha[i];
        supports += alpha[i] > 1e-6;
    }
    assert_true(fabs(sum[0] - 1) < 1e-12 && fabs(sum[1] - 1) < 1e-12);
    assert_true(fabs(result.objective - 0.5 * norm2_of(&sample, alpha, f)) < 1e-12);
    assert_int_equal(result.support_vectors, supports);
    assert_int_equal(result.iteration_operations, 2 * N * result.iterations);
    assert_int_equal(result.setup_operations, N * N);
    assert_true(result.mu == 0.08 && result.duality_gap >= 0 && result.seconds >= 0);
    assert_int_equal(hullbench_decide(&problem, alpha, result.bias, N, sample.x, decision, NULL, 0), HULLBENCH_OK);
    for (size_t j = 0; j < N; j++)
        assert_true(fabs(decision[j] - (f[j] + result.bias)) < 1e-12);
}

static void decisions_on_other_patterns_are_those_of_the_sum(void **state)
{
    enum { OTHERS = 7 };
    struct sample sample;
    struct hullbench_result result;
    double alpha[N], z[OTHERS * DIMS], decision[OTHERS];
    (void)state;
    make_sample(&sample);
    const struct hullbench_problem problem = problem_of(&sample);
    for (size_t d = 0; d < OTHERS * DIMS; d++)
        z[d] = sin((double)d);
    assert_int_equal(hullbench_train(&problem, alpha, &result, NULL, 0), HULLBENCH_OK);
    assert_int_equal(hullbench_decide(&problem, alpha, result.bias, OTHERS, z, decision, NULL, 0), HULLBENCH_OK);
    for (size_t t = 0; t < OTHERS; t++) {
        double sum = result.bias;
        for (size_t i = 0; i < N; i++)
            sum += sample.y[i] * alpha[i] * rbf(sample.x + i * DIMS, z + t * DIMS);
        assert_true(fabs(decision[t] - sum) < 1e-12);
    }
}

static void a_precomputed_kernel_gives_the_same_solution(void **state)
{
    struct sample sample;
    struct hullbench_result one, other;
    double alpha[N], decision[1];
    char message[200];
    (void)state;
    make_sample(&sample);
    struct hullbench_problem problem = problem_of(&sample);
    problem.solver = "1-smo";
    problem.parameters = "C=10,start=first-pair";
    problem.tolerance = 1e-9;
    assert_int_equal(hullbench_train(&problem, alpha, &one, NULL, 0), HULLBENCH_OK);
    assert_true(isnan(one.mu));
    problem.dims = N;
    problem.x = sample.k;
    problem.kernel = "precomputed";
    assert_int_equal(hullbench_train(&problem, alpha, &other, NULL, 0), HULLBENCH_OK);
    assert_true(fabs(one.objective - other.objective) <= one.duality_gap + other.duality_gap);
    assert_int_equal(hullbench_decide(&problem, alpha, 0, 1, sample.k, decision, message, sizeof message),
                     HULLBENCH_BAD_INPUT);
    assert_non_null(strstr(message, "precomputed"));
}

static void limits_and_a_small_mu_are_told(void **state)
{
    struct sample sample;
    struct hullbench_result result;
    double alpha[N];
    size_t fewest = 0;
    (void)state;
    make_sample(&sample);
    struct hullbench_problem problem = problem_of(&sample);
    for (size_t i = 0; i < N; i++)
        fewest += sample.y[i] > 0;
    fewest = fewest < N - fewest ? fewest : N - fewest;
    problem.parameters = "mu=0.001";
    assert_int_equal(hullbench_train(&problem, alpha, &result, NULL, 0), HULLBENCH_OK);
    assert_true(result.mu == 1 / (double)fewest);
    problem.parameters = "mu=0.08";
    problem.stop = "iterations";
    problem.iterations = 7;
    assert_int_equal(hullbench_train(&problem, alpha, &result, NULL, 0), HULLBENCH_OK);
    assert_string_equal(result.outcome, "iteration-limit");
    assert_int_equal(result.iterations, 7);
}

static void what_cannot_be_meant_is_refused_by_name(void **state)
{
    struct sample sample;
    struct hullbench_problem good;
    (void)state;
    make_sample(&sample);
    good = problem_of(&sample);
    double holed[N * DIMS];
    int labels[N], ones[N];
    memcpy(holed, sample.x, sizeof holed);
    memcpy(labels, sample.y, sizeof labels);
    holed[2 * DIMS + 1] = NAN;
    labels[5] = 2;
    for (size_t i = 0; i < N; i++)
        ones[i] = 1;
    struct {
        struct hullbench_problem problem;
        const char *text;
    } cases[30];
    size_t n = 0;
#define CASE(change, words) cases[n].problem = good, cases[n].problem.change, cases[n++].text = words
    CASE(n = 0, "problem: x: 0 patterns of 3 features");
    CASE(dims = 0, "problem: x: 60 patterns of 0 features");
    CASE(dims = SIZE_MAX / 16, "problem: x: 60 patterns of");
    CASE(x = NULL, "problem: x: 0 patterns");
    CASE(x = holed, "problem: x: feature 1 of pattern 2 is nan");
    CASE(y = NULL, "problem: y: 0 patterns of class 1");
    CASE(y = labels, "problem: y: label of pattern 5 is 2; allowed: 1, -1");
    CASE(y = ones, "problem: y: 60 patterns of class 1 and 0 of class -1");
    CASE(solver = NULL, "problem: solver: expected a name");
    CASE(solver = "clip-mdn", "unknown solver \"clip-mdn\"");
    CASE(parameters = NULL, "needs parameter \"mu\"");
    CASE(parameters = "mu", "problem: parameters: \"mu\" is not NAME=VALUE");
    CASE(parameters = "mu=0.1,=3", "problem: parameters: \"=3\" is not NAME=VALUE");
    CASE(parameters = "mu=3", "problem: parameters.mu: 3");
    CASE(kernel = "rbf", "problem: kernel: \"rbf\" needs parameter \"width\"");
    CASE(kernel = "rbf,width", "problem: kernel: \"width\" is not NAME=VALUE");
    CASE(parameters = "mu=0.1,nu=1", "problem: parameters: unknown parameter \"nu\"; did you mean \"mu\"?");
    CASE(parameters = "mu=1e", "problem: parameters.mu: \"1e\" is not a number");
    CASE(parameters = "mu=inf", "problem: parameters.mu: \"inf\" is not a number");
    CASE(kernel = "rbg,width=4", "problem: kernel.type: unknown kernel type \"rbg\"; did you mean \"rbf\"?");
    CASE(kernel = "rbf,degree=4", "problem: kernel: unknown parameter \"degree\"; allowed: width");
    CASE(kernel = "linear,width=4", "problem: kernel: \"linear\" has no parameter \"width\"");
    CASE(kernel = "polynomial,degree=2.5,offset=1", "problem: kernel.degree: 2.5 is not a whole number; allowed: ");
    CASE(kernel = "precomputed", "problem: a precomputed kernel needs a square table; it has 60 rows of 3 values");
    CASE(stop = "kkd", "problem: stop.rule: unknown stopping rule \"kkd\"; did you mean \"kkt\"");
    CASE(stop = "svm-gap", "problem: stop.rule: stopping rule \"svm-gap\" needs the C");
    CASE(tolerance = NAN, "problem: stop.tolerance: ");
    CASE(iterations = (uint64_t)2e15, "problem: budget.iterations: 2e+15 is out of range; allowed: above 0, at most");
    CASE(stop = "kkt", "does not apply to solver \"clip-mdm\"");
    CASE(tolerance = -1, "problem: stop.tolerance: -1");
    for (size_t c = 0; c < n; c++) {
        struct hullbench_result result;
        double alpha[N];
        char message[300] = "";
        enum hullbench_status status = hullbench_train(&cases[c].problem, alpha, &result, message, sizeof message);
        if (status != HULLBENCH_BAD_INPUT || !strstr(message, cases[c].text) || strstr(message, "--") || result.outcome)
            fail_msg("\"%s\" expected, status %d: \"%s\"", cases[c].text, status, message);
    }
    double z[DIMS] = {0, INFINITY, 0}, alpha[N] = {0}, decision[1];
    char message[300];
    assert_int_equal(hullbench_decide(&good, alpha, 0, 1, z, decision, message, sizeof message), HULLBENCH_BAD_INPUT);
    assert_non_null(strstr(message, "problem: z: feature 1 of pattern 0 is inf"));
    assert_int_equal(hullbench_decide(&good, alpha, 0, 0, z, decision, message, sizeof message), HULLBENCH_BAD_INPUT);
}

static void calls_from_several_threads_give_what_one_gives(void **state)
{
    static const char *const solvers[] = {"clip-mdm", "mdm", "mu-gsk", "1-smo", "second-order-smo", "svm-light"};
    enum { CALLS = 48, SOLVERS = sizeof solvers / sizeof *solvers };
    struct sample sample;
    static double alpha[CALLS][N];
    int wrong = 0;
    (void)state;
    make_sample(&sample);
#pragma omp parallel for num_threads(4) schedule(dynamic, 1) reduction(+ : wrong)
    for (int c = 0; c < CALLS; c++) {
        struct hullbench_problem problem = problem_of(&sample);
        struct hullbench_result result;
        problem.solver = solvers[c % SOLVERS];
        problem.parameters = c % SOLVERS == 1 ? NULL : c % SOLVERS < 3 ? "mu=0.08" : "C=2";
        problem.tolerance = 1e-3;
        wrong += hullbench_train(&problem, alpha[c], &result, NULL, 0) != HULLBENCH_OK;
    }
    assert_int_equal(wrong, 0);
    for (int c = SOLVERS; c < CALLS; c++)
        assert_memory_equal(alpha[c], alpha[c % SOLVERS], sizeof alpha[c]);
}

static void the_locale_does_not_matter(void **state)
{
    static const char *const parameters[] = {"mu=0.08", "mu=0.5"}, *const kernels[] = {"rbf,width=4", "rbf,width=2.5"};
    enum { CASES = 4 };
    static double alpha[2][CASES][N], decision[2][CASES][N];
    struct sample sample;
    struct hullbench_result result;
    double objective[2][CASES];
    (void)state;
    make_sample(&sample);
    struct hullbench_problem problem = problem_of(&sample);
    problem.tolerance = 0.0015;
    for (int comma = 0; comma <= 1; comma++) {
        if (comma && !comma_locale_set())
            skip_for(no_comma);
        for (size_t c = 0; c < CASES; c++) {
            problem.parameters = parameters[c % 2];
            problem.kernel = kernels[c / 2];
            assert_int_equal(hullbench_train(&problem, alpha[comma][c], &result, NULL, 0), HULLBENCH_OK);
            assert_int_equal(hullbench_decide(&problem, alpha[comma][c], 0.5, N, sample.x, decision[comma][c], NULL, 0),
                             HULLBENCH_OK);
            objective[comma][c] = result.objective;
            assert_int_equal(*localeconv()->decimal_point, comma ? ',' : '.'); /* the caller's locale is back */
        }
    }
    setlocale(LC_ALL, "C");
    assert_memory_equal(alpha[0], alpha[1], sizeof alpha[0]);
    assert_memory_equal(decision[0], decision[1], sizeof decision[0]);
    assert_memory_equal(objective[0], objective[1], sizeof objective[0]);
}

static void a_decision_that_overflows_is_refused_by_its_pattern(void **state)
{
    struct sample sample;
    double alpha[N] = {1, 1}, z[2 * DIMS] = {0, 0, 0, 1e90, 0, 0}, decision[2];
    char message[200];
    (void)state;
    make_sample(&sample);
    struct hullbench_problem problem = problem_of(&sample);
    problem.kernel = "polynomial,degree=10,offset=1";
    assert_int_equal(hullbench_decide(&problem, alpha, 0, 2, z, decision, message, sizeof message),
                     HULLBENCH_BAD_INPUT);
    assert_non_null(strstr(message, "pattern 1 "));
    assert_int_equal(hullbench_decide(&problem, alpha, 0, 1, z, decision, message, sizeof message), HULLBENCH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_what_its_multipliers_say),
        cmocka_unit_test(given_multipliers_are_judged),
        cmocka_unit_test(decisions_on_other_patterns_are_those_of_the_sum),
        cmocka_unit_test(a_precomputed_kernel_gives_the_same_solution),
        cmocka_unit_test(calls_from_several_threads_give_what_one_gives),
        cmocka_unit_test(limits_and_a_small_mu_are_told),
        cmocka_unit_test(what_cannot_be_meant_is_refused_by_name),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(a_decision_that_overflows_is_refused_by_its_pattern),
    };
    return cmocka_run_group_tests_name("hullbench", tests, NULL, NULL);
}
