/*
 * Reads records.jsonl. Every line must be an object with the required members of record_members
 * (harness/run/record_line.h); the others are read if they are there. Two records of the same measurement (same data
 * set, split, solver, params, kernel and stop) must agree: statistics over both would count one split twice, and if
 * they differ it is unknown which one is right.
 */
#include "harness/records/record.h"

#include <string.h>

#include "harness/records/measures.h"

/* ---- strings ---- */

/* The file's only copy of the string. */
static const char *shared_text(struct record_file *file, const char *text)
{
    size_t place = name_order_find(&file->texts, text);
    if (place == file->texts.count)
        place = name_order_add(&file->texts, pool_strdup(file->pool, text)); /* may move the names */
    return file->texts.names[place];
}

static const char *shared_json(struct record_file *file, const cJSON *value)
{
    char *printed = cJSON_PrintUnformatted(value);
    const char *text = shared_text(file, printed);
    cJSON_free(printed);
    return text;
}

/* ---- one record ---- */

/* The members by which records are read: numbers of any size, or null, and optional texts of any characters. Of
 * reference counts, only what was measured and the outcome are required. */
static const struct member *members_of(struct pool *pool, const struct member *from, int are_counts)
{
    struct LIST_OF(struct member) members = {0};
    do {
        struct member *member = pool_push(pool, &members);
        *member = *from;
        if (are_counts && !(member->flags & MEMBER_IDENTITY))
            member->flags &= ~(unsigned)MEMBER_REQUIRED;
        if (member->kind == MEMBER_TEXT && !(member->flags & MEMBER_REQUIRED))
            member->flags |= MEMBER_LINES | MEMBER_NULLABLE;
        if (member->kind == MEMBER_PART)
            member->inner = members_of(pool, from->inner, are_counts);
        else if (member->kind == MEMBER_WHOLE)
            member->kind = MEMBER_REAL;
        if (member->kind == MEMBER_REAL || member->kind == MEMBER_PART) {
            member->flags |= MEMBER_NULLABLE;
            member->low = member->high = 0;
        }
    } while (from++->kind != MEMBER_LAST);
    return members.item;
}

/* Copies the three objects, prints them and collects their members. */
static void make_settings(struct record_file *file, struct record *record, const cJSON *const *objects)
{
    const cJSON **const copies[] = {&record->params, &record->kernel, &record->stop};
    const char **const texts[] = {&record->params_text, &record->kernel_text, &record->stop_text};
    size_t n = 0;
    for (size_t i = 0; i < SETTING_GROUPS; i++)
        n += (size_t)cJSON_GetArraySize(objects[i]);
    record->settings = pool_array(file->pool, n, sizeof *record->settings);
    for (size_t i = 0; i < SETTING_GROUPS; i++) {
        *copies[i] = json_keep(file->pool, cJSON_Duplicate(objects[i], 1));
        *texts[i] = shared_json(file, *copies[i]);
        json_each (value, *copies[i])
            record->settings[record->n_settings++] = (struct setting){
                .name = shared_text(file, strcmp(value->string, setting_kinds[i]) == 0 ? setting_groups[i]
                                                                                       : value->string),
                .text = cJSON_IsString(value) ? shared_text(file, value->valuestring) : shared_json(file, value),
                .number = cJSON_IsNumber(value) ? value->valuedouble : (double)NAN,
                .group = (enum setting_group)i,
                .is_text = cJSON_IsString(value)};
    }
}

/* Reads params, kernel and stop, which are made for the first record with these characters: most share theirs. */
static void take_settings(struct record_file *file, struct record *record)
{
    const cJSON *const objects[SETTING_GROUPS] = {record->params, record->kernel, record->stop};
    struct json_span spans[SETTING_GROUPS] = {{0}};
    for (size_t i = 0; i < SETTING_GROUPS && record->text; i++)
        spans[i] = json_span_of(objects[i]);
    size_t index = file->owners.count;
    if (record->text) {
        char *key = xasprintf("%.*s%.*s%.*s", (int)spans[0].length, spans[0].text, (int)spans[1].length,
                              spans[1].text, (int)spans[2].length, spans[2].text);
        index = name_order_take(&file->combinations, key);
    }
    if (index == file->owners.count) {
        make_settings(file, record, objects);
        records_add(&file->owners, record);
    }
    const struct record *owner = file->owners.items[index];
    record->params = owner->params, record->kernel = owner->kernel, record->stop = owner->stop;
    record->params_text = owner->params_text;
    record->kernel_text = owner->kernel_text;
    record->stop_text = owner->stop_text;
    record->settings = owner->settings;
    record->n_settings = owner->n_settings;
}

