/* What a search leaves for programs and readers: evaluations.jsonl, tune.json, tune.md, surface.csv
 * (docs/tuning.md). */
#ifndef HULLBENCH_TUNE_REPORT_H
#define HULLBENCH_TUNE_REPORT_H

#include "harness/tune/tune.h"

/* Writes the folder's evaluations.jsonl, tune.json, tune.md and surface.csv for a search that is done. */
enum status tune_report_write(const struct tune *tune, struct error *error);
/* Its tables alone: tune.md and surface.csv. */
enum status tune_tables_write(const struct tune *tune, struct error *error);

#endif
