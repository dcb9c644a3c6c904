/* See table_log.h. */
#include "harness/tables/table_log.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/records/run_folder.h"
#include "harness/run/file_hashes.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"

void table_log_add(struct table_log *log, const char *folder, const char *name)
{
    if (log->said)
        fprintf(log->said, "%s/%s.{json,md,tex,csv}\n", folder, name);
    if (log->written)
        string_list_add(log->written, "%s/%s", folder, name);
}

/* Enters the four files of the table "tables/NAME". */
static void enter(struct run_folder *run, const char *table)
{
    static const char *const endings[] = {"json", "md", "tex", "csv"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *name = xasprintf("%s.%s", table, endings[i]);
        file_hash_put(run->info, run->path, name);
        free(name);
    }
}

void table_log_hash(const struct table_log *log, struct run_folder *run)
{
    const size_t length = strlen(run->path);
    size_t entered = 0;
    if (!run->info || !log->written || !file_hashes_are_listed(run->info))
        return;
    for (size_t i = 0; i < log->written->count; i++) {
        const char *path = log->written->line[i];
        if (strncmp(path, run->path, length) != 0 || strncmp(path + length, "/tables/", 8) != 0)
            continue;
        enter(run, path + length + 1);
        entered++;
    }
    if (entered) {
        char *path = xasprintf("%s/run.json", run->path);
        json_write(path, run->info);
        free(path);
    }
}
