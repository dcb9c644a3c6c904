/*
 * If the experiments are the same, a printed mean m_p +- s_p over n_p splits and ours, m_o +- s_o over n_o, estimate
 * one expectation. Let d = m_o - m_p. Welch (1947): d / e with e^2 = s_o^2/n_o + s_p^2/n_p is close to Student's t with
 *     df = e^4 / ((s_o^2/n_o)^2 / (n_o-1) + (s_p^2/n_p)^2 / (n_p-1)).
 * If no s_p is printed, s_o estimates both: e^2 = s_o^2 (1/n_o + 1/n_p), df = n_o - 1. The printed digits are rounded,
 * which moves m_p by up to half a unit h of the last one. With t(P) the quantile, the data leave possible
 *     I(P) = [d - t(P) e - h, d + t(P) e + h].
 *
 * The verdict. The hypothesis that the experiments are the same is rejected if 0 is outside I(0.995), the 99 %
 * interval. The bound of equivalence is b = 5 % of |m_p|. A reduction of 100 (1 - R) per cent gives the part saved and
 * the part R left, so b is 5 % of the smaller of both. The base is the value that b is 5 % of.
 *     agrees       not rejected, and I(0.975), the 95 % interval, lies within [-b, b]; or |d| + t(0.975) e <= h:
 *                  every mean in our interval rounds to the printed digits (h is not added here: that would count the
 *                  rounding twice)
 *     undecidable  not rejected, does not agree, and half the length of I(0.995) is more than half of the base: a value
 *                  half as large again as the printed one would not be noticed
 *     compatible   not rejected, otherwise
 *     near         rejected, and |d| <= b
 *     differs      rejected, otherwise
 * If the experiments are the same, at most one cell in a hundred is rejected.
 *
 * The ceiling. A cell agrees if |d| <= c = max(b - h, h) - t(0.975) e and it is not rejected. With unlimited splits of
 * ours s_o^2/n_o is 0. The cell can agree if c >= 0 then. If the experiments are the same, d = e T + u, where T has
 * Student's t distribution F and u, the rounding, is uniform in [-h, h]. The chance of |d| <= c is, by the two-point
 * Gauss rule for u, F((c - g)/e) + F((c + g)/e) - 1 with g = h / sqrt(3).
 *
 * A printed minimum over n_p splits is compared by rank. If the n_o + n_p values are exchangeable, the chance that the
 * k smallest are all ours is P(k) = prod_{i<k} (n_o - i) / (n_o + n_p - i). Let the paper's values be distributed as
 * ours up to a shift. Then the minimum of n_p unshifted values lies, each with probability at most `tail`,
 *     above our k-th smallest, k the least with P(k) <= tail, and
 *     below m_o - t s_o sqrt(1 + 1/n_o), t the upper tail/n_p quantile of Student's t with n_o - 1
 *         (Bonferroni's limit for n_p further normal values).
 * These two limits minus the printed minimum, widened by h, enclose the shifts that remain possible. They replace I;
 * too few values give no limit, and the verdict is then undecidable. d is the mean of the minima of n_p of our values,
 * minus the printed minimum.
 */
#include "harness/papers/verdict.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/support/decimal.h"

/* With fewer records the sd may be 0 by chance, and Welch's test rejects up to 1.4 % of identical experiments. */
enum { FEW = 8 };
static const double rejection_tail = 0.005, interval_tail = 0.025, bound_share = 0.05, undecidable_share = 0.5;
static const double normal_kurtosis = 3;
/* Decimal fractions such as 0.05 are not exact in binary; a difference of exactly half a unit counts as rounding. */
static const double rounding_slack = 1e-9;

const struct verdict_text verdict_texts[] = {
    [VERDICT_AGREES] = {"agrees", "=", "the 95 % interval of the difference lies within 5 % of the printed value"},
    [VERDICT_COMPATIBLE] = {"compatible", "≟", "no significant difference, but the interval is wider than that"},
    [VERDICT_NEAR] = {"near", "≈", "significantly different, by at most 5 %"},
    [VERDICT_DIFFERS] = {"differs", "≠", "significantly different, by more than 5 %"},
    [VERDICT_UNDECIDABLE] = {"undecidable", "?", "a difference of half the printed value would not be detected"},
    [VERDICT_MISSING] = {"missing", "–", "no record has the value"},
};
const char verdict_legend[] = "= agrees, ≟ compatible, ≈ near, ≠ differs, ? undecidable";
const char verdict_explanation[] =
    "= agrees: the 95 % interval of the difference lies within 5 % of the printed value, or our value rounds to the "
    "printed digits. ≟ compatible: no significant difference at 99 %, but the interval is too wide to show agreement. "
    "≈ near: significantly different, by at most 5 %. ≠ differs: significantly different, by more. ? undecidable: no "
    "significant difference, but a difference of half the printed value would not be detected.";
