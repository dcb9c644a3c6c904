/*
 * Whether a value measured here agrees with a printed one. docs/verdicts.md explains the rule; this is its only
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
/* Whether a verdict says that the two do not contradict each other and that the data could have shown it. */
int verdict_is_agreement(enum verdict verdict);

/* How a verdict is shown: its name, the sign in tables, and what it says. */
struct verdict_text {
    const char *name, *sign, *meaning;
};
/* One for each verdict. */
extern const struct verdict_text verdict_texts[];
/* "= agrees, ≟ compatible, …": the signs in one line, and what each says in one paragraph. */
extern const char verdict_legend[], verdict_explanation[];

/* The verdicts of the version before, which are still written beside today's. */
enum previous_verdict { PREVIOUS_MATCH, PREVIOUS_NEAR, PREVIOUS_DIFFERS, PREVIOUS_MISSING, PREVIOUS_COUNT };
extern const char *const previous_verdict_names[];

/* A value as printed: in the printed unit, digits printed after the point, splits behind it. sd is NaN where a mean is
 * printed without one. For a reduction, `whole` is what a reduction by all would be, 100 per cent in the printed unit;
 * for other values it is 0. Where the paper prints the standard error of the mean, is_error is nonzero, sd is sqrt(n)
 * times the printed number, and sd_decimals are the digits of that number. */
struct printed {
    double mean, sd;
    size_t n;
    int decimals, sd_decimals;
    double whole;
    int is_error;
};
/* sd over the number that is printed for it: sqrt(n) for a standard error, else 1. */
double printed_sd_scale(const struct printed *printed);

/* The verdict on a standard deviation. */
enum sd_verdict { SD_UNDECIDABLE = -1, SD_DIFFERS, SD_AGREES };

/* How ours agrees with it. */
struct agreement {
    enum verdict verdict;
    enum previous_verdict previous;
    double difference; /* ours less printed, in the printed unit; NaN where missing */
    double low, high;  /* 95 % interval of the difference of what the two estimate, half a unit wider on both sides for
                          the rounding of the printed value; infinite where the data give no end, NaN where missing */
    double bound;      /* the largest difference that counts as none: 5 % of the printed value, of a reduction 5 % of
                          what is saved or what is left, whichever is less; NaN where missing */
    double allowed;    /* largest |difference| that is not rejected at 99 %; NaN where missing, and for a minimum */
    double sd_ratio;   /* our sd over the printed; NaN where either is unknown or the printed is 0 */
    enum sd_verdict sds_agree;
};
extern const struct agreement agreement_missing;

/* Compares a printed mean over n splits, with its sd of 0 or more over 2 or without one over 1, with our summary in the
 * same unit. measured->n = 0 is "missing"; else mean and, of more than one, sd are finite. */
struct agreement verdict_mean(const struct printed *printed, const struct summary *measured);

/* Compares a value printed for one split with ours on the same split: nothing is drawn, so that only the rounding of
 * the printed value is between the two. */
struct agreement verdict_same_split(const struct printed *printed, double ours);

/* Compares a printed minimum over printed->n splits (printed->mean) with the values, measured->n in number, that the
 * summary is of, in the same unit. n = 0 is "missing". */
struct agreement verdict_minimum(const struct printed *printed, const struct summary *measured, const double *values);

/* The mean of the minima of `least_of` of the n values, over all choices: what a minimum over so many splits is to be
 * compared with. The minimum itself where least_of >= n; n > 0. */
double verdict_expected_least(const double *values, size_t n, size_t least_of);

/* Whether verdict_mean's test rejects at 99 % that both estimate one mean; fast where it clearly does not. */
int verdict_mean_is_rejected(const struct printed *printed, const struct summary *measured);

/* The bounds of a test for the ratio of two variances, ours over theirs, with n values each of this kurtosis. */
struct sd_limits {
    size_t ours, theirs;
    double kurtosis, lower, upper;
};
/* The two-sided F test of the two deviations at 99 %, with the degrees of freedom that Shoemaker (2003, Fixing the F
 * test for equal variances, The American Statistician 57, 105-114) gives values of our kurtosis k:
 *     df = 2 n / (k - (n - 3) / (n - 1)), at least 1.
 * It is n - 1 for k = 3, which also stands for a smaller k, since small samples underestimate it, and for an unknown
 * one (NaN). *limits is computed where it is needed and not yet that of these n and k; start with zeros. */
enum sd_verdict verdict_sd(const struct printed *printed, const struct summary *measured, struct sd_limits *limits);

#endif
