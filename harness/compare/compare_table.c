/* The tables of a comparison. Figures of the candidate are shown as multiples of the baseline's; errors as they are.
 */
#include <math.h>
#include <stdio.h>

#include "harness/compare/compare_output.h"

const int compare_part_metrics[COMPARE_PARTS + 1] = {COMPARE_ERROR, COMPARE_SECONDS, COMPARE_METRICS};

/* ---- cells ---- */

static void cell_number(struct text_table *table, const char *format, double value)
{
    if (isfinite(value))
        text_table_cell(table, format, value);
    else
        text_table_cell(table, "–");
}

/* Three digits, whatever the size of the ratio; "–" where there is none. */
static const char *ratio_text(double ratio, char *text, size_t size)
{
    if (isfinite(ratio))
        snprintf(text, size, ratio < 99.95 ? "%#.3g" : "%.4g", ratio);
    else
        snprintf(text, size, "–");
    return text;
}

/* "0.887" */
static void cell_ratio(struct text_table *table, const struct interval *ratio)
{
    char text[24];
    text_table_cell(table, "%s", ratio_text(ratio->estimate, text, sizeof text));
}

/* "0.887 (0.870 to 0.905)" */
static void cell_interval(struct text_table *table, const struct interval *ratio)
{
    char text[3][24];
    if (!isfinite(ratio->low) || !isfinite(ratio->high))
        cell_ratio(table, ratio);
    else
        text_table_cell(table, "%s (%s to %s)", ratio_text(ratio->estimate, text[0], sizeof text[0]),
                  ratio_text(ratio->low, text[1], sizeof text[1]), ratio_text(ratio->high, text[2], sizeof text[2]));
}

static void cell_counts(struct text_table *table, const struct compare_result *result)
{
    if (result && result->n_pairs > 0)
        text_table_cell(table, "%zu/%zu/%zu", result->cases.wins, result->cases.ties, result->cases.losses);
    else
        text_table_cell(table, "–");
}

/* A p of n splits or data sets. */
static void cell_p(struct text_table *table, size_t n, double p)
{
    cell_number(table, "%.2g", n > 0 ? p : (double)NAN);
}

static void cell_total_p(struct text_table *table, const struct contrast_total *total)
{
    cell_p(table, total->n, total->p);
}

static void cell_case(struct text_table *table, const struct pair_case *at)
{
    if (*at->settings)
        text_table_cell(table, "%s, %s", at->dataset, at->settings);
    else
        text_table_cell(table, "%s", at->dataset);
}

static void cells_header(struct text_table *table, const char *const *texts, size_t n)
{
    table->columns = n;
    text_table_cells(table, texts, n);
}

static size_t marked_in(const struct comparison *comparison, const struct pair_case *at)
{
    size_t marked = 0;
    for (size_t p = at->first; p < at->first + at->count; p++)
        marked += comparison->pairing.pairs[p].mark != PAIR_FINE;
    return marked;
}

/* ---- counts ---- */

static void row_of_counts(const struct comparison *comparison, size_t c, struct text_table *table)
{
    const struct compare_result *results = comparison->results;
    const struct pair_case *at = &comparison->pairing.cases[c];
    const struct contrast_row *error = &results[COMPARE_ERROR].rows[c];
    const struct contrast_row *iterations = &results[COMPARE_ITERATIONS].rows[c];
    const struct contrast_row *operations = &results[COMPARE_KERNEL_OPERATIONS].rows[c];
    cell_case(table, at);
    text_table_cell(table, "%zu", at->count);
    text_table_cell(table, "%zu", marked_in(comparison, at));
    if (error->n > 0)
        text_table_cell(table, "%.2f, %.2f", error->means[BASELINE], error->means[CANDIDATE]);
    else
        text_table_cell(table, "–");
    cell_p(table, error->n, compare_p(error, COMPARE_ERROR));
    cell_ratio(table, &results[COMPARE_SUPPORT_VECTORS].rows[c].ratio);
    cell_ratio(table, &iterations->ratio);
    cell_p(table, iterations->n, iterations->adjusted[CONTRAST_SIGNED_RANK]);
    cell_interval(table, &operations->ratio);
    cell_p(table, operations->n, operations->adjusted[CONTRAST_SIGNED_RANK]);
}

