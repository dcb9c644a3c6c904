/* Reading the folders of a report, and having made in them what is missing. */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/plot/plot.h"
#include "harness/program/memory.h"
#include "harness/report/sections.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "harness/tables/run_tables.h"

/* ---- names ---- */

/* Cuts `parent` to the folders it has in common with `path`; both are absolute. */
static void cut_to_common(char *parent, const char *path)
{
    size_t end = 0, i = 0;
    for (; parent[i] && parent[i] == path[i]; i++)
        if (parent[i] == '/')
            end = i;
    if ((parent[i] == '\0' || parent[i] == '/') && (path[i] == '\0' || path[i] == '/'))
        end = i;
    parent[end ? end : 1] = '\0';
}

static enum status name_folders(struct report *report, char **real, struct error *error)
{
    for (size_t i = 0; i < report->count; i++) {
        real[i] = realpath(report->folders[i].path, NULL);
        if (!real[i])
            return error_set(error, STATUS_BAD_INPUT, "%s: %s", report->folders[i].path, strerror(errno));
        for (size_t j = 0; j < i; j++)
            if (strcmp(real[i], real[j]) == 0)
                return error_set(error, STATUS_BAD_INPUT, "%s: named twice", report->folders[i].path);
    }
    report->parent = xstrdup(real[0]);
    for (size_t i = 1; i < report->count; i++)
        cut_to_common(report->parent, real[i]);
    for (size_t i = 0; i < report->count; i++) {
        const char *label = real[i] + strlen(report->parent);
        if (report->count == 1)
            label = strrchr(real[0], '/');
        label += *label == '/';
        report->folders[i].label = xstrdup(*label ? label : ".");
    }
    return STATUS_OK;
}

/* ---- what is missing ---- */

static char *records_of(const struct report_folder *folder)
{
    return xasprintf("%s/records.jsonl", folder->path);
}

/* Published tables may rest on several folders, so all are written where one is old. */
static enum status make_tables(const struct report *report, struct error *error)
{
    struct run_folders runs = {.items = xcalloc(report->count + 1, sizeof *runs.items)};
    size_t size = 0, *place = xcalloc(report->count + 1, sizeof *place);
    int stale = 0;
    char *log = NULL;
    FILE *stream = xopen_text(&log, &size);
    for (size_t i = 0; i < report->count; i++) {
        const struct report_folder *folder = &report->folders[i];
        if (folder->kind != REPORT_RUN)
            continue;
        place[runs.count] = i;
        runs.items[runs.count++] = report->runs.items[i];
        char *made = xasprintf("%s/tables/summary.md", folder->path), *records = records_of(folder);
        stale = stale || file_is_older(made, records);
        free(made);
        free(records);
    }
    enum status status = stale ? run_tables_write(&runs, stream, error) : STATUS_OK;
    for (size_t k = 0; k < runs.count; k++) /* with the records that were read */
        report->runs.items[place[k]] = runs.items[k];
    xclose_text(stream);
    free(log);
    free(runs.items);
    free(place);
    return status;
}

/* A page without figures is better than none. */
static void make_figures(const struct report_folder *folder, FILE *notes)
{
    const struct plot_options options = {0};
    struct plot_report drawn = {0};
    struct error cause = {0};
    char *records = records_of(folder);
    if (report_figures_stale(folder->path, records)) {
        plot_run_folder(folder->run, &options, &drawn, &cause);
        plot_report_free(&drawn);
    }
    free(records);
    if (cause.status != STATUS_OK && cause.status != STATUS_NOT_FOUND) /* not found: nothing in it can be drawn */
        fprintf(notes, "%s: figures: %s\n", folder->label, cause.message);
}

/* ---- documents ---- */

static int is_markdown(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".md") == 0;
}

static int by_name(const struct dirent **first, const struct dirent **second)
{
    return strcmp((*first)->d_name, (*second)->d_name);
}

/* Published tables and claims are shown from what conform_runs found. */
static int is_published(const struct report *report, const char *name)
{
    for (size_t i = 0; i < report->conformance.n_tables; i++)
        if (strcmp(report->conformance.tables[i].comparison->table->name, name) == 0)
            return 1;
    for (size_t i = 0; i < report->conformance.n_papers; i++) {
        const char *paper = report->conformance.papers[i].paper->name;
        if (strncmp(name, paper, strlen(paper)) == 0 && strcmp(name + strlen(paper), ".claims") == 0)
            return 1;
    }
    return 0;
}

/* Adds NAME.md of the folder, or of one below it, where it is there. */
static enum status add_document(struct report_folder *folder, const char *below, const char *name, struct error *error)
{
    char path[4096];
    struct report_document document = {.below = below};
    snprintf(path, sizeof path, "%s/%s%s.md", folder->path, below, name);
    if (access(path, F_OK) != 0)
        return STATUS_OK;
    enum status status = file_read(path, &document.text, NULL, error);
    if (status != STATUS_OK)
        return status;
    document.name = xstrdup(name);
    folder->documents = xreallocarray(folder->documents, folder->n_documents + 1, sizeof document);
    folder->documents[folder->n_documents++] = document;
    return STATUS_OK;
}

