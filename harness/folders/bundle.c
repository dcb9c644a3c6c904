/* Writing bundles, see bundle.h. The archive is written by libarchive. */
#include "harness/folders/bundle.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/folders/replay.h"
#include "harness/format/markup.h"
#include "harness/records/run_command.h"
#include "harness/records/run_folder.h"
#include "harness/run/file_hashes.h"
#include "harness/run/file_name.h"
#include "harness/support/archive_functions.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/support/sha256.h"

struct item {
    const char *name; /* inside the top folder */
    const char *path; /* of the file; NULL: `text` is its content */
    const char *text;
};

struct packing {
    struct pool *pool;
    const struct bundle_request *request;
    struct run_folder folder;
    const char *top;
    struct {
        struct item *item; /* sorted by name */
        size_t count, capacity;
    } items;
    struct archive_functions tar;
    struct archive *archive;
    const cJSON *last; /* found in run.json */
};

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(member(object, key));
    return text ? text : "unknown";
}

static void add_item(struct packing *packing, const char *name, const char *path, const char *text)
{
    *pool_push(packing->pool, &packing->items) = (struct item){name, path, text};
}

/* ---- README.md ---- */

static const char *readme(const struct packing *packing)
{
    const cJSON *info = packing->folder.info, *plugins = member(info, "plugins"), *item = NULL;
    const size_t sources = packing->request->n_sources;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&text, &size);
    fprintf(stream,
            "# %s\n\nResults of one run of hullbench %s: %.0f records, finished %s.\n\n## Check it\n\n"
            "    sha256sum -c SHA256SUMS\n\nin this folder, or, of the archive itself,\n\n"
            "    hullbench replay --verify %s.tar\n\ncheck that no file was changed. They run nothing.\n\n"
            "## Run it again\n\n    hullbench replay %s.tar\n\nrepeats the run and lists every result that differs. "
            "The same run without the bundle's records:\n\n    hullbench run run/config.json --out again",
            packing->top, text_of(info, "version"), cJSON_GetNumberValue(member(info, "records")),
            text_of(info, "finished"), packing->top, packing->top);
    run_command_print_options(stream, &packing->folder.run);
    fprintf(stream,
            "\n\nThe records do not depend on the machine, the number of threads, the compiler or its optimisation. "
            "The program had the SHA-256 `%s`, compiled by `%s`.\n",
            text_of(info, "program_sha256"), text_of(info, "compiler"));
    if (plugins || sources)
        fputs("\n## Plugins\n\n", stream);
    cJSON_ArrayForEach (item, plugins)
        put_markdown(stream, "- The run used %s, SHA-256 `%s`.\n", text_of(item, "file"), text_of(item, "sha256"));
    if (plugins || sources)
        fprintf(stream,
                "%s\n    cc -std=c11 -O2 -ffp-contract=off -fPIC -shared -o MINE.so MINE.c $(pkg-config --cflags "
                "hullbench)\n\nbuilds a plugin. Give it to `replay` and `run` with `--plugin`.\n",
                sources ? "- `plugins/` holds the sources.\n" : "- The bundle holds no sources.\n");
    fputs("\n## Data\n\nThe bundle contains no data sets. The run read these:\n\n| data set | source | SHA-256 |\n"
          "| --- | --- | --- |\n",
          stream);
    cJSON_ArrayForEach (item, member(info, "data"))
        put_markdown(stream, "| %s | %s | `%s` |\n", text_of(item, "dataset"), text_of(item, "source"),
                     text_of(item, "sha256"));
    xclose_text(stream);
    pool_keep(packing->pool, free, text);
    return text;
}

/* ---- the files ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

static void add_sources(struct packing *packing)
{
    for (size_t i = 0; i < packing->request->n_sources; i++) {
        const char *path = packing->request->sources[i], *slash = strrchr(path, '/');
        if (!file_name_is_plain(slash ? slash + 1 : path))
            die(STATUS_BAD_INPUT,
                "%s: cannot be in a bundle: a name with a dot at its beginning or a control character", path);
        const char *name = pool_printf(packing->pool, "plugins/%s", slash ? slash + 1 : path);
        for (size_t k = 0; k < packing->items.count; k++)
            if (strcmp(packing->items.item[k].name, name) == 0)
                die(STATUS_BAD_INPUT, "%s: another source has the same name; rename one", path);
        add_item(packing, name, path, NULL);
    }
}

static void add_file(struct packing *packing, const char *name)
{
    add_item(packing, pool_printf(packing->pool, "run/%s", name),
             pool_printf(packing->pool, "%s/%s", packing->folder.path, name), NULL);
}

/* ---- the archive ---- */

static _Noreturn void archive_failed(const struct packing *packing)
{
    die(STATUS_IO, "the archive cannot be written: %s", packing->tar.archive_error_string(packing->archive));
}

