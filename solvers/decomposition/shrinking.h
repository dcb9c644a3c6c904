/*
 * Leaving out variables that have long been optimal at a bound (Lopez 2008, Section 3.1.2; Joachims 1999, Section
 * 11.4).
 */
#ifndef HULLBENCH_SHRINKING_H
#define HULLBENCH_SHRINKING_H

#include "solvers/decomposition/box.h"

struct shrink {
    int on;
    size_t after;        /* h: iterations in a row a variable has to be optimal at its bound */
    size_t count;        /* patterns that take part */
    size_t *active;      /* those, ascending */
    size_t *inactive;    /* the other n - count, ascending */
    size_t *optimal_for; /* n: iterations in a row */
    size_t due;          /* active patterns with optimal_for >= after, when last noted */
    double norm2;        /* |W|^2 while any is left out, whose F is out of date: carried along by the steps */
};

/* Places the arrays (or measures). */
void shrink_layout(struct shrink *shrink, struct arena *arena, size_t n);
/* Everybody takes part. */
void shrink_start(struct shrink *shrink, const struct problem *problem);
/* Nonzero while patterns are left out. */
int shrink_is_shrunk(const struct shrink *shrink, const struct box *box);
/* After an iteration: looks at the multipliers of the active patterns' bounds, estimated at the bias; one counts that
 * is above `error`, the largest violation there. */
void shrink_count(struct shrink *shrink, const struct box *box, double bias, double error);
/* Lets go those that are due, but for the pair. Call with F of all active patterns up to date. */
void shrink_remove(struct shrink *shrink, const struct box *box, const struct box_pair *keep);
/* Computes F of the patterns left out: (support vectors) x (patterns left out) kernel operations. Those with a
 * violation at the bias midway between the thresholds of all patterns come back; all do when the thresholds are within
 * `enough` of each other. */
void shrink_check_all(struct shrink *shrink, struct box *box, double enough, struct oracle *oracle);

/* a row added to F, of active patterns only while any is left out. */
void shrink_add_row(const struct shrink *shrink, struct box *box, double a, const double *row);
/* Row i, counted for as many values as are read. */
const double *shrink_row(const struct shrink *shrink, const struct box *box, struct oracle *oracle, size_t i);

#endif
