/* A comparison as JSON. What a mathematics library may round in its own way is kept to six digits. */
#include <math.h>

#include "harness/compare/compare_output.h"
#include "harness/support/json_build.h"

static void put_interval(cJSON *object, const char *key, const struct interval *interval, int *failed)
{
    cJSON *json = json_put_object(object, key, failed);
    json_put_rounded(json, "estimate", interval->estimate, failed);
    json_put_rounded(json, "low", interval->low, failed);
    json_put_rounded(json, "high", interval->high, failed);
    json_put_rounded(json, "level", interval->level, failed);
}

static void add_case(cJSON *cases, const struct pair_case *at, const struct contrast_row *row, int *failed)
{
    cJSON *json = json_add_object(cases, failed);
    json_put_text(json, "dataset", at->dataset, failed);
    json_put_text(json, "settings", at->settings, failed);
    json_put_number(json, "n", (double)row->n, failed);
    json_put_number(json, "baseline_mean", row->means[BASELINE], failed);
    json_put_number(json, "solver_mean", row->means[CHALLENGER], failed);
    put_interval(json, "ratio", &row->ratio, failed);
    put_interval(json, "shift", &row->shift, failed);
    json_put_rounded(json, "effect", row->effect, failed);
    json_put_rounded(json, "p", row->p[CONTRAST_SIGNED_RANK], failed);
    json_put_rounded(json, "p_adjusted", row->adjusted[CONTRAST_SIGNED_RANK], failed);
    json_put_rounded(json, "t_p", row->p[CONTRAST_CORRECTED_T], failed);
    json_put_rounded(json, "t_p_adjusted", row->adjusted[CONTRAST_CORRECTED_T], failed);
}

static void put_metrics(cJSON *json, const struct comparison *comparison, enum compare_part part, int *failed)
{
    cJSON *metrics = json_put_object(json, "metrics", failed);
    for (int m = (int)compare_part_first(part); m < (int)compare_part_end(part); m++) {
        const struct compare_result *result = &comparison->results[m];
        cJSON *metric = json_put_object(metrics, compare_metric_texts[m].key, failed);
        json_put_number(metric, "datasets", (double)result->total.n, failed);
        json_put_number(metric, "pairs", (double)result->n_pairs, failed);
        put_interval(metric, "ratio", &result->total.ratio, failed);
        put_interval(metric, "shift", &result->total.shift, failed);
        json_put_rounded(metric, "effect", result->total.effect, failed);
        json_put_rounded(metric, "p", result->total.p, failed);
        json_put_number(metric, "lower", (double)result->cases.wins, failed);
        json_put_number(metric, "alike", (double)result->cases.ties, failed);
        json_put_number(metric, "higher", (double)result->cases.losses, failed);
        json_put_number(metric, "opposed", (double)result->opposed, failed);
        cJSON *cases = json_put_array(metric, "cases", failed);
        for (size_t c = 0; c < comparison->pairing.n_cases; c++)
            if (result->rows[c].n > 0)
                add_case(cases, &comparison->pairing.cases[c], &result->rows[c], failed);
    }
}

static void put_end(cJSON *json, const char *key, const struct record *record, int *failed)
{
    cJSON *end = json_put_object(json, key, failed);
    double objective = (double)NAN, gap = (double)NAN;
    record_number(record, "objective", &objective);
    record_number(record, "duality_gap", &gap);
    json_put_text(end, "outcome", record->outcome, failed);
    json_put_number(end, "objective", objective, failed);
    json_put_number(end, "duality_gap", gap, failed);
}

static void put_marked(cJSON *json, const struct pairing *pairing, int *failed)
{
    cJSON *marked = json_put_array(json, "marked", failed);
    for (size_t c = 0; c < pairing->n_cases; c++)
        for (size_t p = pairing->cases[c].first; p < pairing->cases[c].first + pairing->cases[c].count; p++) {
            const struct pair *pair = &pairing->pairs[p];
            if (pair->mark == PAIR_FINE)
                continue;
            cJSON *item = json_add_object(marked, failed);
            json_put_text(item, "dataset", pairing->cases[c].dataset, failed);
            json_put_text(item, "settings", pairing->cases[c].settings, failed);
            json_put_number(item, "split", (double)pair->records[BASELINE]->split, failed);
            json_put_text(item, "mark", pair_mark_name(pair->mark), failed);
            put_end(item, "baseline", pair->records[BASELINE], failed);
            put_end(item, "solver", pair->records[CHALLENGER], failed);
        }
}

static void put_counts(cJSON *json, const struct compare_report *report, int *failed)
{
    static const char *const problems[] = {"same", "different", "unknown"};
    const struct comparison *comparison = report->comparison;
    json_put_text(json, "problems", problems[comparison->problems], failed);
    json_put_number(json, "gap_factor", comparison->options.gap_factor, failed);
    json_put_bool(json, "same_accuracy", comparison->options.same_accuracy, failed);
    json_put_number(json, "pairs", (double)comparison->pairing.n_pairs, failed);
    json_put_number(json, "compared", (double)comparison->compared, failed);
    json_put_number(json, "alike", (double)comparison->alike, failed);
    json_put_number(json, "baseline_alone", (double)comparison->pairing.alone[BASELINE], failed);
    json_put_number(json, "solver_alone", (double)comparison->pairing.alone[CHALLENGER], failed);
    put_marked(json, &comparison->pairing, failed);
}

static void put_finding(cJSON *json, const struct compare_report *report, int *failed)
{
    const struct finding *finding = &report->finding;
    cJSON *object = json_put_object(json, "finding", failed);
    json_put_text(object, "claim", claim_name(finding->claim), failed);
    json_put_text(object, "metric", compare_metric_texts[report->comparison->cost].key, failed);
    json_put_text(object, "over", finding->over_datasets ? "data sets" : "splits", failed);
    put_interval(object, "ratio", &finding->ratio, failed);
    json_put_rounded(object, "p", finding->p, failed);
    json_put_text(object, "sentence", report->sentence, failed);
}

cJSON *compare_json(const struct compare_report *report, enum compare_part part)
{
    int failed = 0;
    cJSON *json = json_new_object(&failed);
    json_put_number(json, "schema", 1, &failed);
    json_put_text(json, "baseline", report->comparison->sides.labels[BASELINE], &failed);
    json_put_text(json, "solver", report->comparison->sides.labels[CHALLENGER], &failed);
    if (part == COMPARE_COUNTS) {
        json_put_text(json, "note", report->note, &failed);
        put_counts(json, report, &failed);
        put_finding(json, report, &failed);
    }
    put_metrics(json, report->comparison, part, &failed);
    if (failed) {
        cJSON_Delete(json);
        return NULL;
    }
    return json;
}
