/* Notes of tables that compare series (harness/compare/series_set.h). */
#ifndef HULLBENCH_SERIES_NOTES_H
#define HULLBENCH_SERIES_NOTES_H

#include "harness/compare/series_set.h"
#include "harness/tables/run_tables.h"

/* Adds what series lack, and unlike budgets, to the notes and the JSON. */
void series_notes_add(const struct series_set *set, struct table_files *files);
/* Warns that the table "KIND-NAME" is not written, if budgets are the reason. */
void series_notes_warn(const struct series_set *set, const char *kind, const char *name, const struct table_log *log);

#endif
