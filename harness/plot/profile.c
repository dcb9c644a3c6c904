/* The figure "profile": the rivals of an entry (rivals.h), a panel a metric. */
#include <cjson/cJSON.h>
#include <string.h>

#include "harness/plot/kinds.h"
#include "harness/plot/profile_steps.h"
#include "harness/plot/series.h"
#include "harness/rivals.h"

enum { MOST_PANELS = 2 };

static enum status print_panel(struct rivals *rivals, enum plot_field field, int first, FILE *dat, double *last,
                               struct error *error)
{
    const char *labels[RIVALS_MOST];
    const struct profile_panel panel = {plot_field_texts[field].label, labels, rivals->cost, rivals->n_series,
                                        rivals->n_problems};
    for (size_t s = 0; s < rivals->n_series; s++)
        labels[s] = rivals->labels[s];
    rivals_fill_costs(rivals, field);
    return profile_panel_put(&panel, first, dat, last, error);
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

static enum status draw(const struct plot_request *request, struct rivals *rivals, const enum plot_field *fields,
                        size_t n_fields, struct error *error)
{
    struct plot_figure figure;
    const char *panels[MOST_PANELS], *labels[RIVALS_MOST];
    double high[MOST_PANELS];
    enum status status = plot_figure_open(&figure, "profile", request->name, NULL, NULL, error);
    for (size_t k = 0; k < n_fields && status == STATUS_OK; k++) {
        panels[k] = plot_field_texts[fields[k]].label;
        status = print_panel(rivals, fields[k], k == 0, figure.dat.stream, &high[k], error);
    }
    if (status != STATUS_OK) {
        plot_figure_free(&figure);
        return status;
    }
    for (size_t s = 0; s < rivals->n_series; s++)
        labels[s] = rivals->labels[s];
    plot_figure_texts(&figure, "panels", panels, n_fields);
    plot_figure_texts(&figure, "series", labels, rivals->n_series);
    plot_figure_numbers(&figure, "high", high, n_fields);
    fputs("Performance profiles: ", figure.heading.stream);
    plot_describe(figure.heading.stream, request->data, rivals->records, rivals->n);
    fprintf(figure.caption.stream,
            "Share of the %zu problems (data set, split, kernel, C or μ, stopping rule) that a solver ends within so "
            "many times the cost of the best of these solvers on it. At 1: how often it is the best; ties count for "
            "all. What did not converge counts as never ended. Kernel operations without the start-up. ",
            rivals->n_problems);
    plot_origin(figure.caption.stream, request->data, rivals->records, rivals->n);
    figure.caption_columns = n_fields == 1 ? 80 : 155; /* the width in plots/profile.gp */
    return plot_finish(request->run, &figure, error);
}

enum status plot_profile(const struct plot_request *request, struct error *error)
{
    struct rivals rivals = {0};
    enum plot_field fields[MOST_PANELS];
    size_t n_fields = choose_fields(request, fields);
    if (!request->entry)
        return STATUS_OK; /* which solvers are rivals is for the reader to say */
    if (n_fields == 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "config.json: figure %s: \"metric\" of a profile is iterations or kernel-operations",
                         request->name);
    enum status status = rivals_take(request->data, request->entry, &rivals, error);
    if (status == STATUS_OK && rivals.too_many)
        plot_note(request,
                  "more than %d solvers or combinations of their parameters; choose with \"solvers\" or \"where\"",
                  RIVALS_MOST);
    else if (status == STATUS_OK && rivals.n_series < 2)
        plot_note(request, "fewer than two solvers to compare");
    else if (status == STATUS_OK)
        status = draw(request, &rivals, fields, n_fields, error);
    rivals_free(&rivals);
    return status;
}
