/*
 * Whether one of our values agrees with a printed one. docs/verdicts.md explains the rule; this is its only
 * implementation.
 */
#ifndef HULLBENCH_VERDICT_H
#define HULLBENCH_VERDICT_H

#include "harness/stats/summary.h"

enum verdict {
    VERDICT_AGREES,
    VERDICT_COMPATIBLE,
    VERDICT_NEAR,
    VERDICT_DIFFERS,
    VERDICT_UNDECIDABLE,
    VERDICT_MISSING,
    VERDICT_COUNT
};
/* Whether a verdict means that there is no contradiction and that the data could have shown one. */
int verdict_is_agreement(enum verdict verdict);

/* How a verdict is shown: its name, its sign in tables and its explanation. */
struct verdict_text {
    const char *name, *sign, *meaning;
};
/* One for each verdict. */
extern const struct verdict_text verdict_texts[];
/* "= agrees, ≟ compatible, …": the signs in one line, and their explanations in one paragraph. */
extern const char verdict_legend[], verdict_explanation[];

/* A printed value, in the printed unit, with its digits after the point and its number of splits. sd is NaN if a mean
 * is printed without one. For a reduction, `whole` is a reduction by 100 per cent in the printed unit; for other values
 * it is 0. If the paper prints the standard error of the mean, is_error is nonzero, sd is sqrt(n) times the printed
 * number, and sd_decimals are the digits of that number. */
struct printed {
    double mean, sd;
    size_t n;
    int decimals, sd_decimals;
    double whole;
    int is_error;
};
/* sd divided by the number printed for it: sqrt(n) for a standard error, else 1. */
double printed_sd_scale(const struct printed *printed);

/* The verdict on a standard deviation. */
enum sd_verdict { SD_UNDECIDABLE = -1, SD_DIFFERS, SD_AGREES };

/* How ours agrees with the printed value. */
struct agreement {
    enum verdict verdict;
    double difference; /* ours minus printed, in the printed unit; NaN if missing */
    double low, high;  /* 95 % interval of the difference between the two expectations, half a unit wider on both sides
                          for the rounding of the printed value; infinite if the data give no limit, NaN if missing */
    double bound;      /* the largest negligible difference: 5 % of the printed value, for a reduction 5 % of the
                          smaller of the part saved and the part left; NaN if missing */
    double allowed;    /* largest |difference| not rejected at 99 %; NaN if missing, and for a minimum */
    double sd_ratio;   /* our sd over the printed; NaN if either is unknown or the printed is 0 */
    enum sd_verdict sds_agree;
};
extern const struct agreement agreement_missing;

/* Compares a printed mean over n splits with our summary in the same unit. The printed sd is 0 or more over at least 2
 * splits, or absent over at least 1. measured->n = 0 is "missing"; else the mean and, for n > 1, the sd are finite. */
struct agreement verdict_mean(const struct printed *printed, const struct summary *measured);

/* Compares a value printed for one split with ours on the same split. Nothing is random, so the two may differ only by
 * the rounding of the printed value. */
struct agreement verdict_same_split(const struct printed *printed, double ours);

/* Compares a printed minimum over printed->n splits (printed->mean) with our measured->n values in the same unit, whose
 * summary is *measured. n = 0 is "missing". */
struct agreement verdict_minimum(const struct printed *printed, const struct summary *measured, const double *values);

/* The mean of the minima of `least_of` of the n values, over all choices: the counterpart of a minimum over that many
 * splits. The minimum itself if least_of >= n; n > 0. */
double verdict_expected_least(const double *values, size_t n, size_t least_of);

/* What a perfect reproduction could show for this cell: an experiment whose values have the paper's distribution. */
struct ceiling {
    int can_agree; /* ours would agree with unlimited splits, if both means were equal */
    double chance; /* that it agrees with as many splits as we have */
};
struct ceiling verdict_ceiling(const struct printed *printed, const struct summary *measured);
/* The same for a minimum: the printed one is that of printed->n values drawn from ours with replacement, and it can
 * agree if one of them would. */
struct ceiling verdict_minimum_ceiling(const struct printed *printed, const struct summary *measured,
                                       const double *values);

/* Whether verdict_mean's test rejects at 99 % that both estimate one mean; fast if it clearly does not. */
int verdict_mean_is_rejected(const struct printed *printed, const struct summary *measured);

/* The limits of a test for the ratio of two variances, ours over theirs, with n values each of this kurtosis. */
struct sd_limits {
    size_t ours, theirs;
    double kurtosis, lower, upper;
};
/* The two-sided F test of the two standard deviations at 99 %, with the degrees of freedom that Shoemaker (2003, Fixing
 * the F test for equal variances, The American Statistician 57, 105-114) gives values of our kurtosis k:
 *     df = 2 n / (k - (n - 3) / (n - 1)), at least 1.
 * It is n - 1 for k = 3, which also replaces a smaller k, since small samples underestimate it, and an unknown one
 * (NaN). *limits is recomputed only if n or k changed; start with zeros. */
enum sd_verdict verdict_sd(const struct printed *printed, const struct summary *measured, struct sd_limits *limits);

#endif
