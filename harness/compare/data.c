/* Collects the records of a run, and their names for readers. */
#include "harness/compare/data.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"

struct run_view *run_view_take(struct pool *pool, struct run_folder *folder)
{
    struct run_view *data = pool_alloc(pool, sizeof *data);
    const struct records *records = run_folder_read_records(folder);
    if (records->count == 0)
        die(STATUS_NOT_FOUND, "%s: no records", folder->file.path);
    *data = (struct run_view){pool, folder, records, .datasets = {.pool = pool}, .solvers = {.pool = pool}};
    for (size_t i = 0; i < records->count; i++) {
        name_order_add(&data->datasets, records->items[i]->dataset);
        name_order_add(&data->solvers, records->items[i]->solver);
    }
    data->of_dataset = pool_array(pool, data->datasets.count, sizeof *data->of_dataset);
    for (size_t d = 0; d < data->datasets.count; d++)
        data->of_dataset[d].pool = pool;
    for (size_t i = 0; i < records->count; i++)
        records_add(&data->of_dataset[name_order_find(&data->datasets, records->items[i]->dataset)], records->items[i]);
    return data;
}

struct records plot_select(struct pool *pool, const struct run_view *data, const cJSON *entry, const char *dataset)
{
    const size_t d = dataset && data->of_dataset ? name_order_find(&data->datasets, dataset) : data->datasets.count;
    const struct records *from = d < data->datasets.count ? &data->of_dataset[d] : data->records;
    struct records kept = {.pool = pool};
    for (size_t i = 0; i < from->count; i++)
        if (!from->items[i]->failed && selection_matches(entry, from->items[i]) &&
            (!dataset || strcmp(from->items[i]->dataset, dataset) == 0))
            records_add(&kept, from->items[i]);
    return kept;
}

const char *plot_solver_label(struct pool *pool, const char *solver)
{
    const char *mu = strncmp(solver, "mu-", 3) == 0 ? solver : strstr(solver, "-mu-");
    size_t before = !mu ? strlen(solver) : (size_t)(mu - solver) + (*mu == '-');
    return mu ? pool_printf(pool, "%.*sμ%s", (int)before, solver, solver + before + 2) : solver;
}

/* The element of the choice's "series" that selects the record, or the solver's first one. */
static const cJSON *find_series(const struct run_view *data, const char *solver, const struct record *record)
{
    const cJSON *item, *list = data->choice ? data->choice->series : NULL;
    cJSON_ArrayForEach (item, list)
        if (record ? selection_matches(item, record) : strcmp(json_text(item, "solver"), solver) == 0)
            return item;
    return NULL;
}

const char *plot_series_name(const struct run_view *data, const char *solver, const struct record *record)
{
    const char *name = json_text(find_series(data, solver, record), "name");
    return name ? name : plot_solver_label(data->pool, solver);
}

const char *plot_label_add(const struct run_view *data, const struct record *record, const char *label,
                           const char *setting, const char *value)
{
    const cJSON *series = record ? find_series(data, record->solver, record) : NULL;
    return json_member(series, "name") && json_member(json_member(series, "where"), setting)
               ? label
               : pool_printf(data->pool, "%s, %s = %s", label, plot_setting_label(setting), value);
}

const cJSON *run_folder_parameter(const struct run_folder *folder, const char *setting)
{
    const cJSON *of_solver, *found = json_member(json_member(folder->info, "kernel_parameters"), setting);
    cJSON_ArrayForEach (of_solver, json_member(folder->info, "parameters"))
        found = found ? found : json_member(of_solver, setting);
    return found;
}

const char *plot_setting_axis(const struct run_view *data, const char *setting)
{
    enum { LONGEST = 75 }; /* characters that fit below one panel and into three lines of a printed column */
    const char *label = plot_setting_label(setting);
    const char *meaning = json_text(run_folder_parameter(data->folder, setting), "meaning");
    return label != setting || !meaning || strlen(setting) + strlen(meaning) + 2 > LONGEST
               ? label
               : pool_printf(data->pool, "%s, %s", setting, meaning);
}

int plot_setting_scale(const struct run_view *data, const char *setting)
{
    const char *scale = json_text(run_folder_parameter(data->folder, setting), "scale");
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
