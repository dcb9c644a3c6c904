/*
 * Records for figures. A sweep is recognised from the records themselves: a setting is swept where one solver meets
 * several of its values on the same split of the same data set; a value that merely differs between data sets (each has
 * its own C and kernel width) is no sweep.
 */
#include "harness/compare/data.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"

const struct plot_field_text plot_field_texts[PLOT_FIELD_COUNT] = {
    [PLOT_ERROR] = {"error_percent", "error", "test error (%)", "Test error (%)"},
    [PLOT_SUPPORT_VECTORS] = {"support_vectors", "support-vectors", "support vectors", "Support vectors"},
    [PLOT_ITERATIONS] = {"iterations", "iterations", "iterations", "Iterations"},
    [PLOT_KERNEL_OPERATIONS] = {"kernel_operations.iterations", "kernel-operations", "kernel operations",
                               "Kernel operations"},
};

/* The order of the tables of Lopez, Barbero and Dorronsoro (2011). */
static const char *const paper_order[] = {"titanic", "heart",  "diabetis", "breast-cancer", "thyroid",
                                          "flare-solar", "splice", "image",    "german",        "banana",
                                          "twonorm", "ringnorm", "waveform"};

static size_t paper_rank(const char *dataset)
{
    size_t n = sizeof paper_order / sizeof *paper_order;
    for (size_t i = 0; i < n; i++)
        if (strcmp(paper_order[i], dataset) == 0)
            return i;
    return n;
}

/* Adds a text of a record to the list, unless it is there; equal texts are one pointer. */
static void add_name(const char **names, size_t *n, const char *name)
{
    for (size_t i = *n; i-- > 0;)
        if (names[i] == name)
            return;
    names[(*n)++] = name;
}

/* Insertion sort: few names, and equal ranks must keep their order. */
static void order_datasets(const char **datasets, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const char *moved = datasets[i];
        size_t at = i;
        for (; at > 0 && paper_rank(datasets[at - 1]) > paper_rank(moved); at--)
            datasets[at] = datasets[at - 1];
        datasets[at] = moved;
    }
}

enum status plot_data_take(struct run_folder *folder, struct plot_data *data, struct error *error)
{
    *data = (struct plot_data){.records = &folder->file.records, .config = folder->config};
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
    order_datasets(data->datasets, data->n_datasets);
    return STATUS_OK;
}

void plot_data_free(struct plot_data *data)
{
    if (!data)
        return;
    free(data->datasets);
    free(data->solvers);
    *data = (struct plot_data){0};
}

enum status plot_select(const struct plot_data *data, const cJSON *entry, const char *dataset, const char *solver,
                        const struct plot_record ***kept, size_t *n, struct error *error)
{
    const struct record_filter filter = {.dataset = dataset, .solver = solver, .entry = entry, .no_failed = 1};
    struct records found = {0};
    (void)error;
    records_select(data->records, &filter, &found);
    *kept = found.items;
    *n = found.count;
    return STATUS_OK;
}

static int same_measurement(const struct plot_record *a, const struct plot_record *b)
{
    return a->dataset == b->dataset && a->solver == b->solver;
}

/* Keeps, for every data set and solver, the records of the split met first, those of one pair side by side: a run gives
 * all its splits the same settings, so one split shows them all. Returns how many; kept has room for n. */
static size_t one_split_each(const struct plot_record *const *records, size_t n, const struct plot_record **kept)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        size_t first = 0, end;
        while (first < n_kept && !same_measurement(kept[first], records[i]))
            first++;
        if (first < n_kept && kept[first]->split != records[i]->split)
            continue;
        for (end = first; end < n_kept && same_measurement(kept[end], records[i]);)
            end++;
        memmove(kept + end + 1, kept + end, (n_kept - end) * sizeof *kept);
        kept[end] = records[i];
        n_kept++;
    }
    return n_kept;
}

/* The most values the setting takes for one data set and solver, in what one_split_each kept. */
static size_t most_levels(const struct plot_record *const *kept, size_t n, const char *name)
{
    const char *seen[64];
    size_t most = 0, levels = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !same_measurement(kept[i], kept[i - 1]))
            levels = 0;
        const struct plot_setting *setting = plot_setting_find(kept[i], name);
        size_t known = 0;
        while (setting && known < levels && seen[known] != setting->text)
            known++;
        if (setting && known == levels && levels < sizeof seen / sizeof *seen)
            seen[levels++] = setting->text;
        most = levels > most ? levels : most;
    }
    return most;
}

/* Puts name into the list ordered by falling levels, equal ones in order of arrival; returns the new length. */
static size_t insert_swept(const char **names, size_t *levels_of, size_t found, const char *name, size_t levels)
{
    size_t at = found;
    for (; at > 0 && levels_of[at - 1] < levels; at--) {
        names[at] = names[at - 1];
        levels_of[at] = levels_of[at - 1];
    }
    names[at] = name;
    levels_of[at] = levels;
    return found + 1;
}

enum status plot_swept(const struct plot_record *const *records, size_t n, const char *names[PLOT_SWEPT], size_t *found,
                       struct error *error)
{
    const char *tried[32];
    size_t n_tried = 0, levels_of[PLOT_SWEPT] = {0};
    const struct plot_record **kept = malloc((n + 1) * sizeof *kept);
    *found = 0;
    if (!kept)
        return error_set(error, STATUS_NO_MEMORY, "figures: out of memory for %zu records", n);
    memset(names, 0, PLOT_SWEPT * sizeof *names);
    size_t n_kept = one_split_each(records, n, kept);
    for (size_t i = 0; i < n_kept; i++)
        for (size_t j = 0; j < kept[i]->n_settings; j++) {
            const char *name = kept[i]->settings[j].name;
            size_t known = 0;
            while (known < n_tried && tried[known] != name)
                known++;
            if (known < n_tried || n_tried == sizeof tried / sizeof *tried)
                continue;
            tried[n_tried++] = name;
            size_t levels = most_levels(kept, n_kept, name);
            if (levels >= 2 && *found < PLOT_SWEPT)
                *found = insert_swept(names, levels_of, *found, name, levels);
        }
    free(kept);
    return STATUS_OK;
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
