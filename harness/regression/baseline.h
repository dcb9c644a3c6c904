/* A finished run, and the file of what must not move: one line a record, sorted, with the history of its changes
 * (docs/regression.md). */
#ifndef HULLBENCH_BASELINE_H
#define HULLBENCH_BASELINE_H

#include "harness/records/run_folder.h"
#include "harness/regression/quantities.h"

struct measured_run {
    struct run_folder folder;
    char config_hash[65];   /* SHA-256 of config.json */
    struct records entries; /* the folder's, sorted by entries_compare */
};

/* Reads a folder. STATUS_BAD_INPUT where it is none of a finished run, damaged, or holds fewer records than run.json
 * says. Released by measured_run_free, also after an error. */
enum status measured_run_read(const char *folder, struct measured_run *measured, struct error *error);
/* Accepts zeroed ones. */
void measured_run_free(struct measured_run *measured);

struct baseline {
    struct cJSON *json; /* the file, but for its records */
    int has_accuracy;   /* its records hold objective, gap, KKT violation and error: all but those of schema 1 do */
    const char *config, *config_hash;
    const struct cJSON *data; /* data set: SHA-256 */
    struct tolerance tolerances[QUANTITIES];
    struct record_file file; /* the entries as records */
    struct records entries;  /* those, sorted by entries_compare */
};

/* Reads a baseline. STATUS_NOT_FOUND where there is no file; STATUS_BAD_INPUT names the member. Released by
 * baseline_free, also after an error. */
enum status baseline_read(const char *path, struct baseline *baseline, struct error *error);
/* Accepts zeroed ones. */
void baseline_free(struct baseline *baseline);

/* Who changes a baseline, and why. */
struct baseline_change {
    const char *by, *message; /* not empty */
    size_t moved;             /* records that are new, gone or moved */
};

/* Writes a baseline of the run, as a whole (harness/support/file.h). `old` (NULL: there is none) gives the history
 * before and the tolerances; `keep`: its records that the run lacks stay. Where a value tells the accuracy and is
 * within the built-in tolerance of the old one, the old one stays, so that small moves do not add up unseen.
 * STATUS_BAD_INPUT where records of schema 1 would have to stay. */
enum status baseline_write(const char *path, const struct baseline *old, const struct measured_run *measured, int keep,
                           const struct baseline_change *change, struct error *error);

#endif
