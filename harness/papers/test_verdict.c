/* The rule of docs/verdicts.md, with its bounds recomputed here from GSL's quantiles or by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "harness/papers/verdict.h"

/* cmocka compares reals as float; these are compared in double precision. */
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

static struct summary summary(double mean, double sd, size_t n)
{
    return (struct summary){.n = n, .mean = mean, .sd = sd, .min = mean, .max = mean, .median = mean};
}

static enum verdict judged(struct printed printed, struct summary measured)
{
    return verdict_mean(&printed, &measured).verdict;
}

static struct agreement agreement(struct printed printed, struct summary measured)
{
    return verdict_mean(&printed, &measured);
}

static void names_have_no_holes(void **state)
{
    (void)state;
    for (int v = 0; v < VERDICT_COUNT; v++) {
        assert_true(verdict_texts[v].name[0] && verdict_texts[v].sign[0] && verdict_texts[v].meaning[0]);
        if (v != VERDICT_MISSING) {
            assert_non_null(strstr(verdict_legend, verdict_texts[v].name));
            assert_non_null(strstr(verdict_explanation, verdict_texts[v].sign));
        }
        for (int w = 0; w < v; w++)
            assert_true(strcmp(verdict_texts[v].name, verdict_texts[w].name) != 0 &&
                        strcmp(verdict_texts[v].sign, verdict_texts[w].sign) != 0);
    }
    assert_string_equal(verdict_texts[VERDICT_NEAR].name, "near");
}

/* s = 2 and n = 100 on both sides: e = 2 sqrt(2/100), and Welch's df is exactly 198. 5 % of 50 is 2.5. */
static void the_edges_between_agrees_compatible_near_and_differs(void **state)
{
    (void)state;
    const struct printed printed = {50, 2, 100, 1, 1, 0, 0};
    const double e = 2 * sqrt(2.0 / 100), rejected = gsl_cdf_tdist_Pinv(0.995, 198) * e + 0.05;
    const double agrees = 2.5 - gsl_cdf_tdist_Pinv(0.975, 198) * e - 0.05;
    assert_true(rejected < agrees);
    assert_near(agreement(printed, summary(50.3, 2, 100)).allowed, rejected, 1e-11);
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_int_equal(judged(printed, summary(50 + sign * (rejected - 1e-6), 2, 100)), VERDICT_AGREES);
        assert_int_equal(judged(printed, summary(50 + sign * (rejected + 1e-6), 2, 100)), VERDICT_NEAR);
        assert_int_equal(judged(printed, summary(50 + sign * 2.4999, 2, 100)), VERDICT_NEAR);
        assert_int_equal(judged(printed, summary(50 + sign * 2.5001, 2, 100)), VERDICT_DIFFERS);
    }
    /* with standard deviations of 6 the 95 % interval reaches 2.5 before the test rejects */
    const struct printed wide = {50, 6, 100, 1, 1, 0, 0};
    const double reaches = 2.5 - gsl_cdf_tdist_Pinv(0.975, 198) * 6 * sqrt(2.0 / 100) - 0.05;
    const double wide_rejected = gsl_cdf_tdist_Pinv(0.995, 198) * 6 * sqrt(2.0 / 100) + 0.05;
    assert_true(reaches > 0 && reaches < wide_rejected && wide_rejected < 2.5);
    assert_int_equal(judged(wide, summary(50 + reaches - 1e-6, 6, 100)), VERDICT_AGREES);
    assert_int_equal(judged(wide, summary(50 + reaches + 1e-6, 6, 100)), VERDICT_COMPATIBLE);
    assert_int_equal(judged(wide, summary(50 + wide_rejected - 1e-6, 6, 100)), VERDICT_COMPATIBLE);
    assert_int_equal(judged(wide, summary(50 + wide_rejected + 1e-6, 6, 100)), VERDICT_NEAR);
}

/* A mean many standard errors off is near only within the bound, for any number of digits and any standard error. */
static void no_multiple_of_the_standard_error_makes_a_cell_near(void **state)
{
    (void)state;
    for (double sd = 0.001; sd < 100; sd *= 3)
        for (double mean = 0.5; mean < 1e4; mean *= 7)
            for (double off = 0.01; off < 1; off *= 1.2) {
                const struct printed printed = {mean, sd, 100, 1, 1, 0, 0};
                const enum verdict verdict = judged(printed, summary(mean * (1 + off), sd, 100));
                assert_true(verdict != VERDICT_NEAR || off <= 0.05 + 1e-9 / mean);
                assert_true(verdict != VERDICT_DIFFERS || off > 0.05 - 1e-9);
            }
}

