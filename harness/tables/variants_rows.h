/* The rows of a table of variants, between what fills them (variants_table.c) and what writes them (variants_rows.c).
 */
#ifndef HULLBENCH_VARIANTS_ROWS_H
#define HULLBENCH_VARIANTS_ROWS_H

#include <stdio.h>

#include "harness/compare/case_statistics.h"
#include "harness/compare/series_set.h"
#include "harness/stats/win_tie_loss.h"

enum { SERIES_METRICS = 2 }; /* iterations, and kernel operations of the iterations */

/* A series at a level, the candidate, against the first series, the baseline. */
struct variants_row {
    size_t series, level;
    struct contrast_row *cells[SERIES_METRICS]; /* one a data set, owned */
    struct contrast_total total[SERIES_METRICS];
    struct win_tie_loss counts[SERIES_METRICS][CONTRAST_TESTS]; /* of data sets; wins are lower costs */
};

struct variants_table {
    const char *name; /* the entry's */
    const struct plot_data *data;
    const struct run_info *run; /* has the sizes of the splits, where they are known */
    struct series_set series;
    size_t *level_of, n_levels; /* of each problem */
    struct variants_row *rows;
    size_t n_rows;
    double *mine, *first; /* scratch, one for each problem or data set */
};

/* Writes FOLDER/rivals-NAME.json, .md, .tex and .csv and a line that says so to `said`. */
enum status variants_rows_write(const struct variants_table *table, const char *folder, FILE *said,
                                struct error *error);

#endif
