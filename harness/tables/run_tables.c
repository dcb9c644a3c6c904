/* Summaries and comparisons of solvers folder by folder, then the published tables of all folders together. */
#include "harness/tables/run_tables.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/papers/conform.h"

enum status table_files_write(struct table_files *files, const char *folder, const char *kind, const char *name,
                              FILE *said, struct error *error)
{
    char *file = xasprintf("%s%s", kind, name);
    enum status status = text_table_write_files(folder, file, files->json, &files->text, &files->csv, error);
    if (status == STATUS_OK)
        fprintf(said, "%s/%s.{json,md,tex,csv}\n", folder, file);
    cJSON_Delete(files->json);
    text_table_free(&files->text);
    text_table_free(&files->csv);
    free(file);
    return status;
}

static enum status write_summary(struct run_folder *run, const char *tables, FILE *said, struct error *error)
{
    enum status status = run_folder_read_records(run, error);
    if (status == STATUS_OK)
        status = folder_make(tables, error);
    if (status == STATUS_OK)
        status = folder_remove_temporaries(tables, error);
    return status == STATUS_OK ? summary_table_write(&run->file.records, tables, said, error) : status;
}

static int is_of_kind(const cJSON *entry, const char *kind)
{
    const char *given = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "kind"));
    return given && strcmp(given, kind) == 0;
}

/* The name of an entry, or of its kind where that would be no file's. */
static const char *name_of(const cJSON *entry, const char *kind)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "name"));
    return name && *name && !strchr(name, '/') ? name : kind;
}

enum status solver_tables_write(struct run_folder *run, const char *tables, FILE *said, struct error *error)
{
    static const char profile[] = "profile", ranks[] = "critical-difference", runtimes[] = "runtime-distribution";
    const cJSON *plots = cJSON_GetObjectItemCaseSensitive(run->config, "plots"), *entry = NULL;
    struct plot_data data = {0};
    int wanted = !plots;
    cJSON_ArrayForEach (entry, plots)
        wanted = wanted || is_of_kind(entry, profile) || is_of_kind(entry, ranks) || is_of_kind(entry, runtimes);
    enum status status = wanted ? plot_data_take(run, &data, error) : STATUS_OK;
    if (status == STATUS_OK && !plots)
        status = ranks_table_write(&data, NULL, ranks, tables, said, error);
    if (status == STATUS_OK && !plots)
        status = runtime_table_write(&data, NULL, runtimes, tables, said, error);
    cJSON_ArrayForEach (entry, plots)
        if (status == STATUS_OK && is_of_kind(entry, profile))
            status = variants_table_write(&data, &run->run, entry, name_of(entry, profile), tables, said, error);
    cJSON_ArrayForEach (entry, plots)
        if (status == STATUS_OK && is_of_kind(entry, ranks))
            status = ranks_table_write(&data, entry, name_of(entry, ranks), tables, said, error);
    cJSON_ArrayForEach (entry, plots)
        if (status == STATUS_OK && is_of_kind(entry, runtimes))
            status = runtime_table_write(&data, entry, name_of(entry, runtimes), tables, said, error);
    plot_data_free(&data);
    return status;
}

/* The published tables and claims that this folder's configuration names. */
static enum status write_published(const struct run_folder *run, const struct conformance *conformance,
                                   const char *folder, FILE *said, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < conformance->n_tables && status == STATUS_OK; i++) {
        const struct paper_comparison *comparison = conformance->tables[i];
        if (!run_folder_is_for(run, comparison->table->name))
            continue;
        status = comparison_write(comparison, folder, error);
        if (status == STATUS_OK)
            fprintf(said, "%s/%s.{json,md,tex,csv}\n", folder, comparison->table->name);
    }
    for (size_t i = 0; i < conformance->n_papers && status == STATUS_OK; i++) {
        const char *name = conformance->papers[i].paper->name;
        if (!run_folder_is_for(run, name))
            continue;
        status = claims_write(&conformance->papers[i], folder, error);
        if (status == STATUS_OK)
            fprintf(said, "%s/%s.claims.{json,md,tex,csv}\n", folder, name);
    }
    return status;
}

/* Those of the folders, which are locked. */
static enum status write_all(const struct run_folders *runs, FILE *said, struct error *error)
{
    struct conformance conformance = {0};
    enum status status = STATUS_OK;
    char **tables = xcalloc(runs->count + 1, sizeof *tables);
    for (size_t i = 0; i < runs->count && status == STATUS_OK; i++) {
        tables[i] = xasprintf("%s/tables", runs->items[i].path);
        status = write_summary(&runs->items[i], tables[i], said, error);
        if (status == STATUS_OK)
            status = solver_tables_write(&runs->items[i], tables[i], said, error);
    }
    if (status == STATUS_OK) /* after the summaries, which need no paper and can be had even where this fails */
        status = conform_runs(runs, &conformance, error);
    for (size_t i = 0; i < runs->count && status == STATUS_OK; i++)
        status = write_published(&runs->items[i], &conformance, tables[i], said, error);
    for (size_t i = 0; i < runs->count; i++)
        free(tables[i]);
    free(tables);
    conformance_free(&conformance);
    return status;
}

enum status run_tables_write(const struct run_folders *folders, FILE *said, struct error *error)
{
    struct folder_lock *locks = xcalloc(folders->count + 1, sizeof *locks);
    const char **paths = xcalloc(folders->count + 1, sizeof *paths);
    for (size_t i = 0; i < folders->count; i++)
        paths[i] = folders->items[i].path;
    enum status status = folder_lock_all(locks, paths, folders->count, error);
    if (status == STATUS_OK)
        status = write_all(folders, said, error);
    for (size_t i = 0; i < folders->count; i++)
        folder_lock_release(&locks[i]);
    free(locks);
    free(paths);
    return status;
}
