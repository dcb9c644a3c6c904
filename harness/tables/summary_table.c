/*
 * The summary of a run: how its records ended, and mean and sample sd over the splits of test error, support vectors,
 * iterations, kernel operations (those of the iterations; start-up and prediction are not part of them) and duality
 * gap.
 */
#include "harness/tables/summary_table.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/summary.h"
#include "harness/format/text_table.h"
#include "harness/program/json_writer.h"
#include "harness/records/sample.h"
#include "harness/support/file.h"

enum { FIELDS = 5, OUTCOMES = 6 };
static const struct {
    const char *path, *key, *title;
} fields[FIELDS] = {
    {"error_percent", "error_percent", "error (%)"},
    {"support_vectors", "support_vectors", "support vectors"},
    {"iterations", "iterations", "iterations"},
    {"kernel_operations.iterations", "kernel_operations", "kernel operations"},
    {"duality_gap", "duality_gap", "duality gap"},
};
static const char *const outcomes[OUTCOMES] = {"converged",  "iteration-limit", "operation-limit",
                                               "time-limit", "stalled",         "failed"};

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
           strcmp(record->params_text, first->params_text) == 0 &&
           strcmp(record->kernel_text, first->kernel_text) == 0 && strcmp(record->stop_text, first->stop_text) == 0;
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
            group->outcomes[k] += strcmp(record->outcome, outcomes[k]) == 0;
    }
}

static enum status groups_make(const struct records *records, struct groups *groups, struct error *error)
{
    enum status status = STATUS_OK;
    double *values = malloc((records->count + 1) * sizeof *values);
    groups->items = calloc(records->count + 1, sizeof *groups->items);
    groups->of = malloc((records->count + 1) * sizeof *groups->of);
    if (!values || !groups->items || !groups->of) {
        status = error_set(error, STATUS_NO_MEMORY, "summary of %zu records: out of memory", records->count);
        goto done;
    }
    count_groups(records, groups);
    for (size_t g = 0; g < groups->count; g++)
        for (size_t k = 0; k < FIELDS && status == STATUS_OK; k++) {
            size_t n = 0;
            for (size_t i = 0; i < records->count; i++)
                if (groups->of[i] == g)
                    n += record_number(records->items[i], fields[k].path, &values[n]) != 0;
            status = summary_of(values, n, &groups->items[g].values[k], error);
        }
done:
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
            json_put_number(ended, outcomes[k], (double)group->outcomes[k]);
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

static enum status write_json(const struct groups *groups, const char *splits, const char *path, struct error *error)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "table", "summary");
    json_put_text(json, "splits", splits);
    cJSON *rows = json_put_array(json, "rows");
    for (size_t g = 0; g < groups->count; g++)
        group_json(rows, &groups->items[g]);
    enum status status = json_write(path, json, error);
    cJSON_Delete(json);
    return status;
}

static void grid_outcomes(struct text_table *grid, const struct group *group)
{
    char text[256] = "";
    size_t length = 0;
    for (size_t k = 0; k < OUTCOMES; k++)
        if (group->outcomes[k] && length < sizeof text) {
            int added = snprintf(text + length, sizeof text - length, "%s%zu %s", length ? ", " : "",
                                 group->outcomes[k], outcomes[k]);
            length += added > 0 ? (size_t)added : 0;
        }
    text_table_cell(grid, "%s", text);
}

