/*
 * The columns of a flat table of records: which members the records and their times have, what each is called, and one
 * record's values in that order. Values stay the texts that the files hold, so no digit changes.
 */
#ifndef HULLBENCH_FLAT_COLUMNS_H
#define HULLBENCH_FLAT_COLUMNS_H

#include <stddef.h>

/* The lines that members are read from. */
enum flat_source { FLAT_RECORD, FLAT_TIMES };

/* A value as JSON text; NULL: missing. */
struct flat_cell {
    const char *text;
    size_t length;
};

struct flat_column {
    enum flat_source source;
    char *outer, *key; /* the object within the line ("": the line itself) and the member; owned */
    char *name;        /* owned; NULL until flat_columns_name */
    int group;         /* columns stand in the order of their groups */
};

/* Zero-initialise; freed with flat_columns_free. */
struct flat_columns {
    struct flat_column *items;
    size_t count;
};

/* Fills in the columns that every table has. */
void flat_columns_begin(struct flat_columns *columns);
/* Adds a column for each member of the line, an object in JSON, that has none yet and is no list. Of the objects in it
 * the members are columns; what lies deeper is left out. */
void flat_columns_add(struct flat_columns *columns, enum flat_source source, const char *line);
/*
 * Names the columns, once all are there. params.NAME is NAME, kernel.type is kernel, stop.rule is stop, stop.tolerance
 * is tolerance; any other member of an object is OBJECT_MEMBER. A column whose name another one has is named by its
 * path with dots: a parameter "seconds" is params.seconds, a member "outcome" of timings.jsonl is timings.outcome.
 */
void flat_columns_name(struct flat_columns *columns);
/* Sets the cells, one a column, that the line has; leaves the others alone. The member `failed` of a record's time is
 * its reason, where the record says none. */
void flat_columns_take(const struct flat_columns *columns, enum flat_source source, const char *line,
                       struct flat_cell *cells);
void flat_columns_free(struct flat_columns *columns);

#endif
