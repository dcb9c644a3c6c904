/*
 * Writing and reading bundles, see bundle.h, by libarchive. An archive that is read comes from somebody else: an entry
 * is written only if it is a regular file with one of the names that a bundle has, and never over another.
 */
#include "harness/folders/bundle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/format/markup.h"
#include "harness/folders/replay.h"
#include "harness/records/run_folder.h"
#include "harness/run/file_hashes.h"
#include "harness/support/archive_functions.h"

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
    struct LIST_OF(struct item) items; /* sorted by name */
    struct archive_functions tar;
    struct archive *archive;
    const cJSON *last; /* found in run.json */
};

static const char *known(const char *text)
{
    return text ? text : "unknown";
}

static void add_item(struct packing *packing, const char *name, const char *path, const char *text)
{
    *pool_push(packing->pool, &packing->items) = (struct item){name, path, text};
}

/* ---- README.md ---- */

static const char *readme(const struct packing *packing)
{
    const struct run_info *run = &packing->folder.run;
    const size_t sources = packing->request->n_sources;
    struct pool_text *text = pool_text_open(packing->pool);
    FILE *stream = text->stream;
    fprintf(stream,
            "# %s\n\nResults of one run of hullbench %s: %zu records, finished %s.\n\n## Check it\n\n"
            "    sha256sum -c SHA256SUMS\n\nin this folder, or, of the archive itself,\n\n"
            "    hullbench replay --verify %s.tar\n\ncheck that no file was changed. They run nothing.\n\n"
            "## Run it again\n\n    hullbench replay %s.tar\n\nrepeats the run and lists every result that differs. "
            "The same run without the bundle's records:\n\n    hullbench run run/config.json --out again",
            packing->top, run->version, run->records, known(run->finished), packing->top, packing->top);
    run_command_print_options(stream, run);
    fprintf(stream,
            "\n\nThe records do not depend on the machine, the number of threads, the compiler or its optimisation. "
            "The program had the SHA-256 `%s`, compiled by `%s`.\n",
            known(run->fingerprint.program), known(run->compiler));
    if (run->plugins.count || sources)
        fputs("\n## Plugins\n\n", stream);
    for (size_t p = 0; p < run->plugins.count; p++)
        put_markdown(stream, "- The run used %s, SHA-256 `%s`.\n", known(run->plugins.item[p].file),
                     run->plugins.item[p].sha256);
    if (run->plugins.count || sources)
        fprintf(stream,
                "%s\n    cc -std=c11 -O2 -ffp-contract=off -fPIC -shared -o MINE.so MINE.c $(pkg-config --cflags "
                "hullbench)\n\nbuilds a plugin. Give it to `replay` and `run` with `--plugin`.\n",
                sources ? "- `plugins/` holds the sources.\n" : "- The bundle holds no sources.\n");
    fputs("\n## Data\n\nThe bundle contains no data sets. The run read these:\n\n| data set | source | SHA-256 |\n"
          "| --- | --- | --- |\n",
          stream);
    for (size_t d = 0; d < run->data.count; d++)
        put_markdown(stream, "| %s | %s | `%s` |\n", run->data.item[d].dataset, known(run->data.item[d].source),
                     run->data.item[d].sha256);
    return pool_text_end(text);
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
    struct pool_text *sums = pool_text_open(packing->pool);
    archive_load(&packing->tar, packing->request->folder);
    if (!(packing->archive = tar->archive_write_new()))
        out_of_memory();
    if (tar->archive_write_set_format_pax_restricted(packing->archive) != ARCHIVE_OK ||
        (!names_are_ascii(packing) &&
         tar->archive_write_set_options(packing->archive, "hdrcharset=BINARY") != ARCHIVE_OK) ||
        tar->archive_write_open_FILE(packing->archive, stream) != ARCHIVE_OK)
        archive_failed(packing);
    put_files(packing, sums->stream);
    pool_text_end(sums);
    put_file(packing, "SHA256SUMS", sums->text, sums->size);
    if (tar->archive_write_close(packing->archive) != ARCHIVE_OK)
        archive_failed(packing);
}

