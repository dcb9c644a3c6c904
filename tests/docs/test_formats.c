/*
 * The schemas in schemas/ and the tables of keys in the documents are those of the tables of members
 * (harness/support/members.h). `make schemas` runs this program with the word "write", which writes them.
 *
 * In a schema, the table gives `required`, `additionalProperties` and, of each property, what follows from its row.
 * Everything else in the file is written by hand and kept, such as patterns, conditions, and the properties of
 * MEMBER_JSON (also _OBJECT and _LIST), which have only their description and type from the row, and that they are
 * required if the row says so. A property that is a "$ref" stays one; its definition may have a table of its own in the
 * list below.
 *
 * In a document, the comment "<!-- keys of NAME -->" is followed by a table. Its columns "type", "allowed" and
 * "default" come from the rows, as far as these know them. The other cells are written by hand and kept; a new row
 * gets the row's `doc` as its last cell.
 *
 * Between "<!-- list of NAME -->" and "<!-- end -->" a file has names of the members of records, which the flags and
 * tolerances of their rows choose. The schema of reference counts has a property for each member with a tolerance.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/pool.h"
#include "harness/config/config.h"
#include "harness/data/manifest.h"
#include "harness/folders/history.h"
#include "harness/papers/paper.h"
#include "harness/plot/kinds.h"
#include "harness/plot/plot.h"
#include "harness/programs/program.h"
#include "harness/records/measures.h"
#include "harness/run/record_line.h"
#include "harness/run/run_info.h"
#include "harness/support/file.h"
#include "harness/support/members.h"
#include "harness/tables/table_spec.h"
#include "harness/tune/tune_config.h"
#include "tests/scratch_folder.h"

/* The tables: the object in schemas/SCHEMA.schema.json and the document that has its keys, if any. `others` are
 * properties of the schema that are read elsewhere. */
static const struct format {
    const struct member *members;
    const char *schema, *at; /* "": the whole; "/$defs/budget" */
    const char *document, *name;
    const char *const *others;
} formats[] = {
    {baseline_members, "baseline", "", NULL, NULL, NULL},
    {history_members, "history", "", NULL, NULL, NULL},
    {history_sum_members, "history", "/properties/sums/items", NULL, NULL, NULL},
    {config_members, "config", "", "docs/configuration.md", "configurations", (const char *const[]){"tune", NULL}},
    {config_dataset_members, "config", "/$defs/dataset", "docs/configuration.md", "data sets", NULL},
    {config_family_members, "config", "/$defs/generate", "docs/configuration.md", "generated sets", NULL},
    {config_fold_members, "config", "/$defs/splits/then", NULL, NULL, NULL},
    {config_solver_members, "config", "/$defs/solver", NULL, NULL, NULL},
    {config_stop_members, "config", "/$defs/stop", "docs/configuration.md", "stopping rules", NULL},
    {config_budget_members, "config", "/$defs/budget", "docs/configuration.md", "budgets", NULL},
    {table_spec_members, "config", "/$defs/table", "docs/tables.md", "tables", NULL},
    {table_metric_members, "config", "/$defs/table/properties/metrics/items/else", "docs/tables.md", "metrics", NULL},
    {record_members, "record", "", "docs/formats.md", "records", NULL},
    {program_members, "solver", "", "docs/programs.md", "declarations", NULL},
    {program_parameter_members, "solver", "/properties/parameters/items", "docs/programs.md", "parameters of programs",
     NULL},
    {program_cost_members, "solver", "/properties/setup_costs/items", "docs/programs.md", "costs of programs", NULL},
    {program_cost_members, "solver", "/properties/iteration_costs/items", NULL, NULL, NULL},
    {program_stop_members, "solver", "/properties/default_stop", NULL, NULL, NULL},
    {timing_members, "timing", "", NULL, NULL, NULL},
    {cpu_seconds_members, "timing", "/properties/cpu_seconds", NULL, NULL, NULL},
    {run_info_members, "run", "", "docs/formats.md", "run.json", (const char *const[]){"merged_from", "files", NULL}},
    {plot_spec_members, "figures", "", NULL, NULL, NULL},
    {plot_series_members, "figures", "/properties/series/items", NULL, NULL, NULL},
    {plot_members, "figures", "/properties/plots/items", "docs/plots.md", "figures", NULL},
    {plot_reference_members, "figures", "/properties/plots/items/properties/references/items", NULL, NULL, NULL},
    {plot_entry_series_members, "figures", "/properties/plots/items/properties/series/items", NULL, NULL, NULL},
    {manifest_members, "manifest", "", NULL, NULL, (const char *const[]){"about", NULL}},
    {manifest_set_members, "manifest", "/properties/datasets/items", "datasets/README.md", "data sets of the manifest",
     NULL},
    {manifest_own_members, "datasets", "", NULL, NULL, NULL},
    {manifest_own_set_members, "datasets", "/properties/datasets/items", NULL, NULL, NULL},
    {paper_members, "paper", "", NULL, NULL, NULL},
    {paper_table_members, "paper", "/$defs/table", NULL, NULL, NULL},
    {paper_column_members, "paper", "/$defs/column", NULL, NULL, NULL},
    {paper_side_members, "paper", "/$defs/side", NULL, NULL, NULL},
    {paper_filter_members, "paper", "/$defs/filter", NULL, NULL, NULL},
    {paper_cell_members, "paper", "/$defs/cell", NULL, NULL, (const char *const[]){"se", "se_decimals", NULL}},
    {paper_test_members, "paper", "/$defs/test", NULL, NULL, NULL},
    {paper_tuned_members, "paper", "/$defs/table/properties/tuned_to_paper/items", NULL, NULL, NULL},
    {claim_members, "paper", "/$defs/claim", NULL, NULL, NULL},
    {deviations_members, "deviations", "", NULL, NULL, NULL},
    {deviation_members, "deviations", "/properties/deviations/items", NULL, NULL, NULL},
    {experiment_members, "deviations", "/$defs/experiment", NULL, NULL, NULL},
    {paper_filter_members, "deviations", "/$defs/experiment/properties/replace", NULL, NULL, NULL},
    {tune_members, "config", "/$defs/tune", NULL, NULL, NULL},
    {tune_cma_es_members, "config", "/$defs/tune/properties/cma-es", NULL, NULL, NULL},
    {value_range_members, "config", "/$defs/range", NULL, NULL, NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats, WIDTH = 116 };

/* ---- schemas ---- */

static void put(cJSON *object, const char *key, cJSON *item)
{
    cJSON_AddItemToObject(object, key, item);
}

static int is_one_of(const char *word, const char *const *words)
{
    for (; words && *words; words++)
        if (strcmp(*words, word) == 0)
            return 1;
    return 0;
}

/* Copies the members of an object that `to` lacks, except those that tables own. */
static void keep_others(cJSON *to, const cJSON *from, const char *const *owned)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, from)
        if (!cJSON_GetObjectItemCaseSensitive(to, item->string) && !is_one_of(item->string, owned))
            put(to, item->string, cJSON_Duplicate(item, 1));
}