/* The test allows for t(0.995) e + h; a value is undecidable if that exceeds half of the printed one. */
static void wide_intervals_are_undecidable(void **state)
{
    (void)state;
    const double quantile = gsl_cdf_tdist_Pinv(0.995, 198) * sqrt(2.0 / 100);
    const double limit = (5 - 0.05) / quantile; /* the sd at which the half-width of the 99 % interval is half of 10 */
    for (int step = -1; step <= 1; step += 2) {
        const double sd = limit + step * 1e-4;
        const struct printed printed = {10, sd, 100, 1, 4, 0, 0};
        assert_int_equal(judged(printed, summary(10, sd, 100)), step < 0 ? VERDICT_COMPATIBLE : VERDICT_UNDECIDABLE);
        assert_int_equal(judged(printed, summary(10 + quantile * sd + 0.051, sd, 100)), VERDICT_DIFFERS);
    }
    /* a reduction by 95 % leaves five: half of that is 2.5 */
    const struct printed reduction = {95, (double)NAN, 100, 1, 1, 100, 0};
    const double sd = 2.45 / (gsl_cdf_tdist_Pinv(0.995, 99) * sqrt(2.0 / 100));
    assert_int_equal(judged(reduction, summary(95, sd - 1e-4, 100)), VERDICT_COMPATIBLE);
    assert_int_equal(judged(reduction, summary(95, sd + 1e-4, 100)), VERDICT_UNDECIDABLE);
}

/* One split printed as 2.26, ours 6.58 +- 2.39 over 20: not rejected, but not an agreement either. */
static void a_single_printed_split_far_below_ours_is_no_agreement(void **state)
{
    (void)state;
    const struct printed printed = {2.26, (double)NAN, 1, 2, 2, 0, 0};
    const enum verdict verdict = judged(printed, summary(6.578947, 2.39, 20));
    assert_int_equal(verdict, VERDICT_UNDECIDABLE);
    assert_false(verdict_is_agreement(verdict));
}

/* The paper saves 88.82 % and leaves 11.18; ours leaves 8.71, 22 % less, and is 24.9 standard errors off. */
static void a_reduction_that_leaves_a_fifth_less_differs(void **state)
{
    (void)state;
    const struct printed printed = {88.82, (double)NAN, 100, 2, 2, 100, 0};
    const struct agreement found = agreement(printed, summary(91.2910, 0.4041, 20));
    assert_int_equal(found.verdict, VERDICT_DIFFERS);
}

static void unequal_spreads_use_welch(void **state)
{
    (void)state;
    const struct printed printed = {10, 1, 20, 2, 2, 0, 0};
    double a = 9.0 / 100, b = 1.0 / 20;
    double df = (a + b) * (a + b) / (a * a / 99 + b * b / 19);
    double rejected = gsl_cdf_tdist_Pinv(0.995, df) * sqrt(a + b) + 0.005;
    assert_int_equal(judged(printed, summary(10 + rejected - 1e-6, 3, 100)), VERDICT_COMPATIBLE);
    assert_int_equal(judged(printed, summary(10 + rejected + 1e-6, 3, 100)), VERDICT_DIFFERS);
}

static void without_spread_only_rounding_is_allowed(void **state)
{
    (void)state;
    const struct printed printed = {400, 0, 100, 1, 1, 0, 0};
    assert_int_equal(judged(printed, summary(400.05, 0, 100)), VERDICT_AGREES); /* exactly half a unit */
    assert_int_equal(judged(printed, summary(400.06, 0, 100)), VERDICT_NEAR);
    assert_int_equal(judged(printed, summary(421, 0, 100)), VERDICT_DIFFERS);
    const struct printed tiny = {0.5, 0, 100, 1, 1, 0, 0};
    assert_int_equal(judged(tiny, summary(0.65, 0, 100)), VERDICT_DIFFERS);
    assert_int_equal(judged(tiny, summary(0.56, 0, 100)), VERDICT_DIFFERS); /* a tenth off, although a unit is 0.1 */
}

/* 0.5 means 0.45 to 0.55, and 5 % of it is less than that. A value that surely rounds to it agrees. */
static void a_value_that_surely_rounds_to_the_printed_digits_agrees(void **state)
{
    (void)state;
    const struct printed printed = {0.5, 0.1, 100, 1, 1, 0, 0};
    const double width = gsl_cdf_tdist_Pinv(0.975, 198) * 0.1 * sqrt(2.0 / 100);
    assert_true(width < 0.05);
    assert_int_equal(judged(printed, summary(0.55 - width - 1e-6, 0.1, 100)), VERDICT_AGREES);
    assert_int_equal(judged(printed, summary(0.55 - width + 1e-6, 0.1, 100)), VERDICT_COMPATIBLE);
}

