/*
 * Run folders as flat CSV (RFC 4180, UTF-8) with one header line: docs/export.md. Rows follow the order of the folders
 * and of their records.jsonl, a missing value is an empty field, numbers have the same digits as in the files.
 */
#ifndef HULLBENCH_CSV_EXPORT_H
#define HULLBENCH_CSV_EXPORT_H

#include "harness/records/run_folder.h"

/* Folders with their exported data: records, times if present, traces. */
struct csv_export;

/* Reads all data into the pool, and keeps the records of the selection (harness/records/selection.h; NULL: all). The
 * folders were read with FOLDER_CONFIG or more and outlive the pool. Dies with
 * STATUS_BAD_INPUT: a file is damaged or missing, a folder is given twice, a trace matches no record or several, or a
 * record has two traces, or a name is unknown; STATUS_NOT_FOUND if no record is left. */
const struct csv_export *csv_export_open(struct pool *pool, struct run_folders *folders,
                                         const struct cJSON *selection);
/* Prints a line for each reason why the records cannot be compared with each other (harness/records/conditions.h). */
void csv_export_warn(const struct run_folders *folders, FILE *stream);

/* Prints one row per record; with several folders, `folder` comes first. The caller checks the stream for errors. */
void csv_export_records(const struct csv_export *opened, FILE *stream);
/* Prints one row per point of a trace: `folder` if there are several, `record`, and the columns of the traces. */
void csv_export_traces(const struct csv_export *opened, FILE *stream);

#endif