static int has_fallback(const struct member *member)
{
    if (member->flags & (MEMBER_REQUIRED | MEMBER_NULLABLE))
        return 0;
    if (member->kind == MEMBER_FLAG || member->kind == MEMBER_CHOICE)
        return member->fallback >= 0;
    const int is_limited = member->low != 0 || member->high != 0;
    const int is_above = member->flags & MEMBER_ABOVE ? member->fallback > member->low
                                                      : member->fallback >= member->low;
    return (member->kind == MEMBER_COUNT || member->kind == MEMBER_REAL || member->kind == MEMBER_WHOLE) &&
           isfinite(member->fallback) &&
           (is_limited ? is_above && member->fallback <= member->high : member->fallback != 0);
}

/* "1000", "1e-6" or "9e15". */
static const char *short_number(double number, char *text, size_t size)
{
    char *exponent;
    snprintf(text, size, "%s", json_number_to_text(number));
    if ((exponent = strchr(text, 'e'))) {
        const int power = (int)strtol(exponent + 1, NULL, 10);
        snprintf(exponent + 1, size - (size_t)(exponent + 1 - text), "%d", power);
    }
    return text;
}

/* A number, "false" or a word. */
static const char *fallback_text(const struct member *member, char *text, size_t size)
{
    if (member->kind == MEMBER_FLAG)
        return member->fallback != 0 ? "true" : "false";
    if (member->kind == MEMBER_CHOICE)
        return member->names[(size_t)member->fallback];
    return short_number(member->fallback, text, size);
}

static void put_type(cJSON *to, const struct member *member, const char *type)
{
    cJSON *types = member->flags & MEMBER_NULLABLE ? json_put_array(to, "type") : NULL;
    if (!types) {
        json_put_text(to, "type", type);
        return;
    }
    json_add_text(types, type);
    json_add_text(types, "null");
}

static void put_range(cJSON *to, const struct member *member)
{
    const int is_whole = member->kind != MEMBER_REAL, is_above = (member->flags & MEMBER_ABOVE) != 0;
    const int is_limited = member->low != 0 || member->high != 0;
    if ((is_limited && isfinite(member->low)) || (!is_limited && is_whole))
        put(to, is_above && !is_whole ? "exclusiveMinimum" : "minimum",
            cJSON_CreateNumber(member->low + (is_above && is_whole)));
    if (is_limited && isfinite(member->high))
        put(to, "maximum", cJSON_CreateNumber(member->high));
}

static void merge_object(cJSON *to, const cJSON *old, const struct member *members, const char *const *others);

