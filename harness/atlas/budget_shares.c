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

#include "harness/atlas/atlas_output.h"
#include "harness/figure/ecdf.h"
#include "harness/support/decimal.h"

enum { MAX_CURVES = 12 };

/* The targets of each problem. */
static size_t targets_of(const struct atlas_family *family, size_t target)
{
    return target == ATLAS_ALL ? family->n_targets : 1;
}

/* The budgets that a series needed, one per pair, infinite if it did not reach the target. */
static double *take_budgets(const struct atlas *atlas, const struct budget_shares *shares, size_t series)
{
    const struct atlas_family *family = shares->family;
    const struct cube *cube = &family->costs[shares->cost];
    double *budgets = pool_array(atlas->pool, shares->n_pairs, sizeof *budgets);
    size_t n = 0;
    for (size_t task = 0; task < cube->n_tasks; task++)
        if (shares->target == ATLAS_ALL || shares->target == task % family->n_targets)
            budgets[n++] = cube->cost[series * cube->n_tasks + task] /
                           atlas_unit(atlas, shares->cost, family->problems[task / family->n_targets].dataset);
    return budgets;
}

/* all: the number of pairs of each data set. Sorts the curve's budgets. */
static void fill_curve(struct atlas *atlas, const struct budget_shares *shares, const double *all,
                       struct share_curve *curve)
{
    const size_t each = targets_of(shares->family, shares->target), n = atlas->n_datasets;
    /* reached[k * n + d]: the number of pairs of data set d that are reached within budget k */
    double *reached = pool_array(atlas->scratch, SHARE_PLACES * n, sizeof *reached);
    for (size_t i = 0; i < shares->n_pairs; i++) {
        size_t k = 0;
        while (k < SHARE_PLACES && shares->place[k] < curve->budgets[i])
            k++;
        if (k < SHARE_PLACES)
            reached[k * n + shares->family->problems[i / each].dataset]++;
    }
    for (size_t i = n; i < SHARE_PLACES * n; i++)
        reached[i] += reached[i - n];
    for (size_t k = 0; k < SHARE_PLACES; k++) {
        curve->at[k] = bootstrap_ratio(&atlas->draws, reached + k * n, all, ATLAS_LEVEL);
        curve->area += curve->at[k].estimate / SHARE_PLACES;
    }
    gsl_sort(curve->budgets, 1, shares->n_pairs);
    for (size_t q = 0; q < 3; q++)
        curve->quartiles[q] = curve->budgets[((q + 1) * shares->n_pairs + 3) / 4 - 1];
}

/* Spaces the budgets between the smallest and the largest finite one of the curves; returns 0 if none is finite. */
static int set_places(struct budget_shares *shares)
{
    const struct cube *cube = &shares->family->costs[shares->cost];
    double low = HUGE_VAL, high = 0;
    for (size_t i = 0; i < cube->n_counting * shares->n_pairs; i++) {
        const double budget = shares->curves[cube->counting[i / shares->n_pairs]].budgets[i % shares->n_pairs];
        if (isfinite(budget) && budget > 0) {
            low = fmin(low, budget);
            high = fmax(high, budget);
        }
    }
    for (size_t k = 0; k < SHARE_PLACES && low <= high; k++)
        shares->place[k] = k + 1 == SHARE_PLACES
                               ? high
                               : round_to_12_digits(low * pow(high / low, (double)k / (SHARE_PLACES - 1)));
    return low <= high;
}

static void take_shares(struct atlas_output *out, const struct atlas_family *family, enum atlas_cost cost,
                        size_t target)
{
    struct atlas *atlas = out->atlas;
    const size_t each = targets_of(family, target);
    const struct cube *cube = &family->costs[cost];
    struct budget_shares shares = {
        family, cost, target, {0}, pool_array(atlas->pool, family->n_series, sizeof *shares.curves),
        family->n_problems * each, 0};
    double *all = pool_array(atlas->scratch, atlas->n_datasets, sizeof *all);
    size_t with_pairs = 0;
    for (size_t k = 0; k < cube->n_counting; k++)
        shares.curves[cube->counting[k]].budgets = take_budgets(atlas, &shares, cube->counting[k]);
    for (size_t p = 0; p < family->n_problems; p++)
        all[family->problems[p].dataset] += (double)each;
    for (size_t d = 0; d < atlas->n_datasets; d++)
        with_pairs += all[d] > 0;
    shares.has_bands = with_pairs > 1;
    if (!set_places(&shares))
        return;
    for (size_t k = 0; k < cube->n_counting; k++)
        fill_curve(atlas, &shares, all, &shares.curves[cube->counting[k]]);
    *pool_push(atlas->pool, &out->shares) = shares;
}

