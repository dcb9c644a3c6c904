/* Choosing records by data set, solver and settings, for tables, claims and figures. */
#ifndef HULLBENCH_RECORD_FILTER_H
#define HULLBENCH_RECORD_FILTER_H

#include "harness/records/record.h"

/* Which records, and which number of them. A condition that is NULL or zero lets every record pass. */
struct record_filter {
    const char *dataset, *solver;
    const struct cJSON *params, *kernel, *stop; /* objects: the record has each member, with an equal value */
    const struct cJSON
        *entry; /* of "plots": "datasets" or "dataset", "solvers" or "solver", "where" {setting: value};
                   "series", a list of such objects, one of which has to fit */
    int no_failed;               /* leave out what has the outcome "failed" */
    const char *field;           /* the number: a dotted path in the record */
    const char *clamp_min_field; /* raise the number to this one of the same record; NULL: do not */
    double clamp_max;            /* lower it to this; infinity: do not */
};

/* Whether the record passes all conditions. */
int record_matches(const struct record *record, const struct record_filter *filter);
/* The filter's number of the record; returns 0, leaving *value alone, where the record has none. */
int record_filter_number(const struct record *record, const struct record_filter *filter, double *value);
/* Adds those of `from` that pass to `kept`, in their order. */
void records_select(const struct records *from, const struct record_filter *filter, struct records *kept);

/* Whether the record's setting with the name of this member of "where" has its value, or one of its list. In a list
 * null stands for a record without the setting. */
int record_has_setting(const struct record *record, const struct cJSON *wanted);
/* Whether every member of `wanted` (an object, or NULL for no condition) is in `given` with an equal value. */
int record_includes(const struct cJSON *given, const struct cJSON *wanted);
/* Whether `text` is the entry's string `one` or stands in its array `many`; an entry with neither lets all pass. */
int entry_names(const struct cJSON *entry, const char *many, const char *one, const char *text);

#endif