/* What the rows come to; left out where there is one. */
static void totals_of_counts(const struct comparison *comparison, struct text_table *table)
{
    static const int counted[] = {-1, -1, COMPARE_ERROR, -1, COMPARE_SUPPORT_VECTORS, COMPARE_ITERATIONS, -1,
                                  COMPARE_KERNEL_OPERATIONS, -1}; /* the metrics of the columns but the first */
    const struct compare_result *results = comparison->results;
    size_t pairs = comparison->pairing.n_pairs;
    if (comparison->pairing.n_cases < 2)
        return;
    text_table_cell(table, "all");
    text_table_cell(table, "%zu", pairs);
    text_table_cell(table, "%zu", pairs - comparison->marks[PAIR_FINE]);
    text_table_cell(table, "–");
    cell_total_p(table, &results[COMPARE_ERROR].total);
    cell_ratio(table, &results[COMPARE_SUPPORT_VECTORS].total.ratio);
    cell_ratio(table, &results[COMPARE_ITERATIONS].total.ratio);
    cell_total_p(table, &results[COMPARE_ITERATIONS].total);
    cell_interval(table, &results[COMPARE_KERNEL_OPERATIONS].total.ratio);
    cell_total_p(table, &results[COMPARE_KERNEL_OPERATIONS].total);
    text_table_cell(table, "lower/alike/higher");
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        cell_counts(table, counted[i] < 0 ? NULL : &results[counted[i]]);
}

static int has_corrected_t(const struct comparison *comparison)
{
    for (size_t c = 0; c < comparison->pairing.n_cases; c++)
        if (!isnan(comparison->results[COMPARE_ERROR].rows[c].p[CONTRAST_CORRECTED_T]))
            return 1;
    return 0;
}

static void notes_of_counts(const struct compare_report *report, struct text_table *table)
{
    const struct comparison *comparison = report->comparison;
    const size_t *alone = comparison->pairing.alone;
    if (*report->note)
        text_table_footnote(table, "%s", report->note);
    if (alone[BASELINE] + alone[CANDIDATE] > 0)
        text_table_footnote(table, "Records without partner: %zu of %s, %zu of %s.", alone[BASELINE],
                  comparison->arms.labels[BASELINE], alone[CANDIDATE], comparison->arms.labels[CANDIDATE]);
    text_table_footnote(
        table,
        "Test error: mean of %s, then of %s. Support vectors, iterations, kernel operations (without the start-up): "
        "mean of the latter over mean of the former, on the same splits, with 95 %% intervals by bootstrap over the "
        "splits; in the row of all, geometric means over data sets, with bootstrap over these.",
        comparison->arms.labels[BASELINE], comparison->arms.labels[CANDIDATE]);
    text_table_footnote(
        table,
        "p: signed-rank test over splits%s, adjusted by Holm over the rows; in the row of all, signed-rank test over "
        "data sets. Lower, alike, higher: at %g. Splits of a data set overlap, so intervals and signed-rank tests "
        "over splits are over-confident.",
        has_corrected_t(comparison) ? ", of the error the corrected resampled t test" : "", CONTRAST_SIGNIFICANT);
    text_table_footnote(
        table,
        "Marked: pairs of which one did not converge (left out), or whose recomputed duality gaps%s differ by more "
        "than a factor of %g (%s).",
        comparison->problems == PROBLEMS_SAME ? "" : ", as shares of the objectives,", comparison->options.gap_factor,
        comparison->options.same_accuracy ? "left out" : "counted");
}

/* ---- times ---- */

