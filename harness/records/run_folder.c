/*
 * Reads run folders. A configuration names the published tables its runs are for, and only those runs feed a table. So
 * a run of the same solver with other settings, made for another purpose, never enters a comparison with a paper.
 */
#include "harness/base/die.h"
#include "harness/records/run_folder.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/run/file_hashes.h"
#include "harness/run/fingerprint.h"
#include "harness/run/run_files.h"
#include "harness/support/file.h"
#include "harness/support/json_field.h"
#include "harness/support/json_text.h"

static char *inside(const struct run_folder *folder, const char *name)
{
    return pool_printf(folder->pool, "%s/%s", folder->path, name);
}

static int has(const struct run_folder *folder, const char *name)
{
    return access(inside(folder, name), F_OK) == 0;
}

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* ---- errors for unreadable folders ---- */

/* The journal has one line per record after the header, which contains the number of jobs. */
static _Noreturn void die_unfinished(const struct run_folder *folder)
{
    const char *text = file_read_or_null(folder->pool, inside(folder, "journal.jsonl"), NULL);
    const char *number = text ? strstr(text, "\"jobs\":") : NULL;
    const size_t jobs = number ? (size_t)strtoull(number + strlen("\"jobs\":"), NULL, 10) : 0;
    size_t lines = 0;
    for (const char *at = text; at && (at = strchr(at, '\n')); at++)
        lines++;
    die(folder->need == FOLDER_FINISHED ? STATUS_NOT_FOUND : STATUS_BAD_INPUT,
        "%s: not finished: %zu of %zu parts are done (journal.jsonl); repeat the command that began it to resume it",
        folder->path, lines ? lines - 1 : 0, jobs);
}

static _Noreturn void die_of_tune(const struct run_folder *folder)
{
    die(STATUS_BAD_INPUT, "%s: is a tune folder, which holds no records; its results are in tune.md and plots/",
        folder->path);
}

static void check_kind(const struct run_folder *folder)
{
    const enum folder_need need = folder->need;
    struct stat about;
    const int is_there = stat(folder->path, &about) == 0 && S_ISDIR(about.st_mode);
    if (!folder->info && has(folder, "journal.jsonl"))
        die_unfinished(folder);
    if (!folder->config_text && has(folder, "compare.json"))
        die(STATUS_BAD_INPUT, "%s: contains only a comparison (compare.md); give the folders that were compared",
            folder->path);
    if (!is_there)
        die(STATUS_NOT_FOUND, "%s: no such folder", folder->path);
    if (need == FOLDER_FINISHED && !folder->info)
        die(STATUS_NOT_FOUND, "%s: not a finished run (no run.json)", folder->path);
    if (need == FOLDER_FINISHED && run_folder_is_search(folder))
        die_of_tune(folder);
    if (need != FOLDER_RECORDS && !folder->config_text)
        die(need == FOLDER_FINISHED ? STATUS_BAD_INPUT : STATUS_NOT_FOUND, "%s: not a run folder (no config.json)",
            folder->path);
}

/* Separates the names of published tables from the specifications of other tables. */
static void take_tables(struct run_folder *folder)
{
    const cJSON *item = NULL;
    folder->outputs = member(folder->config, "tables");
    if (folder->outputs && !cJSON_IsArray(folder->outputs))
        die(STATUS_BAD_INPUT, "%s/config.json: \"tables\" must be an array", folder->path);
    folder->published = folder->outputs ? json_new_array() : NULL;
    folder->tables = folder->published;
    cJSON_ArrayForEach (item, folder->outputs) {
        if (cJSON_IsObject(item))
            continue;
        if (!cJSON_IsString(item) || !strchr(item->valuestring, '.') || strchr(item->valuestring, '/'))
            die(STATUS_BAD_INPUT, "%s/config.json: \"tables\": \"%.100s\" is not the name of a table, PAPER.TABLE",
                folder->path, cJSON_IsString(item) ? item->valuestring : "no text");
        json_add_text(folder->published, item->valuestring);
    }
}

/* ---- config.json and run.json ---- */

/* NULL if the file does not exist. */
static cJSON *read_json(const struct run_folder *folder, const char *name, char **text)
{
    char *path = inside(folder, name);
    *text = file_read_or_null(folder->pool, path, NULL);
    cJSON *json = *text ? json_parse(folder->pool, path, *text) : NULL;
    if (json && !cJSON_IsObject(json))
        die(STATUS_BAD_INPUT, "%s:1: not a JSON object", path);
    return json;
}

/* Whether the configuration, restrictions and files named in the folder yield the plan hash in run.json. */
static int plan_agrees(const struct run_folder *folder)
{
    const struct run_info *run = &folder->run;
    const char **sha256 = xcalloc(run->data.count + run->plugins.count + 1, sizeof *sha256);
    struct plan_fingerprint fingerprint = {.version = run->version,
                                           .config = folder->config_text,
                                           .solvers = run->solvers,
                                           .datasets = run->datasets,
                                           .splits = run->splits,
                                           .shard = run->shard,
                                           .shards = run->shards,
                                           .repeats = run->repeats,
                                           .sha256 = sha256};
    for (size_t d = 0; d < run->data.count; d++)
        sha256[fingerprint.n_files++] = run->data.item[d].sha256;
    for (size_t p = 0; p < run->plugins.count; p++)
        sha256[fingerprint.n_files++] = run->plugins.item[p].sha256;
    int agrees = plan_fingerprint_hash(&fingerprint) == run->fingerprint.plan;
    free(sha256);
    return agrees;
}

