/* The result of a comparison in other tools' formats. The caller checks the stream for errors. */
#ifndef HULLBENCH_CI_REPORT_H
#define HULLBENCH_CI_REPORT_H

#include <stdio.h>

#include "harness/folders/regression.h"

/* Bencher Metric Format: {"SOLVER/DATASET": {MEASURE: {"value": SUM}}}. The measures are the counts under their record
 * names: iterations, kernel_operations.setup, .iterations and .predict, kernel_evaluations and support_vectors, each
 * summed over the splits and settings of solver and data set. Measures that are not counted are omitted. */
void ci_report_bencher(FILE *stream, const struct measured_run *measured);
/* github-action-benchmark, tool customSmallerIsBetter: [{"name": "SOLVER/DATASET MEASURE", "unit", "value", "extra"}],
 * the same sums. */
void ci_report_github(FILE *stream, const struct measured_run *measured);
/* JUnit XML: a test case for each record of the run and each missing record, which fails if the record is missing, new
 * or changed; and a failed one for each data set that differs from the baseline's. */
void ci_report_junit(FILE *stream, const struct regression *regression, const struct measured_run *measured);

#endif
