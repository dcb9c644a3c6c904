/*
 * Shrinking: leaving out variables that have long been optimal at a bound (Lopez 2008, Section 3.1.2; Joachims 1999,
 * Section 11.4).
 */
#ifndef HULLBENCH_SHRINKING_H
#define HULLBENCH_SHRINKING_H

#include "solvers/decomposition/box.h"

struct shrink {
    int on;
    size_t after;        /* h: number of successive iterations for which a variable must be optimal at its bound */
    size_t count;        /* active patterns */
    size_t *active;      /* their indices, ascending */
    size_t *inactive;    /* the other n - count, ascending */
    size_t *optimal_for; /* n: successive iterations optimal at the bound */
    size_t due;          /* active patterns with optimal_for >= after, at the last count */
    double norm2;        /* |W|^2, updated by the steps while patterns are left out, whose F is outdated */
};

/* Places the arrays (or measures them). */
void shrink_layout(struct shrink *shrink, struct arena *arena, size_t n);
/* Starts with all patterns active. */
void shrink_start(struct shrink *shrink, const struct problem *problem);
/* Nonzero while patterns are left out. */
int shrink_is_shrunk(const struct shrink *shrink, const struct box *box);
/* After an iteration: estimates, at the bias, the multipliers of the active patterns' bounds. A pattern's count grows
 * if the estimate exceeds `error`, the largest violation at that bias. */
void shrink_count(struct shrink *shrink, const struct box *box, double bias, double error);
/* Removes the patterns that are due, except the pair. F must be current for all active patterns. */
void shrink_remove(struct shrink *shrink, const struct box *box, const struct box_pair *keep);
/* Computes F of the inactive patterns: (support vectors) x (inactive patterns) kernel operations. Patterns with a
 * violation at the bias midway between the thresholds of all patterns become active again. All do if the thresholds are
 * within `enough` of each other. */
void shrink_check_all(struct shrink *shrink, struct box *box, double enough, struct oracle *oracle);

/* Adds a times row i to F; only for the active patterns while any are inactive. */
void shrink_add_row(const struct shrink *shrink, struct box *box, double a, const double *row);
/* Row i; counts as many operations as values are read. */
const double *shrink_row(const struct shrink *shrink, const struct box *box, struct oracle *oracle, size_t i);

#endif