static void a_printed_zero_sd_stands_for_half_its_unit(void **state)
{
    (void)state;
    const struct printed printed = {1, 0, 20, 1, 1, 0, 0};
    double a = 0.01 * 0.01 / 100, b = 0.05 * 0.05 / 20;
    double df = (a + b) * (a + b) / (a * a / 99 + b * b / 19);
    double rejected = gsl_cdf_tdist_Pinv(0.995, df) * sqrt(a + b) + 0.05;
    assert_int_equal(judged(printed, summary(1 + rejected - 1e-6, 0.01, 100)), VERDICT_COMPATIBLE);
    assert_int_equal(judged(printed, summary(1 + rejected + 1e-6, 0.01, 100)), VERDICT_DIFFERS);
}

static void one_record_borrows_the_printed_spread(void **state)
{
    (void)state;
    const struct printed printed = {16, 3.3, 100, 1, 1, 0, 0};
    double a = 3.3 * 3.3, b = a / 100;
    double rejected = gsl_cdf_tdist_Pinv(0.995, (a + b) * (a + b) / (a * a / 99 + b * b / 99)) * sqrt(a + b) + 0.05;
    assert_int_equal(judged(printed, summary(16 + rejected - 1e-6, (double)NAN, 1)), VERDICT_UNDECIDABLE);
    assert_int_equal(judged(printed, summary(16 + rejected + 1e-6, (double)NAN, 1)), VERDICT_DIFFERS);
}

/* Two errors of 19 % against 15.9 +- 3.2: an sd of 0 by chance does not mean certainty. */
static void a_few_equal_records_borrow_the_printed_spread(void **state)
{
    (void)state;
    const struct printed printed = {15.9, 3.2, 100, 1, 1, 0, 0};
    assert_int_equal(judged(printed, summary(19, 0, 2)),
                     VERDICT_COMPATIBLE); /* one printed sd off, e = 3.2 sqrt(1/2 + 1/100) */
    assert_int_equal(judged(printed, summary(19, 0, 8)), VERDICT_DIFFERS);
}

/* Both means then share our spread: (m_o - m_p) / (s_o sqrt(1/n_o + 1/n_p)) is Student's t with n_o - 1. */
static void a_mean_without_printed_spread_is_judged_by_ours(void **state)
{
    (void)state;
    const struct printed printed = {5.51, (double)NAN, 100, 2, 2, 0, 0};
    double e = 0.8 * sqrt(1.0 / 20 + 1.0 / 100);
    double rejected = gsl_cdf_tdist_Pinv(0.995, 19) * e + 0.005;
    assert_int_equal(judged(printed, summary(5.51 - rejected + 1e-6, 0.8, 20)), VERDICT_COMPATIBLE);
    assert_int_equal(judged(printed, summary(5.51 - rejected - 1e-6, 0.8, 20)), VERDICT_DIFFERS);
    const struct agreement found = agreement(printed, summary(5.51, 0.8, 20));
    assert_true(isnan(found.sd_ratio) && found.sds_agree == SD_UNDECIDABLE);
    assert_near(found.allowed, rejected, 1e-11);
    /* fewer than eight records give no estimate of the spread, even if they are equal */
    assert_int_equal(judged(printed, summary(5.51, (double)NAN, 1)), VERDICT_UNDECIDABLE);
    assert_int_equal(judged(printed, summary(6, 0, 7)), VERDICT_UNDECIDABLE);
    assert_int_equal(judged(printed, summary(6, 0, 8)), VERDICT_DIFFERS);
}

static void nothing_measured_is_missing(void **state)
{
    (void)state;
    const struct summary none = summary((double)NAN, (double)NAN, 0);
    const struct agreement found = agreement((struct printed){16, 3.3, 100, 1, 1, 0, 0}, none);
    assert_true(found.verdict == VERDICT_MISSING);
}

/* For 100 splits the sd is ten times the standard error: 0.07 with two digits is 0.7 with one, in every verdict,
 * and 0.00 is 0.0. For 20 splits half a unit of the last digit is sqrt(20) times half a unit. */
static void a_standard_error_is_the_deviation_over_the_root_of_the_splits(void **state)
{
    (void)state;
    const double sds[] = {0, 0.02, 0.4, 0.55, 0.7, 0.86, 1, 3};
    for (size_t i = 0; i < sizeof sds / sizeof *sds; i++)
        for (int zero = 0; zero < 2; zero++)
            for (size_t n = 1; n <= 100; n += 33) {
                const double sd = zero ? 0 : 0.7;
                const struct printed as_sd = {11.5, sd, 100, 1, 1, 0, 0}, as_error = {11.5, sd, 100, 1, 2, 0, 1};
                const struct summary measured = summary(11.6, sds[i], n);
                const struct agreement of_sd = agreement(as_sd, measured), of_error = agreement(as_error, measured);
                assert_true(of_sd.verdict == of_error.verdict && of_sd.sds_agree == of_error.sds_agree);
                assert_near(of_error.low, of_sd.low, 1e-12);
                assert_near(of_error.high, of_sd.high, 1e-12);
            }
    assert_true(printed_sd_scale(&(struct printed){.n = 20}) == 1);
    assert_near(printed_sd_scale(&(struct printed){.n = 20, .is_error = 1}), sqrt(20), 1e-15);
    const struct printed printed = {3, 0.13 * sqrt(20), 20, 1, 2, 0, 1};
    const double limit = sqrt(gsl_cdf_fdist_Pinv(0.995, 99, 19)) * 0.135 * sqrt(20);
    struct sd_limits limits = {0};
    assert_int_equal(verdict_sd(&printed, &(struct summary){.n = 100, .sd = limit - 1e-6}, &limits), SD_AGREES);
    assert_int_equal(verdict_sd(&printed, &(struct summary){.n = 100, .sd = limit + 1e-6}, &limits), SD_DIFFERS);
}

