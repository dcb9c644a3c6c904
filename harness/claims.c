/*
 * A claim is data: a kind, the solvers and field it is about, and the data sets it covers. Each kind is one function
 * that decides one data set; how many data sets must agree is common to all kinds (docs/verdicts.md). The same function
 * is asked twice, with the means and samples of the records and with the means of the paper's printed tables; a rank
 * test needs samples, so printed tables never decide it.
 */
#include "harness/claims.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/rank_sum.h"
#include "harness/tables/sample.h"

static const char *const names[] = {
    [CLAIM_HOLDS] = "holds",
    [CLAIM_IN_PART] = "in part",
    [CLAIM_FAILS] = "fails",
    [CLAIM_MISSING] = "missing",
};
_Static_assert(sizeof names / sizeof *names == CLAIM_VERDICT_COUNT, "one name per verdict");

const char *claim_verdict_name(enum claim_verdict verdict)
{
    return (unsigned)verdict < CLAIM_VERDICT_COUNT ? names[verdict] : "unknown";
}

enum claim_verdict claim_verdict_of(const char *share, size_t yes, size_t no, size_t missing)
{
    if (yes + no == 0)
        return CLAIM_MISSING;
    if (strcmp(share, "some") == 0)
        return yes ? CLAIM_HOLDS : missing ? CLAIM_MISSING : CLAIM_FAILS;
    if (strcmp(share, "majority") == 0) {
        if (yes > no + missing)
            return CLAIM_HOLDS;
        return yes > no ? CLAIM_IN_PART : CLAIM_FAILS;
    }
    if (no == 0)
        return missing ? CLAIM_IN_PART : CLAIM_HOLDS;
    return yes > no ? CLAIM_IN_PART : CLAIM_FAILS;
}

/* Where the figures come from: the records, or the paper's tables where `printed`. */
struct evidence {
    const struct paper *paper;
    const struct records *records;
    int printed;
};

/* A claim being judged, for messages. */
struct context {
    const struct evidence *evidence;
    const cJSON *claim;
    const char *id;
};

static enum status need_number(const struct context *context, const char *key, double *value, struct error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(context->claim, key);
    if (!cJSON_IsNumber(item))
        return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: \"%s\" must be a number",
                         context->evidence->paper->path, context->id, key);
    *value = item->valuedouble;
    return STATUS_OK;
}

/* The claim's member `key` names a solver, or is an object with solver, params, kernel and stop; `field` as given or,
 * where NULL, the claim's own. */
static enum status need_selection(const struct context *context, const char *key, const char *field,
                                  struct record_filter *selection, struct error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(context->claim, key);
    const cJSON *named = cJSON_GetObjectItemCaseSensitive(context->claim, "field");
    *selection = (struct record_filter){.field = field, .ceiling = (double)INFINITY};
    if (!field && cJSON_IsString(named))
        selection->field = named->valuestring;
    if (cJSON_IsObject(item)) {
        const cJSON *solver = cJSON_GetObjectItemCaseSensitive(item, "solver");
        selection->solver = cJSON_IsString(solver) ? solver->valuestring : NULL;
        selection->params = cJSON_GetObjectItemCaseSensitive(item, "params");
        selection->kernel = cJSON_GetObjectItemCaseSensitive(item, "kernel");
        selection->stop = cJSON_GetObjectItemCaseSensitive(item, "stop");
    } else if (cJSON_IsString(item))
        selection->solver = item->valuestring;
    if (!selection->solver || !selection->field)
        return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: needs a solver in \"%s\" and a \"field\"",
                         context->evidence->paper->path, context->id, key);
    return STATUS_OK;
}

