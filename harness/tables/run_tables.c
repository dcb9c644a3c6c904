/* Writes summaries and comparisons of solvers folder by folder, then the published tables from all folders together,
 * then the tables that configurations specify. */
#include "harness/tables/run_tables.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/run/file_name.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/papers/conform.h"
#include "harness/records/run_gaps.h"
#include "harness/records/same_splits.h"
#include "harness/tables/own_table.h"

/* A missing folder, paper or file is bad input; STATUS_NOT_FOUND is reserved for tables without records. */
static enum status not_found_is_bad(enum status status, struct error *error)
{
    if (status != STATUS_NOT_FOUND)
        return status;
    if (error)
        error->status = STATUS_BAD_INPUT;
    return STATUS_BAD_INPUT;
}

/* Writes the JSON of a table whose rows are made one at a time. */
static void write_rows(const struct table_files *files, const char *folder, const char *name)
{
    struct outfile out;
    char *path = xasprintf("%s/%s.json", folder, name);
    outfile_open(&out, path);
    json_print_rows(files->json, &files->rows, out.stream);
    outfile_commit(&out);
    free(path);
}

struct table_files table_files_new(struct cJSON *json)
{
    struct pool *pool = pool_new();
    return (struct table_files){.json = json, .text = {.pool = pool}, .csv = {.pool = pool}};
}

void table_files_write(struct table_files *files, const struct run_folders *runs, const char *folder, const char *kind,
                       const char *name, struct table_log *log)
{
    char *file = file_name_join("", *kind ? (const char *[]){kind, name, NULL} : (const char *[]){name, NULL}, "");
    struct string_list gaps = {0};
    run_folders_gaps(runs, NULL, &gaps);
    gaps_note(&gaps, &files->text);
    gaps_put(&gaps, files->json);
    string_list_free(&gaps);
    if (files->rows.put)
        write_rows(files, folder, file);
    text_table_write_files(folder, file, files->rows.put ? NULL : files->json, &files->text, &files->csv);
    table_log_add(log, folder, file);
    cJSON_Delete(files->json);
    pool_free(files->text.pool);
    free(file);
}

static enum status write_summary(struct run_folder *run, const char *tables, struct table_log *log, struct error *error)
{
    enum status status = run_folder_read_records(run, error);
    if (status == STATUS_OK)
        folder_make(tables);
    if (status == STATUS_OK)
        folder_remove_temporaries(tables);
    return status == STATUS_OK ? summary_table_write(run, tables, log, error) : status;
}

static int is_of_kind(const cJSON *entry, const char *kind)
{
    const char *given = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "kind"));
    return given && strcmp(given, kind) == 0;
}

/* The name of an entry, or its kind if it has none. */
static const char *name_of(const cJSON *entry, const char *kind)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "name"));
    return name && *name ? name : kind;
}

enum status solver_tables_write(struct run_folder *run, const char *tables, struct table_log *log, struct error *error)
{
    static const char profile[] = "profile", ranks[] = "critical-difference", runtimes[] = "runtime-distribution";
    const cJSON *plots = cJSON_GetObjectItemCaseSensitive(run->config, "plots"), *entry = NULL;
    struct plot_data data = {0};
    int wanted = !plots;
    cJSON_ArrayForEach (entry, plots)
        wanted = wanted || is_of_kind(entry, profile) || is_of_kind(entry, ranks) || is_of_kind(entry, runtimes);
    enum status status = wanted ? plot_data_take(run, &data, error) : STATUS_OK;
    if (status == STATUS_OK && !plots)
        ranks_table_write(&data, NULL, ranks, tables, log);
    if (status == STATUS_OK && !plots)
        status = runtime_table_write(&data, NULL, runtimes, tables, log, error);
    cJSON_ArrayForEach (entry, plots)
        if (status == STATUS_OK && is_of_kind(entry, profile))
            variants_table_write(&data, &run->run, entry, name_of(entry, profile), tables, log);
    cJSON_ArrayForEach (entry, plots)
        if (status == STATUS_OK && is_of_kind(entry, ranks))
            ranks_table_write(&data, entry, name_of(entry, ranks), tables, log);
    cJSON_ArrayForEach (entry, plots)
        if (status == STATUS_OK && is_of_kind(entry, runtimes))
            status = runtime_table_write(&data, entry, name_of(entry, runtimes), tables, log, error);
    plot_data_free(&data);
    return status;
}

