/*
 * Repeats a finished run from its folder, which holds the configuration and the restrictions. Differences are reported
 * separately for the set-up (program, build, machine, data) and for the results, byte by byte.
 */
#ifndef HULLBENCH_REPLAY_H
#define HULLBENCH_REPLAY_H

#include "harness/run/run.h"

struct replay_request {
    const char *folder;
    /* Provides data, threads, loops, progress, `force` and `datasets`, the only ones to repeat. `out` is the folder for
     * the repetition; NULL: FOLDER/replay, which is emptied first, and removed afterwards if the results are the same.
     */
    const struct run_options *run;
    int one;       /* repeat a single record, without a folder */
    size_t record; /* its index, from 0 */
};

struct replay_result {
    const char *config;         /* name of the configuration */
    struct string_list setup;   /* one line per difference */
    struct string_list results; /* the same, of record members, missing and additional records, and traces */
    size_t records, differing; /* repeated records, and those whose bytes differ */
    int other_data;            /* the SHA-256 of a data set differs */
    struct string_list missing; /* one line per data set of the run that is missing now: its name, and where it was
                                 * looked for */
    size_t not_repeated;        /* records of other data sets than the repeated ones */
    const char *kept;           /* folder of the repetition; NULL if it was not kept */
};

/* The result is in the pool. Dies with STATUS_NOT_FOUND if all data of the run are missing, or some of a shard or of
 * the one record; with STATUS_BAD_INPUT if the folder is no finished run, the record or a data set is not in it, or the
 * target is not empty; with STATUS_INTERRUPTED as run_execute. */
const struct replay_result *replay_run(struct pool *pool, const struct replay_request *request);

struct run_verification {
    size_t files, records;     /* files that run.json lists; sound records, 0 where there are faults */
    struct string_list faults; /* one line each, naming the file */
    struct string_list unchecked; /* files in the folder that are not of the run */
};

/* Compares the files of the folder with the checksums in its run.json (file_hashes.h), then reads records and times.
 * A file that is missing, changed or not listed is a fault, and so is a run.json whose plan is not that of the
 * configuration. Dies with STATUS_BAD_INPUT if the folder is not a finished run, or its run.json lists no checksums.
 * The result is in the pool. */
const struct run_verification *run_verify(struct pool *pool, const char *folder);

/* ---- the command that repeats a run, as text for a shell ---- */

/* Prints a space, then `before` and `word` as one word of the shell: in single quotes unless all characters are
 * harmless. Lines after the first are indented, so that the text stays inside a block of code. */
void shell_word_print(FILE *stream, const char *before, const char *word);

/* Prints the options that give a run the restrictions, shard and plugins of its run.json. */
void run_command_print_options(FILE *stream, const struct run_info *info);

#endif
