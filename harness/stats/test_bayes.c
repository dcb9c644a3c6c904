/* Bayesian tests against closed forms, a naive implementation, R, and the examples in baycomp's documentation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/resampled_t.h"
#include "tests/all_tests.h"
#include "tests/with_r.h"

/* cmocka compares reals as float; these are compared in double precision. */
#define assert_close(value, expected) assert_true(fabs((value) - (expected)) <= 1e-12)
/* Two simulations of 50 000 draws each: five standard errors of their difference, which is at most 0.0032. */
#define assert_alike(value, expected) assert_true(fabs((value) - (expected)) <= 0.016)

enum { N = 13 };

static const double d[N] = {-0.9, 0.4, 1.7, 0.2, -0.3, 2.4, 0.8, -0.1, 1.1, 0.6, 3.2, -1.4, 0.5};

static struct bayes_posterior signed_rank(const double *differences, size_t n, double rope)
{
    struct bayes_draws draws = {0};
    struct bayes_posterior posterior;
    posterior = bayes_signed_rank(differences, n, rope, &draws);
    free(draws.weights);
    assert_close(posterior.lower + posterior.equivalent + posterior.higher, 1);
    return posterior;
}

/* pt() and rgamma() of R, and a matrix of all pairs. */
static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    static const double ropes[] = {0, 0.25, 0.5, 1};
    struct with_r r;
    with_r_open(&r);
    with_r_values(&r, "d", d, N);
    with_r_line(&r, "set.seed(1); x <- c(d, 0); s <- outer(x, x, '+')");
    with_r_line(&r, "w <- matrix(rgamma(50000 * 14, rep(c(rep(1, 13), 0.5), each = 50000)), 50000)");
    with_r_line(&r, "q <- function(m) rowSums((w %%*%% m) * w)");
    for (int k = 0; k < 4; k++) {
        with_r_line(&r, "rope <- %g; scale <- sqrt(var(d) * (1/13 + 3/7)); m <- mean(d)", ropes[k]);
        with_r_line(&r, "show(pt((-rope - m) / scale, 12), pt((m - rope) / scale, 12))");
        with_r_line(&r, "low <- q((s < -2*rope - 1e-9) + (abs(s + 2*rope) < 1e-9) / 2)");
        with_r_line(&r, "high <- q((s > 2*rope + 1e-9) + (abs(s - 2*rope) < 1e-9) / 2)");
        with_r_line(&r, "best <- max.col(cbind(low, rowSums(w)^2 - low - high, high)); show(mean(best == 1),"
                        " mean(best == 2), mean(best == 3))");
    }
    with_r_run(&r);
    for (int k = 0; k < 4; k++) {
        struct bayes_posterior posterior;
        posterior = bayes_correlated_t(d, N, 3.0 / 7, ropes[k]);
        with_r_agrees(&r, "lower", posterior.lower, 1e-10);
        with_r_agrees(&r, "higher", posterior.higher, 1e-10);
        assert_close(posterior.equivalent, 1 - posterior.lower - posterior.higher);
        posterior = signed_rank(d, N, ropes[k]);
        assert_alike(posterior.lower, with_r_number(&r));
        assert_alike(posterior.equivalent, with_r_number(&r));
        assert_alike(posterior.higher, with_r_number(&r));
    }
    with_r_close(&r);
}

static void without_a_rope_the_t_posterior_is_the_one_sided_p(void **state)
{
    (void)state;
    const double none[N] = {0};
    struct resampled_t test;
    struct bayes_posterior posterior;
    test = resampled_t_test(d, none, N, 100.0 / 170, TAIL_GREATER, 0.95);
    posterior = bayes_correlated_t(d, N, 100.0 / 170, 0);
    assert_close(posterior.lower, test.p_value);
    assert_close(posterior.higher, 1 - test.p_value);
    assert_true(posterior.equivalent == 0);
}

/* The accuracies of naive Bayes and C4.5 on 54 data sets, 100 folds each, used in baycomp's documentation:
 * docs/code/accuracies.txt of github.com/janezd/baycomp, which we may not redistribute. An environment variable gives
 * its path. A classifier's name is alone on its line; a data set's name is followed by its 100 accuracies. */
static void read_accuracies(const char *wanted, double means[54], double sonar[100])
{
    char word[64], rest;
    double value;
    size_t sets = 0;
    int inside = 0;
    FILE *file = fopen(getenv("HULLBENCH_BAYCOMP"), "r");
    assert_non_null(file);
    while (fscanf(file, "%63s%c", word, &rest) == 2) {
        if (rest == '\n') {
            inside = strcmp(word, wanted) == 0;
            continue;
        }
        double sum = 0;
        for (int i = 0; i < 100; i++, sum += value) {
            assert_int_equal(fscanf(file, "%lf", &value), 1);
            if (inside && strcmp(word, "sonar") == 0)
                sonar[i] = value;
        }
        if (inside)
            means[sets++] = sum / 100;
    }
    fclose(file);
    assert_int_equal(sets, 54);
}

