/* State shared by the stages of a merge: read the folders, determine what they cover, put their records in plan order,
 * write. */
#ifndef HULLBENCH_MERGE_CONTEXT_H
#define HULLBENCH_MERGE_CONTEXT_H

#include "harness/folders/merge.h"
#include "harness/records/run_folder.h"
#include "harness/run/journal.h"
#include "harness/run/run.h"
#include "harness/run/run_info.h"

/* One input folder. */
struct part {
    struct run_folder folder; /* with its record and timing lines */
    const struct part *group; /* the first folder with the same restrictions and number of shards, possibly this one */
    struct config *config;    /* restricted as in the run */
    const char *config_path;  /* for messages */
};

struct merge_context {
    struct pool *pool; /* of everything below, except what merge_folders releases */
    const struct merge_request *request;
    struct part *parts;
    size_t n_parts;
    struct records records; /* of all parts */
    const char *solvers, *datasets, *splits; /* restrictions of all folders together; NULL: none */
    /* The equivalent single run, with data sets reduced to their names and splits. */
    struct config *config;
    struct dataset **dataset; /* one for each of the configuration's; NULL: missing */
    struct missing_dataset *missing;
    size_t n_missing;
    struct plan plan;
    struct journal_entry *entries; /* one per job of the plan; their texts are the parts'; record NULL: missing */
    const struct part **from;      /* the source of each entry */
    struct run_options options; /* options and fingerprint of the equivalent run */
    struct merge_result result;
};

/* Groups the folders, determines their joint restrictions, checks for missing parts, and sets context->config. */
void merge_check_coverage(struct merge_context *context);
/* Reports a missing part: adds a line to the result if the merge may be partial, otherwise dies with that line. */
void merge_report_missing(struct merge_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
