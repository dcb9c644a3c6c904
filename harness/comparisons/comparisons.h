/*
 * Several comparisons in one folder, or in two: each solver of one side with each of the other. What is claimed of any
 * of them rests on p-values adjusted over all, so that the chance of any false claim about one figure is at most 5 %.
 */
#ifndef HULLBENCH_COMPARISONS_H
#define HULLBENCH_COMPARISONS_H

#include "harness/compare/decision.h"

/* Two that cannot be compared, and why: they have no pair, or neither converged on any. */
struct not_compared {
    char *labels[ARMS], *reason;
};

/* The best of a sweep's values (value_sweep.h). */
struct sweep_pick {
    const struct solver_choice *baseline, *chosen;
    size_t values;    /* of the sweep */
    double log_ratio; /* of the costs on the odd splits, the logarithm */
    int is_compared;  /* nonzero: `confirmed` has it at `at`; else, among what is omitted, at `omitted` */
    size_t at, omitted;
    char *sentence;
};

struct comparisons {
    struct run_folders runs;
    struct solver_choices sides[ARMS]; /* none where the option was not given */
    size_t n;
    struct comparison *items; /* baseline by baseline, each with all candidates */
    struct finding *findings;
    char **sentences;
    struct not_compared *omitted; /* in the same order */
    size_t n_omitted;
    struct sweep_pick *picks; /* one for each sweep and baseline; and these on the even splits, a family of their own */
    size_t n_picks;
    struct comparisons *confirmed; /* NULL before */
};

/* Reads the folders and compares each choice of one side with each of the other; options->solvers are lists of choices,
 * which may sweep (value_sweep.h), or NULL. With more than one comparison,
 *     the p of each figure (cost, cost where both converged, test error, failures) is adjusted by Holm over the
 *         comparisons that have a test of it, and the claim is that of the adjusted p;
 *     a difference is negligible where the interval of level 1 - 0.05/n is within the margin;
 *     the detectable difference is that of a test at 5 %/n;
 *     the p of cases on their own are adjusted over the cases of all comparisons.
 * Intervals and posteriors stay those of one comparison. A comparison for which compare_folders says STATUS_NOT_FOUND
 * is omitted and its reason kept; where all are, that is the status. Other errors are those of compare_folders, for any
 * of them. Freed with comparisons_free, also after an error; the options' texts must outlive it. */
enum status comparisons_make(const struct compare_options *options, struct comparisons *comparisons,
                             struct error *error);
void comparisons_free(struct comparisons *comparisons);

/* The two steps of it: adds one comparison, or what is omitted, to zeroed comparisons, which folders and choices must
 * outlive; and draws the conclusions once all are added. */
enum status comparisons_add(struct comparisons *comparisons, const struct compare_options *options,
                            const struct run_folders *runs, const struct solver_choice *const choices[ARMS],
                            struct error *error);
void comparisons_conclude(struct comparisons *comparisons);

#endif