static enum status read_documents(const struct report *report, struct report_folder *folder, struct error *error)
{
    struct dirent **entries = NULL;
    char *tables = xasprintf("%s/tables", folder->path);
    int count = scandir(tables, &entries, is_markdown, by_name);
    enum status status = STATUS_OK;
    if (count < 0 && errno == ENOMEM)
        out_of_memory();
    if (count < 0 && errno != ENOENT)
        status = error_set(error, STATUS_IO, "%s: cannot be read: %s", tables, strerror(errno));
    static const char *const own[] = {"tune", "compare", "compare-time"}; /* of the folder itself */
    for (size_t i = 0; i < sizeof own / sizeof *own && status == STATUS_OK; i++)
        status = add_document(folder, "", own[i], error);
    for (int i = 0; i < count; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - 3] = '\0';
        if (status == STATUS_OK && folder->kind == REPORT_RUN && !is_published(report, entries[i]->d_name))
            status = add_document(folder, "tables/", entries[i]->d_name, error);
        free(entries[i]);
    }
    free(entries);
    free(tables);
    return status;
}

/* ---- all ---- */

static enum status read_folders(struct report *report, FILE *notes, struct error *error)
{
    enum status status = make_tables(report, error);
    for (size_t i = 0; i < report->count && status == STATUS_OK; i++) {
        struct report_folder *folder = &report->folders[i];
        if (folder->kind == REPORT_RUN)
            make_figures(folder, notes);
        status = report_figures_read(folder->path, folder->label, folder->run->config, &folder->figures, error);
        if (status == STATUS_OK)
            status = read_documents(report, folder, error);
    }
    return status;
}

static enum status read_deviations(struct report *report, struct error *error)
{
    char *path = NULL;
    enum status status = resource_find("docs/deviations.md", &path, error);
    if (status == STATUS_OK)
        status = file_read(path, &report->deviations, NULL, error);
    free(path);
    if (status != STATUS_NOT_FOUND)
        return status;
    report->deviations = xstrdup("docs/deviations.md is not there.");
    return STATUS_OK;
}

enum status report_gather(const char *const *paths, size_t count, struct report *report, struct error *error)
{
    size_t size = 0;
    char **real = xcalloc(count + 1, sizeof *real);
    *report = (struct report){.folders = xcalloc(count + 1, sizeof *report->folders), .count = count};
    FILE *notes = xopen_text(&report->notes, &size);
    for (size_t i = 0; i < count; i++)
        report->folders[i].path = paths[i];
    enum status status = name_folders(report, real, error);
    if (status == STATUS_OK)
        status = run_folders_read(paths, count, FOLDER_CONFIG, &report->runs, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        report->folders[i].run = &report->runs.items[i];
        if (cJSON_HasObjectItem(report->folders[i].run->config, "tune"))
            report->folders[i].kind = REPORT_SEARCH;
    }
    if (status == STATUS_OK)
        status = conform_runs(&report->runs, &report->conformance, error);
    if (status == STATUS_OK)
        status = read_deviations(report, error);
    if (status == STATUS_OK)
        status = read_folders(report, notes, error);
    xclose_text(notes);
    for (size_t i = 0; i < count; i++)
        free(real[i]);
    free(real);
    if (status == STATUS_NOT_FOUND) /* a folder or file that was named, not data that nobody has */
        status = error ? (error->status = STATUS_BAD_INPUT) : STATUS_BAD_INPUT;
    return status;
}

void report_choose_figures(struct report *report, size_t max)
{
    struct report_figures **folders = xcalloc(report->count, sizeof *folders);
    for (size_t i = 0; i < report->count; i++)
        folders[i] = &report->folders[i].figures;
    report_figures_choose(folders, report->count, max);
    free(folders);
}

const struct report_figure *report_figure_of(const struct report *report, const char *file)
{
    for (size_t i = 0; i < report->count; i++)
        for (size_t k = 0; k < report->folders[i].figures.count; k++) {
            const struct report_figure *figure = &report->folders[i].figures.items[k];
            if (figure->embedded && strcmp(figure->file, file) == 0)
                return figure;
        }
    return NULL;
}

void report_free(struct report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->count; i++) {
        struct report_folder *folder = &report->folders[i];
        for (size_t d = 0; d < folder->n_documents; d++) {
            free(folder->documents[d].name);
            free(folder->documents[d].text);
        }
        free(folder->documents);
        free(folder->label);
        report_figures_free(&folder->figures);
    }
    free(report->folders);
    free(report->parent);
    free(report->deviations);
    free(report->notes);
    run_folders_free(&report->runs);
    conformance_free(&report->conformance);
    *report = (struct report){0};
}
