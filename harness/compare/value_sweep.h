/*
 * A solver at several values of a setting: NAME[SETTING=V1|V2|...], or NAME[SETTING=*] for all values in the records.
 * Each value is compared like a separate solver, and claims are adjusted over all of them. The best value still looks
 * better than it is if chosen afterwards. So it is chosen on the odd splits and compared once more on the even ones,
 * which had no part in the choice.
 */
#ifndef HULLBENCH_VALUE_SWEEP_H
#define HULLBENCH_VALUE_SWEEP_H

#include "harness/compare/comparisons.h"
#include "harness/figure/render.h"

/* The choices, with one choice per value in place of a choice with a sweep; choices from one sweep have the same number
 * `sweep`, from 1. The values of "*" are those of the records, numbers in ascending order; without records (NULL) it
 * stays as it is. STATUS_BAD_INPUT: a choice sweeps two settings, a value is empty or occurs twice, or no record has
 * the setting. */
struct solver_choices sweep_expand(struct pool *pool, const char *option, const struct records *records,
                                   const struct solver_choices *choices);
/* The end of the choices that are from the same sweep as the first, or from none. */
size_t sweep_end(const struct solver_choices *choices, size_t first);
/* A choice's value of the swept setting. */
const char *sweep_value(const struct solver_choice *choice);

/* Adds the sweep "SETTING=V1,V2,..." to each choice of the list. NULL if `sweep` is malformed. */
char *sweep_add(struct pool *pool, const char *list, const char *sweep);

/* Writes FOLDER/plots/compare-sweep.{dat,gp}, compare-sweep-2 and so on, one for each sweep of two or more numbers, and
 * their pictures. */
void sweep_figures_write(const struct comparisons *comparisons, const char *folder, struct figure_sink *sink);

/* Fills picks and confirmed from the comparisons. Errors are those of comparisons_add. */
void sweep_confirm(const struct compare_options *options, struct comparisons *comparisons);

#endif