static void fill_times(const struct comparison *comparison, struct text_table *table)
{
    static const char *const header[] = {"data set", "pairs", "baseline (s)", "solver (s)", "ratio", "p"};
    const struct compare_result *result = &comparison->results[COMPARE_SECONDS];
    cells_header(table, header, sizeof header / sizeof *header);
    for (size_t c = 0; c < comparison->pairing.n_cases; c++) {
        const struct contrast_row *row = &result->rows[c];
        cell_case(table, &comparison->pairing.cases[c]);
        text_table_cell(table, "%zu", row->n);
        cell_number(table, "%.4g", row->means[BASELINE]);
        cell_number(table, "%.4g", row->means[CANDIDATE]);
        cell_interval(table, &row->ratio);
        cell_p(table, row->n, row->adjusted[CONTRAST_SIGNED_RANK]);
    }
    if (comparison->pairing.n_cases > 1) {
        text_table_cell(table, "all");
        text_table_cell(table, "%zu", result->n_pairs);
        text_table_cell(table, "–");
        text_table_cell(table, "–");
        cell_interval(table, &result->total.ratio);
        cell_total_p(table, &result->total);
    }
    text_table_footnote(table,
              "Times depend on the machine and on what else it does; they are those of the solvers, without kernel "
              "matrices that are shared.");
}

/* ---- both ---- */

void compare_fill_table(const struct compare_report *report, enum compare_part part, struct text_table *table)
{
    static const char *const header[] = {"data set",        "pairs",      "marked", "error (%)",         "p",
                                         "support vectors", "iterations", "p",      "kernel operations", "p"};
    const struct comparison *comparison = report->comparison;
    text_table_title(table, "%s%s against %s", part == COMPARE_TIMES ? "Times: " : "",
                     comparison->arms.labels[CANDIDATE], comparison->arms.labels[BASELINE]);
    if (part == COMPARE_TIMES) {
        fill_times(comparison, table);
        return;
    }
    cells_header(table, header, sizeof header / sizeof *header);
    for (size_t c = 0; c < comparison->pairing.n_cases; c++)
        row_of_counts(comparison, c, table);
    totals_of_counts(comparison, table);
    notes_of_counts(report, table);
}

static void csv_interval(struct text_table *table, const struct interval *interval)
{
    text_table_number(table, 6, interval->estimate);
    text_table_number(table, 6, interval->low);
    text_table_number(table, 6, interval->high);
}

static void csv_row(const struct comparison *comparison, enum compare_metric metric, size_t c, struct text_table *table)
{
    const struct contrast_row *row = &comparison->results[metric].rows[c];
    const char *const texts[] = {compare_metric_texts[metric].key, comparison->pairing.cases[c].dataset,
                                 comparison->pairing.cases[c].settings};
    text_table_cells(table, texts, 3);
    text_table_cell(table, "%zu", row->n);
    text_table_number(table, 15, row->means[BASELINE]);
    text_table_number(table, 15, row->means[CANDIDATE]);
    csv_interval(table, &row->ratio);
    csv_interval(table, &row->shift);
    text_table_number(table, 6, row->effect);
    text_table_number(table, 6, row->p[CONTRAST_SIGNED_RANK]);
    text_table_number(table, 6, row->adjusted[CONTRAST_SIGNED_RANK]);
    text_table_number(table, 6, row->p[CONTRAST_CORRECTED_T]);
    text_table_number(table, 6, row->adjusted[CONTRAST_CORRECTED_T]);
}

void compare_fill_csv(const struct compare_report *report, enum compare_part part, struct text_table *table)
{
    static const char *const header[] = {"metric", "dataset",   "settings",   "n",     "baseline_mean", "solver_mean",
                                         "ratio",  "ratio_low", "ratio_high", "shift", "shift_low",     "shift_high",
                                         "effect", "p",         "p_adjusted", "t_p",   "t_p_adjusted"};
    const struct comparison *comparison = report->comparison;
    cells_header(table, header, sizeof header / sizeof *header);
    for (int m = compare_part_metrics[part]; m < compare_part_metrics[part + 1]; m++)
        for (size_t c = 0; c < comparison->pairing.n_cases; c++)
            if (comparison->results[m].rows[c].n > 0)
                csv_row(comparison, (enum compare_metric)m, c, table);
}