static void spreads_are_judged_apart(void **state)
{
    (void)state;
    const struct printed printed = {10, 1, 100, 1, 3, 0, 0};
    double limit = sqrt(gsl_cdf_fdist_Pinv(0.995, 99, 99)) * 1.0005;
    struct agreement found;
    struct summary measured = summary(10, limit - 1e-6, 100);
    found = verdict_mean(&printed, &measured);
    assert_true(found.sds_agree == SD_AGREES && found.verdict == VERDICT_AGREES);
    assert_near(found.sd_ratio, measured.sd, 1e-15);
    measured.sd = limit + 1e-6;
    found = verdict_mean(&printed, &measured);
    assert_true(found.sds_agree == SD_DIFFERS && found.verdict == VERDICT_AGREES);
    measured.n = 1;
    assert_int_equal(verdict_mean(&printed, &measured).sds_agree, SD_UNDECIDABLE);
    /* limits for other numbers of values are recomputed */
    struct sd_limits limits = {0};
    measured = summary(10, sqrt(gsl_cdf_fdist_Pinv(0.995, 19, 99)) * 1.0005 - 1e-6, 20);
    assert_int_equal(verdict_sd(&printed, &(struct summary){.n = 100, .sd = 1}, &limits), SD_AGREES);
    assert_int_equal(verdict_sd(&printed, &measured, &limits), SD_AGREES);
    assert_true(limits.ours == 20 && limits.theirs == 100);
}

/* With 100 values each and kurtosis k, both have 200 / (k - 97/99) degrees of freedom. */
static void values_with_heavy_tails_widen_the_test_of_deviations(void **state)
{
    (void)state;
    const struct printed printed = {10, 1, 100, 1, 3, 0, 0};
    struct sd_limits limits = {0};
    const double df = 200 / (9 - 97.0 / 99);
    const double limit = sqrt(gsl_cdf_fdist_Pinv(0.995, df, df)) * 1.0005;
    struct summary measured = {.n = 100, .mean = 10, .sd = limit - 1e-6, .kurtosis = 9};
    assert_true(limit > 1.3 * sqrt(gsl_cdf_fdist_Pinv(0.995, 99, 99)));
    assert_int_equal(verdict_sd(&printed, &measured, &limits), SD_AGREES);
    measured.sd = limit + 1e-6;
    assert_int_equal(verdict_sd(&printed, &measured, &limits), SD_DIFFERS);
    /* for lighter than normal and for unknown tails the normal limit holds */
    const double unknown[] = {1.8, (double)NAN};
    for (size_t i = 0; i < 2; i++) {
        measured.kurtosis = unknown[i];
        measured.sd = sqrt(gsl_cdf_fdist_Pinv(0.995, 99, 99)) * 1.0005 - 1e-6;
        assert_int_equal(verdict_sd(&printed, &measured, &limits), SD_AGREES);
        measured.sd += 2e-6;
        assert_int_equal(verdict_sd(&printed, &measured, &limits), SD_DIFFERS);
    }
    /* each limit leaves a tail of 0.5 %, for any degrees of freedom */
    for (size_t n = 10; n <= 1000; n += 66)
        for (double k = 3; k < 12; k += 0.17) {
            const double printed_df = 200 / (k - 97.0 / 99), size = (double)n;
            const double ours_df = 2 * size / (k - (size - 3) / (size - 1));
            measured = (struct summary){.n = n, .mean = 10, .sd = 9, .kurtosis = k};
            assert_int_equal(verdict_sd(&printed, &measured, &limits), 9 * 9 > limits.upper ? SD_DIFFERS : SD_AGREES);
            assert_near(gsl_cdf_fdist_P(limits.lower, ours_df, printed_df), 0.005, 1e-10);
            assert_near(gsl_cdf_fdist_Q(limits.upper, ours_df, printed_df), 0.005, 1e-10);
        }
    /* one outlier in a thousand values: at least one degree of freedom, and finite limits */
    measured = (struct summary){.n = 1000, .mean = 10, .sd = 30, .kurtosis = 998};
    assert_int_equal(verdict_sd(&printed, &measured, &limits), SD_AGREES);
    assert_true(limits.lower > 0 && limits.lower < 1 && limits.upper > 1 && isfinite(limits.upper));
}

