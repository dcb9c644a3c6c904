/*
 * The summary of a run: how its records ended, and mean and sample sd over the splits of test error, support vectors,
 * iterations, kernel operations (those of the iterations; start-up and prediction are not part of them) and duality
 * gap.
 */
#include "harness/tables/run_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/summary.h"
#include "harness/program/json_writer.h"
#include "harness/program/memory.h"
#include "harness/records/sample.h"

enum { FIELDS = 5 };
static const struct {
    enum record_field field;
    const char *key, *title;
} fields[FIELDS] = {
    {FIELD_ERROR, "error_percent", "error (%)"},
    {FIELD_SUPPORT_VECTORS, "support_vectors", "support vectors"},
    {FIELD_ITERATIONS, "iterations", "iterations"},
    {FIELD_KERNEL_OPERATIONS, "kernel_operations", "kernel operations"},
    {FIELD_DUALITY_GAP, "duality_gap", "duality gap"},
};
struct group {
    const struct record *first; /* its data set, solver and settings are the group's */
    size_t n, outcomes[OUTCOMES];
    struct summary values[FIELDS];
};

struct groups {
    struct group *items;
    size_t count;
    size_t *of; /* the group of each record */
};

static int belongs(const struct record *record, const struct record *first)
{
    return strcmp(record->dataset, first->dataset) == 0 && strcmp(record->solver, first->solver) == 0 &&
           record_same_settings(record, first);
}

static void count_groups(const struct records *records, struct groups *groups)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        size_t g = groups->count; /* records of one group mostly follow each other */
        while (g > 0 && !belongs(record, groups->items[g - 1].first))
            g--;
        if (g == 0) {
            g = ++groups->count;
            groups->items[g - 1].first = record;
        }
        struct group *group = &groups->items[g - 1];
        groups->of[i] = g - 1;
        group->n++;
        for (size_t k = 0; k < OUTCOMES; k++)
            group->outcomes[k] += strcmp(record->outcome, outcome_name((enum outcome)k)) == 0;
    }
}

static enum status groups_make(const struct records *records, struct groups *groups, struct error *error)
{
    enum status status = STATUS_OK;
    double *values = xcalloc(records->count + 1, sizeof *values);
    groups->items = xcalloc(records->count + 1, sizeof *groups->items);
    groups->of = xcalloc(records->count + 1, sizeof *groups->of);
    count_groups(records, groups);
    for (size_t g = 0; g < groups->count; g++)
        for (size_t k = 0; k < FIELDS && status == STATUS_OK; k++) {
            size_t n = 0;
            for (size_t i = 0; i < records->count; i++)
                if (groups->of[i] == g && !isnan(records->items[i]->field[fields[k].field]))
                    values[n++] = records->items[i]->field[fields[k].field];
            status = summary_of(values, n, &groups->items[g].values[k], error);
        }
    free(values);
    return status;
}

static void group_json(cJSON *array, const struct group *group)
{
    cJSON *json = json_add_object(array);
    json_put_text(json, "dataset", group->first->dataset);
    json_put_text(json, "solver", group->first->solver);
    json_put_copy(json, "params", group->first->params);
    json_put_copy(json, "kernel", group->first->kernel);
    json_put_copy(json, "stop", group->first->stop);
    json_put_number(json, "n", (double)group->n);
    cJSON *ended = json_put_object(json, "outcomes");
    for (size_t k = 0; k < OUTCOMES; k++)
        if (group->outcomes[k])
            json_put_number(ended, outcome_name((enum outcome)k), (double)group->outcomes[k]);
    for (size_t k = 0; k < FIELDS; k++) {
        const struct summary *values = &group->values[k];
        cJSON *field = json_put_object(json, fields[k].key);
        json_put_number(field, "mean", values->mean);
        json_put_number(field, "sd", values->sd);
        json_put_number(field, "n", (double)values->n);
        json_put_number(field, "min", values->min);
        json_put_number(field, "max", values->max);
        json_put_number(field, "median", values->median);
    }
}