/* The schema of the value of `member`, with what is written by hand in the old one. */
static cJSON *property(const struct member *member, const cJSON *old)
{
    static const char *const owned[] = {"description", "type", "enum", "minimum", "maximum", "exclusiveMinimum",
                                        "minLength", "minItems", "items", "$ref", "deprecated", NULL};
    static const char *const free_value[] = {NULL};
    cJSON *to = json_new_object();
    char text[40], about[1024];
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(old, "items");
    const char *reference = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(old, "$ref"));
    const int is_reference = reference && strcmp(reference, "#/$defs/text") != 0;
    snprintf(about, sizeof about, "%s%s%s%s%s", member->doc ? member->doc : "",
             has_fallback(member) && member->doc ? " " : "", has_fallback(member) ? "Default: " : "",
             has_fallback(member) ? fallback_text(member, text, sizeof text) : "", has_fallback(member) ? "." : "");
    if (*about)
        json_put_text(to, "description", about);
    const int has_names = member->names && member->kind != MEMBER_TEXTS;
    cJSON *names = has_names ? json_put_array(to, "enum") : NULL;
    for (size_t i = 0; names && member->names[i]; i++)
        json_add_text(names, member->names[i]);
    switch (member->kind) {
    case MEMBER_TEXT:
    case MEMBER_HASH:
        if (member->names)
            break;
        if (is_reference) {
            json_put_copy(to, "$ref", cJSON_GetObjectItemCaseSensitive(old, "$ref"));
            break;
        }
        put_type(to, member, "string");
        if (!(member->flags & MEMBER_LINES))
            json_put_number(to, "minLength", 1);
        if (member->high > 0) /* bytes, which JSON Schema cannot count, are at least as many as characters */
            json_put_number(to, "maxLength", member->high);
        break;
    case MEMBER_FLAG:
        put_type(to, member, "boolean");
        break;
    case MEMBER_CHOICE:
        break;
    case MEMBER_TEXTS:
    case MEMBER_LIST: {
        const struct member element = {.kind = member->kind == MEMBER_TEXTS ? MEMBER_TEXT : MEMBER_OBJECT,
                                       .names = member->names,
                                       .inner = member->inner};
        put_type(to, member, "array");
        if (is_reference) {
            cJSON_DeleteItemFromObject(to, "type");
            json_put_copy(to, "$ref", cJSON_GetObjectItemCaseSensitive(old, "$ref"));
            break;
        }
        if (member->flags & MEMBER_NOT_EMPTY)
            json_put_number(to, "minItems", 1);
        if (member->flags & MEMBER_DISTINCT)
            json_put_bool(to, "uniqueItems", 1);
        put(to, "items", property(&element, items));
        break;
    }
    case MEMBER_OBJECT:
    case MEMBER_PART:
        if (is_reference) {
            json_put_copy(to, "$ref", cJSON_GetObjectItemCaseSensitive(old, "$ref"));
            break;
        }
        put_type(to, member, "object");
        merge_object(to, old, member->inner, NULL);
        break;
    case MEMBER_JSON_OBJECT:
    case MEMBER_JSON_LIST:
        put_type(to, member, member->kind == MEMBER_JSON_LIST ? "array" : "object");
        keep_others(to, old, free_value);
        return to;
    case MEMBER_JSON:
        keep_others(to, old, free_value);
        return to;
    default:
        put_type(to, member, member->kind == MEMBER_REAL ? "number" : "integer");
        put_range(to, member);
    }
    keep_others(to, old, owned);
    return to;
}

static void put_property(cJSON *properties, const struct member *member, const cJSON *old)
{
    put(properties, member->key, property(member, cJSON_GetObjectItemCaseSensitive(old, member->key)));
    if (!member->former)
        return;
    struct member former = *member;
    char about[128];
    snprintf(about, sizeof about, "The former name of %s.", member->key);
    former.doc = about;
    former.fallback = (double)NAN;
    cJSON *json = property(&former, cJSON_GetObjectItemCaseSensitive(old, member->former));
    json_put_bool(json, "deprecated", 1);
    put(properties, member->former, json);
}

/* Adds what a table says of an object, and what is written by hand in the old one. */
static void merge_object(cJSON *to, const cJSON *old, const struct member *members, const char *const *others)
{
    static const char *const owned[] = {"required", "properties", NULL};
    static const char *const first[] = {"$schema", "title", "description", "type", NULL};
    const cJSON *old_properties = cJSON_GetObjectItemCaseSensitive(old, "properties"), *item;
    for (size_t i = 0; first[i]; i++)
        if ((item = cJSON_GetObjectItemCaseSensitive(old, first[i])) && !cJSON_HasObjectItem(to, first[i]))
            put(to, first[i], cJSON_Duplicate(item, 1));
    cJSON *required = json_new_array(), *properties = json_new_object();
    const struct member *member = members;
    for (; member->kind != MEMBER_LAST; member++) {
        put_property(properties, member, old_properties);
        const int is_by_hand = member->kind >= MEMBER_JSON && !(member->flags & MEMBER_REQUIRED);
        if (is_by_hand ? json_list_has(cJSON_GetObjectItemCaseSensitive(old, "required"), member->key)
                       : (member->flags & MEMBER_REQUIRED) && !member->former && !member->since)
            json_add_text(required, member->key);
    }
    cJSON_ArrayForEach (item, old_properties)
        if (is_one_of(item->string, others))
            put(properties, item->string, cJSON_Duplicate(item, 1));
    if (required->child)
        put(to, "required", required);
    else
        cJSON_Delete(required);
    if (!(member->flags & MEMBER_OTHERS))
        json_put_bool(to, "additionalProperties", 0);
    put(to, "properties", properties);
    keep_others(to, old, owned);
}