/* Reads run.json. For a finished run it must identify the plan and show that nothing is missing. */
static void take_run(struct run_folder *folder)
{
    const struct json_path place = {.file = inside(folder, "run.json")};
    const struct run_info *run = &folder->run;
    run_info_read(folder->pool, folder->info, place.file, &folder->run);
    const char *missing = run->fingerprint.plan == 0 ? "plan"
                          : !run->version            ? "version"
                          : !run->has_records        ? "records"
                                                     : NULL;
    if (folder->need != FOLDER_FINISHED)
        return;
    if (missing)
        json_die(&place, "key \"%s\" is missing", missing);
    if (run->is_partial)
        json_die(&place, "a result that lacks parts; give the folders from which it was merged");
    folder->plan_agrees = plan_agrees(folder);
}

static void read_folder(void *data)
{
    struct run_folder *folder = data;
    char *info_text;
    folder_check_regular(folder->path);
    folder->config = read_json(folder, "config.json", &folder->config_text);
    folder->info = read_json(folder, "run.json", &info_text);
    check_kind(folder);
    if (!folder->config)
        folder->config = json_parse(folder->pool, folder->path, "{}");
    const cJSON *draws = member(folder->config, "draws");
    folder->has_more_draws = cJSON_IsNumber(draws) && draws->valuedouble > 1;
    take_tables(folder);
    if (folder->info)
        take_run(folder);
}

enum status run_folder_read(const char *path, enum folder_need need, struct run_folder *folder, struct error *error)
{
    *folder = (struct run_folder){.pool = pool_new_owned(), .path = path, .need = need};
    return attempt(read_folder, folder, error);
}

void run_folder_free(struct run_folder *folder)
{
    if (!folder)
        return;
    record_file_free(&folder->file);
    cJSON_Delete(folder->published);
    pool_free(folder->pool);
    *folder = (struct run_folder){0};
}

/* ---- records and times ---- */

static void check_count(const struct run_folder *folder, size_t count, const char *what)
{
    if (folder->run.has_records && count != folder->run.records)
        die(STATUS_BAD_INPUT, "%s: has %zu %s, but run.json says %zu records: the folder is damaged",
            folder->file.path, count, what, folder->run.records);
}

static void read_lines(void *data)
{
    struct run_folder *folder = data;
    char *path = inside(folder, "records.jsonl");
    record_file_free(&folder->file);
    if (folder->need == FOLDER_FINISHED) /* which had records */
        file_check_exists(path);
    record_file_read_lines(path, &folder->file);
    check_count(folder, folder->file.lines.count, "lines");
    file_hashes_check_present(folder->info, folder->path);
    file_hash_check_lines(folder->info, folder->path, "records.jsonl", &folder->file.lines);
    folder->has_lines = 1;
}

static void read_records(void *data)
{
    struct run_folder *folder = data;
    if (run_folder_is_search(folder))
        die_of_tune(folder);
    if (!folder->has_lines)
        read_lines(folder);
    record_file_parse(&folder->file);
    check_count(folder, folder->file.records.count, "different records");
    folder->has_records = 1;
}

static void read_timings(void *data)
{
    struct run_folder *folder = data;
    folder->timings = lines_read(folder->pool, inside(folder, "timings.jsonl"));
    file_hash_check_lines(folder->info, folder->path, "timings.jsonl", &folder->timings);
    folder->has_timings = 1;
}

/* Whether the JSON is well-formed; NULL means a single shot. */
static int take_cpu_seconds(const cJSON *json, struct cpu_seconds *cpu)
{
    const char *const names[] = {"median", "min", "max", "spread", "repeats"};
    double numbers[sizeof names / sizeof *names];
    for (size_t i = 0; json && i < sizeof names / sizeof *names; i++) {
        const cJSON *number = member(json, names[i]);
        if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0))
            return 0;
        numbers[i] = number->valuedouble;
    }
    if (!json)
        return 1;
    *cpu = (struct cpu_seconds){(unsigned)fmin(numbers[4], 1e9), numbers[0], numbers[1], numbers[2], numbers[3]};
    return 1;
}

