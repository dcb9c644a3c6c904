/* Friedman's test and its post-hoc tests: by hand, by definition, against values computed with R, and against R. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "harness/stats/distributions.h"
#include "harness/stats/several_solvers.h"
#include "tests/with_r.h"

/* cmocka compares reals as float; these are compared in double precision. */
#define assert_close(value, expected) assert_true(fabs((value) - (expected)) <= 1e-10 * fabs(expected))

static struct pool *pool;

enum { SOLVERS = 4, PROBLEMS = 14 };

/* Four solvers on 14 problems, with ties. */
static const double costs[SOLVERS * PROBLEMS] = {
    .237, .401, .046, .372, .118, .064, .339, .417, .225, 0, .060, .381, .028, .043, /* first */
    .232, .409, .029, .339, .112, .069, .332, .417, .162, 0, .038, .334, .019, .022, /* second */
    .229, .410, .032, .346, .114, .084, .391, .437, .134, 0, .035, .386, .025, .054, /* third */
    .202, .431, .033, .343, .102, .069, .315, .375, .125, 0, .038, .331, .025, .030, /* fourth */
};

/* R 4.2.2, m the costs, a row for each problem: colMeans(t(apply(m, 1, rank))); friedman.test(m); x <- its statistic,
 * 13 * x / (42 - x) and pf(., 3, 39, lower.tail = FALSE). */
static void the_test_gives_the_figures_of_r(void **state)
{
    (void)state;
    struct friedman friedman;
    friedman = friedman_test(pool, costs, SOLVERS, PROBLEMS);
    const double ranks[] = {22.0 / 7, 2, 41.0 / 14, 27.0 / 14};
    for (size_t s = 0; s < SOLVERS; s++)
        assert_close(friedman.mean_ranks[s], ranks[s]);
    assert_close(friedman.chi2, 10.952380952380952550);
    assert_close(friedman.chi2_p, 0.011986176325417815);
    assert_close(friedman.f, 4.5858895705521476);
    assert_close(friedman.f_p, 0.0076288387307257618);
}

/* With two solvers and no ties chi2 is the square of the sign test's z: (9 - 1)^2 / 10 of nine wins to one. */
static void two_solvers_are_a_sign_test(void **state)
{
    (void)state;
    double two[20];
    struct friedman friedman;
    for (int p = 0; p < 10; p++) {
        two[p] = p;
        two[10 + p] = p == 3 ? 0 : p + 1;
    }
    friedman = friedman_test(pool, two, 2, 10);
    assert_close(friedman.chi2, 6.4);
    assert_close(friedman.f, 9 * 6.4 / (10 - 6.4));
    double z = (friedman.mean_ranks[1] - friedman.mean_ranks[0]) / friedman_deviation(&friedman), against[2];
    assert_close(z * z, 6.4);
    assert_close(nemenyi_difference(&friedman, 2 * gsl_cdf_ugaussian_Q(z)), /* the range of two is |a - b| */
                 friedman.mean_ranks[1] - friedman.mean_ranks[0]);
    friedman_against(&friedman, 0, against);
    assert_true(against[0] == 1);
    assert_close(against[1], 2 * gsl_cdf_ugaussian_Q(z));
}

/* Not solved ranks last, with ties among all that did not solve it. */
static void unsolved_problems_are_ranked_last(void **state)
{
    (void)state;
    const double endless = (double)INFINITY;
    const double three[] = {1, endless, 5, 2, endless, endless, 3, 7, endless}; /* ranks 1 2.5 1; 2 2.5 2.5; 3 1 2.5 */
    struct friedman friedman;
    friedman = friedman_test(pool, three, 3, 3);
    assert_close(friedman.mean_ranks[0], 4.5 / 3);
    assert_close(friedman.mean_ranks[1], 7.0 / 3);
    assert_close(friedman.mean_ranks[2], 6.5 / 3);
}

static void nothing_to_compare_gives_one(void **state)
{
    (void)state;
    const double same[12] = {0}, orders[] = {1, 2, 3, 2, 3, 4, 3, 4, 5};
    struct friedman friedman;
    const size_t shapes[][2] = {{3, 4}, {1, 12}, {0, 0}, {3, 0}, {0, 5}};
    for (size_t i = 0; i < 5; i++) {
        friedman = friedman_test(pool, same, shapes[i][0], shapes[i][1]);
        assert_true(friedman.chi2 == 0 && friedman.chi2_p == 1 && friedman.f == 0 && friedman.f_p == 1);
    }
    friedman = friedman_test(pool, orders, 3, 1);
    assert_close(friedman.chi2, 2.0); /* the maximum, k - 1 */
    assert_true(friedman.f_p == 1);
    friedman = friedman_test(pool, orders, 3, 3); /* all agree */
    assert_close(friedman.chi2, 6.0);
    assert_true(isinf(friedman.f) && friedman.f_p == 0);
}

