/* The alternative of a test. */
#ifndef HULLBENCH_TAIL_H
#define HULLBENCH_TAIL_H

/* x differs from y in either direction, tends to be greater, or less. Choose a one-sided alternative by the question,
 * never by the data. */
enum tail { TAIL_TWO_SIDED, TAIL_GREATER, TAIL_LESS };

/* The p-value from P(S <= s) and P(S >= s) of an observed s: the upper for TAIL_GREATER, the lower for TAIL_LESS, else
 * twice the smaller, at most 1. */
static inline double tail_p(enum tail tail, double lower, double upper)
{
    double smaller = lower < upper ? lower : upper;
    if (tail == TAIL_TWO_SIDED)
        return 2 * smaller < 1 ? 2 * smaller : 1;
    return tail == TAIL_GREATER ? upper : lower;
}

#endif
