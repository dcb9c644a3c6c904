/* State shared by the stages of a replay. */
#ifndef HULLBENCH_REPLAY_CONTEXT_H
#define HULLBENCH_REPLAY_CONTEXT_H

#include "harness/records/run_folder.h"
#include "harness/replay/replay.h"

struct replay_context {
    const struct replay_request *request;
    struct run_folder before; /* the original folder, with its record lines */
    char *config_path, *out, *datasets;
    struct run_options options;
    struct run run;
    struct replay_result *result;
};

/* Adds to result->setup how run.json differs from the current program, machine and data. */
void replay_compare_setup(struct replay_context *context);
/* Reports how record `index` differs from `line`, its new version. */
void replay_compare_record(struct replay_context *context, size_t index, const char *line);
/* Compares all records and traces with those in the folder context->out. */
enum status replay_compare_folder(struct replay_context *context, struct error *error);

#endif
