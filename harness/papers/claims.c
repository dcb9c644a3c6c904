/*
 * A claim is data: a kind, the solvers and field it is about, and the data sets it covers. Each kind is one function
 * that decides one data set (claim_kinds.c); how many data sets must agree is common to all kinds (docs/verdicts.md).
 * The same function is asked twice, with the means and samples of the records and with the means and marks of the
 * paper's printed tables.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
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

static enum status judge(const struct context *context, const char *quantifier, struct claim_finding *finding,
                         struct error *error)
{
    const cJSON *datasets = context->paper->datasets, *own = NULL, *item = NULL;
    const cJSON *except = cJSON_GetObjectItemCaseSensitive(context->claim, "except");
    const struct json_member member = {"datasets", .list = &own};
    enum status status = json_members(context->claim, context->place, &member, 1, error);
    datasets = own ? own : datasets;
    finding->cases = xcalloc((size_t)cJSON_GetArraySize(datasets), sizeof *finding->cases);
    for (item = datasets->child; item && status == STATUS_OK; item = item->next) {
        struct claim_case *one = &finding->cases[finding->n_cases++];
        if (!cJSON_IsString(item))
            return json_error(context->place, error, "\"datasets\" must be names");
        one->dataset = item->valuestring;
        one->excepted = lists(except, one->dataset);
        status = claim_kind_judge(context, one, error);
        finding->yes += !one->excepted && one->decided && one->holds;
        finding->no += !one->excepted && one->decided && !one->holds;
        finding->missing += !one->excepted && !one->decided;
    }
    finding->verdict = claim_verdict_of(quantifier, finding->yes, finding->no, finding->missing);
    return status;
}

static enum status judge_claim(const cJSON *json, size_t index, const struct paper *paper,
                               const struct records *records, struct claim *claim, struct error *error)
{
    static const char *const quantifiers[] = {"all", "majority", "some", NULL};
    const struct json_path top = {.file = paper->path};
    const struct json_path in_claims = {.file = paper->path, .outer = &top, .key = "claims"};
    const struct json_path at = {.file = paper->path, .outer = &in_claims, .index = index};
    const char *where = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "where"));
    char name[128];
    const struct json_path place = {.file = paper->path, .outer = &top, .key = name};
    struct context context = {.paper = paper, .records = records, .claim = json, .place = &place};
    int quantifier = 0;
    const struct json_member texts[] = {{"id", .required = 1, .text = &claim->id},
                                        {"text", .required = 1, .text = &claim->text}};
    const struct json_member how[] = {{"kind", .required = 1, .text = &claim->kind},
                                      {"quantifier", .choice = &quantifier, .names = quantifiers}};
    enum status status = json_members(json, &at, texts, 2, error);
    if (status != STATUS_OK)
        return status;
    claim->where = where ? where : "";
    snprintf(name, sizeof name, "claim %s", claim->id);
    status = json_members(json, &place, how, 2, error);
    if (status == STATUS_OK)
        status = claim_kind_read(json, &place, &context.kind, error);
    if (status == STATUS_OK)
        status = judge(&context, quantifiers[quantifier], &claim->measured, error);
    context.printed = 1;
    return status == STATUS_OK ? judge(&context, quantifiers[quantifier], &claim->printed, error) : status;
}

enum status claims_judge(const struct paper *paper, const struct records *records, struct claims *claims,
                         struct error *error)
{
    const cJSON *item = NULL;
    enum status status = STATUS_OK;
    *claims = (struct claims){.items = xcalloc((size_t)cJSON_GetArraySize(paper->claims), sizeof *claims->items)};
    for (item = paper->claims ? paper->claims->child : NULL; item && status == STATUS_OK; item = item->next) {
        status = judge_claim(item, claims->count, paper, records, &claims->items[claims->count], error);
        claims->count++;
    }
    if (status != STATUS_OK)
        claims_free(claims);
    return status;
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