static cJSON *table_json(const struct groups *groups, const char *splits)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "table", "summary");
    json_put_text(json, "splits", splits);
    cJSON *rows = json_put_array(json, "rows");
    for (size_t g = 0; g < groups->count; g++)
        group_json(rows, &groups->items[g]);
    return json;
}

/* What tells a group from the others, and its size. */
static void settings_cells(struct text_table *text, const struct group *group)
{
    const struct record *first = group->first;
    const char *const cells[] = {first->dataset, first->solver, first->params_text, first->kernel_text,
                                 first->stop_text};
    text_table_cells(text, cells, sizeof cells / sizeof *cells);
    text_table_cell(text, "%zu", group->n);
}

static void outcomes_cell(struct text_table *text, const struct group *group)
{
    char list[256] = "";
    size_t length = 0;
    for (size_t k = 0; k < OUTCOMES; k++)
        if (group->outcomes[k] && length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%zu %s", length ? ", " : "",
                                       group->outcomes[k], outcome_name((enum outcome)k));
    text_table_cell(text, "%s", list);
}

static void fill_text(struct text_table *text, const struct groups *groups, const char *splits)
{
    static const char *const header[] = {"data set", "solver", "params", "kernel", "stop", "n", "outcomes"};
    text->columns = sizeof header / sizeof *header + FIELDS;
    text_table_title(text, "summary: mean ± sd over splits");
    text_table_cells(text, header, sizeof header / sizeof *header);
    for (size_t k = 0; k < FIELDS; k++)
        text_table_cell(text, "%s", fields[k].title);
    for (size_t g = 0; g < groups->count; g++) {
        const struct group *group = &groups->items[g];
        settings_cells(text, group);
        outcomes_cell(text, group);
        for (size_t k = 0; k < FIELDS; k++) {
            const struct summary *values = &group->values[k];
            if (values->n == 0)
                text_table_cell(text, "–");
            else if (values->n == 1)
                text_table_cell(text, "%.4g", values->mean);
            else
                text_table_cell(text, "%.4g ± %.2g", values->mean, values->sd);
        }
    }
    text_table_footnote(text, "%s", splits);
    text_table_footnote(text,
                        "Kernel operations are those of the iterations; start-up and prediction are not in them.");
}

static void fill_csv(struct text_table *text, const struct groups *groups)
{
    static const char *const header[] = {"dataset", "solver", "params", "kernel", "stop", "n"};
    text->columns = sizeof header / sizeof *header + OUTCOMES + 2 * FIELDS;
    text_table_cells(text, header, sizeof header / sizeof *header);
    for (size_t k = 0; k < OUTCOMES; k++)
        text_table_cell(text, "%s", outcome_name((enum outcome)k));
    for (size_t k = 0; k < FIELDS; k++) {
        text_table_cell(text, "%s_mean", fields[k].key);
        text_table_cell(text, "%s_sd", fields[k].key);
    }
    for (size_t g = 0; g < groups->count; g++) {
        const struct group *group = &groups->items[g];
        settings_cells(text, group);
        for (size_t k = 0; k < OUTCOMES; k++)
            text_table_cell(text, "%zu", group->outcomes[k]);
        for (size_t k = 0; k < FIELDS; k++) {
            text_table_number(text, 15, group->values[k].mean);
            text_table_number(text, 15, group->values[k].sd);
        }
    }
}

enum status summary_table_write(const struct records *records, const char *folder, FILE *said, struct error *error)
{
    struct groups groups = {0};
    enum status status = groups_make(records, &groups, error);
    if (status == STATUS_OK) {
        struct records used = {0};
        records_append(&used, records);
        char *splits = records_describe_splits(&used);
        struct table_files files = {.json = table_json(&groups, splits)};
        fill_text(&files.text, &groups, splits);
        fill_csv(&files.csv, &groups);
        status = table_files_write(&files, folder, "", "summary", said, error);
        records_free(&used);
        free(splits);
    }
    free(groups.items);
    free(groups.of);
    return status;
}
