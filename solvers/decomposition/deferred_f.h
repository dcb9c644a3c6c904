/*
 * F_i = W . X_i - y_i of all patterns of a problem that is solved on a part of them: brought up to date at looks, and
 * only where it matters. How far F of any other pattern can have moved is bounded.
 */
#ifndef HULLBENCH_DEFERRED_F_H
#define HULLBENCH_DEFERRED_F_H

#include "solvers/arena.h"
#include "solvers/solver.h"

struct deferred_f {
    size_t n, look;            /* number of the last look; 0 is the start, where every F is known */
    size_t *seen;              /* n: the last look that brought F of a pattern up to date */
    const signed char *y;      /* n labels, of the problem */
    double *f;                 /* n: F as it was then */
    double *signed_alpha;      /* n: y alpha at the last look */
    double *change;            /* n: by how much it had moved since the look before */
    double *change_since;      /* n, scratch: since an earlier one */
    size_t kept;               /* looks whose multipliers are kept, */
    double *kept_alpha;        /* kept x n: those of look l in row l mod kept */
    double path, *path_seen;   /* length of the way of W until the last look; n: until F was brought up to date */
    double *norm;              /* n: |X_i| */
    double max_norm2, terms, moved; /* the largest |X_i|^2; number and sum of all changes, which bound rounding */
    struct oracle *oracle;
    size_t *index;             /* n, scratch */
    double *values, *f_before; /* n, scratch */
};

/* Places the arrays (or measures); multipliers of `kept` >= 1 looks are kept. */
void deferred_f_layout(struct deferred_f *deferred, struct arena *arena, size_t n, size_t kept);
/* The start, all F known; `diagonal` is k(x_i, x_i). Arrays of n, copied. */
void deferred_f_start(struct deferred_f *deferred, const struct problem *problem, const double *f,
                      const double *signed_alpha, const double *diagonal, struct oracle *oracle);
/* Begins a look at other multipliers. Patterns whose multipliers have moved must have been seen by the look before. */
void deferred_f_begin(struct deferred_f *deferred, const double *signed_alpha);
/* Brings F up to date of those of the `wanted` patterns (n flags) that this look has not seen; how many those are. As
 * many kernel operations for each as multipliers have moved since the look that has seen it, or, where those are more
 * or its multipliers are not kept, as multipliers are not 0. */
size_t deferred_f_update(struct deferred_f *deferred, const unsigned char *wanted);
/* Measures the way of W since the look before. Once in a look, with F of all patterns whose multipliers have moved up
 * to date. */
void deferred_f_measure(struct deferred_f *deferred);
/* A bound of |F_i - f[i]|: 0 for a pattern that the last look has seen. */
double deferred_f_bound(const struct deferred_f *deferred, size_t i);

#endif
