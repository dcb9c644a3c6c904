/* The tables of run folders, as FOLDER/tables/NAME.{json,md,tex,csv}. */
#ifndef HULLBENCH_RUN_TABLES_H
#define HULLBENCH_RUN_TABLES_H

#include <stdio.h>

#include "harness/compare/data.h"
#include "harness/format/text_table.h"
#include "harness/papers/conform.h"
#include "harness/base/json_writer.h"
#include "harness/tables/table_log.h"

/* Without `spec`, writes into each folder: DIR/tables/summary.*, rivals-NAME.* for each profile the configuration asks
 * for, the tables it specifies, and the published tables and claims it names, which use the records of all the folders.
 * Otherwise writes the tables that the JSON file `spec` specifies, an object or a list of objects, into the first
 * folder, from the records of all folders; if any part of the file is invalid, nothing is written. Locks the folders.
 * `log` gets each table, and the folder's run.json its checksums, also after an error. Dies with STATUS_NOT_FOUND if a
 * specified table has no records; all others are written. Any other missing file is STATUS_BAD_INPUT. */
void run_tables_write(const struct run_folders *folders, const char *spec, struct table_log *log);

/* Writes only the tables that compare the solvers of one folder, into the existing folder `tables`: one for each entry
 * of kind "profile", "critical-difference" or "runtime-distribution" under "plots" or, if the configuration has no
 * "plots", the ranks of all solvers and their costs to fixed targets. */
void solver_tables_write(struct run_folder *folder, const char *tables, struct table_log *log);

/* ---- single tables, into an existing folder; `log` gets it ---- */

/* The summary of the folder's records, which must already be read. Without records, tables have only a header. */
void summary_table_write(struct pool *pool, struct run_folder *run, const char *folder, struct table_log *log);
/* Compares the solvers that an entry of kind "profile" selects with the first of them, as "rivals-NAME"; writes nothing
 * if they are fewer than two. `run`, from run.json, has the split sizes, without which there is no corrected t test. */
void variants_table_write(const struct plot_data *data, const struct run_info *run, const struct cJSON *entry,
                          const char *name, const char *folder, struct table_log *log);
/* The ranks of the solvers that an entry of kind "critical-difference" selects, as "friedman-NAME": the numbers behind
 * the diagram. Without an entry it covers all solvers, if there are enough (rank_blocks.h). */
void ranks_table_write(const struct plot_data *data, const struct cJSON *entry, const char *name, const char *folder,
                       struct table_log *log);

/* The cost to reach fixed targets for the solvers that an entry of kind "runtime-distribution" selects, as
 * "targets-NAME". Without an entry it covers all solvers, if there are enough traces (fixed_targets.h). */
void runtime_table_write(const struct plot_data *data, const struct cJSON *entry, const char *name, const char *folder,
                         struct table_log *log);

/* A table before it is written. */
struct table_files {
    struct cJSON *json;
    struct json_rows rows; /* of json, if it has the place for them (json_put_rows) */
    struct text_table text, csv; /* for Markdown and LaTeX, and for CSV */
};
struct table_files table_files_new(struct cJSON *json);
/* Adds what the runs lack (run_gaps.h), then writes and frees the table; the file is called KIND-NAME, or NAME if
 * `kind` is empty. */
void table_files_write(struct table_files *files, const struct run_folders *runs, const char *folder, const char *kind,
                       const char *name, struct table_log *log);

#endif
