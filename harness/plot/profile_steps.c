/*
 * Performance profiles (Dolan and More 2002): for every series s
 *
 *   rho_s(tau) = share of the problems p with cost(p, s) <= tau min over s' of cost(p, s')
 */
#include "harness/plot/profile_steps.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "harness/plot/figure.h"

/* The finite ratios of a series to the best, sorted; returns how many. */
static size_t sort_ratios(const struct profile_panel *panel, size_t series, double *ratios)
{
    size_t n = 0;
    for (size_t p = 0; p < panel->n_problems; p++) {
        double best = INFINITY, mine = panel->cost[series * panel->n_problems + p];
        for (size_t s = 0; s < panel->n_series; s++)
            best = fmin(best, panel->cost[s * panel->n_problems + p]);
        if (isfinite(mine) && (best > 0 || mine == 0))
            ratios[n++] = best > 0 ? mine / best : 1;
    }
    gsl_sort(ratios, 1, n);
    return n;
}

static void print_step(FILE *dat, double ratio, double share)
{
    plot_number(dat, ratio);
    fputc(' ', dat);
    plot_number(dat, share);
    fputc('\n', dat);
}

/* The steps of one series, from ratio 1 to `last`. */
static void print_series(const struct profile_panel *panel, size_t series, double last, double *ratios, FILE *dat)
{
    size_t n = sort_ratios(panel, series, ratios);
    double share = 0;
    if (n == 0 || ratios[0] > 1)
        print_step(dat, 1, 0);
    for (size_t k = 0; k < n; k++)
        if (k + 1 == n || ratios[k + 1] > ratios[k]) {
            share = (double)(k + 1) / (double)panel->n_problems;
            print_step(dat, ratios[k], share);
        }
    print_step(dat, last, share);
}

enum status profile_panel_put(const struct profile_panel *panel, int first, FILE *dat, double *last,
                              struct error *error)
{
    double *ratios = malloc((panel->n_problems + 1) * sizeof *ratios);
    if (!ratios)
        return error_set(error, STATUS_NO_MEMORY, "profile of %zu problems: out of memory", panel->n_problems);
    *last = 1;
    for (size_t s = 0; s < panel->n_series; s++) {
        size_t n = sort_ratios(panel, s, ratios);
        *last = n > 0 ? fmax(*last, ratios[n - 1]) : *last;
    }
    for (size_t s = 0; s < panel->n_series; s++) {
        fprintf(dat, "%s# %s: %s\n", first && s == 0 ? "" : "\n\n", panel->title, panel->labels[s]);
        print_series(panel, s, *last, ratios, dat);
    }
    free(ratios);
    return STATUS_OK;
}