/* Replaces the numbers by their texts: cJSON prints 15 digits of some that have more. */
static void write_numbers(cJSON *json)
{
    char text[40];
    for (cJSON *item = json->child; item; item = item->next) {
        if (cJSON_IsNumber(item)) {
            cJSON *raw = cJSON_CreateRaw(short_number(item->valuedouble, text, sizeof text));
            if (item->string)
                raw->string = xstrdup(item->string);
            assert_true(cJSON_ReplaceItemViaPointer(json, item, raw));
            item = raw;
        }
        write_numbers(item);
    }
}

/* Prints a list of texts and numbers, as many on a line as fit. */
static void print_list(FILE *stream, const cJSON *json, int column)
{
    const cJSON *item = NULL;
    int at = column;
    fputc('[', stream);
    cJSON_ArrayForEach (item, json) {
        char *text = json_line(item);
        const int length = (int)strlen(text);
        if (item != json->child && at + length + 3 > WIDTH)
            fprintf(stream, ",\n%*s", at = column + 1, "");
        else if (item != json->child)
            at += fprintf(stream, ", ");
        at += fprintf(stream, "%s", text);
        free(text);
    }
    fputc(']', stream);
}

static int is_list_of_words(const cJSON *json)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, json)
        if (cJSON_IsObject(item) || cJSON_IsArray(item))
            return 0;
    return cJSON_IsArray(json);
}

/* Prints a value; what does not fit the line has its members on lines of their own. */
static void print(FILE *stream, const cJSON *json, int indent, int column)
{
    char *line = json_line(json);
    char spaced[4096] = "";
    size_t used = 0;
    int is_text = 0;
    for (const char *at = line; *at && used + 3 < sizeof spaced; at++) {
        is_text ^= *at == '"' && (at == line || at[-1] != '\\');
        spaced[used++] = *at;
        if (!is_text && (*at == ',' || *at == ':'))
            spaced[used++] = ' ';
    }
    free(line);
    const int is_container = cJSON_IsObject(json) || cJSON_IsArray(json);
    if (!is_container || (indent > 0 && column + (int)used < WIDTH)) {
        fputs(spaced, stream);
    } else if (is_list_of_words(json)) {
        print_list(stream, json, column);
    } else {
        const cJSON *item = NULL;
        fputc(cJSON_IsObject(json) ? '{' : '[', stream);
        cJSON_ArrayForEach (item, json) {
            fprintf(stream, "%s\n%*s", item == json->child ? "" : ",", indent + 2, "");
            int start = indent + 2;
            if (item->string && cJSON_IsObject(json)) {
                cJSON *text = cJSON_CreateString(item->string);
                char *key = json_line(text);
                start += fprintf(stream, "%s: ", key);
                free(key);
                cJSON_Delete(text);
            }
            print(stream, item, indent + 2, start);
        }
        fprintf(stream, "\n%*s%c", indent, "", cJSON_IsObject(json) ? '}' : ']');
    }
}

/* Replaces the object at a pointer such as "/$defs/budget" in the tree; returns the tree. */
static cJSON *merge_at(cJSON *json, const char *at, const struct format *format)
{
    char key[64];
    if (!*at) {
        cJSON *to = json_new_object();
        merge_object(to, json, format->members, format->others);
        cJSON_Delete(json);
        return to;
    }
    snprintf(key, sizeof key, "%.*s", (int)strcspn(at + 1, "/"), at + 1);
    cJSON *inner = cJSON_GetObjectItemCaseSensitive(json, key);
    if (!inner)
        fail_msg("%s.schema.json has no %s", format->schema, format->at);
    cJSON *copy = merge_at(cJSON_Duplicate(inner, 1), at + 1 + strlen(key), format);
    cJSON_ReplaceItemInObjectCaseSensitive(json, key, copy);
    return json;
}

/* ---- documents ---- */

enum { MAX_CELLS = 8, MAX_ROWS = 64 };
struct row {
    char *cell[MAX_CELLS];
    size_t count;
};

static char *trimmed(struct pool *pool, const char *from, const char *to)
{
    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    return pool_strndup(pool, from, (size_t)(to - from));
}

/* Reads "| a | b |"; a cell may have "\|". */
static struct row read_row(struct pool *pool, const char *line, const char *end)
{
    struct row row = {.count = 0};
    const char *from = line + 1;
    for (const char *at = from; at < end && row.count < MAX_CELLS; at++)
        if (*at == '|' && at[-1] != '\\') {
            row.cell[row.count++] = trimmed(pool, from, at);
            from = at + 1;
        }
    return row;
}

static int names_key(const struct row *row, const char *key)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "`%s`", key);
    return row->count && strstr(row->cell[0], quoted) != NULL;
}

