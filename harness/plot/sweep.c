/* Sweeps by data set and metric: which figures to draw, and their names (sweep.h). */
#include "harness/plot/sweep.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"

enum { AUTOMATIC_LEVELS = 3 };

/* How a kind draws: its template, the number of swept settings on axes, and whether it draws one figure per metric. */
struct form {
    const char *kind, *drawing;
    size_t n_axes;
    int by_metric;
    int (*fill)(const struct plot_sweep *sweep, struct plot_figure *figure);
};
enum { LINES, GRIDS, SENSITIVITY, FORMS };
static const struct form forms[FORMS] = {{"lines", "lines", 1, 1, plot_sweep_lines},
                                         {"heatmap", "heatmap", 2, 1, plot_sweep_grids},
                                         {"sensitivity", "lines", 2, 0, plot_sweep_sensitivity}};

void plot_sweep_describe(const struct plot_sweep *sweep, FILE *caption, int with_operations)
{
    int has_width = 0;
    for (size_t s = 0; s < sweep->series.n; s++)
        for (int k = 0; k < 2; k++) {
            const char *axis = sweep->series.items[s].axis[k];
            has_width |= axis && strcmp(axis, "width") == 0;
        }
    if (has_width) /* with no-break spaces */
        fputs("k(x, z) = exp(−‖x − z‖² / kernel width). ", caption);
    if (with_operations)
        fputs("Kernel operations of the iterations, without the set-up. ", caption);
}

/* Nonzero if some series has enough levels to be drawn without a request. */
static int worth_drawing(const struct plot_sweep *sweep)
{
    struct plot_levels levels;
    for (size_t s = 0; s < sweep->series.n; s++) {
        const struct plot_series *series = &sweep->series.items[s];
        if (!series->axis[0])
            continue;
        plot_levels_take(&series->records, series->axis[0], &levels);
        if (sweep->request->entry || levels.n >= AUTOMATIC_LEVELS)
            return 1;
    }
    return 0;
}

/* Draws the figure NAME-METRIC-DATASET, without the parts that the entry fixes. */
static void draw_figure(const struct plot_sweep *sweep, const struct form *form)
{
    struct plot_figure figure;
    const cJSON *entry = sweep->request->entry;
    const char *metric = measure_row(sweep->field)->measure;
    const char *shown_metric = form->by_metric && !cJSON_HasObjectItem(entry, "metric") ? metric : NULL;
    const char *shown_dataset = cJSON_HasObjectItem(entry, "dataset") ? NULL : sweep->dataset;
    plot_figure_open(&figure, form->drawing, sweep->request->name, shown_metric ? shown_metric : shown_dataset,
                     shown_metric ? shown_dataset : NULL);
    if (form->fill(sweep, &figure)) {
        plot_finish(sweep->request->run, &figure);
        return;
    }
    plot_note(sweep->request, "no %s of %s that the figure can show", form->by_metric ? metric : "metric",
              sweep->dataset);
    plot_figure_free(&figure);
}

static void draw_metrics(struct plot_sweep *sweep, const struct form *form)
{
    static const enum record_field usual[] = {FIELD_ERROR, FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS};
    const char *metric = plot_entry_text(sweep->request, "metric");
    if (!form->by_metric) {
        draw_figure(sweep, form);
        return;
    }
    const size_t named = metric ? measure_find(metric, MEMBER_FIGURE) : 0;
    if (named >= RECORD_FIELDS)
        die(STATUS_BAD_INPUT,
            "config.json: plot %s: unknown metric \"%s\"; allowed: error, iterations, kernel-operations, "
            "support-vectors",
            sweep->request->name, metric);
    for (size_t i = 0; i < (metric ? 1 : sizeof usual / sizeof *usual); i++) {
        sweep->field = metric ? (enum record_field)named : usual[i];
        draw_figure(sweep, form);
    }
}

static void draw_dataset(const struct plot_request *request, const char *dataset, const struct form *form)
{
    struct plot_sweep sweep = {.request = request, .dataset = dataset};
    sweep.records = plot_select(request->pool, request->data, request->entry, dataset);
    sweep.values = pool_array(request->pool, sweep.records.count, sizeof *sweep.values);
    sweep.series = plot_series_build(request->pool, request->data, &sweep.records, form->n_axes, request->entry);
    if (form == &forms[GRIDS] && sweep.series.n == 0 && request->entry) {
        form = &forms[LINES];
        sweep.series = plot_series_build(request->pool, request->data, &sweep.records, 1, request->entry);
    }
    if (worth_drawing(&sweep))
        draw_metrics(&sweep, form);
    else if (sweep.records.count > 0)
        plot_note(request, "%s takes several values for %s", form->n_axes == 2 ? "no pair of settings" : "no setting",
                  dataset);
}

void plot_sweeps(const struct plot_request *request)
{
    const struct form *form = forms;
    while (strcmp(form->kind, request->kind) != 0)
        form++;
    for (size_t d = 0; d < request->data->datasets.count; d++)
        draw_dataset(request, request->data->datasets.names[d], form);
}
