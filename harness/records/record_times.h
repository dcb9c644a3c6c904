/* The times of records, for those that compare them. Records must have been given theirs by run_folder_read_times. */
#ifndef HULLBENCH_RECORD_TIMES_H
#define HULLBENCH_RECORD_TIMES_H

#include "harness/records/record.h"

/* The seconds that are compared: the median processor time of the repeats, else the wall clock of the single shot. NAN
 * where the record has no time. */
double record_time(const struct record *record);

/* Why the times of these records may not be compared: some are single shots below TIMING_SHORT, or some are single
 * shots and others are repeated. A sentence without a period, malloc'ed; NULL where they may. Failed records and
 * records without a time do not count. */
char *records_time_obstacle(const struct records *records);

#endif
