/* Collects the records of a run, and their names for readers. */
#include "harness/compare/data.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/records/plan_order.h"

enum status plot_data_take(struct run_folder *folder, struct plot_data *data, struct error *error)
{
    *data = (struct plot_data){.records = &folder->file.records, .folder = folder};
    enum status status = run_folder_read_records(folder, error);
    if (status != STATUS_OK)
        return status;
    const struct records *records = data->records;
    if (records->count == 0)
        return error_set(error, STATUS_NOT_FOUND, "%s: no records", folder->file.path);
    plan_order_take(records, &data->order);
    data->datasets = data->order.datasets.names;
    data->n_datasets = data->order.datasets.count;
    data->solvers = data->order.solvers.names;
    data->n_solvers = data->order.solvers.count;
    data->of_dataset = xcalloc(data->n_datasets, sizeof *data->of_dataset);
    for (size_t i = 0; i < records->count; i++)
        records_add(&data->of_dataset[name_order_find(&data->order.datasets, records->items[i]->dataset)],
                    records->items[i]);
    return STATUS_OK;
}

void plot_data_free(struct plot_data *data)
{
    for (size_t d = 0; d < data->n_datasets && data->of_dataset; d++)
        records_free(&data->of_dataset[d]);
    free(data->of_dataset);
    plan_order_free(&data->order);
}

struct records plot_select(const struct plot_data *data, const cJSON *entry, const char *dataset)
{
    const struct record_filter filter = {.dataset = dataset, .entry = entry, .no_failed = 1};
    const size_t d = dataset && data->of_dataset ? name_order_find(&data->order.datasets, dataset) : data->n_datasets;
    struct records kept = {0};
    records_select(d < data->n_datasets ? &data->of_dataset[d] : data->records, &filter, &kept);
    return kept;
}

const char *plot_solver_label(const char *solver, char *label, size_t size)
{
    const char *mu = strncmp(solver, "mu-", 3) == 0 ? solver : strstr(solver, "-mu-");
    size_t before = !mu ? strlen(solver) : (size_t)(mu - solver) + (*mu == '-');
    snprintf(label, size, "%.*s%s%s", (int)before, solver, mu ? "μ" : "", mu ? solver + before + 2 : "");
    return label;
}

/* The element of the choice's "series" that selects the record, or the solver's first one. */
static const cJSON *find_series(const struct plot_data *data, const char *solver, const struct record *record)
{
    const cJSON *item, *list = data->choice ? data->choice->series : NULL;
    cJSON_ArrayForEach (item, list) {
        const struct record_filter filter = {.entry = item};
        if (record ? record_matches(record, &filter)
                   : strcmp(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "solver")), solver) == 0)
            return item;
    }
    return NULL;
}

const char *plot_series_name(const struct plot_data *data, const char *solver, const struct record *record, char *label,
                             size_t size)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(find_series(data, solver, record), "name");
    if (!name)
        return plot_solver_label(solver, label, size);
    snprintf(label, size, "%s", name->valuestring);
    return label;
}

int plot_name_covers(const struct plot_data *data, const struct record *record, const char *setting)
{
    const cJSON *series = find_series(data, record->solver, record);
    return cJSON_HasObjectItem(series, "name") &&
           cJSON_HasObjectItem(cJSON_GetObjectItemCaseSensitive(series, "where"), setting);
}

/* The description of a parameter in run.json, of a plugin's kernel or any solver. */
static const cJSON *find_parameter(const struct plot_data *data, const char *setting)
{
    const cJSON *of_solver, *of_kernel = cJSON_GetObjectItemCaseSensitive(data->folder->info, "kernel_parameters");
    if (cJSON_HasObjectItem(of_kernel, setting))
        return cJSON_GetObjectItemCaseSensitive(of_kernel, setting);
    cJSON_ArrayForEach (of_solver, cJSON_GetObjectItemCaseSensitive(data->folder->info, "parameters")) {
        const cJSON *parameter = cJSON_GetObjectItemCaseSensitive(of_solver, setting);
        if (parameter)
            return parameter;
    }
    return NULL;
}

const char *plot_setting_axis(const struct plot_data *data, const char *setting, char *text, size_t size)
{
    enum { LONGEST = 75 }; /* characters that fit below one panel and into three lines of a printed column */
    const char *label = plot_setting_label(setting);
    const char *meaning =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(find_parameter(data, setting), "meaning"));
    if (label != setting || !meaning || strlen(setting) + strlen(meaning) + 2 > LONGEST)
        snprintf(text, size, "%s", label);
    else
        snprintf(text, size, "%s, %s", setting, meaning);
    return text;
}

int plot_setting_scale(const struct plot_data *data, const char *setting)
{
    const char *scale =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(find_parameter(data, setting), "scale"));
    return !scale ? 0 : strncmp(scale, "log", 3) == 0 ? 2 : 1;
}

const char *plot_setting_label(const char *setting)
{
    static const char *const labels[][2] = {
        {"mu", "μ"},          {"width", "kernel width"}, {"sigma", "σ"},        {"lambda", "λ"},
        {"epsilon", "ε"},     {"eta", "η"},              {"nu", "ν"},           {"tolerance", "stopping tolerance"},
        {"degree", "degree"}, {"stop", "stopping rule"}, {"kernel", "kernel"},
    };
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(labels[i][0], setting) == 0)
            return labels[i][1];
    return setting;
}
