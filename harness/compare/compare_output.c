/*
 * The files of comparisons, and the same for a person. Costs of the candidate are shown as multiples of the baseline's,
 * errors as they are. Numbers whose last digits may depend on the math library are written with six digits.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/compare/compare.h"
#include "harness/format/result.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

/* Times depend on the machine and all other results do not, so times go to separate files. */
enum part { COUNTS, TIMES, PARTS };
static const char *const names[PARTS] = {[COUNTS] = "compare", [TIMES] = "compare-time"};
/* The first metric of each part; a part ends before the first metric of the next. */
static const int part_metrics[PARTS + 1] = {COMPARE_FAILURES, COMPARE_SECONDS, COMPARE_METRICS};

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

/* ---- JSON ---- */

static void put_shown(cJSON *object, const char *key, enum compare_metric metric, const struct interval *difference)
{
    const struct interval shown = compare_shown(metric, difference);
    cJSON *json = json_put_object(object, key);
    json_put_rounded(json, "estimate", shown.estimate);
    json_put_rounded(json, "low", shown.low);
    json_put_rounded(json, "high", shown.high);
    json_put_rounded(json, "level", shown.level);
}

/* What the estimates of a case, of a metric and of a conclusion have in common. */
static void put_estimate(cJSON *json, enum compare_metric metric, const struct estimate *estimate)
{
    put_shown(json, "effect", metric, &estimate->difference);
    json_put_rounded(json, "median", compare_shown_value(metric, estimate->median));
    json_put_rounded(json, "of_means", compare_shown_value(metric, estimate->of_means));
    json_put_rounded(json, "p", estimate->p);
    json_put_rounded(json, "detectable", compare_shown_value(metric, estimate->detectable));
    cJSON *posterior = json_put_object(json, "posterior");
    json_put_rounded(posterior, "lower", estimate->posterior.lower);
    json_put_rounded(posterior, "equivalent", estimate->posterior.equivalent);
    json_put_rounded(posterior, "higher", estimate->posterior.higher);
}

static void put_metrics(cJSON *json, const struct comparison *comparison, enum part part)
{
    cJSON *metrics = json_put_object(json, "metrics");
    for (int m = part_metrics[part]; m < part_metrics[part + 1]; m++) {
        const enum compare_metric metric = (enum compare_metric)m;
        const struct compare_result *result = &comparison->results[m];
        cJSON *object = json_put_object(metrics, compare_metric_texts[m].key);
        json_put_text(object, "unit", compare_is_ratio(metric) ? "ratio" : "points");
        json_put_number(object, "datasets", (double)result->total.n);
        json_put_number(object, "pairs", (double)result->n_pairs);
        put_estimate(object, metric, &result->total);
        put_shown(object, "mean", metric, &result->total.mean);
        cJSON *cases = json_put_array(object, "cases");
        for (size_t c = 0; c < comparison->pairing.n_cases; c++) {
            const struct estimate *row = &result->rows[c];
            if (row->n == 0)
                continue;
            cJSON *item = json_add_object(cases);
            json_put_text(item, "dataset", comparison->pairing.cases[c].dataset);
            json_put_text(item, "settings", comparison->pairing.cases[c].settings);
            json_put_number(item, "n", (double)row->n);
            json_put_number(item, "baseline_mean", row->means[BASELINE]);
            json_put_number(item, "solver_mean", row->means[CANDIDATE]);
            put_estimate(item, metric, row);
            json_put_rounded(item, "p_adjusted", row->adjusted);
        }
    }
}

static void put_marked(cJSON *json, const struct pairing *pairing)
{
    cJSON *marked = json_put_array(json, "marked");
    for (size_t c = 0; c < pairing->n_cases; c++)
        for (size_t p = 0; p < pairing->cases[c].count; p++) {
            const struct pair *pair = &pairing->pairs[pairing->cases[c].first + p];
            if (pair->mark == PAIR_FINE)
                continue;
            cJSON *item = json_add_object(marked);
            json_put_text(item, "dataset", pairing->cases[c].dataset);
            json_put_text(item, "settings", pairing->cases[c].settings);
            json_put_number(item, "split", (double)pair->records[BASELINE]->split);
            json_put_text(item, "mark", pair_mark_name(pair->mark));
            for (int s = 0; s < ARMS; s++) {
                cJSON *end = json_put_object(item, s == BASELINE ? "baseline" : "solver");
                json_put_text(end, "outcome", pair->records[s]->outcome);
                json_put_number(end, "objective", pair->records[s]->field[FIELD_OBJECTIVE]);
                json_put_number(end, "duality_gap", pair->records[s]->field[FIELD_DUALITY_GAP]);
            }
        }
}

