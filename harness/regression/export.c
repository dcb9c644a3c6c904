/*
 * Exports. The JSON ones are sums over the records of a solver on a data set, for services that draw curves of them.
 * In JUnit XML a test case is one record; its class is solver and data set, its name split and settings, so that no two
 * are alike. The text of a failure is in its body, since some readers show nothing else.
 */
#include "harness/regression/export.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/program/json_writer.h"
#include "harness/support/file.h"

/* ---- JSON ---- */

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

/* Records of one solver on one data set, which stand together. */
struct series {
    const struct record **items;
    size_t count;
};

/* The series after *series; of a zeroed one the first. 0: there is none. */
static int next_series(const struct records *entries, struct series *series)
{
    const struct record **end = entries->items + entries->count;
    series->items = series->items ? series->items + series->count : entries->items;
    for (series->count = 0; series->items + series->count < end; series->count++) {
        const struct record *next = series->items[series->count], *first = series->items[0];
        if (strcmp(next->solver, first->solver) != 0 || strcmp(next->dataset, first->dataset) != 0)
            break;
    }
    return series->count > 0;
}

/* NAN where a record does not count it. */
static double measure_sum(const struct series *series, size_t measure)
{
    double sum = 0;
    for (size_t i = 0; i < series->count; i++)
        sum += count_of(series->items[i], measures[measure].count);
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
        snprintf(name, sizeof name, "%s/%s", series.items[0]->solver, series.items[0]->dataset);
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
            const struct record *first = series.items[0];
            double sum = measure_sum(&series, m);
            char name[256], extra[64];
            if (isnan(sum))
                continue;
            snprintf(name, sizeof name, "%s/%s %s", first->solver, first->dataset, measures[m].name);
            snprintf(extra, sizeof extra, "sum over %zu records", series.count);
            cJSON *item = json_add_object(json);
            json_put_text(item, "name", name);
            json_put_text(item, "unit", measures[m].unit);
            json_put_number(item, "value", sum);
            json_put_text(item, "extra", extra);
        }
    return write_json(path, json, error);
}

/* ---- JUnit ---- */

/* Characters that XML 1.0 cannot hold become '?'. */
static void print_escaped(FILE *stream, const char *text)
{
    static const char special[] = "&<>\"", *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (; *text; text++) {
        const char *at = strchr(special, *text);
        if (at)
            fputs(entities[at - special], stream);
        else
            fputc((unsigned char)*text < ' ' ? '?' : *text, stream);
    }
}

static void print_count(FILE *stream, double count)
{
    if (isnan(count))
        fputs("not counted", stream);
    else
        fprintf(stream, "%.0f", count);
}

static void print_case(FILE *stream, const struct record *entry)
{
    char settings[256];
    fputs("    <testcase classname=\"", stream);
    print_escaped(stream, entry->solver);
    fputc('.', stream);
    print_escaped(stream, entry->dataset);
    fprintf(stream, "\" name=\"split %zu, ", entry->split);
    print_escaped(stream, record_settings_text(entry, settings, sizeof settings));
    fprintf(stream, "\" time=\"%.6f\"", isnan(entry->seconds) ? 0 : entry->seconds);
}

static void print_line(FILE *stream, const struct change *change)
{
    switch (change->kind) {
    case CHANGE_OUTCOME:
        fputs("outcome: was ", stream);
        print_escaped(stream, change->was->outcome);
        fputs(", is ", stream);
        print_escaped(stream, change->is->outcome);
        break;
    case CHANGE_COUNT:
        fprintf(stream, "%s: was ", count_name(change->count));
        print_count(stream, count_of(change->was, change->count));
        fputs(", is ", stream);
        print_count(stream, count_of(change->is, change->count));
        break;
    case CHANGE_MISSING:
        fputs("the run lacks this record", stream);
        break;
    default:
        fputs("the baseline lacks this record", stream);
    }
    fputc('\n', stream);
}

static int is_about(const struct change *change, const struct record *entry)
{
    return change->kind != CHANGE_DATA && (change->is ? change->is == entry : change->was == entry);
}

/* The record and what was found of it. */
static void print_record(FILE *stream, const struct regression *regression, const struct record *entry)
{
    size_t found = 0;
    print_case(stream, entry);
    for (size_t i = 0; i < regression->n_changes; i++) {
        if (!is_about(&regression->changes[i], entry))
            continue;
        if (found++ == 0)
            fputs(">\n      <failure message=\"not as in the baseline\">", stream);
        print_line(stream, &regression->changes[i]);
    }
    fputs(found ? "</failure>\n    </testcase>\n" : "/>\n", stream);
}

static void print_data(FILE *stream, const struct change *change)
{
    fputs("    <testcase classname=\"data\" name=\"", stream);
    print_escaped(stream, change->dataset);
    fputs("\" time=\"0\">\n      <failure message=\"not the data of the baseline\">SHA-256: was ", stream);
    print_escaped(stream, change->was_hash);
    fputs(", is ", stream);
    print_escaped(stream, change->is_hash);
    fputs("\n</failure>\n    </testcase>\n", stream);
}

static void print_all(FILE *stream, const struct regression *regression, const struct run_counts *measured)
{
    const size_t *kinds = regression->kinds;
    size_t tests = measured->entries.count + kinds[CHANGE_MISSING] + kinds[CHANGE_DATA];
    size_t failures = kinds[CHANGE_MISSING] + kinds[CHANGE_DATA] + kinds[CHANGE_NEW] + regression->moved;
    fprintf(stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%zu\" failures=\"%zu\">\n", tests,
            failures);
    fputs("  <testsuite name=\"hullbench check ", stream);
    print_escaped(stream, measured->folder.run.config);
    fprintf(stream, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n", tests, failures);
    for (size_t i = 0; i < regression->n_changes && regression->changes[i].kind <= CHANGE_MISSING; i++) {
        if (regression->changes[i].kind == CHANGE_DATA)
            print_data(stream, &regression->changes[i]);
        else
            print_record(stream, regression, regression->changes[i].was);
    }
    for (size_t i = 0; i < measured->entries.count; i++)
        print_record(stream, regression, measured->entries.items[i]);
    fputs("  </testsuite>\n</testsuites>\n", stream);
}

enum status export_junit(const char *path, const struct regression *regression, const struct run_counts *measured,
                         struct error *error)
{
    struct outfile out;
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    print_all(out.stream, regression, measured);
    return outfile_commit(&out, error);
}
