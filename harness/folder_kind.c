/* Configurations of tune have a member "tune", which those of run may not have. */
#include "harness/folder_kind.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

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
