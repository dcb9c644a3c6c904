/*
 * Splits that the user's own file lists. Each begins with a line "train ROWS", which a line "test ROWS" may follow;
 * without one all other rows test. ROWS are numbers and ranges such as "1 4 7-20", counted from 1 in the order of the
 * patterns; "#" starts a comment. The first split is number 1.
 */
#ifndef HULLBENCH_SPLIT_FILE_H
#define HULLBENCH_SPLIT_FILE_H

#include "harness/data/dataset_parts.h"

/* Gives the data set, whose rows and labels are there, the splits that the file lists, as SPLIT_OFFICIAL.
 * STATUS_BAD_INPUT names file, line and column: words and numbers that are none, rows that are not there or stand in a
 * split twice, a split that trains on fewer than two rows or one class. */
enum status split_file_read(const struct input *input, struct dataset *dataset, struct error *error);

#endif
