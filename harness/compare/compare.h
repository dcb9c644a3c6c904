/*
 * Two solvers, or two versions of one, compared over the pairs of their records (pairing.h): figure by figure, and in
 * one sentence. docs/comparing.md says how to read it.
 */
#ifndef HULLBENCH_COMPARE_H
#define HULLBENCH_COMPARE_H

#include "harness/compare/accuracy.h"
#include "harness/compare/arms.h"
#include "harness/compare/case_statistics.h"
#include "harness/compare/equal_targets.h"

enum compare_metric {
    COMPARE_FAILURES, /* per cent of the runs that did not converge */
    COMPARE_ERROR,    /* per cent of the test patterns; as the next two of pairs on which both converged */
    COMPARE_SUPPORT_VECTORS,
    COMPARE_GAP, /* recomputed, see accuracy_gap */
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
/* Whether the metric is compared by ratios; else by differences, in points. */
int compare_is_ratio(enum compare_metric metric);
/* Whether the metric is a cost, of which a run that did not converge has the penalty. */
int compare_is_cost(enum compare_metric metric);

struct compare_options {
    const char *folders[ARMS]; /* twice the same for one folder */
    const char *solvers[ARMS]; /* a choice each, as the command line has it (solver_choice.h); NULL: see arms_choose */
    double penalty;            /* a run that did not converge costs so many times the largest cost of its case */
    double cost_margin;        /* per cent: a ratio from 1/(1 + margin) to 1 + margin is negligible */
    double error_margin;       /* percentage points */
    double gap_factor;         /* typical gaps further apart are another accuracy */
    enum compare_metric cost;  /* what findings are about; COMPARE_METRICS: see struct comparison */
};
/* Penalty 10, margins of 5 % and 0.5 points, gap factor 1.25; no folders, solvers and cost. */
extern const struct compare_options compare_defaults;

/* One figure. */
struct compare_result {
    struct contrast_row *rows;   /* one a case, in the pairing's order; owned */
    size_t n_pairs;              /* in all rows */
    struct contrast_total total; /* over data sets, of the cases' mean differences */
    double median, of_means;     /* Hodges-Lehmann over data sets of the cases' medians and differences of means */
};

struct comparison {
    struct compare_options options;
    struct run_folders runs;             /* owned, with the choices, by the comparison of compare_folders; */
    struct solver_choices choices[ARMS]; /* empty in that of compare_runs */
    struct arms arms;
    struct pairing pairing;
    enum problems problems;
    int equal_by_rule; /* both were run to one tolerance of svm-gap; then there are no targets */
    struct equal_targets targets;
    size_t marks[PAIR_MARKS]; /* pairs with each mark */
    size_t failed[ARMS];      /* pairs in which that arm did not converge */
    size_t both_failed;       /* pairs in which neither did */
    size_t alike;             /* pairs on which both converged with equal error, support vectors, iterations and kernel
                                 operations */
    size_t zeros;             /* pairs in which an arm has no cost, that is 0 */
    int start_ups_differ;     /* in kernel operations, on some pair */
    struct compare_result results[COMPARE_METRICS];
    enum compare_metric cost; /* what findings are about: what the options say, else kernel operations; where
                                 neither arm counts them, time; where one does or there are no times, iterations */
    struct compare_result ended; /* of that cost, the pairs on which both converged alone */
};

/* Reads the folders and compares. STATUS_NOT_FOUND: there is no pair on which either arm converged. STATUS_BAD_INPUT:
 * the cost that the options ask for cannot be compared. The options' texts
 * must outlive the comparison, which is freed with compare_free, also after an error. */
enum status compare_folders(const struct compare_options *options, struct comparison *comparison, struct error *error);
/* The same of folders that were read (arms_read_folders), which must outlive the comparison with the choices; either
 * choice may be NULL (arms_choose). The options' folders and solvers are not looked at. */
enum status compare_runs(const struct compare_options *options, const struct run_folders *runs,
                         const struct solver_choice *const choices[ARMS], struct comparison *comparison,
                         struct error *error);
void compare_free(struct comparison *comparison);

/* The figure of one arm of a pair, of costs those to the equal target where there are targets; NAN where the record has
 * none, and of a cost where the arm did not converge. */
double compare_value(const struct comparison *comparison, const struct pair *pair, enum arm arm,
                     enum compare_metric metric);

#endif
