/* The tables of a comparison. The candidate's costs are shown as multiples of the baseline's; errors as they are. */
#include <math.h>
#include <stdio.h>

#include "harness/compare/compare_output.h"

const int compare_part_metrics[COMPARE_PARTS + 1] = {COMPARE_FAILURES, COMPARE_SECONDS, COMPARE_METRICS};

double compare_shown_value(enum compare_metric metric, double difference)
{
    return compare_is_ratio(metric) ? exp(difference) : difference;
}

struct interval compare_shown(enum compare_metric metric, const struct interval *difference)
{
    return (struct interval){compare_shown_value(metric, difference->estimate),
                             compare_shown_value(metric, difference->low),
                             compare_shown_value(metric, difference->high), difference->level};
}

/* ---- cells ---- */

static void cell_number(struct text_table *table, const char *format, double value)
{
    if (isfinite(value))
        text_table_cell(table, format, value);
    else
        text_table_cell(table, "–");
}

/* Three digits for any size of the ratio; "–" if there is none. */
static const char *ratio_text(double ratio, char *text, size_t size)
{
    if (isfinite(ratio))
        snprintf(text, size, ratio < 99.95 ? "%#.3g" : "%.4g", ratio);
    else
        snprintf(text, size, "–");
    return text;
}

/* "0.887", from a difference of logarithms */
static void cell_ratio(struct text_table *table, const struct interval *difference)
{
    char text[24];
    text_table_cell(table, "%s", ratio_text(exp(difference->estimate), text, sizeof text));
}

/* "0.887 (95 %: 0.870 to 0.905)" */
void compare_cell_interval(struct text_table *table, const struct interval *difference)
{
    char text[3][24];
    if (!isfinite(difference->low) || !isfinite(difference->high))
        cell_ratio(table, difference);
    else
        text_table_cell(table, "%s (%.3g %%: %s to %s)",
                        ratio_text(exp(difference->estimate), text[0], sizeof text[0]), 100 * difference->level,
                        ratio_text(exp(difference->low), text[1], sizeof text[1]),
                        ratio_text(exp(difference->high), text[2], sizeof text[2]));
}

void compare_cell_p(struct text_table *table, double p)
{
    cell_number(table, "%.2g", p);
}

/* "0.97/0.03/0.00" */
void compare_cell_posterior(struct text_table *table, const struct bayes_posterior *posterior)
{
    if (isfinite(posterior->lower))
        text_table_cell(table, "%.2f/%.2f/%.2f", posterior->lower, posterior->equivalent, posterior->higher);
    else
        text_table_cell(table, "–");
}

static void cell_case(struct text_table *table, const struct pair_case *at)
{
    if (*at->settings)
        text_table_cell(table, "%s, %s", at->dataset, at->settings);
    else
        text_table_cell(table, "%s", at->dataset);
}

/* ---- counts ---- */

static size_t failed_in(const struct comparison *comparison, const struct pair_case *at, enum arm arm)
{
    size_t failed = 0;
    for (size_t p = at->first; p < at->first + at->count; p++)
        failed += !pair_converged(&comparison->pairing.pairs[p], arm);
    return failed;
}

/* The estimate for case `c`, or over data sets if there is no such case. */
static const struct estimate *estimate_at(const struct comparison *comparison, enum compare_metric metric, size_t c)
{
    const struct compare_result *result = &comparison->results[metric];
    return c < comparison->pairing.n_cases ? &result->rows[c] : &result->total;
}

/* The row of case `c`, or that over data sets. */
static void row_of_counts(const struct comparison *comparison, size_t c, struct text_table *table)
{
    const struct estimate *error = estimate_at(comparison, COMPARE_ERROR, c),
                          *vectors = estimate_at(comparison, COMPARE_SUPPORT_VECTORS, c),
                          *gap = estimate_at(comparison, COMPARE_GAP, c),
                          *iterations = estimate_at(comparison, COMPARE_ITERATIONS, c),
                          *operations = estimate_at(comparison, COMPARE_KERNEL_OPERATIONS, c);
    if (c == comparison->pairing.n_cases) {
        text_table_row(table, "all\t%zu\t%zu, %zu", comparison->pairing.n_pairs, comparison->failed[BASELINE],
                       comparison->failed[CANDIDATE]);
        cell_number(table, "%+.2f", error->difference.estimate);
    } else {
        const struct pair_case *at = &comparison->pairing.cases[c];
        cell_case(table, at);
        text_table_row(table, "%zu\t%zu, %zu", at->count, failed_in(comparison, at, BASELINE),
                       failed_in(comparison, at, CANDIDATE));
        if (error->n > 0)
            text_table_cell(table, "%.2f, %.2f", error->means[BASELINE], error->means[CANDIDATE]);
        else
            text_table_cell(table, "–");
    }
    compare_cell_p(table, error->adjusted);
    cell_ratio(table, &vectors->difference);
    cell_ratio(table, &gap->difference);
    cell_ratio(table, &iterations->difference);
    compare_cell_p(table, iterations->adjusted);
    compare_cell_interval(table, &operations->difference);
    compare_cell_p(table, operations->adjusted);
    compare_cell_posterior(table, &operations->posterior);
}