static const char *allowed_text(struct pool *pool, const struct member *member)
{
    const char *whole = member->kind == MEMBER_REAL ? "" : "whole, ";
    char low[40], high[40];
    if (member->kind == MEMBER_FLAG)
        return pool_strdup(pool, "");
    if (member->names) {
        char *list = pool_strdup(pool, "");
        for (size_t i = 0; member->names[i]; i++)
            list = pool_printf(pool, "%s%s`%s`", list, i ? ", " : "", member->names[i]);
        return list;
    }
    if (member->kind == MEMBER_TEXT && member->high > 0)
        return pool_printf(pool, "at most %g bytes%s", member->high, member->flags & MEMBER_LINES ? "" : ", not empty");
    if (!isfinite(member->high) || member->high == 0 ||
        (member->kind != MEMBER_REAL && member->kind != MEMBER_COUNT && member->kind != MEMBER_WHOLE))
        return NULL;
    const int is_above = (member->flags & MEMBER_ABOVE) != 0;
    short_number(member->low + (is_above && *whole), low, sizeof low);
    short_number(member->high, high, sizeof high);
    return is_above && !*whole ? pool_printf(pool, "%sabove %s, at most %s", whole, low, high)
                                        : pool_printf(pool, "%s%s to %s", whole, low, high);
}

/* The cell of the column; NULL: as it is. */
static const char *cell_of(struct pool *pool, const struct member *member, const char *column, int has_allowed)
{
    static const char *const types[] = {
        [MEMBER_HASH] = "text",
        [MEMBER_TEXT] = "text",     [MEMBER_COUNT] = "number", [MEMBER_REAL] = "number",   [MEMBER_WHOLE] = "number",
        [MEMBER_FLAG] = "boolean",  [MEMBER_CHOICE] = "text",  [MEMBER_TEXTS] = "list",    [MEMBER_OBJECT] = "object",
        [MEMBER_PART] = "object",   [MEMBER_LIST] = "list",    [MEMBER_JSON] = NULL,
        [MEMBER_JSON_OBJECT] = "object", [MEMBER_JSON_LIST] = "list",
    };
    char text[40];
    if (strcmp(column, "type") == 0)
        return member->kind == MEMBER_COUNT && !has_allowed ? "whole number" : types[member->kind];
    if (strcmp(column, "allowed") == 0)
        return allowed_text(pool, member);
    if (strcmp(column, "default") != 0)
        return NULL;
    if (member->flags & MEMBER_REQUIRED)
        return pool_strdup(pool, "required");
    if (!has_fallback(member))
        return NULL;
    const int is_word = member->kind == MEMBER_FLAG || member->kind == MEMBER_CHOICE;
    return pool_printf(pool, is_word ? "`%s`" : "%s", fallback_text(member, text, sizeof text));
}

/* "Updates." as "updates". */
static char *phrase(struct pool *pool, const char *sentence)
{
    char *text = pool_strdup(pool, sentence);
    const size_t length = strlen(text);
    if (length > 1 && !isupper((unsigned char)text[1]))
        text[0] = (char)tolower((unsigned char)text[0]);
    if (length && text[length - 1] == '.')
        text[length - 1] = '\0';
    return text;
}

static void print_row(FILE *stream, struct pool *pool, const struct member *member, const struct row *head,
                      const struct row *old)
{
    int has_allowed = 0;
    for (size_t c = 0; c < head->count; c++)
        has_allowed |= strcmp(head->cell[c], "allowed") == 0;
    fprintf(stream, "| %s |", old ? old->cell[0] : pool_printf(pool, "`%s`", member->key));
    for (size_t c = 1; c < head->count; c++) {
        const char *cell = cell_of(pool, member, head->cell[c], has_allowed);
        if (!cell && old && c < old->count)
            cell = old->cell[c];
        if (!cell)
            cell = c + 1 == head->count && member->doc ? phrase(pool, member->doc) : "";
        fprintf(stream, *cell ? " %s |" : "%s |", cell);
    }
    fputc('\n', stream);
}

/* Prints the table of keys again. `table` is its first line, `end` what follows it. */
static void print_table(FILE *stream, const char *table, const char *end, const struct format *format)
{
    struct pool *pool = pool_new();
    struct row rows[MAX_ROWS];
    size_t count = 0;
    int done[MAX_ROWS] = {0};
    const char *line = table;
    for (; line < end; line = strchr(line, '\n') + 1) {
        if (line == table || strncmp(line, "| ---", 5) == 0)
            fprintf(stream, "%.*s\n", (int)strcspn(line, "\n"), line);
        rows[count++] = read_row(pool, line, strchr(line, '\n'));
        assert_true(count < MAX_ROWS);
    }
    for (const struct member *member = format->members; member->kind != MEMBER_LAST; member++) {
        size_t r = 2;
        while (r < count && !names_key(&rows[r], member->key))
            r++;
        if (r == count || !done[r])
            print_row(stream, pool, member, &rows[0], r < count ? &rows[r] : NULL);
        done[r] = 1;
    }
    for (size_t r = 2; r < count; r++)
        for (const char *const *other = format->others; other && *other && !done[r]; other++)
            if (names_key(&rows[r], *other)) {
                fputs("|", stream);
                for (size_t c = 0; c < rows[r].count; c++)
                    fprintf(stream, *rows[r].cell[c] ? " %s |" : "%s |", rows[r].cell[c]);
                fputc('\n', stream);
                done[r] = 1;
            }
    pool_free(pool);
}

