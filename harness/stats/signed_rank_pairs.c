/*
 * For each of the k(k - 1)/2 pairs Wilcoxon's signed-rank test of the differences of their costs over the problems
 * (signed_rank.h), exact up to EXACT_MAX_RANKS problems; then Holm's adjustment over all pairs (adjust.h).
 */
#include "harness/stats/signed_rank_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/stats/adjust.h"
#include "harness/stats/signed_rank.h"

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
    struct rank_test test = signed_rank_test(differences, zeros, problems, NULL);
    return (struct pair_test){test.p_value, test.p_value, test.effect};
}

static void adjust_pairs(size_t solvers, double *room, struct pair_test *tests)
{
    size_t n = 0, pairs = solvers * (solvers - 1) / 2;
    double *p = room, *adjusted = room + pairs;
    for (size_t a = 0; a < solvers; a++)
        for (size_t b = a + 1; b < solvers; b++)
            p[n++] = tests[a * solvers + b].p_value;
    adjust_holm(p, pairs, adjusted);
    n = 0;
    for (size_t a = 0; a < solvers; a++)
        for (size_t b = a + 1; b < solvers; b++) {
            struct pair_test *test = &tests[a * solvers + b];
            test->adjusted = adjusted[n++];
            tests[b * solvers + a] = (struct pair_test){test->p_value, test->adjusted, -test->effect};
        }
}

void signed_rank_pairs(const double *costs, size_t solvers, size_t problems, struct pair_test *tests)
{
    double *room = xcalloc(4 * problems + solvers * solvers, sizeof *room);
    for (size_t a = 0; a < solvers; a++) {
        tests[a * solvers + a] = (struct pair_test){1, 1, 0};
        for (size_t b = a + 1; b < solvers; b++)
            tests[a * solvers + b] = test_pair(costs + a * problems, costs + b * problems, problems, room);
    }
    if (solvers > 1)
        adjust_pairs(solvers, room, tests);
    free(room);
}

double signed_rank_pairs_least(size_t solvers, size_t problems)
{
    double pairs = (double)solvers * (double)(solvers - 1) / 2;
    return fmin(1, pairs * ldexp(1, 1 - (int)problems));
}
