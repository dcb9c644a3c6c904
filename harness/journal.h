/*
 * The journal of a run: what is finished, appended record by record, so that a run killed at any moment goes on where it was.
 * A line is {"index":I,"seconds":S,"check":"HEX","record":{...}}, the check over what stands before and after it; the first line
 * names the plan. A torn last line is dropped and redone; any other damage is an error that names the line.
 */
#ifndef HULLBENCH_JOURNAL_H
#define HULLBENCH_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"

struct journal;

/* A finished job; record is malloc'ed, NULL while unfinished. */
struct journal_entry {
    char *record;
    double seconds;
};

/* Opens or makes the journal at `path` for a plan of n jobs named by `plan_hash`, reads what it has, and locks it against a
 * second writer; `fresh` drops what it has. STATUS_BAD_INPUT when it belongs to another plan or to a run going on. entries: n,
 * owned by the journal. */
enum status journal_open(struct journal **journal, const char *path, uint64_t plan_hash, size_t n, int fresh,
                         struct error *error);
struct journal_entry *journal_entries(struct journal *journal);
size_t journal_done(const struct journal *journal);
/* Appends a finished job; takes over `record`, a malloc'ed line of JSON. One writer at a time. */
enum status journal_append(struct journal *journal, size_t index, double seconds, char *record, struct error *error);
/* Closes; the file stays. Accepts NULL. */
void journal_close(struct journal *journal);

/* 64-bit FNV-1a of the bytes, continuing from `hash` (start with JOURNAL_HASH_START). */
#define JOURNAL_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t journal_hash(uint64_t hash, const void *bytes, size_t size);

#endif
