/*
 * The measures: what tables, figures, comparisons and `check` take from records. The numbers of a record are rows of
 * record_members (harness/run/record_line.h); the others are computed from a record and its times. A verb has no list
 * of its own: it takes the rows with the flags that it needs.
 */
#ifndef HULLBENCH_MEASURES_H
#define HULLBENCH_MEASURES_H

#include "harness/records/record.h"

/* A measure is an enum record_field, or one of these. */
enum {
    MEASURE_ALL_OPERATIONS = RECORD_FIELDS, /* kernel operations of set-up and iterations */
    MEASURE_SECONDS,
    MEASURE_CONVERGED, /* 1 or 0 */
    MEASURES
};

/* Its row: title, unit, flags. `measure` is its name for users; NULL if verbs name it only by its path. */
const struct member *measure_row(size_t measure);
/* Its path in a record: "kernel_operations.setup". NULL for the measures that no record holds. */
const char *measure_path(size_t measure);
/* The paths of the numbers in a record, in the order of enum record_field; NULL-terminated. */
const char *const *measure_paths(void);
/* The measure with the flags and this name, an earlier one, or this path, with "-" or "_"; MEASURES: none. */
size_t measure_find(const char *name, unsigned flags);
/* NAN if the record lacks it; a failed record has only MEASURE_CONVERGED. */
double measure_of(const struct record *record, size_t measure);
/* Whether its values are positive and compared by ratios, on logarithmic axes. */
int measure_is_ratio(size_t measure);
/* For axes, "test error (%)", and for headings, "Test error (%)". The first thread only. */
const char *measure_label(size_t measure);
const char *measure_title(size_t measure);

#endif
