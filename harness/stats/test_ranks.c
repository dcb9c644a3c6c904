/* Rank tests against full enumeration and against values computed with R. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/stats/distributions.h"
#include "harness/stats/rank_tests.h"

/* cmocka compares reals as float; these are compared in double precision. */
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

/* Two sums of the same terms in another order differ by a few rounding errors; p itself is at most 1. */
static const double rounding = 1e-12;

/* A number in [0, 1) from a linear congruential generator; good enough for test data, and portable. */
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / (double)(1u << 24);
}

static void ties_share_the_mean_of_their_places(void **state)
{
    (void)state;
    const double values[] = {3, 1, 3, 2, 3, 1};
    const double expected[] = {5, 1.5, 5, 3, 5, 1.5};
    double ranks[6], ties = 0;
    ties = ranks_of(values, 6, ranks);
    for (int i = 0; i < 6; i++)
        assert_true(ranks[i] == expected[i]);
    assert_true(ties == (27 - 3) + (8 - 2));
    ties = ranks_of(expected, 0, ranks);
    assert_true(ties == 0);
}

/* p of the three tails, from the numbers of the `all` equally likely outcomes at most and at least the observed one. */
static void check_tails(const double *p, double below, double above, double all)
{
    assert_near(p[TAIL_TWO_SIDED], fmin(1, 2 * fmin(below, above) / all), rounding);
    assert_near(p[TAIL_GREATER], above / all, rounding);
    assert_near(p[TAIL_LESS], below / all, rounding);
}

/* Enumerates every choice of m of the pooled values as x, and counts the pairs won, ties half. */
static void enumerate_choices(const double *pooled, unsigned m, unsigned n, const double *p)
{
    double seen = 0, below = 0, above = 0, all = 0;
    for (unsigned set = (1u << m) - 1; set < 1u << (m + n); set++) {
        double pairs = 0;
        if (__builtin_popcount(set) != (int)m)
            continue;
        for (unsigned i = 0; i < m + n; i++)
            for (unsigned j = 0; j < m + n; j++)
                if ((set >> i & 1) && !(set >> j & 1))
                    pairs += (pooled[i] > pooled[j]) + (pooled[i] == pooled[j]) / 2.0;
        seen = all > 0 ? seen : pairs; /* the first subset is the observed one */
        below += pairs <= seen;
        above += pairs >= seen;
        all++;
    }
    check_tails(p, below, above, all);
}

static void rank_sums_are_counted_as_by_enumeration(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned m = 1; m <= 11; m++)
        for (unsigned n = 1; n <= 12 - m; n++)
            for (int grain = 0; grain < 3; grain++) { /* many ties, some, none */
                double pooled[12], p[3];
                for (unsigned i = 0; i < m + n; i++) {
                    double value = draw(&seed) + (i < m ? 0.2 : 0);
                    pooled[i] = grain == 2 ? value + 1e-3 * i : floor(value * (grain ? 12 : 3));
                }
                for (int tail = 0; tail < 3; tail++) {
                    struct rank_test test;
                    test = rank_sum_test(pooled, m, pooled + m, n, (enum tail)tail);
                    assert_true(test.exact && test.n == m + n);
                    p[tail] = test.p_value;
                }
                enumerate_choices(pooled, m, n, p);
            }
}

/* The mid-rank of |d_i| among the nonzero ones: half the number of smaller plus half the number of not larger ones,
 * plus half. */
static double mid_rank(const double *d, unsigned n, unsigned i)
{
    double rank = 0.5;
    for (unsigned j = 0; j < n; j++)
        if (d[j] != 0)
            rank += (fabs(d[j]) < fabs(d[i])) / 2.0 + (fabs(d[j]) <= fabs(d[i])) / 2.0;
    return rank;
}

