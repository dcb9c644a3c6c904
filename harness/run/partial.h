/*
 * What an interrupted run has so far: the folder `partial` in the run's own, a run folder of the records that are done, in plan order,
 * whose run.json says in `partial` that it is not all. Its plan is that of no run, so that nobody takes it for a finished one.
 */
#ifndef HULLBENCH_PARTIAL_H
#define HULLBENCH_PARTIAL_H

#include "harness/run/journal.h"
#include "harness/run/run.h"

#define PARTIAL_FOLDER "partial"

/* Writes it. entries: one per job of run->plan, `done` >= 1 of them with a record; run->seconds and run->spent are set. */
enum status partial_write(const struct run *run, const struct journal_entry *entries, size_t done, struct error *error);
/* Removes it from the folder `out`, save for what others put there; none is fine. */
enum status partial_remove(const char *out, struct error *error);

#endif
