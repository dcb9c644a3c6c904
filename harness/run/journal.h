/*
 * The journal of a run lists the finished jobs. Records are appended one by one, so that a run killed at any moment can
 * be resumed. A line is {"index":I,"seconds":S,"check":"HEX","record":{...}}, with "cpu_seconds" before "check" if jobs
 * are repeated (timing.h). The checksum covers the parts before and after it. The first line identifies the run by its
 * fingerprint. A torn last line is dropped and its job repeated; any other damage is an error that names the line.
 * Writes are synced once a second: a power failure can lose the records of one second, the death of the process none.
 * The folder must be locked (folder_lock.h).
 */
#ifndef HULLBENCH_JOURNAL_H
#define HULLBENCH_JOURNAL_H

#include "harness/run/run_info.h"
#include "harness/run/record_line.h"

struct journal;

/* A finished job; the texts belong to the journal. */
struct journal_entry {
    const char *record; /* its line of records.jsonl; NULL while unfinished */
    struct timing timing;
    enum outcome outcome; /* of the record */
    const char *reason;   /* of the record; NULL if there is none */
};

/* Opens or creates the journal at `path` for n jobs and reads its entries; `fresh` discards them. STATUS_BAD_INPUT,
 * with a message that says what differs, if the fingerprint does not match. `run`, the plan's part of run.json on one
 * line, goes into the first line of a new journal; NULL: it does not. It is closed when an attempt that opened it
 * fails. */
struct journal *journal_open(const char *path, const struct fingerprint *fingerprint, const char *run, size_t n,
                             int fresh);
/* Reads a journal of any plan without changing it. Returns its first line, a JSON object, and *count entries, some of
 * which may be unfinished; NULL if there is no journal, or its first line is damaged. Other damage is that of
 * journal_open. */
const struct cJSON *journal_read_any(struct pool *pool, const char *path, struct journal_entry **entries,
                                     size_t *count);
/* Replaces the journal at `path`, if any, by one with these entries, one per job; it is either the old or the new one
 * whenever the process ends. */
void journal_write(const char *path, const struct fingerprint *fingerprint, const char *run,
                   const struct journal_entry *entries, size_t n);
/* n, owned by the journal. */
struct journal_entry *journal_entries(struct journal *journal);
size_t journal_done(const struct journal *journal);
/* Appends a finished job; copies its texts. Calls must not overlap. Returns errors, which must not leave the critical
 * section of the call. */
enum status journal_append(struct journal *journal, size_t index, const struct journal_entry *entry,
                           struct error *error);
/* The entry of a job's record with that line. */
struct journal_entry journal_entry_of(const struct record *record, const char *line, const struct timing *timing);
/* Counts the finished entries by outcome. */
void journal_count_outcomes(const struct journal_entry *entries, size_t count, size_t outcomes[OUTCOMES]);
/* Closes the journal without removing the file. */
void journal_close(struct journal *journal);

#endif