void budget_shares_take(struct atlas_output *out)
{
    for (size_t i = 0; i < out->atlas->n_families * ATLAS_COSTS; i++) {
        const struct atlas_family *family = &out->atlas->families[i / ATLAS_COSTS];
        const enum atlas_cost cost = (enum atlas_cost)(i % ATLAS_COSTS);
        for (size_t t = 0; t <= family->n_targets; t++, pool_reset(out->atlas->scratch))
            if (family->costs[cost].n_counting > 1 && family->n_problems > 0)
                take_shares(out, family, cost, t ? t - 1 : ATLAS_ALL);
    }
}

/* The series that count the cost, the largest area first. */
static size_t *curves_by_area(struct pool *pool, const struct budget_shares *shares)
{
    const struct cube *cube = &shares->family->costs[shares->cost];
    size_t *order = pool_array(pool, cube->n_counting, sizeof *order);
    for (size_t k = 0; k < cube->n_counting; k++) {
        size_t at = k;
        for (; at > 0 && shares->curves[order[at - 1]].area < shares->curves[cube->counting[k]].area; at--)
            order[at] = order[at - 1];
        order[at] = cube->counting[k];
    }
    return order;
}

/* ---- tables ---- */

static void write_page(const struct atlas_output *out, const struct budget_shares *shares)
{
    const struct atlas *atlas = out->atlas;
    const struct atlas_family *family = shares->family;
    const struct atlas_cost_text *cost = &atlas_cost_texts[shares->cost];
    const size_t *order = curves_by_area(atlas->scratch, shares);
    struct result page = atlas_page_new(out, "atlas-ecdf", family, shares->cost);
    result_columns(&page, "solver\t#reached, %\t#3budget for 25 %\t#3for 50 %\t#3for 75 %\t#3area");
    result_title(&page, "Targets reached within a budget: %s, %s", family->title, cost->title);
    for (size_t i = 0; i < family->costs[shares->cost].n_counting; i++) {
        const struct share_curve *curve = &shares->curves[order[i]];
        result_text(&page, "%s", family->series[order[i]].label);
        atlas_page_interval(&page, 100, 3, &curve->at[SHARE_PLACES - 1]);
        for (size_t q = 0; q < 3; q++)
            result_number(&page, curve->quartiles[q]);
        result_number(&page, curve->area);
    }
    result_note(&page,
                "%zu pairs of problem and target (%s, %g to %g). A run that was stopped before it reached its target "
                "counts as not reached. Budgets are in %s; ∞: this share is never reached. Interval: 95 %%, bootstrap "
                "over data sets. Area: area below the curve of the share, with a logarithmic axis of budgets.",
                shares->n_pairs, atlas->rule, family->targets[0], family->targets[family->n_targets - 1],
                atlas->sizes_known ? cost->budget : cost->title);
    atlas_page_write(out, &page);
}

static void write_table(struct atlas_output *out)
{
    struct atlas_table table = atlas_table_new(
        out, "atlas-ecdf", 4,
        "family\tcost\ttarget\tsolver\t>#pairs\t" ATLAS_ENDS("reached", "low", "high", "")
        "\t>#6budget_25\t>#6budget_50\t>#6budget_75\t>#6area");
    for (size_t i = 0; i < out->shares.count; i++) {
        const struct budget_shares *shares = &out->shares.item[i];
        const struct atlas_family *family = shares->family;
        const struct cube *cube = &family->costs[shares->cost];
        for (size_t k = 0; k < cube->n_counting; k++) {
            const struct share_curve *curve = &shares->curves[cube->counting[k]];
            result_row(&table.data, "%s\t%s\t%s\t%s\t%zu", family->key, atlas_cost_texts[shares->cost].key,
                       atlas_target_name(table.data.pool, family, shares->target),
                       family->series[cube->counting[k]].label, shares->n_pairs);
            atlas_table_interval(&table, 1, 6, &curve->at[SHARE_PLACES - 1]);
            for (size_t q = 0; q < 3; q++)
                result_number(&table.data, curve->quartiles[q]);
            result_number(&table.data, curve->area);
        }
    }
    atlas_table_write(&table);
}

