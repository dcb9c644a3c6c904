/*
 * The optimum of the reduced-hull problem against LIBSVM's nu-SVC. nu-SVC bounds alpha by 1 and lets each class sum to
 * nu N / 2. Scaled to class sums of 1 the bound is 2 / (nu N), so nu = 2 / (mu N). LIBSVM divides its multipliers by
 * the margin rho; the scaling reverses this. The judge evaluates its multipliers in double precision, like ours.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/data/dataset.h"
#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"
#include "tests/libsvm_peer.h"
#include "tests/load_dataset.h"

#if HAVE_LIBSVM

/* LIBSVM's solution of the problem in g, as multipliers with class sums 1. */
static void train_nu_svc(struct geometry *g, double mu, double *alpha)
{
    const struct svm_parameter parameter = {
        .svm_type = NU_SVC, .eps = 1e-9, .nu = 2 / (mu * (double)g->n), .shrinking = 0};
    double sum = 0;
    peer_train(g->gram, g->y, &parameter, PEER_AS_GIVEN, alpha);
    for (size_t i = 0; i < g->n; i++)
        sum += alpha[i];
    for (size_t i = 0; i < g->n; i++)
        alpha[i] *= 2 / sum;
}

static double judged(struct geometry *g, const double *alpha, struct judgement *judgement)
{
    double *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    judge(&(struct judging){&g->problem, FORMULATION_NEAREST_POINTS, g->gram, alpha, 1e-6, products, scratch},
          judgement);
    free(products), free(scratch);
    return judgement->objective;
}

static double ours(struct geometry *g, const char *name, double tolerance, double *alpha)
{
    struct judgement judgement;
    struct solution solution;
    struct solve_request request = {.solver = solver_find(name), .problem = &g->problem, .oracle = g->oracle,
                                    .stop = {STOP_RCH_GAP_BOTH, tolerance}, .budget = {.iterations = 100000000}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    return judged(g, alpha, &judgement);
}

/* clip-mdm at a tight tolerance and LIBSVM agree to 1e-6 relative; mu-GSK, whose iterations grow with the inverse of
 * the tolerance, to 1e-5. */
static void compare(struct geometry *g, double mu, int with_gsk, const char *what)
{
    struct judgement judgement;
    double *alpha = simd_doubles(g->n);
    parameter_set(&g->problem.parameters, &parameter_mu, mu);
    double clip = ours(g, "clip-mdm", 1e-9, alpha);
    /* If both class gaps are within eps |W|, 1/2 |W|^2 is within 2 eps |W| of the optimum: 1e-5 relative for
     * eps = 2.5e-6 |W|. */
    double gsk = !with_gsk ? clip : ours(g, "mu-gsk", 2.5e-6 * sqrt(2 * clip), alpha);
    train_nu_svc(g, mu, alpha);
    double peer = judged(g, alpha, &judgement);
    if (!(judgement.feasibility < 1e-9))
        fail_msg("%s: LIBSVM's multipliers are infeasible by %g", what, judgement.feasibility);
    if (!(fabs(clip - peer) <= 1e-6 * peer))
        fail_msg("%s: clip-mdm %.12g, LIBSVM %.12g", what, clip, peer);
    if (!(fabs(gsk - peer) <= 1e-5 * peer))
        fail_msg("%s: mu-gsk %.12g, LIBSVM %.12g", what, gsk, peer);
    free(alpha);
}

static void open_split(struct geometry *g, const char *name, double width)
{
    struct dataset *dataset;
    struct error error;
    struct dataset_request request = {.set.name = name, .search_path = getenv("HULLBENCH_DATA"), .want_splits = 1,
                                      .allow_generated = 1};
    enum status status = load_dataset(&request, &dataset, &error);
    if (status == STATUS_NOT_FOUND)
        skip_for(no_data);
    assert_int_equal(status, STATUS_OK);
    dataset_standardise(dataset, STANDARDISE_FULL_SET);
    const struct split *split = &dataset->splits[0];
    size_t n = split->n_train < MAX_GEOMETRY ? split->n_train : MAX_GEOMETRY;
    double *x = calloc(n * dataset->patterns.dims, sizeof *x);
    signed char y[MAX_GEOMETRY];
    const struct kernel kernel = {.type = KERNEL_RBF, .width = width};
    assert_non_null(x);
    for (size_t i = 0; i < n; i++) {
        memcpy(x + i * dataset->patterns.dims, dataset->patterns.values + split->train[i] * dataset->patterns.dims,
               dataset->patterns.dims * sizeof *x);
        y[i] = dataset->y[split->train[i]];
    }
    geometry_open(g, n, dataset->patterns.dims, x, y, &kernel);
    free(x);
    release_dataset(dataset);
}

#define ON_DATA_SET(test, set, width, mu, with_gsk) \
    static void test(void **state)                  \
    {                                               \
        struct geometry g;                          \
        (void)state;                                \
        open_split(&g, set, width);                 \
        compare(&g, mu, with_gsk, set);             \
        geometry_close(&g);                         \
    }

ON_DATA_SET(the_optimum_agrees_with_libsvm_on_twonorm, "twonorm", 40, 0.0416, 1)
ON_DATA_SET(the_optimum_agrees_with_libsvm_on_waveform, "waveform", 20, 0.0138, 1)
ON_DATA_SET(the_optimum_agrees_with_libsvm_on_ringnorm_reduced, "ringnorm", 10, 0.05, 0)
ON_DATA_SET(the_optimum_agrees_with_libsvm_on_heart, "heart", 120, 0.0232, 1)
ON_DATA_SET(the_optimum_agrees_with_libsvm_on_diabetis, "diabetis", 20, 0.0074, 1)
ON_DATA_SET(the_optimum_agrees_with_libsvm_on_breast_cancer, "breast-cancer", 50, 0.0181, 1)
ON_DATA_SET(the_optimum_agrees_with_libsvm_on_thyroid, "thyroid", 3, 0.1456, 1)
ON_DATA_SET(the_optimum_agrees_with_libsvm_on_banana, "banana", 1, 0.0215, 0)

static void the_optimum_agrees_with_libsvm_on_random_problems(void **state)
{
    (void)state;
    const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};
    for (unsigned long seed = 1; seed <= (all_tests() ? 2 : 1); seed++) {
        struct geometry g;
        geometry_random(&g, 100, 3, 0.8, seed, &rbf);
        compare(&g, 0.05, 1, "random problem");
        geometry_close(&g);
    }
}

#else

static void libsvm_is_not_installed(void **state)
{
    (void)state;
    skip_for(no_libsvm);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if HAVE_LIBSVM
        cmocka_unit_test(the_optimum_agrees_with_libsvm_on_random_problems),
        cmocka_unit_test(the_optimum_agrees_with_libsvm_on_twonorm),
        cmocka_unit_test(the_optimum_agrees_with_libsvm_on_waveform),
        cmocka_unit_test(the_optimum_agrees_with_libsvm_on_ringnorm_reduced),
        cmocka_unit_test(the_optimum_agrees_with_libsvm_on_heart),
        cmocka_unit_test(the_optimum_agrees_with_libsvm_on_diabetis),
        cmocka_unit_test(the_optimum_agrees_with_libsvm_on_breast_cancer),
        cmocka_unit_test(the_optimum_agrees_with_libsvm_on_thyroid),
        cmocka_unit_test(the_optimum_agrees_with_libsvm_on_banana),
#else
        cmocka_unit_test(libsvm_is_not_installed),
#endif
    };
    return cmocka_run_group_tests_name("libsvm", tests, NULL, NULL);
}