/* "In all, test error (13 data sets): 95.2 % interval -0.1 to 0.2 points; probabilities of lower, ..." */
static void note_of_effect(const struct effect *effect, const char *title, enum compare_metric metric, double margin,
                           struct text_table *table)
{
    const struct estimate *estimate = &effect->estimate;
    const char *unit = compare_is_ratio(metric) ? "" : " points", *sign = compare_is_ratio(metric) ? " %" : " points";
    if (!isfinite(estimate->posterior.lower) || !isfinite(estimate->detectable))
        return;
    text_table_footnote(
        table,
        "In all, %s (%zu %s): %.3g %% interval %.3g to %.3g%s; probabilities of lower, within %g%s, higher: "
        "%.2f, %.2f, %.2f; found with probability 0.8: %s%.3g%s.",
        title, estimate->n, effect->over_datasets ? "data sets" : "splits", 100 * estimate->difference.level,
        compare_shown_value(metric, estimate->difference.low), compare_shown_value(metric, estimate->difference.high),
        unit, margin, sign, estimate->posterior.lower, estimate->posterior.equivalent, estimate->posterior.higher,
        compare_is_ratio(metric) ? "a factor of " : "", compare_shown_value(metric, estimate->detectable), unit);
}

static void notes_of_counts(const struct compare_report *report, struct text_table *table)
{
    const struct comparison *comparison = report->comparison;
    const struct compare_options *options = &comparison->options;
    const char *baseline = comparison->arms.labels[BASELINE], *candidate = comparison->arms.labels[CANDIDATE];
    const int several = comparison->pairing.n_datasets > 1; /* then there is a row "all" */
    if (*report->note)
        text_table_footnote(table, "%s", report->note);
    text_table_footnote(table,
                        "Failed: runs of %s, then of %s, that did not converge. Each costs %g times the largest cost "
                        "of its row.",
                        baseline, candidate, options->penalty);
    text_table_footnote(
        table,
        "Error: means of %s, then of %s, where both converged%s. All other numbers are ratios, %s divided by %s: in a "
        "row the geometric mean over splits%s. Kernel operations exclude the set-up.",
        baseline, candidate, several ? "; in the row \"all\", the typical difference" : "", candidate, baseline,
        several ? ", in the row \"all\" the Hodges-Lehmann estimate over data sets" : "");
    text_table_footnote(
        table,
        "Intervals, each with its level, and p: in a row from the t test corrected for splits that overlap, with p "
        "adjusted by Holm over the rows%s. lower/equal/higher: probabilities that the ratio of kernel operations is "
        "below, within and above a margin of %g %%.",
        several ? "; in the row \"all\" from the signed-rank test over data sets" : "",
        options->cost_margin);
    if (comparison->targets.used)
        text_table_footnote(table,
                            "Iterations and kernel operations are those to reach the larger of the two gaps.");
    note_of_effect(&report->finding->cost, compare_metric_texts[comparison->cost].title, comparison->cost,
                   options->cost_margin, table);
    note_of_effect(&report->finding->error, compare_metric_texts[COMPARE_ERROR].title, COMPARE_ERROR,
                   options->error_margin, table);
    if (report->finding->family > 1)
        text_table_footnote(table,
                            "This is one of %zu comparisons: the p of a row is adjusted over the rows of all "
                            "comparisons.%s",
                            report->finding->family,
                            several ? " The p in the row \"all\" is not adjusted; that in the conclusion is." : "");
}

/* ---- times ---- */

