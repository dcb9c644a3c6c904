/* The ranks of solvers over data sets as tables: what a critical-difference diagram shows, in figures. */
#ifndef HULLBENCH_RANKS_TABLE_H
#define HULLBENCH_RANKS_TABLE_H

#include "harness/records/run_folder.h"

/* Writes FOLDER/tables/friedman-NAME.{json,md,tex,csv} for every "critical-difference" under "plots" of the configuration or, where it
 * has no "plots", for all solvers of the run if there are enough (rank_blocks.h). *written gets a malloc'ed text with a line for each, ""
 * where there is none. */
enum status ranks_tables_write(struct run_folder *folder, char **written, struct error *error);

#endif
