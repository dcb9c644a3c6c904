/* The columns of records (flat_columns.h). */
#include "harness/folders/flat_columns.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/run/record_line.h"

/* Names that the exported table itself adds; no member takes them. */
static const char *const reserved[] = {"folder", "record", "trace"};
enum { RESERVED = sizeof reserved / sizeof *reserved };

/* Nonzero for members that say nothing about the result: the format version, and the position in file and plan. */
static int is_left_out(enum flat_source source, const char *outer, const char *key)
{
    return !*outer && strcmp(key, source == FLAT_RECORD ? "schema" : "index") == 0;
}

/* Columns are in the order of the rows of record_members; what these lack, the sizes and the times follow. */
enum { OF_OTHER = 1000, OF_SIZES, OF_TIMES };

static int group_of(enum flat_source source, const char *outer, const char *key)
{
    const struct member *row = members_find(record_members, *outer ? outer : key);
    return source == FLAT_TIMES   ? OF_TIMES
           : source == FLAT_SIZES ? OF_SIZES
           : row                  ? (int)(row - record_members)
                                  : OF_OTHER;
}

static struct flat_column *find(const struct flat_columns *columns, enum flat_source source, const char *outer,
                                const char *key)
{
    for (size_t i = 0; i < columns->count; i++) {
        struct flat_column *column = &columns->item[i];
        if (column->source == source && strcmp(column->key, key) == 0 && strcmp(column->outer, outer) == 0)
            return column;
    }
    return NULL;
}

/* Inserts a column after those of its group. */
static struct flat_column *insert(struct pool *pool, struct flat_columns *columns, enum flat_source source,
                                  const char *outer, const char *key)
{
    const int group = group_of(source, outer, key);
    struct flat_column *place = pool_push(pool, columns);
    for (; place > columns->item && place[-1].group > group; place--)
        *place = place[-1];
    *place = (struct flat_column){source, outer, key, NULL, group};
    return place;
}

static const char *short_name(struct pool *pool, const struct flat_column *column)
{
    const int of_record = column->source == FLAT_RECORD;
    if (!*column->outer || (of_record && strcmp(column->outer, "params") == 0) ||
        (of_record && strcmp(column->outer, "stop") == 0 && strcmp(column->key, "tolerance") == 0))
        return column->key;
    if (of_record && ((strcmp(column->outer, "kernel") == 0 && strcmp(column->key, "type") == 0) ||
                      (strcmp(column->outer, "stop") == 0 && strcmp(column->key, "rule") == 0)))
        return column->outer;
    return pool_printf(pool, "%s_%s", column->outer, column->key);
}

/* Adds a column that every table has; no other takes its name. */
static void add_usual(struct pool *pool, struct flat_columns *columns, enum flat_source source, const char *outer,
                      const char *key)
{
    struct flat_column *column = insert(pool, columns, source, outer, key);
    column->name = short_name(pool, column);
}

void flat_columns_begin(struct pool *pool, struct flat_columns *columns)
{
    columns->json = pool_new_inside(pool);
    for (const struct member *row = record_members; row->kind != MEMBER_LAST; row++) {
        const struct member *inner = row->kind == MEMBER_PART ? row->inner : NULL;
        for (; inner && inner->kind != MEMBER_LAST; inner++)
            add_usual(pool, columns, FLAT_RECORD, row->key, inner->key);
        if (row->kind != MEMBER_PART && row->kind != MEMBER_JSON && !is_left_out(FLAT_RECORD, "", row->key))
            add_usual(pool, columns, FLAT_RECORD, "", row->key);
    }
    add_usual(pool, columns, FLAT_RECORD, "kernel", "type");
    add_usual(pool, columns, FLAT_RECORD, "stop", "rule");
    add_usual(pool, columns, FLAT_RECORD, "stop", "tolerance");
    add_usual(pool, columns, FLAT_SIZES, "", "n_train");
    add_usual(pool, columns, FLAT_SIZES, "", "n_test");
    add_usual(pool, columns, FLAT_TIMES, "", "seconds");
}

/* ---- the members of a line ---- */

/* A failed job's reason is in its record and in its times, or only in its times: both become the record's reason. */
static void take_member(struct pool *pool, struct flat_columns *columns, enum flat_source source, const char *outer,
                        const char *key, const cJSON *value, struct json_span *cells)
{
    if (is_left_out(source, outer, key))
        return;
    const int is_reason = source == FLAT_TIMES && !*outer && strcmp(key, "failed") == 0;
    const struct flat_column *column =
        is_reason ? find(columns, FLAT_RECORD, "", "reason") : find(columns, source, outer, key);
    if (!column && !cells)
        insert(pool, columns, source, pool_strdup(pool, outer), pool_strdup(pool, key));
    struct json_span *cell = column && cells ? &cells[column - columns->item] : NULL;
    if (cell && !cJSON_IsNull(value) && !(is_reason && cell->text))
        *cell = json_span_of(value);
}

/* Goes through an object. With cells: sets those of its members; without: adds missing columns. */
static void take_object(struct pool *pool, struct flat_columns *columns, enum flat_source source, const char *outer,
                        const cJSON *object, struct json_span *cells)
{
    const cJSON *value = NULL;
    cJSON_ArrayForEach (value, object)
        if (cJSON_IsObject(value) && !*outer)
            take_object(pool, columns, source, value->string, value, cells);
        else if (!cJSON_IsObject(value) && !cJSON_IsArray(value))
            take_member(pool, columns, source, outer, value->string, value, cells);
}

void flat_columns_add(struct pool *pool, struct flat_columns *columns, enum flat_source source, const char *line)
{
    struct json_fault ignored;
    take_object(pool, columns, source, "", json_parse_line(columns->json, line, &ignored), NULL);
}

void flat_columns_take(struct flat_columns *columns, enum flat_source source, const char *line,
                       struct json_span *cells)
{
    struct json_fault ignored;
    take_object(NULL, columns, source, "", json_parse_line(columns->json, line, &ignored), cells);
}

/* ---- names ---- */

static const char *full_name(struct pool *pool, const struct flat_column *column)
{
    return pool_printf(pool, "%s%s%s%s", column->source == FLAT_TIMES ? "timings." : *column->outer ? "" : "record.",
                       column->outer, *column->outer ? "." : "", column->key);
}

static int is_taken(const struct flat_columns *columns, const char *name)
{
    for (size_t i = 0; i < RESERVED; i++)
        if (strcmp(reserved[i], name) == 0)
            return 1;
    for (size_t i = 0; i < columns->count; i++)
        if (columns->item[i].name && strcmp(columns->item[i].name, name) == 0)
            return 1;
    return 0;
}

static void name_column(struct pool *pool, const struct flat_columns *columns, struct flat_column *column)
{
    const char *name = column->name ? column->name : short_name(pool, column);
    if (!column->name)
        column->name = is_taken(columns, name) ? full_name(pool, column) : name;
}

/* The usual columns have names. The other members of records except parameters come next, then parameters, then times;
 * whichever comes first gets the short name. */
void flat_columns_name(struct pool *pool, struct flat_columns *columns)
{
    for (struct flat_column *c = columns->item; c < columns->item + columns->count; c++)
        if (c->group != OF_TIMES && strcmp(c->outer, "params") != 0)
            name_column(pool, columns, c);
    for (struct flat_column *c = columns->item; c < columns->item + columns->count; c++)
        name_column(pool, columns, c);
}
