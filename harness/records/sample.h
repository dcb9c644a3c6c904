/* The numbers that records give for one column and one data set, and where their splits come from. */
#ifndef HULLBENCH_SAMPLE_H
#define HULLBENCH_SAMPLE_H

#include "harness/records/record_filter.h"

struct sample {
    double *values;                /* n numbers, owned */
    const struct record **records; /* the n records they stand in; the list is owned */
    size_t n;
    size_t n_null;    /* matching records that have no number there */
    size_t converged; /* matching records, with or without number, that ended "converged" */
    size_t stalled;   /* ... that ended "stalled" */
    size_t generated; /* ... on a data set made here */
};

/* Takes the filter's number, divided by unit, of every matching record of the data set, in reading order. Records of
 * different params, kernel or stop are not one sample: STATUS_BAD_INPUT says which two met. `used`, unless NULL, gets
 * the records, each possibly again. The sample is freed with sample_free; after an error it is empty. */
enum status sample_take(const struct records *records, const struct record_filter *filter, const char *dataset,
                        double unit, struct sample *sample, struct records *used, struct error *error);
/* Accepts NULL and a zeroed sample. */
void sample_free(struct sample *sample);

/* One line that says how many different splits (data set and number) were official, resampled, generated or folds, and
 * which data sets were not official; malloc'ed. Reorders `used`. */
char *records_describe_splits(struct records *used);

#endif
