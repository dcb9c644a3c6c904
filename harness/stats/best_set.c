/*
 * A confidence set for the best (Gupta 1965, On some multiple decision (selection and ranking) rules, Technometrics 7),
 * with paired tests. Of k solvers with different costs let t be the one that is truly best. The solver b with the
 * lowest mean is chosen from the same data. Solver s stays in the set unless a one-sided test at level a/(k - 1) finds
 * b better than s. t is left out only if some b other than t is found better than it. For each of these k - 1 the
 * probability of that is at most a/(k - 1), so together at most a, whatever the dependence of the tests (Bonferroni).
 * Hence the set contains t with probability at least 1 - a, and if it has one member, that solver is the best, with the
 * choice accounted for.
 *
 * Solvers with the same costs in all blocks, such as one with and without shrinking when iterations are counted, cannot
 * be distinguished by any data: they count once in k, and are in the set together or not at all.
 */
#include "harness/stats/best_set.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/stats/resampled_t.h"
#include "harness/stats/signed_rank.h"

struct contest {
    const double *costs;
    size_t solvers, n;
    double level, overlap; /* overlap: NAN for blocks */
    size_t fewest;
};

struct place {
    double mean;
    size_t solver;
};

static int by_mean(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return a->mean != b->mean ? (a->mean > b->mean) - (a->mean < b->mean)
                              : (a->solver > b->solver) - (a->solver < b->solver);
}

static int same_costs(const struct contest *contest, size_t a, size_t b)
{
    return memcmp(contest->costs + a * contest->n, contest->costs + b * contest->n,
                  contest->n * sizeof *contest->costs) == 0;
}

/* Sorts the solvers by their means, and counts those with distinct costs: equal costs have equal means. */
static void rank_solvers(const struct contest *contest, struct best_set *set)
{
    struct place *places = xcalloc(contest->solvers, sizeof *places);
    for (size_t s = 0; s < contest->solvers; s++) {
        places[s] = (struct place){0, s};
        for (size_t i = 0; i < contest->n; i++)
            places[s].mean += contest->costs[s * contest->n + i] / (double)contest->n;
        assert(!isnan(places[s].mean));
    }
    qsort(places, contest->solvers, sizeof *places, by_mean);
    set->best = set->second = places[0].solver;
    for (size_t s = 0; s < contest->solvers; s++) {
        size_t first = s; /* the first of this mean with the same costs */
        while (first > 0 && places[first - 1].mean == places[s].mean)
            first--;
        while (first < s && !same_costs(contest, places[first].solver, places[s].solver))
            first++;
        if (first == s && ++set->distinct == 2)
            set->second = places[s].solver;
    }
    free(places);
}

/* The one-sided p-value for the hypothesis that b's costs are not below those of s. */
static double one_sided(const struct contest *contest, size_t b, size_t s)
{
    const struct rank_options options = {.tail = TAIL_LESS};
    const double *x = contest->costs + b * contest->n, *y = contest->costs + s * contest->n;
    if (isnan(contest->overlap))
        return signed_rank_test(x, y, contest->n, &options).p_value;
    if (contest->n < contest->fewest)
        return 1;
    return resampled_t_test(x, y, contest->n, 1, contest->overlap, TAIL_LESS, 0.95).p_value;
}

static struct best_set choose(const struct contest *contest, unsigned char *member)
{
    struct best_set set = {0};
    rank_solvers(contest, &set);
    for (size_t s = 0; s < contest->solvers; s++) {
        const int same = s == set.best || same_costs(contest, set.best, s);
        const double p = same ? 1 : fmin(1, one_sided(contest, set.best, s) * (double)(set.distinct - 1));
        member[s] = p > contest->level;
        set.members += member[s];
        if (!same)
            set.p = fmax(set.p, p);
    }
    set.p = set.distinct < 2 ? 1 : set.p;
    return set;
}

struct best_set best_set_over_blocks(const double *costs, size_t solvers, size_t n, double level, unsigned char *member)
{
    return choose(&(struct contest){costs, solvers, n, level, (double)NAN, 0}, member);
}

struct best_set best_set_over_splits(const double *costs, size_t solvers, size_t n, size_t fewest, double overlap,
                                     double level, unsigned char *member)
{
    return choose(&(struct contest){costs, solvers, n, level, overlap, fewest}, member);
}
