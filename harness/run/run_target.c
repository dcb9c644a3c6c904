/* See run_target.h. Configurations of tune have a member "tune", which those of run may not have. */
#include "harness/run/run_target.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"

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

/* As many lines as run.json says records: a file cut at a line's end looks sound. */
static enum status check_count(const char *folder, const cJSON *about, struct error *error)
{
    const cJSON *records = cJSON_GetObjectItemCaseSensitive(about, "records");
    char *path = path_join(folder, "records.jsonl"), *text = NULL;
    size_t lines = 0;
    enum status status = path ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    if (status == STATUS_OK && cJSON_IsNumber(records) && file_read(path, &text, NULL, NULL) == STATUS_OK) {
        for (const char *at = text; (at = strchr(at, '\n')); at++)
            lines++;
        if ((double)lines != records->valuedouble)
            status = error_set(error, STATUS_BAD_INPUT, "%s: holds %zu records, run.json says %.0f: the folder is damaged", path,
                               lines, records->valuedouble);
    }
    free(text);
    free(path);
    return status;
}

/* What differs between run.json and the fingerprint, or "". */
static void compare(const cJSON *about, const struct fingerprint *fingerprint, char words[FINGERPRINT_DIFF_SIZE])
{
    const char *plan = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(about, "plan"));
    const char *program = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(about, "program_sha256"));
    const cJSON *parts = cJSON_GetObjectItemCaseSensitive(about, "plan_of");
    int differs = fingerprint_differs(fingerprint, plan ? plan : "", parts, program, words);
    if (differs && cJSON_HasObjectItem(about, "partial"))
        snprintf(words, FINGERPRINT_DIFF_SIZE, "another plan, of which it lacks parts");
}

enum status folder_finished(const char *folder, const char *results, const struct fingerprint *fingerprint, int *finished,
                            struct error *error)
{
    char *about = path_join(folder, "run.json"), *made = path_join(folder, results), words[FINGERPRINT_DIFF_SIZE] = "";
    cJSON *json = NULL;
    *finished = 0;
    enum status status = about && made ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    if (status == STATUS_OK && json_read(about, &json, NULL) == STATUS_OK) {
        compare(json, fingerprint, words);
        *finished = !*words && access(made, F_OK) == 0;
    }
    if (*words)
        status = error_set(error, STATUS_BAD_INPUT,
                           "%s: holds a finished run of %s; choose another folder or give --force", folder, words);
    else if (*finished)
        status = check_count(folder, json, error);
    cJSON_Delete(json);
    free(about);
    free(made);
    return status;
}
