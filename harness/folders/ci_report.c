/*
 * Exports. The JSON formats hold sums over the records of a solver on a data set, for services that plot them over
 * time. In JUnit XML a test case is one record; its class is solver and data set, its name split and settings, so that
 * all are distinct. The text of a failure is in its body, since some readers show nothing else.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/folders/regression.h"
#include "harness/format/markup.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"

/* ---- JSON ---- */

/* The records of one solver on one data set, which are consecutive. */
struct series {
    const struct record **items;
    size_t count;
};

/* Moves to the series after *series; from a zeroed one to the first. 0: no more. */
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

/* NAN if a record does not count it. */
static double sum_of(const struct series *series, enum record_field count)
{
    double sum = 0;
    for (size_t i = 0; i < series->count; i++)
        sum += quantity_of(series->items[i], count);
    return sum;
}

void ci_report_sums(FILE *stream, const struct measured_run *measured, enum ci_form form)
{
    struct pool *pool = pool_new();
    cJSON *json = form == CI_BENCHER ? json_new_object() : json_new_array();
    for (struct series series = {0}; next_series(&measured->entries, &series);) {
        const char *name = pool_printf(pool, "%s/%s", series.items[0]->solver, series.items[0]->dataset);
        cJSON *benchmark = form == CI_BENCHER ? json_put_object(json, name) : NULL;
        for (enum record_field c = 0; c < RECORD_FIELDS; c++) {
            const double sum = quantity_is_compared(c, 0) ? sum_of(&series, c) : (double)NAN;
            if (isnan(sum))
                continue;
            if (form == CI_BENCHER) {
                json_put_number(json_put_object(benchmark, measure_path(c)), "value", sum);
                continue;
            }
            cJSON *item = json_add_object(json);
            json_put_text(item, "name", pool_printf(pool, "%s %s", name, measure_path(c)));
            json_put_text(item, "unit", measure_row(c)->title);
            json_put_number(item, "value", sum);
            json_put_text(item, "extra", pool_printf(pool, "sum over %zu records", series.count));
        }
    }
    json_print(json, stream);
    cJSON_Delete(json);
    pool_free(pool);
}

/* ---- JUnit ---- */

/* The text with entities, which are those of HTML. */
static const char *xml(struct pool *pool, const char *text)
{
    char *escaped = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&escaped, &size);
    html_text(stream, text);
    xclose_text(stream);
    pool_keep(pool, free, escaped);
    return escaped;
}

/* All digits of counts, and for other values enough digits to read back the same number. */
static const char *value_text(struct pool *pool, const struct record *record, enum record_field quantity)
{
    double value = quantity_of(record, quantity);
    char text[40];
    if (isnan(value))
        return quantity_is_count(quantity) ? "not counted" : "not known";
    if (quantity_is_count(quantity))
        return pool_printf(pool, "%.0f", value);
    return pool_strdup(pool, json_number_to_text(value, text, sizeof text));
}

static const char *line_of(struct pool *pool, const struct change *change)
{
    const enum record_field quantity = change->quantity;
    char text[80];
    if (change->kind == CHANGE_OUTCOME)
        return pool_printf(pool, "outcome: was %s, is %s", xml(pool, change->was->outcome),
                           xml(pool, change->is->outcome));
    if (change->kind == CHANGE_VALUE)
        return pool_printf(pool, "%s: was %s, is %s%s%s", measure_path(quantity),
                           value_text(pool, change->was, quantity), value_text(pool, change->is, quantity),
                           quantity_is_count(quantity) ? "" : ": ",
                           quantity_is_count(quantity) ? "" : change_text(change, text, sizeof text));
    return change->kind == CHANGE_MISSING ? "the run lacks this record" : "the reference counts lack this record";
}

/* Prints the record and its changes. */
static void print_record(FILE *stream, const struct regression *regression, const struct record *entry)
{
    struct pool *pool = pool_new();
    char settings[256];
    size_t found = 0;
    fprintf(stream, "    <testcase classname=\"%s.%s\" name=\"split %zu, %s\" time=\"%.6f\"", xml(pool, entry->solver),
            xml(pool, entry->dataset), entry->split,
            xml(pool, record_settings_text(entry, settings, sizeof settings)),
            isnan(entry->seconds) ? 0 : entry->seconds);
    for (size_t i = 0; i < regression->changes.count; i++) {
        const struct change *change = &regression->changes.item[i];
        if (change->kind == CHANGE_DATA || (change->is ? change->is : change->was) != entry)
            continue;
        fprintf(stream, "%s%s\n", found++ ? "" : ">\n      <failure message=\"differs from the reference counts\">",
                line_of(pool, change));
    }
    fputs(found ? "</failure>\n    </testcase>\n" : "/>\n", stream);
    pool_free(pool);
}

static void print_data(FILE *stream, const struct change *change)
{
    struct pool *pool = pool_new();
    fprintf(stream,
            "    <testcase classname=\"data\" name=\"%s\" time=\"0\">\n"
            "      <failure message=\"differs from the data of the reference counts\">SHA-256: was %s, is %s\n"
            "</failure>\n    </testcase>\n",
            xml(pool, change->dataset), xml(pool, change->was_hash), xml(pool, change->is_hash));
    pool_free(pool);
}

void ci_report_junit(FILE *stream, const struct regression *regression, const struct measured_run *measured)
{
    const size_t *kinds = regression->kinds;
    const size_t tests = measured->entries.count + kinds[CHANGE_MISSING] + kinds[CHANGE_DATA];
    const size_t failures = kinds[CHANGE_MISSING] + kinds[CHANGE_DATA] + kinds[CHANGE_NEW] + regression->moved;
    struct pool *pool = pool_new();
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%zu\" failures=\"%zu\">\n"
            "  <testsuite name=\"hullbench check %s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n",
            tests, failures, xml(pool, measured->folder.run.config), tests, failures);
    for (size_t i = 0; i < regression->changes.count && regression->changes.item[i].kind <= CHANGE_MISSING; i++) {
        if (regression->changes.item[i].kind == CHANGE_DATA)
            print_data(stream, &regression->changes.item[i]);
        else
            print_record(stream, regression, regression->changes.item[i].was);
    }
    for (size_t i = 0; i < measured->entries.count; i++)
        print_record(stream, regression, measured->entries.items[i]);
    fputs("  </testsuite>\n</testsuites>\n", stream);
    pool_free(pool);
}
