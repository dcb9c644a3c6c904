/* What a run's records are of, and how it is named for readers. */
#include "harness/compare/data.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/support/json_field.h"
#include "harness/support/resource.h"

const struct plot_field_text plot_field_texts[SHOWN_FIELDS] = {
    [FIELD_ERROR] = {"error", "test error (%)", "Test error (%)"},
    [FIELD_SUPPORT_VECTORS] = {"support-vectors", "support vectors", "Support vectors"},
    [FIELD_ITERATIONS] = {"iterations", "iterations", "Iterations"},
    [FIELD_KERNEL_OPERATIONS] = {"kernel-operations", "kernel operations", "Kernel operations"},
};

/* The paper of the first of the tables; NULL where no table is named, or none of a paper that is there: who needs its
 * tables says so. */
static enum status read_paper(const cJSON *tables, cJSON **paper, struct error *error)
{
    const char *table = cJSON_GetStringValue(cJSON_GetArrayItem(tables, 0));
    char *path = NULL;
    *paper = NULL;
    if (!table)
        return STATUS_OK;
    char *name = xasprintf("results/paper/%.*s.json", (int)strcspn(table, "."), table);
    enum status status = resource_find(name, &path, error);
    if (status == STATUS_OK)
        status = json_read(path, paper, error);
    free(name);
    free(path);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

/* Adds a text of a record to the list, unless it is there; equal texts are one pointer. */
static void add_name(const char **names, size_t *n, const char *name)
{
    for (size_t i = *n; i-- > 0;)
        if (names[i] == name)
            return;
    names[(*n)++] = name;
}

/* Moves the data sets that a paper lists to the front, in its order. */
static void order_datasets(struct plot_data *data, const cJSON *paper)
{
    const cJSON *listed;
    size_t front = 0;
    cJSON_ArrayForEach (listed, cJSON_GetObjectItemCaseSensitive(paper, "datasets")) {
        const char *name = cJSON_GetStringValue(listed);
        for (size_t i = front; name && i < data->n_datasets; i++)
            if (strcmp(data->datasets[i], name) == 0) {
                const char *moved = data->datasets[i];
                memmove(data->datasets + front + 1, data->datasets + front, (i - front) * sizeof *data->datasets);
                data->datasets[front++] = moved;
                break;
            }
    }
}

enum status plot_data_take(struct run_folder *folder, struct plot_data *data, struct error *error)
{
    *data = (struct plot_data){.records = &folder->file.records, .folder = folder};
    enum status status = run_folder_read_records(folder, error);
    if (status != STATUS_OK)
        return status;
    const struct records *records = data->records;
    if (records->count == 0)
        return error_set(error, STATUS_NOT_FOUND, "%s: no records", folder->file.path);
    data->datasets = xcalloc(records->count, sizeof *data->datasets);
    data->solvers = xcalloc(records->count, sizeof *data->solvers);
    for (size_t i = 0; i < records->count; i++) {
        add_name(data->datasets, &data->n_datasets, records->items[i]->dataset);
        add_name(data->solvers, &data->n_solvers, records->items[i]->solver);
    }
    cJSON *paper;
    status = read_paper(folder->tables, &paper, error);
    if (status == STATUS_OK)
        order_datasets(data, paper);
    cJSON_Delete(paper);
    return status;
}

void plot_data_free(struct plot_data *data)
{
    free(data->datasets);
    free(data->solvers);
}

struct records plot_select(const struct plot_data *data, const cJSON *entry, const char *dataset)
{
    const struct record_filter filter = {.dataset = dataset, .entry = entry, .no_failed = 1};
    struct records kept = {0};
    records_select(data->records, &filter, &kept);
    return kept;
}

const char *plot_solver_label(const char *solver, char *label, size_t size)
{
    const char *mu = strncmp(solver, "mu-", 3) == 0 ? solver : strstr(solver, "-mu-");
    size_t before = !mu ? strlen(solver) : (size_t)(mu - solver) + (*mu == '-');
    snprintf(label, size, "%.*s%s%s", (int)before, solver, mu ? "μ" : "", mu ? solver + before + 2 : "");
    return label;
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
