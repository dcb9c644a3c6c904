/*
 * The objective along the run against iterations, as solvers minimise it, and the speed of the others against the first
 * solver of the run: at each of the first one's points
 *
 *   factor = its iterations / iterations of the other to the same objective (linear between the other's points).
 *
 * From DIR/traces, where the duals of SVMs have their sign turned. A factor is shown from the first iteration on, while
 * the objective is more than 1e-9 of its final size away from the best that both reach: below that its digits end.
 */
#include <cjson/cJSON.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/kinds.h"
#include "harness/plot/traces.h"

enum { MOST_LINES = 6 };

struct curve_lines {
    const struct plot_trace *items[MOST_LINES];
    size_t n;
};

static double value_at(const struct curve_lines *lines, size_t line, size_t point)
{
    return lines->items[line]->sign * lines->items[line]->points[point].objective;
}

/* Iterations of a line to an objective; NAN where it does not come so far. */
static double iterations_to(const struct curve_lines *lines, size_t line, double objective)
{
    const struct plot_trace *trace = lines->items[line];
    for (size_t i = 1; i < trace->n; i++) {
        double before = value_at(lines, line, i - 1), after = value_at(lines, line, i);
        if (!(after <= objective))
            continue;
        if (before <= objective)
            return trace->points[i - 1].iteration;
        double part = (before - objective) / (before - after);
        return trace->points[i - 1].iteration + part * (trace->points[i].iteration - trace->points[i - 1].iteration);
    }
    return (double)NAN;
}

static void print_objective(const struct curve_lines *lines, size_t line, FILE *dat, double low[3], double high[3])
{
    for (size_t i = 0; i < lines->items[line]->n; i++) {
        double iteration = lines->items[line]->points[i].iteration, objective = value_at(lines, line, i);
        if (!(iteration > 0))
            continue;
        plot_number(dat, iteration);
        fputc(' ', dat);
        plot_number(dat, objective);
        fputc('\n', dat);
        high[0] = fmax(high[0], iteration);
        low[1] = fmin(low[1], objective);
        high[1] = fmax(high[1], objective);
    }
}

/* Prints the factors of a line and sorts them into `factors`; returns how many. */
static size_t print_factors(const struct curve_lines *lines, size_t line, FILE *dat, double *factors)
{
    const struct plot_trace *first = lines->items[0], *other = lines->items[line];
    double best = fmax(value_at(lines, 0, first->n - 1), value_at(lines, line, other->n - 1));
    size_t n = 0;
    for (size_t i = 0; i < first->n; i++) {
        double iteration = first->points[i].iteration, objective = value_at(lines, 0, i);
        double factor = iteration / iterations_to(lines, line, objective);
        if (!(iteration > 0) || !(objective - best > 1e-9 * fabs(best)) || !isfinite(factor))
            continue;
        plot_number(dat, iteration);
        fputc(' ', dat);
        plot_number(dat, factor);
        fputc('\n', dat);
        factors[n++] = factor;
    }
    gsl_sort(factors, 1, n);
    return n;
}

static enum status draw_figure(const struct plot_request *request, const struct curve_lines *lines,
                               struct plot_figure *figure, struct error *error)
{
    double low[3] = {1, HUGE_VAL, 0}, high[3] = {2, -HUGE_VAL, 1};
    const char *labels[MOST_LINES];
    double *factors = malloc((lines->items[0]->n + 1) * sizeof *factors);
    if (!factors)
        return error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", figure->name);
    for (size_t k = 0; k < lines->n; k++) {
        labels[k] = lines->items[k]->solver;
        fprintf(figure->dat.stream, "%s# iteration objective, %s\n", k ? "\n\n" : "", labels[k]);
        print_objective(lines, k, figure->dat.stream, low, high);
    }
    fprintf(figure->caption.stream, "Right: at the same objective, iterations of %s over those of the other. ",
            labels[0]);
    for (size_t k = 1; k < lines->n; k++) {
        fprintf(figure->dat.stream, "\n\n# iteration of %s, factor of %s\n", labels[0], labels[k]);
        size_t n = print_factors(lines, k, figure->dat.stream, factors);
        if (n == 0)
            continue;
        fprintf(figure->caption.stream, "%s: %.2f to %.2f, median %.2f. ", labels[k], factors[0], factors[n - 1],
                factors[n / 2]);
        high[2] = fmax(high[2], factors[n - 1]);
    }
    if (lines->items[0]->n && value_at(lines, 0, 0) > 0)
        fputs("What is above 0 at the start is not shown. ", figure->caption.stream);
    free(factors);
    plot_figure_texts(figure, "series", labels, lines->n);
    plot_figure_numbers(figure, "low", low, 3);
    plot_figure_numbers(figure, "high", high, 3);
    fprintf(figure->heading.stream, "Objective: %s, split %zu", lines->items[0]->dataset, lines->items[0]->split);
    return plot_finish(request->run, figure, error);
}

/* The traces of the data set's first traced split, or the entry's, in the order of the run's solvers. */
static void collect(const struct plot_request *request, const struct plot_traces *traces, const char *dataset,
                    struct curve_lines *lines)
{
    const cJSON *wanted = cJSON_GetObjectItemCaseSensitive(request->entry, "split");
    size_t split = cJSON_IsNumber(wanted) && wanted->valuedouble >= 1 ? (size_t)wanted->valuedouble : 0;
    for (size_t i = 0; i < traces->n && !cJSON_IsNumber(wanted); i++)
        if (strcmp(traces->items[i].dataset, dataset) == 0 && (split == 0 || traces->items[i].split < split))
            split = traces->items[i].split;
    lines->n = 0;
    for (size_t s = 0; s < request->data->n_solvers; s++)
        for (size_t i = 0; i < traces->n && lines->n < MOST_LINES; i++) {
            const struct plot_trace *trace = &traces->items[i];
            if (trace->n > 0 && trace->split == split && strcmp(trace->dataset, dataset) == 0 &&
                strcmp(trace->solver, request->data->solvers[s]) == 0 &&
                plot_entry_names(request->entry, "solvers", "solver", trace->solver))
                lines->items[lines->n++] = trace;
        }
}

enum status plot_objective(const struct plot_request *request, struct error *error)
{
    struct plot_traces traces = {0};
    if (!request->entry)
        return STATUS_OK; /* which solver is the measure is for the reader to say */
    enum status status = plot_traces_read(request->folder, &traces, error);
    for (size_t d = 0; status == STATUS_OK && d < request->data->n_datasets; d++) {
        const char *dataset = request->data->datasets[d];
        struct curve_lines lines;
        struct plot_figure figure;
        if (!plot_entry_names(request->entry, "datasets", "dataset", dataset))
            continue;
        collect(request, &traces, dataset, &lines);
        if (lines.n < 2) {
            plot_note(request, "%s has traces of fewer than two solvers", dataset);
            continue;
        }
        int one = cJSON_HasObjectItem(request->entry, "dataset");
        status = plot_figure_open(&figure, "objective", request->name, one ? NULL : dataset, NULL, error);
        if (status == STATUS_OK)
            status = draw_figure(request, &lines, &figure, error);
    }
    plot_traces_free(&traces);
    return status;
}
