/*
 * F_i = W . X_i - y_i of all patterns, while the problem is solved on a part of them. A look brings F up to date, and
 * only for the patterns that the solver wants. For all others there is a bound of how far F can have moved since.
 */
#ifndef HULLBENCH_DEFERRED_F_H
#define HULLBENCH_DEFERRED_F_H

#include "solvers/arena.h"
#include "solvers/solver.h"

struct deferred_f {
    size_t n, look;            /* patterns; number of the last look, where 0 is the start, at which every F is known */
    size_t *seen;              /* n: the last look that brought F of a pattern up to date */
    const signed char *y;      /* n labels, of the problem */
    double *f;                 /* n: F as it was then */
    double *signed_alpha;      /* n: y alpha at the last look */
    double *change;            /* n: by how much it had moved since the look before */
    double *change_since;      /* n, scratch: since an earlier one */
    size_t kept;               /* number of looks whose multipliers are kept, */
    double *kept_alpha;        /* kept x n: y alpha of look l in row l mod kept */
    double path, *path_seen;   /* length of the path of W up to the last look; n: up to the look in `seen` */
    double *norm;              /* n: |X_i| */
    double max_norm2, terms, moved; /* the largest |X_i|^2; number and sum of all changes, which bound rounding */
    struct oracle *oracle;
    size_t *index;             /* n, scratch */
    double *values, *f_before; /* n, scratch */
};

/* Takes the arrays from the arena; multipliers of `kept` >= 1 looks are kept. */
void deferred_f_layout(struct deferred_f *deferred, struct arena *arena, size_t n, size_t kept);
/* Begins where all F are known; `diagonal` has k(x_i, x_i). Arrays of n, copied. */
void deferred_f_start(struct deferred_f *deferred, const struct problem *problem, const double *f,
                      const double *signed_alpha, const double *diagonal, struct oracle *oracle);
/* Begins a look, at multipliers that have moved. The look before must have seen the patterns whose multipliers have
 * moved. */
void deferred_f_begin(struct deferred_f *deferred, const double *signed_alpha);
/* Brings F up to date for the `wanted` patterns (n flags) that this look has not seen; returns their number. Each costs
 * as many kernel operations as multipliers have moved since the look that saw it last. Where more have moved than are
 * not 0, or the multipliers of that look are not kept, it costs as many as multipliers are not 0. */
size_t deferred_f_update(struct deferred_f *deferred, const unsigned char *wanted);
/* Measures how far W has moved since the look before. To be called once in a look, when F is up to date for all
 * patterns whose multipliers have moved. */
void deferred_f_measure(struct deferred_f *deferred);
/* A bound of |F_i - f[i]|: 0 for a pattern that the last look has seen. */
double deferred_f_bound(const struct deferred_f *deferred, size_t i);

#endif
