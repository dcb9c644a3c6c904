/* The rank tests against enumeration of every placement, against figures from R, and against R where it is installed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/stats/rank_sum.h"
#include "harness/stats/signed_rank.h"

/* cmocka compares reals as float; these are compared as they are. */
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

/* Two sums of the same terms in another order differ by a few roundings; p itself is at most 1. */
static const double rounding = 1e-12;

/* A number in [0, 1) from a congruential sequence; good enough to spread test data, and the same everywhere. */
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
    assert_int_equal(ranks_of(values, 6, ranks, &ties, NULL), STATUS_OK);
    for (int i = 0; i < 6; i++)
        assert_true(ranks[i] == expected[i]);
    assert_true(ties == (27 - 3) + (8 - 2));
    assert_int_equal(ranks_of(expected, 0, ranks, &ties, NULL), STATUS_OK);
    assert_true(ties == 0);
}

/* Mann-Whitney p by looking at every way to call m of the m + n values x. */
static double enumerated_rank_sum(const double *pooled, unsigned m, unsigned n)
{
    double seen = 0, below = 0, above = 0, all = 0;
    for (int pass = 0; pass < 2; pass++)
        for (unsigned set = 0; set < 1u << (m + n); set++) {
            if (__builtin_popcount(set) != (int)m)
                continue;
            double pairs = 0;
            for (unsigned i = 0; i < m + n; i++)
                for (unsigned j = 0; j < m + n; j++)
                    pairs += (set >> i & 1) && !(set >> j & 1) && pooled[i] > pooled[j];
            if (pass == 0 && set == (1u << m) - 1)
                seen = pairs;
            below += pass && pairs <= seen;
            above += pass && pairs >= seen;
            all += pass;
        }
    return fmin(1, 2 * fmin(below, above) / all);
}

static void rank_sum_counts_as_enumeration_does(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned m = 1; m <= 5; m++)
        for (unsigned n = 1; n <= 5; n++) {
            double pooled[10];
            struct rank_test test;
            for (unsigned i = 0; i < m + n; i++)
                pooled[i] = draw(&seed) + (i < m ? 0.2 : 0) + 1e-3 * i;
            assert_int_equal(rank_sum_test(pooled, m, pooled + m, n, &test, NULL), STATUS_OK);
            assert_true(test.exact);
            assert_near(test.p_value, enumerated_rank_sum(pooled, m, n), rounding);
        }
}

static double enumerated_signed_rank(const double *differences, unsigned n)
{
    double seen = 0, below = 0, above = 0;
    unsigned signs = 0;
    for (unsigned i = 0; i < n; i++)
        signs |= (unsigned)(differences[i] > 0) << i;
    for (int pass = 0; pass < 2; pass++)
        for (unsigned set = 0; set < 1u << n; set++) {
            double sum = 0;
            for (unsigned i = 0; i < n; i++)
                for (unsigned j = 0; j < n; j++) /* the rank of i is how many are not larger */
                    sum += (set >> i & 1) && fabs(differences[j]) <= fabs(differences[i]);
            if (pass == 0 && set == signs)
                seen = sum;
            below += pass && sum <= seen;
            above += pass && sum >= seen;
        }
    return fmin(1, 2 * fmin(below, above) / (double)(1u << n));
}

static void signed_rank_counts_as_enumeration_does(void **state)
{
    (void)state;
    uint64_t seed = 11;
    const double zeros[10] = {0};
    for (unsigned n = 1; n <= 10; n++) {
        double differences[10];
        struct rank_test test;
        for (unsigned i = 0; i < n; i++)
            differences[i] = draw(&seed) - 0.3 + 1e-3 * i;
        assert_int_equal(signed_rank_test(differences, zeros, n, &test, NULL), STATUS_OK);
        assert_true(test.exact);
        assert_near(test.p_value, enumerated_signed_rank(differences, n), rounding);
    }
}