static void put_file(const struct packing *packing, const char *name, const char *bytes, size_t size)
{
    const struct archive_functions *tar = &packing->tar;
    struct archive_entry *entry = tar->archive_entry_new();
    if (!entry)
        out_of_memory();
    tar->archive_entry_set_pathname(entry, pool_printf(packing->pool, "%s/%s", packing->top, name));
    tar->archive_entry_set_filetype(entry, AE_IFREG);
    tar->archive_entry_set_perm(entry, 0644);
    tar->archive_entry_set_mtime(entry, 0, 0);
    tar->archive_entry_set_size(entry, (la_int64_t)size);
    if (tar->archive_write_header(packing->archive, entry) != ARCHIVE_OK ||
        tar->archive_write_data(packing->archive, bytes, size) != (la_ssize_t)size)
        archive_failed(packing);
    tar->archive_entry_free(entry);
}

/* Another process may write to the folder after it was verified: a file of the run must still be the one that run.json
 * listed then. */
static void check_unchanged(struct pool *pool, struct packing *packing, const struct item *item, const char *bytes,
                            const char *hex)
{
    const struct run_folder *folder = &packing->folder;
    if (strcmp(item->name, "run/run.json") == 0) {
        if (!cJSON_Compare(json_parse(pool, item->path, bytes), folder->info, 1))
            die(STATUS_BAD_INPUT, "%s: was changed while the bundle was written; repeat the command", item->path);
    } else if (strncmp(item->name, "run/", 4) == 0)
        file_hash_check(folder->info, folder->path, item->name + strlen("run/"), hex, &packing->last);
}

/* Writes all items, and a line of SHA256SUMS for each. */
static void put_files(struct packing *packing, FILE *sums)
{
    for (size_t i = 0; i < packing->items.count; i++) {
        const struct item *item = &packing->items.item[i];
        struct pool *pool = pool_new();
        char hex[65];
        size_t size = item->path ? 0 : strlen(item->text);
        const char *bytes = item->text;
        if (item->path) {
            file_check_regular(item->path);
            file_check_exists(item->path); /* not data that the user could get */
            bytes = file_read(pool, item->path, &size);
        }
        sha256_hex(bytes, size, hex);
        fprintf(sums, "%s  %s\n", hex, item->name);
        check_unchanged(pool, packing, item, bytes, hex);
        put_file(packing, item->name, bytes, size);
        pool_free(pool);
    }
}

/* libarchive cannot convert other names in the C locale, and has to take their bytes as they are. */
static int names_are_ascii(const struct packing *packing)
{
    for (size_t i = 0; i < packing->items.count; i++)
        for (const char *at = packing->items.item[i].name; *at; at++)
            if ((unsigned char)*at > 127)
                return 0;
    return 1;
}

static void write_archive(struct packing *packing, FILE *stream)
{
    const struct archive_functions *tar = &packing->tar;
    char *sums = NULL;
    size_t size = 0;
    archive_load(&packing->tar, packing->request->folder);
    if (!(packing->archive = tar->archive_write_new()))
        out_of_memory();
    if (tar->archive_write_set_format_pax_restricted(packing->archive) != ARCHIVE_OK ||
        (!names_are_ascii(packing) &&
         tar->archive_write_set_options(packing->archive, "hdrcharset=BINARY") != ARCHIVE_OK) ||
        tar->archive_write_open_FILE(packing->archive, stream) != ARCHIVE_OK)
        archive_failed(packing);
    FILE *text = xopen_text(&sums, &size);
    put_files(packing, text);
    xclose_text(text);
    put_file(packing, "SHA256SUMS", sums, size);
    free(sums);
    if (tar->archive_write_close(packing->archive) != ARCHIVE_OK)
        archive_failed(packing);
}

/* ---- all ---- */

static void release(void *data)
{
    struct packing *packing = data;
    if (packing->archive)
        packing->tar.archive_write_free(packing->archive);
}

struct bundle bundle_make(struct pool *pool, const struct bundle_request *request)
{
    struct packing *packing = pool_alloc(pool, sizeof *packing);
    const struct run_verification *verification = run_verify(pool, request->folder);
    const cJSON *item = NULL;
    char *bytes = NULL;
    size_t size = 0;
    if (verification->faults.count)
        die(STATUS_BAD_INPUT, "%s", verification->faults.line[0]);
    packing->pool = pool;
    packing->request = request;
    pool_keep(pool, release, packing);
    run_folder_open(pool, request->folder, FOLDER_FINISHED, &packing->folder);
    const char *config = packing->folder.run.config ? packing->folder.run.config : "run";
    char *top = file_name_join("", (const char *[]){"hullbench", config, NULL}, "");
    pool_keep(pool, free, top);
    packing->top = top;
    add_item(packing, "README.md", NULL, readme(packing));
    add_file(packing, "run.json");
    cJSON_ArrayForEach (item, member(packing->folder.info, "files"))
        add_file(packing, item->string);
    add_sources(packing);
    qsort(packing->items.item, packing->items.count, sizeof *packing->items.item, by_name);
    FILE *stream = xopen_text(&bytes, &size);
    write_archive(packing, stream);
    xclose_text(stream);
    pool_keep(pool, free, bytes);
    return (struct bundle){packing->top, packing->items.count + 1, bytes, size}; /* with SHA256SUMS */
}