/* ---- figures ---- */

/* The steps of the curve, and its band. */
static void put_curve(struct pool *pool, const struct budget_shares *shares, const struct share_curve *curve, FILE *dat)
{
    ecdf_put_steps(pool, curve->budgets, shares->n_pairs, shares->place[0], shares->place[SHARE_PLACES - 1], dat);
    if (!shares->has_bands)
        return;
    fputs("\n\n# its band\n", dat);
    for (size_t k = 0; k < SHARE_PLACES; k++) {
        const double numbers[] = {shares->place[k], curve->at[k].low, curve->at[k].high};
        plot_numbers(dat, numbers, 3, "\n");
    }
}

static void describe_shares(const struct atlas *atlas, const struct budget_shares *shares, size_t n_chosen,
                            struct plot_figure *figure)
{
    const struct atlas_family *family = shares->family;
    const struct atlas_cost_text *cost = &atlas_cost_texts[shares->cost];
    plot_figure_panels(figure, (const char *const[]){atlas->sizes_known ? cost->budget : cost->title}, 1);
    plot_figure_text(figure, "share", "share of problems and targets");
    plot_figure_number(figure, "bands", shares->has_bands);
    fprintf(figure->heading, "Targets reached: %s, %s", family->title, cost->title);
    fprintf(figure->caption,
            "Share of the %zu pairs of problem (data set, split, kernel, C) and target (%s from %g to %g) that a "
            "solver reaches within a budget. A run that was stopped before it reached its target counts as not "
            "reached. ",
            shares->n_pairs, atlas->rule, family->targets[0], family->targets[family->n_targets - 1]);
    if (atlas->sizes_known)
        fprintf(figure->caption, "Budgets are divided by %s, so that data sets of %s can be pooled; N is the number of "
                                 "training patterns. ", cost->per, "different sizes");
    fputs(shares->has_bands ? "Bands: pointwise 95 % bootstrap intervals that resample data sets with all their "
                              "splits. "
                            : "No bands: one data set cannot show how others would differ. ",
          figure->caption);
    if (n_chosen < family->costs[shares->cost].n_counting)
        fprintf(figure->caption, "Shown are the %zu solvers of %zu with the largest area below their curve. ", n_chosen,
                family->costs[shares->cost].n_counting);
}

/* Draws the series with the largest areas, at most MAX_CURVES, in their order. */
static void write_figure(struct atlas_output *out, const struct budget_shares *shares)
{
    const struct atlas_family *family = shares->family;
    const size_t all = family->costs[shares->cost].n_counting, *best = curves_by_area(out->atlas->scratch, shares);
    unsigned char *is_chosen = pool_alloc(out->atlas->scratch, family->n_series);
    const char *labels[MAX_CURVES];
    size_t n = 0;
    struct plot_figure figure;
    for (size_t i = 0; i < all && i < MAX_CURVES; i++)
        is_chosen[best[i]] = 1;
    plot_figure_open(&figure, "profile", "atlas-ecdf", family->key, atlas_cost_texts[shares->cost].key);
    for (size_t s = 0; s < family->n_series; s++)
        if (is_chosen[s]) {
            labels[n] = family->series[s].label;
            fprintf(figure.dat, "%s# %s\n", n ? "\n\n" : "", labels[n]);
            put_curve(out->atlas->scratch, shares, &shares->curves[s], figure.dat);
            n++;
        }
    plot_figure_series(&figure, labels, n);
    describe_shares(out->atlas, shares, n, &figure);
    atlas_put_figure(out, &figure);
}

void budget_shares_write(struct atlas_output *out)
{
    write_table(out);
    for (size_t i = 0; i < out->shares.count; i++)
        if (out->shares.item[i].target == ATLAS_ALL) {
            write_page(out, &out->shares.item[i]);
            write_figure(out, &out->shares.item[i]);
        }
}
