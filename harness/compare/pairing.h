/*
 * Pairs the records of two solvers one to one, by data set, split, kernel and problem. A case is a data set with one
 * set of such settings; statistics are computed over its pairs, one per split.
 */
#ifndef HULLBENCH_PAIRING_H
#define HULLBENCH_PAIRING_H

#include "harness/base/pool.h"
#include "harness/records/record.h"

/* The two arms of a comparison: the reference, and the solver compared with it. */
enum arm { BASELINE, CANDIDATE, ARMS };

/* A defect of a pair; the first that applies. */
enum pair_mark {
    PAIR_FINE,
    PAIR_NOT_CONVERGED,           /* at least one of the two did not converge */
    PAIR_GAP_UNKNOWN,       /* a recomputed gap is null */
    PAIR_APART,             /* the intervals certified by objective and gap do not intersect: not the same problem */
    PAIR_MARKS
};
/* "fine", "did not converge" and so on. */
extern const char *const pair_mark_names[PAIR_MARKS];

struct pair {
    const struct record *records[ARMS]; /* owned by the caller */
    enum pair_mark mark;
};

/* Whether that arm converged. */
int pair_converged(const struct pair *pair, enum arm arm);

struct pair_case {
    const char *dataset; /* points into the records */
    const char *settings; /* those that distinguish the cases of the data set, such as "C = 30"; "" if there is one */
    size_t first, count; /* in `pairs` */
};

struct pairing {
    struct pair *pairs; /* grouped by case, the splits of each in the order of the baseline's records */
    size_t n_pairs;
    struct pair_case *cases; /* in the order of the baseline's records, grouped by data set */
    size_t n_cases, n_datasets;
    size_t alone[ARMS];    /* records without a partner */
    const char *ambiguity; /* why records cannot be paired, since several qualify; NULL: they can */
};

/* One arm: the records with that solver's name. */
struct pairing_arm {
    const struct records *records;
    const char *solver;
};

/* Pairs the records. Partners have the same data set, split, split source and kernel, and the same value of each of mu,
 * C, nu and added that both read. If several qualify, those with the same stopping rule and tolerance are partners; if
 * several of these, those with the same value of every parameter that both read. If several still remain, there are no
 * pairs and `ambiguity` names them. All marks are PAIR_FINE. */
struct pairing pairing_make(struct pool *pool, const struct pairing_arm arms[ARMS]);

#endif