/* R 4.2.2's qtukey at 0.05, which is accurate to four digits, and Demsar (2006), Table 5 (q / sqrt(2)). */
static void critical_differences_are_the_printed_ones(void **state)
{
    (void)state;
    static const double printed[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
    double q = 0, difference = 0;
    for (size_t k = 2; k <= 10; k++) {
        q = studentized_range_quantile(0.05, k);
        assert_true(fabs(q / sqrt(2) - printed[k - 2]) <= 0.0011); /* some were truncated, not rounded */
    }
    const struct friedman friedman = {.solvers = 4, .problems = 14};
    difference = nemenyi_difference(&friedman, 0.05);
    assert_true(fabs(difference - 1.25) < 0.005); /* Demsar's example: 2.569 sqrt(20 / 84) */
}

/* R 4.2.2: integrate(function(z) k * dnorm(z) * (pnorm(z)^(k-1) * -expm1((k-1) * log1p(-pnorm(z-q)/pnorm(z)))), -10,
 * q + 10, rel.tol = 1e-13, abs.tol = 0), from q/2 - 8 to q/2 + 8 for q = 12 and 20. R's ptukey is within 3e-9 for most
 * of these, and gives 4e-14 and 0 for those two. */
static void ranges_have_their_chance(void **state)
{
    (void)state;
    static const struct {
        double q;
        size_t k;
        double p;
    } figures[] = {
        {1, 4, 8.9432551212818079e-01},    {2, 4, 4.9036940998054934e-01},  {3.63, 4, 5.0297285140461563e-02},
        {8, 4, 9.2354901504448745e-08},    {12, 4, 1.2911823485653215e-16}, {20, 4, 1.2530925502575267e-44},
        {3, 30, 9.5622614489122570e-01}, {5, 30, 9.938163939116014e-02}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        assert_close(studentized_range_quantile(figures[i].p, figures[i].k), figures[i].q);
    for (double q = 0.1; q < 50; q *= 1.3) /* the range of two is sqrt(2) |a| */
        assert_close(studentized_range_quantile(2 * gsl_cdf_ugaussian_Q(q / sqrt(2)), 2), q);
}

static void groups_are_the_largest_that_do_not_differ(void **state)
{
    (void)state;
    double means[] = {3.0, 1.0, 1.5, 4.2, 2.1};
    const struct friedman friedman = {.solvers = 5, .problems = 9, .mean_ranks = means};
    size_t order[5];
    struct rank_group groups[5];
    friedman_order(&friedman, order);
    assert_memory_equal(order, ((size_t[]){1, 2, 4, 0, 3}), sizeof order);
    /* 1.0 1.5 2.1 | 1.5 2.1 (part of the first) | 2.1 3.0 | 4.2 alone */
    assert_int_equal(nemenyi_groups(&friedman, order, 1.25, groups), 3);
    assert_true(groups[0].first == 0 && groups[0].last == 2);
    assert_true(groups[1].first == 2 && groups[1].last == 3);
    assert_true(groups[2].first == 3 && groups[2].last == 4);
    assert_int_equal(nemenyi_groups(&friedman, order, 0.1, groups), 0);
    assert_int_equal(nemenyi_groups(&friedman, order, 9, groups), 1);
    assert_true(groups[0].first == 0 && groups[0].last == 4);
    double steps[] = {1, 1.5, 2, 2.5, 3}; /* a distance of exactly the difference is not different */
    const struct friedman even = {.solvers = 5, .problems = 9, .mean_ranks = steps};
    const size_t ascending[] = {0, 1, 2, 3, 4};
    assert_int_equal(nemenyi_groups(&even, ascending, 1, groups), 3);
    for (size_t g = 0; g < 3; g++)
        assert_true(groups[g].first == g && groups[g].last == g + 2);
    means[0] = means[4] = means[1]; /* equal means are ordered by index */
    friedman_order(&friedman, order);
    assert_memory_equal(order, ((size_t[]){0, 1, 4, 2, 3}), sizeof order);
}

/* Every set within the difference is in a group, no group contains another, and no two of a group are further apart. */
static void groups_are_what_their_definition_says(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 500; trial++) {
        double means[7], difference = 1 + 3 * gsl_rng_uniform(rng);
        size_t k = 1 + gsl_rng_uniform_int(rng, 7), order[7];
        struct friedman friedman = {.solvers = k, .problems = 5, .mean_ranks = means};
        struct rank_group groups[7];
        for (size_t i = 0; i < k; i++)
            means[i] = 1 + 6 * gsl_rng_uniform(rng);
        friedman_order(&friedman, order);
        size_t count = nemenyi_groups(&friedman, order, difference, groups);
        for (size_t a = 0; a < k; a++)
            for (size_t b = a + 1; b < k; b++) {
                int together = 0;
                for (size_t g = 0; g < count; g++)
                    together |= groups[g].first <= a && b <= groups[g].last;
                assert_int_equal(together, means[order[b]] - means[order[a]] <= difference);
            }
        for (size_t g = 1; g < count; g++)
            assert_true(groups[g].first > groups[g - 1].first && groups[g].last > groups[g - 1].last);
    }
    gsl_rng_free(rng);
}

static void wins_are_counted(void **state)
{
    (void)state;
    struct win_tie_loss table[SOLVERS * SOLVERS];
    win_tie_loss_table(costs, SOLVERS, PROBLEMS, table);
    assert_true(table[1].wins == 2 && table[1].ties == 2 && table[1].losses == 10); /* the first against the second */
    assert_true(table[4].wins == 10 && table[4].ties == 2 && table[4].losses == 2);
    assert_true(table[0].ties == PROBLEMS && table[0].wins == 0);
    const double unsolved[] = {1, (double)INFINITY, 2, (double)INFINITY};
    win_tie_loss_table(unsolved, 2, 2, table);
    assert_true(table[1].wins == 1 && table[1].ties == 1); /* neither solves the second */
    win_tie_loss_table(unsolved, 2, 0, table);
    assert_true(table[1].wins + table[1].ties + table[1].losses == 0);
}

enum { CASES = 15, MAX_SOLVERS = 9 };

/* ptukey is accurate to 3e-9. */
static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    static double made[CASES][MAX_SOLVERS * PROBLEMS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct with_r r;
    with_r_open(&r);
    for (int c = 0; c < CASES; c++) {
        size_t k = 2 + (size_t)c % (MAX_SOLVERS - 1);
        for (size_t i = 0; i < k * PROBLEMS; i++)
            made[c][i] = floor(gsl_rng_uniform(rng) * (c % 3 ? 9 : 900)) + (double)(i / PROBLEMS) / 3 * (c % 2);
        with_r_values(&r, "m", made[c], k * PROBLEMS);
        with_r_line(&r, "n <- %d; k <- %zu; m <- matrix(m, ncol = k); f <- friedman.test(m); x <- f$statistic",
                    PROBLEMS, k);
        with_r_line(
            &r, "y <- (n - 1) * x / (n * (k - 1) - x); show(x, f$p.value, y, pf(y, k-1, (k-1)*(n-1), lower = FALSE))");
        with_r_line(&r, "a <- colMeans(t(apply(m, 1, rank))); z <- abs(a - a[1]) / sqrt(k * (k + 1) / 6 / n)");
        with_r_line(&r, "show(p.adjust(2 * pnorm(-z[-1]), 'holm'))");
        with_r_line(&r, "show(ptukey(sqrt(2) * z[k], k, Inf, lower.tail = FALSE))");
    }
    gsl_rng_free(rng);
    with_r_run(&r);
    for (int c = 0; c < CASES; c++) {
        size_t k = 2 + (size_t)c % (MAX_SOLVERS - 1);
        struct friedman friedman;
        double p[MAX_SOLVERS];
        friedman = friedman_test(pool, made[c], k, PROBLEMS);
        with_r_agrees(&r, "chi-squared", friedman.chi2, 1e-10);
        with_r_agrees(&r, "p of chi-squared", friedman.chi2_p, 1e-10);
        with_r_agrees(&r, "F", friedman.f, 1e-10);
        with_r_agrees(&r, "p of F", friedman.f_p, 1e-10);
        friedman_against(&friedman, 0, p);
        for (size_t s = 1; s < k; s++)
            with_r_agrees(&r, "against the first", p[s], 1e-10);
        const double nemenyi = with_r_number(&r);
        if (nemenyi < 0.999) /* the difference that R finds at its own p */
            assert_true(fabs(nemenyi_difference(&friedman, nemenyi) -
                             fabs(friedman.mean_ranks[0] - friedman.mean_ranks[k - 1])) < 1e-6);
    }
    with_r_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_test_gives_the_figures_of_r),
        cmocka_unit_test(two_solvers_are_a_sign_test),
        cmocka_unit_test(unsolved_problems_are_ranked_last),
        cmocka_unit_test(nothing_to_compare_gives_one),
        cmocka_unit_test(critical_differences_are_the_printed_ones),
        cmocka_unit_test(ranges_have_their_chance),
        cmocka_unit_test(groups_are_the_largest_that_do_not_differ),
        cmocka_unit_test(groups_are_what_their_definition_says),
        cmocka_unit_test(wins_are_counted),
        cmocka_unit_test(r_agrees_where_it_is_installed),
    };
    pool = pool_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
