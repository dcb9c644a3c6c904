/*
 * Series of a figure. A setting is swept if one solver has several of its values on the same split of the same data
 * set; a value that only differs between data sets (each has its own C and kernel width) is not a sweep. Up to two
 * swept settings of a solver become axes. Every combination of values of the others is a separate series, so that
 * averages are only over splits and never over parameters.
 */
#include "harness/plot/kinds.h"

#include <cjson/cJSON.h>
#include <gsl/gsl_sort.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"

/* The most settings swept at once, and the most examined. */
enum { MAX_SWEPT = 16, MAX_SETTINGS = 32 };

void plot_levels_take(const struct records *records, const char *setting, struct plot_levels *levels)
{
    levels->n = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct setting *found = record_setting(records->items[i], setting);
        size_t known = 0, at;
        while (found && known < levels->n && levels->items[known]->text != found->text)
            known++;
        if (!found || known < levels->n || levels->n == PLOT_MAX_LEVELS)
            continue;
        for (at = levels->n++; at > 0 && levels->items[at - 1]->number > found->number; at--)
            levels->items[at] = levels->items[at - 1];
        levels->items[at] = found;
    }
}

/* The number of values of the setting on one split, on the data set with most. A run uses the same settings for all
 * splits of a data set, so its first split shows them all. */
static size_t max_levels(const struct records *records, const char *name)
{
    struct pool *pool = pool_new();
    struct name_order datasets = {.pool = pool}, values = {.pool = pool};
    size_t *first_split = pool_array(pool, records->count, sizeof *first_split);
    size_t *levels = pool_array(pool, records->count, sizeof *levels), max = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        const size_t known = datasets.count, d = name_order_add(&datasets, record->dataset), n = values.count;
        first_split[d] = d == known ? record->split : first_split[d];
        const struct setting *found = record->split == first_split[d] ? record_setting(record, name) : NULL;
        if (!found)
            continue;
        levels[d] += name_order_take(&values, xasprintf("%zu %s", d, found->text)) == n;
        max = levels[d] > max ? levels[d] : max;
    }
    pool_free(pool);
    return max < PLOT_MAX_LEVELS ? max : PLOT_MAX_LEVELS;
}

/* Finds the settings that one solver's records sweep, those with most values first; returns their number. */
static size_t find_swept(struct pool *pool, const struct records *records, const char *names[MAX_SWEPT])
{
    struct name_order settings = {.pool = pool};
    size_t levels_of[MAX_SWEPT] = {0}, found = 0;
    for (size_t i = 0; i < records->count; i++)
        for (size_t j = 0; j < records->items[i]->n_settings && settings.count < MAX_SETTINGS; j++)
            name_order_add(&settings, records->items[i]->settings[j].name);
    for (size_t s = 0; s < settings.count && found < MAX_SWEPT; s++) {
        const size_t levels = max_levels(records, settings.names[s]);
        size_t at = found;
        if (levels < 2)
            continue;
        for (found++; at > 0 && levels_of[at - 1] < levels; at--) {
            names[at] = names[at - 1];
            levels_of[at] = levels_of[at - 1];
        }
        names[at] = settings.names[s];
        levels_of[at] = levels;
    }
    return found;
}

/* Moves the setting called name to names[at], keeping the order of the rest. */
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

/* Orders names so that the first n_axes are the axes; returns 0 if the figure excludes this solver. */
static int choose_axes(const char **names, size_t n, size_t n_axes, const cJSON *entry)
{
    const char *x = json_text(entry, "x"), *y = json_text(entry, "y");
    if (n_axes == 0)
        return 1;
    if (n < n_axes || (n_axes == 1 && n > 1 && !x) || (x && !move_to(names, n, 0, x)))
        return 0;
    if (n_axes == 1)
        return 1;
    if (!move_to(names, n, x ? 1 : 0, y ? y : "width"))
        return y == NULL;
    if (!x) { /* y is first: swap it with the setting of most values */
        const char *first = names[0];
        names[0] = names[1];
        names[1] = first;
    }
    return 1;
}

/* Divides the records of one solver into series. */
static void add_solver(struct pool *pool, const struct run_view *data, const struct records *records, size_t n_axes,
                       const cJSON *entry, struct plot_series_list *list)
{
    const char *names[MAX_SWEPT] = {0}, *axis[2] = {NULL, NULL};
    size_t n_names = find_swept(pool, records, names);
    for (size_t i = 0; i < n_names; i++)
        name_order_add(&list->swept, names[i]);
    if (!choose_axes(names, n_names, n_axes, entry)) {
        if (n_axes != 1 || (n_names > 0 && !cJSON_HasObjectItem(entry, "x")))
            return;
        n_axes = 0; /* a baseline of the figure: it may lack the setting that others sweep */
    }
    for (size_t i = 0; i < n_axes; i++)
        axis[i] = names[i];
    struct name_order labels = {.pool = pool}; /* of the solver's series: "svm-light, tolerance = 0.001, q = 10" */
    const size_t first = list->n;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        const char *label = plot_series_name(data, record->solver, record);
        for (size_t k = n_axes; k < n_names; k++) {
            const struct setting *setting = record_setting(record, names[k]);
            if (setting)
                label = plot_label_add(data, record, label, names[k], setting->text);
        }
        const size_t at = first + name_order_add(&labels, label);
        if (at == list->n) {
            list->items = pool_grow(pool, list->items, list->n, &list->capacity, sizeof *list->items);
            list->items[list->n++] =
                (struct plot_series){record->solver, labels.names[at - first], {axis[0], axis[1]}, {.pool = pool}};
        }
        records_add(&list->items[at].records, records->items[i]);
    }
}

struct plot_series_list plot_series_build(struct pool *pool, const struct run_view *data,
                                          const struct records *records, size_t n_axes, const cJSON *entry)
{
    struct plot_series_list list = {.swept.pool = pool};
    for (size_t s = 0; s < data->solvers.count; s++) {
        struct records of_solver = {.pool = pool};
        for (size_t i = 0; i < records->count; i++)
            if (records->items[i]->solver == data->solvers.names[s])
                records_add(&of_solver, records->items[i]);
        add_solver(pool, data, &of_solver, n_axes, entry, &list);
    }
    return list;
}

int plot_levels_are_numbers(const struct plot_levels *levels)
{
    for (size_t i = 0; i < levels->n; i++)
        if (!isfinite(levels->items[i]->number))
            return 0;
    return 1;
}

const char *plot_level_text(struct pool *pool, const struct setting *level)
{
    char rounded[40];
    if (!isfinite(level->number))
        return level->text;
    snprintf(rounded, sizeof rounded, "%.2e", level->number);
    const double number = strtod(rounded, NULL);
    char *text = pool_printf(pool, fabs(number) < 1e5 ? "%.5g" : "%.3g", number); /* 1200 rather than 1.2e+03 */
    const char *exponent = strchr(text, 'e');
    return exponent ? pool_printf(pool, "%.*s%ld", (int)(exponent + 1 - text), text, strtol(exponent + 1, NULL, 10))
                    : text;
}

struct plot_level_cell plot_level_cell(const struct records *records, const struct setting *level,
                                       enum record_field field, double *values)
{
    struct plot_level_cell cell = {0};
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        const struct setting *found = level ? record_setting(record, level->name) : NULL;
        if (level && !(found && found->text == level->text))
            continue;
        cell.unfinished += (size_t)(record->at_limit || record->stalled);
        if (isfinite(record->field[field]))
            values[cell.n++] = record->field[field];
    }
    gsl_sort(values, 1, cell.n);
    cell.spread = summary_of(values, cell.n);
    return cell;
}
