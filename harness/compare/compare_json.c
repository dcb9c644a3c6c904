/* A comparison as JSON. Numbers whose last digits may depend on the math library are written with six digits. */
#include "harness/compare/compare_output.h"
#include "harness/base/json_writer.h"

static void put_interval(cJSON *object, const char *key, const struct interval *interval)
{
    cJSON *json = json_put_object(object, key);
    json_put_rounded(json, "estimate", interval->estimate);
    json_put_rounded(json, "low", interval->low);
    json_put_rounded(json, "high", interval->high);
    json_put_rounded(json, "level", interval->level);
}

static void put_posterior(cJSON *object, const struct bayes_posterior *posterior)
{
    cJSON *json = json_put_object(object, "posterior");
    json_put_rounded(json, "lower", posterior->lower);
    json_put_rounded(json, "equivalent", posterior->equivalent);
    json_put_rounded(json, "higher", posterior->higher);
}

static void put_shown(cJSON *object, const char *key, enum compare_metric metric, const struct interval *difference)
{
    const struct interval shown = compare_shown(metric, difference);
    put_interval(object, key, &shown);
}

static void add_case(cJSON *cases, enum compare_metric metric, const struct pair_case *at,
                     const struct estimate *row)
{
    cJSON *json = json_add_object(cases);
    json_put_text(json, "dataset", at->dataset);
    json_put_text(json, "settings", at->settings);
    json_put_number(json, "n", (double)row->n);
    json_put_number(json, "baseline_mean", row->means[BASELINE]);
    json_put_number(json, "solver_mean", row->means[CANDIDATE]);
    put_shown(json, "effect", metric, &row->difference);
    json_put_rounded(json, "median", compare_shown_value(metric, row->median));
    json_put_rounded(json, "of_means", compare_shown_value(metric, row->of_means));
    json_put_rounded(json, "p", row->p);
    json_put_rounded(json, "p_adjusted", row->adjusted);
    json_put_rounded(json, "detectable", compare_shown_value(metric, row->detectable));
    put_posterior(json, &row->posterior);
}

/* An effect without its cases. */
static void put_effect(cJSON *json, enum compare_metric metric, const struct effect *effect)
{
    const struct estimate *estimate = &effect->estimate;
    json_put_text(json, "claim", claim_name(effect->claim));
    json_put_text(json, "metric", compare_metric_texts[metric].key);
    json_put_text(json, "over", effect->over_datasets ? "data sets" : "splits");
    json_put_number(json, "n", (double)estimate->n);
    put_shown(json, "effect", metric, &estimate->difference);
    json_put_rounded(json, "margin", compare_shown_value(metric, effect->margin));
    json_put_rounded(json, "p", estimate->p);
    json_put_rounded(json, "p_adjusted", estimate->adjusted);
    json_put_rounded(json, "mean", compare_shown_value(metric, estimate->mean.estimate));
    json_put_rounded(json, "median", compare_shown_value(metric, estimate->median));
    json_put_rounded(json, "of_means", compare_shown_value(metric, estimate->of_means));
    json_put_rounded(json, "detectable", compare_shown_value(metric, estimate->detectable));
    put_posterior(json, &estimate->posterior);
    json_put_number(json, "tested", (double)effect->tested);
    json_put_number(json, "lower", (double)effect->lower);
    json_put_number(json, "higher", (double)effect->higher);
    json_put_number(json, "within_margin", (double)effect->small);
}

static void put_metrics(cJSON *json, const struct comparison *comparison, enum compare_part part)
{
    cJSON *metrics = json_put_object(json, "metrics");
    for (int m = compare_part_metrics[part]; m < compare_part_metrics[part + 1]; m++) {
        const enum compare_metric metric = (enum compare_metric)m;
        const struct compare_result *result = &comparison->results[m];
        cJSON *object = json_put_object(metrics, compare_metric_texts[m].key);
        json_put_text(object, "unit", compare_is_ratio(metric) ? "ratio" : "points");
        json_put_number(object, "datasets", (double)result->total.n);
        json_put_number(object, "pairs", (double)result->n_pairs);
        put_shown(object, "effect", metric, &result->total.difference);
        put_shown(object, "mean", metric, &result->total.mean);
        json_put_rounded(object, "median", compare_shown_value(metric, result->total.median));
        json_put_rounded(object, "of_means", compare_shown_value(metric, result->total.of_means));
        json_put_rounded(object, "p", result->total.p);
        json_put_rounded(object, "detectable", compare_shown_value(metric, result->total.detectable));
        put_posterior(object, &result->total.posterior);
        cJSON *cases = json_put_array(object, "cases");
        for (size_t c = 0; c < comparison->pairing.n_cases; c++)
            if (result->rows[c].n > 0)
                add_case(cases, metric, &comparison->pairing.cases[c], &result->rows[c]);
    }
}

