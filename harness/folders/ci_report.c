/*
 * Exports. The JSON formats hold sums over the records of a solver on a data set, for services that plot them over
 * time. In JUnit XML a test case is one record; its class is solver and data set, its name split and settings, so that
 * all are distinct. The text of a failure is in its body, since some readers show nothing else.
 */
#include "harness/folders/ci_report.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/support/file.h"

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

void ci_report_bencher(FILE *stream, const struct measured_run *measured)
{
    cJSON *json = json_new_object();
    for (struct series series = {0}; next_series(&measured->entries, &series);) {
        char name[256];
        snprintf(name, sizeof name, "%s/%s", series.items[0]->solver, series.items[0]->dataset);
        cJSON *benchmark = json_put_object(json, name);
        for (enum record_field c = 0; c < RECORD_FIELDS; c++) {
            if (!quantity_is_compared(c) || !quantity_is_count(c))
                continue;
            double sum = sum_of(&series, c);
            if (!isnan(sum))
                json_put_number(json_put_object(benchmark, quantity_name(c)), "value", sum);
        }
    }
    json_print(json, stream);
    cJSON_Delete(json);
}

void ci_report_github(FILE *stream, const struct measured_run *measured)
{
    cJSON *json = json_new_array();
    for (struct series series = {0}; next_series(&measured->entries, &series);)
        for (enum record_field c = 0; c < RECORD_FIELDS; c++) {
            if (!quantity_is_compared(c) || !quantity_is_count(c))
                continue;
            const struct record *first = series.items[0];
            double sum = sum_of(&series, c);
            char name[256], extra[64];
            if (isnan(sum))
                continue;
            snprintf(name, sizeof name, "%s/%s %s", first->solver, first->dataset,
                     quantity_name(c));
            snprintf(extra, sizeof extra, "sum over %zu records", series.count);
            cJSON *item = json_add_object(json);
            json_put_text(item, "name", name);
            json_put_text(item, "unit", measure_row(c)->title);
            json_put_number(item, "value", sum);
            json_put_text(item, "extra", extra);
        }
    json_print(json, stream);
    cJSON_Delete(json);
}

/* ---- JUnit ---- */

/* Names of JSON files have no control character. */
static void print_escaped(FILE *stream, const char *text)
{
    static const char special[] = "&<>\"", *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (; *text; text++) {
        const char *at = strchr(special, *text);
        if (at)
            fputs(entities[at - special], stream);
        else
            fputc(*text, stream);
    }
}

/* Prints all digits of counts, and for other values enough digits to read back the same number. */
static void print_value(FILE *stream, const struct record *record, enum record_field quantity)
{
    double value = quantity_of(record, quantity);
    char text[40];
    if (isnan(value))
        fputs(quantity_is_count(quantity) ? "not counted" : "not known", stream);
    else if (quantity_is_count(quantity))
        fprintf(stream, "%.0f", value);
    else
        fputs(json_number_to_text(value, text, sizeof text), stream);
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
    char text[80];
    switch (change->kind) {
    case CHANGE_OUTCOME:
        fputs("outcome: was ", stream);
        print_escaped(stream, change->was->outcome);
        fputs(", is ", stream);
        print_escaped(stream, change->is->outcome);
        break;
    case CHANGE_VALUE:
        fprintf(stream, "%s: was ", quantity_name(change->quantity));
        print_value(stream, change->was, change->quantity);
        fputs(", is ", stream);
        print_value(stream, change->is, change->quantity);
        if (!quantity_is_count(change->quantity))
            fprintf(stream, ": %s", change_text(change, text, sizeof text));
        break;
    case CHANGE_MISSING:
        fputs("the run lacks this record", stream);
        break;
    default:
        fputs("the reference counts lack this record", stream);
    }
    fputc('\n', stream);
}

static int is_about(const struct change *change, const struct record *entry)
{
    return change->kind != CHANGE_DATA && (change->is ? change->is == entry : change->was == entry);
}

/* Prints the record and its changes. */
static void print_record(FILE *stream, const struct regression *regression, const struct record *entry)
{
    size_t found = 0;
    print_case(stream, entry);
    for (size_t i = 0; i < regression->changes.count; i++) {
        if (!is_about(&regression->changes.item[i], entry))
            continue;
        if (found++ == 0)
            fputs(">\n      <failure message=\"differs from the reference counts\">", stream);
        print_line(stream, &regression->changes.item[i]);
    }
    fputs(found ? "</failure>\n    </testcase>\n" : "/>\n", stream);
}

static void print_data(FILE *stream, const struct change *change)
{
    fputs("    <testcase classname=\"data\" name=\"", stream);
    print_escaped(stream, change->dataset);
    fputs("\" time=\"0\">\n      <failure message=\"differs from the data of the reference counts\">SHA-256: was ",
          stream);
    print_escaped(stream, change->was_hash);
    fputs(", is ", stream);
    print_escaped(stream, change->is_hash);
    fputs("\n</failure>\n    </testcase>\n", stream);
}

void ci_report_junit(FILE *stream, const struct regression *regression, const struct measured_run *measured)
{
    const size_t *kinds = regression->kinds;
    size_t tests = measured->entries.count + kinds[CHANGE_MISSING] + kinds[CHANGE_DATA];
    size_t failures = kinds[CHANGE_MISSING] + kinds[CHANGE_DATA] + kinds[CHANGE_NEW] + regression->moved;
    fprintf(stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%zu\" failures=\"%zu\">\n", tests,
            failures);
    fputs("  <testsuite name=\"hullbench check ", stream);
    print_escaped(stream, measured->folder.run.config);
    fprintf(stream, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n", tests, failures);
    for (size_t i = 0; i < regression->changes.count && regression->changes.item[i].kind <= CHANGE_MISSING; i++) {
        if (regression->changes.item[i].kind == CHANGE_DATA)
            print_data(stream, &regression->changes.item[i]);
        else
            print_record(stream, regression, regression->changes.item[i].was);
    }
    for (size_t i = 0; i < measured->entries.count; i++)
        print_record(stream, regression, measured->entries.items[i]);
    fputs("  </testsuite>\n</testsuites>\n", stream);
}
