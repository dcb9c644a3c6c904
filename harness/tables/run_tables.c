/* Writes summaries and comparisons of solvers folder by folder, then the published tables from all folders together,
 * then the tables that configurations specify. */
#include "harness/tables/run_tables.h"

#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/run/file_hashes.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/support/folder_lock.h"

/* ---- single tables ---- */

struct run_table run_table_new(struct pool *pool, const char *kind, const char *name)
{
    struct run_table table = {.page = {.pool = pool, .name = name}, .data = {.pool = pool}};
    if (*kind) {
        table.page.name = file_name_join(pool, "", (const char *[]){kind, name, NULL}, "");
        json_put_text(result_facts(&table.page), "kind", kind);
        json_put_text(result_facts(&table.page), "name", name);
    }
    return table;
}

/* Logs the table FOLDER/NAME.{json,md,tex,csv}, which has been written. */
static void log_table(struct table_log *log, const char *folder, const char *name)
{
    if (log->said)
        fprintf(log->said, "%s/%s.{json,md,tex,csv}\n", folder, name);
    if (log->written)
        string_list_push(log->pool, log->written, "%s/%s", folder, name);
}

void run_table_write(struct run_table *table, const struct run_folders *runs, const char *folder,
                     struct table_log *log)
{
    const struct string_list gaps = run_folders_gaps(table->page.pool, runs, NULL);
    gaps_add(&gaps, &table->page);
    result_write_files(&table->page, table->data.columns.count ? &table->data : &table->page, folder);
    log_table(log, folder, table->page.name);
}

/* Enters the written tables of the run folder in its run.json, with their checksums (file_hashes.h), unless it has
 * none. The folder is locked by the caller. */
static void hash_tables(const struct string_list *written, struct run_folder *run)
{
    static const char *const endings[] = {"json", "md", "tex", "csv"};
    struct pool *pool = pool_new();
    const char *tables = pool_printf(pool, "%s/tables/", run->path);
    size_t entered = 0;
    for (size_t i = 0; i < written->count && run->info && cJSON_HasObjectItem(run->info, "files"); i++)
        for (size_t k = 0; k < 4 && strncmp(written->line[i], tables, strlen(tables)) == 0; k++, entered++)
            file_hash_put(run->info, run->path,
                          pool_printf(pool, "%s.%s", written->line[i] + strlen(run->path) + 1, endings[k]));
    if (entered)
        json_write(pool_printf(pool, "%s/run.json", run->path), run->info);
    pool_free(pool);
}

/* ---- tables of a folder ---- */

/* Writes the published tables and claims that this folder's configuration names. */
static void write_published(struct pool *pool, const struct run_folder *run, const struct conformance *conformance,
                            const char *folder, struct table_log *log)
{
    for (size_t i = 0; i < conformance->n_tables; i++) {
        const struct reproduction *comparison = conformance->tables[i];
        if (!run_folder_is_for(run, comparison->table->name))
            continue;
        reproduction_write(comparison, folder);
        log_table(log, folder, comparison->table->name);
    }
    for (size_t i = 0; i < conformance->n_papers; i++) {
        const char *name = conformance->papers[i].paper->name;
        if (!run_folder_is_for(run, name))
            continue;
        claims_write(&conformance->papers[i], folder);
        log_table(log, folder, pool_printf(pool, "%s.claims", name));
    }
}

/* ---- custom tables ---- */

struct writing {
    struct pool *pool;
    const struct run_folders *folders;
    const char *spec; /* NULL: the configurations' tables */
    struct table_log *log;
    struct error empty; /* of the first table without records, which does not stop the others */
};

/* Prepares tables of several folders: reads all records, and checks that split numbers mean the same in all. */
static void prepare(const struct run_folders *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        run_folder_read_records(&runs->items[i]);
        for (size_t j = 0; j < i; j++)
            run_folder_check_splits(&runs->items[j], &runs->items[i]);
    }
}

