/* Signed-rank tests of all pairs of solvers: by hand, against R, and their independence of the pool of solvers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "harness/stats/several_solvers.h"
#include "tests/with_r.h"

static struct pool *memory;

enum { K = 4, N = 9 };

/* R without ties: pairwise.wilcox.test(..., paired = TRUE, exact = TRUE, p.adjust = "holm"). */
static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    static double costs[K * N];
    struct pair_test tests[K * K];
    struct with_r r;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < K * N; i++)
        costs[i] = gsl_ran_gaussian(rng, 1) + 0.6 * (i / N);
    gsl_rng_free(rng);
    with_r_open(&r);
    with_r_values(&r, "x", costs, K * N);
    with_r_line(&r, "g <- rep(1:%d, each = %d)", K, N);
    with_r_line(&r, "f <- function(m) pairwise.wilcox.test(x, g, paired = TRUE, exact = TRUE, p.adjust = m)$p.value");
    with_r_line(&r, "p <- f('none'); show(p[lower.tri(p, diag = TRUE)])");
    with_r_line(&r, "p <- f('holm'); show(p[lower.tri(p, diag = TRUE)])");
    with_r_run(&r);
    signed_rank_pairs(costs, K, N, tests);
    for (int a = 0; a < K; a++)
        for (int b = a + 1; b < K; b++)
            with_r_agrees(&r, "p", tests[a * K + b].p_value, 1e-12);
    for (int a = 0; a < K; a++)
        for (int b = a + 1; b < K; b++)
            with_r_agrees(&r, "adjusted p", tests[a * K + b].adjusted, 1e-12);
    with_r_close(&r);
}

/* b is above a on all eight problems; c is above b on seven by more than it is below on one: V = 1, two-sided p is
 * 2 (1 + 1)/256; a and c differ as a and b. Holm: 3 and 2 times the smallest, 2/256, and once 4/256, but not less than
 * the previous ones. */
static void pairs_are_adjusted_by_holm_and_mirrored(void **state)
{
    (void)state;
    double costs[3 * 8];
    struct pair_test tests[9];
    for (int p = 0; p < 8; p++) {
        costs[p] = p;
        costs[8 + p] = p + 10;
        costs[16 + p] = p + 10 + (p == 0 ? -1 : p + 1);
    }
    signed_rank_pairs(costs, 3, 8, tests);
    assert_true(tests[1].p_value == 2 / 256.0 && tests[1].adjusted == 6 / 256.0 && tests[1].effect == -1);
    assert_true(tests[2].p_value == 2 / 256.0 && tests[2].adjusted == 6 / 256.0);
    assert_true(tests[5].p_value == 4 / 256.0 && tests[5].adjusted == 6 / 256.0 && tests[5].effect == -34 / 36.0);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const struct pair_test *one = &tests[a * 3 + b], *other = &tests[b * 3 + a];
            assert_true(one->p_value == other->p_value && one->adjusted == other->adjusted);
            assert_true(one->effect == -other->effect && (a != b || one->p_value == 1));
        }
    assert_true(signed_rank_pairs_least(3, 8) == 6 / 256.0 && signed_rank_pairs_least(12, 3) == 1);
}

/* Two solvers differ by a little on every problem. With ten others between them on half the problems, Nemenyi's test
 * finds a difference; with the ten elsewhere it does not. The p of their signed-rank test is the same in both pools. */
static void the_p_of_a_pair_does_not_depend_on_the_pool(void **state)
{
    (void)state;
    enum { POOL = 12, PROBLEMS = 10 };
    static double costs[2][POOL * PROBLEMS];
    struct pair_test tests[2][POOL * POOL];
    int apart[2];
    for (int pool = 0; pool < 2; pool++) {
        struct friedman friedman;
        double difference;
        for (int p = 0; p < PROBLEMS; p++)
            for (int s = 0; s < POOL; s++)
                costs[pool][s * PROBLEMS + p] = s < 2 ? s : pool == 0 ? 0.01 * s + 0.02 : 2 + s;
        friedman = friedman_test(memory, costs[pool], POOL, PROBLEMS);
        difference = nemenyi_difference(&friedman, 0.05);
        apart[pool] = friedman.mean_ranks[1] - friedman.mean_ranks[0] > difference;
        signed_rank_pairs(costs[pool], POOL, PROBLEMS, tests[pool]);
    }
    assert_true(apart[0] && !apart[1]);
    assert_true(tests[0][1].p_value == ldexp(1, -9) && tests[1][1].p_value == ldexp(1, -9));
}

/* Not solved is worse than any cost, and a tie if neither solves. Tenths tie like integers. */
static void unsolved_problems_and_decimals_are_ranked(void **state)
{
    (void)state;
    const double inf = (double)INFINITY, nan = (double)NAN;
    const double unsolved[2 * 4] = {1, 2, 3, inf, inf, 3, inf, inf}, ranked[2 * 4] = {0, 0, 0, 0, 9, 1, 9, 0};
    const double tenths[2 * 4] = {0.1, 0.3, 12.3, 1, 0.3, 0.1, 12.5, 0.9}, ones[2 * 4] = {1, 3, 123, 10, 3, 1, 125, 9};
    const double bad[2 * 2] = {1, nan, 1, 1};
    struct pair_test one[4], other[4];
    signed_rank_pairs(unsolved, 2, 4, one);
    signed_rank_pairs(ranked, 2, 4, other);
    assert_memory_equal(one, other, sizeof one);
    signed_rank_pairs(tenths, 2, 4, one);
    signed_rank_pairs(ones, 2, 4, other);
    assert_memory_equal(one, other, sizeof one);
    signed_rank_pairs(bad, 2, 2, one);
    assert_true(one[1].p_value == 1);
    signed_rank_pairs(ones, 1, 8, one);
    assert_true(one[0].p_value == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r_agrees_where_it_is_installed),
        cmocka_unit_test(pairs_are_adjusted_by_holm_and_mirrored),
        cmocka_unit_test(the_p_of_a_pair_does_not_depend_on_the_pool),
        cmocka_unit_test(unsolved_problems_and_decimals_are_ranked),
    };
    memory = pool_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(memory);
    return failed;
}