/* Enumerates all signs; zeros have none, so each outcome occurs 2^zeros times. */
static void enumerate_signs(const double *d, unsigned n, const struct rank_test *test, const double *p)
{
    double seen = 0, whole = 0, below = 0, above = 0, ranks[12];
    for (unsigned i = 0; i < n; i++) {
        ranks[i] = d[i] == 0 ? 0 : mid_rank(d, n, i);
        seen += d[i] > 0 ? ranks[i] : 0;
        whole += ranks[i];
    }
    assert_true(test->statistic == seen);
    assert_near(test->effect, whole > 0 ? (seen - (whole - seen)) / whole : 0, rounding);
    for (unsigned set = 0; set < 1u << n; set++) {
        double sum = 0;
        for (unsigned i = 0; i < n; i++)
            sum += (set >> i & 1) ? ranks[i] : 0;
        below += sum <= seen;
        above += sum >= seen;
    }
    check_tails(p, below, above, (double)(1u << n));
}

static void signed_ranks_are_counted_as_by_enumeration(void **state)
{
    (void)state;
    uint64_t seed = 11;
    const double zeros[12] = {0};
    for (unsigned n = 1; n <= 12; n++)
        for (int kind = 0; kind < 3; kind++) { /* ties and zeros, ties, none */
            double d[12], p[3];
            struct rank_test test;
            for (unsigned i = 0; i < n; i++) {
                double value = draw(&seed) - 0.3;
                d[i] = kind == 2 ? value + 1e-3 * i : rint(value * (kind ? 20 : 4));
            }
            for (int tail = 0; tail < 3; tail++) {
                test = signed_rank_test(d, zeros, n, (enum tail)tail);
                p[tail] = test.p_value;
            }
            enumerate_signs(d, n, &test, p);
        }
}

/* Compares the tails of the test with three values from R. */
static void check_signed(const double *x, const double *y, size_t n, const double *figures)
{
    for (int tail = 0; tail < 3; tail++)
        assert_near(signed_rank_test(x, y, n, (enum tail)tail).p_value, figures[tail], rounding);
}

static void check_sum(const double *x, size_t m, const double *y, size_t n, const double *figures)
{
    for (int tail = 0; tail < 3; tail++)
        assert_near(rank_sum_test(x, m, y, n, (enum tail)tail).p_value, figures[tail], rounding);
}

/* R 4.2.2. Exact with ties: r <- rank(abs(d)) without the zeros of d; sums of all subsets of r by s <- 0; for (x in r)
 * s <- c(s, s + x); mean(s >= V), mean(s <= V). Rank-sum: combn(14, 7, function(i) sum(rank(c(x, y))[i])). */
static void ties_and_zeros_give_the_figures_of_r(void **state)
{
    (void)state;
    const double p[] = {1, 2, 3, 4, 5, 6, 7}, q[] = {1, 3, 5, 4, 9, 1, 2};
    const double d[] = {3, -1, 2, 2, -2, 0, 5, 1, 1, 0, -3, 4, 4, -1, 6, 2, 7, 0, -5, 1}, zeros[20] = {0};
    check_signed(p, q, 7, (const double[]){0.75, 0.375, 0.65625});
    check_signed(d, zeros, 20, (const double[]){0.0728912353515625, 0.03644561767578125, 0.96643829345703125});
    check_sum(p, 7, q, 7, (const double[]){0.59731934731934733, 0.29865967365967366, 0.73135198135198132});
}

/* R 4.2.2: wilcox.test(x, y, alternative = "t", "g" and "l"), with exact = FALSE for more than 200 ranks, and TRUE. */
static void larger_samples_give_the_figures_of_r(void **state)
{
    (void)state;
    double u[260], v[260];
    for (int i = 0; i < 260; i++) {
        u[i] = i * 37 % 101 / 8.0;
        v[i] = i * 53 % 97 / 7.0;
    }
    check_sum(u, 130, v, 130, (const double[]){0.24422248019518264, 0.87822246530562453, 0.12211124009759132});
    check_signed(u, v, 260, (const double[]){0.099388612006892613, 0.95039068505975988, 0.049694306003446306});
    for (int i = 0; i < 100; i++) {
        u[i] = i * i * 37 % 1009 / 8.0 + i / 1e4;
        v[i] = (i * i * 53 + 3 * i) % 997 / 9.0 + 5 + i / 1e5;
    }
    check_signed(u, v, 100, (const double[]){0.14685398150600085, 0.073426990753000423, 0.92705310898409654});
    check_sum(u, 70, v, 60, (const double[]){0.42716421977121632, 0.21358210988560816, 0.78777295184312135});
}

