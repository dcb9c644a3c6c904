/*
 * Performance profiles (Dolan and More 2002): for every series s
 *
 *   rho_s(tau) = share of the problems p with cost(p, s) <= tau min over s' of cost(p, s')
 *
 * (rivals.h). What did not converge has infinite cost. A panel a metric.
 */
#include <cjson/cJSON.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/kinds.h"
#include "harness/plot/series.h"
#include "harness/rivals.h"

enum { MOST_PANELS = 2 };

struct profile {
    struct rivals rivals;
    double *ratios; /* n_problems */
};

/* The finite ratios of a series to the best, sorted; returns how many. */
static size_t sort_ratios(struct profile *profile, size_t series)
{
    const struct rivals *rivals = &profile->rivals;
    size_t n = 0;
    for (size_t p = 0; p < rivals->n_problems; p++) {
        double best = INFINITY, mine = rivals_cost(rivals, series, p);
        for (size_t s = 0; s < rivals->n_series; s++)
            best = fmin(best, rivals_cost(rivals, s, p));
        if (isfinite(mine) && (best > 0 || mine == 0))
            profile->ratios[n++] = best > 0 ? mine / best : 1;
    }
    gsl_sort(profile->ratios, 1, n);
    return n;
}

static void print_step(FILE *dat, double ratio, double share)
{
    plot_number(dat, ratio);
    fputc(' ', dat);
    plot_number(dat, share);
    fputc('\n', dat);
}

/* The steps of one series, from ratio 1 to `last`. */
static void print_series(struct profile *profile, size_t series, double last, FILE *dat)
{
    size_t n = sort_ratios(profile, series);
    double share = 0;
    if (n == 0 || profile->ratios[0] > 1)
        print_step(dat, 1, 0);
    for (size_t k = 0; k < n; k++)
        if (k + 1 == n || profile->ratios[k + 1] > profile->ratios[k]) {
            share = (double)(k + 1) / (double)profile->rivals.n_problems;
            print_step(dat, profile->ratios[k], share);
        }
    print_step(dat, last, share);
}

/* Returns the panel's largest ratio. */
static double print_panel(struct profile *profile, enum plot_field field, int first, FILE *dat)
{
    double last = 1;
    rivals_fill_costs(&profile->rivals, field);
    for (size_t s = 0; s < profile->rivals.n_series; s++) {
        size_t n = sort_ratios(profile, s);
        last = n > 0 ? fmax(last, profile->ratios[n - 1]) : last;
    }
    for (size_t s = 0; s < profile->rivals.n_series; s++) {
        fprintf(dat, "%s# %s: %s\n", first && s == 0 ? "" : "\n\n", plot_field_texts[field].label,
                profile->rivals.labels[s]);
        print_series(profile, s, last, dat);
    }
    return last;
}

/* The metrics asked for: the entry's, or iterations and kernel operations. 0 when the entry's is no cost. */
static size_t choose_fields(const struct plot_request *request, enum plot_field fields[MOST_PANELS])
{
    const char *metric = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request->entry, "metric"));
    const enum plot_field costs[MOST_PANELS] = {PLOT_ITERATIONS, PLOT_KERNEL_OPERATIONS};
    size_t n = 0;
    for (size_t i = 0; i < MOST_PANELS; i++)
        if (!metric || strcmp(metric, plot_field_texts[costs[i]].metric) == 0)
            fields[n++] = costs[i];
    return n;
}

static enum status draw(const struct plot_request *request, struct profile *profile, const enum plot_field *fields,
                        size_t n_fields, struct error *error)
{
    struct plot_figure figure;
    const char *panels[MOST_PANELS], *labels[RIVALS_MOST];
    double high[MOST_PANELS];
    enum status status = plot_figure_open(&figure, "profile", request->name, NULL, NULL, error);
    if (status != STATUS_OK)
        return status;
    for (size_t k = 0; k < n_fields; k++) {
        panels[k] = plot_field_texts[fields[k]].label;
        high[k] = print_panel(profile, fields[k], k == 0, figure.dat.stream);
    }
    for (size_t s = 0; s < profile->rivals.n_series; s++)
        labels[s] = profile->rivals.labels[s];
    plot_figure_texts(&figure, "panels", panels, n_fields);
    plot_figure_texts(&figure, "series", labels, profile->rivals.n_series);
    plot_figure_numbers(&figure, "high", high, n_fields);
    fputs("Performance profiles: ", figure.heading.stream);
    plot_describe(figure.heading.stream, request->data, profile->rivals.records, profile->rivals.n);
    fprintf(figure.caption.stream,
            "Share of the %zu problems (data set, split, kernel, C or μ, stopping rule) that a solver ends within so "
            "many times the cost of the best of these solvers on it. At 1: how often it is the best; ties count for "
            "all. What did not converge counts as never ended. Kernel operations without the start-up. ",
            profile->rivals.n_problems);
    plot_origin(figure.caption.stream, request->data, profile->rivals.records, profile->rivals.n);
    figure.caption_columns = n_fields == 1 ? 80 : 155; /* the width in plots/profile.gp */
    return plot_finish(request->run, &figure, error);
}

enum status plot_profile(const struct plot_request *request, struct error *error)
{
    struct profile profile = {0};
    enum plot_field fields[MOST_PANELS];
    size_t n_fields = choose_fields(request, fields);
    if (!request->entry)
        return STATUS_OK; /* which solvers are rivals is for the reader to say */
    if (n_fields == 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "config.json: figure %s: \"metric\" of a profile is iterations or kernel-operations",
                         request->name);
    enum status status = rivals_take(request->data, request->entry, &profile.rivals, error);
    if (status != STATUS_OK)
        goto done;
    profile.ratios = malloc((profile.rivals.n_problems + 1) * sizeof *profile.ratios);
    if (profile.rivals.too_many)
        plot_note(request,
                  "more than %d solvers or combinations of their parameters; choose with \"solvers\" or \"where\"",
                  RIVALS_MOST);
    else if (profile.rivals.n_series < 2)
        plot_note(request, "fewer than two solvers to compare");
    else if (profile.ratios)
        status = draw(request, &profile, fields, n_fields, error);
    else
        status = error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", request->name);
done:
    free(profile.ratios);
    rivals_free(&profile.rivals);
    return status;
}
