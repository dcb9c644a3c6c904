/* What the stages of a merge share: read the folders, see what they cover, put their records in plan order, write. */
#ifndef HULLBENCH_MERGING_H
#define HULLBENCH_MERGING_H

#include "harness/records/run_folder.h"
#include "harness/run/journal.h"
#include "harness/support/lines.h"
#include "harness/merge/merge.h"
#include "harness/run/run.h"

/* A folder. */
struct part {
    struct run_folder folder; /* with the lines of its records and times */
    struct config *config;            /* restricted as the run was */
    char *config_path; /* for messages */
};

/* Folders of the same restrictions and number of shards. */
struct group {
    const struct part *first;
    unsigned char *present; /* shards + 1: which are there, from 1 */
};

struct merging {
    const struct merge_request *request;
    struct part *parts;
    size_t n_parts;
    struct group *groups;
    size_t n_groups;
    char *solvers, *datasets, *splits; /* what all together are restricted to; NULL: nothing */
    struct run_options options;
    struct run run;                /* the run that did everything, on data sets that are only their names and splits */
    struct journal_entry *entries; /* one per job of run.plan; records are borrowed from the parts, NULL: missing */
    const struct part **from;      /* of each entry */
    struct merge_result *result;
};

/* Reads all folders and makes sure that they are of one configuration, version and data. */
enum status merge_read(struct merging *merging, struct error *error);
/* Groups the folders, works out what they are restricted to together, and looks for what is missing in that. */
enum status merge_cover(struct merging *merging, struct error *error);
/* Makes the plan of the whole run and gives each of its jobs its record. */
enum status merge_join(struct merging *merging, struct error *error);
/* Writes the folder. */
enum status merge_write(struct merging *merging, struct error *error);

/* Notes that something is missing; an error, with the same line, unless the merge may be partial. */
enum status merge_lacks(struct merging *merging, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
