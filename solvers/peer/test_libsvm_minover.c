/*
 * soft-max-minover against LIBSVM's nu-SVC, to which Martinetz (2003, Section IV.B) says it is closely connected. With
 * multipliers scaled to a sum of 1, nu-SVC is the same problem over 0 <= alpha <= 1/K, K = nu N, plus sum y alpha = 0:
 * a bias without cost, whereas the coordinate s added to the patterns makes it cost 1/s^2. So the distance of the two
 * directions tends to 0 as t and s grow together; for a fixed s it tends to a level that decreases with s; with the
 * forgetting as printed it does not converge at all. Distances are 1 - cos of the angle between the normals w in the
 * feature space; they are printed, for docs/study-minover.md.
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
#include "tests/geometry.h"
#include "tests/libsvm_peer.h"

#if HAVE_LIBSVM

/* LIBSVM's multipliers, scaled to a sum of 1. */
static void train_nu_svc(struct geometry *g, double k, double *alpha)
{
    const struct svm_parameter parameter = {.svm_type = NU_SVC, .eps = 1e-9, .nu = k / (double)g->n, .shrinking = 0};
    double sum = 0;
    peer_train(g->gram, g->y, &parameter, PEER_AS_GIVEN, alpha);
    for (size_t i = 0; i < g->n; i++)
        sum += alpha[i];
    for (size_t i = 0; i < g->n; i++)
        alpha[i] /= sum;
}

/* w . w' in the feature space */
static double product(struct geometry *g, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            sum += a[i] * b[j] * g->y[i] * g->y[j] * gram_row(g->gram, i)[j];
    return sum;
}

static double apart(struct geometry *g, const double *a, const double *b)
{
    double aa = product(g, a, a), bb = product(g, b, b), away = 0, scale = sqrt(aa / bb);
    for (size_t i = 0; i < g->n; i++) /* |w/|w| - w'/|w'||^2 / 2, which avoids the cancellation in 1 - cos */
        for (size_t j = 0; j < g->n; j++)
            away += (a[i] - scale * b[i]) * (a[j] - scale * b[j]) * g->y[i] * g->y[j] * gram_row(g->gram, i)[j];
    return 0.5 * away / aa;
}

enum { DECADES = 4, SCALES = 4, FORGETTINGS = 3 };

/* Distances to `peer` at t = 10, 100, ... */
static void distances(struct geometry *g, enum forgetting forgetting, double added, size_t k, const double *peer,
                      double *away)
{
    const struct solver *solver = solver_find("soft-max-minover");
    double *alpha = simd_doubles(g->n);
    parameter_set(&g->problem.parameters, &parameter_nu, (double)k / (double)g->n);
    parameter_set(&g->problem.parameters, &parameter_forgetting, forgetting);
    parameter_set(&g->problem.parameters, &parameter_added, added);
    void *state = geometry_start(g, solver);
    for (long t = 1, due = 10, d = 0; d < DECADES; t++) {
        struct progress progress = {.need_objective = 0};
        if (t == due) {
            solver->alpha(state, alpha);
            away[d++] = apart(g, alpha, peer);
            due *= 10;
        }
        solver->select(state, &progress);
        solver->update(state, g->oracle);
    }
    free(state), free(alpha);
}

static const double scales[SCALES] = {0, 1, 3, 10};

/* Checks the expected relations in `away`, by forgetting, scale and decade of t. */
static void check(double away[FORGETTINGS][SCALES][DECADES])
{
    for (int f = FORGETTING_NO; f <= FORGETTING_EQUIVALENT; f += 2) {
        assert_true(away[f][1][3] < 0.5 * away[f][0][3]); /* decreases with s */
        assert_true(away[f][2][2] < 0.2 * away[f][2][1] && away[f][2][3] < 0.2 * away[f][2][2]); /* decreases with t */
        assert_true(away[f][2][3] < 2e-4);
        assert_true(away[f][3][3] > away[f][2][3]); /* the larger s, the later */
    }
    assert_true(away[FORGETTING_EQUIVALENT][2][3] < away[FORGETTING_EQUIVALENT][1][3]);
    /* the printed forgetting diverges again */
    assert_true(away[FORGETTING_PAPER][1][3] > 5 * away[FORGETTING_EQUIVALENT][1][3]);
}

static void compare(struct geometry *g, const char *name, double k, int to_be_checked)
{
    static const char *const forgettings[FORGETTINGS] = {"no", "paper", "equivalent"};
    double *peer = simd_doubles(g->n), away[FORGETTINGS][SCALES][DECADES];
    train_nu_svc(g, k, peer);
    for (int f = 0; f < FORGETTINGS; f++)
        for (int s = 0; s < SCALES; s++) {
            double *at = away[f][s];
            distances(g, (enum forgetting)f, scales[s], (size_t)k, peer, at);
            print_message("%s, K = %g, forgetting %s, s = %g, t = 10 to 10000: %.2g %.2g %.2g %.2g\n", name, k,
                          forgettings[f], scales[s], at[0], at[1], at[2], at[3]);
            for (int d = 0; d < DECADES; d++)
                assert_true(at[d] >= 0 && at[d] < 1); /* never opposite */
        }
    if (to_be_checked)
        check(away);
    free(peer);
}

#define ON_DATA_SET(test, set, width_, k, to_be_checked)                       \
    static void test(void **state)                                             \
    {                                                                          \
        struct geometry g;                                                     \
        const struct kernel kernel = {.type = KERNEL_RBF, .width = (width_)};  \
        (void)state;                                                           \
        if (geometry_split(&g, set, &kernel) != STATUS_OK)                     \
            skip_for(no_data);                                                 \
        compare(&g, set, k, to_be_checked);                                    \
        geometry_close(&g);                                                    \
    }

ON_DATA_SET(the_direction_goes_to_that_of_libsvm_on_heart, "heart", 120, 86, 1)
ON_DATA_SET(the_direction_goes_to_that_of_libsvm_on_thyroid, "thyroid", 3, 14, 1)
ON_DATA_SET(the_direction_goes_to_that_of_libsvm_on_breast_cancer, "breast-cancer", 50, 110, 1)
ON_DATA_SET(the_direction_goes_to_that_of_libsvm_on_banana, "banana", 1, 93, 0)
ON_DATA_SET(the_direction_goes_to_that_of_libsvm_on_twonorm, "twonorm", 40, 48, 0)

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
        cmocka_unit_test(the_direction_goes_to_that_of_libsvm_on_heart),
        cmocka_unit_test(the_direction_goes_to_that_of_libsvm_on_thyroid),
        cmocka_unit_test(the_direction_goes_to_that_of_libsvm_on_breast_cancer),
        cmocka_unit_test(the_direction_goes_to_that_of_libsvm_on_banana),
        cmocka_unit_test(the_direction_goes_to_that_of_libsvm_on_twonorm),
#else
        cmocka_unit_test(libsvm_is_not_installed),
#endif
    };
    return cmocka_run_group_tests_name("libsvm and minover", tests, NULL, NULL);
}
