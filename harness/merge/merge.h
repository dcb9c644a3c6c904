/*
 * Joining finished run folders of one configuration: the shards of a plan, or runs restricted to other solvers, data
 * sets or splits. What comes out is the folder of the run that did all of it at once.
 */
#ifndef HULLBENCH_MERGE_H
#define HULLBENCH_MERGE_H

#include <stddef.h>

#include "harness/support/string_list.h"
#include "harness/evaluate/solve.h"
#include "solvers/error.h"

struct merge_request {
    const char *const *folders;
    size_t n_folders;
    const char *out;
    int partial; /* go on where parts are missing; the folder then says which */
    int force;   /* remove what another run left in `out` */
};

struct merge_result {
    size_t records, outcomes[OUTCOMES];
    struct string_list missing; /* what is; none without `partial` */
    int mixed_builds;           /* the folders come from more than one build of the program */
};

/* Writes request->out. STATUS_BAD_INPUT: a folder is not finished or damaged, the folders are not of one configuration,
 * version or data, records contradict each other (the message names both places, the field and its values), or parts
 * are missing and `partial` was not asked for. STATUS_NOT_FOUND: no records at all. Nothing is written then. Released
 * by merge_result_free. */
enum status merge_folders(const struct merge_request *request, struct merge_result *result, struct error *error);
/* Accepts zeroed ones. */
void merge_result_free(struct merge_result *result);

#endif