/* The figures below are those of R 4.2.2's wilcox.test with its defaults. */
static void both_tests_give_the_figures_of_r(void **state)
{
    (void)state;
    const double x[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double y[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}; /* ties */
    const double a[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const double b[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    const double p[] = {1, 2, 3, 4, 5, 6, 7}, q[] = {1, 3, 5, 4, 9, 1, 2}; /* ties and zero differences */
    struct rank_test test;
    assert_int_equal(rank_sum_test(x, 9, y, 9, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 58 && !test.exact);
    assert_near(test.p_value, 0.13291945818531886, rounding);
    assert_int_equal(signed_rank_test(x, y, 9, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 40 && test.exact);
    assert_near(test.p_value, 0.0390625, rounding);
    assert_int_equal(rank_sum_test(a, 10, b, 5, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 35 && test.exact);
    assert_near(test.p_value, 0.2544122544122544, rounding);
    assert_int_equal(rank_sum_test(p, 7, q, 7, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 29 && !test.exact);
    assert_near(test.p_value, 0.60609568089521826, rounding);
    assert_int_equal(signed_rank_test(p, q, 7, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 9 && !test.exact);
    assert_near(test.p_value, 0.78645703513737641, rounding);
}

static void larger_samples_give_the_figures_of_r(void **state)
{
    (void)state;
    double u[60], v[60];
    struct rank_test test;
    for (int i = 0; i < 60; i++) {
        u[i] = i * 37 % 101 / 8.0;
        v[i] = i * 53 % 97 / 7.0;
    }
    assert_int_equal(rank_sum_test(u, 60, v, 60, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 1725.5 && !test.exact);
    assert_near(test.p_value, 0.69771808803633051, rounding);
    assert_int_equal(signed_rank_test(u, v, 60, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 825 && !test.exact);
    assert_near(test.p_value, 0.65335622353500278, rounding);
    for (int i = 0; i < 49; i++) { /* 49 is the largest size that is counted */
        u[i] = i * i * 37 % 1009 / 8.0 + i / 1e4;
        v[i] = (i * i * 53 + 3 * i) % 997 / 9.0 + 5 + i / 1e5;
    }
    assert_int_equal(rank_sum_test(u, 49, v, 49, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 1312 && test.exact);
    assert_near(test.p_value, 0.43199504497069685, rounding);
    assert_int_equal(signed_rank_test(u, v, 49, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 691 && test.exact);
    assert_near(test.p_value, 0.44118856037852799, rounding);
}

static void nothing_to_compare_gives_one(void **state)
{
    (void)state;
    const double same[] = {2, 2, 2};
    struct rank_test test;
    assert_int_equal(rank_sum_test(same, 3, same, 3, &test, NULL), STATUS_OK);
    assert_true(test.p_value == 1 && test.statistic == 4.5);
    assert_int_equal(rank_sum_test(same, 0, same, 3, &test, NULL), STATUS_OK);
    assert_true(test.p_value == 1);
    assert_int_equal(rank_sum_test(NULL, 0, NULL, 0, &test, NULL), STATUS_OK);
    assert_true(test.p_value == 1);
    assert_int_equal(signed_rank_test(same, same, 3, &test, NULL), STATUS_OK);
    assert_true(test.p_value == 1);
    assert_int_equal(signed_rank_test(NULL, NULL, 0, &test, NULL), STATUS_OK);
    assert_true(test.p_value == 1);
}

/* R drops zero differences and then no longer counts, ties or not: of 0, 1, 2, 3, 4 and 5 V is 15 of mean 7.5 and
 * variance 13.75, and z = (7.5 - 1/2) / sqrt(13.75). Counted, five signs alike would have p = 2 / 32. */
static void a_zero_difference_ends_exact_counting(void **state)
{
    (void)state;
    const double x[] = {7, 1, 2, 3, 4, 5}, y[] = {7, 0, 0, 0, 0, 0};
    struct rank_test test;
    assert_int_equal(signed_rank_test(x, y, 6, &test, NULL), STATUS_OK);
    assert_true(test.statistic == 15 && !test.exact);
    assert_near(test.p_value, erfc(7 / sqrt(13.75) / sqrt(2)), rounding);
    assert_int_equal(signed_rank_test(x + 1, y + 1, 5, &test, NULL), STATUS_OK);
    assert_true(test.exact && test.p_value == 2.0 / 32);
}

static void not_a_number_is_refused(void **state)
{
    (void)state;
    const double good[] = {1, 2}, bad[] = {1, (double)NAN};
    const double endless[] = {(double)INFINITY, 1};
    struct rank_test test;
    struct error error = {0};
    assert_int_equal(rank_sum_test(good, 2, bad, 2, &test, &error), STATUS_BAD_INPUT);
    assert_non_null(error.message[0] ? error.message : NULL);
    assert_int_equal(signed_rank_test(good, bad, 2, &test, &error), STATUS_BAD_INPUT);
    assert_int_equal(signed_rank_test(endless, endless, 2, &test, &error), STATUS_BAD_INPUT);
}

enum { CASES = 40, LARGEST = 70 };

struct case_data {
    size_t m, n;
    double x[LARGEST], y[LARGEST];
};

/* Sizes around R's limit of 50, every other case rounded so that values tie and differences vanish. */
static void make_case(int number, uint64_t *seed, struct case_data *data)
{
    static const size_t sizes[][2] = {{1, 1}, {4, 7}, {49, 49}, {50, 49}, {70, 70}, {12, 12}, {48, 3}};
    data->m = sizes[number % 7][0];
    data->n = sizes[number % 7][1];
    double grain = number % 2 ? 20 : 1e7;
    for (size_t i = 0; i < LARGEST; i++) {
        data->x[i] = floor((draw(seed) + draw(seed)) * grain) / grain;
        data->y[i] = floor((draw(seed) + draw(seed) + 0.02 * (number % 9)) * grain) / grain;
    }
}

static void write_values(FILE *script, const char *name, const double *values, size_t n)
{
    fprintf(script, "%s <- c(", name);
    for (size_t i = 0; i < n; i++)
        fprintf(script, "%s%.17g", i ? "," : "", values[i]);
    fputs(")\n", script);
}

static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    static struct case_data cases[CASES];
    uint64_t seed = 2011;
    char path[] = "/tmp/hullbench-ranks-XXXXXX", command[128];
    if (system("Rscript --version >/dev/null 2>&1") != 0)
        skip();
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *script = fdopen(descriptor, "w");
    assert_non_null(script);
    fputs("show <- function(t) cat(format(t$statistic, digits = 17), format(t$p.value, digits = 17), '\\n')\n", script);
    for (int i = 0; i < CASES; i++) {
        make_case(i, &seed, &cases[i]);
        size_t pairs = cases[i].m < cases[i].n ? cases[i].m : cases[i].n;
        write_values(script, "x", cases[i].x, cases[i].m);
        write_values(script, "y", cases[i].y, cases[i].n);
        fputs("show(suppressWarnings(wilcox.test(x, y)))\n", script);
        fprintf(script, "show(suppressWarnings(wilcox.test(x[1:%zu], y[1:%zu], paired = TRUE)))\n", pairs, pairs);
    }
    assert_int_equal(fclose(script), 0);
    snprintf(command, sizeof command, "Rscript --vanilla %s", path);
    FILE *answers = popen(command, "r");
    assert_non_null(answers);
    for (int i = 0; i < 2 * CASES; i++) {
        const struct case_data *one = &cases[i / 2];
        size_t pairs = one->m < one->n ? one->m : one->n;
        double statistic = 0, p_value = 0;
        struct rank_test test;
        assert_int_equal(fscanf(answers, "%lf %lf", &statistic, &p_value), 2);
        assert_int_equal(i % 2 ? signed_rank_test(one->x, one->y, pairs, &test, NULL)
                               : rank_sum_test(one->x, one->m, one->y, one->n, &test, NULL),
                         STATUS_OK);
        assert_true(test.statistic == statistic);
        assert_near(test.p_value, p_value, rounding);
    }
    while (fgetc(answers) != EOF) /* R may still be writing the end of its last line */
        continue;
    assert_int_equal(pclose(answers), 0);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_share_the_mean_of_their_places),
        cmocka_unit_test(rank_sum_counts_as_enumeration_does),
        cmocka_unit_test(signed_rank_counts_as_enumeration_does),
        cmocka_unit_test(both_tests_give_the_figures_of_r),
        cmocka_unit_test(larger_samples_give_the_figures_of_r),
        cmocka_unit_test(nothing_to_compare_gives_one),
        cmocka_unit_test(a_zero_difference_ends_exact_counting),
        cmocka_unit_test(not_a_number_is_refused),
        cmocka_unit_test(r_agrees_where_it_is_installed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
