/* Reads the folders of a report, after creating missing tables and figures in them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/plot.h"
#include "harness/base/memory.h"
#include "harness/report/report.h"
#include "harness/run/file_hashes.h"
#include "harness/support/file.h"
#include "harness/support/folder.h"
#include "harness/base/platform.h"
#include "harness/support/resource.h"
#include "harness/tables/run_tables.h"

enum status report_list(const char *folder, const char *ending, struct string_list *names, struct error *error)
{
    struct dirent **entries = NULL;
    const size_t tail = strlen(ending);
    const int count = folder_scan(folder, NULL, &entries), cause = count < 0 ? errno : 0;
    *names = (struct string_list){0};
    if (cause == ENOMEM)
        out_of_memory();
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const size_t length = strlen(name);
        if (length > tail && strcmp(name + length - tail, ending) == 0)
            string_list_add(names, "%.*s", (int)(length - tail), name);
        free(entries[i]);
    }
    free(entries);
    if (cause == 0 || cause == ENOENT)
        return STATUS_OK;
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", folder, strerror(cause));
}

/* ---- names ---- */

static int is_within(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (folder[length - 1] == '/' || strchr("/", path[length]));
}

enum status report_find_parent(const char *const *paths, size_t count, char **parent, struct error *error)
{
    *parent = NULL;
    for (size_t i = 0; i < count; i++) {
        char *real = platform_real_path(paths[i]);
        if (!real)
            return error_set(error, STATUS_BAD_INPUT, "%s: %s", paths[i], strerror(errno));
        if (i == 0)
            *parent = xstrdup(real);
        while (!is_within(real, *parent)) {
            char *slash = strrchr(*parent, '/');
            slash[slash == *parent] = '\0';
        }
        free(real);
    }
    return STATUS_OK;
}

static enum status name_folders(struct report *report, const char *const *paths, char **real, struct error *error)
{
    enum status status = report_find_parent(paths, report->count, &report->parent, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < report->count; i++) {
        real[i] = platform_real_path(paths[i]);
        if (!real[i])
            return error_set(error, STATUS_BAD_INPUT, "%s: %s", paths[i], strerror(errno));
        for (size_t j = 0; j < i; j++)
            if (strcmp(real[i], real[j]) == 0)
                return error_set(error, STATUS_BAD_INPUT, "%s: named twice", paths[i]);
    }
    for (size_t i = 0; i < report->count; i++) {
        const char *label = report->count == 1 ? strrchr(real[0], '/') : real[i] + strlen(report->parent);
        label += *label == '/';
        report->folders[i].label = xstrdup(*label ? label : ".");
    }
    return STATUS_OK;
}

/* ---- missing parts ---- */

struct tabling {
    const struct run_folders *runs;
    struct table_log log;
};

static void write_tables(void *data)
{
    struct tabling *tabling = data;
    run_tables_write(tabling->runs, NULL, &tabling->log);
}

/* Published tables may depend on several folders, so all are rewritten if one is out of date. run.json lists the tables
 * once all of them are written, and forgets them when a run writes new records. */
static enum status make_tables(struct report *report, struct error *error)
{
    struct run_folders runs = {.items = xcalloc(report->count + 1, sizeof *runs.items)};
    int stale = 0;
    char *log = NULL;
    size_t size = 0, written = 0;
    FILE *stream = xopen_text(&log, &size);
    for (size_t i = 0; i < report->count; i++) {
        const struct report_folder *folder = &report->folders[i];
        if (run_folder_is_search(folder->run))
            continue;
        runs.items[runs.count++] = *folder->run;
        stale = stale || !file_hash_listed(folder->run->info, "tables/summary.md") ||
                file_hashes_check_inside(folder->run->info, folder->run->path, "tables", NULL) != STATUS_OK;
    }
    struct error cause = {0};
    struct tabling tabling = {&runs, {.said = stream}};
    enum status status = stale ? attempt(write_tables, &tabling, &cause) : STATUS_OK;
    if (status == STATUS_NOT_FOUND) { /* a table specified in a configuration has no records; the others exist */
        status = STATUS_OK;
        string_list_add(&report->notes, "%s", cause.message);
    } else if (status != STATUS_OK)
        error_set(error, status, "%s", cause.message);
    for (size_t i = 0; i < report->count; i++) /* from the records already read */
        if (!run_folder_is_search(report->folders[i].run))
            *report->folders[i].run = runs.items[written++];
    xclose_text(stream);
    free(log);
    free(runs.items);
    return status;
}

