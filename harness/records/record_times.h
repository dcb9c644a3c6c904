/* The times of records, for comparisons. Call run_folder_read_times first. */
#ifndef HULLBENCH_RECORD_TIMES_H
#define HULLBENCH_RECORD_TIMES_H

#include "harness/records/record.h"

/* The time to compare, in seconds: the median CPU time of the repeats, otherwise the wall-clock time of the single
 * shot. NAN if the record has no time. */
double record_time(const struct record *record);

/* Why the times of these records cannot be compared: some are single shots below TIMING_SHORT, or single shots are
 * mixed with repeats. A sentence without a period, malloc'ed; NULL if they can. Failed records and records without a
 * time are ignored. */
char *records_time_obstacle(const struct records *records);

#endif
