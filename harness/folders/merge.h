/*
 * Merges finished run folders of one configuration: shards of a plan, or runs restricted to different solvers, data
 * sets or splits. The result is the folder of a single run that did everything.
 */
#ifndef HULLBENCH_MERGE_H
#define HULLBENCH_MERGE_H

#include "harness/base/pool.h"
#include "harness/evaluate/solve.h"

struct merge_request {
    const char *const *folders;
    size_t n_folders;
    const char *out;
    int partial; /* continue if parts are missing; the folder then lists them */
    int force;   /* remove another run's output from `out` */
};

struct merge_result {
    size_t records, outcomes[OUTCOMES];
    struct string_list missing; /* missing parts; empty without `partial` */
    struct string_list gaps;    /* the data sets that all lacked or generated (conditions.h) */
    int mixed_builds;           /* the folders come from different builds of the program */
    int mixed_machines;         /* their times cannot be compared (harness/records/conditions.h) */
};

/* Writes request->out. Dies with STATUS_BAD_INPUT if a folder is unfinished or damaged, the folders differ in
 * configuration, version or data, records contradict each other (the message names both places, the field and its
 * values), or parts are missing without `partial`; with STATUS_NOT_FOUND if there are no records at all. Nothing is
 * written in these cases. The result is in the pool. */
const struct merge_result *merge_folders(struct pool *pool, const struct merge_request *request);

#endif
