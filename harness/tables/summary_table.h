/* What a run gave, without any paper: one line per data set, solver and settings. */
#ifndef HULLBENCH_SUMMARY_TABLE_H
#define HULLBENCH_SUMMARY_TABLE_H

#include "harness/records/record.h"

/* Groups the records by data set, solver, params, kernel and stop, in order of first appearance, and writes
 * FOLDER/summary.json, .md, .tex and .csv; the folder exists. No records give tables with a header only. */
enum status summary_table_write(const struct records *records, const char *folder, struct error *error);

#endif
