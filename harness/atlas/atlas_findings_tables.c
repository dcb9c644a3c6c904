/*
 * Tables that compare solvers, targets and costs. CSV files have everything; pages have the targets that figures show
 * (atlas_shown_targets).
 */
#include <math.h>

#include "harness/atlas/atlas_output.h"

static double tight_target(const struct atlas_family *family)
{
    size_t shown[2];
    const size_t n = atlas_shown_targets(family, shown);
    return family->targets[shown[n - 1]];
}

static double loose_target(const struct atlas_family *family)
{
    size_t shown[2];
    atlas_shown_targets(family, shown);
    return family->targets[shown[0]];
}

/* ---- stability ---- */

static void put_stability(struct text_table *page, struct text_table *csv, const struct rank_stability *stability)
{
    const struct atlas_family *family = stability->family;
    for (size_t t = 0; t < family->n_targets; t++) {
        const struct stability_row *row = &stability->rows[t];
        text_table_row(csv, "%s\t%s\t%g\t%g", family->key, atlas_cost_texts[stability->cost].key,
                       family->targets[stability->reference], family->targets[t]);
        atlas_put_ends(csv, &row->tau);
        atlas_put_ends(csv, &row->same_winner);
        atlas_put_ends(csv, &row->loss);
        text_table_cell(csv, "%zu", row->n);
        if (family->targets[t] != tight_target(family) || t == stability->reference)
            continue;
        text_table_row(page, "%s\t%s\t%g → %g", family->key, atlas_cost_texts[stability->cost].key,
                       family->targets[stability->reference], family->targets[t]);
        atlas_put_interval(page, 1, 2, &row->tau);
        atlas_put_interval(page, 100, 0, &row->same_winner);
        atlas_put_interval(page, 1, 3, &row->loss);
        text_table_cell(page, "%zu", row->n);
    }
}

static void write_stability(const struct atlas_output *out)
{
    struct text_table page = atlas_table(out, 2, "family\tcost\ttargets\tKendall's τ\tsame winner, %\tloss, times\t"
                                              "problems"),
                      csv = atlas_table(out, 1, "family\tcost\treference\ttarget\ttau\ttau_low\ttau_high\t"
                                            "same_winner\tsame_winner_low\tsame_winner_high\tloss\tloss_low\t"
                                            "loss_high\tproblems");
    text_table_title(&page, "Does the cheapest solver at one target stay the cheapest at a tighter target?");
    for (size_t i = 0; i < out->results->n_stability; i++)
        put_stability(&page, &csv, &out->results->stability[i]);
    text_table_footnote(&page, "τ: between the two rankings of the solvers by geometric mean cost. Same winner: share "
                               "of problems. Loss: cost at the tighter target of the winner at the looser target, "
                               "divided by the lowest cost there; geometric mean. 95 %% intervals: bootstrap over data "
                               "sets.");
    atlas_write_table(out, "atlas-stability", &page, &csv);
}

/* ---- nearness to the best ---- */

static void put_near(struct text_table *csv, const struct near_best *near)
{
    const struct atlas_family *family = near->family;
    for (size_t k = 0; k < family->n_series * (family->n_targets + 1); k++) {
        const size_t s = k / (family->n_targets + 1), t = k % (family->n_targets + 1);
        if (!family->counts[near->cost][s])
            continue;
        text_table_row(csv, "%s\t%s", family->key, atlas_cost_texts[near->cost].key);
        if (t == family->n_targets)
            text_table_cell(csv, "all");
        else
            text_table_cell(csv, "%g", family->targets[t]);
        text_table_cell(csv, "%s", family->series[s].label);
        atlas_put_ends(csv, &near->rows[k].ratio);
        atlas_put_ends(csv, &near->rows[k].near);
        atlas_put_ends(csv, &near->rows[k].best);
        text_table_cell(csv, "%zu", near->n[t]);
    }
}

