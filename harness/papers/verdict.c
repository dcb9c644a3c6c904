/*
 * A printed mean m_p +- s_p over n_p splits and ours, m_o +- s_o over n_o, estimate one expectation if the experiments
 * are the same. Welch (1947): (m_o - m_p) / e with e^2 = s_o^2/n_o + s_p^2/n_p is close to Student's t with
 *     df = e^4 / ((s_o^2/n_o)^2 / (n_o-1) + (s_p^2/n_p)^2 / (n_p-1)).
 * The printed digits are rounded, which moves m_p by up to half a unit h of the last one, on top of that. Where no
 * s_p is printed, s_o is the estimate of both: (m_o - m_p) / (s_o sqrt(1/n_o + 1/n_p)) is Student's t with n_o - 1.
 *
 * A printed minimum over n_p splits is compared by rank: if the n_o + n_p values are exchangeable, the chance that the
 * k smallest are all ours is prod_{i<k} (n_o - i) / (n_o + n_p - i). Where all of ours lie above the printed minimum,
 * our values taken as normal say how low the smallest of n_p of them may fall.
 */
#include "harness/papers/verdict.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Two-sided 99 % matches; two-sided 99.99 % or 5 % of the printed value is near. */
enum { FEW = 5 }; /* records */
static const double match_tail = 0.005, near_tail = 0.00005, near_share = 0.05;
/* Decimal fractions such as 0.05 are not exact in binary; a difference of just half a unit counts as rounding. */
static const double rounding_slack = 1e-9;

static const char *const names[] = {
    [VERDICT_MATCH] = "match",
    [VERDICT_NEAR] = "near",
    [VERDICT_DIFFERS] = "differs",
    [VERDICT_MISSING] = "missing",
};
_Static_assert(sizeof names / sizeof *names == VERDICT_COUNT, "one name per verdict");

const char *verdict_name(enum verdict verdict)
{
    return (unsigned)verdict < VERDICT_COUNT ? names[verdict] : "unknown";
}

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

static enum status check_printed(const struct printed *printed, struct error *error)
{
    if (!isfinite(printed->mean) || printed->sd < 0 || isinf(printed->sd) || printed->n < (isnan(printed->sd) ? 1 : 2))
        return error_set(
            error, STATUS_BAD_INPUT,
            "verdict: printed %g +- %g over %zu splits: must be finite, sd 0 or more, splits 2 or more (1 without sd)",
            printed->mean, printed->sd, printed->n);
    return STATUS_OK;
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

enum status verdict_mean(const struct printed *printed, const struct summary *measured, struct comparison *comparison,
                         struct error *error)
{
    const double none = (double)NAN;
    *comparison = (struct comparison){VERDICT_MISSING, none, none, none, -1};
    enum status status = check_printed(printed, error);
    if (status != STATUS_OK || measured->n == 0)
        return status;
    if (!isfinite(measured->mean) || (measured->n > 1 && !isfinite(measured->sd)))
        return error_set(error, STATUS_BAD_INPUT, "verdict: ours is %g +- %g over %zu splits: must be finite",
                         measured->mean, measured->sd, measured->n);
    double unit = last_unit(printed->decimals);
    struct welch welch = welch_of(printed, measured);
    comparison->difference = measured->mean - printed->mean;
    comparison->allowed = welch_bound(&welch, match_tail) + unit / 2;
    double near = welch_bound(&welch, near_tail) + unit;
    if (within(comparison->difference, comparison->allowed, unit))
        comparison->verdict = VERDICT_MATCH;
    else if (within(comparison->difference, near, unit) ||
             within(comparison->difference, near_share * fabs(printed->mean), unit))
        comparison->verdict = VERDICT_NEAR;
    else
        comparison->verdict = VERDICT_DIFFERS;
    if (measured->n > 1 && printed->sd > 0)
        comparison->sd_ratio = measured->sd / printed->sd;
    comparison->sds_agree = sds_agree(printed, measured);
    return STATUS_OK;
}

/* The z with P(smallest of n standard normals < -z) = tail. */
static double lowest_of(size_t n, double tail)
{
    /* 1 - (1 - tail)^(1/n), without cancellation */
    return gsl_cdf_ugaussian_Qinv(-expm1(log1p(-tail) / (double)n));
}

/* Chance that the k smallest of ours + theirs exchangeable values are all measured. */
static double all_ours(size_t k, size_t ours, size_t theirs)
{
    double chance = 1;
    for (size_t i = 0; i < k; i++)
        chance *= (double)(ours - i) / (double)(ours + theirs - i);
    return chance;
}

enum status verdict_minimum(const struct printed *printed, const double *values, size_t n,
                            struct comparison *comparison, struct error *error)
{
    const double none = (double)NAN;
    *comparison = (struct comparison){VERDICT_MISSING, none, none, none, -1};
    struct summary measured;
    struct printed checked = *printed;
    checked.sd = 0;
    enum status status = check_printed(&checked, error);
    if (status == STATUS_OK)
        status = summary_of(values, n, &measured, error);
    if (status != STATUS_OK || n == 0)
        return status;
    double unit = last_unit(printed->decimals);
    double slack = unit / 2 + rounding_slack * unit;
    size_t below = 0;
    for (size_t i = 0; i < n; i++)
        below += values[i] < printed->mean - slack;
    comparison->difference = measured.min - printed->mean;
    int match = within(comparison->difference, unit / 2, unit);
    int near = within(comparison->difference, unit, unit) ||
               within(comparison->difference, near_share * fabs(printed->mean), unit);
    if (below > 0) {
        double chance = all_ours(below, n, printed->n);
        match = match || chance >= 2 * match_tail; /* one-sided 1 % and 0.01 % */
        near = near || chance >= 2 * near_tail;
    } else if (n > 1) {
        match = match || printed->mean + slack >= measured.mean - lowest_of(printed->n, match_tail) * measured.sd;
        near = near || printed->mean + slack >= measured.mean - lowest_of(printed->n, near_tail) * measured.sd;
    }
    comparison->verdict = match ? VERDICT_MATCH : near ? VERDICT_NEAR : VERDICT_DIFFERS;
    return STATUS_OK;
}