/* The printed mean of the first column for this solver and field that has the data set; 0 where there is none. */
static int printed_mean(const struct paper *paper, const struct record_filter *wanted, const char *dataset, double *mean)
{
    for (size_t t = 0; t < paper->n_tables; t++)
        for (size_t j = 0; j < paper->tables[t].n_columns; j++) {
            const struct paper_column *column = &paper->tables[t].columns[j];
            if (column->statistic != STATISTIC_MEAN_SD || strcmp(column->from.solver, wanted->solver) != 0 ||
                strcmp(column->from.field, wanted->field) != 0 || !record_includes(column->from.params, wanted->params))
                continue;
            for (size_t i = 0; i < paper->tables[t].n_rows; i++) {
                const struct paper_row *row = &paper->tables[t].rows[i];
                if (strcmp(row->dataset, dataset) != 0 || row->cells[j].n == 0)
                    continue;
                *mean = row->cells[j].mean * column->unit;
                return 1;
            }
        }
    return 0;
}

/* NaN where there are no figures. */
static enum status mean_of(const struct context *context, const char *key, const char *dataset, double *mean,
                           struct error *error)
{
    struct record_filter selection;
    struct sample sample = {0};
    struct summary summary;
    *mean = (double)NAN;
    enum status status = need_selection(context, key, NULL, &selection, error);
    if (status != STATUS_OK)
        return status;
    if (context->evidence->printed) {
        printed_mean(context->evidence->paper, &selection, dataset, mean);
        return STATUS_OK;
    }
    status = sample_take(context->evidence->records, &selection, dataset, 1, &sample, NULL, error);
    if (status == STATUS_OK)
        status = summary_of(sample.values, sample.n, &summary, error);
    if (status == STATUS_OK)
        *mean = summary.mean;
    sample_free(&sample);
    return status;
}

/* The mean of "lower" is below that of "than", by a share "margin" of it where given. */
static enum status judge_lower_mean(const struct context *context, struct claim_case *one, struct error *error)
{
    double lower = 0, than = 0, margin = 0;
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(context->claim, "margin");
    enum status status = given ? need_number(context, "margin", &margin, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = mean_of(context, "lower", one->dataset, &lower, error);
    if (status == STATUS_OK)
        status = mean_of(context, "than", one->dataset, &than, error);
    one->decided = status == STATUS_OK && !isnan(lower) && !isnan(than);
    one->holds = one->decided && lower < than - margin * fabs(than);
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "%.6g against %.6g", lower, than);
    return status;
}

/* The mean of "over" divided by that of "under" lies in [low, high]. */
static enum status judge_ratio_between(const struct context *context, struct claim_case *one, struct error *error)
{
    double over = 0, under = 0, low = 0, high = 0;
    enum status status = need_number(context, "low", &low, error);
    if (status == STATUS_OK)
        status = need_number(context, "high", &high, error);
    if (status == STATUS_OK)
        status = mean_of(context, "over", one->dataset, &over, error);
    if (status == STATUS_OK)
        status = mean_of(context, "under", one->dataset, &under, error);
    one->decided = status == STATUS_OK && isfinite(over / under);
    one->holds = one->decided && over / under >= low && over / under <= high;
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "%.6g / %.6g = %.4g, claimed %g to %g", over, under, over / under,
                 low, high);
    return status;
}

/* The mean of "middle" lies between those of "low" and "high". */
static enum status judge_between(const struct context *context, struct claim_case *one, struct error *error)
{
    double low = 0, middle = 0, high = 0;
    enum status status = mean_of(context, "low", one->dataset, &low, error);
    if (status == STATUS_OK)
        status = mean_of(context, "middle", one->dataset, &middle, error);
    if (status == STATUS_OK)
        status = mean_of(context, "high", one->dataset, &high, error);
    one->decided = status == STATUS_OK && !isnan(low) && !isnan(middle) && !isnan(high);
    one->holds = one->decided && low <= middle && middle <= high;
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "%.6g between %.6g and %.6g", middle, low, high);
    return status;
}

