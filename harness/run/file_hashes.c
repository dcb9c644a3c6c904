/* See file_hashes.h. Names are listed in the order of strcmp, so that run.json does not depend on the file system. */
#include "harness/run/file_hashes.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/support/sha256.h"

enum { MAX_NAME = 512 };

static const cJSON *list_of(const cJSON *info)
{
    return cJSON_GetObjectItemCaseSensitive(info, "files");
}

static const char *listed_hash(const cJSON *info, const char *name)
{
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(list_of(info), name);
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "sha256"));
}

static enum status no_memory(const char *folder, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
}

static enum status hash_file(const char *folder, const char *name, char hex[65], size_t *size, struct error *error)
{
    char *path = path_join(folder, name), *bytes = NULL;
    enum status status = path ? file_read(path, &bytes, size, error) : no_memory(folder, error);
    if (status == STATUS_OK)
        sha256_hex(bytes, *size, hex);
    free(bytes);
    free(path);
    return status;
}

/* ---- the names in a subfolder ---- */

static int is_visible(const struct dirent *found)
{
    const size_t length = strlen(found->d_name);
    return found->d_name[0] != '.' && !(length > 4 && strcmp(found->d_name + length - 4, ".tmp") == 0);
}

static int by_name(const struct dirent **a, const struct dirent **b) /* alphasort depends on the locale */
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Calls visit(context, "INSIDE/NAME") for each visible file, in order. A subfolder that does not exist has none. */
static enum status for_each_file(const char *folder, const char *inside,
                                 enum status (*visit)(void *context, const char *name, struct error *error),
                                 void *context, struct error *error)
{
    struct dirent **found = NULL;
    char *path = path_join(folder, inside), name[MAX_NAME];
    const int count = path ? scandir(path, &found, is_visible, by_name) : 0;
    enum status status = STATUS_OK;
    if (!path || (count < 0 && errno == ENOMEM))
        status = no_memory(folder, error);
    else if (count < 0 && errno != ENOENT)
        status = error_set(error, STATUS_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (snprintf(name, sizeof name, "%s/%s", inside, found[i]->d_name) >= (int)sizeof name)
            status = error_set(error, STATUS_BAD_INPUT, "%s/%.100s...: the name is too long", path, found[i]->d_name);
        if (status == STATUS_OK)
            status = visit(context, name, error);
        free(found[i]);
    }
    free(found);
    free(path);
    return status;
}

/* ---- writing ---- */

struct listing {
    cJSON *list;
    const char *folder;
};

static enum status add_file(void *context, const char *name, struct error *error)
{
    const struct listing *listing = context;
    char hex[65];
    size_t size = 0;
    enum status status = hash_file(listing->folder, name, hex, &size, error);
    if (status != STATUS_OK)
        return status;
    cJSON *entry = cJSON_AddObjectToObject(listing->list, name);
    if (!cJSON_AddNumberToObject(entry, "bytes", (double)size) || !cJSON_AddStringToObject(entry, "sha256", hex))
        return no_memory(listing->folder, error);
    return STATUS_OK;
}

enum status file_hashes_add(cJSON *info, const char *folder, struct error *error)
{
    static const char *const names[] = {"config.json", "records.jsonl", "timings.jsonl"};
    struct listing listing = {cJSON_AddObjectToObject(info, "files"), folder};
    enum status status = listing.list ? STATUS_OK : no_memory(folder, error);
    for (size_t i = 0; i < sizeof names / sizeof *names && status == STATUS_OK; i++) {
        struct error absent = {0};
        status = add_file(&listing, names[i], &absent);
        if (status == STATUS_NOT_FOUND)
            status = STATUS_OK;
        else if (status != STATUS_OK)
            error_set(error, status, "%s", absent.message);
    }
    return status == STATUS_OK ? for_each_file(folder, "traces", add_file, &listing, error) : status;
}

int file_hashes_are_listed(const cJSON *info)
{
    return list_of(info) != NULL;
}

enum status file_hash_put(cJSON *info, const char *folder, const char *name, struct error *error)
{
    struct listing listing = {cJSON_GetObjectItemCaseSensitive(info, "files"), folder};
    if (!listing.list)
        return STATUS_OK;
    cJSON_DeleteItemFromObjectCaseSensitive(listing.list, name);
    return add_file(&listing, name, error);
}

/* ---- checking ---- */

int file_name_is_plain(const char *name)
{
    if (*name == '.' || *name == '\0')
        return 0;
    for (; *name; name++)
        if (*name == '/' || (unsigned char)*name < ' ' || *name == 127)
            return 0;
    return 1;
}

static int is_of_run(const char *name)
{
    static const char *const names[] = {"config.json", "records.jsonl", "timings.jsonl"};
    static const char *const folders[] = {"traces/", "tables/"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0)
            return file_name_is_plain(name + strlen(folders[i]));
    return 0;
}

static int is_hash(const char *hex)
{
    return hex && strlen(hex) == 64 && strspn(hex, "0123456789abcdef") == 64;
}