/* Takes a line, or an element of reference counts. */
static void take_members(struct record_file *file, struct record *record, const struct member *members)
{
    const struct json_path place = {.file = record->where};
    const cJSON *json = record->json ? record->json : json_object_of_line(file->json, record->text, &place);
    members_read(file->json, members, json, &place, record);
    record->seconds = (double)NAN;
    record->dataset = shared_text(file, record->dataset);
    record->solver = shared_text(file, record->solver);
    record->config = record->config ? shared_text(file, record->config) : NULL;
    record->reason = record->reason ? shared_text(file, record->reason) : NULL;
    record->outcome = outcome_name(record->ending);
    record->split_source = record->json ? NULL : split_source_name(record->source);
    take_settings(file, record);
    record->converged = record->ending == OUTCOME_CONVERGED;
    record->stalled = record->ending == OUTCOME_STALLED;
    record->failed = record->ending == OUTCOME_FAILED;
    record->at_limit = !record->converged && !record->stalled && !record->failed;
    record->resampled = record->source == SPLIT_RESAMPLED;
    record->generated = record->source == SPLIT_GENERATED;
}

cJSON *record_json(const struct record *record)
{
    cJSON *json = record->json ? cJSON_Duplicate(record->json, 1) : json_parse_text(record->text, NULL);
    if (!json)
        out_of_memory();
    return json;
}

/* The group that begins the name; SETTING_GROUPS: none does. */
static size_t group_of_name(const char *name)
{
    size_t g = 0;
    while (g < SETTING_GROUPS && strncmp(name, setting_groups[g], strlen(setting_groups[g])) != 0)
        g++;
    return g < SETTING_GROUPS && name[strlen(setting_groups[g])] == '.' ? g : SETTING_GROUPS;
}

const char *setting_of_name(const char *name)
{
    const size_t g = group_of_name(name);
    const char *rest = g < SETTING_GROUPS ? name + strlen(setting_groups[g]) + 1 : name;
    return g < SETTING_GROUPS && strcmp(rest, setting_kinds[g]) == 0 ? setting_groups[g] : rest;
}

const struct setting *record_setting(const struct record *record, const char *name)
{
    const size_t group = group_of_name(name);
    const char *bare = setting_of_name(name);
    for (size_t i = 0; i < record->n_settings; i++)
        if (strcmp(record->settings[i].name, bare) == 0 &&
            (group == SETTING_GROUPS || record->settings[i].group == (enum setting_group)group))
            return &record->settings[i];
    return NULL;
}

/* ---- differences; nested objects are compared member by member, and lists as a whole ---- */

static const char *span_text(struct pool *pool, const cJSON *value)
{
    const struct json_span span = value ? json_span_of(value) : (struct json_span){"missing", strlen("missing")};
    return pool_strndup(pool, span.text, span.length);
}

/* Compares the members of two objects; `outer` begins the paths of nested members. */
static void compare_objects(struct pool *pool, const cJSON *was, const cJSON *is, const char *outer,
                            struct json_differences *list)
{
    json_each (item, was) {
        const cJSON *other = json_member(is, item->string);
        const char *path = pool_printf(pool, "%s%s", outer, item->string);
        const char *one = span_text(pool, item), *now = span_text(pool, other);
        if (cJSON_IsObject(item) && cJSON_IsObject(other))
            compare_objects(pool, item, other, pool_printf(pool, "%s.", path), list);
        else if (strcmp(one, now) != 0)
            *pool_push(pool, list) = (struct json_difference){path, one, now};
    }
    json_each (item, is)
        if (!json_member(was, item->string))
            *pool_push(pool, list) = (struct json_difference){pool_printf(pool, "%s%s", outer, item->string),
                                                              "missing", span_text(pool, item)};
}

struct json_differences record_diff(struct pool *pool, const char *was, const char *is)
{
    struct json_differences list = {0};
    const cJSON *one = json_parse_pooled(pool, was, NULL), *other = json_parse_pooled(pool, is, NULL);
    compare_objects(pool, cJSON_IsObject(one) ? one : NULL, cJSON_IsObject(other) ? other : NULL, "", &list);
    return list;
}

size_t text_first_difference(const char *a, const char *b)
{
    size_t line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}

/* ---- lists ---- */

void records_add(struct records *records, const struct record *record)
{
    records->items =
        pool_grow(records->pool, records->items, records->count, &records->capacity, sizeof *records->items);
    records->items[records->count++] = record;
}

void records_append(struct records *records, const struct records *more)
{
    for (size_t i = 0; i < more->count; i++)
        records_add(records, more->items[i]);
}