static void read_times(void *data)
{
    struct run_folder *folder = data;
    const struct lines *lines = &folder->timings;
    if (!folder->has_records)
        read_records(folder); /* notices times that are missing and listed */
    if (!folder->has_timings)
        read_timings(folder);
    if (lines->count != folder->file.n_all)
        die(STATUS_BAD_INPUT, "%s/timings.jsonl: has %zu times, but the folder has %zu records", folder->path,
            lines->count, folder->file.n_all);
    for (size_t i = 0; i < lines->count; i++) {
        struct json_fault ignored;
        const cJSON *json = json_parse_pooled(&folder->file.pool, lines->line[i], &ignored);
        const cJSON *index = member(json, "index"), *seconds = member(json, "seconds");
        struct record *record = &folder->file.all[i];
        if (!cJSON_IsNumber(index) || index->valuedouble != (double)i || !cJSON_IsNumber(seconds) ||
            !take_cpu_seconds(member(json, "cpu_seconds"), &record->cpu))
            die(STATUS_BAD_INPUT, "%s/timings.jsonl:%zu: not the time of record %zu of %zu", folder->path, i + 1, i,
                lines->count);
        record->seconds = seconds->valuedouble;
    }
    folder->has_times = 1;
}

enum status run_folder_read_lines(struct run_folder *folder, struct error *error)
{
    return folder->has_lines ? STATUS_OK : attempt(read_lines, folder, error);
}

enum status run_folder_read_records(struct run_folder *folder, struct error *error)
{
    return folder->has_records ? STATUS_OK : attempt(read_records, folder, error);
}

enum status run_folder_read_timings(struct run_folder *folder, struct error *error)
{
    return folder->has_timings ? STATUS_OK : attempt(read_timings, folder, error);
}

enum status run_folder_read_times(struct run_folder *folder, struct error *error)
{
    return folder->has_times ? STATUS_OK : attempt(read_times, folder, error);
}

/* ---- properties of a folder ---- */

int run_folder_is_search(const struct run_folder *folder)
{
    return cJSON_HasObjectItem(folder->config, "tune");
}

int run_folder_is_for(const struct run_folder *folder, const char *name)
{
    size_t length = strlen(name);
    int is_table = strchr(name, '.') != NULL;
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, folder->tables)
        if (is_table ? strcmp(item->valuestring, name) == 0
                     : strncmp(item->valuestring, name, length) == 0 && item->valuestring[length] == '.')
            return 1;
    return 0;
}

/* ---- several folders ---- */

enum status run_folders_read(const char *const *paths, size_t count, enum folder_need need, struct run_folders *folders,
                             struct error *error)
{
    enum status status = STATUS_OK;
    *folders = (struct run_folders){.items = xcalloc(count + 1, sizeof *folders->items)};
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = run_folder_read(paths[i], need, &folders->items[folders->count++], error);
    if (status != STATUS_OK)
        run_folders_free(folders);
    return status;
}

void run_folders_free(struct run_folders *folders)
{
    if (!folders)
        return;
    for (size_t i = 0; i < folders->count; i++)
        run_folder_free(&folders->items[i]);
    free(folders->items);
    *folders = (struct run_folders){0};
}

struct records run_folders_records(struct pool *pool, const struct run_folders *folders, const char *name,
                                   enum draws draws)
{
    struct records records = {.pool = pool};
    struct error error;
    for (size_t i = 0; i < folders->count; i++) {
        if ((name && !run_folder_is_for(&folders->items[i], name)) ||
            (draws == DRAWS_FIRST && folders->items[i].has_more_draws))
            continue;
        die_unless_found(run_folder_read_records(&folders->items[i], &error), &error);
        records_join(&records, &folders->items[i].file.records);
    }
    return records;
}

static int is_size(const cJSON *json)
{
    return cJSON_IsNumber(json) && json->valuedouble >= 1 && json->valuedouble <= 1e9;
}

/* record->where is "FILE:LINE". */
static int holds(const struct run_folder *folder, const struct record *record)
{
    const size_t length = folder->file.path ? strlen(folder->file.path) : 0;
    return length && record->where && strncmp(record->where, folder->file.path, length) == 0 &&
           record->where[length] == ':';
}

const struct run_folder *run_folders_of(const struct run_folders *folders, const struct record *record)
{
    for (size_t i = 0; i < folders->count; i++)
        if (holds(&folders->items[i], record))
            return &folders->items[i];
    return NULL;
}

void run_folders_sizes(const struct run_folders *folders, const struct record *record, size_t *train, size_t *test)
{
    const struct run_folder *folder = run_folders_of(folders, record);
    const cJSON *item = NULL, *data = folder ? member(folder->info, "data") : NULL;
    cJSON_ArrayForEach (item, data) {
        const char *name = cJSON_GetStringValue(member(item, "dataset"));
        const cJSON *of_train = member(item, "train"), *of_test = member(item, "test");
        if (!name || strcmp(name, record->dataset) != 0 || !is_size(of_train) || !is_size(of_test))
            continue;
        *train = (size_t)of_train->valuedouble;
        *test = (size_t)of_test->valuedouble;
    }
}

cJSON *run_folders_missing(const struct run_folders *folders, const char *name)
{
    cJSON *missing = json_new_array();
    const cJSON *item = NULL;
    for (size_t i = 0; i < folders->count; i++)
        if (!name || run_folder_is_for(&folders->items[i], name))
            cJSON_ArrayForEach (item, member(folders->items[i].info, "missing"))
                cJSON_AddItemToArray(missing, cJSON_Duplicate(item, 1));
    return missing;
}
