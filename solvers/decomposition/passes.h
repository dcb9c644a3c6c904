/*
 * Shared by platt-smo and keerthi-1: Platt's outer loop, which alternates between passes over all patterns and over
 * those between their bounds, and steps along pairs when only some values of F are known.
 */
#ifndef HULLBENCH_PASSES_H
#define HULLBENCH_PASSES_H

#include "solvers/decomposition/box.h"

extern const struct parameter parameter_seed; /* of platt-smo */

struct passes {
    struct box box;    /* f holds the known values of F */
    struct oracle *oracle;
    double tolerance;  /* of the KKT conditions, Platt's tol */
    double min_step;   /* smallest relative step that counts: Platt's eps */
    int full_pass;     /* whether this pass is over all patterns */
    size_t next;       /* the next pattern to examine */
    size_t changed;    /* steps made in this pass */
    int ended;         /* a pass over all patterns has changed nothing */
    struct box_pair pair; /* the pair to move; only its own thresholds are known */
    double k_up, k_low, k_cross; /* its kernel values */
    double step;
    size_t support;    /* patterns with alpha > 0 */
    double objective;  /* 1/2 |W|^2 - sum alpha, updated by the steps */
};

/* state_size for a state that begins with a struct passes and is `head` bytes long. */
size_t passes_state_size(size_t head, size_t n);
/* Starts at alpha = 0 with a pass over all patterns. `passes` is the beginning of a state of `head` bytes. */
void passes_start(struct passes *passes, size_t head, const struct problem *problem, struct oracle *oracle);

/* For solvers whose state begins with a struct passes: sets the tolerance and starts a pass over all patterns. */
void passes_tighten(void *state, double tolerance);

/* The next pattern of the pass; n at its end. */
size_t passes_next(struct passes *passes);
/* Ends a pass. If a pass over the patterns between their bounds made no step, the next is over all patterns; otherwise
 * it is over those between their bounds. `ended` is set after a pass over all patterns without a step. */
void passes_turn(struct passes *passes);

/* W . X_i, summed over all support vectors; one kernel operation each. */
double passes_output(const struct passes *passes, size_t i);
/* Platt's takeStep without the step itself, for the pair i1, i2 with given F (or E, which differs by the bias); three
 * kernel operations. Nonzero if the step changes alpha of i2 by more than min_step (alpha' + alpha + min_step). */
int passes_try(struct passes *passes, size_t i1, double f1, size_t i2, double f2);
/* Performs the step along the pair and updates F of every pattern between its bounds, at 2 kernel operations each, and
 * of the pair, whose F is given in `pair`. */
void passes_step(struct passes *passes, struct oracle *oracle);
void passes_fill_progress(const struct passes *passes, struct progress *progress);
/* The duality gap at the bias midway between the thresholds, for solvers whose state begins with a struct passes. NAN
 * until the passes have ended, because F of all patterns is known only then. */
double passes_gap(const void *state, int label);

#endif