/* Writes the tables of a list. */
static void write_own(struct writing *writing, const cJSON *list, const struct json_path *place,
                      const struct run_folders *runs, const char *folder)
{
    struct json_path at = {.outer = place};
    const cJSON *item = NULL;
    prepare(runs);
    const struct known_names names = known_names_of(writing->pool, runs);
    table_specs_check(list, place, &names);
    cJSON_ArrayForEach (item, list) {
        struct error cause;
        struct own_table own = {pool_new(), item, &at, &names, runs, folder, writing->log};
        const enum status status = cJSON_IsObject(item) ? attempt(own_table_write, &own, &cause) : STATUS_OK;
        pool_free(own.pool);
        if (status == STATUS_NOT_FOUND)
            writing->empty = writing->empty.status ? writing->empty : cause;
        else
            die_unless_ok(status, &cause);
        at.index++;
    }
}

/* Writes the tables of a run's configuration from that run's records. */
static void write_own_of_config(struct writing *writing, struct run_folder *run, const char *tables)
{
    const struct run_folders alone = {run, 1};
    const struct json_path config = {.file = pool_printf(writing->pool, "%s/config.json", run->path)};
    write_own(writing, run->outputs, json_at(&config, "tables"), &alone, tables);
}

/* ---- all tables ---- */

/* Writes all tables of the folders, which must be locked. */
static void write_all(struct writing *writing)
{
    const struct run_folders *runs = writing->folders;
    const char **tables = pool_array(writing->pool, runs->count, sizeof *tables);
    for (size_t i = 0; i < runs->count; i++) {
        tables[i] = pool_printf(writing->pool, "%s/tables", runs->items[i].path);
        run_folder_read_records(&runs->items[i]);
        folder_make(tables[i]);
        folder_remove_temporaries(tables[i]);
        summary_table_write(writing->pool, &runs->items[i], tables[i], writing->log);
        solver_tables_write(&runs->items[i], tables[i], writing->log);
    }
    /* after the summaries, which need no paper and are written even if this fails */
    const struct conformance conformance = conform_runs(writing->pool, runs);
    for (size_t i = 0; i < runs->count; i++)
        write_published(writing->pool, &runs->items[i], &conformance, tables[i], writing->log);
    for (size_t i = 0; i < runs->count; i++)
        write_own_of_config(writing, &runs->items[i], tables[i]);
}

/* Writes the tables of a specification file, an object or a list of objects, into the first folder. */
static void write_spec(struct writing *writing)
{
    const struct json_path place = {.file = writing->spec};
    const char *tables = pool_printf(writing->pool, "%s/tables", writing->folders->items[0].path);
    file_check_exists(writing->spec);
    cJSON *json = json_read(writing->pool, writing->spec), list = {.type = cJSON_Array, .child = json};
    if (cJSON_IsObject(json))
        json = &list;
    if (!cJSON_IsArray(json) || !json->child)
        json_die(&place, "neither an object nor a list of objects");
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, json)
        if (!cJSON_IsObject(item))
            json_die(&place, "an element of the list is not an object");
    folder_make(tables);
    folder_remove_temporaries(tables);
    write_own(writing, json, &place, writing->folders, tables);
}

static void write_any(void *data)
{
    struct writing *writing = data;
    (writing->spec ? write_spec : write_all)(writing);
    die_unless_ok(writing->empty.status, &writing->empty);
}

void run_tables_write(const struct run_folders *folders, const char *spec, struct table_log *given)
{
    struct pool *pool = pool_new();
    struct string_list written = {0};
    struct table_log log = {given->said, given->warned, pool, &written};
    struct folder_lock *locks = pool_array(pool, folders->count, sizeof *locks);
    const char **paths = pool_array(pool, folders->count, sizeof *paths);
    struct error error;
    for (size_t i = 0; i < folders->count; i++)
        paths[i] = folders->items[i].path;
    folder_lock_all(locks, paths, folders->count);
    struct writing writing = {.pool = pool, .folders = folders, .spec = spec, .log = &log};
    const enum status status = attempt(write_any, &writing, &error);
    for (size_t i = 0; i < folders->count; i++) /* also what was written before an error */
        hash_tables(&written, &folders->items[i]);
    for (size_t i = 0; i < folders->count; i++)
        folder_lock_release(&locks[i]);
    pool_free(pool);
    die_unless_ok(status, &error);
}