struct drawing {
    const struct report *report;
    size_t which;
    struct plot_report drawn;
};

static void draw_figures(void *data)
{
    struct drawing *drawing = data;
    const struct plot_options options = {0};
    plot_run_folder(&drawing->report->runs, drawing->which, &options, &drawing->drawn);
}

/* A page without figures is better than none; but a folder of figures that is a link is refused, as by `plot`. */
static void make_figures(struct report *report, size_t which)
{
    const struct report_folder *folder = &report->folders[which];
    char *plots = xasprintf("%s/plots", folder->run->path);
    struct error cause = {0};
    named_path_check(plots);
    if (!plot_is_complete(folder->run) || report_figures_lack_pictures(folder->run->path)) {
        struct drawing drawing = {report, which, {.pool = pool_new()}};
        attempt(draw_figures, &drawing, &cause);
        pool_free(drawing.drawn.pool);
    }
    if (cause.status != STATUS_OK && cause.status != STATUS_NOT_FOUND) /* nothing can be drawn */
        string_list_add(&report->notes, "%s: figures: %s", folder->label, cause.message);
    free(plots);
}

/* ---- all ---- */

static enum status read_figures(struct report *report, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < report->count && status == STATUS_OK; i++) {
        struct report_folder *folder = &report->folders[i];
        const size_t before = report->figures.count;
        if (!run_folder_is_search(folder->run))
            make_figures(report, i);
        if (status == STATUS_OK)
            status = report_figures_read(&report->figures, folder->run->path, i, folder->label, folder->run->config,
                                         &report->notes, error);
        folder->n_figures = report->figures.count - before;
    }
    return status;
}

static void read_deviations(struct report *report)
{
    struct pool *pool = pool_new();
    const char *path = resource_find_or_null(pool, "docs/deviations.md");
    report->deviations = xstrdup(path ? file_read(pool, path, NULL) : "docs/deviations.md is missing.");
    pool_free(pool);
}

/* Tables and figures may all be up to date, so that nothing else would read the records. */
static enum status check_records(struct report *report, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < report->count && status == STATUS_OK; i++)
        if (file_hashes_are_listed(report->runs.items[i].info) && !run_folder_is_search(&report->runs.items[i]))
            status = run_folder_read_lines(&report->runs.items[i], error);
    return status;
}

static enum status read_folders(struct report *report, const char *const *paths, struct error *error)
{
    enum status status = run_folders_read(paths, report->count, FOLDER_CONFIG, &report->runs, error);
    for (size_t i = 0; i < report->count && status == STATUS_OK; i++)
        report->folders[i].run = &report->runs.items[i];
    if (status == STATUS_OK)
        status = check_records(report, error);
    if (status == STATUS_OK)
        status = conform_runs(&report->runs, &report->conformance, error);
    if (status == STATUS_OK)
        read_deviations(report);
    if (status == STATUS_OK)
        status = make_tables(report, error);
    return status == STATUS_OK ? read_figures(report, error) : status;
}

enum status report_gather(const char *const *paths, size_t count, struct report *report, struct error *error)
{
    char **real = xcalloc(count + 1, sizeof *real);
    *report = (struct report){.folders = xcalloc(count + 1, sizeof *report->folders), .count = count};
    enum status status = name_folders(report, paths, real, error);
    if (status == STATUS_OK)
        status = read_folders(report, paths, error);
    for (size_t i = 0; i < count; i++)
        free(real[i]);
    free(real);
    if (status == STATUS_NOT_FOUND) /* a folder or file given by the user is missing, not data that are unavailable */
        status = error ? (error->status = STATUS_BAD_INPUT) : STATUS_BAD_INPUT;
    return status;
}

void report_free(struct report *report)
{
    for (size_t i = 0; i < report->count; i++)
        free(report->folders[i].label);
    free(report->folders);
    free(report->parent);
    free(report->deviations);
    string_list_free(&report->notes);
    report_figures_free(&report->figures);
    run_folders_free(&report->runs);
    conformance_free(&report->conformance);
    *report = (struct report){0};
}
