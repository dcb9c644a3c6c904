/* See file_hashes.h. Names are listed in the order of strcmp, so that run.json does not depend on the file system. */
#include "harness/run/file_hashes.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/pool.h"
#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/support/folder.h"
#include "harness/support/sha256.h"
#include "solvers/visible_text.h"

static const cJSON *list_of(const cJSON *info)
{
    return cJSON_GetObjectItemCaseSensitive(info, "files");
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
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "sha256"));
}

const char *file_hash_listed(const cJSON *info, const char *name)
{
    return hash_of(entry_of(info, name, NULL));
}

static void hash_file(const char *folder, const char *name, struct file_hash *hash)
{
    char *path = path_join(folder, name);
    file_check_regular(path);
    file_sha256(path, hash->sha256, &hash->bytes);
    free(path);
}

/* ---- the names in a subfolder ---- */

static int is_visible(const char *name)
{
    const size_t length = strlen(name);
    return name[0] != '.' && !(length > 4 && strcmp(name + length - 4, ".tmp") == 0);
}

/* Calls visit(context, "INSIDE/NAME") for each visible file, in order. A subfolder that does not exist has none. */
static void for_each_file(const char *folder, const char *inside, void (*visit)(void *context, const char *name),
                          void *context)
{
    struct pool *pool = pool_new();
    const char *path = pool_printf(pool, "%s/%s", folder, inside);
    const struct string_list found = folder_list(pool, path, is_visible, STATUS_BAD_INPUT);
    for (size_t i = 0; i < found.count; i++)
        visit(context, pool_printf(pool, "%s/%s", inside, found.line[i]));
    pool_free(pool);
}

/* ---- writing ---- */

struct listing {
    cJSON *list;
    const char *folder;
};

static void add_hash(const struct listing *listing, const char *name, const struct file_hash *hash)
{
    cJSON *entry = json_put_object(listing->list, name);
    json_put_number(entry, "bytes", (double)hash->bytes);
    json_put_text(entry, "sha256", hash->sha256);
}

static void add_file(void *context, const char *name)
{
    const struct listing *listing = context;
    struct file_hash hash;
    hash_file(listing->folder, name, &hash);
    add_hash(listing, name, &hash);
}

void file_hashes_add(cJSON *info, const char *folder, const struct record_hashes *records)
{
    const struct {
        const char *name;
        const struct file_hash *known;
    } files[] = {{"config.json", NULL},
                 {"records.jsonl", records ? &records->records : NULL},
                 {"timings.jsonl", records ? &records->timings : NULL}};
    struct listing listing = {json_put_object(info, "files"), folder};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = path_join(folder, files[i].name);
        if (files[i].known)
            add_hash(&listing, files[i].name, files[i].known);
        else if (access(path, F_OK) == 0)
            add_file(&listing, files[i].name);
        free(path);
    }
    for_each_file(folder, "traces", add_file, &listing);
}

int file_hashes_are_listed(const cJSON *info)
{
    return list_of(info) != NULL;
}

void file_hash_put(cJSON *info, const char *folder, const char *name)
{
    struct listing listing = {cJSON_GetObjectItemCaseSensitive(info, "files"), folder};
    if (!listing.list)
        return;
    cJSON_DeleteItemFromObjectCaseSensitive(listing.list, name);
    add_file(&listing, name);
}

/* ---- checking ---- */

int file_name_is_plain(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/') && !text_has_control(name, "");
}

static int is_one_of(const char *name, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(name, names[i]) != 0)
        i++;
    return i < count;
}

static const char *const listed_names[] = {"config.json", "records.jsonl", "timings.jsonl"};
enum { LISTED_NAMES = sizeof listed_names / sizeof *listed_names };

