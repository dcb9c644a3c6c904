/* The ranks of solvers over data sets as tables: what a critical-difference diagram shows, in figures. */
#ifndef HULLBENCH_RANKS_TABLE_H
#define HULLBENCH_RANKS_TABLE_H

#include "solvers/error.h"

struct cJSON;

/* Writes FOLDER/tables/friedman-NAME.{json,md,tex,csv} for every "critical-difference" under "plots" of the
 * configuration of the run FOLDER or, where it has no "plots", for all its solvers if there are enough (rank_blocks.h).
 * *written gets a malloc'ed text with a line for each, "" where there is none. */
enum status ranks_tables_write(const char *folder, const struct cJSON *config, char **written, struct error *error);

#endif
