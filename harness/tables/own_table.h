/* Custom tables and the summary, from a specification to files. */
#ifndef HULLBENCH_OWN_TABLE_H
#define HULLBENCH_OWN_TABLE_H

#include <stdio.h>

#include "harness/records/run_folder.h"
#include "harness/tables/table_log.h"
#include "harness/tables/table_spec.h"

/* Makes the table specified by `json`, found at `place`, from the records of the folders, as NAME.{json,md,tex,csv} in
 * the existing folder `tables`. `log` gets it. `names` is NULL for built-in tables. Dies like table_spec_read and
 * table_grid_make. */
void own_table_write(struct pool *pool, const struct cJSON *json, const struct json_path *place,
                     const struct table_names *names, const struct run_folders *folders, const char *tables,
                     struct table_log *log);

#endif
