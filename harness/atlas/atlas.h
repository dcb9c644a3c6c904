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
 * reached. Means count it at ATLAS_PENALTY times the most that any solver spent on this problem and target (PAR-10).
 * Logarithms treat counts of 0 as 1/2.
 */
#ifndef HULLBENCH_ATLAS_H
#define HULLBENCH_ATLAS_H

#include <stddef.h>

#include "harness/records/run_folder.h"
#include "harness/stats/bootstrap.h"
#include "harness/support/string_list.h"
#include "solvers/error.h"

#define ATLAS_PENALTY 10.0
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
    char *label;                /* the solver, and those of its settings that take several values; owned */
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
    struct string_list omitted;          /* series with records of fewer than half of the problems */
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
    struct records records; /* of all folders, without duplicates; owned list */
    const char *rule;
    struct atlas_dataset *datasets;
    size_t n_datasets;
    int sizes_known;      /* nonzero: n_train of every data set is known */
    struct atlas_family *families; /* those with at least two series on some problem */
    size_t n_families;
    struct pool *pool;
    struct bootstrap_draws draws; /* of all data sets; in the pool */
    char *time_note;            /* why times are left out (conditions.h); NULL: they are not, or there are none */
};

/* Reads the folders and sorts their records. STATUS_NOT_FOUND: nothing to compare. STATUS_BAD_INPUT: records of several
 * rules but none was named, an unknown solver, folders with different data under one name, or unlike budgets in a
 * family. The options' texts must outlive the atlas. *atlas is zeroed first; release it with atlas_free, also after an
 * error. */
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

/* The cost of the run at `at`; infinite if it is censored. */
double atlas_cost_of(const struct atlas_family *family, enum atlas_cost cost, size_t at);
/* The natural logarithm of the cost, penalised if the run is censored. */
double atlas_log_cost(const struct atlas_family *family, enum atlas_cost cost, size_t series, size_t problem,
                      size_t target);
/* The unit of a cost on this problem, by which data sets of different sizes can be pooled: N^2 for kernel operations
 * and evaluations, the size of the kernel matrix; N for iterations, since most solvers need one or two rows of N values
 * for each; N^2 nanoseconds for seconds. 1 if sizes are unknown. */
double atlas_unit(const struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, size_t problem);

#endif
