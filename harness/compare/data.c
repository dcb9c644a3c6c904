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

#include "harness/support/file.h"

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

/* Returns the list's own copy of text, added at the end if it is new; NULL when out of memory. */
static const char *intern(char ***list, size_t *n, const char *text)
{
    for (size_t i = *n; i-- > 0;)
        if (strcmp((*list)[i], text) == 0)
            return (*list)[i];
    char **grown = realloc(*list, (*n + 1) * sizeof **list);
    if (!grown)
        return NULL;
    *list = grown;
    grown[*n] = strdup(text);
    return grown[*n] ? grown[(*n)++] : NULL;
}

static double number_or_nan(const cJSON *value)
{
    return cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
}

static int add_setting(struct plot_data *data, struct plot_record *record, const char *name, const cJSON *value)
{
    struct plot_setting *setting = &record->settings[record->n_settings++];
    char *printed = cJSON_IsString(value) ? NULL : cJSON_PrintUnformatted(value);
    const char *text = cJSON_IsString(value) ? value->valuestring : printed;
    setting->name = intern(&data->words, &data->n_words, name);
    setting->text = text ? intern(&data->words, &data->n_words, text) : NULL;
    setting->number = number_or_nan(value);
    cJSON_free(printed);
    return setting->name && setting->text;
}

/* The members of params, kernel and stop; the member that names an object's kind goes by the object's own name. */
static int add_settings(struct plot_data *data, struct plot_record *to, const struct record *from)
{
    const cJSON *const objects[] = {from->params, from->kernel, from->stop}, *value;
    static const char *const kinds[][2] = {{"", "params"}, {"type", "kernel"}, {"rule", "stop"}};
    size_t room = 1;
    for (size_t i = 0; i < 3; i++)
        room += (size_t)cJSON_GetArraySize(objects[i]);
    to->settings = calloc(room, sizeof *to->settings);
    if (!to->settings)
        return 0;
    for (size_t i = 0; i < 3; i++)
        cJSON_ArrayForEach(value, objects[i])
            if (!add_setting(data, to, strcmp(value->string, kinds[i][0]) == 0 ? kinds[i][1] : value->string, value))
                return 0;
    return 1;
}

static int is_limit(const char *outcome)
{
    return strcmp(outcome, "iteration-limit") == 0 || strcmp(outcome, "operation-limit") == 0 ||
           strcmp(outcome, "time-limit") == 0;
}

static int take_record(struct plot_data *data, const struct record *from)
{
    struct plot_record *to = &data->records[data->n_records++];
    to->dataset = intern(&data->datasets, &data->n_datasets, from->dataset);
    to->solver = intern(&data->solvers, &data->n_solvers, from->solver);
    to->split = from->split;
    to->source = from;
    to->resampled = strcmp(from->split_source, "resampled") == 0;
    to->generated = strcmp(from->split_source, "generated") == 0;
    to->at_limit = is_limit(from->outcome);
    to->stalled = strcmp(from->outcome, "stalled") == 0;
    to->failed = strcmp(from->outcome, "failed") == 0;
    for (int field = 0; field < PLOT_FIELD_COUNT; field++) {
        to->field[field] = (double)NAN;
        record_number(from, plot_field_texts[field].record, &to->field[field]);
    }
    return to->dataset && to->solver && add_settings(data, to, from);
}

/* Insertion sort: few names, and equal ranks must keep their order. */
static void order_datasets(char **datasets, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        char *moved = datasets[i];
        size_t at = i;
        for (; at > 0 && paper_rank(datasets[at - 1]) > paper_rank(moved); at--)
            datasets[at] = datasets[at - 1];
        datasets[at] = moved;
    }
}

static enum status read_config(const char *folder, cJSON **config, struct error *error)
{
    char *path = path_join(folder, "config.json");
    if (!path)
        return error_set(error, STATUS_NO_MEMORY, "%s/config.json: out of memory", folder);
    enum status status = json_read(path, config, error);
    if (status == STATUS_NOT_FOUND) {
        *config = cJSON_CreateObject();
        status = *config ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    } else if (status == STATUS_OK && !cJSON_IsObject(*config)) {
        status = error_set(error, STATUS_BAD_INPUT, "%s:1: not a JSON object", path);
    }
    free(path);
    return status;
}

