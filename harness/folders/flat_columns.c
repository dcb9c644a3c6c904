/* The columns of records (flat_columns.h). */
#include "harness/folders/flat_columns.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/record_diff.h"
#include "harness/run/record_line.h"

/* In the order of the table. */
enum group {
    OF_PROBLEM,
    OF_PARAMS,
    OF_KERNEL,
    OF_STOP,
    OF_RESULT,
    OF_OTHER,
    OF_SIZES,
    OF_TIMES
};

/* A column that every table has. */
struct usual {
    enum group group;
    enum flat_source source;
    const char *outer, *key;
};
enum { MAX_USUAL = 64 };

/* Those of the table of a record's members; of params only what the records have. Returns their number. */
static size_t list_usual(struct usual list[MAX_USUAL])
{
    static const struct usual settings[] = {{OF_KERNEL, FLAT_RECORD, "kernel", "type"},
                                            {OF_STOP, FLAT_RECORD, "stop", "rule"},
                                            {OF_STOP, FLAT_RECORD, "stop", "tolerance"}};
    enum group group = OF_PROBLEM;
    size_t n = 0;
    for (const struct member *m = record_members + 1 /* schema */; m->kind != MEMBER_LAST; m++) {
        if (m->kind == MEMBER_JSON && group == OF_PROBLEM)
            for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
                list[n++] = settings[i];
        group = m->kind == MEMBER_JSON ? OF_RESULT : group;
        const struct member *inner = m->kind == MEMBER_PART ? m->inner : NULL;
        for (; inner && inner->kind != MEMBER_LAST; inner++)
            list[n++] = (struct usual){group, FLAT_RECORD, m->key, inner->key};
        if (m->kind != MEMBER_JSON && m->kind != MEMBER_PART)
            list[n++] = (struct usual){group, FLAT_RECORD, "", m->key};
    }
    list[n++] = (struct usual){OF_SIZES, FLAT_SIZES, "", "n_train"};
    list[n++] = (struct usual){OF_SIZES, FLAT_SIZES, "", "n_test"};
    list[n++] = (struct usual){OF_TIMES, FLAT_TIMES, "", "seconds"};
    return n;
}

/* Names that the exported table itself adds; no member takes them. */
static const char *const reserved[] = {"folder", "record", "trace"};
enum { RESERVED = sizeof reserved / sizeof *reserved };

/* Nonzero for members that say nothing about the result: the format version, and the position in file and plan. */
static int is_left_out(enum flat_source source, const char *outer, const char *key)
{
    return !*outer && strcmp(key, source == FLAT_RECORD ? "schema" : "index") == 0;
}

static enum group group_of(enum flat_source source, const char *outer)
{
    if (source == FLAT_TIMES)
        return OF_TIMES;
    return strcmp(outer, "params") == 0              ? OF_PARAMS
           : strcmp(outer, "kernel") == 0            ? OF_KERNEL
           : strcmp(outer, "stop") == 0              ? OF_STOP
           : strcmp(outer, "kernel_operations") == 0 ? OF_RESULT
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
static void insert(struct pool *pool, struct flat_columns *columns, enum group group, enum flat_source source,
                   const char *outer, const char *key)
{
    struct flat_column *place = pool_push(pool, columns);
    for (; place > columns->item && place[-1].group > (int)group; place--)
        *place = place[-1];
    *place = (struct flat_column){source, outer, key, NULL, (int)group};
}

void flat_columns_begin(struct pool *pool, struct flat_columns *columns)
{
    struct usual usual[MAX_USUAL];
    for (size_t i = 0, n = list_usual(usual); i < n; i++)
        insert(pool, columns, usual[i].group, usual[i].source, usual[i].outer, usual[i].key);
}

/* ---- the members of a line ---- */

/* A failed job's reason is in its record and in its times, or only in its times: both become the record's reason. */
static void take_member(struct pool *pool, struct flat_columns *columns, enum flat_source source, const char *outer,
                        const char *key, const struct member_text *member, struct flat_cell *cells)
{
    if (is_left_out(source, outer, key))
        return;
    const int is_reason = source == FLAT_TIMES && !*outer && strcmp(key, "failed") == 0;
    const struct flat_column *column =
        is_reason ? find(columns, FLAT_RECORD, "", "reason") : find(columns, source, outer, key);
    if (!column && !cells)
        insert(pool, columns, group_of(source, outer), source, pool_strdup(pool, outer), pool_strdup(pool, key));
    struct flat_cell *cell = column && cells ? &cells[column - columns->item] : NULL;
    if (cell && strncmp(member->value, "null", 4) != 0 && !(is_reason && cell->text))
        *cell = (struct flat_cell){member->value, member->value_length};
}

/* Goes through an object. With cells: sets those of its members; without: adds missing columns. */
static void take_object(struct pool *pool, struct flat_columns *columns, enum flat_source source, const char *outer,
                        const char *object, struct flat_cell *cells)
{
    struct member_text member;
    while (member_text_next(&object, &member)) {
        char *key = xstrndup(member.key, member.key_length);
        if (*member.value == '{' && !*outer)
            take_object(pool, columns, source, key, member.value, cells);
        else if (*member.value != '{' && *member.value != '[')
            take_member(pool, columns, source, outer, key, &member, cells);
        free(key);
    }
}

void flat_columns_add(struct pool *pool, struct flat_columns *columns, enum flat_source source, const char *line)
{
    take_object(pool, columns, source, "", line, NULL);
}

void flat_columns_take(const struct flat_columns *columns, enum flat_source source, const char *line,
                       struct flat_cell *cells)
{
    struct flat_columns unchanged = *columns; /* with cells, no column is added */
    take_object(NULL, &unchanged, source, "", line, cells);
}

/* ---- names ---- */

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

/* Names the usual columns first, then the other members of records except parameters, then parameters, then times.
 * Whichever comes first gets the short name. */
void flat_columns_name(struct pool *pool, struct flat_columns *columns)
{
    struct usual usual[MAX_USUAL];
    for (size_t i = 0, n = list_usual(usual); i < n; i++)
        name_column(pool, columns, find(columns, usual[i].source, usual[i].outer, usual[i].key));
    for (size_t i = 0; i < columns->count; i++)
        if (columns->item[i].group != OF_PARAMS && columns->item[i].group != OF_TIMES)
            name_column(pool, columns, &columns->item[i]);
    for (size_t i = 0; i < columns->count; i++)
        name_column(pool, columns, &columns->item[i]);
}
