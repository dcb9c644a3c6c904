/* The numbers of one column for one data set, and the source of their splits. */
#ifndef HULLBENCH_SAMPLE_H
#define HULLBENCH_SAMPLE_H

#include "harness/records/record_filter.h"

struct pool;

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
