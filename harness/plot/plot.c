/*
 * Selects the figures of a run folder. One table has all kinds. A configuration's "plots" picks from it; without that
 * key every kind is tried and draws what the records and traces allow. A picture that cannot be drawn does not stop the
 * others: the first such error is kept and ends the drawing once all numbers are written.
 */
#include "harness/plot/plot.h"

#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/support/json_reader.h"
#include "harness/support/sha256.h"
#include "harness/plot/kinds.h"
#include "harness/figure/render.h"
#include "harness/records/run_traces.h"
#include "harness/run/file_hashes.h"
#include "solvers/unknown_name.h"

/* What a kind draws: one figure or several of all records, or some of each data set, from its records or traces. With
 * NOT_AUTOMATIC only an entry has it, since the user has to choose the solvers to compare. */
enum kind_flags { OF_DATASET = 1, OF_TRACES = 2, NOT_AUTOMATIC = 4 };
#define KINDS(X) \
    X("iterations", plot_means, 0) \
    X("kernel-operations", plot_means, 0) \
    X("error", plot_means, 0) \
    X("paper-ratio", plot_ratios, 0) \
    X("convergence", plot_convergence, OF_DATASET | OF_TRACES) \
    X("heatmap", plot_sweeps, OF_DATASET) \
    X("lines", plot_sweeps, OF_DATASET) \
    X("path", plot_path, OF_DATASET | OF_TRACES) \
    X("profile", plot_profile, NOT_AUTOMATIC) \
    X("runtime-distribution", plot_runtimes, 0) \
    X("critical-difference", plot_critical_difference, 0) \
    X("margin", plot_margin, OF_DATASET | OF_TRACES) \
    X("objective", plot_objective, OF_DATASET | OF_TRACES | NOT_AUTOMATIC)
#define KIND_ROW(kind, function, flags) {kind, function, flags},
#define KIND_NAME(kind, function, flags) kind,
static const struct {
    const char *name;
    void (*draw)(const struct plot_request *request);
    int flags; /* enum kind_flags */
} kinds[] = {KINDS(KIND_ROW)};
const char *const plot_kind_names[] = {KINDS(KIND_NAME) NULL};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct plot_run {
    const char *path;                  /* DIR */
    const struct run_folders *folders; /* all folders drawn together */
    struct run_folder *source;         /* DIR; NULL: it has no records */
    const struct plot_options *options;
    struct plot_report *report;
    struct pool *pool;         /* of this folder */
    const char *folder;        /* DIR/plots */
    struct figure_style style; /* includes the styles of the run's solvers */
    const struct json_path *place; /* of the current entry; NULL: none */
    const char *entry_name;        /* of the current entry */
    size_t first_figure, first_of_entry; /* in the report: of this folder and of the entry */
    struct run_traces *traces; /* of the folder, read when a figure first needs them; NULL: not yet */
    int has_gnuplot;          /* 0 once gnuplot was found missing, so that it is tried once */
    struct error first_error; /* the first error of a picture */
};

static char *path_of(const struct plot_run *run, const char *name)
{
    return pool_printf(run->report->pool, "%s/%s", run->folder, name);
}

/* The index of the figure with that name; the number of figures if there is none. */
static size_t find_figure(const struct plot_run *run, const char *name)
{
    const char *path = path_of(run, name);
    size_t i = 0;
    while (i < run->report->figures.count && strcmp(run->report->figures.item[i], path) != 0)
        i++;
    return i;
}

/* Renames a figure whose name another one of the same entry has: "heart" and split 1 is also a data set "heart-1". In
 * other names no "=" is followed by another. */
static void make_distinct(const struct plot_run *run, struct plot_figure *figure)
{
    const char *name = figure->name;
    size_t at = find_figure(run, name);
    for (size_t k = 2; at >= run->first_of_entry && at < run->report->figures.count; k++) {
        figure->name = pool_printf(figure->pool, "%s==%zu", name, k);
        at = find_figure(run, figure->name);
    }
    if (at < run->first_figure)
        die(STATUS_BAD_INPUT, "%s: figures of two folders would both be written there", path_of(run, name));
    if (at < run->first_of_entry)
        json_die(run->place, "two \"plots\" entries would both write figure %s", name);
}

static void add_note(struct plot_run *run, const char *name, const char *kind, const char *text)
{
    struct plot_report *report = run->report;
    report->notes = pool_printf(report->pool, "%s%s%s: %s\n", report->notes ? report->notes : "", name, kind, text);
}

