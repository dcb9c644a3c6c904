/* See file_hashes.h. Names are listed in the order of strcmp, so that run.json does not depend on the file system. */
#include "harness/run/file_hashes.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/support/sha256.h"
#include "solvers/visible_text.h"

#define UNLISTED "%s/%s: is not a file of this run: run.json does not list it"

static cJSON *list_of(const cJSON *info)
{
    return json_member(info, "files");
}

/* Searches from the entry after *last on, and then from the beginning; *last (or NULL) becomes the entry found. So
 * names looked up in their order take one step each. */
static const cJSON *entry_of(const cJSON *info, const char *name, const cJSON **last)
{
    const cJSON *list = list_of(info), *first = list ? list->child : NULL;
    const cJSON *start = last && *last && (*last)->next ? (*last)->next : first, *item = start;
    while (item && strcmp(item->string, name) != 0) {
        item = item->next ? item->next : first;
        item = item == start ? NULL : item;
    }
    if (last && item)
        *last = item;
    return item;
}

static const char *hash_of(const cJSON *entry)
{
    return cJSON_GetStringValue(json_member(entry, "sha256"));
}

const char *file_hash_listed(const cJSON *info, const char *name)
{
    return hash_of(entry_of(info, name, NULL));
}

static void hash_file(const char *folder, const char *name, struct file_hash *hash)
{
    const char *path = path_in(folder, name);
    file_check_regular(path);
    file_sha256(path, hash->sha256, &hash->bytes);
}

/* ---- writing ---- */

static const char *const listed_names[] = {"config.json", "records.jsonl", "timings.jsonl", "evaluations.jsonl",
                                           "tune.json", "tune.md", "surface.csv", NULL};

/* `known`: the file's hash; NULL: it is read. */
static void add_file(cJSON *list, const char *folder, const char *name, const struct file_hash *known)
{
    struct file_hash hash;
    if (!known)
        hash_file(folder, name, &hash);
    cJSON *entry = json_put_object(list, name);
    json_put_number(entry, "bytes", (double)(known ? known : &hash)->bytes);
    json_put_text(entry, "sha256", (known ? known : &hash)->sha256);
}

static int is_visible(const char *name)
{
    const size_t length = strlen(name);
    return name[0] != '.' && !(length > 4 && strcmp(name + length - 4, ".tmp") == 0);
}

void file_hashes_add(cJSON *info, const char *folder, const struct record_hashes *records)
{
    const struct file_hash *const known[sizeof listed_names / sizeof *listed_names] = {
        NULL, records ? &records->records : NULL, records ? &records->timings : NULL};
    cJSON *list = json_put_object(info, "files");
    struct pool *pool = pool_new();
    for (size_t i = 0; listed_names[i]; i++)
        if (known[i] || access(path_in(folder, listed_names[i]), F_OK) == 0)
            add_file(list, folder, listed_names[i], known[i]);
    const struct string_list traces =
        folder_list(pool, path_in(folder, "traces"), is_visible, STATUS_BAD_INPUT);
    for (size_t i = 0; i < traces.count; i++)
        add_file(list, folder, pool_printf(pool, "traces/%s", traces.line[i]), NULL);
    pool_free(pool);
}

void file_hash_put(cJSON *info, const char *folder, const char *name)
{
    cJSON *list = list_of(info);
    cJSON_DeleteItemFromObjectCaseSensitive(list, name);
    if (list)
        add_file(list, folder, name, NULL);
}

/* ---- checking ---- */

int file_name_is_plain(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/') && !text_has_control(name, "");
}

static int is_of_run(const char *name)
{
    const int is_inside = strncmp(name, "traces/", 7) == 0 || strncmp(name, "tables/", 7) == 0;
    return is_inside ? file_name_is_plain(name + 7) : texts_have(listed_names, name);
}

void file_hashes_check_list(const cJSON *info, const char *path)
{
    const cJSON *list = list_of(info);
    if (list && !cJSON_IsObject(list))
        die(STATUS_BAD_INPUT, "%s: files: expected an object", path);
    json_each (item, list) {
        const cJSON *bytes = json_member(item, "bytes");
        const char *hex = hash_of(item);
        if (!is_of_run(item->string))
            die(STATUS_BAD_INPUT, "%s: files: an entry names no file of a run", path);
        if (!cJSON_IsNumber(bytes) || !(bytes->valuedouble >= 0))
            die(STATUS_BAD_INPUT, "%s: files.%s.bytes: expected a number from 0", path, item->string);
        if (!hex || strlen(hex) != 64 || strspn(hex, "0123456789abcdef") != 64)
            die(STATUS_BAD_INPUT, "%s: files.%s.sha256: expected 64 hexadecimal digits", path, item->string);
    }
}

static void check_hash(const char *folder, const char *name, const char *listed, const char *hex)
{
    if (!listed)
        die(STATUS_BAD_INPUT, UNLISTED, folder, name);
    if (strcmp(listed, hex) != 0)
        die(STATUS_BAD_INPUT,
            "%s/%s: was changed after it was written: its SHA-256 is %.16s..., run.json has %.16s...; restore the file "
            "or repeat the run with --force",
            folder, name, hex, listed);
}