int record_same_settings(const struct record *a, const struct record *b)
{
    return a->settings == b->settings ||
           (strcmp(a->params_text, b->params_text) == 0 && strcmp(a->kernel_text, b->kernel_text) == 0 &&
            strcmp(a->stop_text, b->stop_text) == 0);
}

int record_compare(const struct record *a, const struct record *b)
{
    int order = strcmp(a->dataset, b->dataset);
    order = order ? order : (a->split > b->split) - (a->split < b->split);
    order = order ? order : strcmp(a->solver, b->solver);
    order = order ? order : strcmp(a->params_text, b->params_text);
    order = order ? order : strcmp(a->kernel_text, b->kernel_text);
    return order ? order : strcmp(a->stop_text, b->stop_text);
}

/* Refuses a record of the same measurement that differs, unless in the configuration's name or the schema. */
static void check_repeat(struct pool *pool, const struct record *first, const struct record *other)
{
    static const char head[] = "{\"schema\":%*d,\"config\":\"%*[^\"]\"%n";
    int skipped = 0, other_skipped = 0; /* characters of lines as the program writes them */
    (void)sscanf(first->text, head, &skipped);
    (void)sscanf(other->text, head, &other_skipped);
    if (strcmp(first->text + skipped, other->text + other_skipped) == 0)
        return;
    const struct json_differences found = record_diff(pool, first->text, other->text);
    for (size_t i = 0; i < found.count; i++)
        if (strcmp(found.item[i].path, "config") != 0 && strcmp(found.item[i].path, "schema") != 0)
            die(STATUS_BAD_INPUT,
                "%s: contradicts %s: both are of %s, split %zu, %s, params %s, kernel %s, stop %s, but \"%s\" is "
                "%.400s here and %.400s there; one of them is wrong, or their budgets differ, which records do not "
                "contain",
                other->where, first->where, other->dataset, other->split, other->solver, other->params_text,
                other->kernel_text, other->stop_text, found.item[i].path, found.item[i].is, found.item[i].was);
}

char *measurement_key(const char *dataset, size_t split, const char *solver, const char *params, const char *kernel,
                      const char *stop)
{
    return xasprintf("%s\n%zu\n%s\n%s\n%s\n%s", dataset, split, solver, params, kernel, stop);
}

char *record_key(const struct record *record)
{
    return measurement_key(record->dataset, record->split, record->solver, record->params_text, record->kernel_text,
                           record->stop_text);
}

/* Keeps the first of equal records and refuses contradicting ones. */
static void drop_repeats(struct records *records)
{
    struct pool *pool = pool_new();
    struct name_order keys = {.pool = pool}; /* of the records that are kept */
    size_t kept = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        const size_t at = name_order_take(&keys, record_key(record));
        if (at < kept)
            check_repeat(pool, records->items[at], record);
        else
            records->items[kept++] = record;
    }
    records->count = kept;
    pool_free(pool);
}

void records_join(struct records *records, const struct records *more)
{
    records_append(records, more);
    drop_repeats(records);
}

/* ---- files ---- */

static void begin_file(struct pool *pool, const char *path, struct record_file *file)
{
    *file = (struct record_file){.path = pool_strdup(pool, path), .pool = pool, .records = {.pool = pool},
                                 .texts = {.pool = pool}, .combinations = {.pool = pool}, .owners = {.pool = pool},
                                 .json = pool_new_inside(pool)};
}

void record_file_read_lines(struct pool *pool, const char *path, struct record_file *file)
{
    begin_file(pool, path, file);
    file_check_exists(path);
    file->lines = lines_read(pool, path);
}

void record_file_parse(struct record_file *file)
{
    const struct member *members = members_of(file->pool, record_members, 0);
    file->all = pool_array(file->pool, file->lines.count, sizeof *file->all);
    for (; file->n_all < file->lines.count; file->n_all++) {
        struct record *record = &file->all[file->n_all];
        record->text = file->lines.line[file->n_all];
        record->where = pool_printf(file->pool, "%s:%zu", file->path, file->n_all + 1);
        take_members(file, record, members);
        records_add(&file->records, record);
    }
    drop_repeats(&file->records);
}

void record_file_take(struct pool *pool, const char *path, const struct cJSON *list, struct record_file *file)
{
    const struct member *members = members_of(pool, record_members, 1);
    begin_file(pool, path, file);
    file->all = pool_array(pool, (size_t)cJSON_GetArraySize(list), sizeof *file->all);
    json_each (item, list) {
        struct record *record = &file->all[file->n_all];
        record->json = item;
        record->where = pool_printf(pool, "%s: records[%zu]", path, file->n_all++);
        take_members(file, record, members);
        records_add(&file->records, record);
    }
}
