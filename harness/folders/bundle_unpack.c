/*
 * Reading bundles, see bundle.h. The archive comes from somebody else: an entry is written only if it is a regular file
 * with one of the names that a bundle has, and never over another.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/archive_functions.h"
#include "harness/folders/bundle.h"
#include "harness/base/memory.h"
#include "harness/run/file_hashes.h"
#include "harness/support/decompress.h"
#include "harness/support/file.h"
#include "harness/support/lines.h"
#include "harness/support/string_list.h"

enum { MAX_FILES = 100000, BLOCK = 65536 };
static const uint64_t MAX_BYTES = UINT64_C(4) << 30;

struct unpacking {
    const char *path, *into;
    char *top; /* the first folder of all names, with "/"; NULL before the first entry */
    struct string_list names;
    uint64_t total; /* bytes unpacked */
    struct archive_functions tar;
    struct archive *archive;
};

static enum status refuse(const struct unpacking *unpacking, const char *name, const char *why, struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%s: is not a bundle of hullbench: \"%.200s\" %s", unpacking->path,
                     name, why);
}

/* Whether the rest of a name, behind the top folder, is one that a bundle has. */
static int is_of_bundle(const char *name)
{
    static const char *const files[] = {"README.md",         "SHA256SUMS",        "run/config.json",
                                        "run/records.jsonl", "run/timings.jsonl", "run/run.json"};
    static const char *const folders[] = {"run/traces/", "run/tables/", "plugins/"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(name, files[i]) == 0)
            return 1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0)
            return file_name_is_plain(name + strlen(folders[i]));
    return 0;
}

/* Sets *rest to the name behind the top folder. */
static enum status check_name(struct unpacking *unpacking, const char *name, const char **rest, struct error *error)
{
    const char *slash = strchr(name, '/');
    if (!unpacking->top) {
        if (strncmp(name, "hullbench-", 10) != 0 || !slash)
            return refuse(unpacking, name, "is not in a folder hullbench-NAME", error);
        unpacking->top = xasprintf("%.*s", (int)(slash + 1 - name), name);
    }
    const size_t length = strlen(unpacking->top);
    *rest = name + length;
    if (strncmp(name, unpacking->top, length) != 0 || !is_of_bundle(*rest))
        return refuse(unpacking, name, "is not a file of a bundle", error);
    if (unpacking->names.count == MAX_FILES)
        return refuse(unpacking, name, "is one file too many", error);
    if (!string_list_add(&unpacking->names, "%s", *rest))
        out_of_memory();
    return STATUS_OK;
}

static enum status damaged(const struct unpacking *unpacking, struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%s: is damaged or not a tar archive: %s", unpacking->path,
                     unpacking->tar.archive_error_string(unpacking->archive));
}

/* A failure of the system. The message keeps the temporary path, which shows where there is no space. */
static enum status not_written(const struct unpacking *unpacking, const char *path, struct error *error)
{
    return error_set(error, STATUS_IO, "%s: cannot be unpacked: %.300s: %s", unpacking->path, path, strerror(errno));
}

static void check_ratio(const struct unpacking *unpacking)
{
    const double packed = (double)unpacking->tar.archive_filter_bytes(unpacking->archive, -1);
    decompress_check_size(unpacking->path, packed, (double)unpacking->total);
}