static void fill_times(const struct comparison *comparison, struct text_table *table)
{
    const struct compare_result *result = &comparison->results[COMPARE_SECONDS];
    text_table_header(table, 1, "data set\tpairs\tbaseline (s)\tsolver (s)\tratio\tp");
    for (size_t c = 0; c < comparison->pairing.n_cases; c++) {
        const struct estimate *row = &result->rows[c];
        cell_case(table, &comparison->pairing.cases[c]);
        text_table_cell(table, "%zu", row->n);
        cell_number(table, "%.4g", row->means[BASELINE]);
        cell_number(table, "%.4g", row->means[CANDIDATE]);
        compare_cell_interval(table, &row->difference);
        compare_cell_p(table, row->adjusted);
    }
    if (comparison->pairing.n_datasets > 1) {
        text_table_row(table, "all\t%zu\t–\t–", result->n_pairs);
        compare_cell_interval(table, &result->total.difference);
        compare_cell_p(table, result->total.p);
    }
    const struct record *first = comparison->pairing.pairs[0].records[BASELINE];
    text_table_footnote(
        table,
        "Times depend on the machine and its load; they are %s, without shared kernel matrices. A run that did not "
        "converge counts with the penalty.",
        first->cpu.repeats > 0 ? "medians of the solvers' processor time over repeats"
                               : "elapsed times of single runs of the solvers");
}

/* ---- counts and times ---- */

void compare_fill_table(const struct compare_report *report, enum compare_part part, struct text_table *table)
{
    const struct comparison *comparison = report->comparison;
    text_table_title(table, "%s%s against %s", part == COMPARE_TIMES ? "Times: " : "",
                     comparison->arms.labels[CANDIDATE], comparison->arms.labels[BASELINE]);
    if (part == COMPARE_TIMES) {
        fill_times(comparison, table);
        return;
    }
    text_table_header(table, 1, "data set\tpairs\tfailed\terror (%)\tp\tsupport vectors\tgap\titerations\tp\t"
                                "kernel operations\tp\tlower/equal/higher");
    /* the row over data sets is omitted if there is only one */
    for (size_t c = 0; c < comparison->pairing.n_cases + (comparison->pairing.n_datasets > 1); c++)
        row_of_counts(comparison, c, table);
    notes_of_counts(report, table);
}

static void csv_interval(struct text_table *table, const struct interval *interval)
{
    text_table_number(table, 6, interval->estimate);
    text_table_number(table, 6, interval->low);
    text_table_number(table, 6, interval->high);
}

static void csv_posterior(struct text_table *table, const struct bayes_posterior *posterior)
{
    text_table_number(table, 6, posterior->lower);
    text_table_number(table, 6, posterior->equivalent);
    text_table_number(table, 6, posterior->higher);
}

static void csv_row(const struct comparison *comparison, enum compare_metric metric, size_t c, struct text_table *table)
{
    const struct estimate *row = &comparison->results[metric].rows[c];
    const struct interval difference = compare_shown(metric, &row->difference);
    text_table_row(table, "%s\t%s\t%s\t%zu", compare_metric_texts[metric].key,
                   comparison->pairing.cases[c].dataset, comparison->pairing.cases[c].settings, row->n);
    text_table_number(table, 15, row->means[BASELINE]);
    text_table_number(table, 15, row->means[CANDIDATE]);
    csv_interval(table, &difference);
    text_table_number(table, 6, compare_shown_value(metric, row->median));
    text_table_number(table, 6, compare_shown_value(metric, row->of_means));
    text_table_number(table, 6, row->p);
    text_table_number(table, 6, row->adjusted);
    csv_posterior(table, &row->posterior);
    text_table_number(table, 6, compare_shown_value(metric, row->detectable));
    text_table_number(table, 6, row->difference.level);
}

void compare_fill_csv(const struct compare_report *report, enum compare_part part, struct text_table *table)
{
    const struct comparison *comparison = report->comparison;
    text_table_header(table, 1, "metric\tdataset\tsettings\tn\tbaseline_mean\tsolver_mean\teffect\teffect_low\t"
                                "effect_high\tmedian\tof_means\tp\tp_adjusted\tp_lower\tp_equivalent\tp_higher\t"
                                "detectable\teffect_level");
    for (int m = compare_part_metrics[part]; m < compare_part_metrics[part + 1]; m++)
        for (size_t c = 0; c < comparison->pairing.n_cases; c++)
            if (comparison->results[m].rows[c].n > 0)
                csv_row(comparison, (enum compare_metric)m, c, table);
}