/* Rank-sum test of two samples; `decided` stays 0 where either is empty or only printed means are there. */
static enum status rank_sum(const struct context *context, const char *first_key, const char *second_key,
                            struct claim_case *one, double *difference, struct rank_test *test, struct error *error)
{
    struct record_filter first_selection, second_selection;
    struct sample first = {0}, second = {0};
    struct summary first_summary = {0}, second_summary = {0};
    enum status status = need_selection(context, first_key, NULL, &first_selection, error);
    if (status == STATUS_OK)
        status = need_selection(context, second_key, NULL, &second_selection, error);
    if (status != STATUS_OK || context->evidence->printed)
        return status;
    status = sample_take(context->evidence->records, &first_selection, one->dataset, 1, &first, NULL, error);
    if (status == STATUS_OK)
        status = sample_take(context->evidence->records, &second_selection, one->dataset, 1, &second, NULL, error);
    if (status != STATUS_OK || first.n == 0 || second.n == 0)
        goto done;
    status = rank_sum_test(first.values, first.n, second.values, second.n, test, error);
    if (status == STATUS_OK)
        status = summary_of(first.values, first.n, &first_summary, error);
    if (status == STATUS_OK)
        status = summary_of(second.values, second.n, &second_summary, error);
    one->decided = status == STATUS_OK;
    *difference = first_summary.mean - second_summary.mean;
    snprintf(one->detail, sizeof one->detail, "%.6g against %.6g, p = %.3g", first_summary.mean, second_summary.mean,
             test->p_value);
done:
    sample_free(&first);
    sample_free(&second);
    return status;
}

static enum status judge_no_difference(const struct context *context, struct claim_case *one, struct error *error)
{
    struct rank_test test = {0};
    double level = 0, difference = 0;
    enum status status = need_number(context, "level", &level, error);
    if (status == STATUS_OK)
        status = rank_sum(context, "first", "second", one, &difference, &test, error);
    one->holds = one->decided && test.p_value >= level;
    return status;
}

static enum status judge_worse(const struct context *context, struct claim_case *one, struct error *error)
{
    struct rank_test test = {0};
    double level = 0, difference = 0;
    enum status status = need_number(context, "level", &level, error);
    if (status == STATUS_OK)
        status = rank_sum(context, "worse", "than", one, &difference, &test, error);
    one->holds = one->decided && test.p_value < level && difference > 0;
    return status;
}

/* How the solver's records ended; printed tables do not tell. */
static enum status count_ends(const struct context *context, struct claim_case *one, size_t *all, struct sample *sample,
                              struct error *error)
{
    struct record_filter selection;
    *all = 0;
    enum status status = need_selection(context, "solver", "iterations", &selection, error);
    if (status != STATUS_OK || context->evidence->printed)
        return status;
    status = sample_take(context->evidence->records, &selection, one->dataset, 1, sample, NULL, error);
    *all = sample->n + sample->without;
    one->decided = status == STATUS_OK && *all > 0;
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "of %zu runs %zu converged, %zu stalled", *all, sample->converged,
                 sample->stalled);
    return status;
}

static enum status judge_converges(const struct context *context, struct claim_case *one, struct error *error)
{
    struct sample sample = {0};
    size_t all = 0;
    enum status status = count_ends(context, one, &all, &sample, error);
    one->holds = one->decided && sample.converged == all;
    sample_free(&sample);
    return status;
}

static enum status judge_never_stalls(const struct context *context, struct claim_case *one, struct error *error)
{
    struct sample sample = {0};
    size_t all = 0;
    enum status status = count_ends(context, one, &all, &sample, error);
    one->holds = one->decided && sample.stalled == 0;
    sample_free(&sample);
    return status;
}

typedef enum status judge_function(const struct context *, struct claim_case *, struct error *);
static const struct {
    const char *name;
    judge_function *judge;
} kinds[] = {
    {"lower_mean", judge_lower_mean},     {"ratio_between", judge_ratio_between},
    {"between", judge_between},           {"no_significant_difference", judge_no_difference},
    {"significantly_worse", judge_worse}, {"converges", judge_converges},
    {"never_stalls", judge_never_stalls},
};

