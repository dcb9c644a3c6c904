/*
 * The path of W in the plane, one panel per solver: minimum norm problems with two features and a linear kernel, from
 * DIR/traces. The figure shows the polytope (the convex hull of the points y_i x_i), the origin, and W after every
 * iteration in the trace. It omits the coordinate of W for the bias.
 */
#include <stdlib.h>

#include "harness/plot/kinds.h"
#include "harness/records/run_traces.h"
#include "harness/base/pool.h"
#include "solvers/solver.h"

enum { MAX_PANELS = 4 };

struct vertex {
    double at[2];
};

/* Positive if o, a, b turn left. */
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

/* Andrew's monotone chain: sorts the n points and stores the hull's corners, with the first repeated at the end, in
 * hull, which has space for 2n + 1. */
static size_t outline(struct vertex *points, size_t n, struct vertex *hull)
{
    size_t count = 0;
    qsort(points, n, sizeof *points, by_place);
    for (int upper = 0; upper < 2; upper++) {
        size_t min_count = upper ? count : 1; /* corners that stay: the chain begins at the last of them */
        for (size_t i = 0; i < n; i++) {
            const struct vertex *next = &points[upper ? n - 1 - i : i];
            while (count > min_count && turn(&hull[count - 2], &hull[count - 1], next) <= 0)
                count--;
            if (count == 0 || by_place(&hull[count - 1], next) != 0)
                hull[count++] = *next;
        }
    }
    return count;
}

/* Prints the blocks of one trace: the outline, then the path. */
static void print_trace(struct pool *pool, const struct run_trace *trace, FILE *dat)
{
    struct vertex *points = pool_array(pool, 3 * trace->n_patterns + 2, sizeof *points);
    struct vertex *hull = points + trace->n_patterns;
    for (size_t i = 0; i < trace->n_patterns; i++)
        for (int d = 0; d < 2; d++)
            points[i].at[d] = trace->patterns[i].y * trace->patterns[i].x[d];
    size_t corners = outline(points, trace->n_patterns, hull);
    fprintf(dat, "# %s, outline\n", trace->solver);
    for (size_t i = 0; i < corners; i++)
        plot_numbers(dat, hull[i].at, 2, "\n");
    fprintf(dat, "\n\n# %s: w1 w2 iteration\n", trace->solver);
    for (size_t i = 0; i < trace->n; i++) {
        plot_numbers(dat, trace->points[i].w, 2, "");
        fprintf(dat, " %.0f\n", trace->points[i].iteration);
    }
    fputs("\n\n", dat);
}

static int of_minimum_norm(const struct run_trace *trace)
{
    const struct solver *solver = solver_find(trace->solver);
    return trace->plane && solver && solver->formulation == FORMULATION_MINIMUM_NORM;
}

static void draw_panels(const struct plot_request *request, const struct run_trace *const *traces, size_t n,
                        struct plot_figure *figure)
{
    const char *titles[MAX_PANELS];
    for (size_t i = 0; i < n; i++) {
        print_trace(request->pool, traces[i], figure->dat);
        titles[i] = pool_printf(request->pool, "%s, %.0f iterations",
                                plot_series_name(request->data, traces[i]->solver, traces[i]->record),
                                traces[i]->points[traces[i]->n - 1].iteration);
    }
    plot_figure_series(figure, titles, n);
    plot_figure_panels(figure, titles, n);
    fprintf(figure->heading, "Path of W: %s, split %zu", traces[0]->dataset, traces[0]->split);
    fputs("Grey: the polytope; its point nearest to the origin (cross) is sought. Marks: W at the start and after each "
          "iteration. ",
          figure->caption);
}

void plot_path(const struct plot_request *request)
{
    struct plot_figure figure;
    const size_t max = request->traces->n;
    const struct run_trace **found = pool_array(request->pool, max, sizeof *found), *panels[MAX_PANELS];
    size_t n = 0, n_found = plot_traces_choose(request, 0, found, max);
    for (size_t i = 0; i < n_found && n < MAX_PANELS; i++)
        if (of_minimum_norm(found[i]) && (n == 0 || found[i]->split == panels[0]->split))
            panels[n++] = found[i];
    if (n == 0) {
        plot_note(request, "%s has no trace of a minimum norm problem of two features under a linear kernel",
                  request->dataset);
        return;
    }
    plot_open_for(request, "path", &figure);
    draw_panels(request, panels, n, &figure);
    plot_finish(request->run, &figure);
}
