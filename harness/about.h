/* The parts of run.json, for those who put one together (docs/formats.md). */
#ifndef HULLBENCH_ABOUT_H
#define HULLBENCH_ABOUT_H

#include "harness/run.h"

struct cJSON;

/* What was run and what came of it: schema, config, plan, records (so many), units, outcomes, restricted_to, data, missing. */
void about_add_results(struct cJSON *about, const struct run *run, size_t records);
/* By what: version, build, compiler, libraries, the program's hash, machine. */
void about_add_program(struct cJSON *about, const struct run *run, unsigned threads);
/* When it was finished (now) and the seconds it took. */
void about_add_time(struct cJSON *about, double seconds);

#endif
