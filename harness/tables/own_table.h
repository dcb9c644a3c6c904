/* Tables of one's own, and the summary, from a specification to files. */
#ifndef HULLBENCH_OWN_TABLE_H
#define HULLBENCH_OWN_TABLE_H

#include <stdio.h>

#include "harness/records/run_folder.h"
#include "harness/tables/table_spec.h"

/* Makes the table of the specification `json`, which stands at `place`, from the records of the folders into `tables`,
 * which is there, as NAME.{json,md,tex,csv}. `said` gets a line; `warned`, unless NULL, one where the LaTeX table is
 * too wide. `names` is NULL for tables that the program itself specifies. Errors are those of table_spec_read and
 * table_grid_make. */
enum status own_table_write(const struct cJSON *json, const struct json_path *place, const struct table_names *names,
                            const struct run_folders *folders, const char *tables, FILE *said, FILE *warned,
                            struct error *error);

#endif
