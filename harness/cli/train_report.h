/* What `hullbench solve` prints of a file that was trained whole: svm-train's lines, then what only a benchmark knows. */
#ifndef HULLBENCH_TRAIN_REPORT_H
#define HULLBENCH_TRAIN_REPORT_H

#include <stdio.h>

#include "harness/model/model.h"
#include "harness/run/unit.h"

/* alpha: the multipliers of the set's one split. */
void train_report(FILE *stream, const struct dataset *dataset, const struct solver *solver, const struct job *job,
                  const struct job_result *result, const double *alpha, const struct model *model);

#endif
