/*
 * Convergence: the duality gap along the run against iterations and against kernel operations, both axes logarithmic,
 * from DIR/traces. A trace of many thousand points is thinned for the eye: iterations are parted into bins of equal
 * width in their logarithm and of each bin the points with the smallest and the largest gap are kept, and the last
 * point of all, so that oscillations stay visible. Points that a logarithmic axis cannot show (no iteration yet, a gap
 * that is not positive) are left out.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/cells.h"
#include "harness/plot/traces.h"

enum { BINS = 250, MOST_LINES = 12 };

/* Keeps the points that logarithmic axes can show. */
static void keep_positive(struct plot_trace *trace)
{
    size_t kept = 0;
    for (size_t i = 0; i < trace->n; i++) {
        const struct plot_trace_point *point = &trace->points[i];
        if (isfinite(point->gap) && point->gap > 0 && point->iteration > 0 && point->kernel_operations > 0)
            trace->points[kept++] = *point;
    }
    trace->n = kept;
}

static double bin_of(const struct plot_trace_point *point, double first, double width)
{
    return width > 0 ? floor((log(point->iteration) - first) / width) : 0;
}

/* Prints the kept points and widens the ranges to them. */
static void print_thinned(const struct plot_trace *curve, FILE *dat, struct plot_range ranges[3])
{
    double first = curve->n ? log(curve->points[0].iteration) : 0;
    double width = curve->n ? (log(curve->points[curve->n - 1].iteration) - first) / BINS : 0;
    for (size_t from = 0, end; from < curve->n; from = end) {
        double bin = bin_of(&curve->points[from], first, width);
        size_t low = from, high = from;
        for (end = from; end < curve->n && bin_of(&curve->points[end], first, width) <= bin; end++) {
            low = curve->points[end].gap < curve->points[low].gap ? end : low;
            high = curve->points[end].gap > curve->points[high].gap ? end : high;
        }
        for (size_t i = from; i < end; i++) {
            const struct plot_trace_point *point = &curve->points[i];
            if (i != low && i != high && i + 1 != curve->n)
                continue;
            const double numbers[] = {point->iteration, point->kernel_operations, point->gap};
            for (int k = 0; k < 3; k++) {
                plot_number(dat, numbers[k]);
                fputc(k < 2 ? ' ' : '\n', dat);
                plot_range_widen(&ranges[k], numbers[k], 1);
            }
        }
    }
}

/* "μ-gsk", and its parameters when another trace of the figure has the same solver. Malloc'ed. */
static char *line_label(const struct plot_trace *const *lines, size_t n, size_t at)
{
    char solver[200], *text = NULL;
    size_t size = 0, same = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (size_t i = 0; i < n; i++)
        same += strcmp(lines[i]->solver, lines[at]->solver) == 0;
    fputs(plot_solver_label(lines[at]->solver, solver, sizeof solver), stream);
    cJSON *params = same > 1 && lines[at]->params ? cJSON_Parse(lines[at]->params) : NULL;
    const cJSON *value;
    cJSON_ArrayForEach(value, params) {
        char *printed = cJSON_PrintUnformatted(value);
        fprintf(stream, ", %s = %s", plot_setting_label(value->string), printed ? printed : "");
        cJSON_free(printed);
    }
    cJSON_Delete(params);
    fclose(stream);
    return text;
}

static void describe(const struct plot_request *request, const struct plot_trace *curve, struct plot_figure *figure)
{
    const struct plot_record **records = NULL;
    size_t n = 0, kept = 0;
    fprintf(figure->heading.stream, "Convergence: %s, split %zu", curve->dataset, curve->split);
    if (plot_select(request->data, NULL, curve->dataset, NULL, &records, &n, NULL) == STATUS_OK)
        for (size_t i = 0; i < n; i++)
            if (records[i]->split == curve->split)
                records[kept++] = records[i];
    plot_origin(figure->caption.stream, request->data, records, kept);
    free(records);
}

static enum status draw_lines(const struct plot_request *request, const struct plot_trace *const *lines, size_t n,
                              struct plot_figure *figure, struct error *error)
{
    struct plot_range ranges[3] = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    char *labels[MOST_LINES] = {0};
    enum status status = STATUS_OK;
    fputs("# iteration kernel_operations gap\n", figure->dat.stream);
    for (size_t i = 0; i < n; i++) {
        labels[i] = line_label(lines, n, i);
        if (!labels[i]) {
            status = error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", figure->name);
            goto done;
        }
        fprintf(figure->dat.stream, "%s# %s\n", i ? "\n\n" : "", labels[i]);
        print_thinned(lines[i], figure->dat.stream, ranges);
    }
    const char *const read_only[MOST_LINES] = {labels[0], labels[1], labels[2], labels[3], labels[4],  labels[5],
                                               labels[6], labels[7], labels[8], labels[9], labels[10], labels[11]};
    const double low[] = {ranges[0].low, ranges[1].low, ranges[2].low};
    const double high[] = {ranges[0].high, ranges[1].high, ranges[2].high};
    plot_figure_texts(figure, "series", read_only, n);
    plot_figure_numbers(figure, "low", low, 3);
    plot_figure_numbers(figure, "high", high, 3);
    describe(request, lines[0], figure);
done:
    for (size_t i = 0; i < n; i++)
        free(labels[i]);
    return status;
}

