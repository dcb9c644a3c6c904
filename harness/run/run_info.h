/* The parts of run.json, for those who put one together (docs/formats.md). */
#ifndef HULLBENCH_RUN_INFO_H
#define HULLBENCH_RUN_INFO_H

#include "harness/run/run.h"

struct cJSON;

/* What was run and what came of it: schema, config, plan, records (so many), units, outcomes, restricted_to, data, missing. */
void run_info_add_results(struct cJSON *about, const struct run *run, size_t records);
/* By what: version, build, compiler, libraries, the program's hash, machine. */
void run_info_add_program(struct cJSON *about, const struct run *run, unsigned threads);
/* When it was finished (now) and the seconds it took. */
void run_info_add_time(struct cJSON *about, double seconds);

/* The most memory that the process has held so far, in MiB; 0 where the system does not say. */
double run_info_peak_megabytes(void);
/* Where its threads spent that time, and how busy they were: `time`. */
void run_info_add_stage_times(struct cJSON *about, const struct stage_times *spent, double seconds, unsigned threads);
/* The name in `machine` of run_info_peak_megabytes. */
#define RUN_INFO_PEAK "peak_megabytes"
/* The name in `time` of the seconds on a processor, and of their share in threads times seconds. */
#define RUN_INFO_PROCESSOR "processor"
#define RUN_INFO_BUSY "busy"

/* From a run.json, how many patterns the splits of a data set train and test on: the fewest to train and the most to
 * test, where they differ. Returns 0, and leaves both as they are or 0, where it does not say so (version 0.2.0). */
int run_info_split_sizes(const struct cJSON *about, const char *dataset, size_t *train, size_t *test);

#endif
