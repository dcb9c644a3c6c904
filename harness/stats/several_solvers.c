/*
 * Holm (1979) steps down from the smallest p and multiplies p_(k) by n - k + 1.
 *
 * Friedman. With R_j the sum of the ranks of solver j over n problems, S = sum (R_j - n(k+1)/2)^2 and T the sum of
 * t^3 - t over all groups of t ties within a problem (Conover 1999, 5.8),
 *     chi2 = 12 S / (n k (k+1) - T/(k-1)),
 *     F = (n-1) chi2 / (n(k-1) - chi2) = (n-1) 12 S / (n (n k (k^2-1) - T) - 12 S).
 * Ranks are multiples of 1/2, so 12 S and its minuend in the last divisor are integers, and the difference is exact.
 *
 * Nemenyi (1963). Under the null hypothesis and for many problems, the mean ranks are like k independent normal values
 * of variance k(k+1)/(12n) about their mean. Two differ if their distance exceeds the upper alpha quantile of the range
 * of k such values.
 *
 * Pairs. For each of the k(k - 1)/2 pairs Wilcoxon's signed-rank test of the differences of their costs over the
 * problems; then Holm's adjustment over all pairs.
 *
 * A confidence set for the best (Gupta 1965, On some multiple decision (selection and ranking) rules, Technometrics 7),
 * with paired tests. Over independent problems solver t is the best if each rival with other costs is cheaper than t
 * with probability 1/2 at most, problems with equal costs aside. The solver b is chosen from the same data as the one
 * whose worst record against a rival, problems won less problems lost, is the largest. Solver s stays in the set unless
 * a one-sided sign test at level a/(k - 1) finds that b is cheaper than s more often than not; k is the number of
 * solvers with different costs. t is left out only if some rival of it passes that test. For each of these k - 1 the
 * probability of that is at most a/(k - 1), so together at most a, whatever the dependence of the tests (Bonferroni)
 * and the distribution of the differences: the sign test assumes no symmetry. So the set contains t with probability at
 * least 1 - a, and if it has one member, that solver is the best, with the choice accounted for. The mean and the
 * Hodges-Lehmann estimate have no such test: of differences of -0.3 on 87 % of problems and 2 on the others, whose mean
 * is 0, 16 % of samples of 13 have none of the latter.
 *
 * Overlapping splits are not independent; there the best has the lowest mean, and the corrected resampled t test takes
 * the place of the sign test. It assumes roughly normal differences.
 *
 * A failed run has a cost that somebody chose. So a solver that succeeds more often than b stays in the set.
 *
 * Solvers with the same costs in all blocks, such as one with and without shrinking when iterations are counted, cannot
 * be distinguished by any data: they count once in k, and are in the set together or not at all.
 */
#include "harness/stats/several_solvers.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/rank_tests.h"
#include "harness/stats/resampled_t.h"

void adjust_holm(const double *p, size_t n, double *adjusted)
{
    size_t *order = xcalloc(n, sizeof *order);
    gsl_sort_index(order, p, 1, n);
    double last = 0;
    for (size_t k = 0; k < n; k++) {
        assert(p[k] >= 0 && p[k] <= 1);
        last = fmax(last, fmin(1, (double)(n - k) * p[order[k]]));
        adjusted[order[k]] = last;
    }
    free(order);
}

void win_tie_loss_table(const double *costs, size_t solvers, size_t problems, struct win_tie_loss *table)
{
    for (size_t k = 0; k < solvers * solvers; k++) {
        const double *first = costs + k / solvers * problems, *second = costs + k % solvers * problems;
        table[k] = (struct win_tie_loss){.ties = 0};
        for (size_t p = 0; p < problems; p++) {
            assert(!isnan(first[p]) && !isnan(second[p]));
            table[k].wins += first[p] < second[p];
            table[k].ties += first[p] == second[p];
            table[k].losses += first[p] > second[p];
        }
    }
}

/* ---- Friedman and Nemenyi ---- */

/* Adds the ranks within one problem to the sums; returns the ties. `room` has two elements per solver. */
static double add_ranks(const double *costs, const struct friedman *friedman, size_t problem, double *room)
{
    double *ranks = room + friedman->solvers;
    for (size_t s = 0; s < friedman->solvers; s++) {
        room[s] = costs[s * friedman->problems + problem];
        assert(!isnan(room[s]));
    }
    double ties = ranks_of(room, friedman->solvers, ranks);
    for (size_t s = 0; s < friedman->solvers; s++)
        friedman->mean_ranks[s] += ranks[s];
    return ties;
}

