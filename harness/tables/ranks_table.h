/* The ranks of solvers over data sets as a table: what a critical-difference diagram shows, in numbers. */
#ifndef HULLBENCH_RANKS_TABLE_H
#define HULLBENCH_RANKS_TABLE_H

#include <stdio.h>

#include "harness/compare/rank_blocks.h"

/* Writes FOLDER/friedman-NAME.{json,md,tex,csv} of the records that an entry of kind "critical-difference" keeps, and a
 * line that says so to `said`. Without an entry it is of all solvers, if there are enough (rank_blocks.h). */
enum status ranks_table_write(const struct plot_data *data, const struct cJSON *entry, const char *name,
                              const char *folder, FILE *said, struct error *error);

#endif
