/*
 * second-order-smo against LIBSVM's C-SVC, which selects by the same rule: objective and number of iterations. LIBSVM
 * gives ties to the last index, so it receives the patterns in reverse order; then short runs agree to the last
 * iteration. It keeps kernel rows in single precision, which makes longer runs diverge.
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

/* LIBSVM's multipliers; returns its iterations. */
static int train_c_svc(const struct real_split *real, double c, double tolerance, double *alpha)
{
    const struct svm_parameter parameter = {.svm_type = C_SVC, .eps = tolerance, .C = c};
    return peer_train(real->gram, real->y, &parameter, PEER_REVERSED, alpha);
}

static double objective_of(const struct real_split *real, const double *alpha)
{
    struct judgement judgement;
    double *products = simd_doubles(real->n), *scratch = simd_doubles(real->n);
    judge(&(struct judging){&real->problem, FORMULATION_C_SVM, real->gram, alpha, 1e-6, products, scratch}, &judgement);
    free(products), free(scratch);
    return judgement.objective;
}

/* Iterations agree with LIBSVM's within the relative `spread`, and objectives agree. */
static void compare(struct real_split *real, const char *name, double c, double spread)
{
    struct solution solution;
    double *alpha = simd_doubles(real->n);
    parameter_set(&real->problem.parameters, &parameter_c, c);
    struct solve_request request = {.solver = solver_find("second-order-smo"),
                                    .problem = &real->problem,
                                    .oracle = real->oracle,
                                    .stop = {STOP_KKT, 1e-3}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    double ours = objective_of(real, alpha), mine = (double)solution.iterations;
    double yours = train_c_svc(real, c, 1e-3, alpha), theirs = objective_of(real, alpha);
    assert_true(fabs(ours - theirs) <= 1e-4 * fabs(theirs)); /* both stop at a KKT violation of 1e-3 */
    if (!(fabs(mine - yours) <= spread * yours))
        fail_msg("%s, C %g: %g iterations, LIBSVM's %g", name, c, mine, yours);
    free(alpha);
}

static void iterations_are_those_of_libsvm(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double width;
    } sets[] = {{"heart", 120},   {"breast-cancer", 50}, {"thyroid", 3},
                {"diabetis", 20}, {"banana", 1},         {"twonorm", 40}};
    int seen = 0;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        const struct kernel kernel = {.type = KERNEL_RBF, .width = sets[s].width};
        struct real_split real;
        if (!real_split_open(&real, sets[s].name, 1, &kernel))
            continue;
        seen++;
        compare(&real, sets[s].name, 1, 0.01);
        compare(&real, sets[s].name, 30, 0.1);
        compare(&real, sets[s].name, 1000, 0.1);
        real_split_close(&real);
    }
    if (seen == 0)
        skip_for(no_data);
}

#else

static void iterations_are_those_of_libsvm(void **state)
{
    (void)state;
    skip_for(no_libsvm);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(iterations_are_those_of_libsvm)};
    return cmocka_run_group_tests_name("libsvm smo", tests, NULL, NULL);
}
