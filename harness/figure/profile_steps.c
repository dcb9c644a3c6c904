/*
 * Performance profiles (Dolan and More 2002) and data profiles (More and Wild 2009): for every series s
 *
 *   rho_s(tau) = share of the problems p with cost(p, s) <= tau min over s' of cost(p, s')
 *   d_s(kappa) = share of the problems p with cost(p, s) <= kappa unit(p)
 *
 * as harness/stats/profile.h computes them.
 */
#include "harness/figure/profile_steps.h"

#include <math.h>
#include <stdlib.h>

#include "harness/figure/figure.h"
#include "harness/program/memory.h"
#include "harness/support/round_to_12_digits.h"
#include "harness/stats/profile.h"

enum { PLACES = 200 }; /* on the axis, on a logarithmic scale */

static void print_step(FILE *dat, double ratio, double share)
{
    const double numbers[] = {ratio, share};
    plot_numbers(dat, numbers, 2, "\n");
}

/* The steps of one series between the ends of the axis; what is before the first end counts there. Of steps too near to
 * each other for the eye the last is printed. */
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

static void print_panel(const struct profile_panel *panel, const double *ratios, struct profile_step *steps, double low,
                        double high, int first, FILE *dat)
{
    for (size_t s = 0; s < panel->n_series; s++) {
        size_t n = profile_steps(ratios + s * panel->n_problems, panel->n_problems, steps);
        fprintf(dat, "%s# %s: %s\n", first && s == 0 ? "" : "\n\n", panel->title, panel->labels[s]);
        print_series(steps, n, low, high, dat);
    }
}

/* Smallest positive and largest finite ratio. */
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

enum status profile_panel_put(const struct profile_panel *panel, int first, FILE *dat, double *low, double *high,
                              struct error *error)
{
    double *ratios = xcalloc(panel->n_series * panel->n_problems, sizeof *ratios);
    struct profile_step *steps = xcalloc(panel->n_problems, sizeof *steps);
    enum status status =
        panel->units ? profile_data(panel->cost, panel->units, panel->n_series, panel->n_problems, ratios, error)
                     : profile_performance(panel->cost, panel->n_series, panel->n_problems, ratios, error);
    if (status == STATUS_OK) {
        find_ends(panel, ratios, low, high);
        if (!panel->units)
            *low = 1;
        print_panel(panel, ratios, steps, *low, *high, first, dat);
    }
    free(ratios);
    free(steps);
    return status;
}
