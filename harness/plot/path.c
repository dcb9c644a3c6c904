/*
 * The way of W in the plane, a panel a solver: minimum norm problems under a linear kernel with two features, from
 * DIR/traces. Drawn are the polytope, the convex hull of the points y_i x_i, the origin, and W after every iteration
 * the trace holds. The coordinate of W that stands for the bias is not seen.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/cells.h"
#include "harness/plot/traces.h"
#include "solvers/solver.h"

enum { MOST_PANELS = 4 };

struct vertex {
    double at[2];
};

/* Above 0 where o, a, b turn left. */
static double turn(const struct vertex *o, const struct vertex *a, const struct vertex *b)
{
    return (a->at[0] - o->at[0]) * (b->at[1] - o->at[1]) - (a->at[1] - o->at[1]) * (b->at[0] - o->at[0]);
}

static int by_place(const void *left, const void *right)
{
    const struct vertex *a = left, *b = right;
    int order = (a->at[0] > b->at[0]) - (a->at[0] < b->at[0]);
    return order ? order : (a->at[1] > b->at[1]) - (a->at[1] < b->at[1]);
}

/* Andrew's monotone chain: sorts the n points and puts the hull's corners, the first again at the end, into hull, which
 * holds 2n + 1. */
static size_t outline(struct vertex *points, size_t n, struct vertex *hull)
{
    size_t count = 0;
    qsort(points, n, sizeof *points, by_place);
    for (int upper = 0; upper < 2; upper++) {
        size_t least = upper ? count : 1; /* corners that stay: the chain begins at the last of them */
        for (size_t i = 0; i < n; i++) {
            const struct vertex *next = &points[upper ? n - 1 - i : i];
            while (count > least && turn(&hull[count - 2], &hull[count - 1], next) <= 0)
                count--;
            if (count == 0 || by_place(&hull[count - 1], next) != 0)
                hull[count++] = *next;
        }
    }
    return count;
}

static void print_place(FILE *dat, const double *place, struct plot_range ranges[2])
{
    plot_number(dat, place[0]);
    fputc(' ', dat);
    plot_number(dat, place[1]);
    for (int d = 0; d < 2; d++)
        plot_range_widen(&ranges[d], place[d], 0);
}

/* The blocks of one trace: outline, then the way. */
static enum status print_trace(const struct plot_trace *trace, FILE *dat, struct plot_range ranges[2],
                               struct error *error)
{
    struct vertex *points = calloc(3 * trace->n_patterns + 2, sizeof *points);
    if (!points)
        return error_set(error, STATUS_NO_MEMORY, "%zu patterns: out of memory", trace->n_patterns);
    struct vertex *hull = points + trace->n_patterns;
    for (size_t i = 0; i < trace->n_patterns; i++)
        for (int d = 0; d < 2; d++)
            points[i].at[d] = trace->patterns[i].y * trace->patterns[i].x[d];
    size_t corners = outline(points, trace->n_patterns, hull);
    fprintf(dat, "# %s, outline\n", trace->solver);
    for (size_t i = 0; i < corners; i++) {
        print_place(dat, hull[i].at, ranges);
        fputc('\n', dat);
    }
    fprintf(dat, "\n\n# %s: w1 w2 iteration\n", trace->solver);
    for (size_t i = 0; i < trace->n; i++) {
        print_place(dat, trace->points[i].w, ranges);
        fprintf(dat, " %.0f\n", trace->points[i].iteration);
    }
    fputs("\n\n", dat);
    free(points);
    return STATUS_OK;
}

static int of_minimum_norm(const struct plot_trace *trace)
{
    const struct solver *solver = solver_find(trace->solver);
    return trace->plane && trace->n > 0 && solver && solver->formulation == FORMULATION_MINIMUM_NORM;
}

static void name_panel(const struct plot_trace *trace, char *text, size_t size)
{
    char label[200];
    snprintf(text, size, "%s, %.0f iterations", plot_solver_label(trace->solver, label, sizeof label),
             trace->points[trace->n - 1].iteration);
}

static enum status draw_panels(const struct plot_trace *const *traces, size_t n, struct plot_figure *figure,
                               struct error *error)
{
    struct plot_range ranges[2] = {{0, 0}, {0, 0}}; /* the origin is seen */
    char panels[MOST_PANELS][256];
    const char *read_only[MOST_PANELS] = {panels[0], panels[1], panels[2], panels[3]};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        status = print_trace(traces[i], figure->dat.stream, ranges, error);
        name_panel(traces[i], panels[i], sizeof panels[i]);
    }
    const double low[] = {ranges[0].low, ranges[1].low}, high[] = {ranges[0].high, ranges[1].high};
    plot_figure_texts(figure, "panels", read_only, n);
    plot_figure_numbers(figure, "low", low, 2);
    plot_figure_numbers(figure, "high", high, 2);
    fprintf(figure->heading.stream, "The way of W: %s, split %zu", traces[0]->dataset, traces[0]->split);
    fputs("Grey: the polytope whose point nearest the origin (cross) is sought. Marks: W at the start and after each "
          "iteration. ",
          figure->caption.stream);
    return status;
}

static enum status draw_dataset(const struct plot_request *request, const struct plot_traces *traces,
                                const char *dataset, struct error *error)
{
    const struct plot_trace *panels[MOST_PANELS];
    struct plot_figure figure;
    size_t n = 0;
    for (size_t s = 0; s < request->data->n_solvers; s++)
        for (size_t i = 0; i < traces->n && n < MOST_PANELS; i++) {
            const struct plot_trace *trace = &traces->items[i];
            if (strcmp(trace->dataset, dataset) == 0 && strcmp(trace->solver, request->data->solvers[s]) == 0 &&
                of_minimum_norm(trace) && plot_entry_names(request->entry, "solvers", "solver", trace->solver) &&
                (n == 0 || trace->split == panels[0]->split))
                panels[n++] = trace;
        }
    if (n == 0) {
        plot_note(request, "%s has no trace of a minimum norm problem of two features under a linear kernel", dataset);
        return STATUS_OK;
    }
    int one_figure = cJSON_HasObjectItem(request->entry, "dataset");
    enum status status = plot_figure_open(&figure, "path", request->name, one_figure ? NULL : dataset, NULL, error);
    if (status != STATUS_OK)
        return status;
    figure.caption_columns = 75 * n;
    status = draw_panels(panels, n, &figure, error);
    if (status == STATUS_OK)
        return plot_finish(request->run, &figure, error);
    plot_figure_free(&figure);
    return status;
}

enum status plot_path(const struct plot_request *request, struct error *error)
{
    struct plot_traces traces = {0};
    enum status status = plot_traces_read(request->folder, &traces, error);
    for (size_t d = 0; status == STATUS_OK && d < request->data->n_datasets; d++)
        if (plot_entry_names(request->entry, "datasets", "dataset", request->data->datasets[d]))
            status = draw_dataset(request, &traces, request->data->datasets[d], error);
    plot_traces_free(&traces);
    return status;
}