static void print_document(FILE *stream, const char *text, const struct format *format)
{
    char mark[80];
    snprintf(mark, sizeof mark, "<!-- keys of %s -->\n\n", format->name);
    const char *at = strstr(text, mark);
    if (!at)
        fail_msg("%s has no \"%.*s\"", format->document, (int)strlen(mark) - 2, mark);
    const char *table = at + strlen(mark), *end = table;
    while (*end == '|')
        end = strchr(end, '\n') + 1;
    fwrite(text, 1, (size_t)(table - text), stream);
    print_table(stream, table, end, format);
    fputs(end, stream);
}

/* ---- lists of the members of records ---- */

enum list_kind { LIST_MEASURES, LIST_FIGURES, LIST_COSTS, LIST_RESULTS, LIST_EQUAL, LIST_MEMBERS };

static const struct member_list_in_file {
    enum list_kind kind;
    const char *file, *name;
    const char *before, *after;
    int indent; /* of further lines; negative: one line */
} lists[] = {
    {LIST_MEASURES, "docs/tables.md", "measures", "\n", "", 0},
    {LIST_FIGURES, "docs/plots.md", "figures", "", "", -1},
    {LIST_COSTS, "docs/export.md", "cost columns", "", "", -1},
    {LIST_RESULTS, "docs/export.md", "result columns", "", "", -1},
    {LIST_EQUAL, "docs/regression.md", "equal quantities", "", "", -1},
    {LIST_MEMBERS, "bindings/python/hullbench.py", "record members", "\n_RECORD = [\n    ", "]\n# ", 4},
};
enum { LISTS = sizeof lists / sizeof *lists };

struct words {
    char **item;
    size_t count, capacity;
};

