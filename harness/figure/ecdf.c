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
#include "harness/figure/ecdf.h"

#include <math.h>
#include <string.h>

#include "harness/records/plan_order.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/curves.h"
#include "harness/support/decimal.h"

/* Points at equal distances on the logarithmic axis: for steps, and for bands. */
enum { PLACES = 200, BAND_PLACES = 40 };

/* The data sets of the problems. */
struct groups {
    size_t n, *of_problem;
    double *solved, *all; /* number of problems of each */
};

static struct groups take_groups(struct pool *pool, const struct ecdf *ecdf)
{
    struct name_order datasets = {.pool = pool};
    struct groups groups = {0, pool_array(pool, ecdf->n_problems, sizeof *groups.of_problem),
                            pool_array(pool, ecdf->n_problems, sizeof *groups.solved),
                            pool_array(pool, ecdf->n_problems, sizeof *groups.all)};
    for (size_t p = 0; p < ecdf->n_problems; p++) {
        groups.of_problem[p] = name_order_add(&datasets, ecdf->datasets[p]);
        groups.all[groups.of_problem[p]]++;
    }
    groups.n = datasets.count;
    return groups;
}

/* Steps before the first end of the axis count there. Of steps too close together to see, only the last is printed. */
void ecdf_put_steps(struct pool *pool, const double *costs, size_t n_costs, double low, double high, FILE *dat)
{
    struct profile_step *steps = pool_array(pool, n_costs, sizeof *steps);
    const size_t n = profile_steps(costs, n_costs, steps);
    double share = 0, apart = round_to_12_digits(pow(high / low, 1.0 / PLACES)), next = low * apart;
    size_t k = 0;
    for (; k < n && steps[k].ratio <= low; k++)
        share = steps[k].share;
    plot_numbers(dat, (const double[]){low, share}, 2, "\n");
    for (; k < n; k++) {
        share = steps[k].share;
        if (k + 1 < n && steps[k + 1].ratio < next)
            continue;
        plot_numbers(dat, (const double[]){steps[k].ratio, share}, 2, "\n");
        next = steps[k].ratio * apart;
    }
    plot_numbers(dat, (const double[]){high, share}, 2, "\n");
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
        plot_numbers(dat, (const double[]){place, round_to_12_digits(band.low), round_to_12_digits(band.high)}, 3,
                     "\n");
    }
}

/* The smallest positive and the largest finite ratio; both 1 without any. */
static void find_ends(const double *ratios, size_t n, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(ratios[i])) {
            *low = ratios[i] > 0 ? fmin(*low, ratios[i]) : *low;
            *high = fmax(*high, ratios[i]);
        }
    if (!(*low <= *high))
        *low = *high = 1;
}

void ecdf_add(struct ecdf *ecdf, const char *name, const char *axis, const double *cost, const double *units)
{
    struct pool *pool = pool_new();
    const size_t n = ecdf->n_problems;
    FILE *dat = ecdf->figure->dat;
    double low, high, *ratios = pool_array(pool, ecdf->n_series * n, sizeof *ratios);
    if (units)
        profile_data(cost, units, ecdf->n_series, n, ratios);
    else
        profile_performance(cost, ecdf->n_series, n, ratios);
    find_ends(ratios, ecdf->n_series * n, &low, &high);
    low = units ? low : 1;
    struct groups groups = take_groups(pool, ecdf);
    struct bootstrap_draws draws = bootstrap_draw(pool, groups.n, BOOTSTRAP_RESAMPLES, 1);
    for (size_t s = 0; s < ecdf->n_series; s++) {
        fprintf(dat, "%s# %s: %s\n", ecdf->n_panels + s ? "\n\n" : "", name, ecdf->labels[s]);
        ecdf_put_steps(pool, ratios + s * n, n, low, high, dat);
        if (groups.n < 2) /* one data set does not show how others would differ */
            continue;
        fprintf(dat, "\n\n# band of %s: %s\n", name, ecdf->labels[s]);
        print_band(ratios + s * n, n, &groups, &draws, low, high, dat);
    }
    ecdf->axes[ecdf->n_panels++] = axis;
    pool_free(pool);
}

void ecdf_finish(struct ecdf *ecdf, const char *share)
{
    struct plot_figure *figure = ecdf->figure;
    const int several = ecdf->n_problems > 0 && take_groups(figure->pool, ecdf).n > 1;
    plot_figure_panels(figure, ecdf->axes, ecdf->n_panels);
    plot_figure_series(figure, ecdf->labels, ecdf->n_series);
    plot_figure_text(figure, "share", share);
    plot_figure_number(figure, "bands", several);
    fputs(several ? "Bands: pointwise 95 % bootstrap intervals that resample data sets, not their splits. "
                  : "No bands: one data set cannot show how others would differ. ",
          figure->caption);
}