static void write_near_page(const struct atlas_output *out, const struct near_best *near)
{
    static const char *const parts[] = {"times the best", "near it, %", "the best, %"};
    const struct atlas_family *family = near->family;
    size_t shown[2];
    const size_t n = atlas_shown_targets(family, shown);
    struct text_table page = {.pool = out->atlas->scratch, .columns = 1 + 3 * n};
    char *name =
        pool_printf(out->atlas->scratch, "atlas-near-best-%s-%s", family->key, atlas_cost_texts[near->cost].key);
    text_table_title(&page, "One solver for all problems, compared with the best solver of each problem: %s, %s",
                     family->title,
                     atlas_cost_texts[near->cost].title);
    text_table_cell(&page, "solver");
    for (size_t i = 0; i < 3 * n; i++)
        text_table_cell(&page, "%g: %s", family->targets[shown[i / 3]], parts[i % 3]);
    for (size_t s = 0; s < family->n_series; s++) {
        if (!family->counts[near->cost][s])
            continue;
        text_table_cell(&page, "%s", family->series[s].label);
        for (size_t i = 0; i < n; i++) {
            const struct near_best_row *row = &near->rows[s * (family->n_targets + 1) + shown[i]];
            atlas_put_interval(&page, 1, 2, &row->ratio);
            atlas_put_interval(&page, 100, 0, &row->near);
            atlas_put_interval(&page, 100, 0, &row->best);
        }
    }
    text_table_footnote(&page, "Problems on which at least one solver reaches the target. Times the best: geometric "
                               "mean of the cost divided by the lowest cost; a run that did not reach the target "
                               "counts as %g times the largest cost of any solver there. Near: reached within %g times "
                               "the lowest cost. 95 %% intervals: bootstrap over data sets.",
                        PENALTY_FACTOR, ATLAS_NEAR);
    atlas_write_table(out, name, &page, NULL);
}

static void write_near(const struct atlas_output *out)
{
    struct text_table csv = atlas_table(out, 1, "family\tcost\ttarget\tsolver\tratio\tratio_low\tratio_high\tnear\t"
                                            "near_low\tnear_high\tbest\tbest_low\tbest_high\tproblems");
    for (size_t i = 0; i < out->results->n_near; i++)
        put_near(&csv, &out->results->near[i]);
    atlas_write_table(out, "atlas-near-best", NULL, &csv);
    for (size_t i = 0; i < out->results->n_near; i++)
        write_near_page(out, &out->results->near[i]);
}

/* ---- agreement of costs ---- */

static void write_agreement(const struct atlas_output *out)
{
    struct text_table page = atlas_table(out, 3, "family\tcosts\t\tsame order, %\tKendall's τ\tspread, times\tpairs\t"
                                              "equal"),
                      csv = atlas_table(out, 1, "family\tcost\tother\tconcordant\tconcordant_low\tconcordant_high\t"
                                            "tau\ttau_low\ttau_high\tspread\tspread_low\tspread_high\tpairs\tequal");
    text_table_title(&page, "Do two cost measures rank solvers alike?");
    for (size_t i = 0; i < out->results->n_agreement; i++) {
        const struct measure_agreement *agreement = &out->results->agreement[i];
        for (int k = 0; k < 2; k++) {
            struct text_table *table = k ? &csv : &page;
            text_table_row(table, "%s\t%s\t%s", agreement->family->key, atlas_cost_texts[agreement->costs[0]].key,
                           atlas_cost_texts[agreement->costs[1]].key);
        }
        atlas_put_interval(&page, 100, 1, &agreement->concordant);
        atlas_put_interval(&page, 1, 2, &agreement->tau);
        atlas_put_interval(&page, 1, 2, &agreement->spread);
        atlas_put_ends(&csv, &agreement->concordant);
        atlas_put_ends(&csv, &agreement->tau);
        atlas_put_ends(&csv, &agreement->spread);
        for (int k = 0; k < 2; k++) {
            text_table_cell(k ? &csv : &page, "%.0f", agreement->pairs);
            text_table_cell(k ? &csv : &page, "%.0f", agreement->equal);
        }
    }
    text_table_footnote(&page, "Pairs of solvers that reach a target on a problem; all targets together. Same order: "
                               "share among the pairs whose costs differ in both measures. τ: mean over problems and "
                               "targets. Spread: the largest ratio of the second cost to the first divided by the "
                               "smallest, among the solvers of a problem and target; geometric mean. 95 %% intervals: "
                               "bootstrap over data sets.");
    atlas_write_table(out, "atlas-agreement", &page, &csv);
}

/* ---- kernel values beyond those of the solution ---- */

