/*
 * The minimised objective against iterations, and the speed of the other solvers relative to the first solver of the
 * run. At each of the first solver's points
 *
 *   factor = its iterations / iterations of the other to the same objective (linear between the other's points).
 *
 * The data are DIR/traces, with the duals of SVMs negated. A factor is shown from the first iteration on, as long as
 * the objective is more than 1e-9 of its final size away from the best that both reach: below that its digits end.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "harness/plot/kinds.h"
#include "harness/records/run_traces.h"
#include "harness/base/pool.h"

enum { MAX_CURVES = 6 };

struct curves {
    const struct run_trace *items[MAX_CURVES];
    size_t n;
};

static double value_at(const struct curves *curves, size_t line, size_t point)
{
    return curves->items[line]->sign * curves->items[line]->points[point].objective;
}

/* Iterations of a line to an objective; NAN if it does not reach it. */
static double iterations_to(const struct curves *curves, size_t line, double objective)
{
    const struct run_trace *trace = curves->items[line];
    for (size_t i = 1; i < trace->n; i++) {
        double before = value_at(curves, line, i - 1), after = value_at(curves, line, i);
        if (!(after <= objective))
            continue;
        if (before <= objective)
            return trace->points[i - 1].iteration;
        double part = (before - objective) / (before - after);
        return trace->points[i - 1].iteration + part * (trace->points[i].iteration - trace->points[i - 1].iteration);
    }
    return (double)NAN;
}

/* Prints the block of a line and returns its number of points; counts those below and those above 0. */
static size_t print_objective(const struct curves *curves, size_t line, FILE *dat, size_t *below, size_t *above)
{
    size_t n = 0;
    for (size_t i = 0; i < curves->items[line]->n; i++) {
        double iteration = curves->items[line]->points[i].iteration, objective = value_at(curves, line, i);
        if (!(iteration > 0))
            continue;
        plot_numbers(dat, (const double[]){iteration, objective}, 2, "\n");
        *below += objective < 0;
        *above += objective > 0;
        n++;
    }
    if (n == 0)
        plot_empty_block(dat, 2);
    return n;
}

/* Prints the factors of a line and sorts them into `factors`; returns their number. */
static size_t print_factors(const struct curves *curves, size_t line, FILE *dat, double *factors)
{
    const struct run_trace *first = curves->items[0], *other = curves->items[line];
    double best = fmax(value_at(curves, 0, first->n - 1), value_at(curves, line, other->n - 1));
    size_t n = 0;
    for (size_t i = 0; i < first->n; i++) {
        double iteration = first->points[i].iteration, objective = value_at(curves, 0, i);
        double factor = iteration / iterations_to(curves, line, objective);
        if (!(iteration > 0) || !(objective - best > 1e-9 * fabs(best)) || !isfinite(factor))
            continue;
        plot_numbers(dat, (const double[]){iteration, factor}, 2, "\n");
        factors[n++] = factor;
    }
    gsl_sort(factors, 1, n);
    return n;
}

static void draw_figure(const struct plot_request *request, const struct curves *curves, struct plot_figure *figure)
{
    static const char *const panels[] = {"objective", "factor"};
    const char *labels[MAX_CURVES] = {NULL};
    size_t points = 0, below = 0, above = 0;
    double *factors = pool_array(request->pool, curves->items[0]->n, sizeof *factors);
    for (size_t k = 0; k < curves->n; k++) {
        labels[k] = plot_series_name(request->data, curves->items[k]->solver, curves->items[k]->record);
        fprintf(figure->dat, "%s# iteration objective, %s\n", k ? "\n\n" : "", labels[k]);
        points += print_objective(curves, k, figure->dat, &below, &above);
    }
    fprintf(figure->caption, "Right: at the same objective, iterations of %s divided by those of the other solver. ",
            labels[0]);
    for (size_t k = 1; k < curves->n; k++) {
        fprintf(figure->dat, "\n\n# iteration of %s, factor of %s\n", labels[0], labels[k]);
        size_t n = print_factors(curves, k, figure->dat, factors);
        if (n == 0)
            plot_empty_block(figure->dat, 2);
        else
            fprintf(figure->caption, "%s: %.2f to %.2f, median %.2f. ", labels[k], factors[0], factors[n - 1],
                    factors[n / 2]);
    }
    if (below && above) /* plots/objective.gp ends the axis at 0 */
        fputs("Values above 0 at the start are not shown. ", figure->caption);
    if (points == 0) {
        plot_note(request, "no trace of %s has a point after the start", curves->items[0]->dataset);
        pool_free(figure->pool);
        return;
    }
    plot_figure_series(figure, labels, curves->n);
    plot_figure_panels(figure, panels, 2);
    fprintf(figure->heading, "Objective: %s, split %zu", curves->items[0]->dataset, curves->items[0]->split);
    plot_finish(request->run, figure);
}

/* The traces of the data set's first traced split, or the entry's, in the order of the run's solvers. */
void plot_objective(const struct plot_request *request)
{
    const struct run_traces *traces = request->traces;
    const size_t given = plot_entry_number(request, "split");
    struct curves curves = {.n = 0};
    struct plot_figure figure;
    size_t split = given;
    for (size_t i = 0; i < traces->n && !given; i++)
        if (strcmp(traces->items[i].dataset, request->dataset) == 0 && (split == 0 || traces->items[i].split < split))
            split = traces->items[i].split;
    if (split)
        curves.n = plot_traces_choose(request, split, curves.items, MAX_CURVES);
    if (curves.n < 2) {
        plot_note(request, "%s has traces of fewer than two solvers", request->dataset);
        return;
    }
    plot_open_for(request, "objective", &figure);
    draw_figure(request, &curves, &figure);
}