static void fill_grid(struct text_table *grid, const struct groups *groups, const char *splits)
{
    static const char *const header[] = {"data set", "solver", "params", "kernel", "stop", "n", "outcomes"};
    grid->columns = sizeof header / sizeof *header + FIELDS;
    text_table_title(grid, "summary: mean ± sd over splits");
    for (size_t k = 0; k < sizeof header / sizeof *header; k++)
        text_table_cell(grid, "%s", header[k]);
    for (size_t k = 0; k < FIELDS; k++)
        text_table_cell(grid, "%s", fields[k].title);
    for (size_t g = 0; g < groups->count; g++) {
        const struct group *group = &groups->items[g];
        text_table_cell(grid, "%s", group->first->dataset);
        text_table_cell(grid, "%s", group->first->solver);
        text_table_cell(grid, "%s", group->first->params_text);
        text_table_cell(grid, "%s", group->first->kernel_text);
        text_table_cell(grid, "%s", group->first->stop_text);
        text_table_cell(grid, "%zu", group->n);
        grid_outcomes(grid, group);
        for (size_t k = 0; k < FIELDS; k++) {
            const struct summary *values = &group->values[k];
            if (values->n == 0)
                text_table_cell(grid, "–");
            else if (values->n == 1)
                text_table_cell(grid, "%.4g", values->mean);
            else
                text_table_cell(grid, "%.4g ± %.2g", values->mean, values->sd);
        }
    }
    text_table_footnote(grid, "%s", splits);
    text_table_footnote(grid, "Kernel operations are those of the iterations; start-up and prediction are not in them.");
}

static void csv_number(struct text_table *grid, double value)
{
    if (isfinite(value))
        text_table_cell(grid, "%.15g", value);
    else
        text_table_cell(grid, "%s", "");
}

static void fill_csv(struct text_table *grid, const struct groups *groups)
{
    static const char *const header[] = {"dataset", "solver", "params", "kernel", "stop", "n"};
    grid->columns = sizeof header / sizeof *header + OUTCOMES + 2 * FIELDS;
    for (size_t k = 0; k < sizeof header / sizeof *header; k++)
        text_table_cell(grid, "%s", header[k]);
    for (size_t k = 0; k < OUTCOMES; k++)
        text_table_cell(grid, "%s", outcomes[k]);
    for (size_t k = 0; k < FIELDS; k++) {
        text_table_cell(grid, "%s_mean", fields[k].key);
        text_table_cell(grid, "%s_sd", fields[k].key);
    }
    for (size_t g = 0; g < groups->count; g++) {
        const struct group *group = &groups->items[g];
        text_table_cell(grid, "%s", group->first->dataset);
        text_table_cell(grid, "%s", group->first->solver);
        text_table_cell(grid, "%s", group->first->params_text);
        text_table_cell(grid, "%s", group->first->kernel_text);
        text_table_cell(grid, "%s", group->first->stop_text);
        text_table_cell(grid, "%zu", group->n);
        for (size_t k = 0; k < OUTCOMES; k++)
            text_table_cell(grid, "%zu", group->outcomes[k]);
        for (size_t k = 0; k < FIELDS; k++) {
            csv_number(grid, group->values[k].mean);
            csv_number(grid, group->values[k].sd);
        }
    }
}

enum status summary_table_write(const struct records *records, const char *folder, struct error *error)
{
    const char *const endings[] = {"json", "md", "tex", "csv"};
    struct groups groups = {0};
    struct text_table text = {0}, flat = {0};
    struct records used = {0};
    char *splits = NULL, path[4096];
    enum status status = groups_make(records, &groups, error);
    for (size_t i = 0; i < records->count; i++)
        records_add(&used, records->items[i]);
    splits = records_describe_splits(&used);
    if (status != STATUS_OK)
        goto done;
    fill_grid(&text, &groups, splits);
    fill_csv(&flat, &groups);
    for (int i = 0; i < 4 && status == STATUS_OK; i++) {
        int length = snprintf(path, sizeof path, "%s/summary.%s", folder, endings[i]);
        if (length < 0 || (size_t)length >= sizeof path)
            status = error_set(error, STATUS_BAD_INPUT, "%s: the path is too long", folder);
        else if (i == 0)
            status = write_json(&groups, splits, path, error);
        else
            status = text_table_write(i == 3 ? &flat : &text,
                                i == 1   ? TEXT_TABLE_MARKDOWN
                                : i == 2 ? TEXT_TABLE_LATEX
                                         : TEXT_TABLE_CSV,
                                path, error);
    }
done:
    text_table_free(&text);
    text_table_free(&flat);
    records_free(&used);
    free(groups.items);
    free(groups.of);
    free(splits);
    return status;
}
