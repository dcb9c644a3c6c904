/* A comparison as JSON. What a mathematics library may round in its own way is kept to six digits. */
#include "harness/compare/compare_output.h"
#include "harness/program/json_writer.h"

static void put_interval(cJSON *object, const char *key, const struct interval *interval)
{
    cJSON *json = json_put_object(object, key);
    json_put_rounded(json, "estimate", interval->estimate);
    json_put_rounded(json, "low", interval->low);
    json_put_rounded(json, "high", interval->high);
    json_put_rounded(json, "level", interval->level);
}

static void add_case(cJSON *cases, const struct pair_case *at, const struct contrast_row *row)
{
    cJSON *json = json_add_object(cases);
    json_put_text(json, "dataset", at->dataset);
    json_put_text(json, "settings", at->settings);
    json_put_number(json, "n", (double)row->n);
    json_put_number(json, "baseline_mean", row->means[BASELINE]);
    json_put_number(json, "solver_mean", row->means[CANDIDATE]);
    put_interval(json, "ratio", &row->ratio);
    put_interval(json, "shift", &row->shift);
    json_put_rounded(json, "effect", row->effect);
    json_put_rounded(json, "p", row->p[CONTRAST_SIGNED_RANK]);
    json_put_rounded(json, "p_adjusted", row->adjusted[CONTRAST_SIGNED_RANK]);
    json_put_rounded(json, "t_p", row->p[CONTRAST_CORRECTED_T]);
    json_put_rounded(json, "t_p_adjusted", row->adjusted[CONTRAST_CORRECTED_T]);
}

static void put_metrics(cJSON *json, const struct comparison *comparison, enum compare_part part)
{
    cJSON *metrics = json_put_object(json, "metrics");
    for (int m = compare_part_metrics[part]; m < compare_part_metrics[part + 1]; m++) {
        const struct compare_result *result = &comparison->results[m];
        cJSON *metric = json_put_object(metrics, compare_metric_texts[m].key);
        json_put_number(metric, "datasets", (double)result->total.n);
        json_put_number(metric, "pairs", (double)result->n_pairs);
        put_interval(metric, "ratio", &result->total.ratio);
        put_interval(metric, "shift", &result->total.shift);
        json_put_rounded(metric, "effect", result->total.effect);
        json_put_rounded(metric, "p", result->total.p);
        json_put_number(metric, "lower", (double)result->cases.wins);
        json_put_number(metric, "alike", (double)result->cases.ties);
        json_put_number(metric, "higher", (double)result->cases.losses);
        json_put_number(metric, "opposed", (double)result->opposed);
        cJSON *cases = json_put_array(metric, "cases");
        for (size_t c = 0; c < comparison->pairing.n_cases; c++)
            if (result->rows[c].n > 0)
                add_case(cases, &comparison->pairing.cases[c], &result->rows[c]);
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
    static const char *const problems[] = {"same", "different", "unknown"};
    json_put_text(json, "problems", problems[comparison->problems]);
    json_put_number(json, "gap_factor", comparison->options.gap_factor);
    json_put_bool(json, "same_accuracy", comparison->options.same_accuracy);
    json_put_number(json, "pairs", (double)comparison->pairing.n_pairs);
    json_put_number(json, "compared", (double)comparison->compared);
    json_put_number(json, "alike", (double)comparison->alike);
    json_put_number(json, "baseline_alone", (double)comparison->pairing.alone[BASELINE]);
    json_put_number(json, "solver_alone", (double)comparison->pairing.alone[CANDIDATE]);
    put_marked(json, &comparison->pairing);
}

static void put_finding(cJSON *json, const struct compare_report *report)
{
    const struct finding *finding = &report->finding;
    cJSON *object = json_put_object(json, "finding");
    json_put_text(object, "claim", claim_name(finding->claim));
    json_put_text(object, "metric", compare_metric_texts[report->comparison->cost].key);
    json_put_text(object, "over", finding->over_datasets ? "data sets" : "splits");
    put_interval(object, "ratio", &finding->ratio);
    json_put_rounded(object, "p", finding->p);
    json_put_text(object, "sentence", report->sentence);
}

cJSON *compare_json(const struct compare_report *report, enum compare_part part)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "baseline", report->comparison->arms.labels[BASELINE]);
    json_put_text(json, "solver", report->comparison->arms.labels[CANDIDATE]);
    if (part == COMPARE_COUNTS) {
        json_put_text(json, "note", report->note);
        put_counts(json, report->comparison);
        put_finding(json, report);
    }
    put_metrics(json, report->comparison, part);
    return json;
}