/* Writes the file `name` below the folder `into`. It is temporary, so it is not synced. */
static enum status write_entry(struct unpacking *unpacking, const char *name, struct error *error)
{
    char *path = path_join(unpacking->into, name), *folder = path ? path_folder(path) : NULL, block[BLOCK];
    const struct archive_functions *tar = &unpacking->tar;
    la_ssize_t size = 0;
    if (!folder)
        out_of_memory();
    folder_make(folder);
    enum status status = STATUS_OK;
    FILE *stream = fopen(path, "wbx");
    if (!stream)
        status = errno == EEXIST ? refuse(unpacking, name, "occurs twice", error)
                                 : not_written(unpacking, path, error);
    while (status == STATUS_OK && (size = tar->archive_read_data(unpacking->archive, block, sizeof block)) > 0) {
        unpacking->total += (uint64_t)size;
        check_ratio(unpacking);
        if (unpacking->total > MAX_BYTES)
            status = refuse(unpacking, name, "makes it larger than 4 GiB", error);
        else if (fwrite(block, 1, (size_t)size, stream) != (size_t)size)
            status = not_written(unpacking, path, error);
    }
    if (status == STATUS_OK && size < 0)
        status = damaged(unpacking, error);
    if (stream && fclose(stream) != 0 && status == STATUS_OK)
        status = not_written(unpacking, path, error);
    free(folder);
    free(path);
    return status;
}

static enum status unpack_entry(struct unpacking *unpacking, struct archive_entry *entry, struct error *error)
{
    const struct archive_functions *tar = &unpacking->tar;
    const char *name = tar->archive_entry_pathname(entry), *rest = NULL;
    if (name && tar->archive_entry_filetype(entry) == AE_IFDIR)
        return STATUS_OK;
    if (!name || tar->archive_entry_filetype(entry) != AE_IFREG || tar->archive_entry_hardlink(entry) ||
        tar->archive_entry_sparse_count(entry) > 0)
        return refuse(unpacking, name ? name : "", "is not a regular file", error);
    enum status status = check_name(unpacking, name, &rest, error);
    return status == STATUS_OK ? write_entry(unpacking, name, error) : status;
}

/* Reads the next entry. In the C locale libarchive warns of a name that is not ASCII; it has its bytes all the same. */
static int has_entry(struct unpacking *unpacking, struct archive_entry *entry, int *found)
{
    *found = unpacking->tar.archive_read_next_header2(unpacking->archive, entry);
    const char *name = *found == ARCHIVE_WARN ? unpacking->tar.archive_entry_pathname(entry) : NULL;
    while (name && *name && (unsigned char)*name <= 127)
        name++;
    if (name && *name)
        *found = ARCHIVE_OK;
    return *found == ARCHIVE_OK;
}

static enum status unpack_entries(struct unpacking *unpacking, struct error *error)
{
    const struct archive_functions *tar = &unpacking->tar;
    /* libarchive's own entry may be NULL if memory ran out; it does not check that. */
    struct archive_entry *entry = tar->archive_entry_new();
    enum status status = STATUS_OK;
    int found = ARCHIVE_OK;
    if (!entry)
        out_of_memory();
    while (status == STATUS_OK && has_entry(unpacking, entry, &found))
        status = unpack_entry(unpacking, entry, error);
    tar->archive_entry_free(entry);
    if (status == STATUS_OK && found != ARCHIVE_EOF)
        status = damaged(unpacking, error);
    if (status == STATUS_OK && !unpacking->top)
        status = error_set(error, STATUS_BAD_INPUT, "%s: is an empty archive", unpacking->path);
    return status;
}

/* ---- SHA256SUMS ---- */

enum { NAME_AT = 66 }; /* of the name in a line: 64 digits and two spaces come before it */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a + NAME_AT, *(char *const *)b + NAME_AT);
}

static int compare_name(const void *name, const void *line)
{
    return strcmp(name, *(char *const *)line + NAME_AT);
}

static enum status check_sum(const struct unpacking *unpacking, const struct lines *sums, const char *name,
                             struct error *error)
{
    char *path = xasprintf("%s/%s%s", unpacking->into, unpacking->top, name), hex[65] = "";
    char *const *line = bsearch(name, sums->line, sums->count, sizeof *sums->line, compare_name);
    enum status status = STATUS_OK;
    file_sha256(path, hex, NULL);
    if (!line)
        status = error_set(error, STATUS_BAD_INPUT, "%s: %s%s is not in SHA256SUMS", unpacking->path, unpacking->top,
                           name);
    else if (strncmp(*line, hex, 64) != 0)
        status = error_set(error, STATUS_BAD_INPUT, "%s: %s%s was changed: its SHA-256 is not that in SHA256SUMS",
                           unpacking->path, unpacking->top, name);
    free(path);
    return status;
}