enum status file_hashes_check_list(const cJSON *info, const char *path, struct error *error)
{
    const cJSON *list = list_of(info), *item = NULL;
    if (list && !cJSON_IsObject(list))
        return error_set(error, STATUS_BAD_INPUT, "%s: files: expected an object", path);
    cJSON_ArrayForEach (item, list) {
        if (!is_of_run(item->string) || cJSON_GetObjectItemCaseSensitive(list, item->string) != item)
            return error_set(error, STATUS_BAD_INPUT, "%s: files: an entry names no file of a run, or a file twice",
                             path);
        if (!is_hash(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "sha256"))))
            return error_set(error, STATUS_BAD_INPUT, "%s: files.%s.sha256: expected 64 hexadecimal digits", path,
                             item->string);
    }
    return STATUS_OK;
}

int file_hash_is_listed(const cJSON *info, const char *name)
{
    return listed_hash(info, name) != NULL;
}

enum status file_hash_check(const cJSON *info, const char *folder, const char *name, const char *hex,
                            struct error *error)
{
    const char *listed = listed_hash(info, name);
    if (!list_of(info) || (listed && strcmp(listed, hex) == 0))
        return STATUS_OK;
    if (!listed)
        return error_set(error, STATUS_BAD_INPUT, "%s/%s: is not a file of this run: run.json does not list it",
                         folder, name);
    return error_set(error, STATUS_BAD_INPUT,
                     "%s/%s: was changed after it was written: its SHA-256 is %.16s..., run.json has %.16s...; restore "
                     "the file or repeat the run with --force",
                     folder, name, hex, listed);
}

enum status file_hash_check_lines(const cJSON *info, const char *folder, const char *name, const struct lines *lines,
                                  struct error *error)
{
    struct sha256 hash;
    char hex[65];
    if (!list_of(info))
        return STATUS_OK;
    sha256_begin(&hash);
    for (size_t i = 0; i < lines->count; i++) {
        sha256_add(&hash, lines->line[i], strlen(lines->line[i]));
        sha256_add(&hash, "\n", 1);
    }
    sha256_end(&hash, hex);
    return file_hash_check(info, folder, name, hex, error);
}

static int is_inside(const char *name, const char *inside)
{
    const size_t length = strlen(inside);
    return strncmp(name, inside, length) == 0 && name[length] == '/';
}

enum status file_hashes_check_present(const cJSON *info, const char *folder, const char *inside, struct error *error)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list_of(info)) {
        if (!is_inside(item->string, inside))
            continue;
        char *path = path_join(folder, item->string);
        const int is_there = path && access(path, F_OK) == 0;
        if (!path)
            return no_memory(folder, error);
        free(path);
        if (!is_there)
            return error_set(error, STATUS_BAD_INPUT,
                             "%s/%s: is missing, and run.json lists it; restore it or repeat the run with --force",
                             folder, item->string);
    }
    return STATUS_OK;
}

enum status file_hashes_check_inside(const cJSON *info, const char *folder, const char *inside, struct error *error)
{
    const cJSON *item = NULL;
    enum status status = file_hashes_check_present(info, folder, inside, error);
    cJSON_ArrayForEach (item, list_of(info)) {
        char hex[65];
        size_t size = 0;
        if (status != STATUS_OK || !is_inside(item->string, inside))
            continue;
        status = hash_file(folder, item->string, hex, &size, error);
        if (status == STATUS_OK)
            status = file_hash_check(info, folder, item->string, hex, error);
    }
    return status;
}

struct verification {
    const cJSON *info;
    const char *folder;
    struct string_list *faults;
};

static enum status note(const struct verification *verification, const char *message, struct error *error)
{
    return string_list_add(verification->faults, "%s", message) ? STATUS_OK : no_memory(verification->folder, error);
}

static enum status verify_listed(const struct verification *verification, const char *name, struct error *error)
{
    struct error cause = {0};
    char hex[65];
    size_t size = 0;
    enum status status = hash_file(verification->folder, name, hex, &size, &cause);
    if (status == STATUS_OK)
        status = file_hash_check(verification->info, verification->folder, name, hex, &cause);
    else if (status == STATUS_NOT_FOUND)
        error_set(&cause, status, "%s/%s: is missing, and run.json lists it", verification->folder, name);
    if (status == STATUS_NO_MEMORY)
        return error_set(error, status, "%s", cause.message);
    return status == STATUS_OK ? STATUS_OK : note(verification, cause.message, error);
}

static enum status verify_unlisted(void *context, const char *name, struct error *error)
{
    const struct verification *verification = context;
    struct error cause = {0};
    if (file_hash_is_listed(verification->info, name))
        return STATUS_OK;
    file_hash_check(verification->info, verification->folder, name, "", &cause);
    return note(verification, cause.message, error);
}

enum status file_hashes_verify(const cJSON *info, const char *folder, struct string_list *faults, size_t *checked,
                               struct error *error)
{
    struct verification verification = {info, folder, faults};
    const cJSON *item = NULL;
    enum status status = STATUS_OK;
    *checked = 0;
    if (!list_of(info))
        return error_set(error, STATUS_NOT_FOUND,
                         "%s: run.json lists no checksums: the run is of a version before 1.0; only repeating it "
                         "(replay without --verify) can check it",
                         folder);
    cJSON_ArrayForEach (item, list_of(info)) {
        ++*checked;
        if (status == STATUS_OK)
            status = verify_listed(&verification, item->string, error);
    }
    if (status == STATUS_OK)
        status = for_each_file(folder, "traces", verify_unlisted, &verification, error);
    return status == STATUS_OK ? for_each_file(folder, "tables", verify_unlisted, &verification, error) : status;
}
