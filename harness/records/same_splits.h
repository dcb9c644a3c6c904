/* Checks that a split of a data set, say 7, contains the same patterns in all run folders that are read together. */
#ifndef HULLBENCH_SAME_SPLITS_H
#define HULLBENCH_SAME_SPLITS_H

#include "harness/records/run_folder.h"

/* Compares every two folders that are for tables or claims of the same paper, data set by data set. STATUS_BAD_INPUT
 * names both folders, the data set, and both values of the setting that differs. Folders without run.json are
 * skipped. */
enum status run_folders_check_splits(const struct run_folders *runs, struct error *error);

/* The same for two folders, regardless of the paper. */
enum status run_folder_check_splits(const struct run_folder *one, const struct run_folder *other, struct error *error);

#endif