/* Lists a written figure, and draws its picture. */
static void add_picture(struct plot_run *run, const char *name)
{
    struct plot_report *report = run->report;
    struct error cause;
    char line[PLOT_LINE_SIZE], *path = path_of(run, name);
    *pool_push(report->pool, &report->figures) = path;
    if (run->options->no_render || !run->has_gnuplot)
        return;
    const enum status status = plot_render(run->folder, name, line, &cause);
    if (status == STATUS_OK && *line)
        add_note(run, name, ": gnuplot", line);
    run->has_gnuplot = status != STATUS_NOT_FOUND;
    if (status != STATUS_OK && run->first_error.status == STATUS_OK) {
        run->first_error = cause;
        if (status != STATUS_BAD_INPUT)
            run->first_error.status = STATUS_IO; /* a system error: "not found" means missing records */
    }
}

void plot_finish(struct plot_run *run, struct plot_figure *figure)
{
    const char *only = run->options->only;
    if (!only || strcmp(only, figure->name) == 0 || strcmp(only, run->entry_name) == 0) {
        make_distinct(run, figure);
        plot_figure_write(figure, run->folder, &run->style);
        for (size_t k = 0; k < plot_figure_sheets(figure, &run->style); k++)
            add_picture(run, plot_figure_sheet_name(figure, &run->style, k));
    } else
        *pool_push(run->report->pool, &run->report->others) = pool_strdup(run->report->pool, figure->name);
    pool_free(figure->pool);
}

void plot_note(const struct plot_request *request, const char *format, ...)
{
    if (!request->entry)
        return;
    va_list arguments;
    va_start(arguments, format);
    add_note(request->run, request->name, " not drawn", pool_vprintf(request->pool, format, arguments));
    va_end(arguments);
}

void plot_die_metric(const struct plot_request *request, const char *metric, const char *allowed)
{
    const int is_list = cJSON_HasObjectItem(request->entry, "metrics");
    json_die(json_at(request->run->place, is_list ? "metrics" : "metric"),
             "unknown metric \"%s\"; allowed for figures of kind %s: %s", metric ? metric : "", request->kind, allowed);
}

void plot_open_for(const struct plot_request *request, const char *drawing, struct plot_figure *figure)
{
    const int is_named = cJSON_HasObjectItem(request->entry, "dataset");
    plot_figure_open(figure, drawing, request->name, is_named ? NULL : request->dataset, NULL);
}

size_t plot_entry_number(const struct plot_request *request, const char *key)
{
    const cJSON *number = json_member(request->entry, key);
    return cJSON_IsNumber(number) && number->valuedouble >= 1 ? (size_t)number->valuedouble : 0;
}

/* The traces of the folder; those of runs that were not selected have no data set. */
static const struct run_traces *read_traces(struct plot_run *run, const struct run_view *data)
{
    if (run->traces)
        return run->traces;
    run->traces = run_traces_read(run->pool, data->folder);
    for (size_t i = 0; data->choice && i < run->traces->n; i++)
        if (!run->traces->items[i].record)
            run->traces->items[i].dataset = "";
    return run->traces;
}

/* Calls the kind for each data set that the entry selects. The folder's traces are read once for all figures. */
static void draw_datasets(struct plot_request *request, size_t kind)
{
    const struct run_view *data = request->data;
    const struct run_traces *traces = kinds[kind].flags & OF_TRACES ? read_traces(request->run, data) : NULL;
    struct run_traces *parts = pool_array(request->pool, data->datasets.count, sizeof *parts); /* by data set */
    for (size_t i = 0; traces && i < traces->n; i++) {
        struct run_trace *trace = &traces->items[i];
        const size_t d = name_order_find(&data->datasets, trace->dataset);
        if (d < data->datasets.count) {
            parts[d].items = parts[d].n ? parts[d].items : trace;
            parts[d].n = (size_t)(trace + 1 - parts[d].items);
        }
    }
    if (traces && traces->n == 0)
        plot_note(request, "there are no traces");
    for (size_t d = 0; d < data->datasets.count && (!traces || traces->n > 0); d++) {
        request->dataset = data->datasets.names[d];
        request->traces = &parts[d];
        if (selection_names(request->entry, request->dataset, NULL))
            kinds[kind].draw(request);
    }
}

int plot_trace_fits(const struct plot_request *request, const struct run_trace *trace, size_t split)
{
    if (strcmp(trace->dataset, request->dataset) != 0 || (split != 0 && trace->split != split))
        return 0;
    if (cJSON_HasObjectItem(request->entry, "series"))
        return trace->record && selection_matches(request->entry, trace->record);
    return selection_names(request->entry, trace->dataset, trace->solver);
}

