/* A finished run as the gate sees it. */
#ifndef HULLBENCH_RUN_COUNTS_H
#define HULLBENCH_RUN_COUNTS_H

#include "harness/records/run_folder.h"
#include "harness/regression/count_record.h"

struct run_counts {
    struct run_folder folder;
    const char *config;           /* its name */
    char config_hash[65];         /* SHA-256 of config.json */
    struct count_records entries; /* sorted; into the folder's records */
};

/* Reads a folder. STATUS_BAD_INPUT where it is none of a finished run, damaged, or holds fewer records than run.json
 * says. Released by run_counts_free, also after an error. */
enum status run_counts_read(const char *folder, struct run_counts *measured, struct error *error);
/* Accepts zeroed ones. */
void run_counts_free(struct run_counts *measured);

#endif
