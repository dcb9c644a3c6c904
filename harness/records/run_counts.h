/* A finished run as the gate sees it. */
#ifndef HULLBENCH_RUN_COUNTS_H
#define HULLBENCH_RUN_COUNTS_H

#include "harness/regression/count_record.h"
#include "harness/records/run_folder.h"
#include "harness/records/record.h"

struct run_counts {
    struct finished run;
    const char *config;   /* its name, into run.about */
    char config_hash[65]; /* SHA-256 of config.json */
    struct records records;
    struct count_records entries; /* sorted; into records */
};

/* Reads a folder. STATUS_BAD_INPUT where it is none of a finished run, damaged, or holds fewer records than run.json
 * says. Released by run_counts_free. */
enum status run_counts_read(const char *folder, struct run_counts *measured, struct error *error);
/* Accepts zeroed ones. */
void run_counts_free(struct run_counts *measured);

#endif