enum status plot_data_read(const char *folder, struct plot_data *data, struct error *error)
{
    memset(data, 0, sizeof *data);
    char *path = path_join(folder, "records.jsonl");
    enum status status = path ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    if (status == STATUS_OK)
        status = read_config(folder, &data->config, error);
    if (status == STATUS_OK && cJSON_HasObjectItem(data->config, "tune"))
        status = error_set(error, STATUS_BAD_INPUT, "%s: is of hullbench tune, which draws its figures itself, into plots/",
                           folder);
    if (status == STATUS_OK)
        status = records_read(path, &data->read, error);
    if (status != STATUS_OK)
        goto done;
    if (data->read.count == 0) {
        status = error_set(error, STATUS_NOT_FOUND, "%s: no records", path);
        goto done;
    }
    data->records = calloc(data->read.count, sizeof *data->records);
    int complete = data->records != NULL;
    for (size_t i = 0; complete && i < data->read.count; i++)
        complete = take_record(data, &data->read.items[i]);
    if (complete)
        order_datasets(data->datasets, data->n_datasets);
    else
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory for %zu records", path, data->read.count);
done:
    free(path);
    if (status != STATUS_OK)
        plot_data_free(data);
    return status;
}

void plot_data_free(struct plot_data *data)
{
    if (!data)
        return;
    for (size_t i = 0; i < data->n_records; i++)
        free(data->records[i].settings);
    for (size_t i = 0; i < data->n_datasets; i++)
        free(data->datasets[i]);
    for (size_t i = 0; i < data->n_solvers; i++)
        free(data->solvers[i]);
    for (size_t i = 0; i < data->n_words; i++)
        free(data->words[i]);
    free(data->words);
    free(data->records);
    free(data->datasets);
    free(data->solvers);
    records_free(&data->read);
    cJSON_Delete(data->config);
    memset(data, 0, sizeof *data);
}

const struct plot_setting *plot_setting_find(const struct plot_record *record, const char *name)
{
    for (size_t i = 0; i < record->n_settings; i++)
        if (strcmp(record->settings[i].name, name) == 0)
            return &record->settings[i];
    return NULL;
}

int plot_entry_names(const cJSON *entry, const char *many, const char *one, const char *text)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(entry, many), *item;
    const char *single = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, one));
    if (single)
        return strcmp(single, text) == 0;
    if (!cJSON_IsArray(list))
        return 1;
    cJSON_ArrayForEach(item, list)
        if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
            return 1;
    return 0;
}

static int where_holds(const struct plot_record *record, const cJSON *where)
{
    const cJSON *wanted;
    cJSON_ArrayForEach(wanted, where) {
        const struct plot_setting *setting = plot_setting_find(record, wanted->string);
        if (!setting)
            return 0;
        if (cJSON_IsNumber(wanted)) {
            /* Both were read from decimal text; 1e-12 lets 0.1 and 1e-1 written by other programs agree. */
            if (!(fabs(setting->number - wanted->valuedouble) <= 1e-12 * fabs(wanted->valuedouble)))
                return 0;
        } else if (!cJSON_IsString(wanted) || strcmp(setting->text, wanted->valuestring) != 0) {
            return 0;
        }
    }
    return 1;
}

enum status plot_select(const struct plot_data *data, const cJSON *entry, const char *dataset, const char *solver,
                        const struct plot_record ***kept, size_t *n, struct error *error)
{
    const cJSON *where = cJSON_GetObjectItemCaseSensitive(entry, "where");
    *n = 0;
    *kept = malloc(data->n_records * sizeof **kept);
    if (!*kept)
        return error_set(error, STATUS_NO_MEMORY, "figures: out of memory for %zu records", data->n_records);
    for (size_t i = 0; i < data->n_records; i++) {
        const struct plot_record *record = &data->records[i];
        if (!record->failed && (!dataset || strcmp(dataset, record->dataset) == 0) &&
            (!solver || strcmp(solver, record->solver) == 0) &&
            plot_entry_names(entry, "datasets", "dataset", record->dataset) &&
            plot_entry_names(entry, "solvers", "solver", record->solver) && where_holds(record, where))
            (*kept)[(*n)++] = record;
    }
    if (*n == 0) {
        free(*kept);
        *kept = NULL;
    }
    return STATUS_OK;
}

static int same_problem(const struct plot_record *a, const struct plot_record *b)
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
        while (first < n_kept && !same_problem(kept[first], records[i]))
            first++;
        if (first < n_kept && kept[first]->split != records[i]->split)
            continue;
        for (end = first; end < n_kept && same_problem(kept[end], records[i]);)
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
        if (i == 0 || !same_problem(kept[i], kept[i - 1]))
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
