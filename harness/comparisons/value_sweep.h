/*
 * A solver at several values of a setting: NAME[SETTING=V1|V2|...], or NAME[SETTING=*] for all that the records have.
 * Each value is compared like a solver of its own, and claims are adjusted over all of them. That does not make the
 * best of the values, chosen afterwards, as good as it looks: it is chosen on the odd splits and compared once more on
 * the even ones, which had no part in the choice.
 */
#ifndef HULLBENCH_VALUE_SWEEP_H
#define HULLBENCH_VALUE_SWEEP_H

#include "harness/comparisons/comparisons.h"

/* Puts a choice for each value in place of a choice that sweeps; those of one choice have the same number `sweep`, from
 * 1. The values of "*" are those of the records, numbers in rising order; without records (NULL) it is left as it is.
 * STATUS_BAD_INPUT: two settings of one choice are swept, a value is empty or there twice, or no record has the
 * setting. */
enum status sweep_expand(const char *option, const struct records *records, struct solver_choices *choices,
                         struct error *error);

/* The list of choices, each with the setting of "SETTING=V1,V2,..." swept; malloc'ed. NULL where that is no sweep. */
char *sweep_add(const char *list, const char *sweep);

/* Writes FOLDER/plots/compare-sweep.{dat,gp}, compare-sweep-2 and so on, one for each sweep of two or more numbers, and
 * unless no_render is nonzero the pictures. Pictures that cannot be drawn are STATUS_IO. */
enum status sweep_figures_write(const struct comparisons *comparisons, const char *folder, int no_render,
                                struct error *error);

/* Fills picks and confirmed from what was compared. The errors are those of comparisons_add. */
enum status sweep_confirm(const struct compare_options *options, struct comparisons *comparisons, struct error *error);

#endif