/* Computes the statistics from the sums of ranks, which become means. */
static void judge(struct friedman *friedman, double ties)
{
    double n = (double)friedman->problems, k = (double)friedman->solvers, s = 0;
    for (size_t j = 0; j < friedman->solvers; j++) {
        double away = friedman->mean_ranks[j] - n * (k + 1) / 2;
        s += away * away;
        friedman->mean_ranks[j] /= n;
    }
    double whole = n * k * (k * k - 1) - ties; /* (k - 1) times the divisor of chi2 */
    if (!(whole > 0) || n < 1)
        return;
    friedman->chi2 = 12 * s * (k - 1) / whole;
    friedman->chi2_p = gsl_cdf_chisq_Q(friedman->chi2, k - 1);
    double rest = n * whole - 12 * s;
    if (n < 2)
        return;
    friedman->f = rest > 0 ? (n - 1) * 12 * s / rest : (double)INFINITY;
    friedman->f_p = rest > 0 ? gsl_cdf_fdist_Q(friedman->f, k - 1, (k - 1) * (n - 1)) : 0;
}

struct friedman friedman_test(struct pool *pool, const double *costs, size_t solvers, size_t problems)
{
    double ties = 0, *room = xcalloc(2 * solvers, sizeof *room);
    struct friedman friedman = {solvers, problems, pool_array(pool, solvers, sizeof(double)), 0, 1, 0, 1};
    for (size_t p = 0; p < problems; p++)
        ties += add_ranks(costs, &friedman, p, room);
    judge(&friedman, ties);
    free(room);
    return friedman;
}

double friedman_deviation(const struct friedman *friedman)
{
    double k = (double)friedman->solvers;
    return sqrt(k * (k + 1) / (6 * (double)friedman->problems));
}

void friedman_order(const struct friedman *friedman, size_t *order)
{
    for (size_t j = 0; j < friedman->solvers; j++) {
        size_t place = j; /* insertion sort, which keeps the order of equal ranks */
        for (; place > 0 && friedman->mean_ranks[order[place - 1]] > friedman->mean_ranks[j]; place--)
            order[place] = order[place - 1];
        order[place] = j;
    }
}

void friedman_against(const struct friedman *friedman, size_t control, double *p)
{
    size_t k = friedman->solvers, count = 0;
    assert(k >= 2 && friedman->problems > 0 && control < k);
    double *raw = xcalloc(2 * k, sizeof *raw), *adjusted = raw + k;
    for (size_t s = 0; s < k; s++) {
        double away = fabs(friedman->mean_ranks[s] - friedman->mean_ranks[control]);
        if (s != control)
            raw[count++] = fmin(1, 2 * gsl_cdf_ugaussian_Q(away / friedman_deviation(friedman)));
    }
    adjust_holm(raw, count, adjusted);
    for (size_t s = 0; s < k; s++)
        p[s] = s == control ? 1 : adjusted[s - (s > control)];
    free(raw);
}

double nemenyi_difference(const struct friedman *friedman, double alpha)
{
    assert(friedman->problems > 0);
    return studentized_range_quantile(alpha, friedman->solvers) * friedman_deviation(friedman) / sqrt(2);
}

size_t nemenyi_groups(const struct friedman *friedman, const size_t *order, double difference,
                      struct rank_group *groups)
{
    const double *means = friedman->mean_ranks;
    size_t count = 0, last = 0; /* last never decreases: the first of a later group is no better */
    for (size_t first = 0; first < friedman->solvers; first++) {
        size_t before = last;
        while (last + 1 < friedman->solvers && means[order[last + 1]] - means[order[first]] <= difference)
            last++;
        if (last > before)
            groups[count++] = (struct rank_group){first, last};
        last = last > first ? last : first + 1;
    }
    return count;
}

/* ---- pairs ---- */

/* `room` has 4 * problems elements. */
static struct pair_test test_pair(const double *first, const double *second, size_t problems, double *room)
{
    double *x = room, *y = x + problems, *differences = y + problems, *zeros = differences + problems;
    for (size_t p = 0; p < problems; p++) {
        int finite = isfinite(first[p]) && isfinite(second[p]);
        x[p] = finite ? first[p] : 0;
        y[p] = finite ? second[p] : 0;
        zeros[p] = 0;
    }
    pairs_differences(x, y, problems, differences);
    for (size_t p = 0; p < problems; p++)
        if (!(isfinite(first[p]) && isfinite(second[p])) && first[p] != second[p])
            differences[p] = first[p] - second[p];
    struct rank_test test = signed_rank_test(differences, zeros, problems, TAIL_TWO_SIDED);
    return (struct pair_test){test.p_value, test.p_value, test.effect};
}

