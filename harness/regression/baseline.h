/* The file of counts that must not move: one line a record, sorted, with the history of its changes
 * (docs/regression.md). */
#ifndef HULLBENCH_BASELINE_H
#define HULLBENCH_BASELINE_H

#include "harness/regression/run_counts.h"
#include "harness/regression/tolerance.h"

struct baseline {
    struct cJSON *json; /* the file */
    const char *config, *config_hash;
    const struct cJSON *data; /* data set: SHA-256 */
    struct tolerance tolerances[COUNTS];
    struct count_records entries; /* sorted */
};

/* Reads a baseline. STATUS_NOT_FOUND where there is no file; STATUS_BAD_INPUT names the member. Released by
 * baseline_free. */
enum status baseline_read(const char *path, struct baseline *baseline, struct error *error);
/* Accepts zeroed ones. */
void baseline_free(struct baseline *baseline);

/* Who changes a baseline, and why. */
struct baseline_change {
    const char *by, *message; /* not empty */
    size_t moved;             /* records that are new, gone or moved */
};

/* Writes a baseline of the run's counts, as a whole (harness/support/file.h). `old` (NULL: there is none) gives the
 * history before and the tolerances; `keep`: its records that the run lacks stay. */
enum status baseline_write(const char *path, const struct baseline *old, const struct run_counts *measured, int keep,
                           const struct baseline_change *change, struct error *error);

#endif
