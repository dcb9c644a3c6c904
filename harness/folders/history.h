/*
 * The history of a gate: a file with a line for each run that `check` has compared, its counts in sums over the splits
 * and settings of each solver and data set (docs/regression.md), and what `hullbench trend` makes of it.
 */
#ifndef HULLBENCH_HISTORY_H
#define HULLBENCH_HISTORY_H

#include "harness/figure/render.h"
#include "harness/folders/regression.h"

/* The counts of a solver on a data set. */
struct count_sums {
    const char *solver, *dataset;
    size_t records, failed;
    uint64_t hash;                /* of outcome and counts of each record, which sums may hide */
    const struct cJSON *counts;   /* for the line: an object, path of the count: sum; gone once it is read */
    double sum[RECORD_FIELDS];    /* the same; NAN: a record lacks the count */
};
/* Of a run's records, by solver and data set. */
struct sums_list LIST_OF(struct count_sums);
struct sums_list sums_of(struct pool *pool, const struct measured_run *measured);

/* One line. */
struct history_run {
    size_t schema;
    const char *date; /* UTC, "2026-11-28T06:00:00Z" */
    const char *commit; /* NULL: not known */
    const char *version, *config, *config_hash;
    struct sums_list sums;
};
extern const struct member history_members[], history_sum_members[];
struct history {
    struct pool *pool;
    const char *path;
    struct history_run *item; /* the latest last */
    size_t count, capacity;
};

/* Whether the text may name a commit in a history: 1 to 200 printable characters of ASCII, no blanks. */
int history_is_commit(const char *text);
/* The commit that is measured: $GITHUB_SHA, $CI_COMMIT_SHA, or that of the current folder's repository, with "-dirty"
 * if files that it tracks were changed, other than the history. NULL if none of them says. */
const char *history_commit(struct pool *pool, const char *history);
/* Dies unless a line can be added to the file, which need not exist: it must be a history, of the configuration with
 * this name (NULL: of any). */
void history_check(struct pool *pool, const char *path, const char *config);
/* Adds a line of the run, in one write. commit NULL: not known. */
void history_append(struct pool *pool, const char *path, const struct measured_run *measured, const char *commit);
/* Reads the file. Dies with STATUS_NOT_FOUND if it has no run, and with STATUS_BAD_INPUT and the line if it is damaged
 * or its runs are of different configurations. */
struct history history_read(struct pool *pool, const char *path);

/* A row for each commit, solver and data set with other counts than in the last run before that had as many records of
 * them: for readers, and with a row for each count for programs. */
struct trend {
    struct result page, data;
    size_t moved; /* the runs in which a count moved; not those with other records alone */
};
/* `solvers`, `datasets`: names separated by commas, or NULL for all. Dies with STATUS_NOT_FOUND if no run has one. */
struct trend trend_of(const struct history *history, const char *solvers, const char *datasets);
/* The figure FOLDER/trend: the counts of the solvers and data sets that moved most, relative to their first. */
void trend_figure(const struct history *history, const char *solvers, const char *datasets, const char *folder,
                  struct figure_sink *sink);

#endif
