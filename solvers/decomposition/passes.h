/*
 * What platt-smo and keerthi-1 share: Platt's outer loop, which passes over all patterns and over those between their
 * bounds in turn, and steps along pairs where only some values of F are known.
 */
#ifndef HULLBENCH_PASSES_H
#define HULLBENCH_PASSES_H

#include "solvers/decomposition/box.h"

extern const struct parameter parameter_seed; /* of platt-smo */

struct passes {
    struct box box;    /* f holds what is known of F */
    struct oracle *oracle;
    double tolerance;  /* of the KKT conditions, Platt's tol */
    double min_step;   /* smallest step that counts, relative: Platt's eps */
    int full_pass;     /* this pass is over all patterns */
    size_t next;       /* pattern to be examined next */
    size_t changed;    /* steps done in this pass */
    int ended;         /* a pass over all patterns has changed nothing */
    struct box_pair pair; /* the pair to be moved; only its own thresholds are known */
    double k_up, k_low, k_cross; /* its kernel values */
    double step;
    size_t support;    /* patterns with alpha > 0 */
    double objective;  /* 1/2 |W|^2 - sum alpha, carried along by the steps */
};

/* state_size for a state that begins with a struct passes and is `head` bytes long. */
size_t passes_state_size(size_t head, size_t n);
/* Starts at alpha = 0 with a pass over all patterns; `passes` begins a state of `head` bytes. */
void passes_start(struct passes *passes, size_t head, const struct problem *problem, struct oracle *oracle);

/* For solvers whose state begins with a struct passes: sets the tolerance, and begins a pass over all patterns. */
void passes_tighten(void *state, double tolerance);

/* The next pattern of the pass; n at its end. */
size_t passes_next(struct passes *passes);
/* At the end of a pass: over all if no step was done among those between their bounds, then again over those. `ended`
 * is set after one over all patterns without a step. */
void passes_turn(struct passes *passes);

/* W . X_i, from all support vectors: as many kernel operations. */
double passes_output(const struct passes *passes, size_t i);
/* Platt's takeStep but for the step itself: the pair of i1 and i2 with F (or E, which differs by the bias) given, three
 * kernel operations. Nonzero when the step changes alpha of i2 by more than min_step (alpha' + alpha +
 * min_step). */
int passes_try(struct passes *passes, size_t i1, double f1, size_t i2, double f2);
/* Does the step of the pair: 2 kernel operations for each other pattern between its bounds, whose F is updated; so is F
 * of the pair, given in `pair`. */
void passes_step(struct passes *passes, struct oracle *oracle);
void passes_fill_progress(const struct passes *passes, struct progress *progress);
/* The duality gap at the bias midway between the thresholds, for solvers whose state begins with a struct passes. F of
 * all patterns is known only when the passes have ended; NAN before. */
double passes_gap(const void *state, int class);

#endif