static void put_counts(cJSON *json, const struct comparison *comparison)
{
    static const char *const problems[] = {"same", "one-svm", "different", "unknown"};
    const struct json_number numbers[] = {{"penalty", comparison->options.penalty},
                                          {"cost_margin_percent", comparison->options.cost_margin},
                                          {"error_margin_points", comparison->options.error_margin},
                                          {"gap_factor", comparison->options.gap_factor},
                                          {"pairs", (double)comparison->pairing.n_pairs},
                                          {"baseline_failed", (double)comparison->failed[BASELINE]},
                                          {"solver_failed", (double)comparison->failed[CANDIDATE]},
                                          {"both_failed", (double)comparison->both_failed},
                                          {"alike", (double)comparison->alike},
                                          {"zero_costs", (double)comparison->zeros},
                                          {"baseline_alone", (double)comparison->pairing.alone[BASELINE]},
                                          {"solver_alone", (double)comparison->pairing.alone[CANDIDATE]}};
    json_put_text(json, "problems", problems[comparison->problems]);
    json_put_bool(json, "equal_targets", comparison->targets.used);
    json_put_bool(json, "equal_by_rule", comparison->equal_by_rule);
    json_put_numbers(json, numbers, sizeof numbers / sizeof *numbers);
    put_marked(json, &comparison->pairing);
}

/* A figure of the finding, without its cases. */
static void put_figure(cJSON *json, const struct finding_figure *figure)
{
    const struct estimate *effect = figure->effect;
    const struct json_number counts[] = {{"n", (double)effect->n},
                                         {"tested", (double)effect->tested},
                                         {"lower", (double)effect->lower},
                                         {"higher", (double)effect->higher},
                                         {"within_margin", (double)effect->small}};
    json_put_text(json, "claim", claim_name(effect->claim));
    json_put_text(json, "metric", compare_metric_texts[figure->metric].key);
    json_put_text(json, "over", effect->over_datasets ? "data sets" : "splits");
    put_estimate(json, figure->metric, effect);
    json_put_rounded(json, "margin", compare_shown_value(figure->metric, effect->margin));
    json_put_rounded(json, "p_adjusted", effect->adjusted);
    json_put_rounded(json, "mean", compare_shown_value(figure->metric, effect->mean.estimate));
    json_put_numbers(json, counts, sizeof counts / sizeof *counts);
}

static void put_finding(cJSON *json, struct comparison *comparison)
{
    const struct finding *finding = &comparison->finding;
    cJSON *object = json_put_object(json, "finding");
    json_put_text(object, "claim", claim_name(finding->claim));
    for (int f = 0; f < FINDING_FIGURES; f++) {
        const struct finding_figure figure = finding_figure(comparison, f);
        if (figure.effect != &finding->start_up || figure.effect->n > 0)
            put_figure(json_put_object(object, figure.key), &figure);
    }
    json_put_rounded(object, "gap_ratio", finding->gap_ratio);
    json_put_bool(object, "accuracy_differs", finding->accuracy_differs);
    json_put_text(object, "sentence", comparison->sentence);
    if (!finding->left_out)
        return;
    const struct json_number left[] = {{"solvers", (double)finding->left_out->solvers},
                                       {"settings", (double)finding->left_out->settings},
                                       {"datasets", (double)finding->left_out->datasets},
                                       {"splits", (double)finding->left_out->splits},
                                       {"shards", (double)finding->left_out->shards}};
    json_put_numbers(json_put_object(object, "left_out"), left, sizeof left / sizeof *left);
}

static void put_labels(cJSON *json, const char *const labels[ARMS])
{
    json_put_text(json, "baseline", labels[BASELINE]);
    json_put_text(json, "solver", labels[CANDIDATE]);
}

static cJSON *json_of(struct comparison *comparison, const char *note, enum part part)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 2);
    put_labels(json, comparison->arms.labels);
    if (part == COUNTS) {
        json_put_text(json, "note", note);
        put_counts(json, comparison);
        put_finding(json, comparison);
    }
    put_metrics(json, comparison, part);
    return json;
}

