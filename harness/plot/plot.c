/*
 * Selects the figures of a run folder. One table has all kinds. A configuration's "plots" picks from it; without that
 * key every kind is tried and draws what the records and traces allow. A picture that cannot be drawn does not stop the
 * others: the first such error is kept and returned once all numbers are written.
 */
#include "harness/plot/plot.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/support/json_field.h"
#include "harness/support/sha256.h"
#include "harness/plot/kinds.h"
#include "harness/plot/plot_choice.h"
#include "harness/plot/trace_lines.h"
#include "harness/figure/figure_reset.h"
#include "harness/figure/render.h"
#include "harness/records/same_splits.h"
#include "harness/records/run_traces.h"
#include "harness/run/file_hashes.h"

#define KINDS(X) \
    X("iterations", plot_compare) \
    X("kernel-operations", plot_compare) \
    X("error", plot_compare) \
    X("paper-ratio", plot_ratios) \
    X("convergence", plot_convergence) \
    X("heatmap", plot_sweeps) \
    X("lines", plot_sweeps) \
    X("sensitivity", plot_sweeps) \
    X("path", plot_path) \
    X("profile", plot_profile) \
    X("runtime-distribution", plot_runtimes) \
    X("critical-difference", plot_critical_difference) \
    X("margin", plot_margin) \
    X("objective", plot_objective)
#define KIND_ROW(kind, function) {kind, function},
#define KIND_NAME(kind, function) kind,
static const struct {
    const char *name;
    enum status (*draw)(const struct plot_request *request, struct error *error);
} kinds[] = {KINDS(KIND_ROW)};
const char *const plot_kind_names[] = {KINDS(KIND_NAME) NULL};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct plot_run {
    const struct run_folders *folders; /* all folders drawn together */
    const char *folder;                /* DIR/plots */
    const struct plot_options *options;
    struct figure_style style; /* includes the looks of the run's solvers */
    struct plot_report *report;
    const char *entry_name; /* of the current entry */
    struct figure_named_look *looks;
    FILE *notes;
    struct run_traces traces; /* of the folder, read when a figure first needs them */
    int has_traces;
    int has_gnuplot;          /* 0 once gnuplot was found missing, so that it is tried once */
    struct error first_error; /* the first error of a picture */
};

static enum status add_figure(struct plot_run *run, const char *name, struct error *error)
{
    struct plot_report *report = run->report;
    char *path = xasprintf("%s/%s", run->folder, name);
    for (size_t i = 0; i < report->n_figures; i++)
        if (strcmp(report->figures[i], path) == 0) {
            free(path);
            return error_set(error, STATUS_BAD_INPUT, "config.json: two \"plots\" entries would both write figure %s",
                             name);
        }
    report->figures = xreallocarray(report->figures, report->n_figures + 1, sizeof *report->figures);
    report->figures[report->n_figures++] = path;
    return STATUS_OK;
}

static int wanted(const struct plot_run *run, const struct plot_figure *figure)
{
    const char *only = run->options->only;
    return !only || strcmp(only, figure->name) == 0 || strcmp(only, run->entry_name) == 0;
}

struct picture {
    const char *folder, *name;
    char said[PLOT_LINE_SIZE]; /* by gnuplot */
};

static void draw_picture(void *data)
{
    struct picture *picture = data;
    struct error error = {0};
    if (plot_render(picture->folder, picture->name, picture->said, &error) != STATUS_OK)
        die_of(&error);
}

static void render(struct plot_run *run, const char *name)
{
    struct error cause = {STATUS_OK, ""};
    struct picture picture = {run->folder, name, ""};
    enum status status = attempt(draw_picture, &picture, &cause);
    if (status == STATUS_OK && *picture.said)
        fprintf(run->notes, "%s: gnuplot: %s\n", name, picture.said);
    run->has_gnuplot = status != STATUS_NOT_FOUND;
    if (status != STATUS_OK && run->first_error.status == STATUS_OK) {
        run->first_error = cause;
        if (status != STATUS_BAD_INPUT)
            run->first_error.status = STATUS_IO; /* a system error: "not found" means missing records */
    }
}

enum status plot_finish(struct plot_run *run, struct plot_figure *figure, struct error *error)
{
    enum status status = STATUS_OK;
    if (wanted(run, figure))
        plot_figure_write(figure, run->folder, &run->style);
    for (size_t k = 0; status == STATUS_OK && wanted(run, figure) && k < plot_figure_sheets(figure, &run->style); k++) {
        char *sheet = plot_figure_sheet_name(figure, &run->style, k);
        status = add_figure(run, sheet, error);
        if (status == STATUS_OK && !run->options->no_render && run->has_gnuplot)
            render(run, sheet);
        free(sheet);
    }
    plot_figure_free(figure);
    return status;
}

