/* Selects records by data set, solver and settings, for tables, claims and figures, and takes samples of them. */
#ifndef HULLBENCH_RECORD_FILTER_H
#define HULLBENCH_RECORD_FILTER_H

#include "harness/records/record.h"

struct pool;

/* Selects records, and one of their numbers. A condition that is NULL or zero accepts every record. */
struct record_filter {
    const char *dataset, *solver;
    const struct cJSON *params, *kernel, *stop; /* objects: the record has each member, with an equal value */
    const struct cJSON
        *entry; /* of "plots": "datasets" or "dataset", "solvers" or "solver", "where" {setting: value}; "series", a
                 * list of such objects, one of which must match */
    int no_failed;               /* exclude records with the outcome "failed" */
    const char *field;           /* path of the number in the record, with dots */
    const char *clamp_min_field; /* raise the number to this one of the same record; NULL: no lower bound */
    double clamp_max;            /* upper bound; infinity: none */
};

/* Whether the record passes all conditions. */
int record_matches(const struct record *record, const struct record_filter *filter);
/* The filter's number in the record; returns 0 and leaves *value unchanged if the record does not have it. */
int record_filter_number(const struct record *record, const struct record_filter *filter, double *value);
/* Adds the records of `from` that match to `kept`, in order. */
void records_select(const struct records *from, const struct record_filter *filter, struct records *kept);

/* Whether the record's setting with the name of this member of "where" has its value, or one of its list. In a list,
 * null matches a record without the setting. */
int record_has_setting(const struct record *record, const struct cJSON *wanted);
/* Whether the setting has the value of a configuration; null matches a missing setting, NULL. */
int setting_has_value(const struct setting *setting, const struct cJSON *wanted);
/* Whether `given` has every member of `wanted` (an object, or NULL for no condition) with an equal value. */
int record_includes(const struct cJSON *given, const struct cJSON *wanted);
/* Whether `text` is the entry's string `one` or an element of its array `many`; an entry with neither accepts every
 * text. */
int entry_names(const struct cJSON *entry, const char *many, const char *one, const char *text);

/* The numbers of one column for one data set. */
struct sample {
    double *values;                /* n numbers */
    const struct record **records; /* the n records that contain them */
    size_t n;
    size_t n_null;    /* matching records without this number */
    size_t converged; /* matching records, with or without the number, with the outcome "converged" */
    size_t stalled;   /* ... with the outcome "stalled" */
    size_t generated; /* ... on a generated split */
};

/* Collects the filter's number, divided by unit, from every matching record of the data set, in reading order. Records
 * with different params, kernel or stop do not form a sample: it ends with STATUS_BAD_INPUT and names two such records.
 * `used`, unless NULL, receives the records, possibly repeatedly. */
struct sample sample_take(struct pool *pool, const struct records *records, const struct record_filter *filter,
                          const char *dataset, double unit, struct records *used);

/* One line that says how many different splits (data set and number) were official, resampled, generated or folds, and
 * which data sets were not official. Reorders `used`. */
const char *records_describe_splits(struct pool *pool, struct records *used);

#endif