static void put_waste(struct text_table *page, struct text_table *csv, const struct kernel_waste_table *waste)
{
    const struct atlas_family *family = waste->family;
    for (size_t k = 0; k < family->n_series * family->n_targets; k++) {
        const struct kernel_waste *row = &waste->rows[k];
        const double target = family->targets[k % family->n_targets];
        if (row->n == 0)
            continue;
        text_table_row(csv, "%s\t%s\t%g\t%zu", family->key, family->series[k / family->n_targets].label, target,
                       row->n);
        atlas_put_ends(csv, &row->evaluations);
        atlas_put_ends(csv, &row->operations);
        atlas_put_ends(csv, &row->reuse);
        if (target != loose_target(family) && target != tight_target(family))
            continue;
        text_table_row(page, "%s\t%s\t%g", family->key, family->series[k / family->n_targets].label, target);
        atlas_put_interval(page, 100, 1, &row->evaluations);
        atlas_put_interval(page, 100, 1, &row->operations);
        atlas_put_interval(page, 1, 2, &row->reuse);
        text_table_cell(page, "%zu", row->n);
    }
}

static void write_waste(const struct atlas_output *out)
{
    struct text_table page = atlas_table(out, 2, "family\tsolver\ttarget\tevaluations beyond, %\t"
                                              "operations beyond, %\toperations / evaluations\truns"),
                      csv = atlas_table(out, 1, "family\tsolver\ttarget\truns\tevaluations\tevaluations_low\t"
                                            "evaluations_high\toperations\toperations_low\toperations_high\treuse\t"
                                            "reuse_low\treuse_high");
    text_table_title(&page, "Kernel values beyond those in the rows of the support vectors");
    for (size_t i = 0; i < out->results->n_waste; i++)
        put_waste(&page, &csv, &out->results->waste[i]);
    text_table_footnote(&page, "Mean share beyond SV · N, over the runs that reach the target; operations include the "
                               "set-up. Operations / evaluations (geometric mean): the saving from keeping rows. 95 %% "
                               "intervals: bootstrap over data sets.");
    atlas_write_table(out, "atlas-waste", &page, &csv);
}

/* ---- variants ---- */

static void put_ratio(struct text_table *table, const struct series_ratios *ratios, enum atlas_cost cost, size_t target)
{
    const struct atlas_family *family = ratios->family;
    text_table_row(table, "%s\t%s\t%s\t%s\t%g", family->key, family->series[ratios->second].label,
                   family->series[ratios->first].label, atlas_cost_texts[cost].key, family->targets[target]);
}

static void put_ratios(struct text_table *page, struct text_table *csv, const struct series_ratios *ratios)
{
    const struct atlas_family *family = ratios->family;
    for (size_t k = 0; k < ATLAS_COSTS * family->n_targets; k++) {
        const enum atlas_cost cost = (enum atlas_cost)(k / family->n_targets);
        const size_t t = k % family->n_targets;
        const struct series_ratio *row = &ratios->rows[k];
        if (!family->counts[cost][ratios->first] || !family->counts[cost][ratios->second])
            continue;
        put_ratio(csv, ratios, cost, t);
        atlas_put_ends(csv, &row->ratio);
        text_table_row(csv, "%zu\t%zu\t%zu\t%zu\t%zu\t%zu", row->cheaper, row->datasets, row->both, row->second_alone,
                       row->first_alone, row->neither);
        if (family->targets[t] != loose_target(family) && family->targets[t] != tight_target(family))
            continue;
        put_ratio(page, ratios, cost, t);
        atlas_put_interval(page, 1, 3, &row->ratio);
        text_table_row(page, "%zu of %zu\t%zu/%zu/%zu/%zu", row->cheaper, row->datasets,
                       row->both, row->second_alone, row->first_alone, row->neither);
    }
}

static void write_ratios(const struct atlas_output *out)
{
    struct text_table page = atlas_table(out, 3, "family\tsolver\tagainst\tcost\ttarget\tratio\tcheaper on\t"
                                              "reached by both/solver/other/none"),
                      csv = atlas_table(out, 1, "family\tsolver\tagainst\tcost\ttarget\tratio\tlow\thigh\tcheaper\t"
                                            "datasets\tboth\tsolver_alone\tother_alone\tneither");
    text_table_title(&page, "Variants of solvers compared in pairs");
    for (size_t i = 0; i < out->results->n_ratios; i++)
        put_ratios(&page, &csv, &out->results->ratios[i]);
    text_table_footnote(&page, "Ratio of costs on the problems on which both solvers reach the target: geometric mean "
                               "over the problems of a data set, then over data sets. The last column counts problems. "
                               "95 %% intervals: bootstrap over data sets.");
    if (out->results->n_ratios > 0)
        atlas_write_table(out, "atlas-ratios", &page, &csv);
}

