/* Reading a run for the gate, see measured.h. */
#include "harness/records/run_counts.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/support/lines.h"
#include "harness/support/sha256.h"

static enum status no_memory(const struct run_counts *measured, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", measured->run.folder);
}

static enum status read_records(struct run_counts *measured, struct error *error)
{
    char *path = path_join(measured->run.folder, "records.jsonl");
    enum status status = path ? records_read(path, &measured->records, error) : no_memory(measured, error);
    if (status == STATUS_OK && measured->records.count != measured->run.records)
        status = error_set(error, STATUS_BAD_INPUT, "%s: holds %zu different records, run.json says %zu", path,
                           measured->records.count, measured->run.records);
    free(path);
    return status;
}

static enum status take_entries(struct run_counts *measured, struct error *error)
{
    const struct records *records = &measured->records;
    enum status status = STATUS_OK;
    measured->entries.items = calloc(records->count + 1, sizeof *measured->entries.items);
    if (!measured->entries.items)
        return no_memory(measured, error);
    for (size_t i = 0; i < records->count && status == STATUS_OK; i++) {
        char key[32];
        snprintf(key, sizeof key, "record %zu", records->items[i].line);
        const struct json_path top = {.file = records->paths[0]}, place = {.file = top.file, .outer = &top, .key = key};
        status = count_record_take(records->items[i].json, &place, &measured->entries.items[measured->entries.count++], error);
    }
    return status;
}

/* Times are for show: a folder without them, or with others, is judged all the same. */
static enum status take_seconds(struct run_counts *measured, struct error *error)
{
    char *path = path_join(measured->run.folder, "timings.jsonl");
    struct lines lines = {0};
    if (!path)
        return no_memory(measured, error);
    enum status status = lines_read(path, &lines, error);
    if (status == STATUS_OK && lines.count == measured->entries.count)
        for (size_t i = 0; i < lines.count; i++)
            sscanf(lines.line[i], "{\"index\":%*u,\"seconds\":%lf}", &measured->entries.items[i].seconds);
    lines_free(&lines);
    free(path);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

enum status run_counts_read(const char *folder, struct run_counts *measured, struct error *error)
{
    *measured = (struct run_counts){0};
    enum status status = finished_read(folder, &measured->run, error);
    if (status != STATUS_OK) {
        error->status = status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status;
        return error->status;
    }
    const struct json_path top = {.file = folder}, place = {.file = folder, .outer = &top, .key = "run.json"};
    sha256_hex(measured->run.config, strlen(measured->run.config), measured->config_hash);
    status = json_text(measured->run.about, "config", &place, 1, &measured->config, error);
    if (status == STATUS_OK)
        status = read_records(measured, error);
    if (status == STATUS_OK)
        status = take_entries(measured, error);
    if (status == STATUS_OK)
        status = take_seconds(measured, error);
    if (status == STATUS_OK)
        count_records_sort(&measured->entries); /* reading the records has refused what stands there twice */
    if (status == STATUS_NOT_FOUND)       /* run.json is there, so the run was finished */
        status = error->status = STATUS_BAD_INPUT;
    if (status != STATUS_OK)
        run_counts_free(measured);
    return status;
}

void run_counts_free(struct run_counts *measured)
{
    count_records_free(&measured->entries);
    records_free(&measured->records);
    finished_free(&measured->run);
}
