/* Run folders and files of records in tests: read in an attempt, into a pool of their own that the test releases. */
#ifndef HULLBENCH_TESTS_READ_RUN_H
#define HULLBENCH_TESTS_READ_RUN_H

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/records/run_folder.h"

/* Reads and parses the records; release them with pool_free(file->pool), even after an error. */
enum status try_records(const char *path, struct record_file *file, struct error *error);

/* Opens a folder, and reads what the last argument says. Release it with pool_free(folder->pool), even after an
 * error. */
enum try_reading { TRY_OPEN, TRY_LINES, TRY_RECORDS, TRY_TIMES };
enum status try_folder(const char *path, enum folder_need need, enum try_reading reading, struct run_folder *folder,
                       struct error *error);
/* Reads more of an open folder; *found becomes what run_folder_read_times returns. */
enum status try_more(struct run_folder *folder, enum try_reading reading, int *found, struct error *error);

#endif
