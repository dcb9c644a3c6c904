/*
 * The atlas: which solver reaches which accuracy at what cost, over data sets, penalties C and kernel widths. It is
 * made from ordinary run folders. A rule with several tolerances, the targets, gives a record for each of them.
 *
 * A problem is a data set, a split, a kernel and a C, within a family of formulations with the same solution. The
 * linear penalty's problem is the same whether it is solved as C-SVM dual or as nearest points of reduced hulls, since
 * hull solvers whose records have C ran with the mu that corresponds to it. Linear and square penalties are different
 * families.
 *
 * A run that misses a target is censored there: it spent its costs without reaching the target. Shares count it as not
 * reached. Means count it at PENALTY_FACTOR times the most that any solver spent on this problem and target.
 */
#ifndef HULLBENCH_ATLAS_H
#define HULLBENCH_ATLAS_H

#include <stddef.h>

#include "harness/compare/penalty.h"
#include "harness/records/run_folder.h"
#include "harness/stats/bootstrap.h"

#define ATLAS_LEVEL 0.95

enum atlas_cost {
    ATLAS_ITERATIONS,
    ATLAS_OPERATIONS,     /* kernel operations of the iterations */
    ATLAS_ALL_OPERATIONS, /* the same plus set-up */
    ATLAS_EVALUATIONS,    /* kernel values that training has to compute, each once if rows are kept */
    ATLAS_SECONDS,        /* record_time */
    ATLAS_COSTS
};
/* The key in files, the name in words, and if sizes are known, the unit of its budgets and their name. */
struct atlas_cost_text {
    const char *key, *title, *per, *budget;
};
extern const struct atlas_cost_text atlas_cost_texts[ATLAS_COSTS];

struct atlas_dataset {
    const char *name;
    double n_train, n_test; /* 0: unknown */
    double tuned_width;     /* NAN: its kernel has no width */
};

struct atlas_series {
    const char *solver;
    char *label;                /* the solver, and those of its settings that take several values */
    const struct record *first; /* one of its records */
};

struct atlas_problem {
    size_t dataset; /* its index in the atlas */
    size_t split;
    double c, width, factor;  /* NAN: none; factor: width over the data set's tuned width, 1 without a width */
    size_t c_level, factor_level; /* indices in the family's lists; (size_t)-1: none */
    const struct record *first;
};

/* Arrays over runs have n_series x n_problems x n_targets elements, see atlas_at. */
struct atlas_family {
    const char *key, *title;
    struct atlas_series *series;
    struct atlas_problem *problems;
    double *targets; /* descending: the loosest first */
    size_t n_series, n_problems, n_targets;
    const struct record **runs;
    double *spent[ATLAS_COSTS];          /* spent by the run; NAN: not counted */
    double *limit[ATLAS_COSTS];          /* problems x targets: the most that any series spent; NAN: counted by none */
    unsigned char *counts[ATLAS_COSTS];  /* series: whether all its runs have a finite cost */
    size_t n_counting[ATLAS_COSTS];      /* the number of such series; 0: no such cost */
    double *c_values, *factors;          /* ascending */
    size_t n_c, n_factors;
    struct atlas_labels {
        const char **item;
        size_t count, capacity;
    } omitted;                           /* series with records of fewer than half of the problems */
    size_t n_incomplete;                 /* problems left out because some series has no record of them */
};

struct atlas_options {
    const char *const *folders;
    size_t n_folders;
    const char *rule;              /* NULL: svm-gap if present, else the only rule */
    const char *solvers, *datasets; /* names separated by commas; NULL: all */
    const char *const *pairs; /* "A:B": series whose costs are compared, B against A */
    size_t n_pairs;
    size_t seed, resamples;
};
/* Seed 1, 1000 resamples. */
#define ATLAS_DEFAULTS {.seed = 1, .resamples = 1000}

struct atlas {
    struct atlas_options options;
    struct run_folders folders;
    struct records records; /* of all folders, without duplicates */
    const char *rule;
    struct atlas_dataset *datasets;
    size_t n_datasets;
    int sizes_known;      /* nonzero: n_train of every data set is known */
    struct atlas_family *families; /* those with at least two series on some problem */
    size_t n_families;
    struct pool *pool, *scratch;  /* of the atlas; of one step of its making */
    struct bootstrap_draws draws; /* of all data sets */
    const char *time_note;        /* why times are left out (conditions.h); NULL: they are not, or there are none */
};

/* Reads the folders and sorts their records. STATUS_NOT_FOUND: nothing to compare. STATUS_BAD_INPUT: records of several
 * rules but none was named, an unknown solver, folders with different data under one name, or unlike budgets in a
 * family. The options' texts and the scratch pool, which is reset after each step, must outlive the
 * atlas, which is in the pool. */
struct atlas *atlas_read(struct pool *pool, struct pool *scratch, const struct atlas_options *options);

static inline size_t atlas_at(const struct atlas_family *family, size_t series, size_t problem, size_t target)
{
    return (series * family->n_problems + problem) * family->n_targets + target;
}

/* Whether the run reached the target. */
static inline int atlas_reached(const struct atlas_family *family, size_t at)
{
    return family->runs[at]->converged;
}

/* The cost of the run at `at`; infinite if it is censored. */
double atlas_cost_of(const struct atlas_family *family, enum atlas_cost cost, size_t at);
/* The smallest cost of a series that counts it and reached the target; infinite if there is none. */
double atlas_least_cost(const struct atlas_family *family, enum atlas_cost cost, size_t problem, size_t target);
/* A cost whose logarithm is taken: counts see cost_or_half, times are at least a nanosecond. */
double atlas_positive(enum atlas_cost cost, double value);
/* The natural logarithm of the cost, penalised if the run is censored. */
double atlas_log_cost(const struct atlas_family *family, enum atlas_cost cost, size_t series, size_t problem,
                      size_t target);
/* The unit of a cost on this problem, by which data sets of different sizes can be pooled: N^2 for kernel operations
 * and evaluations, the size of the kernel matrix; N for iterations, since most solvers need one or two rows of N values
 * for each; N^2 nanoseconds for seconds. 1 if sizes are unknown. */
double atlas_unit(const struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, size_t problem);

/* The ratio of two sums over data sets, with its interval (bootstrap_ratio); `geometric`: exp of the ratio, the
 * geometric mean if the first sum is of logarithms. */
struct interval atlas_interval(struct atlas *atlas, const double *sums, const double *counts, int geometric);

#endif