static void counting_ends_at_its_limit(void **state)
{
    (void)state;
    double x[EXACT_MAX_RANKS + 1], y[EXACT_MAX_RANKS + 1] = {0};
    struct rank_test counted;
    for (int i = 0; i <= EXACT_MAX_RANKS; i++)
        x[i] = (i * 7 % 31 - 14) / 2.0; /* ties, zeros */
    x[14] = 99;                         /* replaces a zero; the last value becomes one */
    x[EXACT_MAX_RANKS] = 0;
    const double *half = x + EXACT_MAX_RANKS / 2;
    assert_true(rank_sum_test(x, 100, half, 100, TAIL_TWO_SIDED).exact);
    assert_false(rank_sum_test(x, 100, half, 101, TAIL_TWO_SIDED).exact);
    counted = signed_rank_test(x, y, EXACT_MAX_RANKS + 1, TAIL_TWO_SIDED);
    assert_true(counted.exact && counted.n < EXACT_MAX_RANKS);
    for (int i = 0; i <= EXACT_MAX_RANKS; i++)
        x[i] += 0.25; /* no zeros left to drop */
    const struct rank_test approximated = signed_rank_test(x, y, EXACT_MAX_RANKS + 1, TAIL_TWO_SIDED);
    assert_true(!approximated.exact && approximated.n == EXACT_MAX_RANKS + 1);
    counted = signed_rank_test(x, y, EXACT_MAX_RANKS, TAIL_TWO_SIDED);
    assert_true(counted.exact && counted.n == EXACT_MAX_RANKS);
    assert_near(counted.p_value, approximated.p_value, 0.02); /* the last value is the smallest but one in size */
}

/* All signs equal: 2^-n; all of one sample above the other: 1 / C(m + n, m). */
static void the_most_extreme_outcomes_have_their_chance(void **state)
{
    (void)state;
    double x[EXACT_MAX_RANKS], y[EXACT_MAX_RANKS] = {0};
    struct rank_test test;
    for (int i = 0; i < EXACT_MAX_RANKS; i++)
        x[i] = i + 1;
    test = signed_rank_test(x, y, EXACT_MAX_RANKS, TAIL_GREATER);
    assert_true(test.p_value == ldexp(1, -EXACT_MAX_RANKS) && test.effect == 1);
    test = signed_rank_test(x, y, EXACT_MAX_RANKS, TAIL_LESS);
    assert_true(test.p_value == 1);
    test = rank_sum_test(x, 100, x + 100, 100, TAIL_LESS);
    double expected = exp(2 * lgamma(101) - lgamma(201));
    assert_near(test.p_value / expected, 1, 1e-11); /* lgamma near 860 has an error of 1e-13, three times */
    assert_true(test.effect == -1);
    test = rank_sum_test(x, 100, x + 100, 100, TAIL_GREATER);
    assert_near(test.p_value, 1, rounding);
}

static void nothing_to_compare_gives_one(void **state)
{
    (void)state;
    const double same[] = {2, 2, 2}, big[201] = {0};
    struct rank_test test;
    for (enum tail tail = 0; tail < 3; tail++) {
        test = rank_sum_test(same, 3, same, 3, tail);
        assert_true(test.p_value == 1 && test.statistic == 4.5 && test.effect == 0);
        test = rank_sum_test(same, 0, same, 3, tail);
        assert_true(test.p_value == 1 && test.effect == 0);
        test = rank_sum_test(NULL, 0, NULL, 0, tail);
        assert_true(test.p_value == 1);
        test = rank_sum_test(big, 201, big, 3, tail);
        assert_true(test.p_value == 1);
        test = signed_rank_test(same, same, 3, tail);
        assert_true(test.p_value == 1 && test.n == 0 && test.effect == 0);
        test = signed_rank_test(NULL, NULL, 0, tail);
        assert_true(test.p_value == 1);
    }
}

