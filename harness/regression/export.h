/* What a comparison found, in the formats of others. Errors of the stream are the caller's to look at. */
#ifndef HULLBENCH_EXPORT_H
#define HULLBENCH_EXPORT_H

#include <stdio.h>

#include "harness/regression/regression.h"

/* Bencher Metric Format: {"SOLVER/DATASET": {MEASURE: {"value": SUM}}}. The measures are the counts by the names that
 * they have in records: iterations, kernel_operations.setup, .iterations and .predict, kernel_evaluations and
 * support_vectors, each summed over the splits and settings of solver and data set. One that is not counted is left
 * out. */
void export_bencher(FILE *stream, const struct measured_run *measured);
/* github-action-benchmark, tool customSmallerIsBetter: [{"name": "SOLVER/DATASET MEASURE", "unit", "value", "extra"}],
 * the same sums. */
void export_github(FILE *stream, const struct measured_run *measured);
/* JUnit XML: a test case for each record of the run and each that is missing, a failure where it is missing, new or
 * moved, and one for each data set that is not the baseline's. */
void export_junit(FILE *stream, const struct regression *regression, const struct measured_run *measured);

#endif
