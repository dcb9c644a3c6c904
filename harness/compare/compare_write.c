/* Writes the files of a comparison, and the same to a stream. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/compare/compare_output.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

static const char *const names[COMPARE_PARTS] = {[COMPARE_COUNTS] = "compare", [COMPARE_TIMES] = "compare-time"};

static int has_part(const struct compare_report *report, enum compare_part part)
{
    return part == COMPARE_COUNTS || report->comparison->results[COMPARE_SECONDS].n_pairs > 0;
}

static void write_part(const struct compare_report *report, enum compare_part part, const char *folder)
{
    struct pool *pool = pool_new();
    struct text_table table = {.pool = pool}, csv = {.pool = pool};
    cJSON *json = compare_json(report, part);
    compare_fill_table(report, part, &table);
    if (part == COMPARE_COUNTS)
        text_table_footnote(&table, "%s", report->sentence);
    compare_fill_csv(report, part, &csv);
    text_table_write_files(folder, names[part], json, &table, &csv);
    cJSON_Delete(json);
    pool_free(pool);
}

/* ---- files of an earlier call ---- */

static void remove_part(enum compare_part part, const char *folder)
{
    static const char *const endings[] = {"json", "md", "tex", "csv"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *name = xasprintf("%s.%s", names[part], endings[i]);
        file_remove(folder, name);
        free(name);
    }
}

static void remove_figures(const char *folder)
{
    char *plots = xasprintf("%s/plots", folder);
    file_remove_all(plots, "compare.", "");
    file_remove_all(plots, "compare-sweep", "");
    free(plots);
}

void compare_remove_details(const char *folder)
{
    remove_part(COMPARE_TIMES, folder);
    remove_figures(folder);
}

void compare_remove_several(const char *folder, size_t first)
{
    for (int there = 1; there; first++) {
        char *path = xasprintf("%s/compare-%zu", folder, first), *plots = xasprintf("%s/plots", path);
        there = access(path, F_OK) == 0;
        if (there) { /* folders with other files stay */
            remove_part(COMPARE_COUNTS, path);
            compare_remove_details(path);
            rmdir(plots);
            file_try_remove(path, ".lock");
            rmdir(path);
        }
        free(path);
        free(plots);
    }
}

enum status compare_write(const struct compare_report *report, const char *folder, int no_render, struct error *error)
{
    struct folder_lock lock = {0};
    folder_make(folder);
    folder_lock_take(&lock, folder);
    enum status status = STATUS_OK;
    for (int part = 0; part < COMPARE_PARTS && status == STATUS_OK; part++)
        if (has_part(report, (enum compare_part)part))
            write_part(report, (enum compare_part)part, folder);
        else
            remove_part((enum compare_part)part, folder);
    if (status == STATUS_OK)
        remove_figures(folder);
    if (status == STATUS_OK)
        status = compare_figure_write(report->comparison, folder, no_render, error);
    folder_lock_release(&lock);
    return status;
}

void compare_print(const struct compare_report *report, FILE *stream)
{
    for (int part = 0; part < COMPARE_PARTS; part++) {
        if (!has_part(report, (enum compare_part)part))
            continue;
        struct pool *pool = pool_new();
        struct text_table table = {.pool = pool};
        compare_fill_table(report, (enum compare_part)part, &table);
        text_table_put(&table, TEXT_TABLE_MARKDOWN, stream);
        fputc('\n', stream);
        pool_free(pool);
    }
    if (*report->comparison->arms.without_times)
        fprintf(stream, "%s\n\n", report->comparison->arms.without_times);
    fprintf(stream, "%s\n", report->sentence);
}
