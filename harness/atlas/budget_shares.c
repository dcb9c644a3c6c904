/*
 * The empirical distribution of runtimes to fixed targets, as in COCO (Hansen, Auger, Ros, Mersmann, Tusar and
 * Brockhoff 2021, COCO: a platform for comparing continuous optimizers in a black-box setting). With P the pairs of
 * problem p and target t,
 *     F_s(b) = |{(p, t) in P: s reached t on p, cost(s, p, t) <= b unit(p)}| / |P|.
 * A censored run is in P but never in the numerator.
 *
 * The interval of F_s(b) is a bootstrap over data sets (bootstrap.h): x_i is the number of pairs of data set i
 * that were reached, y_i the number of all its pairs. All curves use the same draws.
 */
#include "harness/atlas/budget_shares.h"

#include <gsl/gsl_sort.h>
#include <math.h>

#include "harness/support/round_to_12_digits.h"

struct target_range {
    size_t first, end;
};

static struct target_range targets_of(const struct atlas_family *family, size_t target)
{
    return target == ALL_TARGETS ? (struct target_range){0, family->n_targets}
                                 : (struct target_range){target, target + 1};
}

/* The budgets that a series needed, one per pair, infinite if it did not reach the target. */
static void take_budgets(const struct atlas *atlas, const struct budget_shares *shares, size_t series, double *budgets)
{
    const struct atlas_family *family = shares->family;
    const struct target_range targets = targets_of(family, shares->target);
    size_t n = 0;
    for (size_t p = 0; p < family->n_problems; p++) {
        const double unit = atlas_unit(atlas, family, shares->cost, p);
        for (size_t t = targets.first; t < targets.end; t++)
            budgets[n++] = atlas_cost_of(family, shares->cost, atlas_at(family, series, p, t)) / unit;
    }
}

/* The first index with a sufficient budget; SHARE_PLACES if there is none. */
static size_t place_of(const struct budget_shares *shares, double budget)
{
    size_t low = 0, high = SHARE_PLACES;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (shares->place[middle] >= budget)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* reached[k * n_datasets + d]: the number of pairs of data set d that are reached within budget k. */
static void count_reached(const struct atlas *atlas, const struct budget_shares *shares, const double *budgets,
                          double *reached)
{
    const struct atlas_family *family = shares->family;
    const struct target_range targets = targets_of(family, shares->target);
    const size_t each = targets.end - targets.first, n = atlas->n_datasets;
    for (size_t i = 0; i < SHARE_PLACES * n; i++)
        reached[i] = 0;
    for (size_t i = 0; i < shares->n_pairs; i++) {
        const size_t k = isfinite(budgets[i]) ? place_of(shares, budgets[i]) : SHARE_PLACES;
        if (k < SHARE_PLACES)
            reached[k * n + family->problems[i / each].dataset]++;
    }
    for (size_t i = n; i < SHARE_PLACES * n; i++)
        reached[i] += reached[i - n];
}

static void fill_curve(struct atlas *atlas, const struct budget_shares *shares, double *budgets, const double *all,
                       double *reached, struct share_curve *curve)
{
    count_reached(atlas, shares, budgets, reached);
    for (size_t k = 0; k < SHARE_PLACES; k++)
        curve->at[k] = atlas_interval(atlas, reached + k * atlas->n_datasets, all, 0);
    gsl_sort(budgets, 1, shares->n_pairs);
    for (size_t q = 0; q < 3; q++)
        curve->quartiles[q] = budgets[((q + 1) * shares->n_pairs + 3) / 4 - 1];
}

/* Spaces the budgets between the smallest and the largest finite one of the n; returns 0 if none is finite. */
static int set_places(const double *budgets, size_t n, double *places)
{
    double low = HUGE_VAL, high = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(budgets[i]) && budgets[i] > 0) {
            low = fmin(low, budgets[i]);
            high = fmax(high, budgets[i]);
        }
    for (size_t k = 0; k < SHARE_PLACES && low <= high; k++)
        places[k] = k + 1 == SHARE_PLACES
                        ? high
                        : round_to_12_digits(low * pow(high / low, (double)k / (SHARE_PLACES - 1)));
    return low <= high;
}

int budget_shares_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, size_t target,
                     struct budget_shares *shares)
{
    const struct target_range targets = targets_of(family, target);
    const size_t n = family->n_problems * (targets.end - targets.first);
    *shares = (struct budget_shares){.family = family, .cost = cost, .target = target, .n_pairs = n};
    if (family->n_counting[cost] < 2 || n == 0)
        return 0;
    double *budgets = pool_array(atlas->scratch, family->n_series * n, sizeof *budgets),
           *all = pool_array(atlas->scratch, atlas->n_datasets, sizeof *all),
           *reached = pool_array(atlas->scratch, SHARE_PLACES * atlas->n_datasets, sizeof *reached);
    size_t with_pairs = 0;
    for (size_t s = 0; s < family->n_series; s++)
        for (size_t i = 0; i < n; i++)
            budgets[s * n + i] = (double)INFINITY;
    for (size_t s = 0; s < family->n_series; s++)
        if (family->counts[cost][s])
            take_budgets(atlas, shares, s, budgets + s * n);
    for (size_t p = 0; p < family->n_problems; p++)
        all[family->problems[p].dataset] += (double)(targets.end - targets.first);
    for (size_t d = 0; d < atlas->n_datasets; d++)
        with_pairs += all[d] > 0;
    const int found = set_places(budgets, family->n_series * n, shares->place);
    shares->has_bands = with_pairs > 1;
    shares->curves = found ? pool_array(atlas->pool, family->n_series, sizeof *shares->curves) : NULL;
    for (size_t s = 0; s < family->n_series && found; s++)
        if (family->counts[cost][s])
            fill_curve(atlas, shares, budgets + s * n, all, reached, &shares->curves[s]);
    return found;
}

double share_curve_area(const struct share_curve *curve)
{
    double area = 0;
    for (size_t k = 0; k < SHARE_PLACES; k++)
        area += curve->at[k].estimate / SHARE_PLACES;
    return area;
}

size_t *share_curves_by_area(struct pool *pool, const struct budget_shares *shares, size_t *n)
{
    const struct atlas_family *family = shares->family;
    size_t *order = pool_array(pool, family->n_series, sizeof *order);
    *n = 0;
    for (size_t s = 0; s < family->n_series; s++) {
        if (!family->counts[shares->cost][s])
            continue;
        const double area = share_curve_area(&shares->curves[s]);
        size_t at = (*n)++;
        for (; at > 0 && share_curve_area(&shares->curves[order[at - 1]]) < area; at--)
            order[at] = order[at - 1];
        order[at] = s;
    }
    return order;
}
