/* See run_target.h. Configurations of tune have a member "tune", which those of run may not have. */
#include "harness/run/run_target.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/run_info.h"
#include "harness/support/file.h"
#include "harness/support/lines.h"

enum status folder_check_kind(const char *folder, enum folder_kind kind, struct error *error)
{
    static const char *const verbs[] = {[FOLDER_OF_RUN] = "run", [FOLDER_OF_TUNE] = "tune"};
    char *path = path_join(folder, "config.json");
    cJSON *config = NULL;
    if (!path)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    int known = json_read(path, &config, NULL) == STATUS_OK;
    enum folder_kind found = cJSON_HasObjectItem(config, "tune") ? FOLDER_OF_TUNE : FOLDER_OF_RUN;
    cJSON_Delete(config);
    free(path);
    if (!known || found == kind)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "%s: belongs to hullbench %s, and --force does not change that; choose another folder", folder,
                     verbs[found]);
}

/* Sound records, as many as run.json says: a file cut at a line's end looks whole. */
static enum status check_records(const char *folder, const struct run_info *info, struct error *error)
{
    char *path = path_join(folder, "records.jsonl");
    struct lines lines = {0};
    enum status status =
        path ? lines_read(path, &lines, error) : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    if (status == STATUS_OK && info->has_records && lines.count != info->records)
        status = error_set(error, STATUS_BAD_INPUT, "%s: holds %zu records, run.json says %zu: the folder is damaged",
                           path, lines.count, info->records);
    for (size_t i = 0; i < lines.count && status == STATUS_OK; i++) {
        cJSON *json = cJSON_Parse(lines.line[i]);
        if (!cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "outcome")))
            status =
                error_set(error, STATUS_BAD_INPUT, "%s:%zu: not a record: a JSON object with an outcome", path, i + 1);
        cJSON_Delete(json);
    }
    lines_free(&lines);
    free(path);
    return status;
}

enum status folder_finished(const char *folder, const char *results, const struct fingerprint *fingerprint,
                            int *finished, struct error *error)
{
    char *path = path_join(folder, "run.json"), *made = path_join(folder, results), words[FINGERPRINT_DIFF_SIZE];
    struct run_info info = {0};
    cJSON *json = NULL;
    *finished = 0;
    enum status status = path && made ? json_read(path, &json, NULL) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = run_info_read(json, path, &info, NULL);
    if (status == STATUS_NO_MEMORY)
        error_set(error, status, "%s: out of memory", folder);
    else if (status != STATUS_OK)
        status = STATUS_OK; /* none, or one that says nothing: not finished */
    else if (fingerprint_differs(fingerprint, &info.fingerprint, words))
        status = error_set(error, STATUS_BAD_INPUT,
                           "%s: holds a finished run of %s; choose another folder or give --force", folder,
                           info.is_partial ? "another plan, of which it lacks parts" : words);
    else if (access(made, F_OK) == 0) {
        *finished = 1;
        if (strcmp(results, "records.jsonl") == 0)
            status = check_records(folder, &info, error);
    }
    run_info_free(&info);
    cJSON_Delete(json);
    free(path);
    free(made);
    return status;
}
