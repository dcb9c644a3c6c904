/* Distributions that GSL lacks, p-values, and GSL's random numbers. Want of memory ends the program (base/die.h). */
#ifndef HULLBENCH_DISTRIBUTIONS_H
#define HULLBENCH_DISTRIBUTIONS_H

#include <gsl/gsl_rng.h>

#include "harness/base/pool.h"

/* mt19937 from a seed, which the pool keeps. */
gsl_rng *random_numbers(struct pool *pool, unsigned long seed);

/* The alternative of a test: x differs from y in either direction, tends to be greater, or less. Choose a one-sided
 * alternative by the question, never by the data. */
enum tail { TAIL_TWO_SIDED, TAIL_GREATER, TAIL_LESS };

/* P(S <= s) and P(S >= s) for an observed s. */
struct tails {
    double lower, upper;
};
/* The p-value: the upper tail for TAIL_GREATER, the lower for TAIL_LESS, else twice the smaller, at most 1. */
double tail_p(enum tail tail, double lower, double upper);

/* The largest number of ranks for exact counting: pairs, or the values of both samples together. */
enum { EXACT_MAX_RANKS = 200 };

/* The number of the 2^n subsets of the weights with sum v, for v = 0 ... limit; freed by the caller. */
double *rank_null_subsets(const size_t *weights, size_t n, size_t limit);
/* The same for the ranks 1 ... n. */
double *rank_null_signs(size_t n, size_t limit);
/* The probabilities that a random subset of the weights has a sum at most, and at least, `sum`. */
struct tails null_tails_subsets(const size_t *weights, size_t n, size_t sum);
/* The same among all subsets of m of the n ascending weights. */
struct tails null_tails_choices(const size_t *weights, size_t n, size_t m, size_t sum);

/* Tukey's studentised range with infinite degrees of freedom: the q that the range of k >= 2 independent standard
 * normal values exceeds with probability alpha in (0, 1), with a relative error of some 1e-13. */
double studentized_range_quantile(double alpha, size_t k);

/* The noncentrality with which a two-sided t test at level alpha rejects with probability `power`. */
double noncentrality_detected(double degrees, double alpha, double power);

#endif