struct sums {
    struct pool *pool;
    const char *path;
    struct lines lines;
};

static void read_lines(void *data)
{
    struct sums *sums = data;
    sums->lines = lines_read(sums->pool, sums->path);
    for (size_t i = 0; i < sums->lines.count; i++)
        if (strlen(sums->lines.line[i]) <= NAME_AT)
            die(STATUS_BAD_INPUT, "a line of SHA256SUMS is too short");
}

/* Reads SHA256SUMS and sorts its lines by name. */
static struct lines read_sums(struct pool *pool, const struct unpacking *unpacking)
{
    struct sums sums = {pool, pool_printf(pool, "%s/%sSHA256SUMS", unpacking->into, unpacking->top), {0}};
    const enum status status = attempt(read_lines, &sums, NULL);
    if (status == STATUS_NO_MEMORY)
        out_of_memory();
    if (status != STATUS_OK)
        die(STATUS_BAD_INPUT, "%s: has no sound SHA256SUMS", unpacking->path);
    if (sums.lines.count > 0)
        qsort(sums.lines.line, sums.lines.count, sizeof *sums.lines.line, by_name);
    return sums.lines;
}

/* Every file but SHA256SUMS has its line there, and every line its file. */
static enum status check_sums(const struct unpacking *unpacking, struct error *error)
{
    struct pool *pool = pool_new();
    const struct lines sums = read_sums(pool, unpacking);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < unpacking->names.count && status == STATUS_OK; i++)
        if (strcmp(unpacking->names.line[i], "SHA256SUMS") != 0)
            status = check_sum(unpacking, &sums, unpacking->names.line[i], error);
    if (status == STATUS_OK && sums.count + 1 != unpacking->names.count)
        status = error_set(error, STATUS_BAD_INPUT, "%s: SHA256SUMS lists %zu files, and the bundle has %zu",
                           unpacking->path, sums.count, unpacking->names.count - 1);
    pool_free(pool);
    return status;
}

/* Opens the archive and unpacks its files. */
static enum status unpack(struct unpacking *unpacking, struct error *error)
{
    const struct archive_functions *tar = &unpacking->tar;
    const char *path = unpacking->path;
    file_check_regular(path);
    if (access(path, R_OK) != 0)
        return error_set(error, errno == ENOENT ? STATUS_NOT_FOUND : STATUS_BAD_INPUT, "%s: %s", path,
                         strerror(errno));
    enum status status = STATUS_OK;
    archive_load(&unpacking->tar, path);
    if (status != STATUS_OK)
        return status;
    if (!(unpacking->archive = tar->archive_read_new()))
        out_of_memory();
    tar->archive_read_support_format_tar(unpacking->archive);
    tar->archive_read_support_filter_gzip(unpacking->archive);
    if (tar->archive_read_open_filename(unpacking->archive, path, BLOCK) != ARCHIVE_OK)
        return damaged(unpacking, error);
    if (tar->archive_filter_count(unpacking->archive) > 2) /* the last one reads the file */
        return error_set(error, STATUS_BAD_INPUT, "%s: is not a bundle of hullbench: it is compressed %d times", path,
                         tar->archive_filter_count(unpacking->archive) - 1);
    return unpack_entries(unpacking, error);
}

enum status bundle_unpack(const char *path, const char *into, char **run, struct error *error)
{
    struct unpacking unpacking = {.path = path, .into = into};
    *run = NULL;
    enum status status = unpack(&unpacking, error);
    if (status == STATUS_OK)
        status = check_sums(&unpacking, error);
    if (status == STATUS_OK)
        *run = xasprintf("%s/%srun", into, unpacking.top);
    if (unpacking.archive)
        unpacking.tar.archive_read_free(unpacking.archive);
    string_list_free(&unpacking.names);
    free(unpacking.top);
    return status;
}
