/*
 * The plan: the product of a configuration's data sets, splits, kernels, solvers and parameters, in that order, as a
 * flat list of jobs. The jobs of one data set and split are adjacent and form a unit, which shares one kernel matrix.
 *
 * Shards divide the plan into blocks: the jobs of one data set, split and kernel. Blocks are numbered by data set, then
 * by kernel, then by split; shard K of N gets the blocks K, K + N, K + 2N, ... . So all shards have about the same
 * number of blocks of each data set. The data set at position d starts with kernel -d modulo the number of kernels, so
 * that a shard gets different kernels if N is a multiple of that number.
 */
#ifndef HULLBENCH_PLAN_H
#define HULLBENCH_PLAN_H

#include "harness/config/config.h"

/*
 * The position of a job in the plan of the whole configuration, independent of the run's restrictions and of missing
 * data sets. Jobs are ordered by these numbers. All count from 0, except the split.
 */
enum {
    PLACE_DATASET,    /* index in the configuration's list */
    PLACE_SPLIT,      /* split number */
    PLACE_KERNEL,     /* index of the combination of kernel values */
    PLACE_SOLVER,     /* index in the configuration's list */
    PLACE_PARAMETERS, /* index of the combination of solver values */
    PLAN_PLACE
};

struct job {
    uint32_t place[PLAN_PLACE];
    size_t dataset;       /* index in the configuration */
    size_t split;         /* index in the data set's splits */
    size_t solver;        /* index in the configuration */
    struct kernel kernel;
    struct parameters parameters;
    struct stop stop;
};

struct unit {
    size_t first, count; /* jobs of the plan */
    double cost;         /* rough estimate, for ordering units and estimating the time left */
};

struct plan {
    const struct config *config;       /* the configuration given to plan_build */
    struct dataset *const *datasets;
    struct job *jobs;
    size_t n_jobs;
    struct unit *units;
    size_t n_units;
    size_t total_blocks; /* of all shards */
};

/* Builds the plan in the configuration's pool. datasets[d] is the loaded set of config->datasets[d], or NULL if it is
 * missing; splits that a set does not have are omitted. Shard `shard` of `shards` (from 1; 1 of 1 is the whole plan)
 * gets every shards-th block. */
void plan_build(const struct config *config, struct dataset *const *datasets, size_t shard, size_t shards,
                struct plan *plan);

/* Whether two jobs of a plan have the same data set, split and kernel. */
int plan_same_block(const struct job *a, const struct job *b);

/* Whether two jobs of a plan differ at most in the tolerance. */
int plan_same_but_tolerance(const struct job *a, const struct job *b);

/* A chunk costs at most this part of one thread's share of the work. */
#define CHUNKS_PER_THREAD 8

/*
 * Divides the plan into chunks that threads take: whole units or, if a few units are long, parts of them, so that no
 * thread is left with a long unit while the others are idle. Each chunk has its own kernel matrix, so units are cut no
 * further than necessary. Returns *count chunks (malloc'ed) that together contain every job once, most expensive first
 * and chunks of equal cost in plan order. A single thread gets whole units.
 */
struct unit *plan_chunks(const struct plan *plan, unsigned threads, size_t *count);

#endif
