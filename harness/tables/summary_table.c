/*
 * The summary of a run, specified like a custom table (table_spec.h). For each data set, solver and setting that varies
 * it has the number of converged runs, and mean and sample sd over the splits of test error, support vectors,
 * iterations, kernel operations (of the iterations, without set-up and prediction) and duality gap.
 */
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/tables/run_tables.h"

#include <cjson/cJSON.h>

#include "harness/tables/own_table.h"

void summary_table_write(struct pool *pool, struct run_folder *run, const char *folder, struct table_log *log)
{
    static const char text[] = "{\"name\": \"summary\", \"caption\": \"Summary: mean(sd) over splits\","
                               "\"rows\": [\"dataset\", \"solver\", \"settings\"],"
                               "\"metrics\": [{\"metric\": \"converged\", \"statistic\": \"count\"}, \"error\","
                               "\"support-vectors\", \"iterations\", \"kernel-operations\", \"gap\"],"
                               "\"statistic\": \"mean(sd)\"}";
    const struct json_path place = {.file = "summary"};
    const struct run_folders alone = {run, 1};
    struct table_log quiet = {.said = log->said, .written = log->written};
    own_table_write(pool, json_parse(pool, place.file, text), &place, NULL, &alone, folder, &quiet);
}
