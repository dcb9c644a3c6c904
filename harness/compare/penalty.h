/* The conventions for costs that have no usable value of their own. */
#ifndef HULLBENCH_PENALTY_H
#define HULLBENCH_PENALTY_H

/* PAR-10, the penalised average runtime of algorithm configuration (Hutter, Hoos, Leyton-Brown and Stuetzle 2009): a
 * run that misses its target costs this multiple of the largest cost. */
#define PENALTY_FACTOR 10.0

/* A cost whose logarithm is taken: a count of 0, or one that is not known, becomes one half. */
static inline double cost_or_half(double cost)
{
    return cost > 0 ? cost : 0.5;
}

#endif