/* ---- rates ---- */

static void put_rate_rows(struct text_table *csv, const struct atlas *atlas, const struct local_rates *rates)
{
    const struct atlas_family *family = rates->family;
    const size_t steps = family->n_targets - 1;
    for (size_t k = 0; k < family->n_series * steps; k++) {
        const struct local_rate *row = &rates->rows[k];
        if (row->n == 0)
            continue;
        text_table_row(csv, "%s\t%s\t%s\t%g\t%g\t%zu\t%zu", family->key, family->series[k / steps].label,
                       rates->dataset == (size_t)-1 ? "all" : atlas->datasets[rates->dataset].name,
                       family->targets[k % steps], family->targets[k % steps + 1], row->n, row->missed);
        for (size_t q = 0; q < 3; q++)
            text_table_number(csv, 6, row->quartiles[q]);
    }
}

static void write_rates_page(const struct atlas_output *out, const struct local_rates *rates)
{
    const struct atlas_family *family = rates->family;
    const size_t steps = family->n_targets - 1;
    struct text_table page = {.pool = out->atlas->scratch, .columns = steps + 1};
    char *name = pool_printf(out->atlas->scratch, "atlas-rates-%s", family->key);
    text_table_title(&page, "Iterations / N for each further decade of the gap: %s", family->title);
    text_table_cell(&page, "solver");
    for (size_t k = 0; k < steps; k++)
        text_table_cell(&page, "%g → %g", family->targets[k], family->targets[k + 1]);
    for (size_t k = 0; k < family->n_series * steps; k++) {
        const struct local_rate *row = &rates->rows[k];
        if (k % steps == 0)
            text_table_cell(&page, "%s", family->series[k / steps].label);
        if (row->n == 0)
            text_table_cell(&page, "-");
        else if (isfinite(row->quartiles[2]))
            text_table_cell(&page, "%.2g [%.2g, %.2g]", row->quartiles[1], row->quartiles[0], row->quartiles[2]);
        else if (isfinite(row->quartiles[1]))
            text_table_cell(&page, "%.2g [%.2g, ∞]", row->quartiles[1], row->quartiles[0]);
        else
            text_table_cell(&page, "∞");
    }
    text_table_footnote(&page, "Median and quartiles over the problems on which the first of the two targets was "
                               "reached. ∞: so many runs did not reach the second target that the value is unbounded.");
    atlas_write_table(out, name, &page, NULL);
}

static void write_rates(const struct atlas_output *out)
{
    struct text_table csv = atlas_table(out, 1, "family\tsolver\tdataset\tfrom\tto\truns\tmissed\tquartile_1\t"
                                            "median\tquartile_3");
    for (size_t i = 0; i < out->results->n_rates; i++)
        put_rate_rows(&csv, out->atlas, &out->results->rates[i]);
    atlas_write_table(out, "atlas-rates", NULL, &csv);
    for (size_t i = 0; i < out->results->n_rates; i++)
        if (out->results->rates[i].dataset == (size_t)-1)
            write_rates_page(out, &out->results->rates[i]);
}

/* ---- growth ---- */

static void put_curve(struct text_table *csv, const struct atlas *atlas, const struct size_growth *growth,
                      const struct growth_curve *curve)
{
    const struct size_sweep *sweep = &growth->sweeps[curve->sweep];
    const struct atlas_family *family = curve->family;
    text_table_row(csv, "%s\t%s\t%g\t%s\t%s\t%g\t%g\t%s", family->key, atlas_cost_texts[curve->cost].key,
                   family->targets[curve->target], growth_members[sweep->member],
                   atlas->datasets[sweep->datasets[0]].name, family->c_values[curve->c_level],
                   family->factors[curve->factor_level], family->series[curve->series].label);
}

