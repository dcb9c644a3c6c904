/* Summaries and comparisons of rivals folder by folder, then the published tables of all folders together. */
#include "harness/tables/run_tables.h"

#include <stdlib.h>

#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/papers/conform.h"
#include "harness/tables/ranks_table.h"
#include "harness/tables/variants_table.h"
#include "harness/tables/summary_table.h"

static enum status write_summary(struct run_folder *run, const char *folder, FILE *said, struct error *error)
{
    struct records records = {0};
    const struct runs alone = {run, 1};
    enum status status = runs_records(&alone, NULL, &records, error);
    if (status == STATUS_OK)
        status = folder_make(folder, error);
    if (status == STATUS_OK)
        status = folder_remove_temporaries(folder, error);
    if (status == STATUS_OK)
        status = summary_table_write(&records, folder, error);
    if (status == STATUS_OK)
        fprintf(said, "%s/summary.{json,md,tex,csv}\n", folder);
    records_free(&records);
    return status;
}

/* Those of the profiles and of the rankings that this folder's configuration asks for. */
static enum status write_rivals(const struct run_folder *run, FILE *said, struct error *error)
{
    char *written = NULL, *ranked = NULL;
    enum status status = rivals_tables_write(run->path, run->config, run->info, &written, error);
    if (status == STATUS_OK)
        status = ranks_tables_write(run->path, run->config, &ranked, error);
    if (status == STATUS_OK) {
        fputs(written, said);
        fputs(ranked, said);
    }
    free(written);
    free(ranked);
    return status;
}

/* The published tables and claims that this folder's configuration names. */
static enum status write_published(const struct run_folder *run, const struct conformance *conformance,
                                   const char *folder, FILE *said, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < conformance->n_tables && status == STATUS_OK; i++) {
        const struct paper_comparison *published = conformance->tables[i].published;
        if (!run_is_for(run, published->table->name))
            continue;
        status = comparison_write(published, folder, error);
        if (status == STATUS_OK)
            fprintf(said, "%s/%s.{json,md,tex,csv}\n", folder, published->table->name);
    }
    for (size_t i = 0; i < conformance->n_papers && status == STATUS_OK; i++) {
        const char *name = conformance->papers[i].paper->name;
        if (!run_is_for(run, name))
            continue;
        status = claims_write(&conformance->papers[i], folder, error);
        if (status == STATUS_OK)
            fprintf(said, "%s/%s.claims.{json,md,tex,csv}\n", folder, name);
    }
    return status;
}

/* Those of the runs, whose folders are locked. folders: count, zeroed; get the folders of the tables, the caller's to free. */
static enum status write_all(const struct runs *runs, char **folders, FILE *said, struct error *error)
{
    struct conformance conformance = {0};
    enum status status = STATUS_OK;
    size_t count = runs->count;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        folders[i] = path_join(runs->items[i].path, "tables");
        status = folders[i] ? write_summary(&runs->items[i], folders[i], said, error)
                            : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", runs->items[i].path);
        if (status == STATUS_OK)
            status = write_rivals(&runs->items[i], said, error);
    }
    if (status == STATUS_OK) /* after the summaries, which need no paper and can be had even where this fails */
        status = conform_runs(runs, NULL, &conformance, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = write_published(&runs->items[i], &conformance, folders[i], said, error);
    conformance_free(&conformance);
    return status;
}

enum status run_tables_write(const char *const *paths, size_t count, FILE *said, struct error *error)
{
    struct runs runs = {0};
    char **folders = calloc(count + 1, sizeof *folders);
    struct folder_lock *locks = calloc(count + 1, sizeof *locks);
    enum status status = folders && locks ? runs_read(paths, count, &runs, error)
                                          : error_set(error, STATUS_NO_MEMORY, "%zu run folders: out of memory", count);
    if (status == STATUS_OK)
        status = folder_lock_all(locks, paths, count, error);
    if (status == STATUS_OK)
        status = write_all(&runs, folders, said, error);
    for (size_t i = 0; i < count; i++) {
        if (folders)
            free(folders[i]);
        if (locks)
            folder_lock_release(&locks[i]);
    }
    runs_free(&runs);
    free(folders);
    free(locks);
    return status;
}
