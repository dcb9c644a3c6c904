/* Reading a run for the gate, see run_counts.h. */
#include "harness/regression/run_counts.h"

#include <stdio.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/support/sha256.h"

static enum status take_entries(struct run_counts *measured, struct error *error)
{
    const struct records *records = &measured->folder.file.records;
    enum status status = STATUS_OK;
    measured->entries.items = xcalloc(records->count + 1, sizeof *measured->entries.items);
    for (size_t i = 0; i < records->count && status == STATUS_OK; i++) {
        const struct record *record = records->items[i];
        char key[32];
        snprintf(key, sizeof key, "record %zu", record->line);
        const struct json_path top = {.file = record->path}, place = {.file = top.file, .outer = &top, .key = key};
        struct count_record *entry = &measured->entries.items[measured->entries.count++];
        status = count_record_take(record->json, &place, entry, error);
        entry->seconds = record->seconds;
    }
    return status;
}

enum status run_counts_read(const char *path, struct run_counts *measured, struct error *error)
{
    struct run_folder *folder = &measured->folder;
    struct error cause = {0};
    *measured = (struct run_counts){0};
    enum status status = run_folder_read(path, FOLDER_FINISHED, folder, &cause);
    if (status != STATUS_OK)
        return error_set(error, status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status, "%s", cause.message);
    if (!folder->run.config)
        return error_set(error, STATUS_BAD_INPUT, "%s/run.json: key \"config\" is missing", path);
    measured->config = folder->run.config;
    sha256_hex(folder->config_text, strlen(folder->config_text), measured->config_hash);
    status = run_folder_read_records(folder, error);
    if (status == STATUS_OK)
        run_folder_read_times(
            folder, NULL); /* times are for show: a folder without them, or with others, is judged all the same */
    if (status == STATUS_OK)
        status = take_entries(measured, error);
    if (status == STATUS_OK)
        count_records_sort(&measured->entries); /* reading the records has refused what stands there twice */
    return status;
}

void run_counts_free(struct run_counts *measured)
{
    count_records_free(&measured->entries);
    run_folder_free(&measured->folder);
}