const struct agreement agreement_missing = {VERDICT_MISSING, (double)NAN, (double)NAN, (double)NAN,
                                            (double)NAN,     (double)NAN, (double)NAN, SD_UNDECIDABLE};

int verdict_is_agreement(enum verdict verdict)
{
    return verdict == VERDICT_AGREES || verdict == VERDICT_COMPATIBLE;
}

double printed_sd_scale(const struct printed *printed)
{
    return printed->is_error ? sqrt((double)printed->n) : 1;
}

static double last_unit(int decimals)
{
    return pow(10, -decimals);
}

/* Half a unit of the last printed digit of the sd, on the scale of the sd. */
static double half_of_sd(const struct printed *printed)
{
    return last_unit(printed->sd_decimals) / 2 * printed_sd_scale(printed);
}

static int within(double difference, double bound, double unit)
{
    return fabs(difference) <= bound + rounding_slack * unit;
}

/* Shoemaker's degrees of freedom of a variance of n values; n - 1 if the kurtosis is 3. */
static double variance_df(size_t n, double kurtosis)
{
    const double size = (double)n;
    return fmax(1, 2 * size / (kurtosis - (size - 3) / (size - 1)));
}

/* The x with P(F <= x) = rejection_tail, below 1. By bisection of log x: gsl_cdf_fdist_Pinv fails to converge for some
 * degrees of freedom. */
static double lower_limit(double df1, double df2)
{
    double low = -700, high = 0;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (gsl_cdf_fdist_P(exp(middle), df1, df2) < rejection_tail)
            low = middle;
        else
            high = middle;
    }
    return round_to_12_digits(exp(high));
}

/* The printed sd may be any value that rounds to the printed digits. */
enum sd_verdict verdict_sd(const struct printed *printed, const struct summary *measured, struct sd_limits *limits)
{
    const double kurtosis = measured->kurtosis > normal_kurtosis ? measured->kurtosis : normal_kurtosis;
    if (measured->n < 2 || printed->n < 2 || isnan(printed->sd))
        return SD_UNDECIDABLE;
    const double ours_df = variance_df(measured->n, kurtosis), printed_df = variance_df(printed->n, kurtosis);
    /* a log ratio below 1.2 times its approximate sd is inside the limits, even with one degree of freedom */
    if (fabs(log(measured->sd / printed->sd)) < 0.6 * sqrt(2 / ours_df + 2 / printed_df))
        return SD_AGREES;
    if (limits->ours != measured->n || limits->theirs != printed->n || limits->kurtosis != kurtosis)
        *limits = (struct sd_limits){measured->n, printed->n, kurtosis, lower_limit(ours_df, printed_df),
                                     1 / lower_limit(printed_df, ours_df)};
    const double half = half_of_sd(printed), variance = measured->sd * measured->sd;
    const double lowest = printed->sd > half ? printed->sd - half : 0, highest = printed->sd + half;
    return variance <= limits->upper * highest * highest && variance >= limits->lower * lowest * lowest ? SD_AGREES
                                                                                                       : SD_DIFFERS;
}

/* The variances of the two means, and the degrees of freedom of each. */
struct welch {
    double ours_part, ours_df, printed_part, printed_df;
    int is_known; /* zero: the spread of means is unknown */
};

static struct welch welch_of(const struct printed *printed, const struct summary *measured)
{
    struct welch welch = {.ours_df = (double)measured->n - 1, .printed_df = (double)printed->n - 1, .is_known = 1};
    double ours_n = (double)measured->n, printed_n = (double)printed->n, ours_sd = measured->n > 1 ? measured->sd : 0;
    if (isnan(printed->sd)) { /* one estimate for both */
        welch.ours_part = ours_sd * ours_sd * (1 / ours_n + 1 / printed_n);
        welch.printed_df = 1; /* irrelevant; n - 1 would be 0 for a single split */
        welch.is_known = measured->n >= FEW;
        return welch;
    }
    double printed_sd = printed->sd;
    /* A printed 0 is any value below half a unit of its last digit, unless ours does not vary either. */
    if (!(printed_sd > 0) && measured->sd > 0)
        printed_sd = half_of_sd(printed);
    /* The sd of few records is almost uninformative, and one record has none: use the larger of both sds instead. */
    if (measured->n < FEW) {
        ours_sd = fmax(ours_sd, printed_sd);
        welch.ours_df = welch.printed_df;
    }
    welch.ours_part = ours_sd * ours_sd / ours_n;
    welch.printed_part = printed_sd * printed_sd / printed_n;
    return welch;
}