/* docs/functions.rst: two_on_single(nbc, j48, rope=0.5) on the first ten folds of sonar, and two_on_multiple(nbc, j48,
 * rope=1), which is itself a simulation. */
static void examples_of_baycomp_are_reproduced(void **state)
{
    (void)state;
    double nbc[54], j48[54], folds[100], other[100];
    struct bayes_posterior posterior;
    if (!getenv("HULLBENCH_BAYCOMP"))
        skip_for("HULLBENCH_BAYCOMP does not name baycomp's accuracies");
    read_accuracies("nbc", nbc, folds);
    read_accuracies("j48", j48, other);
    for (int i = 0; i < 54; i++)
        nbc[i] = j48[i] - nbc[i];
    for (int i = 0; i < 10; i++)
        folds[i] = other[i] - folds[i];
    posterior = bayes_correlated_t(folds, 10, 1.0 / 9, 0.5);
    assert_close(posterior.lower, 0.28584464173791002);
    assert_close(posterior.equivalent, 0.2691518716880249);
    assert_close(posterior.higher, 0.44500348657406508);
    posterior = signed_rank(nbc, 54, 1);
    assert_alike(posterior.lower, 0.23014);
    assert_alike(posterior.equivalent, 0.00674);
    assert_alike(posterior.higher, 0.76312);
}

/* With one difference above the rope, lower is 0 and equivalent is w_0^2, where w_0 ~ Beta(1/2, 1) has the distribution
 * function sqrt(w): higher is the largest if w_0 < sqrt(1/2). With two of opposite sign, no side is favoured. */
static void few_differences_have_the_closed_form(void **state)
{
    (void)state;
    const double one[] = {2}, two[] = {-2, 2};
    double p = pow(0.5, 0.25), error = sqrt(p * (1 - p) / 50000);
    struct bayes_posterior posterior = signed_rank(one, 1, 0.5);
    assert_true(fabs(posterior.higher - p) < 4 * error && posterior.lower == 0);
    posterior = signed_rank(two, 2, 0.5);
    assert_true(fabs(posterior.higher - posterior.lower) < 4 * sqrt(1.0 / 50000));
}

/* All pairs, each draw normalised, from another seed. */
static void pairs_recomputed_one_by_one_give_the_same(void **state)
{
    (void)state;
    enum { DRAWS = 50000 };
    double alpha[N + 1], weights[N + 1], values[N + 1] = {0}, rope = 0.5, counts[3] = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 77);
    for (int i = 0; i <= N; i++)
        alpha[i] = i < N ? 1 : 0.5;
    memcpy(values, d, sizeof d);
    for (int draw = 0; draw < DRAWS; draw++) {
        double parts[3] = {0};
        gsl_ran_dirichlet(rng, N + 1, alpha, weights);
        for (int i = 0; i <= N; i++)
            for (int j = 0; j <= N; j++) {
                double mean = (values[i] + values[j]) / 2, product = weights[i] * weights[j];
                int edge = fabs(fabs(mean) - rope) < 1e-9;
                parts[0] += edge ? product / 2 * (mean < 0) : product * (mean < -rope);
                parts[2] += edge ? product / 2 * (mean > 0) : product * (mean > rope);
            }
        parts[1] = 1 - parts[0] - parts[2];
        counts[parts[0] > parts[1] && parts[0] > parts[2] ? 0 : parts[1] > parts[2] ? 1 : 2]++;
    }
    gsl_rng_free(rng);
    struct bayes_posterior posterior = signed_rank(d, N, rope);
    assert_alike(posterior.lower, counts[0] / DRAWS);
    assert_alike(posterior.equivalent, counts[1] / DRAWS);
    assert_alike(posterior.higher, counts[2] / DRAWS);
}

static void opposite_differences_give_the_mirrored_posterior(void **state)
{
    (void)state;
    double minus[N];
    for (int i = 0; i < N; i++)
        minus[i] = -d[i];
    for (double rope = 0; rope < 1; rope += 0.25) {
        struct bayes_posterior one = signed_rank(d, N, rope), other = signed_rank(minus, N, rope);
        assert_true(one.lower == other.higher && one.equivalent == other.equivalent && one.higher == other.lower);
        one = bayes_correlated_t(d, N, 0.5, rope);
        other = bayes_correlated_t(minus, N, 0.5, rope);
        assert_close(one.lower, other.higher);
        assert_close(one.equivalent, other.equivalent);
    }
}