static struct agreement judged_minimum(double printed_minimum, const double *values, size_t n)
{
    const struct printed printed = {printed_minimum, (double)NAN, 100, 4, 4, 0, 0};
    struct summary measured;
    measured = summary_of(values, n);
    return verdict_minimum(&printed, &measured, values);
}

static void values_below_a_printed_minimum_are_counted(void **state)
{
    (void)state;
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = 0.0100 + 0.0010 * i; /* spacing 10 units of the last digit */
    /* k = 7: (100 ... 94) / (200 ... 194) = 0.0070; k = 8: 0.0033, below 0.005 */
    assert_int_equal(judged_minimum(0.0165, values, 100).verdict, VERDICT_UNDECIDABLE); /* 7 below */
    assert_int_equal(judged_minimum(0.0175, values, 100).verdict, VERDICT_DIFFERS);     /* 8 below */
    assert_int_equal(judged_minimum(1, values, 0).verdict, VERDICT_MISSING);
}

/* Values that hardly vary: the interval of the minimum is narrow on both sides. */
static void minima_agree_differ_or_are_near_by_their_interval(void **state)
{
    (void)state;
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = i % 2 ? 1.001 : 0.999;
    /* mean 1, sd 0.001 sqrt(100/99); the smallest of 100 more lies above 1 - t sd sqrt(1.01), t at 0.005/100 */
    const double sd = 0.001 * sqrt(100.0 / 99), t = -gsl_cdf_tdist_Pinv(0.005 / 100, 99);
    const double lowest = 1 - t * sd * sqrt(1.01) - 0.00005;
    assert_int_equal(judged_minimum(0.999, values, 100).verdict, VERDICT_AGREES);
    assert_int_equal(judged_minimum(lowest + 1e-7, values, 100).verdict, VERDICT_AGREES);
    assert_int_equal(judged_minimum(lowest - 1e-7, values, 100).verdict, VERDICT_NEAR);
    assert_int_equal(judged_minimum(0.94, values, 100).verdict, VERDICT_DIFFERS); /* ours, 0.999, is 6 % more */
    assert_int_equal(judged_minimum(1.0005, values, 100).verdict, VERDICT_NEAR); /* half of our values are below */
    assert_int_equal(judged_minimum(0.999, values, 7).verdict, VERDICT_UNDECIDABLE);
}

enum { STUDIES = 20000, SPLITS = 100 };

/* Draws n normal values, rounded as printed, and returns their summary. */
static struct summary draw(gsl_rng *generator, double mean, double sd, size_t n, double *values)
{
    struct summary drawn;
    for (size_t i = 0; i < n; i++)
        values[i] = mean + gsl_ran_gaussian_ziggurat(generator, sd);
    drawn = summary_of(values, n);
    return drawn;
}

static struct printed print(const struct summary *theirs, double value, int has_sd, int decimals)
{
    const double unit = pow(10, decimals);
    return (struct printed){nearbyint(value * unit) / unit, has_sd ? nearbyint(theirs->sd * unit) / unit : (double)NAN,
                            theirs->n, decimals, decimals, 0, 0};
}

/* Two studies of one experiment: at most one in a hundred is rejected, and if the interval is narrow most agree. The
 * margin of 0.0025 is 3.5 standard deviations of a share of 1 % among 20 000. */