static double welch_df(const struct welch *welch)
{
    const double sum = welch->ours_part + welch->printed_part;
    return sum * sum / (welch->ours_part * welch->ours_part / welch->ours_df +
                        welch->printed_part * welch->printed_part / welch->printed_df);
}

/* Half-width of Welch's interval with probability `tail` on each side. */
static double welch_bound(const struct welch *welch, double tail)
{
    double sum = welch->ours_part + welch->printed_part;
    if (!(sum > 0))
        return 0;
    return round_to_12_digits(gsl_cdf_tdist_Qinv(tail, welch_df(welch)) * sqrt(sum));
}

/* The possible values of the difference given the data, without rounding; probability `tail` lies beyond each end. */
struct range {
    double low, high;
};

static struct range mean_range(const struct printed *printed, const struct summary *measured, double tail)
{
    const struct welch welch = welch_of(printed, measured);
    const double difference = measured->mean - printed->mean;
    const double bound = welch.is_known ? welch_bound(&welch, tail) : (double)INFINITY;
    return (struct range){difference - bound, difference + bound};
}

static int is_rejected(struct range range, double unit)
{
    const double half = unit / 2 + rounding_slack * unit;
    return range.low - half > 0 || range.high + half < 0;
}

int verdict_mean_is_rejected(const struct printed *printed, const struct summary *measured)
{
    const struct welch welch = welch_of(printed, measured);
    const double unit = last_unit(printed->decimals), normal_quantile = 2.57; /* below Student's 0.995 quantiles */
    if (!welch.is_known || within(measured->mean - printed->mean,
                                  normal_quantile * sqrt(welch.ours_part + welch.printed_part) + unit / 2, unit))
        return 0;
    return is_rejected(mean_range(printed, measured, rejection_tail), unit);
}

/* The value of which the bound is 5 %. */
static double base_of(const struct printed *printed)
{
    const double size = fabs(printed->mean);
    return printed->whole > 0 ? fmin(size, fabs(printed->whole - printed->mean)) : size;
}

/* The verdict from the difference and its 99 % and 95 % intervals. */
static enum verdict verdict_of(const struct printed *printed, double difference, struct range of_99, struct range of_95)
{
    const double unit = last_unit(printed->decimals), half = unit / 2, base = base_of(printed);
    const double bound = bound_share * base;
    if (is_rejected(of_99, unit))
        return within(difference, bound, unit) ? VERDICT_NEAR : VERDICT_DIFFERS;
    if ((within(of_95.low - half, bound, unit) && within(of_95.high + half, bound, unit)) ||
        (within(of_95.low, half, unit) && within(of_95.high, half, unit)))
        return VERDICT_AGREES;
    return (of_99.high - of_99.low) / 2 + half > undecidable_share * base ? VERDICT_UNDECIDABLE : VERDICT_COMPATIBLE;
}

static struct agreement agreement_of(const struct printed *printed, double difference, struct range of_99,
                                     struct range of_95)
{
    const double half = last_unit(printed->decimals) / 2;
    struct agreement agreement = agreement_missing;
    agreement.verdict = verdict_of(printed, difference, of_99, of_95);
    agreement.difference = difference;
    agreement.low = of_95.low - half;
    agreement.high = of_95.high + half;
    agreement.bound = bound_share * base_of(printed);
    return agreement;
}

/* ---- the verdicts ---- */

struct agreement verdict_mean(const struct printed *printed, const struct summary *measured)
{
    if (measured->n == 0)
        return agreement_missing;
    const double unit = last_unit(printed->decimals), difference = measured->mean - printed->mean;
    const struct range of_99 = mean_range(printed, measured, rejection_tail);
    struct sd_limits limits = {0};
    struct agreement agreement =
        agreement_of(printed, difference, of_99, mean_range(printed, measured, interval_tail));
    agreement.allowed = (of_99.high - of_99.low) / 2 + unit / 2;
    if (measured->n > 1 && printed->sd > 0)
        agreement.sd_ratio = measured->sd / printed->sd;
    agreement.sds_agree = verdict_sd(printed, measured, &limits);
    return agreement;
}

struct agreement verdict_same_split(const struct printed *printed, double ours)
{
    const double unit = last_unit(printed->decimals), difference = ours - printed->mean;
    const struct range known = {difference, difference};
    struct agreement agreement = agreement_of(printed, difference, known, known);
    agreement.allowed = unit / 2;
    return agreement;
}

