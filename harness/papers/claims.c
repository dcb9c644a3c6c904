/*
 * A claim is data: a kind, the solvers and field it is about, and the data sets it covers. Each kind is one function
 * that decides one data set; how many data sets must agree is common to all kinds (docs/verdicts.md). The same function
 * is asked twice, with the means and samples of the records and with the means and marks of the paper's printed tables
 * (harness/papers/claim_means.c, harness/papers/claim_samples.c).
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/claim_kinds.h"

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
    judge_function *judge = claim_kind_of_means(claim->kind);
    judge = judge ? judge : claim_kind_of_samples(claim->kind);
    if (!judge)
        return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: \"kind\" is \"%s\", none that is known", paper->path,
                         claim->id, claim->kind);
    struct evidence measured = {paper, records, 0}, printed = {paper, records, 1};
    struct context ours = {&measured, json, claim->id}, theirs = {&printed, json, claim->id};
    enum status status = find(&ours, judge, share, &claim->measured, error);
    return status == STATUS_OK ? find(&theirs, judge, share, &claim->printed, error) : status;
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
        free(claims->items[i].measured.cases);
        free(claims->items[i].printed.cases);
    }
    free(claims->items);
    *claims = (struct claims){0};
}
