/* What headings and captions say about the records of a figure. */
#ifndef HULLBENCH_CAPTIONS_H
#define HULLBENCH_CAPTIONS_H

#include <stdio.h>

#include "harness/compare/data.h"

/* Prints "12 data sets, 100 splits" (or the data set's name, or "20 to 100 splits") for the records. */
void plot_describe(FILE *stream, const struct plot_data *data, const struct records *records);
/* Prints which data sets have resampled or generated splits. */
void plot_origin_of_splits(FILE *stream, const struct plot_data *data, const struct records *records);
/* Prints the meaning of a ring around a mark if some run of the records was stopped at a limit or stalled. */
void plot_ringed(const struct records *records, FILE *stream);
/* Prints the sentences on records that every figure has: resampled splits, generated data, runs that were stopped at a
 * limit or stalled. */
void plot_origin(FILE *stream, const struct plot_data *data, const struct records *records);

#endif
