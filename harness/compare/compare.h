/*
 * Two solvers, or two versions of one, compared over the pairs of their records (pairing.h): figure by figure, and in
 * one sentence. docs/comparing.md says how to read it.
 */
#ifndef HULLBENCH_COMPARE_H
#define HULLBENCH_COMPARE_H

#include "harness/compare/accuracy.h"
#include "harness/compare/case_statistics.h"
#include "harness/compare/arms.h"

enum compare_metric {
    COMPARE_ERROR, /* per cent of the test patterns */
    COMPARE_SUPPORT_VECTORS,
    COMPARE_ITERATIONS,
    COMPARE_KERNEL_OPERATIONS, /* of the iterations */
    COMPARE_ALL_OPERATIONS,    /* the start-up's and those of the iterations */
    COMPARE_SECONDS,
    COMPARE_METRICS
};
/* Key in files, and name in words. */
struct compare_metric_text {
    const char *key, *title;
};
extern const struct compare_metric_text compare_metric_texts[COMPARE_METRICS];

struct compare_options {
    const char *folders[ARMS]; /* twice the same for one folder */
    const char *solvers[ARMS]; /* see arms_read */
    double gap_factor;          /* see accuracy_mark */
    int same_accuracy;          /* nonzero: marked pairs are left out */
};

/* One figure. */
struct compare_result {
    struct contrast_row *rows;   /* one a case, in the pairing's order; owned */
    size_t n_pairs;              /* in all rows */
    struct win_tie_loss cases;   /* by compare_p and contrast_direction; the candidate wins where lower */
    size_t opposed;              /* of its wins and losses: cases whose means differ the other way */
    struct contrast_total total; /* over data sets */
};

struct comparison {
    struct compare_options options;
    struct arms arms;
    struct pairing pairing;
    enum problems problems;
    size_t marks[PAIR_MARKS]; /* pairs with each mark */
    size_t unended[ARMS];    /* pairs in which that arm did not converge */
    size_t compared;          /* pairs that figures are made of */
    size_t alike;             /* of these, equal in error, support vectors, iterations and kernel operations */
    int start_ups_differ;     /* in kernel operations, on some pair */
    struct compare_result results[COMPARE_METRICS];
    enum compare_metric cost;   /* what findings are about, see decision.h */
    struct compare_result fine; /* of that cost, the pairs marked PAIR_FINE alone */
};

/* Reads the folders and compares. STATUS_NOT_FOUND: no pair is left to compare. The options' texts must outlive the
 * comparison, which is freed with compare_free, also after an error. */
enum status compare_folders(const struct compare_options *options, struct comparison *comparison, struct error *error);
void compare_free(struct comparison *comparison);

/* Whether figures are made of the pair. */
int compare_uses(const struct comparison *comparison, const struct pair *pair);
/* The figure of one arm of a pair; NAN where the record has none. */
double compare_value(const struct comparison *comparison, const struct pair *pair, enum arm arm,
                     enum compare_metric metric);

/* The adjusted p that decides: of the corrected resampled t test for the error, where it is known; else of the
 * signed-rank test. */
double compare_p(const struct contrast_row *row, enum compare_metric metric);

#endif