static void identical_experiments_are_rejected_in_one_of_a_hundred_at_most(void **state)
{
    (void)state;
    static const struct {
        double mean, sd;
        size_t ours, theirs;
        int has_sd, is_minimum;
        enum verdict most; /* the most frequent */
    } cases[] = {
        {50, 2, 100, 100, 1, 0, VERDICT_AGREES},     {16, 3.3, 100, 100, 1, 0, VERDICT_COMPATIBLE},
        {16, 3.3, 20, 20, 1, 0, VERDICT_COMPATIBLE}, {16, 3.3, 8, 20, 1, 0, VERDICT_COMPATIBLE},
        {5, 2.5, 20, 100, 0, 0, VERDICT_COMPATIBLE}, {10, 3, 50, 1, 0, 0, VERDICT_UNDECIDABLE},
        {20, 1, 100, 100, 0, 1, VERDICT_COMPATIBLE}, {20, 1, 30, 20, 0, 1, VERDICT_COMPATIBLE},
    };
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(generator, 1);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t counts[VERDICT_COUNT] = {0}, most = 0, fast = 0;
        for (int study = 0; study < STUDIES; study++) {
            double values[SPLITS], others[SPLITS];
            const struct summary ours = draw(generator, cases[c].mean, cases[c].sd, cases[c].ours, values);
            const struct summary theirs = draw(generator, cases[c].mean, cases[c].sd, cases[c].theirs, others);
            const int minimum = cases[c].is_minimum;
            const struct printed printed = print(&theirs, minimum ? theirs.min : theirs.mean, cases[c].has_sd, 1);
            counts[(minimum ? verdict_minimum(&printed, &ours, values) : verdict_mean(&printed, &ours)).verdict]++;
            fast += !minimum && verdict_mean_is_rejected(&printed, &ours);
        }
        const size_t rejected = counts[VERDICT_NEAR] + counts[VERDICT_DIFFERS];
        if ((double)rejected > STUDIES * (0.01 + 0.0025))
            fail_msg("case %zu: %zu of %d rejected", c, rejected, STUDIES);
        assert_true(cases[c].is_minimum || fast == rejected);
        for (size_t v = 0; v < VERDICT_COUNT; v++)
            most = counts[v] > counts[most] ? v : most;
        assert_int_equal(most, cases[c].most);
        assert_int_equal(counts[VERDICT_MISSING], 0);
    }
    gsl_rng_free(generator);
}

/* If the true difference is the bound itself, an agreement is false; the interval leaves out 2.5 % at each end. */
static void an_experiment_at_the_bound_agrees_in_one_of_forty_at_most(void **state)
{
    (void)state;
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    size_t agree = 0;
    gsl_rng_set(generator, 2);
    for (int study = 0; study < STUDIES; study++) {
        double values[SPLITS], others[SPLITS];
        const struct summary ours = draw(generator, 50 * 1.05, 4, SPLITS, values);
        const struct summary theirs = draw(generator, 50, 4, SPLITS, others);
        const struct printed printed = print(&theirs, theirs.mean, 1, 1);
        agree += verdict_mean(&printed, &ours).verdict == VERDICT_AGREES;
    }
    gsl_rng_free(generator);
    assert_true((double)agree <= STUDIES * (0.025 + 0.004)); /* 3.5 standard deviations of the share */
}

/* The interval of the difference is Welch's at 95 %, widened by half a unit on both sides. */
static void the_interval_of_means_is_welchs_and_the_rounding(void **state)
{
    (void)state;
    const struct printed printed = {10, 1, 20, 2, 2, 0, 0};
    const struct summary measured = summary(10.3, 3, 100);
    double a = 9.0 / 100, b = 1.0 / 20;
    double width = gsl_cdf_tdist_Pinv(0.975, (a + b) * (a + b) / (a * a / 99 + b * b / 19)) * sqrt(a + b) + 0.005;
    const struct agreement agreement = verdict_mean(&printed, &measured);
    assert_near(agreement.low, 0.3 - width, 1e-11); /* the half-width is rounded to 12 digits */
    assert_near(agreement.high, 0.3 + width, 1e-11);
    assert_near(agreement.bound, 0.5, 1e-15);
}

/* A reduction of 88.82 % leaves 11.18 %; one of 2 % saves 2 %. The bound is 5 % of the smaller part. */
static void the_bound_of_a_reduction_is_that_of_its_smaller_part(void **state)
{
    (void)state;
    struct printed printed = {88.82, (double)NAN, 100, 2, 2, 100, 0};
    const struct summary measured = summary(91.3, 0.4, 20);
    assert_near(verdict_mean(&printed, &measured).bound, 0.559, 1e-12);
    printed.mean = 2;
    assert_near(verdict_mean(&printed, &measured).bound, 0.1, 1e-12);
}

static void a_value_on_the_same_split_differs_by_more_than_rounding_or_agrees(void **state)
{
    (void)state;
    const struct printed printed = {11.53, (double)NAN, 1, 2, 2, 0, 0};
    assert_int_equal(verdict_same_split(&printed, 11.534).verdict, VERDICT_AGREES);
    assert_int_equal(verdict_same_split(&printed, 100 * 12 / 104.0).verdict, VERDICT_NEAR); /* truncated, not rounded */
    assert_int_equal(verdict_same_split(&printed, 100 * 11 / 104.0).verdict, VERDICT_DIFFERS);
    const struct agreement agreement = verdict_same_split(&printed, 11.6);
    assert_near(agreement.low, 0.065, 1e-12);
    assert_near(agreement.high, 0.075, 1e-12);
    assert_near(agreement.allowed, 0.005, 1e-15);
}

