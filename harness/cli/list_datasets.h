/*
 * The table of `hullbench list datasets`.
 */
#ifndef HULLBENCH_LIST_DATASETS_H
#define HULLBENCH_LIST_DATASETS_H

#include "solvers/error.h"

/* Prints one line on standard output for each data set of the manifest: its shape and splits as found along search_path
 * (colon-separated folders, may be NULL) and cache (may be NULL), and the file they come from. A set that is nowhere is
 * listed with the manifest's shape and how to get it. A file that is there but cannot be used is named in the line of
 * its set, and the error of the first such file is returned once the table is complete. */
enum status list_datasets(const char *search_path, const char *cache, struct error *error);

#endif
