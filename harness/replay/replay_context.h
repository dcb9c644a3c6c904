/* What the stages of a replay share. */
#ifndef HULLBENCH_REPLAY_CONTEXT_H
#define HULLBENCH_REPLAY_CONTEXT_H

#include "harness/records/run_folder.h"
#include "harness/replay/replay.h"

struct replay_context {
    const struct replay_request *request;
    struct run_folder before; /* the folder, with the lines of its records */
    char *config_path, *out, *datasets;
    struct run_options options;
    struct run run;
    struct replay_result *result;
};

/* Notes in result->setup how run.json then and the present program, machine and data differ. */
void replay_compare_setup(struct replay_context *context);
/* Notes how record `index` differs from `line`, what it is now. */
void replay_compare_record(struct replay_context *context, size_t index, const char *line);
/* Compares all records and traces with those in the folder context->out. */
enum status replay_compare_folder(struct replay_context *context, struct error *error);

#endif