/* The smallest k with P(k) at most `tail`; ours + 1 if there is none. */
static size_t unlikely_count(size_t ours, size_t theirs, double tail)
{
    double chance = 1;
    for (size_t k = 1; k <= ours; k++) {
        chance *= (double)(ours - k + 1) / (double)(ours + theirs - k + 1);
        if (chance <= tail)
            return k;
    }
    return ours + 1;
}

static struct range minimum_range(const struct printed *printed, const struct summary *measured, const double *values,
                                  double tail)
{
    const size_t n = measured->n, k = unlikely_count(n, printed->n, tail);
    double lowest = -(double)INFINITY, highest = (double)INFINITY;
    if (k <= n) {
        double *smallest = xcalloc(k, sizeof *smallest);
        gsl_sort_smallest(smallest, k, values, 1, n);
        highest = smallest[k - 1];
        free(smallest);
    }
    if (n >= FEW)
        lowest = measured->mean -
                 round_to_12_digits(gsl_cdf_tdist_Qinv(tail / (double)printed->n, (double)n - 1) * measured->sd *
                                    sqrt(1 + 1 / (double)n));
    return (struct range){lowest - printed->mean, highest - printed->mean};
}

/* The i-th smallest is the minimum of C(n-i, m-1) of the C(n, m) choices of m values. */
double verdict_expected_least(const double *values, size_t n, size_t least_of)
{
    double *sorted = xcalloc(n + 1, sizeof *sorted), sum = 0;
    double chance = n > least_of ? (double)least_of / (double)n : 1;
    memcpy(sorted, values, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    for (size_t i = 1; i <= n && chance > 0; i++) {
        sum += chance * sorted[i - 1];
        chance *= i + least_of <= n ? (double)(n - i - least_of + 1) / (double)(n - i) : 0;
    }
    free(sorted);
    return sum;
}

struct agreement verdict_minimum(const struct printed *printed, const struct summary *measured, const double *values)
{
    if (measured->n == 0)
        return agreement_missing;
    const double ours = verdict_expected_least(values, measured->n, printed->n);
    return agreement_of(printed, ours - printed->mean, minimum_range(printed, measured, values, rejection_tail),
                        minimum_range(printed, measured, values, interval_tail));
}

/* ---- what a perfect reproduction could show ---- */

/* c of the opening comment; negative if no difference agrees. */
static double largest_agreeing(const struct printed *printed, const struct welch *welch)
{
    const double unit = last_unit(printed->decimals), half = unit / 2;
    const double room = fmax(bound_share * base_of(printed) - half, half) + rounding_slack * unit;
    return welch->is_known ? room - welch_bound(welch, interval_tail) : -1;
}

struct ceiling verdict_ceiling(const struct printed *printed, const struct summary *measured)
{
    struct summary unlimited = *measured;
    unlimited.n = measured->n > 1 ? (size_t)1 << 52 : measured->n;
    const struct welch ideal = welch_of(printed, &unlimited), welch = welch_of(printed, measured);
    const double error = sqrt(welch.ours_part + welch.printed_part), half = last_unit(printed->decimals) / 2,
                 rounding = half / sqrt(3);
    const double c = fmin(largest_agreeing(printed, &welch), half + welch_bound(&welch, rejection_tail));
    struct ceiling ceiling = {largest_agreeing(printed, &ideal) >= 0, error > 0 ? 0 : c >= 0};
    if (c >= 0 && error > 0)
        ceiling.chance = fmax(0, gsl_cdf_tdist_P((c - rounding) / error, welch_df(&welch)) +
                                     gsl_cdf_tdist_P((c + rounding) / error, welch_df(&welch)) - 1);
    return ceiling;
}

struct ceiling verdict_minimum_ceiling(const struct printed *printed, const struct summary *measured,
                                       const double *values)
{
    const size_t n = measured->n;
    const double unit = last_unit(printed->decimals), power = (double)printed->n;
    double *sorted = xcalloc(n + 1, sizeof *sorted), above = 1; /* the chance that no drawn value is below the i-th */
    struct ceiling ceiling = {0, 0};
    memcpy(sorted, values, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    for (size_t i = 0; i < n && above > 1e-9; i++) {
        const double next = pow(1 - (double)(i + 1) / (double)n, power);
        struct printed drawn = *printed;
        drawn.mean = nearbyint(sorted[i] / unit) * unit;
        if (verdict_minimum(&drawn, measured, values).verdict == VERDICT_AGREES) {
            ceiling.can_agree = 1;
            ceiling.chance += above - next;
        }
        above = next;
    }
    free(sorted);
    return ceiling;
}
