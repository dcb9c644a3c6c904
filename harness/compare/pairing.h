/*
 * The records of two solvers brought together, one with one: the same data set, split, kernel and problem. A case is
 * what the splits of one data set have in common; statistics are made of the pairs of a case.
 */
#ifndef HULLBENCH_PAIRING_H
#define HULLBENCH_PAIRING_H

#include "harness/records/record.h"

/* The two that are compared: what is measured against, and what is measured. */
enum arm { BASELINE, CANDIDATE, ARMS };

/* What is wrong with a pair; the first that holds. */
enum pair_mark {
    PAIR_FINE,
    PAIR_UNENDED,           /* one of the two, or both, did not converge */
    PAIR_GAP_UNKNOWN,       /* a recomputed gap is null */
    PAIR_APART,             /* the intervals objective and gap certify have no point in common: not the same problem */
    PAIR_MARKS
};
/* "fine", "did not converge" and so on; never NULL. */
const char *pair_mark_name(enum pair_mark mark);

struct pair {
    const struct record *records[ARMS]; /* the caller's */
    enum pair_mark mark;
};

/* Whether that arm converged. */
int pair_ended(const struct pair *pair, enum arm arm);

struct pair_case {
    const char *dataset; /* the records' */
    char
        *settings; /* those that tell the cases of the data set apart, such as "C = 30"; "" where there is one. Owned */
    size_t first, count; /* of the pairs */
};

struct pairing {
    struct pair *pairs; /* case by case, the splits of each in the order of the baseline's records */
    size_t n_pairs;
    struct pair_case *cases; /* in the order of the baseline's records, those of a data set together */
    size_t n_cases, n_datasets;
    size_t alone[ARMS]; /* records without partner */
};

/* One arm: the records with that solver's name. */
struct pairing_arm {
    const struct records *records;
    const char *solver;
};

/* Pairs the records. Partners have the same data set, split, split source and kernel, and the same value of each of mu,
 * C, nu and added that both read. Of several such, those with the same stopping rule and tolerance are partners, and of
 * several of these, those with the same value of every parameter both read. Where several are left, STATUS_BAD_INPUT
 * names them; no pair at all is STATUS_NOT_FOUND. All marks are PAIR_FINE. Freed with pairing_free. */
enum status pairing_make(const struct pairing_arm arms[ARMS], struct pairing *pairing, struct error *error);
/* Leaves a zeroed pairing, and accepts one. */
void pairing_free(struct pairing *pairing);

#endif
