/*
 * A solver at several values of a setting: NAME[SETTING=V1|V2|...], or NAME[SETTING=*] for all values in the records.
 * Each value is compared like a separate solver, and claims are adjusted over all of them. The best value still looks
 * better than it is if chosen afterwards. So it is chosen on the odd splits and compared once more on the even ones,
 * which had no part in the choice.
 */
#ifndef HULLBENCH_VALUE_SWEEP_H
#define HULLBENCH_VALUE_SWEEP_H

#include "harness/comparisons/comparisons.h"

/* Replaces a choice with a sweep by one choice per value; choices from one sweep have the same number `sweep`, from 1.
 * The values of "*" are those of the records, numbers in ascending order; without records (NULL) it stays as it is.
 * STATUS_BAD_INPUT: a choice sweeps two settings, a value is empty or occurs twice, or no record has the setting. */
enum status sweep_expand(const char *option, const struct records *records, struct solver_choices *choices,
                         struct error *error);

/* Adds the sweep "SETTING=V1,V2,..." to each choice of the list; malloc'ed. NULL if `sweep` is malformed. */
char *sweep_add(const char *list, const char *sweep);

/* Writes FOLDER/plots/compare-sweep.{dat,gp}, compare-sweep-2 and so on, one for each sweep of two or more numbers, and
 * their pictures unless no_render is nonzero. If pictures cannot be drawn, returns STATUS_IO. */
enum status sweep_figures_write(const struct comparisons *comparisons, const char *folder, int no_render,
                                struct error *error);

/* Fills picks and confirmed from the comparisons. Errors are those of comparisons_add. */
enum status sweep_confirm(const struct compare_options *options, struct comparisons *comparisons, struct error *error);

#endif
