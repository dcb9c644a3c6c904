/* What headings and captions say about the records of a figure. */
#ifndef HULLBENCH_CAPTIONS_H
#define HULLBENCH_CAPTIONS_H

#include <stdio.h>

#include "harness/compare/data.h"

/* Prints "12 data sets, 100 splits" (or the data set's name, or "20 to 100 splits") for the records. */
void plot_describe(FILE *stream, const struct plot_data *data, const struct records *records);
/* Prints which data sets had their splits drawn here or were made here. */
void plot_origin_of_splits(FILE *stream, const struct plot_data *data, const struct records *records);
/* Prints what a ring around a mark says, where some run of the records ended so. */
void plot_ringed(const struct records *records, FILE *stream);
/* Prints the sentences every figure carries on its records: splits drawn here, made data, runs that were stopped at a
 * limit or stalled. */
void plot_origin(FILE *stream, const struct plot_data *data, const struct records *records);

#endif
