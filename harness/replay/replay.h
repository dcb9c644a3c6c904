/*
 * Doing a finished run again from what its folder holds: the configuration and the restrictions. What is different now
 * is told apart: the set-up (program, build, machine, data) and the results, to the byte.
 */
#ifndef HULLBENCH_REPLAY_H
#define HULLBENCH_REPLAY_H

#include "harness/support/string_list.h"
#include "harness/run/run.h"

struct replay_request {
    const char *folder;
    /* Data, threads, loops, progress and `force` are taken from here; `out` is where the run is done again, NULL:
     * FOLDER/replay, which is emptied before, and removed after where the results are the same. */
    const struct run_options *run;
    int one;       /* only one record is done again, without a folder */
    size_t record; /* its place, from 0 */
};

struct replay_result {
    char config[128];   /* name of the configuration */
    struct string_list setup; /* a line for each fact that differs */
    struct string_list
        results; /* a line for each member of a record that differs, each record too many or too few, each trace */
    size_t records, differing; /* records done again, and those of them that are not the same bytes */
    int other_data;            /* a data set has another SHA-256 */
    char kept[1024];           /* the folder of the second run; empty where there is none */
};

/* STATUS_NOT_FOUND: data of the run are not here. STATUS_BAD_INPUT: the folder is none of a finished run, there is no
 * such record, or the target holds something. STATUS_INTERRUPTED as run_execute. Released by replay_result_free. */
enum status replay_run(const struct replay_request *request, struct replay_result *result, struct error *error);
/* Accepts zeroed ones. */
void replay_result_free(struct replay_result *result);

#endif