/* Writes the published tables and claims that this folder's configuration names. */
static void write_published(const struct run_folder *run, const struct conformance *conformance, const char *folder,
                            struct table_log *log)
{
    for (size_t i = 0; i < conformance->n_tables; i++) {
        const struct paper_comparison *comparison = conformance->tables[i];
        if (!run_folder_is_for(run, comparison->table->name))
            continue;
        comparison_write(comparison, folder);
        table_log_add(log, folder, comparison->table->name);
    }
    for (size_t i = 0; i < conformance->n_papers; i++) {
        const char *name = conformance->papers[i].paper->name;
        if (!run_folder_is_for(run, name))
            continue;
        claims_write(&conformance->papers[i], folder);
        char *claims = xasprintf("%s.claims", name);
        table_log_add(log, folder, claims);
        free(claims);
    }
}

/* ---- custom tables ---- */

/* Prepares tables of several folders: reads all records, and checks that split numbers mean the same in all. */
static enum status prepare(const struct run_folders *runs, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < runs->count && status == STATUS_OK; i++) {
        status = run_folder_read_records(&runs->items[i], error);
        for (size_t j = 0; j < i && status == STATUS_OK; j++)
            status = run_folder_check_splits(&runs->items[j], &runs->items[i], error);
    }
    return not_found_is_bad(status, error);
}

/* Writes the tables of a list. A table without records does not stop the others; the first such error is returned. */
static enum status write_own(const cJSON *list, const struct json_path *place, const struct run_folders *runs,
                             const char *folder, struct table_log *log, struct error *error)
{
    struct json_path at = {.file = place->file, .outer = place};
    struct table_names names;
    struct error empty = {0};
    const cJSON *item = NULL;
    enum status status = prepare(runs, error);
    if (status != STATUS_OK)
        return status;
    table_names_of_folders(runs, &names);
    table_specs_check(list, place, &names);
    cJSON_ArrayForEach (item, list) {
        struct error cause = {0};
        if (status != STATUS_OK)
            break;
        if (cJSON_IsObject(item))
            status = own_table_write(item, &at, &names, runs, folder, log, &cause);
        if (status == STATUS_NOT_FOUND) {
            empty = empty.status ? empty : cause;
            status = STATUS_OK;
        } else if (status != STATUS_OK)
            error_set(error, status, "%s", cause.message);
        at.index++;
    }
    table_names_free(&names);
    return status == STATUS_OK && empty.status ? error_set(error, empty.status, "%s", empty.message) : status;
}

static int has_specification(const cJSON *list)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list)
        if (cJSON_IsObject(item))
            return 1;
    return 0;
}

/* Writes the tables of a run's configuration from that run's records. */
static enum status write_own_of_config(struct run_folder *run, const char *tables, struct table_log *log,
                                       struct error *error)
{
    const struct run_folders alone = {run, 1};
    char *path = xasprintf("%s/config.json", run->path);
    const struct json_path top = {.file = path}, place = {.file = path, .outer = &top, .key = "tables"};
    enum status status = STATUS_OK;
    if (has_specification(run->outputs))
        status = write_own(run->outputs, &place, &alone, tables, log, error);
    free(path);
    return status;
}

/* ---- all tables ---- */