static void few_records_without_a_printed_spread_leave_the_difference_open(void **state)
{
    (void)state;
    const struct printed printed = {5.51, (double)NAN, 100, 2, 2, 0, 0};
    struct summary measured = summary(5.51, 0, 7);
    struct agreement agreement = verdict_mean(&printed, &measured);
    assert_true(isinf(agreement.low) && isinf(agreement.high) && agreement.low < agreement.high);
    measured.n = 8;
    agreement = verdict_mean(&printed, &measured);
    assert_near(agreement.low, -0.005, 1e-15);
    assert_near(agreement.high, 0.005, 1e-15);
}

/* n_o = n_p = 100: the five smallest are all ours with probability 0.0282, the six smallest with 0.0134, so the sixth
 * smallest is the limit. */
static void the_interval_of_a_minimum_is_from_ranks_above_and_a_normal_tail_below(void **state)
{
    (void)state;
    double values[100], five = 1, mean = 0;
    for (int i = 0; i < 100; i++) {
        values[i] = 2 - 0.01 * i; /* not in ascending order; the sixth smallest is 2 - 0.94 */
        mean += values[i] / 100;
    }
    for (int i = 0; i < 5; i++)
        five *= (100.0 - i) / (200.0 - i);
    assert_true(five > 0.025 && five * 95 / 195 <= 0.025);
    struct summary measured;
    measured = summary_of(values, 100);
    const struct printed printed = {1, (double)NAN, 100, 1, 1, 0, 0};
    const struct agreement agreement = verdict_minimum(&printed, &measured, values);
    assert_near(agreement.high, 1.06 - 1 + 0.05, 1e-12);
    double lowest = mean - gsl_cdf_tdist_Pinv(1 - 0.025 / 100, 99) * measured.sd * sqrt(1.01);
    assert_near(agreement.low, lowest - 1 - 0.05, 1e-9); /* 1 - 0.00025 loses four of 16 digits */
    const struct printed many = {1, (double)NAN, 1, 1, 1, 0, 0};
    struct summary few;
    few = summary_of(values, 7);
    const struct agreement open = verdict_minimum(&many, &few, values);
    assert_true(isinf(open.low) && isinf(open.high));
}

/* n_p = 25 leaves 24 degrees of freedom; with unlimited splits of ours, agreement needs t s_p / 5 + h <= 2.5. */
static void a_cell_can_agree_if_the_printed_interval_fits_the_bound(void **state)
{
    (void)state;
    const double limit = (2.5 - 0.05) * 5 / gsl_cdf_tdist_Pinv(0.975, 24);
    for (int step = -1; step <= 1; step += 2) {
        const struct printed printed = {50, limit + step * 1e-4, 25, 1, 4, 0, 0};
        const struct summary ours = summary(48, 30, 10); /* neither its mean nor its deviation matters */
        assert_int_equal(verdict_ceiling(&printed, &ours).can_agree, step < 0);
        assert_true(verdict_ceiling(&printed, &ours).chance == 0); /* ten splits are too few */
    }
    /* 0.5 means 0.45 to 0.55, wider than 5 % */
    const double coarse = 0.05 * 5 / gsl_cdf_tdist_Pinv(0.975, 24);
    for (int step = -1; step <= 1; step += 2) {
        const struct printed printed = {0.5, coarse + step * 1e-6, 25, 1, 7, 0, 0};
        const struct summary ours = summary(0.5, 1, 100);
        assert_int_equal(verdict_ceiling(&printed, &ours).can_agree, step < 0);
    }
    const struct printed exact = {50, 0, 25, 1, 1, 0, 0};
    const struct summary constant = summary(50, 0, 25), none = {.n = 0};
    assert_true(verdict_ceiling(&exact, &constant).can_agree && verdict_ceiling(&exact, &constant).chance == 1);
    assert_true(verdict_ceiling(&exact, &none).chance <= 1);
}

/* Simulated identical experiments: the mean chance is the share of agreements, within four standard errors. */
static void the_chance_is_how_often_identical_experiments_agree(void **state)
{
    (void)state;
    static const struct {
        double sd;
        size_t ours, theirs;
        int decimals, has_sd;
    } cases[] = {{2, 100, 100, 1, 1}, {4, 1000, 100, 1, 1}, {6, 100, 100, 1, 1}, {2, 20, 20, 0, 1},
                 {2, 100, 100, 1, 0}, {1.2, 10, 10, 2, 0}};
    enum { TIMES = 4000 };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double agree = 0, chance = 0;
        for (int t = 0; t < TIMES; t++) {
            const double unit = pow(10, -cases[c].decimals), truth = 40 + gsl_rng_uniform(random);
            double mean[2], sd[2];
            for (int k = 0; k < 2; k++) {
                const double n = (double)(k ? cases[c].theirs : cases[c].ours);
                mean[k] = truth + gsl_ran_gaussian(random, cases[c].sd / sqrt(n));
                sd[k] = cases[c].sd * sqrt(gsl_ran_chisq(random, n - 1) / (n - 1));
            }
            const struct printed printed = {nearbyint(mean[1] / unit) * unit,
                                            cases[c].has_sd ? nearbyint(sd[1] * 100) / 100 : (double)NAN,
                                            cases[c].theirs, cases[c].decimals, 2, 0, 0};
            const struct summary ours = summary(mean[0], sd[0], cases[c].ours);
            agree += verdict_mean(&printed, &ours).verdict == VERDICT_AGREES;
            chance += verdict_ceiling(&printed, &ours).chance;
        }
        const double share = agree / TIMES;
        if (fabs(share - chance / TIMES) > 4 * sqrt(0.25 / TIMES))
            fail_msg("case %zu: %g of the experiments agree, expected %g", c, share, chance / TIMES);
        assert_true(share > 0.1 && share <= 1);
    }
    gsl_rng_free(random);
}

