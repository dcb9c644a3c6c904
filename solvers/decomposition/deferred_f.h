/*
 * F_i = W . X_i - y_i of all patterns, while the problem is solved on a subset. A check of all patterns (a look)
 * updates F only for the patterns that the solver wants. For the others, the change of F since then is bounded.
 */
#ifndef HULLBENCH_DEFERRED_F_H
#define HULLBENCH_DEFERRED_F_H

#include "solvers/arena.h"
#include "solvers/solver.h"

struct deferred_f {
    size_t n, look;            /* patterns; number of the last look. Look 0 is the start, at which every F is known */
    size_t *seen;              /* n: the last look that updated F of a pattern */
    const signed char *y;      /* n labels */
    double *f;                 /* n: F at that look */
    double *signed_alpha;      /* n: y alpha at the last look */
    double *change;            /* n: its change since the previous look */
    double *change_since;      /* n, scratch: its change since an earlier look */
    size_t kept;               /* number of looks whose multipliers are kept */
    double *kept_alpha;        /* kept x n: y alpha at look l in row l mod kept */
    double path, *path_seen;   /* length of the path of W up to the last look; n: up to the look in `seen` */
    double *norm;              /* n: |X_i| */
    double max_norm2, terms, moved; /* the largest |X_i|^2; number and sum of all changes, for the rounding bound */
    struct oracle *oracle;
    size_t *index;             /* n, scratch */
    double *values, *f_before; /* n, scratch */
};

/* Takes the arrays from the arena. The multipliers of `kept` >= 1 looks are kept. */
void deferred_f_layout(struct deferred_f *deferred, struct arena *arena, size_t n, size_t kept);
/* Starts with every F known; `diagonal` holds k(x_i, x_i). The arrays have n elements and are copied. */
void deferred_f_start(struct deferred_f *deferred, const struct problem *problem, const double *f,
                      const double *signed_alpha, const double *diagonal, struct oracle *oracle);
/* Begins a look at changed multipliers. The previous look must have seen all patterns whose multipliers have
 * changed. */
void deferred_f_begin(struct deferred_f *deferred, const double *signed_alpha);
/* Updates F of the `wanted` patterns (n flags) that this look has not seen and returns their number. Each pattern costs
 * one kernel operation per multiplier that changed since the look that last saw it. If more multipliers changed than
 * are nonzero, or the multipliers of that look are not kept, it costs one per nonzero multiplier. */
size_t deferred_f_update(struct deferred_f *deferred, const unsigned char *wanted);
/* Measures how far W has moved since the previous look. Call it once per look, when F is current for all patterns whose
 * multipliers have changed. */
void deferred_f_measure(struct deferred_f *deferred);
/* A bound on |F_i - f[i]|; 0 for a pattern that the last look has seen. */
double deferred_f_bound(const struct deferred_f *deferred, size_t i);

#endif
