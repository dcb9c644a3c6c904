/* Writing bundles, see bundle.h. The archive is written by libarchive. */
#include "harness/folders/bundle.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/archive_functions.h"
#include "harness/format/markdown_text.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/run/file_name.h"
#include "harness/records/run_command.h"
#include "harness/records/run_folder.h"
#include "harness/folders/verify_run.h"
#include "harness/run/file_hashes.h"
#include "harness/support/file.h"
#include "harness/support/sha256.h"

struct item {
    char *name; /* inside the top folder */
    char *path; /* of the file; NULL: `text` is its content */
    char *text;
};

struct bundle {
    const struct bundle_request *request;
    struct run_folder folder;
    char top[256];
    struct item *items; /* sorted by name */
    size_t count;
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

/* Takes over name, path and text. */
static void add_item(struct bundle *bundle, char *name, char *path, char *text)
{
    bundle->items = xreallocarray(bundle->items, bundle->count + 1, sizeof *bundle->items);
    bundle->items[bundle->count++] = (struct item){name, path, text};
}

/* ---- README.md ---- */

static void put_data(FILE *text, const cJSON *info)
{
    const cJSON *item = NULL;
    fputs("\n## Data\n\nThe bundle contains no data sets. The run read these:\n\n| data set | source | SHA-256 |\n"
          "| --- | --- | --- |\n",
          text);
    cJSON_ArrayForEach (item, member(info, "data"))
        put_markdown(text, "| %s | %s | `%s` |\n", text_of(item, "dataset"), text_of(item, "source"),
                text_of(item, "sha256"));
}

static void put_plugins(FILE *text, const struct bundle *bundle)
{
    const cJSON *item = NULL, *plugins = member(bundle->folder.info, "plugins");
    if (!plugins && bundle->request->n_sources == 0)
        return;
    fputs("\n## Plugins\n\n", text);
    cJSON_ArrayForEach (item, plugins)
        put_markdown(text, "- The run used %s, SHA-256 `%s`.\n", text_of(item, "file"), text_of(item, "sha256"));
    fputs(bundle->request->n_sources ? "- `plugins/` holds the sources.\n" : "- The bundle holds no sources.\n", text);
    fputs("\n    cc -std=c11 -O2 -ffp-contract=off -fPIC -shared -o MINE.so MINE.c $(pkg-config --cflags hullbench)\n\n"
          "builds a plugin. Give it to `replay` and `run` with `--plugin`.\n",
          text);
}

static char *readme(const struct bundle *bundle)
{
    const cJSON *info = bundle->folder.info;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&text, &size);
    fprintf(stream,
            "# %s\n\nResults of one run of hullbench %s: %.0f records, finished %s.\n\n## Check it\n\n"
            "    sha256sum -c SHA256SUMS\n\nin this folder, or, of the archive itself,\n\n"
            "    hullbench replay --verify %s.tar\n\ncheck that no file was changed. They run nothing.\n\n"
            "## Run it again\n\n    hullbench replay %s.tar\n\nrepeats the run and lists every result that differs. "
            "The same run without the bundle's records:\n\n    hullbench run run/config.json --out again",
            bundle->top, text_of(info, "version"), cJSON_GetNumberValue(member(info, "records")),
            text_of(info, "finished"), bundle->top, bundle->top);
    run_command_print_options(stream, info);
    fprintf(stream,
            "\n\nThe records do not depend on the machine, the number of threads, the compiler or its optimisation. "
            "The program had the SHA-256 `%s`, compiled by `%s`.\n",
            text_of(info, "program_sha256"), text_of(info, "compiler"));
    put_plugins(stream, bundle);
    put_data(stream, info);
    xclose_text(stream);
    return text;
}

/* ---- the files ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

static enum status add_sources(struct bundle *bundle, struct error *error)
{
    for (size_t i = 0; i < bundle->request->n_sources; i++) {
        const char *path = bundle->request->sources[i], *slash = strrchr(path, '/');
        if (!file_name_is_plain(slash ? slash + 1 : path))
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: cannot be in a bundle: a name with a dot at its beginning or a control character",
                             path);
        char *name = xasprintf("plugins/%s", slash ? slash + 1 : path);
        for (size_t k = 0; k < bundle->count; k++)
            if (strcmp(bundle->items[k].name, name) == 0) {
                free(name);
                return error_set(error, STATUS_BAD_INPUT, "%s: another source has the same name; rename one", path);
            }
        add_item(bundle, name, xstrdup(path), NULL);
    }
    return STATUS_OK;
}

static enum status choose_files(struct bundle *bundle, struct error *error)
{
    const cJSON *item = NULL;
    add_item(bundle, xstrdup("README.md"), NULL, readme(bundle));
    add_item(bundle, xstrdup("run/run.json"), xasprintf("%s/run.json", bundle->folder.path), NULL);
    cJSON_ArrayForEach (item, member(bundle->folder.info, "files"))
        add_item(bundle, xasprintf("run/%s", item->string), xasprintf("%s/%s", bundle->folder.path, item->string),
                 NULL);
    enum status status = add_sources(bundle, error);
    qsort(bundle->items, bundle->count, sizeof *bundle->items, by_name);
    return status;
}

/* ---- the archive ---- */

static enum status archive_failed(const struct bundle *bundle, struct error *error)
{
    return error_set(error, STATUS_IO, "the archive cannot be written: %s",
                     bundle->tar.archive_error_string(bundle->archive));
}

