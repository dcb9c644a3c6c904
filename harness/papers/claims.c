/*
 * A claim is data: a kind, the solvers and field it concerns, and the data sets it covers. Each kind is one function
 * that decides one data set (harness/papers/claim_kinds.c); how many data sets must agree is common to all kinds
 * (docs/verdicts.md). The function is called twice: with the samples of the records, and with the means and signed-rank
 * marks of the paper's printed tables. Kinds that need more than the tables give stay undecided there.
 *
 * A claim about all of m data sets fails if one opposes it. If the claim is true, at least one of m opposes it at level
 * a with a chance of up to m a, so each is tested at a/m (Bonferroni). Finding all m in its favour at level a needs no
 * such correction (Berger 1982). For a claim about some data set the two roles are exchanged.
 */
#include "harness/papers/claims.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/claim_kinds.h"
#include "harness/papers/paired.h"
#include "harness/base/memory.h"
#include "harness/support/json_field.h"

const char *const claim_verdict_names[] = {[CLAIM_HOLDS] = "holds",
                                           [CLAIM_NOT_DECIDED] = "not decided",
                                           [CLAIM_FAILS] = "fails",
                                           [CLAIM_MISSING] = "missing"};
enum { ALL, MAJORITY, SOME };
static const char *const quantifiers[] = {[ALL] = "all", [MAJORITY] = "majority", [SOME] = "some", NULL};
/* What the claim asserts for the data sets under "except". */
static const char *const exceptions[] = {"contrary", "nothing", NULL};

enum claim_verdict claim_verdict_of(const char *quantifier, const size_t counts[CLAIM_ANSWERS])
{
    const size_t yes = counts[CLAIM_FOR], no = counts[CLAIM_AGAINST];
    const size_t unknown = counts[CLAIM_OPEN] + counts[CLAIM_NO_FIGURES];
    int holds = yes > no + unknown, fails = no >= yes + unknown;
    if (yes + no + counts[CLAIM_OPEN] == 0)
        return CLAIM_MISSING;
    if (strcmp(quantifier, quantifiers[ALL]) == 0) {
        holds = no + unknown == 0;
        fails = no > 0;
    } else if (strcmp(quantifier, quantifiers[SOME]) == 0) {
        holds = yes > 0;
        fails = yes + unknown == 0;
    }
    return holds ? CLAIM_HOLDS : fails ? CLAIM_FAILS : CLAIM_NOT_DECIDED;
}

/* A parsed claim. */
struct reading {
    struct question question;
    const struct records *records;
    const struct run_folders *runs;
    int quantifier, exception;
    const cJSON *datasets, *except;
    size_t counted; /* data sets that are not left out */
};

/* ---- reading ---- */

/* Reads a solver's name, or an object with conditions as for a column. */
static enum status read_selection(const cJSON *json, const char *key, const struct json_path *place, int ends,
                                  struct record_filter *filter, struct error *error)
{
    const struct json_path at = {.file = place->file, .outer = place, .key = key};
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    enum status status = cJSON_IsObject(item) ? paper_read_filter(item, &at, filter, error)
                                              : json_text(json, key, place, 1, &filter->solver, error);
    filter->clamp_max = (double)INFINITY;
    filter->field = "iterations";
    return status == STATUS_OK && !ends ? json_text(json, "field", place, 1, &filter->field, error) : status;
}

static enum status check_names(const cJSON *list, const char *key, const struct json_path *place, struct error *error)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list)
        if (!cJSON_IsString(item))
            return json_error(place, error, "\"%s\" must be a list of names", key);
    return STATUS_OK;
}

static enum status check_members(const cJSON *json, const struct json_path *place, const struct claim_kind *kind,
                                 struct error *error)
{
    enum { COMMON = 14 };
    const char *allowed[COMMON + CLAIM_SELECTIONS_MAX + CLAIM_NUMBERS_MAX + 1] = {
        "id",       "text",   "where",    "kind",       "field",     "quantifier", "test",
        "decimals", "except", "datasets", "reciprocal", "converged", "excepted",   "fitted"};
    size_t n = COMMON;
    for (size_t i = 0; i < CLAIM_SELECTIONS_MAX && kind->selections[i]; i++)
        allowed[n++] = kind->selections[i];
    for (size_t i = 0; i < CLAIM_NUMBERS_MAX && kind->numbers[i]; i++)
        allowed[n++] = kind->numbers[i];
    return json_check_keys(json, place, allowed, error);
}