/* ---- tables of one comparison ---- */

static void put_difference(struct result *page, enum compare_metric metric, const struct interval *difference)
{
    const struct interval shown = compare_shown(metric, difference);
    result_interval(page, 3, &shown);
}

static void put_text(struct result *page, int is_known, const char *text)
{
    result_text(page, "%s", is_known ? text : "–");
}

/* "0.97/0.03/0.00" */
static void put_posterior(struct result *page, const struct bayes_posterior *posterior)
{
    put_text(page, isfinite(posterior->lower),
             pool_printf(page->pool, "%.2f/%.2f/%.2f", posterior->lower, posterior->equivalent, posterior->higher));
}

static void put_case(struct result *page, const struct pair_case *at)
{
    result_text(page, "%s%s%s", at->dataset, *at->settings ? ", " : "", at->settings);
}

static size_t failed_in(const struct comparison *comparison, const struct pair_case *at, enum arm arm)
{
    size_t failed = 0;
    for (size_t p = at->first; p < at->first + at->count; p++)
        failed += !pair_converged(&comparison->pairing.pairs[p], arm);
    return failed;
}

/* The row of case `c`, or that over data sets if there is no such case. */
static void row_of_counts(const struct comparison *comparison, size_t c, struct result *page)
{
    const int is_total = c == comparison->pairing.n_cases;
    const struct estimate *of[COMPARE_METRICS];
    for (int m = 0; m < COMPARE_METRICS; m++)
        of[m] = is_total ? &comparison->results[m].total : &comparison->results[m].rows[c];
    const struct estimate *error = of[COMPARE_ERROR], *operations = of[COMPARE_KERNEL_OPERATIONS];
    if (is_total) {
        result_row(page, "all\t%zu\t%zu, %zu", comparison->pairing.n_pairs, comparison->failed[BASELINE],
                   comparison->failed[CANDIDATE]);
        put_text(page, error->n > 0, pool_printf(page->pool, "%+.2f", error->difference.estimate));
    } else {
        const struct pair_case *at = &comparison->pairing.cases[c];
        put_case(page, at);
        result_row(page, "%zu\t%zu, %zu", at->count, failed_in(comparison, at, BASELINE),
                   failed_in(comparison, at, CANDIDATE));
        put_text(page, error->n > 0,
                 pool_printf(page->pool, "%.2f, %.2f", error->means[BASELINE], error->means[CANDIDATE]));
    }
    result_p(page, error->adjusted);
    result_number(page, exp(of[COMPARE_SUPPORT_VECTORS]->difference.estimate));
    result_number(page, exp(of[COMPARE_GAP]->difference.estimate));
    result_number(page, exp(of[COMPARE_ITERATIONS]->difference.estimate));
    result_p(page, of[COMPARE_ITERATIONS]->adjusted);
    put_difference(page, COMPARE_KERNEL_OPERATIONS, &operations->difference);
    result_p(page, operations->adjusted);
    put_posterior(page, &operations->posterior);
}

/* "In all, test error (13 data sets): 95.2 % interval -0.1 to 0.2 points; probabilities of lower, ..." */
static void note_of_effect(const struct estimate *effect, enum compare_metric metric, double margin,
                           struct result *page)
{
    const int is_ratio = compare_is_ratio(metric);
    const char *unit = is_ratio ? "" : " points";
    if (!isfinite(effect->posterior.lower) || !isfinite(effect->detectable))
        return;
    result_note(page,
                "In all, %s (%zu %s): %.3g %% interval %.3g to %.3g%s; probabilities of lower, within %g%s, higher: "
                "%.2f, %.2f, %.2f; found with probability 0.8: %s%.3g%s.",
                compare_metric_texts[metric].title, effect->n, effect->over_datasets ? "data sets" : "splits",
                100 * effect->difference.level, compare_shown_value(metric, effect->difference.low),
                compare_shown_value(metric, effect->difference.high), unit, margin, is_ratio ? " %" : " points",
                effect->posterior.lower, effect->posterior.equivalent, effect->posterior.higher,
                is_ratio ? "a factor of " : "", compare_shown_value(metric, effect->detectable), unit);
}

