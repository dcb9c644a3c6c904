/* What a search leaves for programs and readers: evaluations.jsonl, tune.json, tune.md, surface.csv
 * (docs/tuning.md). */
#ifndef HULLBENCH_TUNE_REPORT_H
#define HULLBENCH_TUNE_REPORT_H

#include "harness/tune/tune.h"

/* How a best point stands to the printed one. */
struct tune_comparison {
    double log2[TUNE_AXES];    /* log2 of ours over printed */
    double distance;           /* length of these */
    struct summary difference; /* over the folds, error of ours less that of printed; n = 0 where one has none */
};
/* 0 where the search has no best point of the kind or nothing printed. */
int tune_compare(const struct search *search, enum evaluation_kind kind, struct tune_comparison *comparison);

/* Writes the folder's evaluations.jsonl, tune.json, tune.md and surface.csv for a search that is done. */
enum status tune_report_write(const struct tune *tune, struct error *error);
/* Its tables alone: tune.md and surface.csv. */
enum status tune_tables_write(const struct tune *tune, struct error *error);

#endif