static enum status read_kind(const cJSON *json, const struct json_path *place, struct question *question,
                             struct error *error)
{
    const double endless = (double)INFINITY;
    const char *names[CLAIM_KINDS + 1] = {NULL};
    int index = 0;
    const struct json_member members[] = {{"kind", .required = 1, .choice = &index, .names = names}};
    for (size_t i = 0; i < CLAIM_KINDS; i++)
        names[i] = claim_kinds[i].name;
    enum status status = json_members(json, place, members, 1, error);
    const struct claim_kind *kind = question->kind = &claim_kinds[index];
    if (status == STATUS_OK)
        status = check_members(json, place, kind, error);
    for (size_t i = 0; i < CLAIM_NUMBERS_MAX && kind->numbers[i] && status == STATUS_OK; i++)
        status = json_number(json, kind->numbers[i], place, !(kind->flags & CLAIM_OPTIONAL), -endless, endless,
                             &question->numbers[i], error);
    for (size_t i = 0; i < CLAIM_SELECTIONS_MAX && kind->selections[i] && status == STATUS_OK; i++)
        status = read_selection(json, kind->selections[i], place, kind->flags & CLAIM_ENDS, &question->from[i], error);
    return status;
}

static enum status read_claim(const cJSON *json, const struct json_path *place, struct reading *reading,
                              struct error *error)
{
    const double endless = (double)INFINITY;
    struct question *question = &reading->question;
    const cJSON *item = NULL;
    double decimals = (double)NAN;
    const struct json_member members[] = {
        {"quantifier", .choice = &reading->quantifier, .names = quantifiers},
        {"test", .choice = &question->test, .names = test_kind_names},
        {"decimals", .number = &decimals, .above = -endless, .at_most = endless},
        {"reciprocal", .flag = &question->reciprocal},
        {"converged", .flag = &question->converged},
        {"datasets", .list = &reading->datasets},
        {"except", .list = &reading->except},
        {"excepted", .choice = &reading->exception, .names = exceptions},
    };
    enum status status = read_kind(json, place, question, error);
    if (status == STATUS_OK)
        status = json_members(json, place, members, sizeof members / sizeof *members, error);
    if (status == STATUS_OK && !reading->except != !cJSON_HasObjectItem(json, "excepted"))
        status = json_error(place, error, "\"except\" needs \"excepted\" (\"%s\" or \"%s\"), and the reverse",
                            exceptions[0], exceptions[1]);
    if (status == STATUS_OK)
        status = check_names(reading->datasets, "datasets", place, error);
    if (status == STATUS_OK)
        status = check_names(reading->except, "except", place, error);
    question->half_unit = isnan(decimals) ? 0 : 0.5 * pow(10, -decimals);
    reading->datasets = reading->datasets ? reading->datasets : question->paper->datasets;
    cJSON_ArrayForEach (item, reading->datasets)
        reading->counted++;
    if (reading->exception && status == STATUS_OK)
        cJSON_ArrayForEach (item, reading->except)
            reading->counted -= reading->counted > 0;
    return status;
}

/* ---- judging ---- */

/* The printed mean of the first column for these records that includes the data set; NaN if there is none. */
static double printed_mean(const struct paper *paper, const struct record_filter *wanted, const char *dataset)
{
    for (size_t t = 0; t < paper->n_tables; t++) {
        const struct paper_table *table = &paper->tables[t];
        const struct paper_row *row = claim_row_of(table, dataset);
        for (size_t j = 0; row && j < table->n_columns; j++)
            if (row->cells[j].n > 0 && claim_column_fits(&table->columns[j], wanted))
                return row->cells[j].mean * table->columns[j].unit;
    }
    return (double)NAN;
}

/* Collects the data set's figures; *known: whether a kind that needs means can be decided. */
static enum status take_figures(struct reading *reading, const char *dataset, int *known, struct error *error)
{
    struct question *question = &reading->question;
    const struct sample *all[CLAIM_SELECTIONS_MAX];
    enum status status = STATUS_OK;
    size_t n = 0;
    *known = 1;
    for (; n < CLAIM_SELECTIONS_MAX && question->kind->selections[n] && status == STATUS_OK; n++) {
        all[n] = &question->samples[n];
        if (!question->printed)
            status =
                sample_take(reading->records, &question->from[n], dataset, 1, &question->samples[n], NULL, error);
    }
    if (status == STATUS_OK && !question->printed)
        samples_shared(all, n, question->shared);
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        question->means[i] = question->printed ? printed_mean(question->paper, &question->from[i], dataset)
                                               : summary_of(question->shared[i].values, question->shared[i].n).mean;
        *known = *known && !isnan(question->means[i]);
    }
    question->n_train = question->n_test = 0;
    if (reading->runs && question->shared[0].n > 0)
        run_folders_sizes(reading->runs, question->shared[0].records[0], &question->n_train, &question->n_test);
    return status;
}

/* Reports unconverged runs; a claim about converged runs is open if some did not converge. */
static void hold_open(const struct question *question, struct claim_case *one)
{
    const size_t used = strlen(one->detail);
    size_t unconverged = 0, total = 0;
    for (size_t i = 0; i < CLAIM_SELECTIONS_MAX; i++) {
        const struct sample *sample = &question->samples[i];
        total += sample->n + sample->n_null;
        unconverged += sample->n + sample->n_null - sample->converged;
    }
    if (unconverged == 0 || question->kind->flags & CLAIM_ENDS || one->answer == CLAIM_NO_FIGURES)
        return;
    snprintf(one->detail + used, sizeof one->detail - used, "; %zu of %zu runs did not converge", unconverged, total);
    if (question->converged)
        one->answer = CLAIM_OPEN;
}

