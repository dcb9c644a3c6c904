/* The measures (measures.h). */
#include "harness/records/measures.h"

#include <ctype.h>

#include "harness/records/conditions.h"

#define OF_WORK (MEMBER_MEASURE | MEMBER_COST | MEMBER_RATIO | MEMBER_LOWER | MEMBER_COMPARED)

static const struct member computed[] = {
    [MEASURE_ALL_OPERATIONS - RECORD_FIELDS] = {.flags = OF_WORK, .measure = "kernel-operations-with-setup",
                                                .former = "all-operations", .title = "kernel operations with set-up"},
    [MEASURE_SECONDS - RECORD_FIELDS] = {.flags = OF_WORK, .measure = "seconds", .title = "time", .unit = "s"},
    [MEASURE_CONVERGED - RECORD_FIELDS] = {.flags = MEMBER_MEASURE | MEMBER_HIGHER | MEMBER_COMPARED,
                                           .measure = "converged", .title = "converged"},
};

static const struct member *find_row(const struct member *members, size_t offset)
{
    const struct member *inner = NULL;
    for (; members->kind != MEMBER_LAST && !inner; members++)
        if (members->kind == MEMBER_PART)
            inner = find_row(members->inner, offset);
        else if (members->offset == offset)
            inner = members;
    return inner;
}

const struct member *measure_row(size_t measure)
{
    static const struct member *rows[RECORD_FIELDS];
    if (measure >= RECORD_FIELDS)
        return &computed[measure - RECORD_FIELDS];
    if (!rows[measure])
        rows[measure] = find_row(record_members, offsetof(struct record, field) + measure * sizeof(double));
    return rows[measure];
}

const char *measure_path(size_t measure)
{
    const struct member *row = measure_row(measure);
    return row->path ? row->path : row->key;
}

const char *const *measure_paths(void)
{
    static const char *paths[RECORD_FIELDS + 1];
    for (size_t i = RECORD_FIELDS; !paths[0] && i-- > 0;)
        paths[i] = measure_path(i);
    return paths;
}

/* Equal but for "-" and "_". */
static int same_name(const char *a, const char *b)
{
    if (!a)
        return 0;
    for (; *a && (*a == *b || (*a == '-' && *b == '_') || (*a == '_' && *b == '-')); a++)
        b++;
    return *a == *b;
}

size_t measure_find(const char *name, unsigned flags)
{
    size_t m = 0;
    for (; m < MEASURES; m++) {
        const struct member *row = measure_row(m);
        if ((row->flags & flags) == flags && (same_name(row->measure, name) || same_name(row->former, name) ||
                                              same_name(measure_path(m), name)))
            break;
    }
    return m;
}

double measure_of(const struct record *record, size_t measure)
{
    if (measure == MEASURE_CONVERGED)
        return record->converged ? 1 : 0;
    if (record->failed)
        return (double)NAN;
    if (measure == MEASURE_SECONDS)
        return record_time(record);
    if (measure == MEASURE_ALL_OPERATIONS)
        return record->field[FIELD_SETUP_OPERATIONS] + record->field[FIELD_KERNEL_OPERATIONS];
    return record->field[measure];
}

int measure_is_ratio(size_t measure)
{
    return (measure_row(measure)->flags & MEMBER_RATIO) != 0;
}

const char *measure_label(size_t measure)
{
    static char labels[MEASURES][64];
    const struct member *row = measure_row(measure);
    snprintf(labels[measure], sizeof labels[measure], row->unit ? "%s (%s)" : "%s", row->title, row->unit);
    return labels[measure];
}

const char *measure_title(size_t measure)
{
    static char titles[MEASURES][64];
    snprintf(titles[measure], sizeof titles[measure], "%s", measure_label(measure));
    titles[measure][0] = (char)toupper((unsigned char)titles[measure][0]);
    return titles[measure];
}
