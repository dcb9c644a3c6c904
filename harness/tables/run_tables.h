/* All tables of run folders. */
#ifndef HULLBENCH_RUN_TABLES_H
#define HULLBENCH_RUN_TABLES_H

#include <stdio.h>

#include "harness/papers/conform.h"

/* Writes into each folder DIR/tables/summary.*, rivals-NAME.* for each profile it asks for, and the published tables
 * and claims it names, which rest on the records of all the folders. `said` gets a line for each. */
enum status run_tables_write(const struct run_folders *folders, FILE *said, struct error *error);

/* Of these, those that set the solvers of one folder against each other, into the folder `tables`, which is there: one
 * for each entry of kind "profile" or "critical-difference" under "plots" and, where the configuration has no "plots",
 * the ranks of all solvers. */
enum status solver_tables_write(struct run_folder *folder, const char *tables, FILE *said, struct error *error);

#endif
