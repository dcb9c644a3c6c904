/* A finished run as the gate sees it. */
#ifndef HULLBENCH_CHECK_MEASURED_H
#define HULLBENCH_CHECK_MEASURED_H

#include "harness/regression/count_record.h"
#include "harness/records/run_folder.h"
#include "harness/records/record.h"

struct measured {
    struct finished run;
    const char *config;   /* its name, into run.about */
    char config_hash[65]; /* SHA-256 of config.json */
    struct records records;
    struct entries entries; /* sorted; into records */
};

/* Reads a folder. STATUS_BAD_INPUT where it is none of a finished run, damaged, or holds fewer records than run.json
 * says. Released by measured_free. */
enum status measured_read(const char *folder, struct measured *measured, struct error *error);
/* Accepts zeroed ones. */
void measured_free(struct measured *measured);

#endif
