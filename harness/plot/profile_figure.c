/*
 * The figure "profile" of an entry's series (series_set.h): a performance profile per metric, and a data profile of
 * kernel operations, in units of a row of the kernel matrix if run.json has the number of training patterns.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/series_set.h"
#include "harness/figure/profile_steps.h"
#include "harness/plot/captions.h"
#include "harness/plot/kinds.h"
#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/records/conditions.h"

enum { MAX_PANELS = 2 };

static const char *label_of(enum record_field field)
{
    return field == FIELD_SECONDS ? "seconds" : measure_label(field);
}

/* Prints the blocks of a panel and stores its ends in *low and *high. */
static void print_panel(struct series_set *set, enum record_field field, const double *units, int first, FILE *dat,
                        double *low, double *high)
{
    const struct profile_panel panel = {units ? "data profile" : label_of(field),
                                        (const char *const *)set->labels,
                                        set->cost,
                                        set->n_series,
                                        set->n_problems,
                                        set->datasets,
                                        units};
    series_set_fill_costs(set, field);
    profile_panel_put(&panel, first, dat, low, high);
}

/* Sets the unit of every problem: the patterns of its data set, or 1 if unknown. Returns nonzero if all are known. */
static int fill_units(const struct plot_request *request, const struct series_set *set, double *units)
{
    int known = 1;
    for (size_t p = 0; p < set->n_problems; p++) {
        const char *dataset = set->records.items[set->first_of[p]]->dataset;
        const struct run_info_data *data = run_info_data(&request->data->folder->run, dataset);
        units[p] = data ? (double)data->n_train : 0;
        known = known && units[p] > 0;
    }
    for (size_t p = 0; p < set->n_problems && !known; p++)
        units[p] = 1;
    return known;
}

/* Adds the data profile: its blocks and the template's variables. */
static void add_data_profile(const struct plot_request *request, struct series_set *set, struct plot_figure *figure)
{
    double low = 1, high = 1, *units = pool_array(request->pool, set->n_problems, sizeof *units);
    int known = fill_units(request, set, units);
    print_panel(set, FIELD_KERNEL_OPERATIONS, units, 0, figure->dat, &low, &high);
    plot_figure_text(figure, "data_axis", known ? "kernel operations / training patterns" : "kernel operations");
    plot_figure_number(figure, "data_low", low);
    plot_figure_number(figure, "data_high", high);
}

/* Selects the metrics: the entry's, or iterations and kernel operations. 0 if the entry's is not a cost. */
static size_t choose_fields(const struct plot_request *request, enum record_field fields[MAX_PANELS])
{
    const char *metric = plot_entry_text(request, "metric");
    const enum record_field costs[MAX_PANELS] = {FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS};
    size_t n = 0;
    if (metric && strcmp(metric, "seconds") == 0)
        fields[n++] = FIELD_SECONDS;
    for (size_t i = 0; i < MAX_PANELS; i++)
        if (!metric || strcmp(metric, measure_row(costs[i])->measure) == 0)
            fields[n++] = costs[i];
    return n;
}

static const char *describe_cost(const struct series_set *set, enum record_field field)
{
    if (field != FIELD_SECONDS)
        return "Kernel operations without the set-up.";
    for (size_t i = 0; i < set->records.count; i++)
        if (set->records.items[i]->cpu.repeats > 0) /* failed runs are not repeated */
            return "Seconds: medians of the processor time over repeats.";
    return "Seconds: elapsed time of single runs.";
}

static void draw(const struct plot_request *request, struct series_set *set, const enum record_field *fields,
                 size_t n_fields)
{
    struct plot_figure figure;
    const char *panels[MAX_PANELS + 1];
    double low, high[MAX_PANELS];
    plot_figure_open(&figure, "profile", request->name, NULL, NULL);
    for (size_t k = 0; k < n_fields; k++) {
        panels[k] = label_of(fields[k]);
        print_panel(set, fields[k], NULL, k == 0, figure.dat, &low, &high[k]);
    }
    int with_data = n_fields > 0 && fields[n_fields - 1] == FIELD_KERNEL_OPERATIONS;
    if (with_data)
        add_data_profile(request, set, &figure);
    plot_figure_texts(&figure, "panels", panels, n_fields);
    panels[n_fields] = "data profile";
    plot_figure_panels(&figure, panels, n_fields + (size_t)with_data);
    plot_figure_series(&figure, (const char *const *)set->labels, set->n_series);
    plot_figure_numbers(&figure, "high", high, n_fields);
    fputs(with_data ? "Performance and data profiles: " : "Performance profiles: ", figure.heading);
    plot_describe(figure.heading, request->data, &set->records);
    fprintf(figure.caption,
            "Share of the %zu problems (data set, split, kernel, C or μ, stopping rule) that a solver finishes within "
            "a given multiple of the cost of the best of these solvers. At 1: how often it is the best; ties count for "
            "all. A run that did not converge counts as never finished. ",
            set->n_problems);
    series_set_print_gaps(set, figure.caption);
    fprintf(figure.caption, "%s %s", describe_cost(set, fields[0]),
            with_data ? "Last panel: the share that it finishes within a budget. " : "");
    profile_describe_bands(&figure, set->datasets, set->n_problems);
    plot_origin(figure.caption, request->data, &set->records);
    figure.caption_columns = 76 * (n_fields + (size_t)with_data); /* the width in plots/profile.gp */
    plot_finish(request->run, &figure);
}

/* Reads the times of the series; returns the reason why they are not drawn, or NULL. */
static const char *take_times(const struct plot_request *request, const struct series_set *set)
{
    struct run_folder *folder = request->data->folder;
    return run_folder_read_times(folder)
               ? records_time_obstacle(request->pool, &(const struct run_folders){folder, 1}, &set->records)
               : pool_printf(request->pool, "%s has no timings.jsonl", folder->path);
}

void plot_profile(const struct plot_request *request)
{
    enum record_field fields[MAX_PANELS];
    size_t n_fields = choose_fields(request, fields);
    if (!request->entry)
        return; /* the user has to choose the solvers to compare */
    if (n_fields == 0)
        die(STATUS_BAD_INPUT,
            "config.json: figure %s: unknown \"metric\"; allowed for a profile: iterations, "
            "kernel-operations, seconds",
            request->name);
    struct series_set set = series_set_take(request->pool, request->data, request->entry, 1);
    const char *obstacle = fields[0] == FIELD_SECONDS ? take_times(request, &set) : NULL;
    if (obstacle)
        plot_note(request, "%s", obstacle);
    else if (set.too_many)
        plot_note(request,
                  "more than %d solvers or combinations of their parameters; select some with \"solvers\" or \"where\"",
                  MAX_SERIES);
    else if (set.n_series < 2)
        plot_note(request, "fewer than two solvers to compare");
    else if (set.budgets)
        plot_note(request, "the solvers cannot be compared: %s", set.budgets);
    else if (set.n_problems == 0)
        plot_note(request, "no problem has records of all solvers: %s", set.gaps);
    else
        draw(request, &set, fields, n_fields);
}
