/*
 * A printed mean m_p +- s_p over n_p splits and ours, m_o +- s_o over n_o, estimate one expectation if the experiments
 * are the same. Welch (1947): (m_o - m_p) / e with e^2 = s_o^2/n_o + s_p^2/n_p is close to Student's t with
 *     df = e^4 / ((s_o^2/n_o)^2 / (n_o-1) + (s_p^2/n_p)^2 / (n_p-1)).
 * The printed digits are rounded, which moves m_p by up to half a unit h of the last one, on top of that. Where no
 * s_p is printed, s_o is the estimate of both: (m_o - m_p) / (s_o sqrt(1/n_o + 1/n_p)) is Student's t with n_o - 1.
 *
 * A printed minimum over n_p splits is compared by rank: if the n_o + n_p values are exchangeable, the chance that the
 * k smallest are all ours is P(k) = prod_{i<k} (n_o - i) / (n_o + n_p - i). Where all of ours lie above the printed
 * minimum, our values taken as normal say how low the smallest of n_p of them may fall.
 *
 * The interval of the difference. For means it is m_o - m_p +- t e. For minima let their values be distributed as ours
 * but for a shift. Ours then say that the least of n_p unshifted values lies, each with probability at most `tail`,
 *     above our k-th smallest, k the least with P(k) <= tail, and
 *     below m_o - t s_o sqrt(1 + 1/n_o), t the upper tail/n_p quantile of Student's t with n_o - 1
 *         (Bonferroni's limit for n_p further normal values),
 * and the shifts that the printed minimum leaves possible are those two limits less it. Too few values give no limit.
 */
#include "harness/papers/verdict.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>

#include "harness/program/memory.h"
#include "harness/support/round_to_12_digits.h"

/* Two-sided 99 % matches; two-sided 99.99 % or 5 % of the printed value is near. */
enum { FEW = 5 }; /* records */
static const double match_tail = 0.005, near_tail = 0.00005, near_share = 0.05;
static const double interval_tail = 0.025;
/* Decimal fractions such as 0.05 are not exact in binary; a difference of just half a unit counts as rounding. */
static const double rounding_slack = 1e-9;

const char *const verdict_names[] = {
    [VERDICT_MATCH] = "match", [VERDICT_NEAR] = "near", [VERDICT_DIFFERS] = "differs", [VERDICT_MISSING] = "missing"};
const struct agreement agreement_missing = {VERDICT_MISSING, (double)NAN, (double)NAN, (double)NAN,
                                            (double)NAN,     (double)NAN, (double)NAN, -1};

static double last_unit(int decimals)
{
    return pow(10, -decimals);
}

static int within(double difference, double bound, double unit)
{
    return fabs(difference) <= bound + rounding_slack * unit;
}

/* F test of two variances at 99 %, two-sided; the printed sd may be anything that rounds to what is printed. */
static int sds_agree(const struct printed *printed, const struct summary *measured)
{
    if (measured->n < 2 || isnan(printed->sd))
        return -1;
    double half = last_unit(printed->sd_decimals) / 2;
    double lowest = printed->sd > half ? printed->sd - half : 0, highest = printed->sd + half;
    double ours_df = (double)measured->n - 1, printed_df = (double)printed->n - 1;
    double upper = gsl_cdf_fdist_Qinv(match_tail, ours_df, printed_df);
    double lower = gsl_cdf_fdist_Pinv(match_tail, ours_df, printed_df);
    double variance = measured->sd * measured->sd;
    return variance <= upper * highest * highest && variance >= lower * lowest * lowest;
}

/* The variances of the two means, and the degrees of freedom each is known with. */
struct welch {
    double ours_part, ours_df, printed_part, printed_df;
};

static struct welch welch_of(const struct printed *printed, const struct summary *measured)
{
    struct welch welch = {.ours_df = (double)measured->n - 1, .printed_df = (double)printed->n - 1};
    double ours_n = (double)measured->n, printed_n = (double)printed->n, ours_sd = measured->n > 1 ? measured->sd : 0;
    if (isnan(printed->sd)) { /* one estimate for both */
        welch.ours_part = ours_sd * ours_sd * (1 / ours_n + 1 / printed_n);
        welch.printed_df = 1; /* of no account; n - 1 would be 0 for a single split */
        return welch;
    }
    double printed_sd = printed->sd;
    /* A printed 0 stands for anything below half its last unit, unless ours does not vary either. */
    if (!(printed_sd > 0) && measured->sd > 0)
        printed_sd = last_unit(printed->sd_decimals) / 2;
    /* The sd of fewer than FEW records says next to nothing, and may be 0 by chance; that of one there is none. */
    if (measured->n < FEW) {
        ours_sd = fmax(ours_sd, printed_sd);
        welch.ours_df = welch.printed_df;
    }
    welch.ours_part = ours_sd * ours_sd / ours_n;
    welch.printed_part = printed_sd * printed_sd / printed_n;
    return welch;
}

