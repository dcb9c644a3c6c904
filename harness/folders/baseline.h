/* A finished run, and the file of its reference counts: one line per record, sorted, with the history of changes
 * (docs/regression.md). */
#ifndef HULLBENCH_BASELINE_H
#define HULLBENCH_BASELINE_H

#include "harness/records/run_folder.h"
#include "harness/folders/quantities.h"
#include "harness/support/members.h"

struct measured_run {
    struct run_folder folder;
    char config_hash[65];   /* SHA-256 of config.json */
    struct records entries; /* of the folder, sorted by entries_compare */
    size_t n_failed;        /* of them, with the outcome `failed` */
};

/* Reads a run folder into the pool. Dies with STATUS_BAD_INPUT if it is not that of a finished run, is damaged, or
 * holds fewer records than run.json says. */
struct measured_run *measured_run_read(struct pool *pool, const char *folder);
/* Whether the run was told not to make this record: its restrictions exclude the solver, data set or split, or its
 * shard lacks the block. A record that is absent for another reason (no data, another configuration) is missing. */
int run_leaves_out(const struct measured_run *measured, const struct record *record);

/* A past change of a baseline. */
struct baseline_change {
    const char *date, *by, *version;
    size_t moved; /* number of new, missing or changed records */
    const char *message;
};

/* The file, and what follows from it. */
struct baseline {
    size_t schema;
    const char *config, *config_hash;
    const struct cJSON *data, *tolerances_given; /* data set name: SHA-256; as in the file */
    struct {
        struct baseline_change *item;
        size_t count, capacity;
    } history;                /* the latest last */
    const struct cJSON *list; /* the records, until they are taken as entries */
    int has_accuracy;         /* its records have objective, gap, KKT violation and error: in all schemas except 1 */
    struct tolerance tolerances[RECORD_FIELDS];
    struct record_file file; /* the entries as records */
    struct records entries;  /* these records, sorted by entries_compare */
};
extern const struct member baseline_members[];

/* Reads a baseline into the pool; NULL if there is no file. Dies with STATUS_BAD_INPUT and the member. */
const struct baseline *baseline_read(struct pool *pool, const char *path);

/* Writes a baseline of the run atomically (harness/support/file.h). `old` (NULL: none) provides the earlier history
 * and the tolerances; with `keep`, its records that the run leaves out (run_leaves_out) stay. An accuracy value within
 * the built-in tolerance of the old one keeps the old value, so that small changes do not accumulate unnoticed.
 * `change` needs no date and version; `by` and `message` are not empty. Dies with STATUS_BAD_INPUT if records of schema
 * 1 would have to stay. */
void baseline_write(struct pool *pool, const char *path, const struct baseline *old,
                    const struct measured_run *measured, int keep, const struct baseline_change *change);

#endif
