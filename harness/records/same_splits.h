/* Whether split 7 of a data set is the same patterns in every run folder that is read together. */
#ifndef HULLBENCH_SAME_SPLITS_H
#define HULLBENCH_SAME_SPLITS_H

#include "harness/records/run_set.h"

/* Compares every two folders that are for tables or claims of one paper, data set by data set. STATUS_BAD_INPUT names
 * both folders, the data set, and both values of what differs. Folders without run.json are not looked at. */
enum status runs_check_splits(const struct runs *runs, struct error *error);

/* The same for two folders, whatever they are for. */
enum status folders_check_splits(const struct run_folder *one, const struct run_folder *other, struct error *error);

#endif
