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
#include <gsl/gsl_sort.h>
#include <math.h>

#include "harness/atlas/atlas.h"
#include "harness/base/json_writer.h"
#include "harness/figure/ecdf.h"
#include "harness/support/decimal.h"

enum { PLACES = 61, MAX_CURVES = 12 };

/* The curve of a series that counts the cost. */
struct share_curve {
    size_t series;
    double *budgets; /* n_pairs: what it needed, in units (unit_of), ascending; infinite: target not reached */
    struct interval reached; /* the share at the largest budget */
    double area;             /* below the curve along the logarithmic axis, divided by the axis's length */
};

/* The curves of a family for one cost and one target, or for all targets together. */
struct budget_shares {
    struct atlas *atlas;
    const struct atlas_family *family;
    enum atlas_cost cost;
    size_t target, each, n_pairs;  /* or ATLAS_ALL; the number of targets, and of their pairs with problems */
    double place[PLACES];          /* budgets, spaced equally on a logarithmic scale */
    struct share_curve *curves;    /* in the order of cube.counting */
    size_t n_curves;
    struct interval *at;           /* shares, n_series x PLACES; NAN for series that do not count the cost */
    int has_bands;                 /* nonzero: from at least two data sets */
};

/* The unit of a cost on a data set, by which those of different sizes can be pooled: N^2 for kernel operations and
 * evaluations, the size of the kernel matrix; N for iterations, since most solvers need one or two rows of N values for
 * each; N^2 nanoseconds for seconds. 1 if sizes are unknown. */
static double unit_of(const struct atlas *atlas, enum atlas_cost cost, size_t dataset)
{
    const double n = atlas->sizes_known ? atlas->datasets[dataset].n_train : 1;
    return cost == ATLAS_ITERATIONS ? n : cost == ATLAS_SECONDS ? 1e-9 * n * n : n * n;
}

static void take_budgets(const struct budget_shares *shares, struct share_curve *curve, double *budgets)
{
    const struct atlas_family *family = shares->family;
    const struct cube *cube = &family->costs[shares->cost];
    curve->budgets = budgets;
    for (size_t task = 0; task < cube->n_tasks; task++)
        if (shares->target == ATLAS_ALL || shares->target == task % family->n_targets)
            *budgets++ = cube->cost[curve->series * cube->n_tasks + task] /
                         unit_of(shares->atlas, shares->cost, family->problems[task / family->n_targets].dataset);
}

/* all: the number of pairs of each data set. Sorts the curve's budgets. */
static void fill_curve(const struct budget_shares *shares, const double *all, struct share_curve *curve)
{
    struct atlas *atlas = shares->atlas;
    const size_t n = atlas->n_datasets;
    /* reached[k * n + d]: the number of pairs of data set d that are reached within budget k */
    double *reached = pool_array(atlas->scratch, PLACES * n, sizeof *reached);
    for (size_t i = 0; i < shares->n_pairs; i++) {
        size_t k = 0;
        while (k < PLACES && shares->place[k] < curve->budgets[i])
            k++;
        if (k < PLACES)
            reached[k * n + shares->family->problems[i / shares->each].dataset]++;
    }
    for (size_t k = 0; k < PLACES; k++) {
        for (size_t d = 0; d < n && k > 0; d++)
            reached[k * n + d] += reached[(k - 1) * n + d];
        curve->reached = bootstrap_ratio(&atlas->draws, reached + k * n, all, ATLAS_LEVEL);
        curve->area += curve->reached.estimate / PLACES;
        shares->at[curve->series * PLACES + k] = curve->reached;
    }
    gsl_sort(curve->budgets, 1, shares->n_pairs);
}

/* Returns 0 if no budget is finite. The budgets of the curves are between the smallest and the largest. */
static int take_shares(struct budget_shares *shares)
{
    const struct atlas_family *family = shares->family;
    struct pool *pool = shares->atlas->scratch;
    const size_t size = family->n_series * PLACES, n_budgets = shares->n_curves * shares->n_pairs;
    double *all = pool_array(pool, shares->atlas->n_datasets, sizeof *all), low = HUGE_VAL, high = 0,
           *budgets = pool_array(pool, n_budgets, sizeof *budgets);
    shares->curves = pool_array(pool, shares->n_curves, sizeof *shares->curves);
    shares->at = pool_array(pool, size, sizeof *shares->at);
    for (size_t i = 0; i < size; i++)
        shares->at[i] = no_interval;
    for (size_t k = 0; k < shares->n_curves; k++) {
        shares->curves[k].series = family->costs[shares->cost].counting[k];
        take_budgets(shares, &shares->curves[k], budgets + k * shares->n_pairs);
    }
    for (size_t i = 0; i < n_budgets; i++)
        if (isfinite(budgets[i]) && budgets[i] > 0) {
            low = fmin(low, budgets[i]);
            high = fmax(high, budgets[i]);
        }
    if (low > high)
        return 0;
    for (size_t k = 0; k < PLACES; k++)
        shares->place[k] =
            k + 1 == PLACES ? high : round_to_12_digits(low * pow(high / low, (double)k / (PLACES - 1)));
    for (size_t p = 0; p < family->n_problems; p++)
        all[family->problems[p].dataset] += (double)shares->each;
    for (size_t k = 0; k < shares->n_curves; k++)
        fill_curve(shares, all, &shares->curves[k]);
    shares->has_bands = isfinite(shares->curves[0].reached.low);
    return 1;
}

/* ---- output ---- */

