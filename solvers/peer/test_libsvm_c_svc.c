/*
 * The optimum of the C-SVM's dual against LIBSVM's C-SVC, for svm-light with its default options, on the sets of Lopez
 * (2008), Table 5.3.1. The judge evaluates LIBSVM's multipliers in double precision, like ours.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "tests/all_tests.h"
#include "tests/libsvm_peer.h"
#include "tests/real_split.h"

#if HAVE_LIBSVM

static void train_c_svc(struct real_split *real, double tolerance, double *alpha)
{
    const struct svm_parameter parameter = {
        .svm_type = C_SVC, .eps = tolerance, .shrinking = 1,
        .C = parameter_get(&real->problem.parameters, &parameter_c)};
    peer_train(real->gram, real->y, &parameter, PEER_AS_GIVEN, alpha);
}

static double judged(struct real_split *real, const double *alpha)
{
    struct judgement judgement;
    double *products = simd_doubles(real->n), *scratch = simd_doubles(real->n);
    judge(&(struct judging){&real->problem, FORMULATION_C_SVM, real->gram, alpha, 1e-6, products, scratch}, &judgement);
    free(products), free(scratch);
    return judgement.objective;
}

static void compare(const char *name, double c, double width)
{
    const struct kernel kernel = {.type = KERNEL_RBF, .width = width};
    struct real_split real;
    struct solution solution;
    if (!real_split_open(&real, name, 1, &kernel))
        skip_for(no_data);
    parameter_set(&real.problem.parameters, &parameter_c, c);
    double *alpha = simd_doubles(real.n);
    struct solve_request request = {.solver = solver_find("svm-light"), .problem = &real.problem, .oracle = real.oracle,
                                    .stop = {STOP_KKT_RELAXED, 1e-6}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    double ours = judged(&real, alpha);
    train_c_svc(&real, 2e-6, alpha); /* its eps is the difference of the thresholds */
    double peer = judged(&real, alpha);
    if (!(fabs(ours / peer - 1) <= 1e-6))
        fail_msg("%s: svm-light %.12g, LIBSVM %.12g", name, ours, peer);
    free(alpha);
    real_split_close(&real);
}

#define ON_DATA_SET(test, set, c, width) \
    static void test(void **state)       \
    {                                    \
        (void)state;                     \
        compare(set, c, width);          \
    }

ON_DATA_SET(svm_light_agrees_with_libsvm_on_titanic, "titanic", 5, 2)
ON_DATA_SET(svm_light_agrees_with_libsvm_on_heart, "heart", 3.16, 120)
ON_DATA_SET(svm_light_agrees_with_libsvm_on_diabetis, "diabetis", 1, 20)
ON_DATA_SET(svm_light_agrees_with_libsvm_on_breast_cancer, "breast-cancer", 15.19, 50)
ON_DATA_SET(svm_light_agrees_with_libsvm_on_thyroid, "thyroid", 10, 3)
ON_DATA_SET(svm_light_agrees_with_libsvm_on_flare_solar, "flare-solar", 1.02, 30)
ON_DATA_SET(svm_light_agrees_with_libsvm_on_splice, "splice", 1000, 70)
ON_DATA_SET(svm_light_agrees_with_libsvm_on_image, "image", 500, 30)
ON_DATA_SET(svm_light_agrees_with_libsvm_on_german, "german", 3.16, 55)
ON_DATA_SET(svm_light_agrees_with_libsvm_on_banana, "banana", 316.2, 1)

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
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_titanic),
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_heart),
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_diabetis),
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_breast_cancer),
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_thyroid),
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_flare_solar),
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_splice),
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_image),
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_german),
        cmocka_unit_test(svm_light_agrees_with_libsvm_on_banana),
#else
        cmocka_unit_test(libsvm_is_not_installed),
#endif
    };
    return cmocka_run_group_tests_name("libsvm_c_svc", tests, NULL, NULL);
}