size_t plot_traces_choose(const struct plot_request *request, size_t split, const struct run_trace **found, size_t max)
{
    size_t n = 0;
    for (size_t s = 0; s < request->data->solvers.count; s++)
        for (size_t i = 0; i < request->traces->n && n < max; i++) {
            const struct run_trace *trace = &request->traces->items[i];
            if (trace->n > 0 && strcmp(trace->solver, request->data->solvers.names[s]) == 0 &&
                plot_trace_fits(request, trace, split))
                found[n++] = trace;
        }
    return n;
}

/* Notes the solvers, series and references of the entry without a record in the folder, if others are drawn; but no
 * references of a data set without records. */
static void note_left_out(const struct plot_request *request)
{
    static const char *const keys[] = {"series", "references", "solvers"};
    const struct name_order *datasets = &request->data->datasets;
    const struct records kept = plot_select(request->pool, request->data, request->entry, NULL);
    for (size_t k = 0; kept.count > 0 && k < 3; k++) {
        const cJSON *item, *list = json_member(request->entry, keys[k]);
        size_t index = 0;
        cJSON_ArrayForEach (item, list) {
            size_t i = 0;
            while (i < kept.count &&
                   !(k == 2 ? cJSON_IsString(item) && !strcmp(kept.items[i]->solver, item->valuestring)
                            : selection_matches(item, kept.items[i])))
                i++;
            const char *dataset = k == 1 ? json_text(item, "dataset") : NULL;
            if (i == kept.count && !(dataset && name_order_find(datasets, dataset) == datasets->count))
                plot_note(request, "%s[%zu], %s: no record is left", keys[k], index, json_to_text(item));
            index++;
        }
    }
}

/* Draws a kind for an entry, or automatically (NULL). */
static void draw_kind(struct plot_run *run, const struct run_view *data, size_t kind, const cJSON *entry)
{
    const cJSON *tables = json_member(entry, "tables");
    const char *name = json_text(entry, "name");
    struct plot_request request = {.pool = pool_new(),
                                   .data = data,
                                   .folders = run->folders,
                                   .entry = entry,
                                   .kind = kinds[kind].name,
                                   .name = name && *name ? name : kinds[kind].name,
                                   .style = &run->style,
                                   .run = run};
    request.papers = plot_papers_read(request.pool, tables ? tables : data->folder->tables);
    run->entry_name = request.name;
    run->first_of_entry = run->report->figures.count;
    note_left_out(&request);
    if (kinds[kind].flags & OF_DATASET)
        draw_datasets(&request, kind);
    else
        kinds[kind].draw(&request);
    pool_free(request.pool);
}

static void draw_all(struct plot_run *run, const struct run_view *data)
{
    const struct plot_choice *choice = data->choice;
    const int of_spec = choice && choice->plots;
    const cJSON *entry, *plots = of_spec ? choice->plots : json_member(data->folder->config, "plots");
    const struct json_path file = {.file = of_spec ? choice->spec
                                                   : pool_printf(run->pool, "%s/config.json", data->folder->path)};
    struct json_path *place = pool_alloc(run->pool, sizeof *place);
    *place = (struct json_path){.outer = json_at(&file, "plots")};
    run->place = place;
    for (size_t i = 0; !plots && i < N_KINDS; i++)
        if (!(kinds[i].flags & NOT_AUTOMATIC))
            draw_kind(run, data, i, NULL);
    if (plots && !cJSON_IsArray(plots))
        die(STATUS_BAD_INPUT, "%s: \"plots\" must be an array of objects", file.file);
    cJSON_ArrayForEach (entry, plots) {
        const char *kind = json_text(entry, "kind");
        size_t k = 0;
        while (k < N_KINDS && !(kind && strcmp(kinds[k].name, kind) == 0))
            k++;
        if (k == N_KINDS)
            json_die_unknown(run->place, "kind of figure", kind ? kind : "", plot_kind_names);
        draw_kind(run, data, k, entry);
        place->index++;
    }
}

/* Draws the folder's figures of other verbs again, for print. */
static void restyle_others(struct plot_run *run)
{
    struct string_list names = {0};
    if (run->style.paper)
        figures_restyle(run->pool, pool_printf(run->pool, "%s/plots", run->path), run->options->only, run->folder,
                        &run->style, &names);
    for (size_t i = 0; i < names.count; i++)
        add_picture(run, names.line[i]);
}

/* ---- whether the figures are complete ---- */

/* A file in the folder of the figures, written after the last picture: the SHA-256 of what they depend on. */
#define DRAWN ".drawn"

/* What the figures of the folder depend on; NULL if run.json lists no records, as before version 1.0. */
static const char *drawn_from(struct pool *pool, const struct run_folder *folder)
{
    const char *records = file_hash_listed(folder->info, "records.jsonl");
    if (!records || !folder->config_text)
        return NULL;
    const char *text = pool_printf(pool, "%s\n%s", records, folder->config_text);
    char *hex = pool_alloc(pool, 65);
    sha256_hex(text, strlen(text), hex);
    return hex;
}

