/*
 * Whether a figure measured here agrees with a printed one. The rule stands in docs/verdicts.md; this is its only
 * implementation.
 */
#ifndef HULLBENCH_VERDICT_H
#define HULLBENCH_VERDICT_H

#include "harness/stats/summary.h"

enum verdict { VERDICT_MATCH, VERDICT_NEAR, VERDICT_DIFFERS, VERDICT_MISSING, VERDICT_COUNT };
/* "match", "near", "differs", "missing". */
extern const char *const verdict_names[];

/* A figure as printed: values in the printed unit, digits printed after the point, splits behind it. sd is NaN where a
 * mean is printed without one. For a reduction, `whole` is what a reduction by all would be, 100 per cent in the printed
 * unit; for other figures it is 0. */
struct printed {
    double mean, sd;
    size_t n;
    int decimals, sd_decimals;
    double whole;
};

/* How ours agrees with it. */
struct agreement {
    enum verdict verdict;
    double difference; /* ours less printed, in the printed unit; NaN where missing */
    double low, high;  /* 95 % interval of the difference of what the two estimate, half a unit wider on both sides for
                          the rounding of the printed figure; infinite where the data give no end, NaN where missing */
    double bound;      /* the largest difference that counts as none: 5 % of the printed figure, of a reduction 5 % of
                          what is saved or what is left, whichever is less; NaN where missing */
    double allowed;    /* largest |difference| that still matches; NaN where missing or where a rank decides */
    double sd_ratio;   /* our sd over the printed; NaN where either is unknown or the printed is 0 */
    int sds_agree;     /* F test at 99 %: 1 yes, 0 no, -1 not decidable; never part of the verdict */
};
extern const struct agreement agreement_missing;

/* Compares a printed mean over n splits, with its sd of 0 or more over 2 or without one over 1, with our summary in the
 * same unit. measured->n = 0 is "missing"; else mean and, of more than one, sd are finite. */
struct agreement verdict_mean(const struct printed *printed, const struct summary *measured);

/* Compares a printed minimum over printed->n splits (printed->mean) with the values, measured->n in number, that the
 * summary is of, in the same unit. n = 0 is "missing". */
struct agreement verdict_minimum(const struct printed *printed, const struct summary *measured, const double *values);

#endif