/* Writes all tables of the folders, which must be locked. */
static enum status write_all(const struct run_folders *runs, struct table_log *log, struct error *error)
{
    struct conformance conformance = {0};
    struct error empty = {0};
    enum status status = STATUS_OK;
    char **tables = xcalloc(runs->count + 1, sizeof *tables);
    for (size_t i = 0; i < runs->count && status == STATUS_OK; i++) {
        tables[i] = xasprintf("%s/tables", runs->items[i].path);
        status = write_summary(&runs->items[i], tables[i], log, error);
        if (status == STATUS_OK)
            status = solver_tables_write(&runs->items[i], tables[i], log, error);
    }
    if (status == STATUS_OK) /* after the summaries, which need no paper and are written even if this fails */
        status = conform_runs(runs, &conformance, error);
    for (size_t i = 0; i < runs->count && status == STATUS_OK; i++)
        write_published(&runs->items[i], &conformance, tables[i], log);
    status = not_found_is_bad(status, error);
    for (size_t i = 0; i < runs->count && status == STATUS_OK; i++) {
        struct error cause = {0};
        status = write_own_of_config(&runs->items[i], tables[i], log, &cause);
        if (status == STATUS_NOT_FOUND) {
            empty = empty.status ? empty : cause;
            status = STATUS_OK;
        } else if (status != STATUS_OK)
            error_set(error, status, "%s", cause.message);
    }
    if (status == STATUS_OK && empty.status)
        status = error_set(error, empty.status, "%s", empty.message);
    for (size_t i = 0; i < runs->count; i++)
        free(tables[i]);
    free(tables);
    conformance_free(&conformance);
    return status;
}

/* Writes the tables of a specification file, an object or a list of objects, into the first folder. */
static enum status write_spec(const struct run_folders *runs, const char *spec, struct table_log *log,
                              struct error *error)
{
    const struct json_path place = {.file = spec};
    char *tables = xasprintf("%s/tables", runs->items[0].path);
    cJSON *json = NULL;
    enum status status = not_found_is_bad(json_read(spec, &json, error), error);
    if (status == STATUS_OK && cJSON_IsObject(json)) {
        cJSON *list = json_new_array();
        cJSON_AddItemToArray(list, json);
        json = list;
    }
    if (status == STATUS_OK && (!cJSON_IsArray(json) || !json->child))
        status = json_error(&place, error, "neither an object nor a list of objects");
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, json)
        if (status == STATUS_OK && !cJSON_IsObject(item))
            status = json_error(&place, error, "an element of the list is not an object");
    if (status == STATUS_OK)
        folder_make(tables);
    if (status == STATUS_OK)
        folder_remove_temporaries(tables);
    if (status == STATUS_OK)
        status = write_own(json, &place, runs, tables, log, error);
    cJSON_Delete(json);
    free(tables);
    return status;
}

struct writing {
    const struct run_folders *folders;
    const char *spec;
    struct table_log *log;
};

static void write_any(void *data)
{
    const struct writing *writing = data;
    struct error error = {0};
    if ((writing->spec ? write_spec(writing->folders, writing->spec, writing->log, &error)
                       : write_all(writing->folders, writing->log, &error)) != STATUS_OK)
        die_of(&error);
}

/* Locks the folders, then writes the tables of the specification file or, without one, those of the configurations. */
static enum status write_locked(const struct run_folders *folders, const char *spec, struct table_log *given,
                                struct error *error)
{
    struct string_list written = {0};
    struct table_log all = {given->said, given->warned, &written}, *log = &all;
    struct folder_lock *locks = xcalloc(folders->count + 1, sizeof *locks);
    const char **paths = xcalloc(folders->count + 1, sizeof *paths);
    for (size_t i = 0; i < folders->count; i++)
        paths[i] = folders->items[i].path;
    folder_lock_all(locks, paths, folders->count);
    struct writing writing = {folders, spec, log};
    enum status status = attempt(write_any, &writing, error);
    for (size_t i = 0; i < folders->count; i++) { /* also what was written before an error */
        struct error cause = {0};
        const enum status hashed = table_log_hash(log, &folders->items[i], &cause);
        if (hashed != STATUS_OK && (status == STATUS_OK || status == STATUS_NOT_FOUND))
            status = error_set(error, hashed, "%s", cause.message);
    }
    for (size_t i = 0; i < folders->count; i++)
        folder_lock_release(&locks[i]);
    string_list_free(&written);
    free(locks);
    free(paths);
    return status;
}

enum status run_tables_write(const struct run_folders *folders, struct table_log *log, struct error *error)
{
    return write_locked(folders, NULL, log, error);
}

enum status spec_tables_write(const struct run_folders *folders, const char *spec, struct table_log *log,
                              struct error *error)
{
    return write_locked(folders, spec, log, error);
}