int plot_is_complete(struct pool *pool, const struct run_folder *folder)
{
    const char *from = drawn_from(pool, folder), *file = pool_printf(pool, "%s/plots/" DRAWN, folder->path),
               *text = from ? file_read_or_null(pool, file, NULL) : NULL;
    return text && strcmp(text, from) == 0;
}

/* Draws the records of the folder; figures of other folders or styles are not those of DIR/plots, and one figure does
 * not complete them. */
static void draw_records(struct plot_run *run)
{
    const struct plot_options *options = run->options;
    const int completes = !options->out && !options->style.paper && !options->no_render &&
                          (!options->only || plot_is_complete(run->pool, run->source));
    struct folder_lock lock = {0};
    folder_lock_take(&lock, run->path);
    struct run_view *data = run_view_take(run->pool, run->source);
    data->choice = options->choice;
    folder_make(run->folder);
    folder_remove_temporaries(run->folder);
    file_remove(run->folder, DRAWN);
    draw_all(run, data);
    restyle_others(run);
    die_unless_ok(run->first_error.status, &run->first_error);
    const char *from = completes ? drawn_from(run->pool, run->source) : NULL;
    if (from)
        file_write(pool_printf(run->pool, "%s/" DRAWN, run->folder), from, strlen(from));
    folder_lock_release(&lock);
}

static void draw_folder(void *context)
{
    struct plot_run *run = context;
    const struct plot_options *options = run->options;
    struct pool *pool = run->pool = pool_new();
    run->folder = options->out ? options->out
                               : pool_printf(pool, "%s/%s", run->path, options->style.paper ? "paper" : "plots");
    run->style = options->style;
    run->style.series = plot_series_styles(pool, options->choice, run->source, &run->style.n_series);
    figure_style_complete(&run->style);
    run->entry_name = "";
    run->first_figure = run->report->figures.count;
    run->has_gnuplot = 1;
    if (run->source)
        draw_records(run);
    else
        restyle_others(run);
    die_unless_ok(run->first_error.status, &run->first_error);
    pool_free(pool);
}

enum status plot_run_folder(const struct run_folders *folders, size_t which, const struct plot_options *options,
                            struct plot_report *report, struct error *error)
{
    struct run_folder *source = &folders->items[which];
    struct plot_run run = {
        .path = source->path, .folders = folders, .source = source, .options = options, .report = report};
    return attempt(draw_folder, &run, error);
}

/* Neither a picture that cannot be drawn nor a folder with nothing to draw stops the loop; the latter is an error only
 * if it is the only folder. */
static void draw_folders(struct run_folders *folders, const struct plot_options *options, struct plot_report *report)
{
    struct error first = {STATUS_OK, ""}, error;
    enum status status = STATUS_OK;
    if (folders->count > 1)
        run_folders_check_splits(folders);
    plot_choice_apply(report->pool, options->choice, folders);
    for (size_t i = 0; i < folders->count && (status == STATUS_OK || status == STATUS_IO); i++) {
        status = plot_run_folder(folders, i, options, report, &error);
        if (status == STATUS_NOT_FOUND && folders->count > 1)
            status = STATUS_OK;
        else if (status != STATUS_OK && (first.status == STATUS_OK || first.status == STATUS_IO))
            first = error;
    }
    const char *path = folders->items[0].path;
    if (first.status == STATUS_OK && report->figures.count == 0 && report->others.count > 0) {
        *pool_push(report->pool, &report->others) = NULL;
        die(STATUS_BAD_INPUT, "%s: %s", path,
            unknown_name_text("figure", options->only, report->others.item, message_room(), MESSAGE_ROOM));
    }
    if (first.status == STATUS_OK && report->figures.count == 0)
        die(STATUS_NOT_FOUND, "%s: nothing to draw; a sweep is drawn if a setting takes three values, or by an entry "
                              "of \"plots\" (docs/plots.md)", path);
    die_unless_ok(first.status, &first);
}

void plot_folders(const char *const *paths, size_t count, const struct plot_options *options,
                  struct plot_report *report)
{
    struct pool *pool = report->pool;
    if (options->style.paper && count == 1 && access(pool_printf(pool, "%s/records.jsonl", paths[0]), F_OK) != 0) {
        /* without records there can only be figures of `tune` or `compare` */
        draw_folder(&(struct plot_run){.path = paths[0], .options = options, .report = report});
        if (report->figures.count > 0)
            return;
    }
    struct run_folders *folders = pool_alloc(pool, sizeof *folders);
    *folders = run_folders_open(pool, paths, count, FOLDER_RECORDS);
    draw_folders(folders, options, report);
}
