/*
 * Several comparisons in one folder, or in two: many solvers against one, or one against many. What is claimed of any
 * of them rests on p-values adjusted over all, so that the chance of any false claim about one figure is at most 5 %.
 */
#ifndef HULLBENCH_COMPARISONS_H
#define HULLBENCH_COMPARISONS_H

#include "harness/compare/decision.h"

struct comparisons {
    struct run_folders runs;
    struct solver_choices sides[ARMS]; /* none where the option was not given */
    size_t n;
    struct comparison *items;   /* in the order of the side that has several */
    struct finding *findings;
    char **sentences;
};

/* Reads the folders and compares the only choice of one side with each of the other; options->solvers are lists of
 * choices or NULL. With more than one comparison,
 *     the p of each figure (cost, cost where both converged, test error, failures) is adjusted by Holm over the
 *         comparisons that have a test of it, and the claim is that of the adjusted p;
 *     a difference is negligible where the interval of level 1 - 0.05/n is within the margin;
 *     the detectable difference is that of a test at 5 %/n;
 *     the p of cases on their own are adjusted over the cases of all comparisons.
 * Intervals and posteriors stay those of one comparison. STATUS_BAD_INPUT: both sides have several. Other errors are
 * those of compare_folders, for any of them. Freed with comparisons_free, also after an error; the options' texts must
 * outlive it. */
enum status comparisons_make(const struct compare_options *options, struct comparisons *comparisons,
                             struct error *error);
void comparisons_free(struct comparisons *comparisons);

/* STATUS_BAD_INPUT where both sides have several choices. */
enum status comparisons_check_sides(const struct solver_choices sides[ARMS], struct error *error);

#endif
