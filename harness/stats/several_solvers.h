/*
 * Comparisons of several solvers over several problems. The cost of solver s on problem p is costs[s * problems + p];
 * lower is better, infinite means not solved, and two infinite costs are equal. No cost is a NAN.
 */
#ifndef HULLBENCH_SEVERAL_SOLVERS_H
#define HULLBENCH_SEVERAL_SOLVERS_H

#include "harness/base/pool.h"

/* With p sorted, p_(1) <= ... <= p_(n): Holm's adjusted p_(i) is the largest (n - k + 1) p_(k) over k <= i, at most 1,
 * as in R's p.adjust(p, "holm"). Comparing them with a level keeps the probability of any false finding among the n
 * below that level, for any dependence of the tests. n may be 0; p, all in [0, 1], and adjusted must not overlap. */
void adjust_holm(const double *p, size_t n, double *adjusted);

struct win_tie_loss {
    size_t wins, ties, losses; /* of the first solver */
};
/* Counts the problems that each solver wins: table[a * solvers + b] of a against b. */
void win_tie_loss_table(const double *costs, size_t solvers, size_t problems, struct win_tie_loss *table);

/* Friedman's test of the ranks within each problem. */
struct friedman {
    size_t solvers, problems;
    double *mean_ranks;  /* one per solver, 1 is the best; NAN without problems */
    double chi2, chi2_p; /* Friedman (1937), corrected for ties; chi-squared with k - 1 degrees of freedom */
    double f, f_p;       /* Iman and Davenport (1980); F with k - 1 and (k - 1)(n - 1) */
};
/* k = `solvers`, n = `problems`. Ties share the mean of their ranks. chi2 and chi2_p are those of R's friedman.test. If
 * all solvers tie on every problem, or there are fewer than two solvers or no problems, the statistics are 0 and p is
 * 1; so too f with one problem. If all problems have the same order, f is infinite and f_p 0. */
struct friedman friedman_test(struct pool *pool, const double *costs, size_t solvers, size_t problems);
/* The standard deviation of the difference of two mean ranks under the null hypothesis: sqrt(k(k+1)/(6n)). */
double friedman_deviation(const struct friedman *friedman);
/* The solvers by mean rank, best first, equal ones by index; order has capacity for all. */
void friedman_order(const struct friedman *friedman, size_t *order);
/* Compares each solver with the control: two-sided p of the difference of mean ranks, as normal with that standard
 * deviation, corrected by Holm for the k - 1 comparisons (Demsar 2006, 3.2.2). p has capacity for all and is 1 for the
 * control. *friedman has at least two solvers and one problem. */
void friedman_against(const struct friedman *friedman, size_t control, double *p);

/* Nemenyi's test: the difference of mean ranks beyond which two of k solvers on n problems differ, with probability at
 * most alpha of any false finding: q sqrt(k(k+1)/(12n)), q the upper alpha quantile of the range of k normal values.
 * *friedman has at least two solvers and one problem; alpha is in (0, 1). */
double nemenyi_difference(const struct friedman *friedman, double alpha);
/* Solvers that do not differ: order[first] ... order[last]. */
struct rank_group {
    size_t first, last;
};
/* The groups of a critical-difference diagram (Demsar 2006): the maximal sets of two or more solvers whose mean ranks
 * all lie within the difference, best first; none contains another. order comes from friedman_order; groups has
 * capacity for all solvers. Returns the number of groups. */
size_t nemenyi_groups(const struct friedman *friedman, const size_t *order, double difference,
                      struct rank_group *groups);

/* Solver a against solver b. */
struct pair_test {
    double p_value, adjusted; /* two-sided; by Holm over all pairs */
    double effect;            /* rank-biserial, as in rank_tests.h: below 0 if a has the lower costs */
};
/* Signed-rank tests of all pairs of solvers, as Benavoli, Corani and Mangili (2016) recommend: with mean ranks, and so
 * with Nemenyi's test, whether two solvers differ depends on which others are ranked with them. A single infinite cost
 * is the largest of all. Differences that are equal up to rounding tie (pairs_differences). tests has capacity
 * solvers^2: that of a against b is at [a * solvers + b], its effect minus that of b against a; p is 1 on the diagonal.
 * The smallest p over n problems is 2^(1-n). With many solvers and few problems, Holm may therefore leave none below
 * the level: see signed_rank_pairs_least. */
void signed_rank_pairs(const double *costs, size_t solvers, size_t problems, struct pair_test *tests);
/* The smallest possible adjusted p, for two solvers or more: that of the first of k(k - 1)/2 pairs, at most 1. */
double signed_rank_pairs_least(size_t solvers, size_t problems);

/* The set of solvers that may be the best, when the best is chosen by the same data. */
struct best_set {
    size_t best, second; /* the best record against its rivals or, for splits, the lowest mean; and the next among
                            solvers with other costs, `best` if there is none. Of equal ones that of the lower mean */
    size_t members;      /* solvers that may be the best, 1 or more */
    size_t distinct;     /* number of solvers, counting those with identical costs once */
    double p;            /* adjusted, of the best against the solver where it is largest; 1 with one solver */
};
/* The costs, for instance logarithms, of independent problems such as data sets, or of overlapping splits of one data
 * set. In each problem they are finite, or all of them are equal and infinite. */
struct contest {
    const double *costs;
    size_t solvers, problems; /* solvers >= 1 */
    double level;             /* 0.05 */
    double overlap;           /* of splits, as in resampled_t.h; NAN: independent problems */
    size_t fewest;            /* with fewer splits every solver is a member */
    const size_t *reached;    /* of each solver, the runs that succeeded; NULL: all did */
};
/* member[s] becomes 1 if s may be the best, that is, if the one-sided test of the best against s does not reject at
 * level / (distinct - 1), or if more runs of s succeeded. The test is the sign test, so the best is a solver than which
 * no other is cheaper on more than half of the problems; for splits it is the corrected resampled t test of means. */
struct best_set best_set(const struct contest *contest, unsigned char *member);

#endif