static int is_inside(const char *name, const char *inside)
{
    const size_t length = strlen(inside);
    return strncmp(name, inside, length) == 0 && name[length] == '/';
}

/* Without reading the file: checks that it exists, is a regular file and has the listed size. */
static void check_size(const cJSON *listed, const char *folder)
{
    const double bytes = json_member(listed, "bytes")->valuedouble;
    const char *path = path_in(folder, listed->string);
    struct stat about;
    const int reason = stat(path, &about) == 0 ? 0 : errno;
    if (reason == ENOENT || reason == ENOTDIR)
        die(STATUS_BAD_INPUT,
            "%s: is missing, and run.json lists it; restore the file or repeat the run with --force", path);
    if (reason)
        file_refuse(path, reason);
    if (!S_ISREG(about.st_mode))
        die(STATUS_BAD_INPUT, "%s: is not a regular file", path);
    if ((double)about.st_size != bytes)
        die(STATUS_BAD_INPUT,
            "%s: was changed after it was written: it has %.0f bytes, run.json has %.0f; restore the file or repeat "
            "the run with --force",
            path, (double)about.st_size, bytes);
}

struct listed_file {
    const cJSON *listed;
    const char *folder;
};

static void check_content(void *data)
{
    const struct listed_file *file = data;
    struct file_hash hash;
    check_size(file->listed, file->folder);
    hash_file(file->folder, file->listed->string, &hash);
    check_hash(file->folder, file->listed->string, hash_of(file->listed), hash.sha256);
}

void file_hashes_check_all(const cJSON *info, const char *folder)
{
    json_each (item, list_of(info))
        if (strcmp(item->string, "config.json") != 0)
            check_content(&(struct listed_file){item, folder});
}

/* An attempt: what is wrong with a file is noted, not the end. */
static int is_as_listed(const cJSON *listed, const char *folder, struct error *fault)
{
    struct listed_file file = {listed, folder};
    return attempt_on_file(check_content, &file, fault) == STATUS_OK;
}

void file_hash_check(const cJSON *info, const char *folder, const char *name, const char *hex, const cJSON **last)
{
    if (list_of(info))
        check_hash(folder, name, hash_of(entry_of(info, name, last)), hex);
}

void file_hash_check_lines(const cJSON *info, const char *folder, const char *name, const struct string_list *lines)
{
    struct sha256 hash;
    char hex[65];
    if (!list_of(info))
        return;
    sha256_begin(&hash);
    for (size_t i = 0; i < lines->count; i++) {
        sha256_add(&hash, lines->line[i], strlen(lines->line[i]));
        sha256_add(&hash, "\n", 1);
    }
    sha256_end(&hash, hex);
    file_hash_check(info, folder, name, hex, NULL);
}

void file_hashes_check_present(const cJSON *info, const char *folder)
{
    json_each (item, list_of(info))
        if (strcmp(item->string, "config.json") != 0 && !is_inside(item->string, "tables"))
            check_size(item, folder);
}

int file_hashes_hold_inside(const cJSON *info, const char *folder, const char *inside)
{
    int hold = 1;
    json_each (item, list_of(info))
        hold = hold && (!is_inside(item->string, inside) || is_as_listed(item, folder, NULL));
    return hold;
}

/* Notes the unlisted files of a subfolder, or those of the folder itself if `inside` is NULL, as faults, if a run lists
 * files of their names. What hullbench writes there later, from files that are checked, is known. */
static void verify_unlisted(struct pool *pool, const cJSON *info, const char *folder, const char *inside,
                            struct string_list *faults, struct string_list *unchecked)
{
    static const char *const known[] = {"run.json", "traces", "tables", "plots", "paper", "replay", NULL};
    const char *path = inside ? path_in(folder, inside) : folder;
    const struct string_list found = folder_list(pool, path, is_visible, STATUS_BAD_INPUT);
    const cJSON *last = NULL;
    for (size_t i = 0; i < found.count; i++) {
        const char *name = inside ? pool_printf(pool, "%s/%s", inside, found.line[i]) : found.line[i];
        if (inside || texts_have(listed_names, name)) {
            if (!entry_of(info, name, &last))
                string_list_push(pool, faults, UNLISTED, folder, name);
        } else if (!texts_have(known, name) && strncmp(name, "compare", 7) != 0)
            string_list_push(pool, unchecked, "%s", name);
    }
}

size_t file_hashes_verify(struct pool *pool, const cJSON *info, const char *folder, struct string_list *faults,
                          struct string_list *unchecked)
{
    struct error fault;
    if (!list_of(info))
        die(STATUS_BAD_INPUT,
            "%s: run.json lists no checksums: the run is of a version before 1.0; only repeating it (replay without "
            "--verify) can check it",
            folder);
    json_each (item, list_of(info))
        if (!is_as_listed(item, folder, &fault))
            string_list_push(pool, faults, "%s", fault.message);
    verify_unlisted(pool, info, folder, "traces", faults, unchecked);
    verify_unlisted(pool, info, folder, "tables", faults, unchecked);
    verify_unlisted(pool, info, folder, NULL, faults, unchecked);
    return (size_t)cJSON_GetArraySize(list_of(info));
}
