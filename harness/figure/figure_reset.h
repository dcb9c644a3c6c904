/* Converts existing figures to print, for verbs whose folders hold no records. */
#ifndef HULLBENCH_FIGURE_RESET_H
#define HULLBENCH_FIGURE_RESET_H

#include "harness/figure/figure_style.h"
#include "harness/support/string_list.h"
#include "solvers/error.h"

/* Writes TO/NAME.gp, .dat and .txt from FROM/NAME.gp and .dat: the same figure with all its panels, in another style. A
 * series label that equals the `of` of a look, or begins with it before a comma, gets the look's name instead.
 * STATUS_BAD_INPUT if an earlier version wrote the program. */
void figure_reset(const char *from, const char *name, const char *to, const struct figure_style *style);
/* The same for all figures of `compare`, `tune` and `atlas` in FROM, which cannot be drawn from records, or only for
 * the one called `only`; adds their names. A missing folder FROM means no figures. Creates TO if there are any. */
void figure_reset_all(const char *from, const char *only, const char *to, const struct figure_style *style,
                      struct string_list *names);

#endif