/* Minima of five of 60 values, drawn with replacement, against these 60. */
static void the_chance_of_a_minimum_is_that_of_minima_of_our_values(void **state)
{
    (void)state;
    enum { N = 60, TIMES = 20000 };
    double values[N], agree = 0;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < N; i++)
        values[i] = 10 + gsl_ran_gaussian(random, 0.06);
    struct printed printed = {10, (double)NAN, 5, 2, 2, 0, 0};
    const struct summary ours = summary_of(values, N);
    for (int t = 0; t < TIMES; t++) {
        printed.mean = HUGE_VAL;
        for (int k = 0; k < 5; k++)
            printed.mean = fmin(printed.mean, values[gsl_rng_uniform_int(random, N)]);
        printed.mean = nearbyint(printed.mean * 100) / 100;
        agree += verdict_minimum(&printed, &ours, values).verdict == VERDICT_AGREES;
    }
    const struct ceiling ceiling = verdict_minimum_ceiling(&printed, &ours, values);
    assert_true(agree > 0 && agree < TIMES && ceiling.can_agree);
    assert_true(fabs(ceiling.chance - agree / TIMES) < 4 * sqrt(0.25 / TIMES));
    for (int i = 0; i < N; i++)
        values[i] = 10 + (values[i] - 10) * 100;
    const struct summary wide = summary_of(values, N);
    assert_true(!verdict_minimum_ceiling(&printed, &wide, values).can_agree);
    gsl_rng_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_no_holes),
        cmocka_unit_test(the_edges_between_agrees_compatible_near_and_differs),
        cmocka_unit_test(no_multiple_of_the_standard_error_makes_a_cell_near),
        cmocka_unit_test(wide_intervals_are_undecidable),
        cmocka_unit_test(a_single_printed_split_far_below_ours_is_no_agreement),
        cmocka_unit_test(a_reduction_that_leaves_a_fifth_less_differs),
        cmocka_unit_test(unequal_spreads_use_welch),
        cmocka_unit_test(without_spread_only_rounding_is_allowed),
        cmocka_unit_test(a_value_that_surely_rounds_to_the_printed_digits_agrees),
        cmocka_unit_test(a_printed_zero_sd_stands_for_half_its_unit),
        cmocka_unit_test(one_record_borrows_the_printed_spread),
        cmocka_unit_test(a_few_equal_records_borrow_the_printed_spread),
        cmocka_unit_test(a_mean_without_printed_spread_is_judged_by_ours),
        cmocka_unit_test(nothing_measured_is_missing),
        cmocka_unit_test(a_standard_error_is_the_deviation_over_the_root_of_the_splits),
        cmocka_unit_test(spreads_are_judged_apart),
        cmocka_unit_test(values_with_heavy_tails_widen_the_test_of_deviations),
        cmocka_unit_test(values_below_a_printed_minimum_are_counted),
        cmocka_unit_test(minima_agree_differ_or_are_near_by_their_interval),
        cmocka_unit_test(identical_experiments_are_rejected_in_one_of_a_hundred_at_most),
        cmocka_unit_test(an_experiment_at_the_bound_agrees_in_one_of_forty_at_most),
        cmocka_unit_test(the_interval_of_means_is_welchs_and_the_rounding),
        cmocka_unit_test(the_bound_of_a_reduction_is_that_of_its_smaller_part),
        cmocka_unit_test(a_value_on_the_same_split_differs_by_more_than_rounding_or_agrees),
        cmocka_unit_test(a_cell_can_agree_if_the_printed_interval_fits_the_bound),
        cmocka_unit_test(the_chance_is_how_often_identical_experiments_agree),
        cmocka_unit_test(the_chance_of_a_minimum_is_that_of_minima_of_our_values),
        cmocka_unit_test(few_records_without_a_printed_spread_leave_the_difference_open),
        cmocka_unit_test(the_interval_of_a_minimum_is_from_ranks_above_and_a_normal_tail_below),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
