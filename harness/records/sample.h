/* The numbers of one column for one data set, and the source of their splits. */
#ifndef HULLBENCH_SAMPLE_H
#define HULLBENCH_SAMPLE_H

#include "harness/records/record_filter.h"

struct sample {
    double *values;                /* n numbers; owned */
    const struct record **records; /* the n records that contain them; the list is owned */
    size_t n;
    size_t n_null;    /* matching records without this number */
    size_t converged; /* matching records, with or without the number, with the outcome "converged" */
    size_t stalled;   /* ... with the outcome "stalled" */
    size_t generated; /* ... on a generated split */
};

/* Collects the filter's number, divided by unit, from every matching record of the data set, in reading order. Records
 * with different params, kernel or stop do not form a sample: STATUS_BAD_INPUT names two such records. `used`, unless
 * NULL, receives the records, possibly repeatedly. Free the sample with sample_free; after an error it is empty. */
enum status sample_take(const struct records *records, const struct record_filter *filter, const char *dataset,
                        double unit, struct sample *sample, struct records *used, struct error *error);
/* Accepts NULL and a zero-initialised sample. */
void sample_free(struct sample *sample);

/* One line that says how many different splits (data set and number) were official, resampled, generated or folds, and
 * which data sets were not official; malloc'ed. Reorders `used`. */
char *records_describe_splits(struct records *used);

#endif
