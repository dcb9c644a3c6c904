/* What the stages of a merge share: read the folders, see what they cover, put their records in plan order, write. */
#ifndef HULLBENCH_MERGE_CONTEXT_H
#define HULLBENCH_MERGE_CONTEXT_H

#include "harness/merge/merge.h"
#include "harness/records/run_folder.h"
#include "harness/run/journal.h"
#include "harness/run/run.h"
#include "harness/run/run_info.h"

/* A folder. */
struct part {
    struct run_folder folder; /* with the lines of its records and times */
    const struct part *group; /* the first folder of the same restrictions and number of shards, maybe itself */
    struct config *config;    /* restricted as the run was */
    char *config_path;        /* for messages */
};

struct merge_context {
    const struct merge_request *request;
    struct part *parts;
    size_t n_parts;
    char *solvers, *datasets, *splits; /* what all together are restricted to; NULL: nothing */
    /* The run that did everything, on data sets that are only their names and splits. */
    struct config *config;
    struct dataset **dataset; /* one for each of the configuration; NULL: missing */
    struct missing_dataset *missing;
    size_t n_missing;
    struct plan plan;
    struct journal_entry *entries; /* one per job of the plan; records are borrowed from the parts, NULL: missing */
    const struct part **from;      /* of each entry */
    struct run_options options; /* of the run that did everything, and its fingerprint; set by merge_write */
    struct fingerprint fingerprint;
    struct merge_result *result;
};

/* Groups the folders, works out what they are restricted to together, looks for what is missing in that, and sets
 * context->config. */
enum status merge_check_coverage(struct merge_context *context, struct error *error);
/* Makes the plan of the whole run and gives each of its jobs its record. */
enum status merge_order_records(struct merge_context *context, struct error *error);
/* Writes the folder. */
enum status merge_write(struct merge_context *context, struct error *error);

/* Notes that something is missing; an error, with the same line, unless the merge may be partial. */
enum status merge_report_missing(struct merge_context *context, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
