/*
 * The columns of a flat table of records: the members of records and their times, the column names, and one record's
 * values in that order. Values stay the texts in the files, so no digit changes.
 */
#ifndef HULLBENCH_FLAT_COLUMNS_H
#define HULLBENCH_FLAT_COLUMNS_H

#include <stddef.h>

#include "harness/support/json_reader.h"

struct pool;

/* The lines that members are read from: of the record, of its data set's sizes {"n_train", "n_test"}, of its times. */
enum flat_source { FLAT_RECORD, FLAT_SIZES, FLAT_TIMES };


struct flat_column {
    enum flat_source source;
    const char *outer, *key; /* the object in the line ("": the line itself) and the member */
    const char *name;        /* NULL until flat_columns_name */
    int group;               /* columns are in group order */
};

/* Zero-initialise; what it points to is in the pool. */
struct flat_columns {
    struct flat_column *item;
    size_t count, capacity;
    struct pool *json; /* the tree of one line at a time */
};

/* Adds the columns that every table has. The struct must live as long as the pool. */
void flat_columns_begin(struct pool *pool, struct flat_columns *columns);
/* Adds a column for each new member of the line, a JSON object, that is not a list. Members of nested objects become
 * columns too; deeper levels are ignored. */
void flat_columns_add(struct pool *pool, struct flat_columns *columns, enum flat_source source, const char *line);
/*
 * Names the columns, once all are known. params.NAME becomes NAME, kernel.type kernel, stop.rule stop, stop.tolerance
 * tolerance; any other member of an object becomes OBJECT_MEMBER. If another column has that name, the column is named
 * by its dotted path: a parameter "seconds" is params.seconds, a member "outcome" of timings.jsonl is timings.outcome.
 */
void flat_columns_name(struct pool *pool, struct flat_columns *columns);
/* Sets the cells, one JSON text per column, that the line has (NULL: missing); leaves the others unchanged. They point
 * into the line. The member `failed` of a record's times becomes its reason if the record has none. */
void flat_columns_take(struct flat_columns *columns, enum flat_source source, const char *line,
                       struct json_span *cells);

#endif
