/* How the solvers of a "profile" fare against the first of them, data set by data set. */
#ifndef HULLBENCH_VARIANTS_TABLE_H
#define HULLBENCH_VARIANTS_TABLE_H

#include "harness/records/run_folder.h"

/* For every entry of kind "profile" under "plots" of the configuration writes FOLDER/tables/rivals-NAME.json, .md, .tex and .csv, NAME the
 * entry's; entries with no record or one solver give none. The folder FOLDER/tables exists. run.json has the sizes of the splits, without
 * which there is no corrected t test. *written, malloc'ed, gets a line for each table, "" for none. */
enum status rivals_tables_write(struct run_folder *folder, char **written, struct error *error);

#endif