static void add_word(struct pool *pool, struct words *words, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add_word(struct pool *pool, struct words *words, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    *pool_push(pool, words) = pool_vprintf(pool, format, rest);
    va_end(rest);
}

/* Adds a member of a record, or of its object `outer`, if the list has it. */
static void add_member(struct pool *pool, struct words *words, enum list_kind kind, const char *outer,
                       const struct member *row)
{
    static const char *const types[] = {[MEMBER_TEXT] = "text", [MEMBER_CHOICE] = "text", [MEMBER_COUNT] = "whole",
                                        [MEMBER_WHOLE] = "whole", [MEMBER_REAL] = "real"};
    const int is_number = row->kind == MEMBER_WHOLE || row->kind == MEMBER_REAL;
    const int is_cost = *outer || (row->flags & MEMBER_COST);
    if (kind == LIST_MEMBERS && row->kind == MEMBER_JSON_OBJECT) {
        if (strcmp(row->key, "kernel") == 0)
            add_word(pool, words, "(\"kernel\", \"text\")");
        if (strcmp(row->key, "stop") == 0)
            add_word(pool, words, "(\"stop\", \"text\"), (\"tolerance\", \"real\")");
    } else if (kind == LIST_MEMBERS && strcmp(row->key, "schema") != 0) {
        add_word(pool, words, "(\"%s%s%s\", \"%s\")", outer, *outer ? "_" : "", row->key, types[row->kind]);
    } else if ((kind == LIST_COSTS && is_number && is_cost) || (kind == LIST_RESULTS && is_number && !is_cost)) {
        add_word(pool, words, "`%s%s%s`", outer, *outer ? "_" : "", row->key);
    } else if (kind == LIST_EQUAL && row->tolerance && strcmp(row->tolerance, "0") == 0) {
        add_word(pool, words, "`%s`", row->path ? row->path : row->key);
    }
}

static struct words words_of(struct pool *pool, enum list_kind kind)
{
    struct words words = {0};
    const unsigned flag = kind == LIST_FIGURES ? MEMBER_FIGURE : MEMBER_MEASURE;
    for (size_t m = 0; m < MEASURES && kind <= LIST_FIGURES; m++)
        if (measure_row(m)->flags & flag)
            add_word(pool, &words, "`%s`", measure_row(m)->measure);
    for (const struct member *row = record_members; row->kind != MEMBER_LAST && kind > LIST_FIGURES; row++)
        if (row->kind != MEMBER_PART)
            add_member(pool, &words, kind, "", row);
        else
            for (const struct member *inner = row->inner; inner->kind != MEMBER_LAST; inner++)
                add_member(pool, &words, kind, row->key, inner);
    return words;
}

static void print_words(FILE *stream, const char *text, const struct member_list_in_file *list)
{
    struct pool *pool = pool_new();
    const struct words words = words_of(pool, list->kind);
    const char *mark = pool_printf(pool, "<!-- list of %s -->", list->name);
    const char *at = strstr(text, mark), *end = at ? strstr(at, "<!-- end -->") : NULL;
    if (!end)
        fail_msg("%s has no \"%s\" with \"<!-- end -->\"", list->file, mark);
    fprintf(stream, "%.*s%s%s", (int)(at - text), text, mark, list->before);
    int column = list->indent;
    for (size_t i = 0; i < words.count; i++) {
        const int length = (int)strlen(words.item[i]);
        if (i > 0 && list->indent >= 0 && column + length + 3 > WIDTH)
            fprintf(stream, ",\n%*s", column = list->indent, "");
        else if (i > 0)
            column += fprintf(stream, ", ");
        column += fprintf(stream, "%s", words.item[i]);
    }
    fprintf(stream, "%s%s", list->after, end);
    pool_free(pool);
}

static cJSON *inside(cJSON *json, const char *const *keys)
{
    for (; *keys; keys++)
        json = cJSON_GetObjectItemCaseSensitive(json, *keys);
    assert_non_null(json);
    return json;
}

/* The names of tolerances, and the properties of a record of reference counts. */
static void put_quantities(cJSON *baseline)
{
    cJSON *names = inside(baseline, (const char *const[]){"properties", "tolerances", "propertyNames", NULL});
    cJSON *properties = inside(baseline, (const char *const[]){"properties", "records", "items", "properties", NULL});
    struct pool *pool = pool_new();
    const char *pattern = "^([^/]+(/.+)?:)?(all|kernel_operations";
    for (size_t m = 0; m < RECORD_FIELDS; m++) {
        const struct member *row = measure_row(m);
        if (!row->tolerance)
            continue;
        pattern = pool_printf(pool, "%s|%s", pattern, measure_path(m));
        if (!row->path && !cJSON_HasObjectItem(properties, row->key))
            json_put_text(json_put_object(properties, row->key), "$ref",
                          row->kind == MEMBER_WHOLE ? "#/$defs/count" : "#/$defs/number");
    }
    cJSON *text = cJSON_CreateString(pool_printf(pool, "%s)$", pattern));
    assert_true(cJSON_ReplaceItemInObjectCaseSensitive(names, "pattern", text));
    pool_free(pool);
}

/* ---- the test ---- */

static int is_writing;

static void compare(const char *path, const char *before, const char *now)
{
    if (strcmp(before, now) == 0)
        return;
    if (!is_writing)
        fail_msg("%s is not that of the tables of members: run make schemas, and look at the difference", path);
    file_write(path, now, strlen(now));
    printf("%s\n", path);
}

static void read_text(const char *path, char **text)
{
    *text = read_file(path, NULL);
}

static void schemas_are_those_of_the_tables(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++) {
        char path[128], *text, *now;
        size_t size;
        snprintf(path, sizeof path, "schemas/%s.schema.json", formats[f].schema);
        read_text(path, &text);
        cJSON *json = cJSON_Parse(text);
        assert_non_null(json);
        json = merge_at(json, formats[f].at, &formats[f]);
        if (formats[f].members == baseline_members)
            put_quantities(json);
        write_numbers(json);
        FILE *stream = xopen_text(&now, &size);
        print(stream, json, 0, 0);
        fputc('\n', stream);
        xclose_text(stream);
        compare(path, text, now);
        cJSON_Delete(json);
        free(text);
        free(now);
    }
}

static void documents_have_the_keys_of_the_tables(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++) {
        if (!formats[f].document)
            continue;
        char *text, *now;
        size_t size;
        read_text(formats[f].document, &text);
        FILE *stream = xopen_text(&now, &size);
        print_document(stream, text, &formats[f]);
        xclose_text(stream);
        compare(formats[f].document, text, now);
        free(text);
        free(now);
    }
}

static void files_have_the_lists_of_the_members_of_records(void **state)
{
    (void)state;
    for (size_t i = 0; i < LISTS; i++) {
        char *text, *now;
        size_t size;
        read_text(lists[i].file, &text);
        FILE *stream = xopen_text(&now, &size);
        print_words(stream, text, &lists[i]);
        xclose_text(stream);
        compare(lists[i].file, text, now);
        free(text);
        free(now);
    }
}

/* Schemas without tables of members: each property has a name in the section of the file in docs/formats.md. */
static void formats_names_every_property_of_the_other_schemas(void **state)
{
    (void)state;
    static const char *const files[][2] = {{"run", "\n## run.json\n"}, {"timing", "\n## timings.jsonl\n"}};
    char *text;
    read_text("docs/formats.md", &text);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct pool *pool = pool_new();
        const char *begin = strstr(text, files[f][1]);
        assert_non_null(begin);
        const char *end = strstr(begin + strlen(files[f][1]), "\n## ");
        const char *section = end ? pool_strndup(pool, begin, (size_t)(end - begin)) : begin;
        cJSON *schema = read_json_file(pool_printf(pool, "schemas/%s.schema.json", files[f][0]));
        const cJSON *property = NULL;
        cJSON_ArrayForEach (property, cJSON_GetObjectItemCaseSensitive(schema, "properties"))
            if (!strstr(section, pool_printf(pool, "`%s`", property->string)) &&
                !strstr(section, pool_printf(pool, "\"%s\"", property->string)))
                fail_msg("docs/formats.md has no `%s` of %s.schema.json", property->string, files[f][0]);
        cJSON_Delete(schema);
        pool_free(pool);
    }
    free(text);
}