static void put_row(struct atlas_table *table, const struct budget_shares *shares, const struct share_curve *curve)
{
    struct result *data = &table->data;
    result_row(data, "%s\t%s\t%s\t%s\t%zu", shares->family->key, atlas_cost_texts[shares->cost].key,
               atlas_target_name(data->pool, shares->family, shares->target),
               shares->family->series[curve->series].label, shares->n_pairs);
    atlas_table_interval(table, 100, 3, &curve->reached);
    for (size_t i = 2; i < 8; i++) /* for readers and programs; infinite if fewer pairs are ever reached */
        result_number(data, curve->budgets[(i / 2 * shares->n_pairs + 3) / 4 - 1]);
    result_number(data, curve->area);
    result_number(data, curve->area);
    if (shares->target == ATLAS_ALL)
        atlas_table_show(table, shares->family, shares->family->loose);
}

static void put_json(const struct atlas_output *out, const struct budget_shares *shares)
{
    const size_t size = shares->family->n_series * PLACES, stride = sizeof *shares->at / sizeof(double);
    cJSON *json = atlas_json_add(out, "shares", shares->family, shares->cost, shares->target);
    json_put_number(json, "pairs", (double)shares->n_pairs);
    atlas_json_numbers(json, "budgets", shares->place, PLACES, 1);
    atlas_json_numbers(json, "share", &shares->at->estimate, size, stride);
    atlas_json_numbers(json, "low", &shares->at->low, size, stride);
    atlas_json_numbers(json, "high", &shares->at->high, size, stride);
}

/* The steps of the curve, and its band. */
static void draw_curve(const struct budget_shares *shares, const struct share_curve *curve, FILE *dat)
{
    ecdf_put_steps(shares->atlas->scratch, curve->budgets, shares->n_pairs, shares->place[0],
                   shares->place[PLACES - 1], dat);
    if (!shares->has_bands)
        return;
    fputs("\n\n# its band\n", dat);
    for (size_t k = 0; k < PLACES; k++) {
        const struct interval *at = &shares->at[curve->series * PLACES + k];
        plot_numbers(dat, (const double[]){shares->place[k], at->low, at->high}, 3, "\n");
    }
}

/* Draws the curves with the largest areas, at most MAX_CURVES. */
static void draw(struct atlas_output *out, const struct budget_shares *shares)
{
    const struct atlas *atlas = shares->atlas;
    const struct atlas_family *family = shares->family;
    const struct atlas_cost_text *cost = &atlas_cost_texts[shares->cost];
    const size_t n_curves = shares->n_curves;
    const char *labels[MAX_CURVES];
    size_t n = 0;
    struct plot_figure figure;
    plot_figure_open(&figure, "profile", "atlas-ecdf", family->key, cost->key);
    for (size_t k = 0; k < n_curves; k++) {
        const struct share_curve *curve = &shares->curves[k];
        size_t larger = 0; /* curves with larger areas, or as large but earlier */
        for (size_t i = 0; i < n_curves; i++)
            larger += shares->curves[i].area > curve->area || (shares->curves[i].area == curve->area && i < k);
        if (larger >= MAX_CURVES)
            continue;
        labels[n] = family->series[curve->series].label;
        fprintf(figure.dat, "%s# %s\n", n ? "\n\n" : "", labels[n]);
        draw_curve(shares, curve, figure.dat);
        n++;
    }
    plot_figure_series(&figure, labels, n);
    plot_figure_panels(&figure, (const char *const[]){atlas->sizes_known ? cost->budget : cost->title}, 1);
    plot_figure_text(&figure, "share", "share of problems and targets");
    plot_figure_number(&figure, "bands", shares->has_bands);
    fprintf(figure.heading, "Targets reached: %s, %s", family->title, cost->title);
    fprintf(figure.caption,
            "Share of the %zu pairs of problem (data set, split, kernel, C) and target (%s from %g to %g) that a "
            "solver reaches within a budget. A run that was stopped before it reached its target counts as not "
            "reached. ",
            shares->n_pairs, atlas->rule, family->targets[0], family->targets[family->n_targets - 1]);
    if (atlas->sizes_known)
        fprintf(figure.caption, "Budgets are divided by %s, so that data sets of different sizes can be pooled; N is "
                                "the number of training patterns. ", cost->per);
    fputs(shares->has_bands ? "Bands: pointwise 95 % bootstrap intervals that resample data sets with all their "
                              "splits. "
                            : "No bands: one data set cannot show how others would differ. ",
          figure.caption);
    if (n < n_curves)
        fprintf(figure.caption, "Shown are the %zu solvers of %zu with the largest area below their curve. ", n,
                n_curves);
    atlas_put_figure(out, &figure);
}

void budget_shares_put(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    struct atlas *atlas = table->out->atlas;
    const size_t n_curves = family->costs[cost].n_counting;
    for (size_t t = 0; t <= family->n_targets && n_curves > 1; t++, pool_reset(atlas->scratch)) {
        const size_t each = t ? 1 : family->n_targets; /* all targets together come first */
        struct budget_shares shares = {.atlas = atlas, .family = family, .cost = cost,
                                       .target = t ? t - 1 : ATLAS_ALL, .each = each,
                                       .n_pairs = family->n_problems * each, .n_curves = n_curves};
        if (!take_shares(&shares))
            continue;
        for (size_t k = 0; k < n_curves; k++)
            put_row(table, &shares, &shares.curves[k]);
        put_json(table->out, &shares);
        if (shares.target == ATLAS_ALL)
            draw(table->out, &shares);
    }
}