static int lists(const cJSON *array, const char *text)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, array)
        if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
            return 1;
    return 0;
}

static enum status find(const struct context *context, judge_function *judge, const char *share,
                        struct claim_finding *finding, struct error *error)
{
    const cJSON *datasets = cJSON_GetObjectItemCaseSensitive(context->claim, "datasets"), *item = NULL;
    const cJSON *except = cJSON_GetObjectItemCaseSensitive(context->claim, "except");
    datasets = datasets ? datasets : context->evidence->paper->datasets;
    finding->cases = calloc((size_t)cJSON_GetArraySize(datasets) + 1, sizeof *finding->cases);
    if (!finding->cases)
        return error_set(error, STATUS_NO_MEMORY, "claim %s: out of memory", context->id);
    cJSON_ArrayForEach (item, datasets) {
        if (!cJSON_IsString(item))
            return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: \"datasets\" must be names",
                             context->evidence->paper->path, context->id);
        struct claim_case *one = &finding->cases[finding->n_cases++];
        one->dataset = item->valuestring;
        one->excepted = lists(except, one->dataset);
        enum status status = judge(context, one, error);
        if (status != STATUS_OK)
            return status;
        if (one->excepted)
            continue;
        finding->yes += one->decided && one->holds;
        finding->no += one->decided && !one->holds;
        finding->missing += !one->decided;
    }
    finding->verdict = claim_verdict_of(share, finding->yes, finding->no, finding->missing);
    return STATUS_OK;
}

static const char *text_at(const cJSON *json, const char *key, const char *otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    return cJSON_IsString(item) ? item->valuestring : otherwise;
}

static enum status judge_claim(const cJSON *json, const struct paper *paper, const struct records *records,
                               struct claim *claim, struct error *error)
{
    const char *share = text_at(json, "share", "all");
    *claim = (struct claim){.id = text_at(json, "id", NULL),
                            .text = text_at(json, "text", NULL),
                            .where = text_at(json, "where", ""),
                            .kind = text_at(json, "kind", "")};
    if (!claim->id || !claim->text)
        return error_set(error, STATUS_BAD_INPUT, "%s: a claim needs \"id\" and \"text\"", paper->path);
    if (strcmp(share, "all") != 0 && strcmp(share, "majority") != 0 && strcmp(share, "some") != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: \"share\" is \"%s\", none of all, majority, some",
                         paper->path, claim->id, share);
    judge_function *judge = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(claim->kind, kinds[i].name) == 0)
            judge = kinds[i].judge;
    if (!judge)
        return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: \"kind\" is \"%s\", none that is known", paper->path,
                         claim->id, claim->kind);
    struct evidence measured = {paper, records, 0}, printed = {paper, records, 1};
    struct context ours = {&measured, json, claim->id}, theirs = {&printed, json, claim->id};
    enum status status = find(&ours, judge, share, &claim->ours, error);
    return status == STATUS_OK ? find(&theirs, judge, share, &claim->paper, error) : status;
}

enum status claims_judge(const struct paper *paper, const struct records *records, struct claims *claims,
                         struct error *error)
{
    enum status status = STATUS_OK;
    const cJSON *item = NULL;
    *claims = (struct claims){0};
    claims->items = calloc((size_t)cJSON_GetArraySize(paper->claims) + 1, sizeof *claims->items);
    if (!claims->items)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", paper->path);
    cJSON_ArrayForEach (item, paper->claims) {
        status = judge_claim(item, paper, records, &claims->items[claims->count++], error);
        if (status != STATUS_OK) {
            claims_free(claims);
            return status;
        }
    }
    return STATUS_OK;
}

void claims_free(struct claims *claims)
{
    if (!claims)
        return;
    for (size_t i = 0; i < claims->count; i++) {
        free(claims->items[i].ours.cases);
        free(claims->items[i].paper.cases);
    }
    free(claims->items);
    *claims = (struct claims){0};
}
