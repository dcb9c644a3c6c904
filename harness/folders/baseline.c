/*
 * Reads and writes baselines. Every record, data set and past change is one line, in a fixed order, so that the diff of
 * two versions shows exactly what changed.
 */
#include "harness/folders/regression.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"

enum { SCHEMA = 2 }; /* 1: without the accuracy quantities */

/* ---- reading ---- */

static void read_times(void *folder)
{
    run_folder_read_times(folder);
}

struct measured_run *measured_run_read(struct pool *pool, const char *path)
{
    struct measured_run *measured = pool_alloc(pool, sizeof *measured);
    struct run_folder *folder = &measured->folder;
    struct error error = {0};
    measured->entries.pool = pool;
    run_folder_open(pool, path, FOLDER_FINISHED, folder);
    if (!folder->run.config)
        die(STATUS_BAD_INPUT, "%s/run.json: key \"config\" is missing", path);
    sha256_hex(folder->config_text, strlen(folder->config_text), measured->config_hash);
    records_append(&measured->entries, run_folder_read_records(folder));
    /* Times are only shown: a folder without them, or with those of other records, is compared all the same. */
    if (attempt(read_times, folder, &error) != STATUS_OK && error.status != STATUS_BAD_INPUT)
        die_of(&error);
    for (size_t i = 0; i < measured->entries.count; i++)
        measured->n_failed += (size_t)measured->entries.items[i]->failed;
    entries_sort(&measured->entries, 1);
    return measured;
}

/* Whether the run has a record of the same block, the unit that shards are made of (plan.h). */
static int has_block(const struct measured_run *measured, const struct record *record)
{
    for (size_t i = 0; i < measured->entries.count; i++) {
        const struct record *other = measured->entries.items[i];
        if (other->split == record->split && strcmp(other->dataset, record->dataset) == 0 &&
            strcmp(other->kernel_text, record->kernel_text) == 0)
            return 1;
    }
    return 0;
}

int run_leaves_out(const struct measured_run *measured, const struct record *record)
{
    const struct run_info *run = &measured->folder.run;
    return (run->solvers && !config_names(run->solvers, record->solver)) ||
           (run->datasets && !config_names(run->datasets, record->dataset)) ||
           (run->splits && !config_has_split(run->splits, record->split)) ||
           (run->shards > 1 && !has_block(measured, record));
}

static const struct member change_members[] = {
    {"date", MEMBER_TEXT, FIELD(struct baseline_change, date), MEMBER_LINES},
    {"by", MEMBER_TEXT, FIELD(struct baseline_change, by), MEMBER_LINES},
    {"version", MEMBER_TEXT, FIELD(struct baseline_change, version), MEMBER_LINES},
    {"moved", MEMBER_COUNT, FIELD(struct baseline_change, moved), MEMBER_REQUIRED, .doc = "How many records changed."},
    {"message", MEMBER_TEXT, FIELD(struct baseline_change, message), MEMBER_LINES},
    MEMBERS_END_OTHERS_IGNORED,
};

const struct member baseline_members[] = {
    {"schema", MEMBER_COUNT, FIELD(struct baseline, schema), MEMBER_REQUIRED | MEMBER_ABOVE, .high = SCHEMA,
     .doc = "1: without the accuracy."},
    {"config", MEMBER_TEXT, FIELD(struct baseline, config), MEMBER_REQUIRED, .doc = "The configuration's name."},
    {"config_sha256", MEMBER_TEXT, FIELD(struct baseline, config_hash), MEMBER_REQUIRED,
     .doc = "Of the configuration's file."},
    {"data", MEMBER_JSON, FIELD(struct baseline, data), MEMBER_REQUIRED, .doc = "The SHA-256 of each data set."},
    {"tolerances", MEMBER_JSON, FIELD(struct baseline, tolerances_given),
     .doc = "By quantity, or by a group of quantities, for one solver as SOLVER:KEY or SOLVER/DATASET:KEY."},
    {"history", MEMBER_LIST, FIELD(struct baseline, history), MEMBER_REQUIRED, .inner = change_members,
     .inner_size = sizeof(struct baseline_change),
     .doc = "The changes, the latest last."},
    {"records", MEMBER_JSON, FIELD(struct baseline, list), MEMBER_REQUIRED},
    MEMBERS_END,
};

