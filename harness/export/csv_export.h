/*
 * Run folders as flat CSV (RFC 4180, UTF-8), one header line: docs/export.md. Rows stand in the order of the folders
 * and of their records.jsonl, a missing value is an empty field, numbers have the digits of the files.
 */
#ifndef HULLBENCH_CSV_EXPORT_H
#define HULLBENCH_CSV_EXPORT_H

#include <stdio.h>

#include "harness/records/run_folder.h"

/* Folders with what is exported of them: records, times where there are any, traces. */
struct csv_export;

/* Reads all of it. The folders were read with FOLDER_CONFIG or more, and outlive the export. STATUS_BAD_INPUT: a file
 * is damaged, a folder is given twice, or a trace is of no record or of several, or of one that has a trace already.
 * *opened is released with csv_export_close, also after an error. */
enum status csv_export_open(struct run_folders *folders, struct csv_export **opened, struct error *error);
/* Accepts NULL. */
void csv_export_close(struct csv_export *opened);

/* A row a record; the first column is `folder` where there are several. Errors of the stream are the caller's to look
 * at. */
void csv_export_records(const struct csv_export *opened, FILE *stream);
/* A row a point of a trace: `folder` where there are several, `record`, and the columns of the traces. */
void csv_export_traces(const struct csv_export *opened, FILE *stream);

#endif
