/*
 * A claim is data: a kind, the solvers and field it is about, and the data sets it covers. Each kind is one function
 * that decides one data set (claim_kinds.c); how many data sets must agree is common to all kinds (docs/verdicts.md).
 * The same function is asked twice, with the means and samples of the records and with the means and marks of the
 * paper's printed tables.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/claim_kinds.h"
#include "harness/program/memory.h"

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

enum claim_verdict claim_verdict_of(const char *quantifier, size_t yes, size_t no, size_t missing)
{
    if (yes + no == 0)
        return CLAIM_MISSING;
    if (strcmp(quantifier, "some") == 0)
        return yes ? CLAIM_HOLDS : missing ? CLAIM_MISSING : CLAIM_FAILS;
    if (strcmp(quantifier, "majority") == 0) {
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

static enum status find(const struct context *context, const char *kind, const char *quantifier,
                        struct claim_finding *finding, struct error *error)
{
    const cJSON *datasets = cJSON_GetObjectItemCaseSensitive(context->claim, "datasets"), *item = NULL;
    const cJSON *except = cJSON_GetObjectItemCaseSensitive(context->claim, "except");
    datasets = datasets ? datasets : context->paper->datasets;
    finding->cases = xcalloc((size_t)cJSON_GetArraySize(datasets), sizeof *finding->cases);
    cJSON_ArrayForEach (item, datasets) {
        if (!cJSON_IsString(item))
            return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: \"datasets\" must be names",
                             context->paper->path, context->id);
        struct claim_case *one = &finding->cases[finding->n_cases++];
        one->dataset = item->valuestring;
        one->excepted = lists(except, one->dataset);
        enum status status = claim_kind_judge(kind, context, one, error);
        if (status != STATUS_OK)
            return status;
        if (one->excepted)
            continue;
        finding->yes += one->decided && one->holds;
        finding->no += one->decided && !one->holds;
        finding->missing += !one->decided;
    }
    finding->verdict = claim_verdict_of(quantifier, finding->yes, finding->no, finding->missing);
    return STATUS_OK;
}

static enum status judge_claim(const cJSON *json, const struct paper *paper, const struct records *records,
                               struct claim *claim, struct error *error)
{
    const char *quantifier = paper_text(json, "quantifier"), *where = paper_text(json, "where");
    const char *kind = paper_text(json, "kind");
    quantifier = quantifier ? quantifier : "all";
    *claim = (struct claim){.id = paper_text(json, "id"),
                            .text = paper_text(json, "text"),
                            .where = where ? where : "",
                            .kind = kind ? kind : ""};
    if (!claim->id || !claim->text)
        return error_set(error, STATUS_BAD_INPUT, "%s: a claim needs \"id\" and \"text\"", paper->path);
    if (strcmp(quantifier, "all") != 0 && strcmp(quantifier, "majority") != 0 && strcmp(quantifier, "some") != 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: claim %s: \"quantifier\" is \"%s\", none of all, majority, some", paper->path, claim->id,
                         quantifier);
    struct context context = {paper, records, 0, json, claim->id};
    enum status status = find(&context, claim->kind, quantifier, &claim->measured, error);
    context.printed = 1;
    return status == STATUS_OK ? find(&context, claim->kind, quantifier, &claim->printed, error) : status;
}

enum status claims_judge(const struct paper *paper, const struct records *records, struct claims *claims,
                         struct error *error)
{
    const cJSON *item = NULL;
    *claims = (struct claims){.items = xcalloc((size_t)cJSON_GetArraySize(paper->claims), sizeof *claims->items)};
    cJSON_ArrayForEach (item, paper->claims) {
        enum status status = judge_claim(item, paper, records, &claims->items[claims->count++], error);
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
