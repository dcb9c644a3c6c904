/*
 * Performance profiles (Dolan and More 2002) and data profiles (More and Wild 2009): for every series s
 *
 *   rho_s(tau) = share of the problems p with cost(p, s) <= tau min over s' of cost(p, s')
 *   d_s(kappa) = share of the problems p with cost(p, s) <= kappa unit(p)
 *
 * as harness/stats/curves.h computes them. The band of a curve is a bootstrap interval for each share: a resample
 * draws the same number of data sets with replacement and takes the share of all their problems. The splits of a data
 * set overlap, so resampling individual problems would give bands that are too narrow.
 */
#include "harness/figure/profile_steps.h"

#include <math.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/curves.h"
#include "harness/support/round_to_12_digits.h"

/* Points at equal distances on the logarithmic axis: for steps, and for bands. */
enum { PLACES = 200, BAND_PLACES = 40 };

/* The data sets of a panel's problems. */
struct groups {
    size_t n, *of_problem;
    double *solved, *all; /* number of problems of each */
};

/* The index of the first problem of the same data set. */
static size_t first_of(const char *const *datasets, size_t problem)
{
    size_t first = 0;
    while (strcmp(datasets[first], datasets[problem]) != 0)
        first++;
    return first;
}

static struct groups take_groups(struct pool *pool, const struct profile_panel *panel)
{
    struct groups groups = {0, pool_array(pool, panel->n_problems, sizeof *groups.of_problem),
                            pool_array(pool, panel->n_problems, sizeof *groups.solved),
                            pool_array(pool, panel->n_problems, sizeof *groups.all)};
    for (size_t p = 0; p < panel->n_problems; p++) {
        const size_t first = first_of(panel->datasets, p);
        groups.of_problem[p] = first < p ? groups.of_problem[first] : groups.n++;
        groups.all[groups.of_problem[p]]++;
    }
    return groups;
}

static void print_step(FILE *dat, double ratio, double share)
{
    const double numbers[] = {ratio, share};
    plot_numbers(dat, numbers, 2, "\n");
}

/* Prints the steps of one series between the ends of the axis; steps before the first end count there. Of steps too
 * close together to see, only the last is printed. */
static void print_series(const struct profile_step *steps, size_t n, double low, double high, FILE *dat)
{
    double share = 0, apart = round_to_12_digits(pow(high / low, 1.0 / PLACES)), next = low * apart;
    size_t k = 0;
    for (; k < n && steps[k].ratio <= low; k++)
        share = steps[k].share;
    print_step(dat, low, share);
    for (; k < n; k++) {
        share = steps[k].share;
        if (k + 1 < n && steps[k + 1].ratio < next)
            continue;
        print_step(dat, steps[k].ratio, share);
        next = steps[k].ratio * apart;
    }
    print_step(dat, high, share);
}

void profile_steps_put(struct pool *pool, const double *costs, size_t n, double low, double high, FILE *dat)
{
    struct profile_step *steps = pool_array(pool, n, sizeof *steps);
    print_series(steps, profile_steps(costs, n, steps), low, high, dat);
}

static void print_band(const double *ratios, size_t n_problems, struct groups *groups, struct bootstrap_draws *draws,
                       double low, double high, FILE *dat)
{
    for (int k = 0; k <= BAND_PLACES; k++) {
        double place = k == BAND_PLACES ? high : round_to_12_digits(low * pow(high / low, (double)k / BAND_PLACES));
        memset(groups->solved, 0, groups->n * sizeof *groups->solved);
        for (size_t p = 0; p < n_problems; p++)
            groups->solved[groups->of_problem[p]] += ratios[p] <= place;
        const struct interval band = bootstrap_ratio(draws, groups->solved, groups->all, 0.95);
        const double numbers[] = {place, round_to_12_digits(band.low), round_to_12_digits(band.high)};
        plot_numbers(dat, numbers, 3, "\n");
    }
}

static void print_panel(struct pool *pool, const struct profile_panel *panel, const double *ratios, double low,
                        double high, int first, FILE *dat)
{
    struct groups groups = take_groups(pool, panel);
    struct bootstrap_draws draws = bootstrap_draw(pool, groups.n, BOOTSTRAP_RESAMPLES, 1);
    for (size_t s = 0; s < panel->n_series; s++) {
        const double *mine = ratios + s * panel->n_problems;
        fprintf(dat, "%s# %s: %s\n", first && s == 0 ? "" : "\n\n", panel->title, panel->labels[s]);
        profile_steps_put(pool, mine, panel->n_problems, low, high, dat);
        if (groups.n < 2) /* one data set does not show how others would differ */
            continue;
        fprintf(dat, "\n\n# band of %s: %s\n", panel->title, panel->labels[s]);
        print_band(mine, panel->n_problems, &groups, &draws, low, high, dat);
    }
}

/* The smallest positive and the largest finite ratio. */
static void find_ends(const struct profile_panel *panel, const double *ratios, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = 0;
    for (size_t i = 0; i < panel->n_series * panel->n_problems; i++)
        if (isfinite(ratios[i])) {
            *low = ratios[i] > 0 ? fmin(*low, ratios[i]) : *low;
            *high = fmax(*high, ratios[i]);
        }
    if (!(*low <= *high))
        *low = *high = 1;
}

void profile_panel_put(const struct profile_panel *panel, int first, FILE *dat, double *low, double *high)
{
    struct pool *pool = pool_new();
    double *ratios = pool_array(pool, panel->n_series * panel->n_problems, sizeof *ratios);
    if (panel->units)
        profile_data(panel->cost, panel->units, panel->n_series, panel->n_problems, ratios);
    else
        profile_performance(panel->cost, panel->n_series, panel->n_problems, ratios);
    find_ends(panel, ratios, low, high);
    if (!panel->units)
        *low = 1;
    print_panel(pool, panel, ratios, *low, *high, first, dat);
    pool_free(pool);
}

void profile_describe_bands(struct plot_figure *figure, const char *const *datasets, size_t n_problems)
{
    size_t last = 0;
    while (last < n_problems && first_of(datasets, last) == 0)
        last++;
    int several = last < n_problems;
    plot_figure_number(figure, "bands", several);
    fputs(several ? "Bands: pointwise 95 % bootstrap intervals that resample data sets, not their splits. "
                  : "No bands: one data set cannot show how others would differ. ",
          figure->caption);
}
