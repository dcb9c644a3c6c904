/* Figures that are written already, for print: those of verbs whose folders hold no records. */
#ifndef HULLBENCH_FIGURE_RESET_H
#define HULLBENCH_FIGURE_RESET_H

#include "harness/figure/figure_style.h"
#include "harness/support/string_list.h"
#include "solvers/error.h"

/* Writes TO/NAME.gp, .dat and .txt from FROM/NAME.gp and .dat: the same figure, all of its panels, in another style; a
 * label of a series that is the name of a look's `of`, or begins with it before a comma, gets the look's name instead.
 * STATUS_BAD_INPUT where the program is of an earlier version. */
enum status figure_reset(const char *from, const char *name, const char *to, const struct figure_style *style,
                         struct error *error);
/* The same for all figures of `compare`, `tune` and `atlas` in FROM, which cannot be drawn from records, or the one
 * called `only`; adds their names. No folder FROM is no figures. TO is made if there are any. */
enum status figure_reset_all(const char *from, const char *only, const char *to, const struct figure_style *style,
                             struct string_list *names, struct error *error);

#endif
