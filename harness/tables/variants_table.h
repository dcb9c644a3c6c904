/* How the solvers of a "profile" fare against the first of them, data set by data set. */
#ifndef HULLBENCH_VARIANTS_TABLE_H
#define HULLBENCH_VARIANTS_TABLE_H

#include <stdio.h>

#include "harness/compare/series_set.h"

/* Writes FOLDER/rivals-NAME.json, .md, .tex and .csv of the records that an entry of kind "profile" keeps, and a line
 * that says so to `said`; nothing where they are of one solver or none. `run`, what run.json says, has the sizes of the
 * splits, without which there is no corrected t test. */
enum status variants_table_write(const struct plot_data *data, const struct run_info *run, const struct cJSON *entry,
                                 const char *name, const char *folder, FILE *said, struct error *error);

#endif