/* Its list of kinds has items such as "- `iterations`, `error`: ...". */
static void plots_names_every_kind_of_figure(void **state)
{
    (void)state;
    char *text;
    read_text("docs/plots.md", &text);
    for (const char *const *kind = plot_kind_names; *kind; kind++) {
        struct pool *pool = pool_new();
        const char *quoted = pool_printf(pool, "`%s`", *kind);
        int is_named = 0;
        for (const char *at = strstr(text, "\n- `"); at && !is_named; at = strstr(at + 1, "\n- `")) {
            const char *name = strstr(at, quoted), *end = strstr(at, "`: ");
            is_named = name && end && name < end;
        }
        if (!is_named)
            fail_msg("docs/plots.md does not say what %s shows", quoted);
        pool_free(pool);
    }
    free(text);
}

/* Which keys may change while records are kept: those of settings by name, those of lists and objects in words. */
static void configuration_names_every_key_that_keeps_records(void **state)
{
    (void)state;
    char *text;
    read_text("docs/configuration.md", &text);
    char *section = strstr(text, "\n### A plan that changes\n"), *end = section ? strstr(section + 1, "\n#") : NULL;
    assert_non_null(section);
    if (end)
        *end = '\0';
    for (const struct member *row = config_members; row->kind != MEMBER_LAST; row++) {
        char quoted[80];
        snprintf(quoted, sizeof quoted, "`%s`", row->key);
        if ((row->flags & CONFIG_KEEPS) && row->kind != MEMBER_JSON && row->kind != MEMBER_OBJECT &&
            !strstr(section, quoted))
            fail_msg("\"A plan that changes\" in docs/configuration.md does not name %s", quoted);
    }
    free(text);
}

/* Flags that only the readers of this table know; those of its inner tables are not included. */
static unsigned own_flags(const struct member *members)
{
    if (members == record_members || members == members_find(record_members, "kernel_operations")->inner)
        return MEMBER_IDENTITY | MEMBER_MEASURE | MEMBER_FIGURE | MEMBER_COST | MEMBER_RATIO | MEMBER_LOWER |
               MEMBER_HIGHER | MEMBER_TESTED | MEMBER_COMPARED;
    return members == config_members          ? CONFIG_ONLY_OF_RUNS | CONFIG_KEEPS
           : members == run_info_members      ? RUN_INFO_RESULT | RUN_INFO_EXPORTED
           : members == run_info_data_members ? RUN_INFO_EXPORTED
                                              : 0;
}

/* Flags that reading and writing a member of this kind looks at. */
static unsigned kind_flags(enum member_kind kind)
{
    const unsigned every = MEMBER_REQUIRED | MEMBER_ALWAYS | MEMBER_NULLABLE;
    switch (kind) {
    case MEMBER_LAST:
        return MEMBER_OTHERS;
    case MEMBER_COUNT:
    case MEMBER_REAL:
    case MEMBER_WHOLE:
        return every | MEMBER_ABOVE;
    case MEMBER_TEXT:
        return every | MEMBER_LINES;
    case MEMBER_TEXTS:
        return every | MEMBER_NOT_EMPTY | MEMBER_LINES | MEMBER_DISTINCT;
    case MEMBER_LIST:
        return every | MEMBER_NOT_EMPTY;
    default:
        return every;
    }
}

static void assert_flags_are_known(const struct member *members)
{
    for (const struct member *row = members;; row++) {
        const unsigned unknown = row->flags & ~(kind_flags(row->kind) | own_flags(members));
        if (unknown)
            fail_msg("\"%s\": no reader of its table knows the flag %#x", row->key ? row->key : "end", unknown);
        if (row->kind == MEMBER_LAST)
            return;
        if (row->inner)
            assert_flags_are_known(row->inner);
    }
}

static void readers_know_the_flags_of_their_tables(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++)
        assert_flags_are_known(formats[f].members);
}

int main(int argc, char **argv)
{
    is_writing = argc > 1 && strcmp(argv[1], "write") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_are_those_of_the_tables),
        cmocka_unit_test(documents_have_the_keys_of_the_tables),
        cmocka_unit_test(files_have_the_lists_of_the_members_of_records),
        cmocka_unit_test(formats_names_every_property_of_the_other_schemas),
        cmocka_unit_test(plots_names_every_kind_of_figure),
        cmocka_unit_test(configuration_names_every_key_that_keeps_records),
        cmocka_unit_test(readers_know_the_flags_of_their_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