int plot_for_paper(const struct plot_request *request)
{
    return request->run->style.paper;
}

void plot_note(const struct plot_request *request, const char *format, ...)
{
    if (!request->entry)
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(request->run->notes, "%s not drawn: ", request->name);
    vfprintf(request->run->notes, format, arguments);
    fputc('\n', request->run->notes);
    va_end(arguments);
}

void plot_open_for(const struct plot_request *request, const char *drawing, const char *dataset,
                   struct plot_figure *figure)
{
    int one_figure = cJSON_HasObjectItem(request->entry, "dataset");
    plot_figure_open(figure, drawing, request->name, one_figure ? NULL : dataset, NULL);
}

const char *plot_entry_text(const struct plot_request *request, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request->entry, key));
}

size_t plot_entry_number(const struct plot_request *request, const char *key)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(request->entry, key);
    return cJSON_IsNumber(number) && number->valuedouble >= 1 ? (size_t)number->valuedouble : 0;
}

enum status plot_from_traces(const struct plot_request *request,
                             enum status (*draw)(const struct plot_request *request, const struct run_traces *traces,
                                                 const char *dataset, struct error *error),
                             struct error *error)
{
    struct plot_run *run = request->run;
    const struct plot_data *data = request->data;
    enum status status = run->has_traces ? STATUS_OK : run_traces_read(data->folder, &run->traces, error);
    struct run_traces *of_dataset = xcalloc(data->n_datasets, sizeof *of_dataset); /* parts of run->traces */
    run->has_traces = status == STATUS_OK;
    for (size_t i = 0; run->has_traces && i < run->traces.n; i++) {
        struct run_trace *trace = &run->traces.items[i];
        const size_t d = name_order_find(&data->order.datasets, trace->dataset);
        if (data->choice && !trace->record)
            trace->dataset = ""; /* a run that was not selected: no data set */
        else if (d < data->n_datasets) {
            of_dataset[d].items = of_dataset[d].n ? of_dataset[d].items : trace;
            of_dataset[d].n = (size_t)(trace + 1 - of_dataset[d].items);
        }
    }
    if (run->has_traces && run->traces.n == 0)
        plot_note(request, "there are no traces");
    for (size_t d = 0; run->traces.n > 0 && status == STATUS_OK && d < data->n_datasets; d++)
        if (entry_names(request->entry, "datasets", "dataset", data->datasets[d]))
            status = draw(request, &of_dataset[d], data->datasets[d], error);
    free(of_dataset);
    return status;
}

/* Notes the solvers and series of the entry without a record in the folder, if others are drawn. */
static void note_left_out(const struct plot_request *request)
{
    static const char *const keys[] = {"series", "solvers"};
    struct records kept = plot_select(request->data, request->entry, NULL);
    for (size_t k = 0; kept.count > 0 && k < 2; k++) {
        const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(request->entry, keys[k]);
        size_t index = 0;
        char shown[200];
        cJSON_ArrayForEach (item, list) {
            const struct record_filter filter = {.entry = k ? NULL : item, .solver = cJSON_GetStringValue(item)};
            size_t i = 0;
            while (i < kept.count && !record_matches(kept.items[i], &filter))
                i++;
            if (i == kept.count)
                plot_note(request, "%s[%zu], %s: no record is left", keys[k], index,
                          json_to_text(item, shown, sizeof shown));
            index++;
        }
    }
    records_free(&kept);
}

static enum status draw_kind(struct plot_run *run, const struct plot_data *data, const char *folder, size_t kind,
                             const cJSON *entry, const char *name, struct error *error)
{
    struct plot_papers *papers = NULL;
    const cJSON *tables = cJSON_GetObjectItemCaseSensitive(entry, "tables");
    if (!tables)
        tables = data->folder->tables;
    enum status status = plot_papers_read(tables, &papers, error);
    if (status == STATUS_OK) {
        struct plot_request request = {data, run->folders, papers, entry, kinds[kind].name, name, folder, run};
        run->entry_name = name;
        note_left_out(&request);
        status = kinds[kind].draw(&request, error);
    }
    plot_papers_free(papers);
    return status;
}

