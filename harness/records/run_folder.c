/*
 * Reads run folders. A configuration names the published tables its runs are for, and only those runs feed a table. So
 * a run of the same solver with other settings, made for another purpose, never enters a comparison with a paper.
 */
#include "harness/records/run_folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/run/run_files.h"

static char *inside(const struct run_folder *folder, const char *name)
{
    return pool_printf(folder->pool, "%s/%s", folder->path, name);
}

static int has(const struct run_folder *folder, const char *name)
{
    return access(inside(folder, name), F_OK) == 0;
}

/* ---- errors for unreadable folders ---- */

static enum status status_of_absent(const struct run_folder *folder)
{
    return folder->need == FOLDER_PART ? STATUS_NOT_FOUND : STATUS_BAD_INPUT;
}

/* The journal has one line per record after the header, which contains the number of jobs. */
static _Noreturn void die_unfinished(const struct run_folder *folder)
{
    const char *text = file_read_or_null(folder->pool, inside(folder, "journal.jsonl"), NULL);
    const char *number = text ? strstr(text, "\"jobs\":") : NULL;
    const size_t jobs = number ? (size_t)strtoull(number + strlen("\"jobs\":"), NULL, 10) : 0;
    size_t lines = 0;
    for (const char *at = text; at && (at = strchr(at, '\n')); at++)
        lines++;
    die(status_of_absent(folder),
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
    const int is_run = folder->need >= FOLDER_FINISHED;
    if (!folder->info && has(folder, "journal.jsonl"))
        die_unfinished(folder);
    if (!folder->config_text && has(folder, "compare.json"))
        die(STATUS_BAD_INPUT, "%s: contains only a comparison (compare.md); give the folders that were compared",
            folder->path);
    if (!file_is_folder(folder->path))
        die(status_of_absent(folder), "%s: no such folder", folder->path);
    if (is_run && !folder->info)
        die(status_of_absent(folder), "%s: not a finished run (no run.json)", folder->path);
    if (is_run && run_folder_is_search(folder))
        die_of_tune(folder);
    if (folder->need != FOLDER_RECORDS && !folder->config_text)
        die(STATUS_BAD_INPUT, "%s: not a run folder (no config.json)", folder->path);
}

/* Separates the names of published tables from the specifications of other tables. */
static void take_tables(struct run_folder *folder)
{
    folder->outputs = json_member(folder->config, "tables");
    if (folder->outputs && !cJSON_IsArray(folder->outputs))
        die(STATUS_BAD_INPUT, "%s/config.json: \"tables\" must be an array", folder->path);
    cJSON *published = folder->outputs ? json_keep(folder->pool, json_new_array()) : NULL;
    folder->tables = published;
    json_each (item, folder->outputs) {
        if (cJSON_IsObject(item))
            continue;
        if (!cJSON_IsString(item) || !strchr(item->valuestring, '.') || strchr(item->valuestring, '/'))
            die(STATUS_BAD_INPUT, "%s/config.json: \"tables\": \"%.100s\" is not the name of a table, PAPER.TABLE",
                folder->path, cJSON_IsString(item) ? item->valuestring : "no text");
        json_add_text(published, item->valuestring);
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

/* Reads run.json. For a finished run it must identify the plan and show that nothing is missing. */
static void take_run(struct run_folder *folder)
{
    const struct json_path place = {.file = inside(folder, "run.json")};
    const struct run_info *run = &folder->run;
    run_info_read(folder->pool, folder->info, place.file, &folder->run);
    for (size_t d = 0; d < run->data.count; d++)
        name_order_add(&folder->datasets, run->data.item[d].dataset);
    const char *missing = run->fingerprint.plan == 0 ? "plan"
                          : !run->version            ? "version"
                          : !run->has_records        ? "records"
                                                     : NULL;
    if (folder->need < FOLDER_FINISHED)
        return;
    if (missing)
        json_die(&place, "key \"%s\" is missing", missing);
    if (run->is_partial)
        json_die(&place, "a result that lacks parts; give the folders from which it was merged");
    folder->plan_agrees = fingerprint_of(run, folder->config_text).plan == run->fingerprint.plan;
}

void run_folder_open(struct pool *pool, const char *path, enum folder_need need, struct run_folder *folder)
{
    char *info_text;
    *folder = (struct run_folder){.pool = pool, .path = path, .need = need, .datasets = {.pool = pool}};
    folder_check_regular(folder->path);
    folder->config = read_json(folder, "config.json", &folder->config_text);
    folder->info = read_json(folder, "run.json", &info_text);
    check_kind(folder);
    if (!folder->config)
        folder->config = json_parse(folder->pool, folder->path, "{}");
    const cJSON *draws = json_member(folder->config, "draws");
    folder->has_more_draws = cJSON_IsNumber(draws) && draws->valuedouble > 1;
    take_tables(folder);
    if (folder->info)
        take_run(folder);
}

/* ---- records and times ---- */

static void check_count(const struct run_folder *folder, size_t count, const char *what)
{
    if (folder->run.has_records && count != folder->run.records)
        die(STATUS_BAD_INPUT, "%s: has %zu %s, but run.json says %zu records: the folder is damaged",
            folder->file.path, count, what, folder->run.records);
}

void run_folder_read_lines(struct run_folder *folder)
{
    if (folder->has_lines)
        return;
    record_file_read_lines(folder->pool, inside(folder, "records.jsonl"), &folder->file);
    check_count(folder, folder->file.lines.count, "lines");
    file_hashes_check_present(folder->info, folder->path);
    file_hash_check_lines(folder->info, folder->path, "records.jsonl", &folder->file.lines);
    folder->has_lines = 1;
}

const struct records *run_folder_read_records(struct run_folder *folder)
{
    if (folder->has_records)
        return &folder->file.records;
    if (run_folder_is_search(folder))
        die_of_tune(folder);
    run_folder_read_lines(folder);
    record_file_parse(&folder->file);
    check_count(folder, folder->file.records.count, "different records");
    folder->has_records = 1;
    return &folder->file.records;
}

int run_folder_read_times(struct run_folder *folder)
{
    const struct string_list *lines = &folder->timings;
    const struct record_file *file = &folder->file;
    run_folder_read_records(folder); /* notices times that are missing and listed */
    if (folder->has_times || !has(folder, "timings.jsonl"))
        return folder->has_times;
    folder->timings = lines_read(folder->pool, inside(folder, "timings.jsonl"));
    file_hash_check_lines(folder->info, folder->path, "timings.jsonl", &folder->timings);
    if (lines->count != file->n_all)
        die(STATUS_BAD_INPUT, "%s/timings.jsonl: has %zu times, but the folder has %zu records", folder->path,
            lines->count, file->n_all);
    for (size_t i = 0; i < lines->count; i++) {
        const struct json_path place = {.file = pool_printf(folder->pool, "%s/timings.jsonl:%zu", folder->path, i + 1)};
        const cJSON *json = json_object_of_line(file->json, lines->line[i], &place);
        struct record *record = &file->all[i];
        struct timing_line line;
        members_read(folder->pool, timing_members, json, &place, &line);
        if (line.index != i)
            json_die(&place, "not the time of record %zu of %zu", i, lines->count);
        record->seconds = line.timing.seconds;
        record->cpu = line.timing.cpu;
        record->budget = line.timing.budget;
        record->rows = line.timing.rows;
        json_each (number, line.job)
            if (record->n_places < PLAN_PLACE && cJSON_IsNumber(number))
                record->place[record->n_places++] = (uint32_t)number->valuedouble;
    }
    folder->has_times = 1;
    return 1;
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
    json_each (item, folder->tables)
        if (is_table ? strcmp(item->valuestring, name) == 0
                     : strncmp(item->valuestring, name, length) == 0 && item->valuestring[length] == '.')
            return 1;
    return 0;
}

/* ---- several folders ---- */

struct run_folders run_folders_open(struct pool *pool, const char *const *paths, size_t count, enum folder_need need)
{
    struct run_folders folders = {pool_array(pool, count, sizeof *folders.items), count};
    for (size_t i = 0; i < count; i++)
        run_folder_open(pool, paths[i], need, &folders.items[i]);
    return folders;
}

struct records run_folders_records(struct pool *pool, const struct run_folders *folders, const char *name,
                                   enum draws draws)
{
    struct records records = {.pool = pool};
    for (size_t i = 0; i < folders->count; i++)
        if ((!name || run_folder_is_for(&folders->items[i], name)) &&
            (draws == DRAWS_ALL || !folders->items[i].has_more_draws))
            records_join(&records, run_folder_read_records(&folders->items[i]));
    return records;
}

const struct run_folder *run_folders_of(const struct run_folders *folders, const struct record *record)
{
    for (size_t i = 0; i < folders->count; i++) {
        const struct record_file *file = &folders->items[i].file;
        if ((uintptr_t)record - (uintptr_t)file->all < file->n_all * sizeof *file->all)
            return &folders->items[i];
    }
    return NULL;
}

void run_folders_sizes(const struct run_folders *folders, const struct record *record, size_t *train, size_t *test)
{
    const struct run_folder *folder = run_folders_of(folders, record);
    const size_t d = folder ? name_order_find(&folder->datasets, record->dataset) : 0;
    const struct run_info_data *data = folder && d < folder->datasets.count ? &folder->run.data.item[d] : NULL;
    if (data && data->n_train > 0 && data->n_test > 0) {
        *train = data->n_train;
        *test = data->n_test;
    }
}

cJSON *run_folders_missing(const struct run_folders *folders, const char *name)
{
    cJSON *missing = json_new_array();
    for (size_t i = 0; i < folders->count; i++)
        if (!name || run_folder_is_for(&folders->items[i], name))
            json_each (item, json_member(folders->items[i].info, "missing"))
                cJSON_AddItemToArray(missing, cJSON_Duplicate(item, 1));
    return missing;
}

/*
 * ---- the same splits ----
 *
 * Records of several folders are paired by data set, number and source of the split. Official splits are lists in the
 * data file and the same everywhere; those in a user's file are the same if the data are. All others depend on seed,
 * data and sizes or number of folds (split.h), and results on them depend on whether features were
 * standardised. So if two folders share such splits, these settings must agree. The number of repeats of a
 * cross-validation need not, because each repeat is shuffled independently.
 */

/* The object in the list whose `key` is the name, or NULL. */
static const cJSON *named(const cJSON *list, const char *key, const char *name)
{
    json_each (item, list) {
        const char *word = cJSON_GetStringValue(json_member(item, key));
        if (word && name && strcmp(word, name) == 0)
            return item;
    }
    return NULL;
}

/* Where a folder stores the settings that the splits of a data set depend on: the data set in run.json, the
 * configuration, its entry of the set and its "splits". */
enum place { IN_RUN, IN_CONFIG, IN_SET, IN_SPLITS, PLACES };

/* Kinds of splits that two folders share. */
enum { DRAWN = 1, FOLDS = 2, OWN_FILE = 4, ANY = DRAWN | FOLDS | OWN_FILE };

static const struct {
    const char *what, *key;
    enum place place;
    int matters; /* the splits it affects */
    const char *fallback;
} conditions[] = {
    {"data with SHA-256", "sha256", IN_RUN, ANY, "not given"},
    {"seed", "seed", IN_CONFIG, DRAWN | FOLDS, "1"},
    {"standardise", "standardise", IN_CONFIG, ANY, "\"training\""}, /* the default of the user's files */
    {"n_train", "n_train", IN_SET, DRAWN, "not given"},
    {"n_test", "n_test", IN_SET, DRAWN, "not given"},
    {"splits.folds", "folds", IN_SPLITS, FOLDS, "10"},
    {"splits.stratified", "stratified", IN_SPLITS, FOLDS, "false"},
    {"splits.equal_sizes", "equal_sizes", IN_SPLITS, FOLDS, "false"},
};

/* A setting of the folder, for the data set `said` of its run.json; NULL if it is missing. */
static const cJSON *setting_at(const struct run_folder *folder, const cJSON *said, enum place place, const char *key)
{
    const char *dataset = cJSON_GetStringValue(json_member(said, "dataset"));
    const cJSON *const places[PLACES] = {[IN_RUN] = said,
                                         [IN_CONFIG] = folder->config,
                                         [IN_SET] = named(json_member(folder->config, "datasets"), "name", dataset),
                                         [IN_SPLITS] = json_member(folder->config, "splits")};
    return json_member(places[place], key);
}

/* The splits of the data set that both have, except the official ones in the data file. */
static int shared_splits(const struct run_folder *one, const cJSON *said, const struct run_folder *other,
                         const cJSON *theirs)
{
    int shared = 0;
    for (unsigned s = 0; s <= SPLIT_FOLD; s++) {
        const char *source = split_source_name((enum split_source)s);
        if (!json_member(said, source) || !json_member(theirs, source))
            continue;
        if (s == SPLIT_FOLD)
            shared |= FOLDS;
        else if (s != SPLIT_OFFICIAL)
            shared |= DRAWN;
        else if (setting_at(one, said, IN_SET, "file") || setting_at(other, theirs, IN_SET, "file"))
            shared |= OWN_FILE;
    }
    return shared;
}

static const char *condition_text(const struct run_folder *folder, const cJSON *said, size_t k)
{
    const cJSON *value = setting_at(folder, said, conditions[k].place, conditions[k].key);
    return value ? json_to_text(value) : conditions[k].fallback;
}

void run_folder_check_splits(const struct run_folder *one, const struct run_folder *other)
{
    json_each (said, json_member(one->info, "data")) {
        const char *dataset = cJSON_GetStringValue(json_member(said, "dataset"));
        const cJSON *theirs = named(json_member(other->info, "data"), "dataset", dataset);
        const int shared = theirs ? shared_splits(one, said, other, theirs) : 0;
        for (size_t k = 0; shared && k < sizeof conditions / sizeof *conditions; k++) {
            const char *was = condition_text(one, said, k), *is = condition_text(other, theirs, k);
            if ((shared & conditions[k].matters) && strcmp(was, is) != 0)
                die(STATUS_BAD_INPUT,
                    "%s has %s %s and %s has %s: their splits of %s have different patterns and cannot be paired",
                    one->path, conditions[k].what, was, other->path, is, dataset);
        }
    }
}

static int share_a_paper(const struct run_folder *a, const struct run_folder *b)
{
    json_each (item, a->tables)
        if (run_folder_is_for(b, pool_strndup(a->pool, item->valuestring, strcspn(item->valuestring, "."))))
            return 1;
    return 0;
}

void run_folders_check_splits(const struct run_folders *runs)
{
    for (size_t j = 1; j < runs->count; j++)
        for (size_t i = 0; i < j; i++)
            if (share_a_paper(&runs->items[i], &runs->items[j]))
                run_folder_check_splits(&runs->items[i], &runs->items[j]);
}
