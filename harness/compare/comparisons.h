/*
 * Several comparisons in one folder, or in two: each solver of one side with each of the other. Claims use p-values
 * adjusted over all comparisons, so that the probability of any false claim about one figure is at most 5 %.
 */
#ifndef HULLBENCH_COMPARISONS_H
#define HULLBENCH_COMPARISONS_H

#include "harness/compare/decision.h"

/* Two solvers that cannot be compared, and why: they have no pair, or neither converged on any. */
struct not_compared {
    const char *labels[ARMS], *reason;
};

/* The best of a sweep's values (value_sweep.h). */
struct sweep_pick {
    const struct solver_choice *baseline, *chosen;
    size_t values;    /* of the sweep */
    size_t n_incomplete; /* of them: lack data sets or splits that another value has, and cannot be chosen */
    double log_ratio; /* the logarithm of the ratio of costs on the odd splits */
    int is_compared;  /* nonzero: it is confirmed->items[at]; else its reason is confirmed->omitted[omitted] */
    size_t at, omitted;
    const char *sentence;
};

struct comparisons {
    struct pool *pool;
    const struct run_folders *runs;
    struct left_out left_out;
    struct solver_choices sides[ARMS]; /* empty if the option is absent */
    size_t n;
    struct comparison *items; /* grouped by baseline, each with all candidates */
    struct finding *findings;
    const char **sentences;
    struct omissions {
        struct not_compared *item; /* in the same order */
        size_t count, capacity;
    } omitted;
    struct sweep_picks {
        struct sweep_pick *item; /* one per sweep and baseline; their even splits are in `confirmed`, another family */
        size_t count, capacity;
    } picks;
    struct comparisons *confirmed;
};

/* Reads the folders and compares each choice of one side with each of the other; options->solvers are lists of choices,
 * which may sweep (value_sweep.h), or NULL. With more than one comparison,
 *     the p of each figure (cost, cost where both converged, test error, failures) is adjusted by Holm over the
 *         comparisons that have a test of it, and the claim is that of the adjusted p;
 *     a difference is negligible if the interval of level 1 - 0.05/n is within the margin;
 *     the detectable difference is that of a test at 5 %/n;
 *     the p of single cases are adjusted over the cases of all comparisons.
 * Intervals and posteriors remain those of one comparison. A comparison that is impossible (obstacle) is omitted and
 * its reason kept; if all are omitted, the first reason is the message of STATUS_NOT_FOUND. Other errors are those of
 * compare_runs, for any of them. The options' texts must outlive the comparisons. Two comparisons of the same pairs are
 * STATUS_BAD_INPUT: they would count twice. */
struct comparisons *comparisons_make(struct pool *pool, const struct compare_options *options);

/* Adds an omission. */
void comparisons_omit(struct comparisons *comparisons, const char *baseline, const char *candidate, const char *reason);
/* Its three steps. comparisons_new makes room for `capacity` comparisons. comparisons_add adds one comparison, or one
 * omission; the choices must outlive them. comparisons_conclude draws the conclusions once all are added; `left_out`,
 * unless NULL, is part of each and must outlive them. */
struct comparisons *comparisons_new(struct pool *pool, const struct run_folders *runs, size_t capacity);
void comparisons_add(struct comparisons *comparisons, const struct compare_options *options,
                     const struct solver_choice *const choices[ARMS]);
void comparisons_conclude(struct comparisons *comparisons, const struct left_out *left_out);

#endif
