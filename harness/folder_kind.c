/* Configurations of tune have a member "tune", which those of run may not have. */
#include "harness/folder_kind.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/file.h"

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

int folder_finished(const char *folder, const char *results, uint64_t hash)
{
    char *about = path_join(folder, "run.json"), *made = path_join(folder, results), plan[24];
    cJSON *json = NULL;
    int same = -1;
    snprintf(plan, sizeof plan, "%016" PRIx64, hash);
    if (about && json_read(about, &json, NULL) == STATUS_OK) {
        const char *found = cJSON_GetStringValue(cJSON_GetObjectItem(json, "plan"));
        same = found && strcmp(found, plan) == 0;
        if (same && (!made || access(made, F_OK) != 0))
            same = -1;
    }
    cJSON_Delete(json);
    free(about);
    free(made);
    return same;
}