static void notes_of_counts(const struct comparison *comparison, const char *note, struct result *page)
{
    const struct compare_options *options = &comparison->options;
    const struct finding *finding = &comparison->finding;
    const char *baseline = comparison->arms.labels[BASELINE], *candidate = comparison->arms.labels[CANDIDATE];
    const int several = comparison->pairing.n_datasets > 1; /* then there is a row "all" */
    if (*note)
        result_note(page, "%s", note);
    result_note(page,
                "Failed: runs of %s, then of %s, that did not converge. Each costs %g times the largest cost of its "
                "row.",
                baseline, candidate, options->penalty);
    result_note(page,
                "Error: means of %s, then of %s, where both converged%s. All other numbers are ratios, %s divided by "
                "%s: in a row the geometric mean over splits%s. Kernel operations exclude the set-up.",
                baseline, candidate, several ? "; in the row \"all\", the typical difference" : "", candidate,
                baseline, several ? ", in the row \"all\" the Hodges-Lehmann estimate over data sets" : "");
    result_note(page,
                "Intervals, each with its level if it is not 95 %%, and p: in a row from the t test corrected for "
                "splits that overlap, with p adjusted by Holm over the rows%s. lower/equal/higher: probabilities that "
                "the ratio of kernel operations is below, within and above a margin of %g %%.",
                several ? "; in the row \"all\" from the signed-rank test over data sets" : "",
                options->cost_margin);
    if (comparison->targets.used)
        result_note(page, "Iterations and kernel operations are those to reach the larger of the two gaps.");
    note_of_effect(&finding->cost, comparison->cost, options->cost_margin, page);
    note_of_effect(&finding->error, COMPARE_ERROR, options->error_margin, page);
    if (finding->family > 1)
        result_note(page,
                    "This is one of %zu comparisons: the p of a row is adjusted over the rows of all comparisons.%s",
                    finding->family,
                    several ? " The p in the row \"all\" is not adjusted; that in the conclusion is." : "");
}

static void fill_times(const struct comparison *comparison, struct result *page)
{
    const struct compare_result *result = &comparison->results[COMPARE_SECONDS];
    result_columns(page, "data set\t#pairs\t#baseline (s)\t#solver (s)\t#ratio\t#p");
    for (size_t c = 0; c < comparison->pairing.n_cases; c++) {
        const struct estimate *row = &result->rows[c];
        put_case(page, &comparison->pairing.cases[c]);
        result_number(page, (double)row->n);
        result_number(page, row->means[BASELINE]);
        result_number(page, row->means[CANDIDATE]);
        put_difference(page, COMPARE_SECONDS, &row->difference);
        result_p(page, row->adjusted);
    }
    if (comparison->pairing.n_datasets > 1) {
        result_row(page, "all\t%zu\t–\t–", result->n_pairs);
        put_difference(page, COMPARE_SECONDS, &result->total.difference);
        result_p(page, result->total.p);
    }
    result_note(page,
                "Times depend on the machine and its load; they are %s, without shared kernel matrices. A run that did "
                "not converge counts with the penalty.",
                comparison->pairing.pairs[0].records[BASELINE]->cpu.repeats > 0
                    ? "medians of the solvers' processor time over repeats"
                    : "elapsed times of single runs of the solvers");
}

/* The table for readers. */
static struct result page_of(struct pool *pool, const struct comparison *comparison, const char *note, enum part part)
{
    struct result page = {.pool = pool, .name = names[part]};
    result_title(&page, "%s%s against %s", part == TIMES ? "Times: " : "", comparison->arms.labels[CANDIDATE],
                 comparison->arms.labels[BASELINE]);
    if (part == TIMES) {
        fill_times(comparison, &page);
        return page;
    }
    result_columns(&page, "data set\t#pairs\tfailed\terror (%)\t#p\t#3support vectors\t#3gap\t#3iterations\t#p\t"
                          "#kernel operations\t#p\tlower/equal/higher");
    /* the row over data sets is omitted if there is only one */
    for (size_t c = 0; c < comparison->pairing.n_cases + (comparison->pairing.n_datasets > 1); c++)
        row_of_counts(comparison, c, &page);
    notes_of_counts(comparison, note, &page);
    return page;
}

/* A number for programs, all of six digits. */
static void put_all(struct result *data, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        result_number(data, numbers[i]);
}

