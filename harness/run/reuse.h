/*
 * Results of an earlier plan in the same folder. A record is kept if nothing that determines it has changed: its head
 * (all members before the outcome), the build of the program, the rows of its split, the plugins that it uses, every
 * key of the configuration that the head does not show, and the budget. A failed one is not kept, since its cause may
 * be outside. So a folder holds only records that
 * its configuration, data, plugins and program would make again.
 */
#ifndef HULLBENCH_REUSE_H
#define HULLBENCH_REUSE_H

#include "harness/run/journal.h"
#include "harness/run/run.h"

/* Reads what the folder has of another plan: a finished or an interrupted run. Returns NULL if there is no such run.
 * Otherwise `entries`, one per job of run->plan, are the kept ones, and *reuse says how many, and why the others are
 * not. STATUS_BAD_INPUT if a file is damaged. */
struct journal_entry *reuse_find(struct pool *pool, const struct run *run, struct run_reuse *reuse);
/* "40 new, 12 whose budget has changed" */
const char *reuse_text(struct pool *pool, const struct run_reuse *reuse);

#endif