static void end_packing(void *data)
{
    struct packing *packing = data;
    if (packing->archive)
        packing->tar.archive_write_free(packing->archive);
}

struct bundle bundle_make(struct pool *pool, const struct bundle_request *request)
{
    struct packing *packing = pool_alloc(pool, sizeof *packing);
    const struct run_verification *verification = run_verify(pool, request->folder);
    struct pool_text *tape = pool_text_open(pool);
    if (verification->faults.count)
        die(STATUS_BAD_INPUT, "%s", verification->faults.line[0]);
    packing->pool = pool;
    packing->request = request;
    pool_keep(pool, end_packing, packing);
    run_folder_open(pool, request->folder, FOLDER_FINISHED, &packing->folder);
    const char *config = packing->folder.run.config ? packing->folder.run.config : "run";
    packing->top = file_name_join(pool, "", (const char *[]){"hullbench", config, NULL}, "");
    add_item(packing, "README.md", NULL, readme(packing));
    add_file(packing, "run.json");
    json_each (item, json_member(packing->folder.info, "files"))
        add_file(packing, item->string);
    add_sources(packing);
    qsort(packing->items.item, packing->items.count, sizeof *packing->items.item, by_name);
    write_archive(packing, tape->stream);
    const char *bytes = pool_text_end(tape);
    return (struct bundle){packing->top, packing->items.count + 1, bytes, tape->size}; /* with SHA256SUMS */
}

/* ---- reading ---- */

enum { MAX_FILES = 100000, BLOCK = 65536 };
static const uint64_t MAX_BYTES = UINT64_C(4) << 30;

struct unpacking {
    struct pool *pool;
    const char *path, *into;
    const char *top; /* the first folder of all names, with "/"; NULL before the first entry */
    struct LIST_OF(const char *) names; /* behind the top folder */
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
                                        "run/records.jsonl", "run/timings.jsonl", "run/run.json", NULL};
    static const char *const folders[] = {"run/traces/", "run/tables/", "plugins/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0)
            return file_name_is_plain(name + strlen(folders[i]));
    return texts_have(files, name);
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

static const char *unpacked_path(const struct unpacking *unpacking, const char *name)
{
    return pool_printf(unpacking->pool, "%s/%s%s", unpacking->into, unpacking->top, name);
}

/* Every file but SHA256SUMS has its line there, and every line its file. */
static void check_sums(const struct unpacking *unpacking)
{
    enum { NAME_AT = 66 }; /* of the name in a line: 64 digits and two spaces come before it */
    const char *path = unpacked_path(unpacking, "SHA256SUMS"), *none = "~";
    struct string_list found = {0}, sums = {0};
    for (size_t i = 0; i < unpacking->names.count; i++) {
        const char *name = unpacking->names.item[i];
        char hex[65];
        if (strcmp(name, "SHA256SUMS") == 0)
            continue;
        file_sha256(unpacked_path(unpacking, name), hex, NULL);
        string_list_push(unpacking->pool, &found, "%s  %s", hex, name);
    }
    if (access(path, F_OK) == 0)
        sums = lines_read(unpacking->pool, path);
    if (sums.count == 0)
        die(STATUS_BAD_INPUT, "%s: has no SHA256SUMS", unpacking->path);
    string_list_sort(&sums);
    string_list_sort(&found);
    for (size_t i = 0; i < found.count || i < sums.count; i++) {
        const char *one = i < found.count ? found.line[i] : none, *other = i < sums.count ? sums.line[i] : none;
        const char *odd = strcmp(one, other) < 0 ? one : other; /* the only one of its list */
        if (strcmp(one, other) != 0)
            die(STATUS_BAD_INPUT, "%s: %s%s was changed, or is missing here or in SHA256SUMS", unpacking->path,
                unpacking->top, strlen(odd) > NAME_AT ? odd + NAME_AT : odd);
    }
}

static void end_unpacking(void *data)
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
    pool_keep(pool, end_unpacking, unpacking);
    unpack(unpacking);
    check_sums(unpacking);
    return unpacked_path(unpacking, "run");
}
