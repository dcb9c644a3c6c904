/*
 * Compares two solvers, or two versions of one, over the pairs of their records (pairing.h): figure by figure, and in
 * one sentence. docs/comparing.md explains how to read the result.
 */
#ifndef HULLBENCH_COMPARE_H
#define HULLBENCH_COMPARE_H

#include "harness/compare/accuracy.h"
#include "harness/compare/arms.h"
#include "harness/compare/case_statistics.h"
#include "harness/compare/cube.h"

enum compare_metric {
    COMPARE_FAILURES, /* per cent of the runs that did not converge */
    COMPARE_ERROR,    /* per cent of the test patterns; this and the next two on pairs where both converged */
    COMPARE_SUPPORT_VECTORS,
    COMPARE_GAP, /* recomputed, see accuracy_gap */
    COMPARE_ITERATIONS,
    COMPARE_KERNEL_OPERATIONS, /* of the iterations */
    COMPARE_ALL_OPERATIONS,    /* of set-up and iterations */
    COMPARE_SECONDS,
    COMPARE_METRICS
};
/* The key in files, the name in words, and the measure whose flags it has. */
struct compare_metric_text {
    const char *key, *title;
    size_t measure;
};
extern const struct compare_metric_text compare_metric_texts[COMPARE_METRICS];
/* Whether the metric is compared by ratios; otherwise by differences, in points. */
int compare_is_ratio(enum compare_metric metric);

struct compare_options {
    const char *folders[ARMS]; /* the same twice for one folder */
    const char *solvers[ARMS]; /* one choice each, in command-line syntax (solver_choice.h); NULL: see arms_choose */
    double penalty;            /* a run that did not converge costs this multiple of the largest cost of its case */
    double cost_margin;        /* per cent: a ratio from 1/(1 + margin) to 1 + margin is negligible */
    double error_margin;       /* percentage points */
    double gap_factor;         /* if typical gaps differ by a larger factor, accuracies differ */
    enum compare_metric cost;  /* the cost in findings; COMPARE_METRICS: see struct comparison */
};
#define COMPARE_DEFAULTS \
    {.penalty = PENALTY_FACTOR, .cost_margin = 5, .error_margin = 0.5, .gap_factor = 1.25, .cost = COMPARE_METRICS}

/* One figure. */
struct compare_result {
    struct estimate *rows; /* one per case, in the pairing's order */
    size_t n_pairs;        /* over all rows */
    struct estimate total; /* over data sets, from the cases' mean differences, medians and differences of means */
};

struct comparison {
    struct compare_options options;
    const char *obstacle; /* why the solvers cannot be compared: they have no pair, or neither converged on any; NULL:
                             they can, and the rest is filled */
    struct arms arms;
    struct pairing pairing;
    enum problems problems;
    int equal_by_rule; /* both stopped at the same tolerance of svm-gap; then there are no targets */
    struct equal_targets targets;
    size_t marks[PAIR_MARKS]; /* pairs with each mark */
    size_t failed[ARMS];      /* pairs in which that arm did not converge */
    size_t both_failed;       /* pairs in which neither did */
    size_t alike;             /* pairs with equal outcome, error, support vectors, iterations and kernel operations; if
                                 they did not converge, with equal objectives; if time is the cost, in equal time */
    size_t zeros;             /* pairs in which an arm has a cost of 0 */
    int start_ups_differ;     /* in kernel operations, on some pair */
    struct compare_result results[COMPARE_METRICS];
    enum compare_metric cost; /* the cost in findings: that of the options, else kernel operations; if neither arm
                                 counts them, time; if only one arm does or there are no times, iterations */
    struct compare_result both_converged; /* of that cost, only pairs on which both converged */
};

/* Compares the choices of folders that are read (arms_read_folders); they and the options' texts must outlive the
 * comparison. Either choice may be NULL (arms_choose). Ignores the folders and solvers in the options.
 * STATUS_BAD_INPUT: the cost in the options cannot be compared, or the pairs have unlike budgets. */
struct comparison compare_runs(struct pool *pool, const struct compare_options *options,
                               const struct run_folders *runs, const struct solver_choice *const choices[ARMS]);

/* The figure of one arm of a pair. With targets, costs are those to the equal target. NAN if the record has no value
 * or, for a cost, if the arm did not converge. */
double compare_value(const struct comparison *comparison, const struct pair *pair, enum arm arm,
                     enum compare_metric metric);

#endif
