/* The values that a swept setting takes, and what the records at one of them say. */
#ifndef HULLBENCH_LEVELS_H
#define HULLBENCH_LEVELS_H

#include "harness/plot/series.h"

enum { PLOT_MAX_LEVELS = 64 };

/* Rising; settings that are no numbers as first met. */
struct plot_levels {
    size_t n;
    const struct setting *items[PLOT_MAX_LEVELS];
};
void plot_levels_take(const struct records *records, const char *setting, struct plot_levels *levels);
int plot_levels_are_numbers(const struct plot_levels *levels);

/* The value in little room: three significant digits. Writes at most `size` bytes and returns text. */
const char *plot_level_text(const struct setting *level, char *text, size_t size);
/* gnuplot's list of tics, ("0.1" 1, "0.2" 2): malloc'ed. */
char *plot_level_tics(const struct plot_levels *levels);

/* Whether the record has that value of the setting (both strings of the data). */
int plot_at_level(const struct record *record, const struct setting *level);

/* The records at a level x and, unless it is NULL, a level y: their number with a value in the field, how many of them
 * were stopped at a limit or stalled, and the spread of the values. `values` has room for all. */
struct plot_level_cell {
    size_t n, unfinished;
    struct plot_spread spread;
};
struct plot_level_cell plot_level_cell(const struct records *records, const struct setting *x, const struct setting *y,
                                       enum record_field field, double *values);

#endif