/* Fills the answer and detail for data set one->dataset. */
static enum status decide(struct reading *reading, struct claim_case *one, struct error *error)
{
    struct question *question = &reading->question;
    const struct claim_kind *kind = question->kind;
    const double corrected = 1 / (double)(reading->counted ? reading->counted : 1);
    const double share_for = reading->quantifier == SOME ? corrected : 1;
    const double share_against = reading->quantifier == ALL ? corrected : 1;
    const int turn = one->contrary && !(kind->flags & CLAIM_NEGATES);
    int known = 0;
    enum status status = take_figures(reading, one->dataset, &known, error);
    question->negated = one->contrary;
    question->share_for = turn ? share_against : share_for;
    question->share_against = turn ? share_for : share_against;
    if (status == STATUS_OK && (known || !(kind->flags & CLAIM_BY_MEANS)))
        kind->decide(question, one);
    if (turn && (one->answer == CLAIM_FOR || one->answer == CLAIM_AGAINST))
        one->answer = one->answer == CLAIM_FOR ? CLAIM_AGAINST : CLAIM_FOR;
    hold_open(question, one);
    for (size_t i = 0; i < CLAIM_SELECTIONS_MAX; i++) {
        sample_free(&question->samples[i]);
        sample_free(&question->shared[i]);
    }
    return status;
}

static enum status judge(struct reading *reading, struct claim_finding *finding, struct error *error)
{
    enum status status = STATUS_OK;
    finding->cases = xcalloc((size_t)cJSON_GetArraySize(reading->datasets), sizeof *finding->cases);
    for (const cJSON *item = reading->datasets->child; item && status == STATUS_OK; item = item->next) {
        struct claim_case *one = &finding->cases[finding->n_cases++];
        const int excepted = json_list_has(reading->except, item->valuestring);
        one->dataset = item->valuestring;
        one->left_out = excepted && reading->exception;
        one->contrary = excepted && !reading->exception;
        status = decide(reading, one, error);
        finding->counts[one->answer] += !one->left_out;
    }
    finding->verdict = claim_verdict_of(quantifiers[reading->quantifier], finding->counts);
    return status;
}

/* Reads a claim as far as its own members say. */
static enum status take_claim(const cJSON *json, size_t index, struct reading *reading, struct claim *claim,
                              struct error *error)
{
    const char *file = reading->question.paper->path;
    const struct json_path top = {.file = file};
    const struct json_path in_claims = {.file = file, .outer = &top, .key = "claims"};
    const struct json_path at = {.file = file, .outer = &in_claims, .index = index};
    char name[128];
    const struct json_path place = {.file = file, .outer = &top, .key = name};
    const struct json_member texts[] = {{"id", .required = 1, .text = &claim->id},
                                        {"text", .required = 1, .text = &claim->text},
                                        {"where", .text = &claim->where},
                                        {"fitted", .text = &claim->fitted}};
    enum status status = json_members(json, &at, texts, 4, error);
    if (status != STATUS_OK)
        return status;
    snprintf(name, sizeof name, "claim %s", claim->id);
    status = read_claim(json, &place, reading, error);
    claim->where = claim->where ? claim->where : "";
    claim->kind = reading->question.kind->name;
    return status;
}

enum status claims_check(const struct paper *paper, struct error *error)
{
    const cJSON *item = NULL;
    size_t index = 0;
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (item, paper->claims) {
        struct reading reading = {.question = {.paper = paper}};
        struct claim claim = {.id = NULL};
        if (status == STATUS_OK)
            status = take_claim(item, index++, &reading, &claim, error);
    }
    return status;
}

enum status claims_judge(const struct paper *paper, const struct records *records, const struct run_folders *runs,
                         struct claims *claims, struct error *error)
{
    const cJSON *item = NULL;
    enum status status = STATUS_OK;
    *claims = (struct claims){.items = xcalloc((size_t)cJSON_GetArraySize(paper->claims), sizeof *claims->items)};
    for (item = paper->claims ? paper->claims->child : NULL; item && status == STATUS_OK; item = item->next) {
        struct reading reading = {
            .question = {.paper = paper, .test = TEST_RANK_SUM}, .records = records, .runs = runs};
        struct question *question = &reading.question;
        struct claim *claim = &claims->items[claims->count];
        status = take_claim(item, claims->count++, &reading, claim, error);
        for (question->printed = 0; question->printed < 2 && status == STATUS_OK; question->printed++)
            status = judge(&reading, question->printed ? &claim->printed : &claim->measured, error);
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
