/* The tables of run folders, as FOLDER/tables/NAME.{json,md,tex,csv}. */
#ifndef HULLBENCH_RUN_TABLES_H
#define HULLBENCH_RUN_TABLES_H

#include "harness/compare/data.h"
#include "harness/format/result.h"
#include "harness/papers/conform.h"
#include "harness/tables/table_spec.h"

/* ---- what is told of tables as they are written ---- */

/* Zero-initialise what is not needed. */
struct table_log {
    FILE *said;                  /* gets a line for each table; NULL: none */
    FILE *warned;                /* gets a line for each table that is too wide for its page; NULL: none */
    struct pool *pool;           /* of `written` */
    struct string_list *written; /* "FOLDER/NAME" of each table; NULL: not collected */
};

/* ---- all tables ---- */

/* Without `spec`, writes into each folder: DIR/tables/summary.*, rivals-NAME.* for each profile the configuration asks
 * for, regret-NAME.* for each heat map with references, the tables it specifies, and the published tables and claims it
 * names, which use the records of all the folders. Otherwise writes the tables that the JSON file `spec` specifies, an
 * object or a list of objects, into the first folder, from the records of all folders; if any part of the file is
 * invalid, nothing is written. Locks the folders.
 * `log` gets each table, and the folder's run.json its checksums, also after an error. Dies with STATUS_NOT_FOUND if a
 * specified table has no records; all others are written. Any other missing file is STATUS_BAD_INPUT. */
void run_tables_write(const struct run_folders *folders, const char *spec, struct table_log *log);

/* Writes only the tables that compare the solvers of one run, into the existing `folder`: one for each entry of kind
 * "profile", "critical-difference" or "runtime-distribution", or "heatmap" with references, under "plots" or, if the
 * configuration has no "plots", the ranks of all solvers and their costs to fixed targets. */
void solver_tables_write(struct run_folder *run, const char *folder, struct table_log *log);

/* ---- single tables ---- */

/* A table: `page` for readers, with title, notes and facts; `data` for programs, without columns if it is the page. */
struct run_table {
    struct result page, data;
};
/* In the pool. The file is called KIND-NAME, or NAME if `kind` is empty. */
struct run_table run_table_new(struct pool *pool, const char *kind, const char *name);
/* What the tables that compare the solvers of a run share. */
struct solver_tables {
    struct pool *pool; /* of one table */
    const struct run_view *data;
    const char *folder;
    struct table_log *log;
};
/* Writes "regret-NAME": how far the errors of the entry's "references" are above those of the best settings, which some
 * splits choose and others judge. Writes nothing if no record has such a setting. */
void regret_table_write(const struct solver_tables *tables, const struct cJSON *entry, const char *name);
/* Adds what the runs lack (conditions.h), then writes the table into the existing folder; `log` gets it. */
void run_table_write(struct run_table *table, const struct run_folders *runs, const char *folder,
                     struct table_log *log);

/* The table that `json` at `place` specifies, from the records of the folders, to be written into the folder `tables`.
 * `names` is NULL for built-in tables. */
struct own_table {
    struct pool *pool;
    const struct cJSON *json;
    const struct json_path *place;
    const struct known_names *names;
    const struct run_folders *folders;
    const char *tables;
    struct table_log *log;
};
/* Of a struct own_table. Dies like table_spec_read and table_grid_make. */
void own_table_write(void *own_table);
/* The summary of the folder's records, which must already be read. Without records, tables have only a header. */
void summary_table_write(struct pool *pool, struct run_folder *run, const char *folder, struct table_log *log);

#endif
