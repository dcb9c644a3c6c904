/* State shared by the stages of a replay. */
#ifndef HULLBENCH_REPLAY_CONTEXT_H
#define HULLBENCH_REPLAY_CONTEXT_H

#include "harness/records/run_folder.h"
#include "harness/folders/replay.h"

struct replay_context {
    struct pool *pool; /* of everything below, except what replay_run releases */
    const struct replay_request *request;
    struct run_folder before; /* the original folder, with its record lines */
    size_t *positions; /* of the lines of `before` that are repeated, in its records.jsonl; NULL: all are */
    const char *config_path, *out;
    const char *datasets, *from_files; /* see run_options; NULL: no restriction */
    struct run_options options;
    struct run run;
    struct replay_result result;
};

/* Whether the data set is one of those that are repeated. */
int replay_has_dataset(const struct replay_context *context, const char *name);
/* Adds to result->setup how run.json differs from the current program, machine and data. */
void replay_compare_setup(struct replay_context *context);
/* Reports how record `index` differs from `line`, its new version. */
void replay_compare_record(struct replay_context *context, size_t index, const char *line);
/* Compares all records and traces with those in the folder context->out. */
void replay_compare_folder(struct replay_context *context);

#endif
