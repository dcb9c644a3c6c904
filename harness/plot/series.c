/*
 * Series of a figure. For one solver let S be the settings that take several values on the same split. Up to two of S
 * become axes; every hull_point of values of the others is a series of its own, so that nothing is ever averaged over
 * parameters, only over splits. Quartiles are GSL's (linear between order statistics, type 7 of Hyndman and Fan 1996).
 */
#include "harness/plot/series.h"

#include <cjson/cJSON.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/stats/summary.h"

/* ", tolerance = 0.001, C = 10" for the settings in names; an absent one is left out. malloc'ed. */
static char *variant_text(const struct plot_record *record, const char *const *names, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&text, &size);
    for (size_t i = 0; i < n; i++) {
        const struct plot_setting *setting = plot_setting_find(record, names[i]);
        if (setting)
            fprintf(stream, ", %s = %s", plot_setting_label(names[i]), setting->text);
    }
    xclose_text(stream);
    return text;
}

static struct plot_series *series_with(struct plot_series_list *list, const char *solver, const char *variant,
                                       const char *const *axis, size_t room)
{
    char name[200];
    plot_solver_label(solver, name, sizeof name);
    size_t base = strlen(name);
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].solver == solver && strcmp(list->items[i].label + base, variant) == 0)
            return &list->items[i];
    list->items = xreallocarray(list->items, list->n + 1, sizeof *list->items);
    list->items[list->n] = (struct plot_series){.solver = solver,
                                                .axis = {axis[0], axis[1]},
                                                .label = xasprintf("%s%s", name, variant),
                                                .records = xcalloc(room, sizeof *list->items->records)};
    return &list->items[list->n++];
}

/* Moves the swept setting called name to the front part [at] of names, keeping the order of the rest. */
static int move_to(const char **names, size_t n, size_t at, const char *name)
{
    for (size_t i = at; name && i < n; i++)
        if (strcmp(names[i], name) == 0) {
            const char *moved = names[i];
            memmove(names + at + 1, names + at, (i - at) * sizeof *names);
            names[at] = moved;
            return 1;
        }
    return 0;
}

/* Orders names so that the first n_axes are the axes; returns 0 if this solver has no place in the figure. */
static int choose_axes(const char **names, size_t n, size_t n_axes, const cJSON *entry)
{
    const char *x = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "x"));
    const char *y = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "y"));
    if (n_axes == 0)
        return 1;
    if (n < n_axes || (n_axes == 1 && n > 1 && !x) || (x && !move_to(names, n, 0, x)))
        return 0;
    if (n_axes == 1)
        return 1;
    if (!move_to(names, n, x ? 1 : 0, y ? y : "width"))
        return y == NULL;
    if (!x) { /* y stands first: change places with the setting of most values */
        const char *first = names[0];
        names[0] = names[1];
        names[1] = first;
    }
    return 1;
}

/* Parts the records of one solver. */
static void add_solver(const struct plot_record *const *records, size_t n, size_t n_axes, const cJSON *entry,
                       struct plot_series_list *list)
{
    const char *names[PLOT_SWEPT] = {0}, *axis[2] = {NULL, NULL};
    size_t n_names = 0;
    plot_swept(records, n, names, &n_names, NULL);
    if (!choose_axes(names, n_names, n_axes, entry))
        return;
    for (size_t i = 0; i < n_axes; i++)
        axis[i] = names[i];
    for (size_t i = 0; i < n; i++) {
        char *variant = variant_text(records[i], names + n_axes, n_names - n_axes);
        struct plot_series *series = series_with(list, records[i]->solver, variant, axis, n);
        free(variant);
        series->records[series->n++] = records[i];
    }
}

void plot_series_build(const struct plot_data *data, const struct plot_record *const *records, size_t n, size_t n_axes,
                       const cJSON *entry, struct plot_series_list *list)
{
    *list = (struct plot_series_list){0};
    const struct plot_record **of_solver = xcalloc(n, sizeof *of_solver);
    for (size_t s = 0; s < data->n_solvers; s++) {
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            if (records[i]->solver == data->solvers[s])
                of_solver[count++] = records[i];
        if (count)
            add_solver(of_solver, count, n_axes, entry, list);
    }
    free(of_solver);
}

void plot_series_free(struct plot_series_list *list)
{
    if (!list)
        return;
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].label);
        free(list->items[i].records);
    }
    free(list->items);
    memset(list, 0, sizeof *list);
}

size_t plot_series_values(const struct plot_series *series, const char *dataset, enum plot_field field, double *values)
{
    size_t n = 0;
    for (size_t i = 0; i < series->n; i++) {
        const struct plot_record *record = series->records[i];
        if ((!dataset || strcmp(record->dataset, dataset) == 0) && isfinite(record->field[field]))
            values[n++] = record->field[field];
    }
    gsl_sort(values, 1, n);
    return n;
}

struct plot_spread plot_spread_of(const double *sorted, size_t n)
{
    double none = (double)NAN;
    struct plot_spread spread = {n, none, none, none, none, none, none, none};
    if (n == 0)
        return spread;
    spread.mean = summary_mean(sorted, n);
    if (n > 1)
        spread.sd = summary_sd(sorted, n, spread.mean);
    spread.low_quartile = summary_quantile(sorted, n, 0.25);
    spread.median = summary_quantile(sorted, n, 0.5);
    spread.high_quartile = summary_quantile(sorted, n, 0.75);
    spread.min = sorted[0];
    spread.max = sorted[n - 1];
    return spread;
}

