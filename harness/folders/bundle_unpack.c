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

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/folders/bundle.h"
#include "harness/run/file_hashes.h"
#include "harness/support/archive_functions.h"
#include "harness/support/input_stream.h"
#include "harness/support/file.h"

enum { MAX_FILES = 100000, BLOCK = 65536 };
static const uint64_t MAX_BYTES = UINT64_C(4) << 30;

struct unpacking {
    struct pool *pool;
    const char *path, *into;
    const char *top; /* the first folder of all names, with "/"; NULL before the first entry */
    struct {
        const char **item;
        size_t count, capacity;
    } names;        /* behind the top folder */
    uint64_t total; /* bytes unpacked */
    struct archive_functions tar;
    struct archive *archive;
    struct archive_entry *entry;
};

static _Noreturn void refuse(const struct unpacking *unpacking, const char *name, const char *why)
{
    die(STATUS_BAD_INPUT, "%s: is not a bundle of hullbench: \"%.200s\" %s", unpacking->path, name, why);
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

static void add_name(struct unpacking *unpacking, const char *name)
{
    const char *slash = strchr(name, '/');
    if (!unpacking->top) {
        if (strncmp(name, "hullbench-", 10) != 0 || !slash)
            refuse(unpacking, name, "is not in a folder hullbench-NAME");
        unpacking->top = pool_strndup(unpacking->pool, name, (size_t)(slash + 1 - name));
    }
    const size_t length = strlen(unpacking->top);
    if (strncmp(name, unpacking->top, length) != 0 || !is_of_bundle(name + length))
        refuse(unpacking, name, "is not a file of a bundle");
    if (unpacking->names.count == MAX_FILES)
        refuse(unpacking, name, "is one file too many");
    *pool_push(unpacking->pool, &unpacking->names) = pool_strdup(unpacking->pool, name + length);
}

static _Noreturn void damaged(const struct unpacking *unpacking)
{
    die(STATUS_BAD_INPUT, "%s: is damaged or not a tar archive: %s", unpacking->path,
        unpacking->tar.archive_error_string(unpacking->archive));
}

/* A failure of the system. The message keeps the temporary path, which shows where there is no space. */
static _Noreturn void not_written(const struct unpacking *unpacking, const char *path)
{
    die(STATUS_IO, "%s: cannot be unpacked: %.300s: %s", unpacking->path, path, strerror(errno));
}

/* Writes the file `name` below the folder `into`. It is temporary, so it is not synced. */
static void write_entry(struct unpacking *unpacking, const char *name)
{
    const struct archive_functions *tar = &unpacking->tar;
    const char *path = pool_printf(unpacking->pool, "%s/%s", unpacking->into, name);
    char block[BLOCK];
    la_ssize_t size = 0;
    folder_make(pool_strndup(unpacking->pool, path, (size_t)(strrchr(path, '/') - path)));
    FILE *stream = fopen(path, "wbx");
    if (!stream && errno == EEXIST)
        refuse(unpacking, name, "occurs twice");
    if (!stream)
        not_written(unpacking, path);
    while ((size = tar->archive_read_data(unpacking->archive, block, sizeof block)) > 0) {
        unpacking->total += (uint64_t)size;
        if (unpacking->total > MAX_BYTES)
            refuse(unpacking, name, "makes it larger than 4 GiB");
        decompress_check_size(unpacking->path, (double)tar->archive_filter_bytes(unpacking->archive, -1),
                              (double)unpacking->total);
        if (fwrite(block, 1, (size_t)size, stream) != (size_t)size)
            not_written(unpacking, path);
    }
    if (size < 0)
        damaged(unpacking);
    if (fclose(stream) != 0)
        not_written(unpacking, path);
}

static void unpack_entry(struct unpacking *unpacking)
{
    const struct archive_functions *tar = &unpacking->tar;
    struct archive_entry *entry = unpacking->entry;
    const char *given = tar->archive_entry_pathname(entry), *name = given ? given : "";
    if (given && tar->archive_entry_filetype(entry) == AE_IFDIR)
        return;
    if (!given || tar->archive_entry_filetype(entry) != AE_IFREG || tar->archive_entry_hardlink(entry) ||
        tar->archive_entry_sparse_count(entry) > 0)
        refuse(unpacking, name, "is not a regular file");
    add_name(unpacking, name);
    write_entry(unpacking, name);
}

/* Reads the next entry; returns what libarchive says. In the C locale it warns of a name that is not ASCII; it has its
 * bytes all the same. */
static int next_entry(struct unpacking *unpacking)
{
    const int found = unpacking->tar.archive_read_next_header2(unpacking->archive, unpacking->entry);
    const char *name = found == ARCHIVE_WARN ? unpacking->tar.archive_entry_pathname(unpacking->entry) : NULL;
    while (name && *name && (unsigned char)*name <= 127)
        name++;
    return name && *name ? ARCHIVE_OK : found;
}

/* Unpacks the files of the archive. */
static void unpack(struct unpacking *unpacking)
{
    const struct archive_functions *tar = &unpacking->tar;
    const char *path = unpacking->path;
    int found;
    unpacking->archive = tar->archive_read_new();
    /* libarchive's own entry may be NULL if memory ran out; it does not check that. */
    unpacking->entry = tar->archive_entry_new();
    if (!unpacking->archive || !unpacking->entry)
        out_of_memory();
    tar->archive_read_support_format_tar(unpacking->archive);
    tar->archive_read_support_filter_gzip(unpacking->archive);
    if (tar->archive_read_open_filename(unpacking->archive, path, BLOCK) != ARCHIVE_OK)
        damaged(unpacking);
    if (tar->archive_filter_count(unpacking->archive) > 2) /* the last one reads the file */
        die(STATUS_BAD_INPUT, "%s: is not a bundle of hullbench: it is compressed %d times", path,
            tar->archive_filter_count(unpacking->archive) - 1);
    while ((found = next_entry(unpacking)) == ARCHIVE_OK)
        unpack_entry(unpacking);
    if (found != ARCHIVE_EOF)
        damaged(unpacking);
    if (!unpacking->top)
        die(STATUS_BAD_INPUT, "%s: is an empty archive", path);
}

/* ---- SHA256SUMS ---- */

enum { NAME_AT = 66 }; /* of the name in a line: 64 digits and two spaces come before it */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a + NAME_AT, *(char *const *)b + NAME_AT);
}