/* The table for programs: a row per metric and case. */
static struct result data_of(struct pool *pool, const struct comparison *comparison, enum part part)
{
    struct result data = {.pool = pool, .name = names[part]};
    result_columns(&data, "metric\tdataset\tsettings\t#n\t#baseline_mean\t#solver_mean\t#6effect\t#6effect_low\t"
                          "#6effect_high\t#6median\t#6of_means\t#6p\t#6p_adjusted\t#6p_lower\t#6p_equivalent\t"
                          "#6p_higher\t#6detectable\t#6effect_level");
    data.columns.item[4].digits = data.columns.item[5].digits = 15;
    for (int m = part_metrics[part]; m < part_metrics[part + 1]; m++)
        for (size_t c = 0; c < comparison->pairing.n_cases; c++) {
            const enum compare_metric metric = (enum compare_metric)m;
            const struct estimate *row = &comparison->results[m].rows[c];
            const struct interval effect = compare_shown(metric, &row->difference);
            const double numbers[] = {row->means[BASELINE],
                                      row->means[CANDIDATE],
                                      effect.estimate,
                                      effect.low,
                                      effect.high,
                                      compare_shown_value(metric, row->median),
                                      compare_shown_value(metric, row->of_means),
                                      row->p,
                                      row->adjusted,
                                      row->posterior.lower,
                                      row->posterior.equivalent,
                                      row->posterior.higher,
                                      compare_shown_value(metric, row->detectable),
                                      effect.level};
            if (row->n == 0)
                continue;
            result_row(&data, "%s\t%s\t%s\t%zu", compare_metric_texts[m].key, comparison->pairing.cases[c].dataset,
                       comparison->pairing.cases[c].settings, row->n);
            put_all(&data, numbers, sizeof numbers / sizeof *numbers);
        }
    return data;
}

/* ---- files ---- */

static const char *const endings[] = {"json", "md", "tex", "csv"};

/* Writes FOLDER/NAME.json, .md, .tex and .csv; frees the JSON. */
static void write_files(const struct result *page, const struct result *data, cJSON *json, const char *folder)
{
    static const enum result_form forms[] = {[1] = RESULT_MARKDOWN, RESULT_LATEX, RESULT_CSV};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const char *path = pool_printf(page->pool, "%s/%s.%s", folder, page->name, endings[i]);
        if (i == 0)
            json_write(path, json);
        else
            result_write_file(i < 3 ? page : data, forms[i], path);
    }
    cJSON_Delete(json);
}

static void remove_part(struct pool *pool, enum part part, const char *folder)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        file_remove(folder, pool_printf(pool, "%s.%s", names[part], endings[i]));
}

static void remove_figures(struct pool *pool, const char *folder)
{
    const char *plots = pool_printf(pool, "%s/plots", folder);
    file_remove_all(plots, "compare.", "");
    file_remove_all(plots, "compare-sweep", "");
}

/* Removes each of FOLDER/compare-FIRST and its successors up to the first gap, with the folders that become empty. */
static void remove_several(struct pool *pool, const char *folder, size_t first)
{
    const char *path;
    while (access(path = pool_printf(pool, "%s/compare-%zu", folder, first++), F_OK) == 0) {
        remove_part(pool, COUNTS, path); /* folders with other files stay */
        remove_part(pool, TIMES, path);
        remove_figures(pool, path);
        rmdir(pool_printf(pool, "%s/plots", path));
        file_try_remove(path, ".lock");
        rmdir(path);
    }
}

static int has_part(const struct comparison *comparison, enum part part)
{
    return part == COUNTS || comparison->results[COMPARE_SECONDS].n_pairs > 0;
}

static void write_one(struct pool *pool, struct comparison *comparison, const char *note, const char *folder,
                      struct figure_sink *sink)
{
    struct folder_lock lock = {0};
    folder_make(folder);
    folder_lock_take(&lock, folder);
    for (int p = 0; p < PARTS; p++) {
        const enum part part = (enum part)p;
        if (!has_part(comparison, part)) {
            remove_part(pool, part, folder);
            continue;
        }
        struct result page = page_of(pool, comparison, note, part), data = data_of(pool, comparison, part);
        if (part == COUNTS)
            result_note(&page, "%s", comparison->sentence);
        write_files(&page, &data, json_of(comparison, note, part), folder);
    }
    remove_figures(pool, folder);
    compare_figure_write(pool, comparison, folder, sink);
    folder_lock_release(&lock);
}

