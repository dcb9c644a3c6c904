/* Reads the folders of a report, after creating missing tables and figures in them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/plot.h"
#include "harness/report/report.h"
#include "harness/run/run_files.h"
#include "harness/base/platform.h"
#include "harness/support/json_reader.h"
#include "harness/tables/run_tables.h"

struct name_order report_list(struct pool *pool, const char *folder, const char *ending)
{
    struct name_order names = {.pool = pool};
    const struct string_list entries = folder_list(pool, folder, NULL, STATUS_IO);
    const size_t tail = strlen(ending);
    for (size_t i = 0; i < entries.count; i++) {
        const char *name = entries.line[i];
        const size_t length = strlen(name);
        if (length > tail && strcmp(name + length - tail, ending) == 0)
            name_order_add(&names, pool_strndup(pool, name, length - tail));
    }
    return names;
}

/* ---- names ---- */

static int is_within(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (folder[length - 1] == '/' || strchr("/", path[length]));
}

/* The path without links, which exists. */
static char *real_path(struct pool *pool, const char *path)
{
    char *real = platform_real_path(path);
    if (!real)
        die(STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    pool_keep(pool, free, real);
    return real;
}

const char *report_find_parent(struct pool *pool, const char *const *paths, size_t count)
{
    char *parent = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *real = real_path(pool, paths[i]);
        if (i == 0)
            parent = pool_strdup(pool, real);
        while (!is_within(real, parent)) {
            char *slash = strrchr(parent, '/');
            slash[slash == parent] = '\0';
        }
    }
    return parent;
}

static void name_folders(struct report *report, const char *const *paths)
{
    struct name_order real = {.pool = report->pool};
    const char *parent = report_find_parent(report->pool, paths, report->count);
    for (size_t i = 0; i < report->count; i++) {
        if (name_order_add(&real, real_path(report->pool, paths[i])) < i)
            die(STATUS_BAD_INPUT, "%s: named twice", paths[i]);
        const char *label = report->count == 1 ? strrchr(real.names[0], '/') : real.names[i] + strlen(parent);
        label += *label == '/';
        report->folders[i].label = *label ? label : ".";
    }
}

/* ---- missing parts ---- */

static void write_tables(void *folders)
{
    struct table_log log = {0};
    run_tables_write(folders, NULL, &log);
}

/* Published tables may depend on several folders, so all are rewritten if one is out of date. run.json lists the tables
 * once all of them are written, and forgets them when a run writes new records. */
static void make_tables(struct report *report)
{
    struct run_folders runs = {.items = pool_array(report->pool, report->count, sizeof *runs.items)};
    int stale = 0;
    size_t written = 0;
    for (size_t i = 0; i < report->count; i++) {
        const struct report_folder *folder = &report->folders[i];
        if (!folder->has_records)
            continue;
        runs.items[runs.count++] = *folder->run;
        stale = stale || !file_hash_listed(folder->run->info, "tables/summary.md") ||
                !file_hashes_hold_inside(folder->run->info, folder->run->path, "tables");
    }
    struct error cause;
    const enum status status = stale ? attempt(write_tables, &runs, &cause) : STATUS_OK;
    for (size_t i = 0; i < report->count; i++) /* from the records already read */
        if (report->folders[i].has_records)
            *report->folders[i].run = runs.items[written++];
    if (status == STATUS_NOT_FOUND) /* a table specified in a configuration has no records; the others exist */
        string_list_push(report->pool, &report->notes, "%s", cause.message);
    else
        die_unless_ok(status, &cause);
}

/* A page without figures is better than none; but a folder of figures that is a link is refused, as by `plot`. */
static void read_figures(struct report *report, size_t which)
{
    struct report_folder *folder = &report->folders[which];
    const size_t before = report->figures.count;
    const int has_all = report_figures_read(report, which), is_run = folder->has_records;
    if (is_run)
        named_path_check(pool_printf(report->pool, "%s/plots", folder->run->path));
    if (is_run && !(has_all && plot_is_complete(report->pool, folder->run))) {
        struct error cause = {0};
        struct plot_report drawn = {.pool = report->pool};
        plot_run_folder(&report->runs, (size_t)(folder->run - report->runs.items), &(const struct plot_options){0},
                        &drawn, &cause);
        if (cause.status != STATUS_OK && cause.status != STATUS_NOT_FOUND) /* nothing can be drawn */
            string_list_push(report->pool, &report->notes, "%s: figures: %s", folder->label, cause.message);
        report->figures.count = before;
        report_figures_read(report, which);
    }
    folder->n_figures = report->figures.count - before;
}

/* ---- all ---- */

/* Opens the runs and searches; a folder may also hold only a comparison. */
static void open_folders(struct report *report, const char *const *paths)
{
    struct pool *pool = report->pool;
    const char **runs = pool_array(pool, report->count, sizeof *runs);
    size_t n_runs = 0, opened = 0;
    for (size_t i = 0; i < report->count; i++) {
        struct report_folder *folder = &report->folders[i];
        const char *config = pool_printf(pool, "%s/config.json", paths[i]);
        folder_check_regular(paths[i]);
        folder->comparison = json_read_or_null(pool, pool_printf(pool, "%s/compare.json", paths[i]));
        folder->has_records = !folder->comparison || file_read_or_null(pool, config, NULL);
        if (folder->has_records)
            runs[n_runs++] = paths[i];
    }
    report->runs = run_folders_open(pool, runs, n_runs, FOLDER_CONFIG);
    for (size_t i = 0; i < report->count; i++) {
        struct report_folder *folder = &report->folders[i];
        if (!folder->has_records) {
            folder->run = pool_alloc(pool, sizeof *folder->run);
            folder->run->path = paths[i];
            continue;
        }
        folder->run = &report->runs.items[opened++];
        folder->has_records = !run_folder_is_search(folder->run);
        /* tables and figures may all be up to date, so that nothing else would check the records */
        if (folder->has_records && cJSON_HasObjectItem(folder->run->info, "files"))
            run_folder_read_lines(folder->run);
        else if (!folder->has_records)
            file_hashes_check_all(folder->run->info, folder->run->path);
    }
}

struct report *report_gather(struct pool *pool, const char *const *paths, size_t count)
{
    struct report *report = pool_alloc(pool, sizeof *report);
    *report =
        (struct report){.pool = pool, .folders = pool_array(pool, count, sizeof *report->folders), .count = count};
    name_folders(report, paths);
    open_folders(report, paths);
    report->conformance = conform_runs(pool, &report->runs);
    make_tables(report);
    for (size_t i = 0; i < count; i++)
        read_figures(report, i);
    report->findings = report_findings(report);
    return report;
}
