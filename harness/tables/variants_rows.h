/* The rows of a table of rivals, between what fills them (rivals_table.c) and what writes them (rivals_rows.c). */
#ifndef HULLBENCH_VARIANTS_ROWS_H
#define HULLBENCH_VARIANTS_ROWS_H

#include <stdio.h>

#include "harness/compare/case_statistics.h"
#include "harness/compare/series_set.h"
#include "harness/stats/win_tie_loss.h"

enum { SERIES_METRICS = 2 }; /* iterations, and kernel operations of the iterations */

/* A series at a level, the challenger, against the first series, the baseline. */
struct rivals_row {
    size_t series, level;
    struct contrast_row *cells[SERIES_METRICS]; /* one a data set, owned */
    struct contrast_total total[SERIES_METRICS];
    struct win_tie_loss counts[SERIES_METRICS][CONTRAST_TESTS]; /* of data sets; wins are lower costs */
};

struct rivals_table {
    const char *name; /* the entry's */
    const struct plot_data *data;
    const struct cJSON *about; /* the run.json */
    struct series_set rivals;
    size_t *level_of, n_levels; /* of each problem */
    struct rivals_row *rows;
    size_t n_rows;
    double *mine, *first, *p; /* scratch, one for each problem or data set */
};

/* Writes FOLDER/tables/rivals-NAME.json, .md, .tex and .csv and adds a line that says so to `written`. */
enum status rivals_rows_write(const struct rivals_table *table, const char *folder, FILE *written, struct error *error);

#endif
