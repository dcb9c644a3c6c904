/* Compares a run with a baseline: what changed, and by how much. */
#ifndef HULLBENCH_REGRESSION_H
#define HULLBENCH_REGRESSION_H

#include <stdio.h>

#include "harness/folders/baseline.h"

/* Ordered from worst to mildest. */
enum change_kind {
    CHANGE_DATA,    /* a data set differs from the baseline's */
    CHANGE_MISSING, /* the run lacks a record */
    CHANGE_OUTCOME, /* another outcome */
    CHANGE_VALUE,   /* a quantity differs by more than its tolerance */
    CHANGE_NEW,     /* the baseline lacks a record */
    CHANGE_KINDS
};

struct change {
    enum change_kind kind;
    const struct record *was, *is;            /* NULL if that side lacks the record */
    enum record_field quantity; /* that changed */
    double size;     /* of the change: |is - was| / |was|; infinite if `was` is 0 or either is null */
    double allowed;  /* the largest allowed |is - was| */
    const char *dataset, *was_hash, *is_hash; /* the data set that differs; "" if it has no hash */
};

/* The change of one quantity over the records that both sides have. */
struct quantity_total {
    size_t moved;
    double was, is; /* sums, for counts only: sums of accuracy values are meaningless */
};

struct regression {
    struct {
        struct change *item;
        size_t count, capacity;
    } changes; /* worst first: by kind, then size, then record and quantity */
    size_t kinds[CHANGE_KINDS];
    size_t compared; /* records on both sides */
    size_t moved;    /* of these, with another outcome or a changed quantity */
    size_t passed;   /* records of the baseline that the run was told to leave out */
    struct quantity_total totals[RECORD_FIELDS];
};

/* Compares; accuracy only if the baseline has it. `subset`: the run may lack the records that it leaves out
 * (run_leaves_out). Dies with STATUS_BAD_INPUT if the run's configuration has another name. All results point into the
 * run and the baseline, or are in the pool. */
struct regression regression_compare(struct pool *pool, const struct baseline *baseline,
                                     const struct measured_run *measured,
                                     const struct tolerance tolerances[RECORD_FIELDS], int subset);

/* Prints "1.2e-07 worse, allowed 1e-09" for a changed accuracy value into text; returns text. */
const char *change_text(const struct change *change, char *text, size_t size);
/* Prints the changes, `max` at most, and totals. */
void regression_print(const struct regression *regression, size_t max, FILE *stream);

#endif