/* ---- several comparisons: a table with a row for each, or the reason if two solvers cannot be compared ---- */

static struct result joint_page(const struct comparisons *comparisons, const char *note)
{
    struct result page = {.pool = comparisons->pool, .name = names[COUNTS]};
    result_columns(&page, "solver\tagainst\t#pairs\tfailed\tclaim\tcost\t#ratio\t#p\tlower/equal/higher\t"
                          "#error (%)\t#p");
    result_title(&page, "%zu comparisons", comparisons->n + comparisons->omitted.count);
    for (size_t i = 0; i < comparisons->n; i++) {
        const struct comparison *comparison = &comparisons->items[i];
        const struct estimate *cost = &comparison->finding.cost, *error = &comparison->finding.error;
        result_row(&page, "%s\t%s\t%zu\t%zu, %zu\t%s\t%s", comparison->arms.labels[CANDIDATE],
                   comparison->arms.labels[BASELINE], comparison->pairing.n_pairs, comparison->failed[BASELINE],
                   comparison->failed[CANDIDATE], claim_name(comparison->finding.claim),
                   compare_metric_texts[comparison->cost].title);
        put_difference(&page, comparison->cost, &cost->difference);
        result_p(&page, effect_tested(cost) ? cost->adjusted : (double)NAN);
        put_posterior(&page, &cost->posterior);
        if (error->n == 0)
            result_none(&page);
        else
            result_interval(&page, 2, &error->difference);
        result_p(&page, effect_tested(error) ? error->adjusted : (double)NAN);
    }
    for (size_t i = 0; i < comparisons->omitted.count; i++) {
        const struct not_compared *omitted = &comparisons->omitted.item[i];
        result_row(&page, "%s\t%s\t–\t–\tcannot be compared\t–\t–\t–\t–\t–\t–", omitted->labels[CANDIDATE],
                   omitted->labels[BASELINE]);
        result_note(&page, "%s and %s cannot be compared: %s.", omitted->labels[CANDIDATE], omitted->labels[BASELINE],
                    omitted->reason);
    }
    if (*note)
        result_note(&page, "%s", note);
    result_note(&page,
                "Each p is adjusted by Holm over the %zu comparisons; claims use the adjusted p. Intervals, each with "
                "its level if it is not 95 %%, and lower/equal/higher, the probabilities that the ratio is below, "
                "within and above the margin, are not adjusted. Failed: runs of the baseline, then of the solver, that "
                "did not converge.",
                comparisons->n);
    return page;
}

/* A row for each figure of each finding. */
static struct result joint_data(const struct comparisons *comparisons)
{
    struct result data = {.pool = comparisons->pool, .name = names[COUNTS]};
    result_columns(&data, "#comparison\tbaseline\tsolver\tfigure\tmetric\tclaim\t#n\t#6effect\t#6effect_low\t"
                          "#6effect_high\t#6p\t#6p_adjusted\t#6p_lower\t#6p_equivalent\t#6p_higher\t#6effect_level");
    for (size_t i = 0; i < comparisons->n; i++)
        for (int f = 0; f < FINDING_FIGURES; f++) {
            struct comparison *comparison = &comparisons->items[i];
            const struct finding_figure figure = finding_figure(comparison, f);
            const struct estimate *effect = figure.effect;
            if (effect == &comparison->finding.start_up && effect->n == 0)
                continue;
            const struct interval shown = compare_shown(figure.metric, &effect->difference);
            const double numbers[] = {shown.estimate,
                                      shown.low,
                                      shown.high,
                                      effect->p,
                                      effect->adjusted,
                                      effect->posterior.lower,
                                      effect->posterior.equivalent,
                                      effect->posterior.higher,
                                      shown.level};
            result_row(&data, "%zu\t%s\t%s\t%s\t%s\t%s\t%zu", i + 1, comparison->arms.labels[BASELINE],
                       comparison->arms.labels[CANDIDATE], figure.key, compare_metric_texts[figure.metric].key,
                       claim_name(f == 0 ? comparison->finding.claim : effect->claim), effect->n);
            put_all(&data, numbers, sizeof numbers / sizeof *numbers);
        }
    return data;
}