/* Tenths are not exact in binary: 0.1 + 0.3 is not twice 0.2, and 0.7 - 0.5 is not one fifth. Integers are exact. */
static void pairs_at_the_edge_count_half_in_decimals_too(void **state)
{
    (void)state;
    const double tenths[] = {0.1, 0.3, 0.7 - 0.5, -0.3, 0.3 - 0.4, 0.2 - 0.4}, ones[] = {1, 3, 2, -3, -1, -2};
    struct bayes_posterior one = signed_rank(tenths, 6, 0.2), other = signed_rank(ones, 6, 2);
    assert_true(one.lower == other.lower && one.equivalent == other.equivalent && one.higher == other.higher);
}

static void differences_without_spread_have_their_answer(void **state)
{
    (void)state;
    static const double mean[] = {-1, 0, 0, 0.5, 1}, rope[] = {0.5, 0.5, 0, 0.5, 0.5};
    static const double higher[] = {0, 0, 0.5, 0, 1}, equivalent[] = {0, 1, 0, 1, 0};
    struct bayes_posterior posterior;
    for (int k = 0; k < 5; k++) {
        const double same[] = {mean[k], mean[k], mean[k]};
        posterior = bayes_correlated_t(same, 3, 1, rope[k]);
        assert_true(posterior.higher == higher[k] && posterior.equivalent == equivalent[k]);
        assert_close(posterior.lower + posterior.equivalent + posterior.higher, 1);
    }
    const double zeros[4] = {0};
    posterior = signed_rank(zeros, 4, 0);
    assert_true(posterior.lower == 0.5 && posterior.higher == 0.5 && posterior.equivalent == 0);
    posterior = signed_rank(zeros, 4, 0.1);
    assert_true(posterior.lower == 0 && posterior.higher == 0 && posterior.equivalent == 1);
    struct bayes_draws draws = {0};
    posterior = bayes_signed_rank(d, 0, 1, &draws);
    assert_true(isnan(posterior.lower) && isnan(posterior.equivalent) && isnan(posterior.higher));
    posterior = bayes_correlated_t(d, 1, 0, 1);
    assert_true(isnan(posterior.lower) && isnan(posterior.equivalent) && isnan(posterior.higher));
}

static void differences_that_cannot_be_summed_have_no_posterior(void **state)
{
    (void)state;
    const double bad[] = {1, (double)NAN}, large[] = {1.7e308, 1.6e308};
    struct bayes_draws draws = {0};
    assert_true(isnan(bayes_signed_rank(bad, 2, 1, &draws).equivalent) && !draws.weights);
    assert_true(isnan(bayes_correlated_t(bad, 2, 0, 1).equivalent));
    assert_true(isnan(bayes_correlated_t(large, 2, 0, 1).equivalent));
}

/* Of other numbers of differences in between, and of more than are kept. */
static void tests_that_share_draws_have_the_same_posteriors(void **state)
{
    const size_t sizes[] = {N, N, 4, 60, 4, N};
    double many[60];
    struct bayes_draws draws = {0};
    (void)state;
    for (size_t i = 0; i < 60; i++)
        many[i] = d[i % N] + 0.01 * (double)i;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct bayes_posterior alone = signed_rank(many, sizes[i], 0.4 + 0.1 * (double)i), shared;
        shared = bayes_signed_rank(many, sizes[i], 0.4 + 0.1 * (double)i, &draws);
        assert_true(alone.higher > 0 && alone.lower == shared.lower && alone.higher == shared.higher);
        assert_true(alone.equivalent == shared.equivalent && draws.n == sizes[i]);
    }
    free(draws.weights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r_agrees_where_it_is_installed),
        cmocka_unit_test(without_a_rope_the_t_posterior_is_the_one_sided_p),
        cmocka_unit_test(examples_of_baycomp_are_reproduced),
        cmocka_unit_test(few_differences_have_the_closed_form),
        cmocka_unit_test(pairs_recomputed_one_by_one_give_the_same),
        cmocka_unit_test(opposite_differences_give_the_mirrored_posterior),
        cmocka_unit_test(pairs_at_the_edge_count_half_in_decimals_too),
        cmocka_unit_test(differences_without_spread_have_their_answer),
        cmocka_unit_test(differences_that_cannot_be_summed_have_no_posterior),
        cmocka_unit_test(tests_that_share_draws_have_the_same_posteriors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