void signed_rank_pairs(const double *costs, size_t solvers, size_t problems, struct pair_test *tests)
{
    const size_t pairs = solvers ? solvers * (solvers - 1) / 2 : 0;
    double *room = xcalloc(4 * problems + 2 * pairs, sizeof *room), *p = room + 4 * problems, *adjusted = p + pairs;
    size_t n = 0;
    for (size_t a = 0; a < solvers; a++) {
        tests[a * solvers + a] = (struct pair_test){1, 1, 0};
        for (size_t b = a + 1; b < solvers; b++) {
            tests[a * solvers + b] = test_pair(costs + a * problems, costs + b * problems, problems, room);
            p[n++] = tests[a * solvers + b].p_value;
        }
    }
    adjust_holm(p, pairs, adjusted);
    n = 0;
    for (size_t a = 0; a < solvers; a++)
        for (size_t b = a + 1; b < solvers; b++) {
            struct pair_test *test = &tests[a * solvers + b];
            test->adjusted = adjusted[n++];
            tests[b * solvers + a] = (struct pair_test){test->p_value, test->adjusted, -test->effect};
        }
    free(room);
}

double signed_rank_pairs_least(size_t solvers, size_t problems)
{
    double pairs = (double)solvers * (double)(solvers - 1) / 2;
    return fmin(1, pairs * ldexp(1, 1 - (int)problems));
}

/* ---- the best ---- */

struct contestant {
    double worst, mean; /* worst: problems won less problems lost, against the rival where that is least */
    size_t solver;
};

static int by_record(const void *left, const void *right)
{
    const struct contestant *a = left, *b = right;
    return a->worst != b->worst ? (a->worst < b->worst) - (a->worst > b->worst)
           : a->mean != b->mean ? (a->mean > b->mean) - (a->mean < b->mean)
                                : (a->solver > b->solver) - (a->solver < b->solver);
}

static int same_costs(const struct contest *contest, size_t a, size_t b)
{
    return memcmp(contest->costs + a * contest->problems, contest->costs + b * contest->problems,
                  contest->problems * sizeof *contest->costs) == 0;
}

/* The number of problems on which a is cheaper than b by more than rounding. */
static size_t count_won(const struct contest *contest, size_t a, size_t b)
{
    const double *x = contest->costs + a * contest->problems, *y = contest->costs + b * contest->problems;
    size_t won = 0;
    for (size_t i = 0; i < contest->problems; i++)
        won += y[i] - x[i] > ldexp(fmax(fabs(x[i]), fabs(y[i])), -40);
    return won;
}

/* Sorts the solvers, and counts those with distinct costs: equal costs have equal records and means. */
static void rank_solvers(const struct contest *contest, struct best_set *set)
{
    struct contestant *places = xcalloc(contest->solvers, sizeof *places);
    for (size_t s = 0; s < contest->solvers; s++) {
        places[s] = (struct contestant){isnan(contest->overlap) ? (double)contest->problems : 0, 0, s};
        for (size_t i = 0; i < contest->problems; i++)
            places[s].mean += contest->costs[s * contest->problems + i] / (double)contest->problems;
        assert(!isnan(places[s].mean));
        for (size_t r = 0; r < contest->solvers && isnan(contest->overlap); r++)
            if (!same_costs(contest, s, r))
                places[s].worst = fmin(places[s].worst,
                                       (double)count_won(contest, s, r) - (double)count_won(contest, r, s));
    }
    qsort(places, contest->solvers, sizeof *places, by_record);
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

/* The one-sided p-value for the hypothesis that b is not better than s. */
static double one_sided(const struct contest *contest, size_t b, size_t s)
{
    const double *x = contest->costs + b * contest->problems, *y = contest->costs + s * contest->problems;
    const size_t won = count_won(contest, b, s);
    if (isnan(contest->overlap))
        return won ? gsl_cdf_binomial_Q((unsigned)won - 1, 0.5, (unsigned)(won + count_won(contest, s, b))) : 1;
    if (contest->problems < contest->fewest)
        return 1;
    return resampled_t_test(x, y, contest->problems, contest->overlap, TAIL_LESS, 0.95).p_value;
}

struct best_set best_set(const struct contest *contest, unsigned char *member)
{
    struct best_set set = {0};
    rank_solvers(contest, &set);
    for (size_t s = 0; s < contest->solvers; s++) {
        const int same = s == set.best || same_costs(contest, set.best, s);
        const double p = same ? 1 : fmin(1, one_sided(contest, set.best, s) * (double)(set.distinct - 1));
        member[s] = p > contest->level || (contest->reached && contest->reached[s] > contest->reached[set.best]);
        set.members += member[s];
        if (!same)
            set.p = fmax(set.p, p);
    }
    set.p = set.distinct < 2 ? 1 : set.p;
    return set;
}
