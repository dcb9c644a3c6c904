/* The null distributions of rank sums, counted exactly. */
#ifndef HULLBENCH_RANK_NULL_DISTRIBUTION_H
#define HULLBENCH_RANK_NULL_DISTRIBUTION_H

#include <stddef.h>

/* The largest number of ranks for exact counting: pairs, or the values of both samples together. */
enum { EXACT_MAX_RANKS = 200 };

/* The number of the 2^n subsets of the weights with sum v, for v = 0 ... limit; freed by the caller. */
double *rank_null_subsets(const size_t *weights, size_t n, size_t limit);

/* P(S <= s) and P(S >= s) for an observed s. */
struct rank_tails {
    double lower, upper;
};

/* The probabilities that a random subset of the weights has a sum at most, and at least, `sum`. */
struct rank_tails null_tails_subsets(const size_t *weights, size_t n, size_t sum);
/* The same among all subsets of m of the n ascending weights. */
struct rank_tails null_tails_choices(const size_t *weights, size_t n, size_t m, size_t sum);

#endif
