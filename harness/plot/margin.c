/*
 * MinOver's bounds (Martinetz 2003, eqs. 1 and 2) in the plane, from traces of W = v_t / t of patterns of two features
 * under a linear kernel without an added coordinate. Drawn against t: 1 - cos gamma_t below R_K / (d_K sqrt t), and
 * |v_t| / (d_K t) between 1 and 1 + R_K / (d_K sqrt t).
 *
 * d_K, the largest mean of the K smallest margins v . z over |v| = 1, is found among all directions it can lie in:
 * along a segment between two patterns their order changes, so v is normal to z_i - z_j or, where the same K patterns
 * are smallest all around, along their mean.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/cells.h"
#include "harness/plot/traces.h"

enum { MOST_SERIES = 6, MOST_PATTERNS = 200 };
static const double least_angle = 1e-16; /* 1 - cos gamma below this is rounding: v has met v* */

struct place {
    double at[2];
    double margin; /* along the direction looked at */
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

/* Sorts z by margin along v and keeps v where the mean of the K smallest is the largest so far; returns that mean's
 * place. */
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

/* Mean of the K largest |z|. */
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

static struct largest largest_margin(const struct plot_trace *trace, size_t k)
{
    struct place given[MOST_PATTERNS] = {0}, z[MOST_PATTERNS];
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
                struct place normal = {{side * (given[j].at[1] - given[i].at[1]), side * (given[i].at[0] - given[j].at[0])},
                                       0};
                look_along(look_along(normal, z, n, k, &best), z, n, k, &best);
            }
    best.r = radius(z, n, k);
    return best;
}

static double number_of(const cJSON *params, const char *key, double otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(params, key);
    return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

/* K as the solver takes it. */
static size_t patterns_a_step(const struct plot_trace *trace, const cJSON *params)
{
    double n = (double)trace->n_patterns, k = floor(number_of(params, "nu", 0) * n + 0.5);
    return (size_t)fmin(fmax(k, 1), n);
}

/* A block: t, 1 - cos gamma, R / (d sqrt t), |v| / (d t). W is at iteration t - 1. */
static void print_trace(const struct plot_trace *trace, const struct largest *largest, FILE *dat, double *low)
{
    for (size_t i = 0; i < trace->n; i++) {
        const double *w = trace->points[i].w, *v = largest->v.at;
        double norm = sqrt(w[0] * w[0] + w[1] * w[1]), t = trace->points[i].iteration + 1;
        double cosine = (w[0] * v[0] + w[1] * v[1]) / norm, sine = (w[0] * v[1] - w[1] * v[0]) / norm;
        double away = cosine > 0 ? sine * sine / (1 + cosine) : 1 - cosine;
        if (away < least_angle)
            continue;
        const double numbers[] = {t, away, largest->r / (largest->d * sqrt(t)), norm / largest->d};
        for (int c = 0; c < 4; c++) {
            plot_number(dat, numbers[c]);
            fputc(c < 3 ? ' ' : '\n', dat);
        }
        *low = fmin(*low, away);
    }
}

static void name_series(const struct plot_trace *trace, const cJSON *params, size_t k, char *text, size_t size)
{
    const cJSON *forgetting = cJSON_GetObjectItemCaseSensitive(params, "forgetting");
    if (cJSON_IsString(forgetting))
        snprintf(text, size, "%s, K = %zu, forgetting: %s", trace->solver, k, forgetting->valuestring);
    else
        snprintf(text, size, "%s", trace->solver);
}

/* Whether the entry wants the trace, and it is of MinOver in the plane. */
static int fits(const struct plot_request *request, const struct plot_trace *trace, const cJSON *params,
                const char *dataset)
{
    return strcmp(trace->dataset, dataset) == 0 && trace->plane && trace->n > 0 && trace->n_patterns <= MOST_PATTERNS &&
           strstr(trace->solver, "minover") && number_of(params, "added", 1) == 0 &&
           plot_entry_names(request->entry, "solvers", "solver", trace->solver) &&
           record_includes(params, cJSON_GetObjectItemCaseSensitive(request->entry, "where"));
}

struct drawing {
    char labels[MOST_SERIES][160];
    size_t n, split;
    double low, steps;
};

static void add_trace(const struct plot_trace *trace, const cJSON *params, struct plot_figure *figure,
                      struct drawing *drawing)
{
    size_t k = patterns_a_step(trace, params);
    struct largest largest = largest_margin(trace, k);
    char *label = drawing->labels[drawing->n];
    name_series(trace, params, k, label, sizeof drawing->labels[0]);
    fprintf(figure->dat.stream, "%s# %s: d = %.6g, R = %.6g; t, 1 - cos gamma, R / (d sqrt t), |v| / (d t)\n",
            drawing->n ? "\n\n" : "", label, largest.d, largest.r);
    print_trace(trace, &largest, figure->dat.stream, &drawing->low);
    drawing->steps = fmax(drawing->steps, trace->points[trace->n - 1].iteration + 1);
    drawing->split = trace->split;
    drawing->n++;
}

static enum status finish(const struct plot_request *request, const char *dataset, const struct drawing *drawing,
                          struct plot_figure *figure, struct error *error)
{
    const char *series[MOST_SERIES];
    for (size_t i = 0; i < drawing->n; i++)
        series[i] = drawing->labels[i];
    plot_figure_texts(figure, "series", series, drawing->n);
    plot_figure_number(figure, "low", drawing->low < 1 ? drawing->low : 0.1);
    plot_figure_number(figure, "steps", drawing->steps);
    fprintf(figure->heading.stream, "MinOver's bounds: %s, split %zu", dataset, drawing->split);
    fputs("t: steps; v: the sum of what was learned. Dashed: bound of eq. 2 on the angle, of eq. 1 on the norm, each in "
          "the colour of its line. Steps with 1 − cos γ below 1e-16 are left out. ", figure->caption.stream);
    return plot_finish(request->run, figure, error);
}

static enum status draw_dataset(const struct plot_request *request, const struct plot_traces *traces,
                                const char *dataset, struct error *error)
{
    struct plot_figure figure = {0};
    struct drawing drawing = {.low = HUGE_VAL};
    int one_figure = cJSON_HasObjectItem(request->entry, "dataset");
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < traces->n && drawing.n < MOST_SERIES; i++) {
        const struct plot_trace *trace = &traces->items[i];
        cJSON *params = trace->params ? cJSON_Parse(trace->params) : NULL;
        if (fits(request, trace, params, dataset) && (drawing.n == 0 || trace->split == drawing.split)) {
            if (drawing.n == 0)
                status = plot_figure_open(&figure, "margin", request->name, one_figure ? NULL : dataset, NULL, error);
            if (status == STATUS_OK)
                add_trace(trace, params, &figure, &drawing);
        }
        cJSON_Delete(params);
    }
    if (status == STATUS_OK && drawing.n > 0)
        return finish(request, dataset, &drawing, &figure, error);
    if (status == STATUS_OK)
        plot_note(request, "%s has no trace of MinOver in the plane without an added coordinate", dataset);
    plot_figure_free(&figure);
    return status;
}

enum status plot_margin(const struct plot_request *request, struct error *error)
{
    struct plot_traces traces = {0};
    enum status status = plot_traces_read(request->folder, &traces, error);
    for (size_t d = 0; status == STATUS_OK && d < request->data->n_datasets; d++)
        if (plot_entry_names(request->entry, "datasets", "dataset", request->data->datasets[d]))
            status = draw_dataset(request, &traces, request->data->datasets[d], error);
    plot_traces_free(&traces);
    return status;
}
