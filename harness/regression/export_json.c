/* Sums over the records of a solver on a data set, as JSON for services that draw curves of them. */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/regression/export.h"
#include "harness/support/file.h"
#include "harness/program/json_writer.h"

/* "kernel-operations" are those of the iterations, as in tables and comparisons; set-up and prediction have names of
 * their own. */
static const struct {
    const char *name, *unit;
    enum count count;
} measures[] = {
    {"iterations", "iterations", COUNT_ITERATIONS},
    {"kernel-operations", "kernel operations", COUNT_UPDATES},
    {"kernel-operations-setup", "kernel operations", COUNT_SETUP},
    {"kernel-operations-predict", "kernel operations", COUNT_PREDICT},
    {"kernel-evaluations", "kernel evaluations", COUNT_EVALUATIONS},
    {"support-vectors", "support vectors", COUNT_SUPPORT_VECTORS},
};
enum { MEASURES = sizeof measures / sizeof *measures };

/* Records of one solver on one data set: they stand together. */
struct series {
    const struct count_record *first;
    size_t count;
};

static int next_series(const struct count_records *entries, struct series *series)
{
    size_t at = series->first ? (size_t)(series->first - entries->items) + series->count : 0;
    if (at == entries->count)
        return 0;
    series->first = &entries->items[at];
    for (series->count = 1; at + series->count < entries->count; series->count++) {
        const struct count_record *next = &series->first[series->count];
        if (strcmp(next->solver, series->first->solver) != 0 || strcmp(next->dataset, series->first->dataset) != 0)
            break;
    }
    return 1;
}

/* NAN where a record does not count it. */
static double measure_sum(const struct series *series, size_t measure)
{
    double sum = 0;
    for (size_t i = 0; i < series->count; i++)
        sum += series->first[i].counts[measures[measure].count];
    return sum;
}

static enum status write_json(const char *path, cJSON *json, struct error *error)
{
    enum status status = json_write(path, json, error);
    cJSON_Delete(json);
    return status;
}

enum status export_bencher(const char *path, const struct run_counts *measured, struct error *error)
{
    cJSON *json = json_new_object();
    for (struct series series = {0}; next_series(&measured->entries, &series);) {
        char name[256];
        snprintf(name, sizeof name, "%s/%s", series.first->solver, series.first->dataset);
        cJSON *benchmark = json_put_object(json, name);
        for (size_t m = 0; m < MEASURES; m++) {
            double sum = measure_sum(&series, m);
            if (!isnan(sum))
                json_put_number(json_put_object(benchmark, measures[m].name), "value", sum);
        }
    }
    return write_json(path, json, error);
}

enum status export_github(const char *path, const struct run_counts *measured, struct error *error)
{
    cJSON *json = json_new_array();
    for (struct series series = {0}; next_series(&measured->entries, &series);)
        for (size_t m = 0; m < MEASURES; m++) {
            double sum = measure_sum(&series, m);
            char name[256], extra[64];
            if (isnan(sum))
                continue;
            snprintf(name, sizeof name, "%s/%s %s", series.first->solver, series.first->dataset, measures[m].name);
            snprintf(extra, sizeof extra, "sum over %zu records", series.count);
            cJSON *item = json_add_object(json);
            json_put_text(item, "name", name);
            json_put_text(item, "unit", measures[m].unit);
            json_put_number(item, "value", sum);
            json_put_text(item, "extra", extra);
        }
    return write_json(path, json, error);
}
