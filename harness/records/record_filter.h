/* Selects records as papers describe them, for published tables and claims, and takes samples of them. */
#ifndef HULLBENCH_RECORD_FILTER_H
#define HULLBENCH_RECORD_FILTER_H

#include "harness/records/record.h"

/* Selects records, and one of their numbers. A condition that is NULL or zero accepts every record. */
struct record_filter {
    const char *dataset, *solver;
    const struct cJSON *params, *kernel, *stop; /* objects: the record has each member, with an equal value */
    const char *field;           /* path of the number in the record, with dots */
    const char *clamp_min_field; /* raise the number to this one of the same record; NULL: no lower bound */
    double clamp_max;            /* upper bound; infinity: none */
};

/* Whether `given` has every member of `wanted` (an object, or NULL for no condition) with an equal value. */
int record_includes(const struct cJSON *given, const struct cJSON *wanted);

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