/* How many different splits of a data set are among the records. */
static size_t count_splits(const char *dataset, const struct plot_record *const *records, size_t n)
{
    size_t most = 0, count = 0;
    for (size_t i = 0; i < n; i++)
        if (records[i]->dataset == dataset && records[i]->split > most)
            most = records[i]->split;
    if (most > 1000000) /* numbers far apart: name the largest rather than take memory for it */
        return most;
    unsigned char *seen = calloc(most + 1, 1);
    for (size_t i = 0; i < n; i++) {
        if (records[i]->dataset != dataset)
            continue;
        size_t j = i;
        if (!seen) /* slower, and the same */
            for (j = 0; j < i && (records[j]->dataset != dataset || records[j]->split != records[i]->split); j++)
                continue;
        count += seen ? !seen[records[i]->split] : j == i;
        if (seen)
            seen[records[i]->split] = 1;
    }
    free(seen);
    return count;
}

void plot_describe(FILE *stream, const struct plot_data *data, const struct plot_record *const *records, size_t n)
{
    size_t n_datasets = 0, fewest = 0, most = 0;
    const char *last = "";
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t splits = count_splits(data->datasets[d], records, n);
        if (splits == 0)
            continue;
        last = data->datasets[d];
        n_datasets++;
        fewest = n_datasets == 1 || splits < fewest ? splits : fewest;
        most = splits > most ? splits : most;
    }
    if (n_datasets == 1)
        fprintf(stream, "%s", last);
    else
        fprintf(stream, "%zu data sets", n_datasets);
    if (fewest == most)
        fprintf(stream, ", %zu split%s", most, most == 1 ? "" : "s");
    else
        fprintf(stream, ", %zu to %zu splits", fewest, most);
}

/* "Resampled splits: image, splice. ": the data sets with a record that has the property. */
static void list_datasets(FILE *stream, const struct plot_data *data, const struct plot_record *const *records,
                          size_t n, const char *lead, int (*has)(const struct plot_record *))
{
    size_t found = 0;
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t i = 0;
        while (i < n && (records[i]->dataset != data->datasets[d] || !has(records[i])))
            i++;
        if (i < n)
            fprintf(stream, "%s%s", found++ ? ", " : lead, data->datasets[d]);
    }
    if (found)
        fputs(". ", stream);
}

static int is_resampled(const struct plot_record *record)
{
    return record->resampled;
}

static int is_generated(const struct plot_record *record)
{
    return record->generated;
}

static int is_at_limit(const struct plot_record *record)
{
    return record->at_limit;
}

static int is_stalled(const struct plot_record *record)
{
    return record->stalled;
}

/* "μ-mdm on titanic, image (3 of 20)": the data sets where runs of the solver did; without a count, all did. Returns
 * how many data sets that are. */
static size_t list_runs_of(FILE *stream, const struct plot_data *data, const struct plot_record *const *records,
                           size_t n, const char *solver, const char *lead, int (*has)(const struct plot_record *))
{
    size_t found = 0;
    char label[200];
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t runs = 0, count = 0;
        for (size_t i = 0; i < n; i++)
            if (records[i]->solver == solver && records[i]->dataset == data->datasets[d]) {
                runs++;
                count += has(records[i]) != 0;
            }
        if (count == 0)
            continue;
        if (found++)
            fprintf(stream, ", %s", data->datasets[d]);
        else
            fprintf(stream, "%s%s on %s", lead, plot_solver_label(solver, label, sizeof label), data->datasets[d]);
        if (count < runs)
            fprintf(stream, " (%zu of %zu)", count, runs);
    }
    return found;
}

static void list_runs(FILE *stream, const struct plot_data *data, const struct plot_record *const *records, size_t n,
                      const char *lead, int (*has)(const struct plot_record *))
{
    size_t found = 0;
    for (size_t s = 0; s < data->n_solvers; s++)
        found += list_runs_of(stream, data, records, n, data->solvers[s], found ? "; " : lead, has);
    if (found)
        fputs(". ", stream);
}

void plot_origin_of_splits(FILE *stream, const struct plot_data *data, const struct plot_record *const *records,
                           size_t n)
{
    list_datasets(stream, data, records, n, "Resampled splits: ", is_resampled);
    list_datasets(stream, data, records, n, "Generated data: ", is_generated);
}

/* "Fewer splits: splice (20). ": data sets with fewer than the most. */
static void list_fewer(FILE *stream, const struct plot_data *data, const struct plot_record *const *records, size_t n)
{
    size_t most = 0, found = 0;
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t splits = count_splits(data->datasets[d], records, n);
        most = splits > most ? splits : most;
    }
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t splits = count_splits(data->datasets[d], records, n);
        if (splits > 0 && splits < most)
            fprintf(stream, "%s%s (%zu)", found++ ? ", " : "Fewer splits: ", data->datasets[d], splits);
    }
    if (found)
        fputs(". ", stream);
}

void plot_origin(FILE *stream, const struct plot_data *data, const struct plot_record *const *records, size_t n)
{
    list_fewer(stream, data, records, n);
    plot_origin_of_splits(stream, data, records, n);
    list_runs(stream, data, records, n, "Stopped at a limit: ", is_at_limit);
    list_runs(stream, data, records, n, "Stalled: ", is_stalled);
}
