/*
 * MinOver's bounds (Martinetz 2003, eqs. 1 and 2) in the plane, from traces of W = v_t / t of patterns of two features
 * under a linear kernel without an added coordinate. Drawn against t: 1 - cos gamma_t below R_K / (d_K sqrt t), and
 * |v_t| / (d_K t) between 1 and 1 + R_K / (d_K sqrt t).
 *
 * d_K is the largest mean of the K smallest margins v . z over |v| = 1. The search covers all directions that can
 * attain it: the order of two patterns changes at the normal of z_i - z_j; if the same K patterns are smallest all
 * around, the direction is that of their mean.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/plot/kinds.h"
#include "harness/records/record_filter.h"
#include "harness/records/run_traces.h"
#include "solvers/solver.h"

enum { MAX_SERIES_SHOWN = 6, MAX_PATTERNS = 200 };
static const double min_angle = 1e-16; /* a smaller 1 - cos gamma is rounding error: v has reached v* */

struct place {
    double at[2];
    double margin; /* along the current direction */
};

struct largest {
    struct place v; /* unit direction */
    double d, r;    /* d_K; R_K */
};

static double dot(const struct place *a, const struct place *b)
{
    return a->at[0] * b->at[0] + a->at[1] * b->at[1];
}

static int by_margin(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return (a->margin > b->margin) - (a->margin < b->margin);
}

/* Sorts z by margin along v and keeps v if the mean of the K smallest is the largest so far; returns the mean. */
static struct place look_along(struct place v, struct place *z, size_t n, size_t k, struct largest *best)
{
    double length = sqrt(dot(&v, &v)), sum = 0;
    struct place mean = {{0, 0}, 0};
    if (!(length > 0))
        return mean;
    for (int d = 0; d < 2; d++)
        v.at[d] /= length;
    for (size_t i = 0; i < n; i++)
        z[i].margin = dot(&v, &z[i]);
    qsort(z, n, sizeof *z, by_margin);
    for (size_t i = 0; i < k; i++) {
        sum += z[i].margin;
        for (int d = 0; d < 2; d++)
            mean.at[d] += z[i].at[d] / (double)k;
    }
    if (sum / (double)k > best->d) {
        best->d = sum / (double)k;
        best->v = v;
    }
    return mean;
}

/* The mean of the K largest |z|. */
static double radius(struct place *z, size_t n, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        z[i].margin = -sqrt(dot(&z[i], &z[i]));
    qsort(z, n, sizeof *z, by_margin);
    for (size_t i = 0; i < k; i++)
        sum -= z[i].margin;
    return sum / (double)k;
}

static struct largest largest_margin(const struct run_trace *trace, size_t k)
{
    struct place given[MAX_PATTERNS] = {0}, z[MAX_PATTERNS];
    struct largest best = {.d = -HUGE_VAL};
    size_t n = trace->n_patterns;
    for (size_t i = 0; i < n; i++)
        given[i] = (struct place){{trace->patterns[i].y * trace->patterns[i].x[0],
                                   trace->patterns[i].y * trace->patterns[i].x[1]}, 0};
    memcpy(z, given, n * sizeof *z);
    for (size_t i = 0; i < n; i++)
        look_along(look_along(given[i], z, n, k, &best), z, n, k, &best);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            for (int side = -1; side <= 1; side += 2) {
                struct place normal = {
                    {side * (given[j].at[1] - given[i].at[1]), side * (given[i].at[0] - given[j].at[0])}, 0};
                look_along(look_along(normal, z, n, k, &best), z, n, k, &best);
            }
    best.r = radius(z, n, k);
    return best;
}

/* K as the solver computes it. */
static size_t patterns_a_step(const struct run_trace *trace, const cJSON *params)
{
    const cJSON *nu = json_member(params, "nu");
    double n = (double)trace->n_patterns, k = cJSON_IsNumber(nu) ? floor(nu->valuedouble * n + 0.5) : 0;
    return (size_t)fmin(fmax(k, 1), n);
}

/* Prints a block: t, 1 - cos gamma, R / (d sqrt t), |v| / (d t). W is that of iteration t - 1. */
static void print_trace(const struct run_trace *trace, const struct largest *largest, FILE *dat)
{
    size_t shown = 0;
    for (size_t i = 0; i < trace->n; i++) {
        const double *w = trace->points[i].w, *v = largest->v.at;
        double norm = sqrt(w[0] * w[0] + w[1] * w[1]), t = trace->points[i].iteration + 1;
        double cosine = (w[0] * v[0] + w[1] * v[1]) / norm, sine = (w[0] * v[1] - w[1] * v[0]) / norm;
        double away = cosine > 0 ? sine * sine / (1 + cosine) : 1 - cosine;
        if (away < min_angle)
            continue;
        plot_numbers(dat, (const double[]){t, away, largest->r / (largest->d * sqrt(t)), norm / largest->d}, 4, "\n");
        shown++;
    }
    if (shown == 0)
        plot_empty_block(dat, 4);
}

/* Nonzero if the entry selects the trace, and it is in the plane and of a solver that MinOver's bounds hold for. */
static int fits(const struct plot_request *request, const struct run_trace *trace, const cJSON *params)
{
    const struct solver *solver = solver_find(trace->solver);
    const cJSON *added = json_member(params, "added");
    return plot_trace_fits(request, trace, 0) && trace->plane && trace->n > 0 &&
           trace->n_patterns <= MAX_PATTERNS && solver && solver->counts_steps && cJSON_IsNumber(added) &&
           added->valuedouble == 0 && record_includes(params, json_member(request->entry, "where"));
}

void plot_margin(const struct plot_request *request)
{
    static const char *const panels[] = {"angle", "norm"};
    struct plot_figure figure;
    const char *labels[MAX_SERIES_SHOWN];
    size_t n = 0, split = 0;
    for (size_t i = 0; i < request->traces->n && n < MAX_SERIES_SHOWN; i++) {
        const struct run_trace *trace = &request->traces->items[i];
        const cJSON *params = trace->objects[GROUP_PARAMS];
        if (!fits(request, trace, params) || (n > 0 && trace->split != split))
            continue;
        if (n == 0)
            plot_open_for(request, "margin", &figure);
        const size_t k = patterns_a_step(trace, params);
        const struct largest largest = largest_margin(trace, k);
        const char *forgetting = json_text(params, "forgetting");
        labels[n] = plot_series_name(request->data, trace->solver, trace->record);
        if (forgetting)
            labels[n] = pool_printf(figure.pool, "%s, K = %zu, forgetting: %s", labels[n], k, forgetting);
        fprintf(figure.dat, "%s# %s: d = %.6g, R = %.6g; t, 1 - cos gamma, R / (d sqrt t), |v| / (d t)\n",
                n ? "\n\n" : "", labels[n], largest.d, largest.r);
        print_trace(trace, &largest, figure.dat);
        split = trace->split;
        n++;
    }
    if (n == 0) {
        plot_note(request, "%s has no trace of MinOver in the plane without an added coordinate", request->dataset);
        return;
    }
    plot_figure_series(&figure, labels, n);
    plot_figure_panels(&figure, panels, 2);
    fprintf(figure.heading, "MinOver's bounds: %s, split %zu", request->dataset, split);
    fputs("t: steps; v: the sum of the learned patterns. Dashed: the bound of eq. 2 on the angle and of eq. 1 on the "
          "norm, each in the colour of its line. Steps with 1 − cos γ below 1e-16 are left out. ",
          figure.caption);
    plot_finish(request->run, &figure);
}
