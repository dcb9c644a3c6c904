/* A run against a baseline: what moved, and by how much. */
#ifndef HULLBENCH_REGRESSION_H
#define HULLBENCH_REGRESSION_H

#include <stdio.h>

#include "harness/regression/baseline.h"

/* From worst to mildest. */
enum change_kind {
    CHANGE_DATA,    /* a data set is not the baseline's */
    CHANGE_MISSING, /* the run lacks a record */
    CHANGE_OUTCOME, /* it ended otherwise */
    CHANGE_VALUE,   /* a quantity moved by more than its tolerance */
    CHANGE_NEW,     /* the baseline lacks a record */
    CHANGE_KINDS
};

struct change {
    enum change_kind kind;
    const struct record *was, *is;            /* NULL for the side that lacks it */
    enum quantity quantity; /* that moved */
    double size;     /* of it: |is - was| / |was|; infinite where `was` is 0 or one is null */
    double allowed;  /* what |is - was| was allowed to be */
    const char *dataset, *was_hash, *is_hash; /* of other data; "" where it has none */
};

/* What became of one quantity over the records that both have. */
struct quantity_total {
    size_t moved;
    double was, is; /* sums, of counts alone: those of accuracy mean nothing */
};

struct regression {
    struct change *changes; /* worst first: by kind, then size, then record and quantity */
    size_t n_changes, kinds[CHANGE_KINDS];
    size_t compared; /* records that both have */
    size_t moved;    /* of those, with another outcome or a moved quantity */
    size_t passed;   /* records of the baseline that the run lacks and that were not asked for */
    struct quantity_total totals[QUANTITIES];
};

/* Compares; accuracy only where the baseline has it. `subset`: records of the baseline that the run lacks are not asked
 * for. STATUS_BAD_INPUT when the run is of a configuration of another name. Everything points into the run and the
 * baseline. Released by regression_free. */
enum status regression_compare(const struct baseline *baseline, const struct measured_run *measured,
                               const struct tolerance tolerances[QUANTITIES], int subset, struct regression *regression,
                               struct error *error);
void regression_free(struct regression *regression);

/* "1.2e-07 worse, allowed 1e-09" of a moved accuracy into text; returns text. */
const char *change_text(const struct change *change, char *text, size_t size);
/* Prints the changes, `max` at most, and totals. */
void regression_print(const struct regression *regression, size_t max, FILE *stream);

#endif