static const char *unpacked_path(const struct unpacking *unpacking, const char *name)
{
    return pool_printf(unpacking->pool, "%s/%s%s", unpacking->into, unpacking->top, name);
}

/* Every file but SHA256SUMS has its line there, and every line its file. */
static void check_sums(const struct unpacking *unpacking)
{
    const char *path = unpacked_path(unpacking, "SHA256SUMS");
    const size_t n_names = unpacking->names.count;
    struct string_list sums = {0};
    if (access(path, F_OK) == 0)
        sums = lines_read(unpacking->pool, path);
    for (size_t i = 0; i < sums.count || !sums.line; i++)
        if (!sums.line || strlen(sums.line[i]) <= NAME_AT)
            die(STATUS_BAD_INPUT, "%s: has no sound SHA256SUMS", unpacking->path);
    qsort(sums.line, sums.count, sizeof *sums.line, compare_lines);
    qsort(unpacking->names.item, n_names, sizeof *unpacking->names.item, compare_names);
    for (size_t i = 0, at = 0; i < n_names; i++) {
        const char *name = unpacking->names.item[i];
        char hex[65];
        if (strcmp(name, "SHA256SUMS") == 0)
            continue;
        while (at < sums.count && strcmp(sums.line[at] + NAME_AT, name) < 0)
            at++;
        if (at == sums.count || strcmp(sums.line[at] + NAME_AT, name) != 0)
            die(STATUS_BAD_INPUT, "%s: %s%s is not in SHA256SUMS", unpacking->path, unpacking->top, name);
        file_sha256(unpacked_path(unpacking, name), hex, NULL);
        if (strncmp(sums.line[at], hex, 64) != 0)
            die(STATUS_BAD_INPUT, "%s: %s%s was changed: its SHA-256 is not that in SHA256SUMS", unpacking->path,
                unpacking->top, name);
    }
    if (sums.count + 1 != n_names)
        die(STATUS_BAD_INPUT, "%s: SHA256SUMS lists %zu files, and the bundle has %zu", unpacking->path, sums.count,
            n_names - 1);
}

static void release(void *data)
{
    const struct unpacking *unpacking = data;
    if (unpacking->entry)
        unpacking->tar.archive_entry_free(unpacking->entry);
    if (unpacking->archive)
        unpacking->tar.archive_read_free(unpacking->archive);
}

const char *bundle_unpack(struct pool *pool, const char *path, const char *into)
{
    struct unpacking *unpacking = pool_alloc(pool, sizeof *unpacking);
    unpacking->pool = pool;
    unpacking->path = path;
    unpacking->into = into;
    file_check_regular(path);
    if (access(path, R_OK) != 0)
        die(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    archive_load(&unpacking->tar, path);
    pool_keep(pool, release, unpacking);
    unpack(unpacking);
    check_sums(unpacking);
    return unpacked_path(unpacking, "run");
}