static void read_tolerances(struct pool *pool, struct baseline *baseline, const struct json_path *top)
{
    baseline->tolerances = tolerances_default(pool);
    baseline->built_in = baseline->tolerances.count;
    json_each (item, baseline->tolerances_given) {
        const struct json_path at = {.outer = json_at(top, "tolerances"), .key = item->string};
        const char *value = cJSON_GetStringValue(item);
        if (cJSON_IsNumber(item))
            value = json_number_to_text(item->valuedouble);
        if (!value)
            json_die(&at, "expected a number, or a string such as \"2%%\"");
        tolerance_set(&baseline->tolerances, item->string, value, &at);
    }
}

/* Takes the records. One whose data set has no hash could come from other data unnoticed. */
static void take_entries(struct pool *pool, struct baseline *baseline, const struct json_path *top)
{
    const struct json_path records = {.outer = top, .key = "records"}, data = {.outer = top, .key = "data"};
    if (!cJSON_IsArray(baseline->list))
        json_die(&records, "expected a list of records");
    record_file_take(pool, top->file, baseline->list, &baseline->file);
    records_append(&baseline->entries, &baseline->file.records);
    entries_sort(&baseline->entries, baseline->has_accuracy);
    if (!cJSON_IsObject(baseline->data))
        json_die(&data, "expected an object of data sets and their SHA-256");
    for (size_t i = 0; i < baseline->entries.count; i++) {
        const char *dataset = baseline->entries.items[i]->dataset;
        const char *hash = cJSON_GetStringValue(json_member(baseline->data, dataset));
        if (!hash || !*hash)
            json_die(&data, "the SHA-256 of \"%s\" is missing; --update writes it", dataset);
    }
}

const struct baseline *baseline_read(struct pool *pool, const char *path)
{
    const struct json_path top = {.file = path};
    struct baseline *baseline = pool_alloc(pool, sizeof *baseline);
    const cJSON *json = json_read_or_null(pool, path);
    if (!json)
        return NULL;
    baseline->entries.pool = pool;
    members_read(pool, baseline_members, json, &top, baseline);
    baseline->has_accuracy = baseline->schema > 1;
    take_entries(pool, baseline, &top);
    read_tolerances(pool, baseline, &top);
    baseline_check_tolerances(path, baseline, &baseline->entries);
    return baseline;
}

void baseline_check_tolerances(const char *path, const struct baseline *baseline, const struct records *records)
{
    const struct json_path top = {.file = path}, place = {.outer = &top, .key = "tolerances"};
    tolerances_check(&baseline->tolerances, baseline->built_in, records, &place);
}

/* ---- writing ---- */

/* Writes the old record's value, if any, if the new one is within the built-in tolerance of it. */
static void put_accuracy(cJSON *json, const struct tolerances *rounding, const struct record *old,
                         const struct record *record)
{
    for (enum record_field quantity = 0; quantity < RECORD_FIELDS; quantity++) {
        if (!quantity_is_compared(quantity, 1) || quantity_is_count(quantity))
            continue;
        int stays = old && tolerance_holds(rounding, old, record, quantity);
        double value = quantity_of(stays ? old : record, quantity);
        if (isnan(value) && quantity_applies(record, quantity))
            json_put_null(json, measure_path(quantity));
        else if (!isnan(value)) /* the same number bit for bit: cJSON's printing may differ */
            json_put_raw(json, measure_path(quantity), json_number_to_text(value));
    }
}

/* Whether a baseline has the member: what was measured, the outcome, and the counts. */
static int is_kept(const struct member *row)
{
    return (row->flags & MEMBER_IDENTITY) || (row->kind == MEMBER_WHOLE && row->tolerance) ||
           (row->kind == MEMBER_PART && is_kept(row->inner));
}

/* Adds the members of a record that a baseline keeps, the solver first; old: the record that it replaces, or NULL. */
static void put_record(cJSON *list, const struct tolerances *rounding, const struct record *old,
                       const struct record *record)
{
    cJSON *json = json_add_object(list), *whole = record_json(record);
    json_put_text(json, "solver", record->solver);
    for (const struct member *row = record_members; row->kind != MEMBER_LAST; row++) {
        const cJSON *item = json_member(whole, row->key);
        if (item && is_kept(row) && !cJSON_HasObjectItem(json, row->key))
            json_put_copy(json, row->key, item);
    }
    cJSON_Delete(whole);
    put_accuracy(json, rounding, old, record);
}

/* Merges two sorted lists. The run's records replace those of the baseline; with `keep`, those that the run was not to
 * make stay. */