/* Whether the curve belongs into the figure. */
static int fits(const struct plot_request *request, const struct plot_trace *curve, const char *dataset, size_t split)
{
    return strcmp(curve->dataset, dataset) == 0 && curve->split == split &&
           plot_entry_names(request->entry, "solvers", "solver", curve->solver);
}

/* Solvers that stopped before the first point a logarithmic axis can show must not vanish without a word. */
static void list_empty(const struct plot_request *request, const struct plot_traces *curves, const char *dataset,
                       size_t split, FILE *caption)
{
    size_t found = 0;
    char label[200];
    for (size_t i = 0; i < curves->n; i++)
        if (curves->items[i].n == 0 && fits(request, &curves->items[i], dataset, split))
            fprintf(caption, "%s%s", found++ ? ", " : "No point that the axes can show: ",
                    plot_solver_label(curves->items[i].solver, label, sizeof label));
    if (found)
        fputs(". ", caption);
}

static enum status draw_problem(const struct plot_request *request, const struct plot_traces *curves, const char *dataset,
                                size_t split, struct error *error)
{
    struct plot_figure figure;
    const struct plot_trace *lines[MOST_LINES];
    size_t n = 0, left_out = 0;
    char number[24];
    for (size_t s = 0; s < request->data->n_solvers; s++)
        for (size_t i = 0; i < curves->n; i++) {
            const struct plot_trace *curve = &curves->items[i];
            if (curve->n == 0 || strcmp(curve->solver, request->data->solvers[s]) != 0 ||
                !fits(request, curve, dataset, split))
                continue;
            if (n < MOST_LINES)
                lines[n++] = curve;
            else
                left_out++;
        }
    if (n == 0) {
        plot_note(request, "no trace of %s, split %zu has a positive gap", dataset, split);
        return STATUS_OK;
    }
    int one_figure = cJSON_HasObjectItem(request->entry, "dataset");
    snprintf(number, sizeof number, "%zu", split);
    enum status status = plot_figure_open(&figure, "convergence", request->name, one_figure ? NULL : dataset,
                                          one_figure ? NULL : number, error);
    if (status != STATUS_OK)
        return status;
    status = draw_lines(request, lines, n, &figure, error);
    list_empty(request, curves, dataset, split, figure.caption.stream);
    if (left_out)
        fprintf(figure.caption.stream, "%zu further traces are left out. ", left_out);
    if (status == STATUS_OK)
        return plot_finish(request->run, &figure, error);
    plot_figure_free(&figure);
    return status;
}

/* The split a data set is drawn for: the entry's, else the first that has a trace. 0: none. */
static size_t split_of(const struct plot_traces *curves, const char *dataset, const cJSON *entry)
{
    const cJSON *wanted = cJSON_GetObjectItemCaseSensitive(entry, "split");
    size_t split = 0;
    if (!plot_entry_names(entry, "datasets", "dataset", dataset))
        return 0;
    if (cJSON_IsNumber(wanted) && wanted->valuedouble >= 1)
        return (size_t)wanted->valuedouble;
    for (size_t i = 0; i < curves->n; i++)
        if (strcmp(curves->items[i].dataset, dataset) == 0 && (split == 0 || curves->items[i].split < split))
            split = curves->items[i].split;
    return split;
}

enum status plot_convergence(const struct plot_request *request, struct error *error)
{
    struct plot_traces traces = {0};
    enum status status = plot_traces_read(request->folder, &traces, error);
    if (status == STATUS_OK && traces.n == 0)
        plot_note(request, "there are no traces");
    for (size_t i = 0; status == STATUS_OK && i < traces.n; i++)
        keep_positive(&traces.items[i]);
    for (size_t d = 0; status == STATUS_OK && traces.n > 0 && d < request->data->n_datasets; d++) {
        size_t split = split_of(&traces, request->data->datasets[d], request->entry);
        if (split)
            status = draw_problem(request, &traces, request->data->datasets[d], split, error);
    }
    plot_traces_free(&traces);
    return status;
}
