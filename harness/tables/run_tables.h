/* The tables of run folders, as FOLDER/tables/NAME.{json,md,tex,csv}. */
#ifndef HULLBENCH_RUN_TABLES_H
#define HULLBENCH_RUN_TABLES_H

#include <stdio.h>

#include "harness/compare/data.h"
#include "harness/format/text_table.h"
#include "harness/papers/conform.h"

/* Writes into each folder DIR/tables/summary.*, rivals-NAME.* for each profile it asks for, the tables that its
 * configuration specifies, and the published tables and claims it names, which rest on the records of all the folders.
 * `said` gets a line for each; `warned`, unless NULL, one for each table that is too wide for its page.
 * STATUS_NOT_FOUND: a table that the folder specifies has no records, and all others are written; what else is not
 * there is STATUS_BAD_INPUT. */
enum status run_tables_write(const struct run_folders *folders, FILE *said, FILE *warned, struct error *error);

/* Writes the tables that the JSON file `spec` specifies, an object or a list of objects, of the records of all the
 * folders into the first one; nothing is written unless all of the file is sound. The rest as above. */
enum status spec_tables_write(const struct run_folders *folders, const char *spec, FILE *said, FILE *warned,
                              struct error *error);

/* Of these, those that set the solvers of one folder against each other, into the folder `tables`, which is there: one
 * for each entry of kind "profile", "critical-difference" or "runtime-distribution" under "plots" and, where the
 * configuration has no "plots", the ranks of all solvers and their costs to fixed targets. */
enum status solver_tables_write(struct run_folder *folder, const char *tables, FILE *said, struct error *error);

/* ---- one table each, into a folder that is there; `said` gets a line ---- */

/* The summary of the folder's records, which have been read. No records give tables with a header only. */
enum status summary_table_write(struct run_folder *run, const char *folder, FILE *said, struct error *error);
/* How the solvers that an entry of kind "profile" keeps fare against the first of them, as "rivals-NAME"; nothing where
 * they are of one solver or none. `run`, what run.json says, has the sizes of the splits, without which there is no
 * corrected t test. */
enum status variants_table_write(const struct plot_data *data, const struct run_info *run, const struct cJSON *entry,
                                 const char *name, const char *folder, FILE *said, struct error *error);
/* The ranks of the solvers that an entry of kind "critical-difference" keeps, as "friedman-NAME": what the diagram
 * shows, in numbers. Without an entry it is of all solvers, if there are enough (rank_blocks.h). */
enum status ranks_table_write(const struct plot_data *data, const struct cJSON *entry, const char *name,
                              const char *folder, FILE *said, struct error *error);

/* What the solvers that an entry of kind "runtime-distribution" keeps spend until they reach fixed targets, as
 * "targets-NAME". Without an entry it is of all solvers, if there are traces enough (fixed_targets.h). */
enum status runtime_table_write(const struct plot_data *data, const struct cJSON *entry, const char *name,
                                const char *folder, FILE *said, struct error *error);

/* A table before it is written. */
struct table_files {
    struct cJSON *json;
    struct text_table text, csv; /* for Markdown and LaTeX, and for CSV */
};
/* Writes and frees it; the file's name is `kind` and `name`. */
enum status table_files_write(struct table_files *files, const char *folder, const char *kind, const char *name,
                              FILE *said, struct error *error);

#endif