static cJSON *all_records(struct pool *pool, const struct baseline *baseline, const struct measured_run *measured,
                          int keep)
{
    cJSON *list = json_new_array();
    const struct tolerances rounding = tolerances_default(pool);
    const struct records none = {0}, *old = baseline ? &baseline->entries : &none, *now = &measured->entries;
    for (size_t o = 0, n = 0; o < old->count || n < now->count;) {
        int order = o == old->count ? 1 : n == now->count ? -1 : entries_compare(old->items[o], now->items[n]);
        if (order >= 0)
            put_record(list, &rounding, order == 0 && baseline->has_accuracy ? old->items[o] : NULL, now->items[n]);
        else if (keep && run_leaves_out(measured, old->items[o]))
            put_record(list, &rounding, NULL, old->items[o]);
        o += order <= 0;
        n += order >= 0;
    }
    return list;
}

/* The data sets by name; those in both are the run's. */
static cJSON *all_data(struct pool *pool, const cJSON *old, const struct run_info *run)
{
    cJSON *all = old ? cJSON_Duplicate(old, 1) : json_new_object(), *json = json_new_object();
    struct string_list names = {0};
    for (size_t d = 0; d < run->data.count; d++) {
        cJSON_DeleteItemFromObjectCaseSensitive(all, run->data.item[d].dataset);
        json_put_text(all, run->data.item[d].dataset, run->data.item[d].sha256);
    }
    json_each (item, all)
        string_list_push(pool, &names, "%s", item->string);
    string_list_sort(&names);
    for (size_t i = 0; i < names.count; i++)
        json_put_copy(json, names.line[i], json_member(all, names.line[i]));
    cJSON_Delete(all);
    return json;
}

/* The old baseline's tolerances, and the built-in accuracy tolerances that it lacks: they are part of a baseline. */
static cJSON *all_tolerances(const struct baseline *old)
{
    cJSON *json = old && old->tolerances_given ? cJSON_Duplicate(old->tolerances_given, 1) : json_new_object();
    for (enum record_field q = 0; q < RECORD_FIELDS; q++)
        if (quantity_is_compared(q, 1) && !quantity_is_count(q) && !cJSON_HasObjectItem(json, measure_path(q)))
            json_put_text(json, measure_path(q), measure_row(q)->tolerance);
    return json;
}

/* Prints one line per member that is not a list or object, and per element of one that is. */
static void write_lines(FILE *stream, const cJSON *json, int depth)
{
    const char *brackets = cJSON_IsArray(json) ? "[]" : "{}";
    fputc(brackets[0], stream);
    json_each (item, json) {
        fputs(item == json->child ? "\n" : ",\n", stream);
        if (item->string) {
            json_print_text(stream, item->string);
            fputs(": ", stream);
        }
        if (depth > 1 && (cJSON_IsArray(item) || cJSON_IsObject(item))) {
            write_lines(stream, item, depth - 1);
            continue;
        }
        char *text = json_line(item);
        fputs(text, stream);
        free(text);
    }
    fprintf(stream, "%s%c", json->child ? "\n" : "", brackets[1]);
}

void baseline_write(struct pool *pool, const char *path, const struct baseline *old,
                    const struct measured_run *measured, int keep, const struct baseline_change *change)
{
    const struct run_info *run = &measured->folder.run;
    struct outfile out;
    if (keep && old && !old->has_accuracy)
        die(STATUS_BAD_INPUT, "%s: has schema 1, without accuracy: --update needs a complete run, without --subset",
            path);
    outfile_open(&out, path);
    struct baseline new = {.schema = SCHEMA,
                           .config = run->config,
                           .config_hash = measured->config_hash,
                           .data = json_keep(pool, all_data(pool, keep && old ? old->data : NULL, run)),
                           .tolerances_given = json_keep(pool, all_tolerances(old)),
                           .list = json_keep(pool, all_records(pool, old, measured, keep))};
    for (size_t i = 0; old && i < old->history.count; i++)
        *pool_push(pool, &new.history) = old->history.item[i];
    struct baseline_change *last = pool_push(pool, &new.history);
    *last = *change;
    last->date = pool_strndup(pool, utc_now(pool), strlen("2026-11-28"));
    last->version = run->version;
    write_lines(out.stream, json_keep(pool, members_write(baseline_members, &new)), 2);
    fputc('\n', out.stream);
    outfile_commit(&out);
}
