/*
 * Several comparisons in one folder, or in two: each solver of one side with each of the other. Claims use p-values
 * adjusted over all comparisons, so that the probability of any false claim about one figure is at most 5 %.
 */
#ifndef HULLBENCH_COMPARISONS_H
#define HULLBENCH_COMPARISONS_H

#include "harness/compare/decision.h"

/* Two solvers that cannot be compared, and why: they have no pair, or neither converged on any. */
struct not_compared {
    char *labels[ARMS], *reason;
};

/* The best of a sweep's values (value_sweep.h). */
struct sweep_pick {
    const struct solver_choice *baseline, *chosen;
    size_t values;    /* of the sweep */
    size_t n_incomplete; /* of them: lack data sets or splits that another value has, and cannot be chosen */
    double log_ratio; /* the logarithm of the ratio of costs on the odd splits */
    int is_compared;  /* nonzero: it is confirmed->items[at]; else its reason is confirmed->omitted[omitted] */
    size_t at, omitted;
    char *sentence;
};

struct comparisons {
    struct run_folders runs;
    struct left_out left_out;
    struct solver_choices sides[ARMS]; /* empty if the option is absent */
    size_t n;
    struct comparison *items; /* grouped by baseline, each with all candidates */
    struct finding *findings;
    char **sentences;
    struct not_compared *omitted; /* in the same order */
    size_t n_omitted;
    struct sweep_pick *picks; /* one per sweep and baseline; their even splits are in `confirmed`, a separate family */
    size_t n_picks;
    struct comparisons *confirmed; /* NULL until then */
};

/* Reads the folders and compares each choice of one side with each of the other; options->solvers are lists of choices,
 * which may sweep (value_sweep.h), or NULL. With more than one comparison,
 *     the p of each figure (cost, cost where both converged, test error, failures) is adjusted by Holm over the
 *         comparisons that have a test of it, and the claim is that of the adjusted p;
 *     a difference is negligible if the interval of level 1 - 0.05/n is within the margin;
 *     the detectable difference is that of a test at 5 %/n;
 *     the p of single cases are adjusted over the cases of all comparisons.
 * Intervals and posteriors remain those of one comparison. A comparison for which compare_folders returns
 * STATUS_NOT_FOUND is omitted and its reason kept; if all are omitted, that is the status. Other errors are those of
 * compare_folders, for any of them. Free with comparisons_free, also after an error; the options' texts must outlive
 * *comparisons. Two comparisons of the same pairs are STATUS_BAD_INPUT: they would count twice. */
enum status comparisons_make(const struct compare_options *options, struct comparisons *comparisons,
                             struct error *error);
void comparisons_free(struct comparisons *comparisons);

/* Adds an omission; copies the texts, of which a NULL label becomes "". */
void comparisons_omit(struct comparisons *comparisons, const char *baseline, const char *candidate, const char *reason);
/* Its two steps. comparisons_add adds one comparison, or one omission, to zeroed comparisons; the folders and choices
 * must outlive them. comparisons_conclude draws the conclusions once all are added; `left_out`, unless NULL, is part of
 * each and must outlive them. */
enum status comparisons_add(struct comparisons *comparisons, const struct compare_options *options,
                            const struct run_folders *runs, const struct solver_choice *const choices[ARMS],
                            struct error *error);
void comparisons_conclude(struct comparisons *comparisons, const struct left_out *left_out);

#endif