static enum status put_file(const struct bundle *bundle, const char *name, const char *bytes, size_t size,
                            struct error *error)
{
    const struct archive_functions *tar = &bundle->tar;
    struct archive_entry *entry = tar->archive_entry_new();
    char *path = xasprintf("%s/%s", bundle->top, name);
    if (!entry)
        out_of_memory();
    tar->archive_entry_set_pathname(entry, path);
    tar->archive_entry_set_filetype(entry, AE_IFREG);
    tar->archive_entry_set_perm(entry, 0644);
    tar->archive_entry_set_mtime(entry, 0, 0);
    tar->archive_entry_set_size(entry, (la_int64_t)size);
    const int sound = tar->archive_write_header(bundle->archive, entry) == ARCHIVE_OK &&
                      tar->archive_write_data(bundle->archive, bytes, size) == (la_ssize_t)size;
    tar->archive_entry_free(entry);
    free(path);
    return sound ? STATUS_OK : archive_failed(bundle, error);
}

/* Another process may write to the folder after it was verified: a file of the run must still be the one that run.json
 * listed then. */
static enum status check_unchanged(struct bundle *bundle, const struct item *item, const char *bytes,
                                   const char *hex, struct error *error)
{
    if (strncmp(item->name, "run/", 4) != 0)
        return STATUS_OK;
    if (strcmp(item->name, "run/run.json") != 0)
        return file_hash_check(bundle->folder.info, bundle->folder.path, item->name + strlen("run/"), hex,
                               &bundle->last, error);
    struct pool *pool = pool_new();
    enum status status = STATUS_OK;
    char *now = json_line(json_parse(pool, item->path, bytes)), *before = json_line(bundle->folder.info);
    if (strcmp(now, before) != 0)
        status = error_set(error, STATUS_BAD_INPUT, "%s: was changed while the bundle was written; repeat the command",
                           item->path);
    free(now);
    free(before);
    pool_free(pool);
    return status;
}

static char *read_item(struct pool *pool, const struct item *item, size_t *size)
{
    file_check_regular(item->path);
    file_check_exists(item->path); /* not data that the user could get */
    return file_read(pool, item->path, size);
}

/* Writes all items, and a line of SHA256SUMS for each. */
static enum status put_files(struct bundle *bundle, FILE *sums, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < bundle->count && status == STATUS_OK; i++) {
        const struct item *item = &bundle->items[i];
        struct pool *pool = pool_new();
        char hex[65];
        size_t size = item->path ? 0 : strlen(item->text);
        const char *bytes = item->path ? read_item(pool, item, &size) : item->text;
        sha256_hex(bytes, size, hex);
        fprintf(sums, "%s  %s\n", hex, item->name);
        status = check_unchanged(bundle, item, bytes, hex, error);
        if (status == STATUS_OK)
            status = put_file(bundle, item->name, bytes, size, error);
        pool_free(pool);
    }
    return status;
}

/* libarchive cannot convert other names in the C locale, and has to take their bytes as they are. */
static int names_are_ascii(const struct bundle *bundle)
{
    for (size_t i = 0; i < bundle->count; i++)
        for (const char *at = bundle->items[i].name; *at; at++)
            if ((unsigned char)*at > 127)
                return 0;
    return 1;
}

static enum status write_archive(struct bundle *bundle, FILE *stream, struct error *error)
{
    char *sums = NULL;
    size_t size = 0;
    const struct archive_functions *tar = &bundle->tar;
    enum status status = STATUS_OK;
    archive_load(&bundle->tar, bundle->request->folder);
    if (!(bundle->archive = tar->archive_write_new()))
        out_of_memory();
    if (tar->archive_write_set_format_pax_restricted(bundle->archive) != ARCHIVE_OK ||
        (!names_are_ascii(bundle) &&
         tar->archive_write_set_options(bundle->archive, "hdrcharset=BINARY") != ARCHIVE_OK) ||
        tar->archive_write_open_FILE(bundle->archive, stream) != ARCHIVE_OK)
        return archive_failed(bundle, error);
    FILE *text = xopen_text(&sums, &size);
    status = put_files(bundle, text, error);
    xclose_text(text);
    if (status == STATUS_OK)
        status = put_file(bundle, "SHA256SUMS", sums, strlen(sums), error);
    free(sums);
    if (status == STATUS_OK && tar->archive_write_close(bundle->archive) != ARCHIVE_OK)
        status = archive_failed(bundle, error);
    return status;
}

/* ---- all ---- */

static enum status check(const char *folder, struct error *error)
{
    struct pool *pool = pool_new();
    const struct run_verification *verification = run_verify(pool, folder);
    const enum status status = verification->faults.count
                                   ? error_set(error, STATUS_BAD_INPUT, "%s", verification->faults.line[0])
                                   : STATUS_OK;
    pool_free(pool);
    return status;
}

enum status bundle_write(const struct bundle_request *request, FILE *stream, struct bundle_result *result,
                         struct error *error)
{
    struct bundle bundle = {.request = request};
    *result = (struct bundle_result){0};
    enum status status = check(request->folder, error);
    if (status == STATUS_OK)
        status = run_folder_read(request->folder, FOLDER_FINISHED, &bundle.folder, error);
    if (status == STATUS_OK) {
        const char *config = bundle.folder.run.config ? bundle.folder.run.config : "run";
        char *top = file_name_join("", (const char *[]){"hullbench", config, NULL}, "");
        snprintf(bundle.top, sizeof bundle.top, "%s", top);
        free(top);
        status = choose_files(&bundle, error);
    }
    if (status == STATUS_OK)
        status = write_archive(&bundle, stream, error);
    snprintf(result->name, sizeof result->name, "%s", bundle.top);
    result->files = bundle.count + 1; /* SHA256SUMS */
    if (bundle.archive)
        bundle.tar.archive_write_free(bundle.archive);
    for (size_t i = 0; i < bundle.count; i++) {
        free(bundle.items[i].name);
        free(bundle.items[i].path);
        free(bundle.items[i].text);
    }
    free(bundle.items);
    run_folder_free(&bundle.folder);
    return status;
}
