/* What the stages of a replay share. */
#ifndef HULLBENCH_REPLAYING_H
#define HULLBENCH_REPLAYING_H

#include "harness/records/run_folder.h"
#include "harness/replay/replay.h"

struct replaying {
    const struct replay_request *request;
    struct run_folder before; /* the folder, with the lines of its records */
    char *config_path, *out, *datasets;
    struct run_options options;
    struct run run;
    struct replay_result *result;
};

/* Notes in result->setup how run.json then and the present program, machine and data differ. */
enum status replay_compare_setup(struct replaying *replaying, struct error *error);
/* Notes how record `index` differs from `line`, what it is now. */
enum status replay_compare_record(struct replaying *replaying, size_t index, const char *line, struct error *error);
/* Compares all records and traces with those in the folder replaying->out. */
enum status replay_compare_folder(struct replaying *replaying, struct error *error);

#endif
