/*
 * Writing baselines: every record, data set and change of the past has a line of its own, in a fixed order, so that the
 * difference of two versions shows what moved and nothing else.
 */
#include "harness/regression/baseline.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/support/file.h"
#include "harness/program/json_writer.h"
#include "harness/program/memory.h"

/* A list with a line an element: the brackets, the commas between. */
struct list {
    FILE *stream;
    size_t count;
    char close;
};

static struct list list_open(FILE *stream, const char *key, char open, char close)
{
    fprintf(stream, ",\n\"%s\": %c", key, open);
    return (struct list){.stream = stream, .close = close};
}

/* Adds a line, with "key": before it where there is one; takes the JSON over. */
static void list_add(struct list *list, const char *key, cJSON *json)
{
    char *text = json_line(json), *quoted = key ? json_quoted(key) : NULL;
    fprintf(list->stream, "%s\n%s%s%s", list->count++ ? "," : "", key ? quoted : "", key ? ": " : "", text);
    cJSON_free(text);
    cJSON_free(quoted);
    cJSON_Delete(json);
}

static void list_close(const struct list *list)
{
    fprintf(list->stream, "%s%c", list->count ? "\n" : "", list->close);
}

static void add_line(FILE *stream, const char *key, const char *text)
{
    char *quoted = json_quoted(text);
    fprintf(stream, ",\n\"%s\": %s", key, quoted);
    cJSON_free(quoted);
}

static cJSON *entry_json(const struct count_record *entry)
{
    const double *counts = entry->counts;
    cJSON *json = json_new_object();
    json_put_text(json, "solver", entry->solver);
    json_put_text(json, "dataset", entry->dataset);
    json_put_number(json, "split", (double)entry->split);
    json_put_raw(json, "params", entry->params);
    json_put_raw(json, "kernel", entry->kernel);
    json_put_raw(json, "stop", entry->stop);
    json_put_text(json, "outcome", entry->outcome);
    json_put_number(json, "iterations", counts[COUNT_ITERATIONS]);
    cJSON *operations = json_put_object(json, "kernel_operations");
    json_put_number(operations, "setup", counts[COUNT_SETUP]);
    json_put_number(operations, "iterations", counts[COUNT_UPDATES]);
    json_put_number(operations, "predict", counts[COUNT_PREDICT]);
    json_put_number(json, "kernel_evaluations", counts[COUNT_EVALUATIONS]);
    json_put_number(json, "support_vectors", counts[COUNT_SUPPORT_VECTORS]);
    return json;
}

/* Both lists are sorted: what is in both, or only in the run's, is taken from the run. */
static void write_records(FILE *stream, const struct count_records *old, const struct count_records *now)
{
    struct list list = list_open(stream, "records", '[', ']');
    for (size_t o = 0, n = 0; o < old->count || n < now->count;) {
        int order = o == old->count ? 1 : n == now->count ? -1 : count_record_compare(&old->items[o], &now->items[n]);
        list_add(&list, NULL, entry_json(order < 0 ? &old->items[o] : &now->items[n]));
        o += order <= 0;
        n += order >= 0;
    }
    list_close(&list);
}

static int by_key(const void *a, const void *b)
{
    const cJSON *const *x = a, *const *y = b;
    return strcmp((*x)->string, (*y)->string);
}

/* Data sets by name; of one that both have, the run's. */
static void write_data(FILE *stream, const cJSON *old, const struct run_counts *measured)
{
    cJSON *all = old ? cJSON_Duplicate(old, 1) : cJSON_CreateObject();
    const cJSON *item = NULL, **sorted = NULL;
    size_t count = 0;
    const struct run_info *run = &measured->folder.run;
    for (size_t d = 0; d < run->n_data; d++) {
        if (!run->data[d].dataset)
            continue;
        cJSON_DeleteItemFromObjectCaseSensitive(all, run->data[d].dataset);
        json_put_text(all, run->data[d].dataset, run->data[d].sha256);
    }
    sorted = xcalloc((size_t)cJSON_GetArraySize(all), sizeof *sorted);
    struct list list = list_open(stream, "data", '{', '}');
    cJSON_ArrayForEach (item, all)
        sorted[count++] = item;
    if (count)
        qsort(sorted, count, sizeof *sorted, by_key);
    for (size_t i = 0; i < count; i++)
        list_add(&list, sorted[i]->string, cJSON_CreateString(sorted[i]->valuestring));
    list_close(&list);
    free(sorted);
    cJSON_Delete(all);
}

static cJSON *change_json(const struct baseline_change *change, const char *version)
{
    char date[32] = "";
    time_t clock = time(NULL);
    struct tm utc;
    if (gmtime_r(&clock, &utc))
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    cJSON *json = json_new_object();
    json_put_text(json, "date", date);
    json_put_text(json, "by", change->by);
    json_put_text(json, "version", version);
    json_put_number(json, "moved", (double)change->moved);
    json_put_text(json, "message", change->message);
    return json;
}

static void write_all(FILE *stream, const struct baseline *old, const struct run_counts *measured, int keep,
                      const struct baseline_change *change)
{
    static const struct count_records none = {0};
    const cJSON *before = old ? old->json : NULL, *item = NULL;
    fputs("{\n\"schema\": 1", stream);
    add_line(stream, "config", measured->config);
    add_line(stream, "config_sha256", measured->config_hash);
    write_data(stream, keep && old ? old->data : NULL, measured);
    struct list list = list_open(stream, "tolerances", '{', '}');
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(before, "tolerances"))
        list_add(&list, item->string, cJSON_Duplicate(item, 1));
    list_close(&list);
    list = list_open(stream, "history", '[', ']');
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(before, "history"))
        list_add(&list, NULL, cJSON_Duplicate(item, 1));
    list_add(&list, NULL, change_json(change, measured->folder.run.version));
    list_close(&list);
    write_records(stream, keep && old ? &old->entries : &none, &measured->entries);
    fputs("\n}\n", stream);
}

enum status baseline_write(const char *path, const struct baseline *old, const struct run_counts *measured, int keep,
                           const struct baseline_change *change, struct error *error)
{
    struct outfile out;
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    write_all(out.stream, old, measured, keep, change);
    return outfile_commit(&out, error);
}