/* Half-width of Welch's interval with this much probability in each tail. */
static double welch_bound(const struct welch *welch, double tail)
{
    double sum = welch->ours_part + welch->printed_part;
    if (!(sum > 0))
        return 0;
    double df = sum * sum / (welch->ours_part * welch->ours_part / welch->ours_df +
                             welch->printed_part * welch->printed_part / welch->printed_df);
    return gsl_cdf_tdist_Qinv(tail, df) * sqrt(sum);
}

/* Within what is allowed, or else within the wider bound or the share of the printed figure that is near. */
static enum verdict verdict_within(const struct printed *printed, double difference, double allowed, double near)
{
    const double unit = last_unit(printed->decimals);
    if (within(difference, allowed, unit))
        return VERDICT_MATCH;
    near = fmax(near, near_share * fabs(printed->mean));
    return within(difference, near, unit) ? VERDICT_NEAR : VERDICT_DIFFERS;
}

/* What the data say about the difference: everything between low and high, with `tail` left out on either side. */
struct range {
    double low, high;
};

static void put_interval(const struct printed *printed, struct range range, struct agreement *agreement)
{
    const double half = last_unit(printed->decimals) / 2, left = fabs(printed->whole - printed->mean);
    const double size = fabs(printed->mean);
    agreement->low = range.low - half;
    agreement->high = range.high + half;
    agreement->bound = near_share * (printed->whole > 0 ? fmin(size, left) : size);
}

/* One record without a printed sd, or a few equal ones, do not say how far means spread. */
static struct range mean_range(const struct printed *printed, const struct summary *measured, double tail)
{
    const struct welch welch = welch_of(printed, measured);
    const double difference = measured->mean - printed->mean;
    const double bound = isnan(printed->sd) && measured->n < FEW ? (double)INFINITY
                                                                  : round_to_12_digits(welch_bound(&welch, tail));
    return (struct range){difference - bound, difference + bound};
}

struct agreement verdict_mean(const struct printed *printed, const struct summary *measured)
{
    struct agreement agreement = agreement_missing;
    if (measured->n == 0)
        return agreement;
    double unit = last_unit(printed->decimals);
    struct welch welch = welch_of(printed, measured);
    agreement.difference = measured->mean - printed->mean;
    put_interval(printed, mean_range(printed, measured, interval_tail), &agreement);
    agreement.allowed = welch_bound(&welch, match_tail) + unit / 2;
    agreement.verdict = verdict_within(printed, agreement.difference, agreement.allowed,
                                       welch_bound(&welch, near_tail) + unit);
    if (measured->n > 1 && printed->sd > 0)
        agreement.sd_ratio = measured->sd / printed->sd;
    agreement.sds_agree = sds_agree(printed, measured);
    return agreement;
}

/* The z with P(smallest of n standard normals < -z) = tail. */
static double lowest_of(size_t n, double tail)
{
    /* 1 - (1 - tail)^(1/n), without cancellation */
    return gsl_cdf_ugaussian_Qinv(-expm1(log1p(-tail) / (double)n));
}

/* Chance that the k smallest of ours + theirs exchangeable values are all ours. */
static double all_ours(size_t k, size_t ours, size_t theirs)
{
    double chance = 1;
    for (size_t i = 0; i < k; i++)
        chance *= (double)(ours - i) / (double)(ours + theirs - i);
    return chance;
}

/* Whether ours may be as low or as high as it is, with this much probability of a lower and of a higher one. */
static int minimum_may_be(const struct printed *printed, const struct summary *measured, size_t below, double slack,
                          double tail)
{
    if (below > 0)
        return all_ours(below, measured->n, printed->n) >= 2 * tail; /* one-sided 1 % and 0.01 % */
    return measured->n > 1 &&
           printed->mean + slack >= measured->mean - lowest_of(printed->n, tail) * measured->sd;
}

/* The least count k whose chance all_ours is at most `tail`; ours + 1 where none is so unlikely. */
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

struct agreement verdict_minimum(const struct printed *printed, const struct summary *measured, const double *values)
{
    struct agreement agreement = agreement_missing;
    if (measured->n == 0)
        return agreement;
    double unit = last_unit(printed->decimals), slack = unit / 2 + rounding_slack * unit;
    size_t below = 0;
    for (size_t i = 0; i < measured->n; i++)
        below += values[i] < printed->mean - slack;
    agreement.difference = measured->min - printed->mean;
    put_interval(printed, minimum_range(printed, measured, values, interval_tail), &agreement);
    agreement.verdict = verdict_within(printed, agreement.difference, unit / 2, unit);
    if (agreement.verdict != VERDICT_MATCH && minimum_may_be(printed, measured, below, slack, match_tail))
        agreement.verdict = VERDICT_MATCH;
    else if (agreement.verdict == VERDICT_DIFFERS && minimum_may_be(printed, measured, below, slack, near_tail))
        agreement.verdict = VERDICT_NEAR;
    return agreement;
}