static int is_of_run(const char *name)
{
    static const char *const folders[] = {"traces/", "tables/"};
    if (is_one_of(name, listed_names, LISTED_NAMES))
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

void file_hashes_check_list(const cJSON *info, const char *path)
{
    const cJSON *list = list_of(info), *item = NULL;
    if (list && !cJSON_IsObject(list))
        die(STATUS_BAD_INPUT, "%s: files: expected an object", path);
    cJSON_ArrayForEach (item, list) {
        if (!is_of_run(item->string))
            die(STATUS_BAD_INPUT, "%s: files: an entry names no file of a run", path);
        const cJSON *bytes = cJSON_GetObjectItemCaseSensitive(item, "bytes");
        if (!cJSON_IsNumber(bytes) || !(bytes->valuedouble >= 0))
            die(STATUS_BAD_INPUT, "%s: files.%s.bytes: expected a number from 0", path, item->string);
        if (!is_hash(hash_of(item)))
            die(STATUS_BAD_INPUT, "%s: files.%s.sha256: expected 64 hexadecimal digits", path, item->string);
    }
}

/* The functions up to check_content return a fault of a file, for the list of all faults. */
static enum status compare(const char *folder, const char *name, const char *listed, const char *hex,
                           struct error *fault)
{
    if (listed && strcmp(listed, hex) == 0)
        return STATUS_OK;
    if (!listed)
        return error_set(fault, STATUS_BAD_INPUT, "%s/%s: is not a file of this run: run.json does not list it",
                         folder, name);
    return error_set(fault, STATUS_BAD_INPUT,
                     "%s/%s: was changed after it was written: its SHA-256 is %.16s..., run.json has %.16s...; restore "
                     "the file or repeat the run with --force",
                     folder, name, hex, listed);
}

static int is_inside(const char *name, const char *inside)
{
    const size_t length = strlen(inside);
    return strncmp(name, inside, length) == 0 && name[length] == '/';
}

/* Without reading the file: whether it exists, is a regular file and has the listed size. */
static enum status check_size(const cJSON *listed, const char *folder, struct error *error)
{
    char *path = path_join(folder, listed->string);
    const cJSON *bytes = cJSON_GetObjectItemCaseSensitive(listed, "bytes");
    struct stat about;
    enum status status = STATUS_OK;
    if (stat(path, &about) != 0)
        status = errno == ENOENT || errno == ENOTDIR
                     ? error_set(error, STATUS_BAD_INPUT,
                                 "%s: is missing, and run.json lists it; restore the file or repeat the run with "
                                 "--force",
                                 path)
                     : error_set(error, STATUS_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = error_set(error, STATUS_BAD_INPUT, "%s: is not a regular file", path);
    else if ((double)about.st_size != bytes->valuedouble)
        status = error_set(error, STATUS_BAD_INPUT,
                           "%s: was changed after it was written: it has %.0f bytes, run.json has %.0f; restore the "
                           "file or repeat the run with --force",
                           path, (double)about.st_size, bytes->valuedouble);
    free(path);
    return status;
}

struct hashing {
    const char *folder, *name;
    struct file_hash hash;
};

static void try_hash(void *data)
{
    struct hashing *hashing = data;
    hash_file(hashing->folder, hashing->name, &hashing->hash);
}

/* An attempt: what is wrong with a file is noted, not the end. */
static enum status check_content(const cJSON *listed, const char *folder, struct error *fault)
{
    struct hashing hashing = {folder, listed->string, {0}};
    enum status status = check_size(listed, folder, fault);
    if (status == STATUS_OK)
        status = attempt(try_hash, &hashing, fault);
    return status == STATUS_OK ? compare(folder, listed->string, hash_of(listed), hashing.hash.sha256, fault) : status;
}

void file_hash_check(const cJSON *info, const char *folder, const char *name, const char *hex, const cJSON **last)
{
    struct error fault;
    if (list_of(info))
        die_unless_ok(compare(folder, name, hash_of(entry_of(info, name, last)), hex, &fault), &fault);
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
    const cJSON *item = NULL;
    struct error fault;
    cJSON_ArrayForEach (item, list_of(info))
        if (strcmp(item->string, "config.json") != 0 && !is_inside(item->string, "tables"))
            die_unless_ok(check_size(item, folder, &fault), &fault);
}

void file_hash_check_file(const cJSON *info, const char *folder, const char *name)
{
    const cJSON *listed = entry_of(info, name, NULL);
    struct error fault;
    if (listed)
        die_unless_ok(check_content(listed, folder, &fault), &fault);
}

int file_hashes_hold_inside(const cJSON *info, const char *folder, const char *inside)
{
    const cJSON *item = NULL;
    int hold = 1;
    cJSON_ArrayForEach (item, list_of(info))
        hold = hold && (!is_inside(item->string, inside) || check_content(item, folder, NULL) == STATUS_OK);
    return hold;
}

struct verification {
    const cJSON *info;
    const char *folder;
    struct string_list *faults, *unchecked;
    const cJSON *last; /* found */
};

static void verify_unlisted(void *context, const char *name)
{
    struct verification *verification = context;
    struct error fault;
    if (entry_of(verification->info, name, &verification->last))
        return;
    compare(verification->folder, name, NULL, "", &fault);
    string_list_add(verification->faults, "%s", fault.message);
}

/* Files of the folder itself. What hullbench writes there later, from files that are checked, is known. */
static void verify_beside(void *context, const char *name)
{
    static const char *const known[] = {"run.json", "traces", "tables", "plots", "paper", "replay"};
    struct verification *verification = context;
    const char *plain = name + strlen("./");
    if (is_one_of(plain, listed_names, LISTED_NAMES))
        verify_unlisted(verification, plain);
    else if (!is_one_of(plain, known, sizeof known / sizeof *known) && strncmp(plain, "compare", 7) != 0)
        string_list_add(verification->unchecked, "%s", plain);
}

size_t file_hashes_verify(const cJSON *info, const char *folder, struct string_list *faults,
                          struct string_list *unchecked)
{
    struct verification verification = {info, folder, faults, unchecked, NULL};
    const cJSON *item = NULL;
    struct error fault;
    if (!list_of(info))
        die(STATUS_BAD_INPUT,
            "%s: run.json lists no checksums: the run is of a version before 1.0; only repeating it (replay without "
            "--verify) can check it",
            folder);
    cJSON_ArrayForEach (item, list_of(info))
        if (check_content(item, folder, &fault) != STATUS_OK)
            string_list_add(faults, "%s", fault.message);
    for_each_file(folder, "traces", verify_unlisted, &verification);
    for_each_file(folder, "tables", verify_unlisted, &verification);
    for_each_file(folder, ".", verify_beside, &verification);
    return (size_t)cJSON_GetArraySize(list_of(info));
}