static void put_points(struct text_table *csv, const struct atlas *atlas, const struct size_growth *growth,
                       const struct growth_curve *curve)
{
    const struct size_sweep *sweep = &growth->sweeps[curve->sweep];
    for (size_t i = 0; i < sweep->n; i++) {
        if (curve->points[i].n == 0)
            continue;
        put_curve(csv, atlas, growth, curve);
        text_table_number(csv, 6, sweep->values[i]);
        text_table_row(csv, "%zu\t%zu", curve->points[i].n, curve->points[i].reached);
        atlas_put_ends(csv, &curve->points[i].cost);
    }
}

static void write_points(const struct atlas_output *out)
{
    const struct size_growth *growth = &out->results->growth;
    struct text_table csv = atlas_table(out, 1, "family\tcost\ttarget\tmember\tfirst_dataset\tC\twidth_factor\t"
                                            "solver\tvalue\truns\treached\tmean\tlow\thigh");
    for (size_t i = 0; i < growth->curves.count; i++)
        put_points(&csv, out->atlas, growth, &growth->curves.item[i]);
    atlas_write_table(out, "atlas-growth-points", NULL, &csv);
}

static void write_exponents(const struct atlas_output *out)
{
    const struct size_growth *growth = &out->results->growth;
    struct text_table csv = atlas_table(out, 1, "family\tcost\ttarget\tmember\tfirst_dataset\tC\twidth_factor\t"
                                            "solver\texponent\tlow\thigh\tbound\tfactor\tdeviation\truns\tcensored");
    for (size_t i = 0; i < growth->curves.count; i++) {
        const struct growth_curve *curve = &growth->curves.item[i];
        if (curve->law.n == 0)
            continue;
        put_curve(&csv, out->atlas, growth, curve);
        atlas_put_ends(&csv, &curve->law.exponent);
        text_table_cell(&csv, "%s", growth_bound_text(curve->law.bound));
        text_table_number(&csv, 6, curve->law.factor);
        text_table_number(&csv, 6, curve->law.deviation);
        text_table_row(&csv, "%zu\t%zu", curve->law.n, curve->censored);
    }
    atlas_write_table(out, "atlas-growth", NULL, &csv);
}

/* The exponents in n_train at the looser target, for the costs that fit on a page. */
static void write_growth_page(const struct atlas_output *out)
{
    const struct size_growth *growth = &out->results->growth;
    struct text_table page = atlas_table(out, 5, "family\tsolver\tsets from\tC\twidth factor\tcost\texponent\t\t"
                                              "censored");
    text_table_title(&page, "Exponents of costs in the number N of training patterns");
    for (size_t i = 0; i < growth->curves.count; i++) {
        const struct growth_curve *curve = &growth->curves.item[i];
        const struct size_sweep *sweep = &growth->sweeps[curve->sweep];
        const struct atlas_family *family = curve->family;
        if (sweep->member != 0 || family->targets[curve->target] != loose_target(family) ||
            curve->cost == ATLAS_ALL_OPERATIONS || curve->cost == ATLAS_EVALUATIONS)
            continue;
        text_table_row(&page, "%s\t%s\t%s\t%g\t%g\t%s", family->key, family->series[curve->series].label,
                       out->atlas->datasets[sweep->datasets[0]].name, family->c_values[curve->c_level],
                       family->factors[curve->factor_level], atlas_cost_texts[curve->cost].key);
        atlas_put_interval(&page, 1, 2, &curve->law.exponent);
        text_table_row(&page, "%s\t%zu of %zu", growth_bound_text(curve->law.bound), curve->censored, curve->law.n);
    }
    text_table_footnote(&page, "Cost = a N^b to reach the looser target of the maps; least squares of the logarithms "
                               "over all splits, with Student's 95 %% interval. A run that did not reach the target "
                               "enters with the cost it had spent; the exponent is then a lower bound, an upper bound, "
                               "or unknown (?).");
    atlas_write_table(out, "atlas-growth", &page, NULL);
}

void atlas_findings_tables_write(const struct atlas_output *out)
{
    write_stability(out);
    write_near(out);
    write_agreement(out);
    write_waste(out);
    write_ratios(out);
    write_rates(out);
    if (out->results->growth.n_sweeps == 0)
        return;
    write_exponents(out);
    write_points(out);
    write_growth_page(out);
}
