/*
 * The journal of a run: what is finished, appended record by record, so that a run killed at any moment goes on where
 * it was. A line is {"index":I,"seconds":S,"check":"HEX","record":{...}}, before "check" with "cpu_seconds" where there
 * are repeats (timing.h). The check is over what stands before and after it; the first line names what the run is of
 * (fingerprint.h). A torn last line is dropped and redone; any other damage is an error that names the line. A write is
 * not synced at once, but once a second: a loss of power can cost the records of a second, the death of the process
 * none. The folder is to be locked (folder_lock.h).
 */
#ifndef HULLBENCH_JOURNAL_H
#define HULLBENCH_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "harness/evaluate/solve.h"
#include "harness/run/fingerprint.h"
#include "harness/run/timing.h"
#include "solvers/error.h"

struct journal;

/* A finished job; record is malloc'ed, NULL while unfinished. */
struct journal_entry {
    char *record;
    struct timing timing;
    enum outcome outcome; /* the record's; of a line that has none, the first */
};

/* Opens or makes the journal at `path` for n jobs and reads what it has; `fresh` drops that. STATUS_BAD_INPUT when it
 * is not of this fingerprint; the message says what differs. entries: n, owned by the journal. */
enum status journal_open(struct journal **journal, const char *path, const struct fingerprint *fingerprint, size_t n,
                         int fresh, struct error *error);
struct journal_entry *journal_entries(struct journal *journal);
size_t journal_done(const struct journal *journal);
/* Appends a finished job; takes over `record`, a malloc'ed line of JSON. One writer at a time. */
enum status journal_append(struct journal *journal, size_t index, const struct timing *timing, char *record,
                           struct error *error);
/* How many of the finished entries have each outcome. */
void journal_count_outcomes(const struct journal_entry *entries, size_t count, size_t outcomes[OUTCOMES]);
/* The outcome that a line of records.jsonl says. */
enum outcome journal_outcome(const char *record);
/* The reason that it says, "" where it says none. */
void journal_reason(const char *record, char *reason, size_t size);
/* Closes; the file stays. Accepts NULL. */
void journal_close(struct journal *journal);

/* 64-bit FNV-1a of the bytes, continuing from `hash` (start with JOURNAL_HASH_START). */
#define JOURNAL_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t journal_hash(uint64_t hash, const void *bytes, size_t size);

#endif