static void put_end(cJSON *json, const char *key, const struct record *record)
{
    cJSON *end = json_put_object(json, key);
    json_put_text(end, "outcome", record->outcome);
    json_put_number(end, "objective", record->field[FIELD_OBJECTIVE]);
    json_put_number(end, "duality_gap", record->field[FIELD_DUALITY_GAP]);
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
            put_end(item, "baseline", pair->records[BASELINE]);
            put_end(item, "solver", pair->records[CANDIDATE]);
        }
}

static void put_counts(cJSON *json, const struct comparison *comparison)
{
    static const char *const problems[] = {"same", "one-svm", "different", "unknown"};
    json_put_text(json, "problems", problems[comparison->problems]);
    json_put_number(json, "penalty", comparison->options.penalty);
    json_put_number(json, "cost_margin_percent", comparison->options.cost_margin);
    json_put_number(json, "error_margin_points", comparison->options.error_margin);
    json_put_number(json, "gap_factor", comparison->options.gap_factor);
    json_put_bool(json, "equal_targets", comparison->targets.used);
    json_put_bool(json, "equal_by_rule", comparison->equal_by_rule);
    json_put_number(json, "pairs", (double)comparison->pairing.n_pairs);
    json_put_number(json, "baseline_failed", (double)comparison->failed[BASELINE]);
    json_put_number(json, "solver_failed", (double)comparison->failed[CANDIDATE]);
    json_put_number(json, "both_failed", (double)comparison->both_failed);
    json_put_number(json, "alike", (double)comparison->alike);
    json_put_number(json, "zero_costs", (double)comparison->zeros);
    json_put_number(json, "baseline_alone", (double)comparison->pairing.alone[BASELINE]);
    json_put_number(json, "solver_alone", (double)comparison->pairing.alone[CANDIDATE]);
    put_marked(json, &comparison->pairing);
}

void compare_put_finding(cJSON *json, const struct compare_report *report)
{
    const struct finding *finding = report->finding;
    const enum compare_metric cost = report->comparison->cost;
    cJSON *object = json_put_object(json, "finding");
    json_put_text(object, "claim", claim_name(finding->claim));
    put_effect(json_put_object(object, "cost"), cost, &finding->cost);
    put_effect(json_put_object(object, "cost_where_both_converged"), cost, &finding->both_converged);
    if (finding->start_up.estimate.n > 0)
        put_effect(json_put_object(object, "cost_with_setup"), COMPARE_ALL_OPERATIONS, &finding->start_up);
    put_effect(json_put_object(object, "error"), COMPARE_ERROR, &finding->error);
    put_effect(json_put_object(object, "failures"), COMPARE_FAILURES, &finding->failures);
    json_put_rounded(object, "gap_ratio", finding->gap_ratio);
    json_put_bool(object, "accuracy_differs", finding->accuracy_differs);
    json_put_text(object, "sentence", report->sentence);
    if (!finding->left_out)
        return;
    cJSON *left = json_put_object(object, "left_out");
    json_put_number(left, "solvers", (double)finding->left_out->solvers);
    json_put_number(left, "settings", (double)finding->left_out->settings);
    json_put_number(left, "datasets", (double)finding->left_out->datasets);
    json_put_number(left, "splits", (double)finding->left_out->splits);
    json_put_number(left, "shards", (double)finding->left_out->shards);
}

cJSON *compare_json(const struct compare_report *report, enum compare_part part)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 2);
    json_put_text(json, "baseline", report->comparison->arms.labels[BASELINE]);
    json_put_text(json, "solver", report->comparison->arms.labels[CANDIDATE]);
    if (part == COMPARE_COUNTS) {
        json_put_text(json, "note", report->note);
        put_counts(json, report->comparison);
        compare_put_finding(json, report);
    }
    put_metrics(json, report->comparison, part);
    return json;
}