static void one_value_is_the_least_evidence(void **state)
{
    (void)state;
    const double one[] = {1}, zero[] = {0};
    struct rank_test test;
    test = signed_rank_test(one, zero, 1, TAIL_TWO_SIDED);
    assert_true(test.p_value == 1 && test.exact && test.effect == 1);
    test = signed_rank_test(one, zero, 1, TAIL_GREATER);
    assert_true(test.p_value == 0.5);
    test = rank_sum_test(one, 1, zero, 1, TAIL_GREATER);
    assert_true(test.p_value == 0.5 && test.effect == 1);
}

static void infinite_values_are_ranked(void **state)
{
    (void)state;
    const double endless = (double)INFINITY;
    const double x[] = {endless, 3, 4, -endless}, finite[] = {9, 3, 4, -9}, y[] = {1, 2, 2, 5};
    struct rank_test with, without;
    with = signed_rank_test(x, y, 4, TAIL_TWO_SIDED);
    without = signed_rank_test(finite, (const double[]){-1, 2, 2, 1}, 4, TAIL_TWO_SIDED);
    assert_true(with.p_value == without.p_value && with.statistic == without.statistic); /* two tie as the largest */
    with = rank_sum_test(x, 4, y, 4, TAIL_TWO_SIDED);
    without = rank_sum_test(finite, 4, y, 4, TAIL_TWO_SIDED);
    assert_true(with.p_value == without.p_value && with.statistic == without.statistic);
}

static void what_is_not_a_number_shows_nothing(void **state)
{
    (void)state;
    const double good[] = {1, 2}, bad[] = {1, (double)NAN};
    const double endless[] = {(double)INFINITY, 1};
    assert_true(rank_sum_test(good, 2, bad, 2, TAIL_TWO_SIDED).p_value == 1);
    assert_true(signed_rank_test(good, bad, 2, TAIL_TWO_SIDED).p_value == 1);
    assert_true(signed_rank_test(endless, endless, 2, TAIL_TWO_SIDED).p_value == 1);
}

static void orders_of_pairs_are_counted_one_by_one(void **state)
{
    (void)state;
    /* pairs (1,2) alike, (1,3) against, (1,4) equal in y, (2,3) against, (2,4) equal in x, (3,4) against */
    const double x[] = {1, 2, 3, 2}, y[] = {5, 6, 4, 5}, infinite[] = {INFINITY, INFINITY, 0}, two[] = {1, 1, 2};
    struct pair_orders orders = pair_orders_of(x, y, 4);
    assert_true(orders.alike == 1 && orders.against == 3 && orders.equal_x == 1 && orders.equal_y == 1);
    assert_true(orders.equal_both == 0 && fabs(kendall_tau(&orders) + 2.0 / 5) < 1e-15);
    orders = pair_orders_of(x, x, 4);
    assert_true(orders.equal_both == 1 && kendall_tau(&orders) == 1);
    orders = pair_orders_of(infinite, two, 3);
    assert_true(orders.equal_both == 1 && orders.against == 2 && kendall_tau(&orders) == -1);
    orders = pair_orders_of(two, x, 1);
    assert_true(isnan(kendall_tau(&orders)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_pairs_are_counted_one_by_one),
        cmocka_unit_test(ties_share_the_mean_of_their_places),
        cmocka_unit_test(rank_sums_are_counted_as_by_enumeration),
        cmocka_unit_test(signed_ranks_are_counted_as_by_enumeration),
        cmocka_unit_test(ties_and_zeros_give_the_figures_of_r),
        cmocka_unit_test(larger_samples_give_the_figures_of_r),
        cmocka_unit_test(counting_ends_at_its_limit),
        cmocka_unit_test(the_most_extreme_outcomes_have_their_chance),
        cmocka_unit_test(nothing_to_compare_gives_one),
        cmocka_unit_test(one_value_is_the_least_evidence),
        cmocka_unit_test(infinite_values_are_ranked),
        cmocka_unit_test(what_is_not_a_number_shows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
