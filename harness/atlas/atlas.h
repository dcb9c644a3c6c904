/*
 * The atlas: which solver reaches which accuracy at what cost, over data sets, penalties C and kernel widths. It is
 * made from ordinary run folders, in which a rule with several tolerances, the targets, gives a record for each of
 * them.
 *
 * A problem is a data set, a split, a kernel and a C, and a family of formulations with one solution: the linear
 * penalty's problem is one whether it is solved as C-SVM dual or as nearest points of reduced hulls, since hull solvers
 * whose records have C were given the mu that belongs to it. Linear and square penalties are different families.
 *
 * A run that does not reach a target is censored there: it spent its costs and did not arrive. Shares count it as not
 * reached. Means count it at ATLAS_PENALTY times the most that any solver spent on this problem and target (PAR-10).
 * Counts of 0 are taken as 1/2 where logarithms are.
 */
#ifndef HULLBENCH_ATLAS_H
#define HULLBENCH_ATLAS_H

#include <stddef.h>

#include "harness/records/run_folder.h"
#include "harness/stats/cluster_bootstrap.h"
#include "harness/support/string_list.h"
#include "solvers/error.h"

#define ATLAS_PENALTY 10.0
#define ATLAS_LEVEL 0.95

enum atlas_cost {
    ATLAS_ITERATIONS,
    ATLAS_OPERATIONS,     /* kernel operations of the iterations */
    ATLAS_ALL_OPERATIONS, /* and of the set-up */
    ATLAS_EVALUATIONS,    /* kernel values that training has to compute, each once where rows are kept */
    ATLAS_SECONDS,        /* record_time */
    ATLAS_COSTS
};
/* Key in files; name in words; what a budget of it is divided by, and called, where sizes are known. */
struct atlas_cost_text {
    const char *key, *title, *per, *budget;
};
extern const struct atlas_cost_text atlas_cost_texts[ATLAS_COSTS];

struct atlas_dataset {
    const char *name;
    double n_train, n_test; /* 0: not known */
    double tuned_width;     /* NAN: its kernel has no width */
};

struct atlas_series {
    const char *solver;
    char *label;                /* the solver, and those of its settings that take several values; owned */
    const struct record *first; /* one of its records */
};

struct atlas_problem {
    size_t dataset; /* its number in the atlas */
    size_t split;
    double c, width, factor;  /* NAN: it has none; factor: width over the data set's tuned one, 1 without a width */
    size_t c_level, factor_level; /* places in the family's lists; (size_t)-1: none */
    const struct record *first;
};

/* Arrays over runs have n_series x n_problems x n_targets elements, see atlas_at. */
struct atlas_family {
    const char *key, *title;
    struct atlas_series *series;
    struct atlas_problem *problems;
    double *targets; /* falling: the loosest first */
    size_t n_series, n_problems, n_targets;
    const struct record **runs;
    double *spent[ATLAS_COSTS];          /* what the run spent; NAN: not counted */
    double *limit[ATLAS_COSTS];          /* problems x targets: the most that any series spent; NAN: none counts it */
    unsigned char *counts[ATLAS_COSTS];  /* series: whether all its runs have a finite cost */
    size_t n_counting[ATLAS_COSTS];      /* how many of them do; 0: there is no such cost */
    double *c_values, *factors;          /* rising */
    size_t n_c, n_factors;
    struct string_list omitted;          /* series with records of fewer than half of the problems */
    size_t n_incomplete;                 /* problems that some series has no record of, left out */
};

struct atlas_options {
    const char *const *folders;
    size_t n_folders;
    const char *rule;              /* NULL: svm-gap where there is any, else the only one that there is */
    const char *solvers, *datasets; /* names with commas between; NULL: all */
    const char *const *pairs; /* "A:B": series whose costs are compared, B against A */
    size_t n_pairs;
    unsigned long seed;
    size_t resamples;
};
/* Seed 1, 1000 resamples. */
extern const struct atlas_options atlas_defaults;

struct atlas {
    struct atlas_options options;
    struct run_folders folders;
    struct records records; /* of all folders, without repeats; owned list */
    const char *rule;
    struct atlas_dataset *datasets;
    size_t n_datasets;
    int sizes_known;      /* nonzero: n_train of every data set */
    struct atlas_family *families; /* those with two series or more on some problem */
    size_t n_families;
    struct cluster_draws draws; /* of all data sets */
    char *time_note;            /* why times say little; NULL: nothing against them, or there are none */
};

/* Reads the folders and sorts their records. STATUS_NOT_FOUND: nothing to compare. STATUS_BAD_INPUT: records of several
 * rules and none was named, an unknown solver, or folders that hold different data under one name. The options' texts
 * must outlive the atlas. Zeroed first; released with atlas_free, also after an error. */
enum status atlas_read(const struct atlas_options *options, struct atlas *atlas, struct error *error);
void atlas_free(struct atlas *atlas);

static inline size_t atlas_at(const struct atlas_family *family, size_t series, size_t problem, size_t target)
{
    return (series * family->n_problems + problem) * family->n_targets + target;
}

/* Whether the run reached the target. */
static inline int atlas_reached(const struct atlas_family *family, size_t at)
{
    return family->runs[at]->converged;
}

/* The cost of the run at `at`; infinite where it is censored. */
double atlas_cost_of(const struct atlas_family *family, enum atlas_cost cost, size_t at);
/* Its natural logarithm, penalised where it is censored. */
double atlas_log_cost(const struct atlas_family *family, enum atlas_cost cost, size_t series, size_t problem,
                      size_t target);
/* What a cost on this problem is divided by so that data sets of different sizes can be pooled: N^2 for kernel
 * operations and evaluations, since the kernel matrix has so many values; N for iterations, since each of most solvers
 * asks for one or two rows of N values; N^2 nanoseconds for seconds. 1 where sizes are not known. */
double atlas_unit(const struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, size_t problem);

#endif
