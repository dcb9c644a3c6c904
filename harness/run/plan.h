/*
 * The plan: the product of a configuration's data sets, splits, kernels, solvers and parameters, in that order, as a
 * flat list of jobs. Jobs of one data set and split stand together and form a unit, which shares one kernel matrix.
 *
 * Shards share out blocks: the jobs of one data set, split and kernel. Blocks are numbered from data set to data set,
 * within one from kernel to kernel, and with one kernel from split to split; shard K of N has the blocks K, K + N,
 * K + 2N ... . So all shards have about as many blocks of each data set. The data set at place d begins with kernel -d
 * modulo their number, so that a shard has different kernels where N is a multiple of that number.
 */
#ifndef HULLBENCH_PLAN_H
#define HULLBENCH_PLAN_H

#include "harness/config/config.h"
#include "harness/data/dataset.h"

/*
 * The place of a job in the plan of the whole configuration, whatever a run of it is restricted to and whichever data
 * sets it has: jobs are in the order of these numbers. All count from 0, but for the split.
 */
enum {
    PLACE_DATASET,    /* in the configuration's list */
    PLACE_SPLIT,      /* the split's number */
    PLACE_KERNEL,     /* among the combinations of the kernel's values */
    PLACE_SOLVER,     /* in the configuration's list */
    PLACE_PARAMETERS, /* among the combinations of the solver's values */
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
    size_t first, count; /* jobs */
    double cost;         /* a rough number to order units by and to guess the time left */
};

struct plan {
    const struct config *config;       /* of plan_build */
    struct dataset *const *datasets;
    struct job *jobs;
    size_t n_jobs;
    struct unit *units;
    size_t n_units;
    size_t total_blocks; /* of all shards together */
};

/* Builds the plan. datasets[d] is the loaded set of config->datasets[d] or NULL when it is missing; splits a set does
 * not have are left out. Shard `shard` of `shards` (from 1; 1 of 1 is everything) keeps every shards-th block. */
enum status plan_build(const struct config *config, struct dataset *const *datasets, size_t shard, size_t shards,
                       struct plan *plan, struct error *error);
void plan_free(struct plan *plan);

/* Whether two jobs of a plan are of one data set, split and kernel. */
int plan_same_block(const struct job *a, const struct job *b);

/* Whether two jobs of a plan differ in the tolerance at most. */
int plan_same_but_tolerance(const struct job *a, const struct job *b);

/* The most that a chunk may cost, as a part of what each thread has to do. */
#define CHUNKS_PER_THREAD 8

/*
 * What threads take: a unit, or, where few units are long, a part of one's jobs, so that no thread is left with a long
 * one while the others have nothing to do. Each chunk has a kernel matrix of its own, so units are cut no further than
 * that asks for. Fills *chunks (malloc'ed) with the jobs of the plan, each in one of *count chunks, the most costly
 * first and of equal cost the first in the plan. One thread gets whole units. Fails only out of memory.
 */
enum status plan_chunks(const struct plan *plan, unsigned threads, struct unit **chunks, size_t *count,
                        struct error *error);

#endif