static enum status draw_entry(struct plot_run *run, const struct plot_data *data, const char *folder,
                              const cJSON *entry, size_t number, struct error *error)
{
    const struct plot_request named = {.entry = entry};
    const char *kind = plot_entry_text(&named, "kind"), *name = plot_entry_text(&named, "name");
    for (size_t i = 0; kind && i < N_KINDS; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return draw_kind(run, data, folder, i, entry, name && *name ? name : kind, error);
    char *path = xasprintf("%s/config.json", folder);
    const struct json_path top = {.file = path}, list = {.outer = &top, .key = "plots"},
                           at = {.outer = &list, .index = number - 1};
    enum status status = json_unknown_name(&at, "kind of figure", kind ? kind : "", plot_kind_names, error);
    free(path);
    return status;
}

static enum status draw_all(struct plot_run *run, const struct plot_data *data, const char *folder, struct error *error)
{
    const cJSON *plots = cJSON_GetObjectItemCaseSensitive(data->folder->config, "plots"), *entry;
    if (data->choice && data->choice->plots)
        plots = data->choice->plots;
    enum status status = STATUS_OK;
    size_t number = 0;
    if (!plots) {
        for (size_t i = 0; status == STATUS_OK && i < N_KINDS; i++)
            status = draw_kind(run, data, folder, i, NULL, kinds[i].name, error);
        return status;
    }
    if (!cJSON_IsArray(plots))
        return error_set(error, STATUS_BAD_INPUT, "%s/config.json: \"plots\" must be an array of objects", folder);
    cJSON_ArrayForEach (entry, plots) {
        status = draw_entry(run, data, folder, entry, ++number, error);
        if (status != STATUS_OK)
            break;
    }
    return status;
}

/* Appends the notes to those of the report. */
static void add_notes(struct plot_report *report, char *notes)
{
    char *all = xasprintf("%s%s", report->notes ? report->notes : "", notes);
    free(report->notes);
    free(notes);
    report->notes = all;
}

/* Converts the folder's figures that other verbs drew to print. */
static enum status reset_others(struct plot_run *run, const char *folder, struct error *error)
{
    struct string_list names = {0};
    char *from = xasprintf("%s/plots", folder);
    enum status status = STATUS_OK;
    if (run->style.paper)
        status = figure_reset_all(from, run->options->only, run->folder, &run->style, &names, error);
    for (size_t i = 0; status == STATUS_OK && i < names.count; i++) {
        status = add_figure(run, names.line[i], error);
        if (status == STATUS_OK && !run->options->no_render && run->has_gnuplot)
            render(run, names.line[i]);
    }
    string_list_free(&names);
    free(from);
    return status;
}

/* The first error of a picture that could not be drawn, if any. */
static enum status first_error(const struct plot_run *run, struct error *error)
{
    if (run->first_error.status != STATUS_OK && error)
        *error = run->first_error;
    return run->first_error.status;
}

/* ---- whether the figures are complete ---- */

/* A file in the folder of the figures, written after the last picture: the SHA-256 of what they depend on. */
#define DRAWN ".drawn"

/* What the figures of the folder depend on; NULL if run.json lists no records, as before version 1.0. malloc'ed. */
static char *drawn_from(const struct run_folder *folder)
{
    const char *records = file_hash_listed(folder->info, "records.jsonl");
    char *text = records && folder->config_text ? xasprintf("%s\n%s", records, folder->config_text) : NULL;
    char *hex = text ? xcalloc(65, 1) : NULL;
    if (text)
        sha256_hex(text, strlen(text), hex);
    free(text);
    return hex;
}

static int has_drawn(const struct run_folder *folder, const char *plots)
{
    struct pool *pool = pool_new();
    char *path = xasprintf("%s/" DRAWN, plots), *from = drawn_from(folder);
    const char *text = from ? file_read_or_null(pool, path, NULL) : NULL;
    const int is = text && strcmp(text, from) == 0;
    free(path);
    free(from);
    pool_free(pool);
    return is;
}

int plot_is_complete(const struct run_folder *folder)
{
    char *plots = xasprintf("%s/plots", folder->path);
    const int is = has_drawn(folder, plots);
    free(plots);
    return is;
}

static void note_drawn(const struct run_folder *folder, const char *plots)
{
    char *path = xasprintf("%s/" DRAWN, plots), *from = drawn_from(folder);
    if (from)
        file_write(path, from, strlen(from));
    free(path);
    free(from);
}

enum status plot_run_folder(const struct run_folders *folders, size_t which, const struct plot_options *options,
                            struct plot_report *report, struct error *error)
{
    struct run_folder *folder = &folders->items[which];
    struct plot_data data = {0};
    struct plot_run run = {
        .folders = folders, .options = options, .report = report, .entry_name = "", .has_gnuplot = 1};
    struct folder_lock lock = {0};
    size_t size = 0;
    char *notes = NULL, *plots = options->out ? xstrdup(options->out)
                                        : xasprintf("%s/%s", folder->path, options->style.paper ? "paper" : "plots");
    /* Figures of other folders or styles are not those of DIR/plots; one figure does not complete them. */
    const int completes = !options->out && !options->style.paper && !options->no_render &&
                          (!options->only || has_drawn(folder, plots));
    run.folder = plots;
    run.notes = xopen_text(&notes, &size);
    folder_lock_take(&lock, folder->path);
    enum status status = plot_data_take(folder, &data, error);
    data.choice = options->choice;
    run.style = options->style;
    if (status == STATUS_OK)
        run.style.looks = run.looks = plot_looks(options->choice, folder, &run.style.n_looks);
    if (status == STATUS_OK)
        status = figure_style_complete(&run.style, error);
    if (status == STATUS_OK)
        folder_make(plots);
    if (status == STATUS_OK)
        folder_remove_temporaries(plots);
    if (status == STATUS_OK)
        file_remove(plots, DRAWN);
    if (status == STATUS_OK)
        status = draw_all(&run, &data, folder->path, error);
    if (status == STATUS_OK)
        status = reset_others(&run, folder->path, error);
    if (status == STATUS_OK)
        status = first_error(&run, error);
    if (status == STATUS_OK && completes)
        note_drawn(folder, plots);
    xclose_text(run.notes);
    add_notes(report, notes);
    plot_looks_free(run.looks, run.style.n_looks);
    run_traces_free(&run.traces);
    plot_data_free(&data);
    folder_lock_release(&lock);
    free(plots);
    return status;
}

/* Neither a picture that cannot be drawn nor a folder with nothing to draw stops the loop; the latter is an error only
 * if it is the only folder. */
static enum status draw_folders(struct run_folders *folders, const struct plot_options *options,
                                struct plot_report *report, struct error *error)
{
    struct error first = {STATUS_OK, ""};
    enum status status = folders->count > 1 ? run_folders_check_splits(folders, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = plot_choice_apply(options->choice, folders, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < folders->count && (status == STATUS_OK || status == STATUS_IO); i++) {
        struct error cause = {STATUS_OK, ""};
        status = plot_run_folder(folders, i, options, report, &cause);
        if (status == STATUS_NOT_FOUND && folders->count > 1)
            status = STATUS_OK;
        else if (status != STATUS_OK && (first.status == STATUS_OK || first.status == STATUS_IO))
            first = cause;
    }
    const char *path = folders->items[0].path;
    if (first.status == STATUS_OK && report->n_figures == 0 && options->only)
        return error_set(error, STATUS_BAD_INPUT, "%s: unknown figure \"%s\"", path,
                         options->only);
    if (first.status == STATUS_OK && report->n_figures == 0)
        return error_set(error, STATUS_NOT_FOUND, "%s: the records contain nothing to draw", path);
    if (error && first.status != STATUS_OK)
        *error = first;
    return first.status;
}

static int has_records(const char *folder)
{
    char *path = xasprintf("%s/records.jsonl", folder);
    const int there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* A folder of `tune` or `compare` without records can only have figures of that verb. */
static enum status reset_folder(const char *path, const struct plot_options *options, struct plot_report *report,
                                struct error *error)
{
    char *notes = NULL, *out = options->out ? xstrdup(options->out) : xasprintf("%s/paper", path);
    size_t size = 0;
    struct plot_run run = {.folder = out,
                           .options = options,
                           .report = report,
                           .entry_name = "",
                           .style = options->style,
                           .has_gnuplot = 1};
    run.notes = xopen_text(&notes, &size);
    run.style.looks = run.looks = plot_looks(options->choice, NULL, &run.style.n_looks);
    enum status status = figure_style_complete(&run.style, error);
    if (status == STATUS_OK)
        status = reset_others(&run, path, error);
    if (status == STATUS_OK)
        status = first_error(&run, error);
    xclose_text(run.notes);
    add_notes(report, notes);
    plot_looks_free(run.looks, run.style.n_looks);
    free(out);
    return status;
}

enum status plot_folders(const char *const *paths, size_t count, const struct plot_options *options,
                         struct plot_report *report, struct error *error)
{
    struct run_folders folders;
    struct error cause = {0};
    *report = (struct plot_report){0};
    if (options->style.paper && count == 1 && !has_records(paths[0])) {
        const enum status reset = reset_folder(paths[0], options, report, error);
        if (reset != STATUS_OK || report->n_figures > 0)
            return reset;
    }
    enum status status = run_folders_read(paths, count, FOLDER_RECORDS, &folders, &cause);
    if (status == STATUS_OK)
        status = draw_folders(&folders, options, report, error);
    else /* a wrong folder name, not a folder without records */
        status = error_set(error, status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status, "%s", cause.message);
    run_folders_free(&folders);
    return status;
}

enum status plot_folder(const char *path, const struct plot_options *options, struct plot_report *report,
                        struct error *error)
{
    return plot_folders(&path, 1, options, report, error);
}

void plot_report_free(struct plot_report *report)
{
    for (size_t i = 0; i < report->n_figures; i++)
        free(report->figures[i]);
    free(report->figures);
    free(report->notes);
}
