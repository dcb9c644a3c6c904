/* What a comparison found, in the formats of others. Files are written whole (harness/support/file.h). */
#ifndef HULLBENCH_EXPORT_H
#define HULLBENCH_EXPORT_H

#include "harness/regression/regression.h"

/* Bencher Metric Format: {"SOLVER/DATASET": {MEASURE: {"value": SUM}}}. The measures are the counts by the names that
 * they have in records: iterations, kernel_operations.setup, .iterations and .predict, kernel_evaluations and
 * support_vectors, each summed over the splits and settings of solver and data set. One that is not counted is left
 * out. */
enum status export_bencher(const char *path, const struct measured_run *measured, struct error *error);
/* github-action-benchmark, tool customSmallerIsBetter: [{"name": "SOLVER/DATASET MEASURE", "unit", "value", "extra"}],
 * the same sums. */
enum status export_github(const char *path, const struct measured_run *measured, struct error *error);
/* JUnit XML: a test case for each record of the run and each that is missing, a failure where it is missing, new or
 * moved, and one for each data set that is not the baseline's. */
enum status export_junit(const char *path, const struct regression *regression, const struct measured_run *measured,
                         struct error *error);

#endif