static cJSON *joint_json(const struct comparisons *comparisons, const char *note)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 2);
    json_put_text(json, "note", note);
    cJSON *list = json_put_array(json, "comparisons");
    for (size_t i = 0; i < comparisons->n; i++) {
        cJSON *item = json_add_object(list);
        json_put_text(item, "folder", pool_printf(comparisons->pool, "compare-%zu", i + 1));
        put_labels(item, comparisons->items[i].arms.labels);
        put_finding(item, &comparisons->items[i]);
    }
    list = comparisons->picks.count ? json_put_array(json, "sweeps") : NULL;
    for (size_t i = 0; i < comparisons->picks.count; i++) {
        const struct sweep_pick *pick = &comparisons->picks.item[i];
        cJSON *item = json_add_object(list);
        json_put_text(item, "setting", pick->chosen->swept);
        json_put_number(item, "values", (double)pick->values);
        json_put_text(item, "baseline", pick->baseline->text);
        json_put_text(item, "chosen", pick->chosen->text);
        json_put_rounded(item, "ratio_on_odd_splits", exp(pick->log_ratio));
        json_put_text(item, "sentence", pick->sentence);
        if (pick->confirmed)
            put_finding(item, pick->confirmed);
        else
            json_put_text(item, "reason", pick->reason);
    }
    list = comparisons->omitted.count ? json_put_array(json, "not_compared") : NULL;
    for (size_t i = 0; i < comparisons->omitted.count; i++) {
        cJSON *item = json_add_object(list);
        put_labels(item, comparisons->omitted.item[i].labels);
        json_put_text(item, "reason", comparisons->omitted.item[i].reason);
    }
    return json;
}

static int is_single(const struct comparisons *comparisons)
{
    return comparisons->n + comparisons->omitted.count == 1;
}

void comparisons_write(const struct comparisons *comparisons, const char *note, const char *folder, int no_render)
{
    struct pool *pool = comparisons->pool;
    struct figure_sink sink = {.no_render = no_render};
    if (is_single(comparisons)) {
        write_one(pool, comparisons->items, note, folder, &sink);
        figure_sink_end(&sink);
        remove_several(pool, folder, 1);
        return;
    }
    struct result page = joint_page(comparisons, note), data = joint_data(comparisons);
    struct folder_lock lock = {0};
    for (size_t i = 0; i < comparisons->n; i++)
        result_note(&page, "%s", comparisons->items[i].sentence);
    for (size_t i = 0; i < comparisons->picks.count; i++)
        result_note(&page, "%s", comparisons->picks.item[i].sentence);
    folder_make(folder);
    folder_lock_take(&lock, folder);
    write_files(&page, &data, joint_json(comparisons, note), folder);
    folder_lock_release(&lock);
    remove_part(pool, TIMES, folder);
    remove_figures(pool, folder);
    remove_several(pool, folder, comparisons->n + 1);
    sweep_figures_write(comparisons, folder, &sink);
    for (size_t i = 0; i < comparisons->n; i++) /* a picture that cannot be drawn does not stop the rest */
        write_one(pool, &comparisons->items[i], note, pool_printf(pool, "%s/compare-%zu", folder, i + 1), &sink);
    figure_sink_end(&sink);
}

void comparisons_print(const struct comparisons *comparisons, const char *note, int quiet, FILE *stream)
{
    const char *gap = quiet ? "" : "\n";
    if (!quiet && is_single(comparisons)) {
        const struct comparison *comparison = comparisons->items;
        for (int part = 0; part < PARTS; part++)
            if (has_part(comparison, (enum part)part)) {
                const struct result page = page_of(comparisons->pool, comparison, note, (enum part)part);
                result_print(&page, stream);
                fputc('\n', stream);
            }
        if (*comparison->arms.without_times)
            fprintf(stream, "%s\n\n", comparison->arms.without_times);
        fprintf(stream, "%s\n", comparison->sentence);
        return;
    }
    if (!quiet) {
        const struct result page = joint_page(comparisons, note);
        result_print(&page, stream);
    }
    for (size_t i = 0; i < comparisons->n; i++)
        fprintf(stream, "%s%s\n", gap, comparisons->items[i].sentence);
    for (size_t i = 0; i < comparisons->picks.count; i++)
        fprintf(stream, "%s%s\n", gap, comparisons->picks.item[i].sentence);
}
