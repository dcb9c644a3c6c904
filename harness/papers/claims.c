/*
 * A claim is data: a kind, the solvers and field it is about, and the data sets it covers. Each kind is one function
 * that decides one data set; how many data sets must agree is common to all kinds (docs/verdicts.md). The function is
 * asked twice: with the samples of the records and their means, and with the means and signed-rank tests' marks of the
 * paper's printed tables, which leave kinds that ask for more undecided.
 */
#include "harness/papers/claims.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/marks.h"
#include "harness/program/memory.h"

const char *const claim_verdict_names[] = {
    [CLAIM_HOLDS] = "holds", [CLAIM_IN_PART] = "in part", [CLAIM_FAILS] = "fails", [CLAIM_MISSING] = "missing"};
static const char *const quantifiers[] = {"all", "majority", "some", NULL};

enum claim_verdict claim_verdict_of(const char *quantifier, size_t yes, size_t no, size_t missing)
{
    if (yes + no == 0)
        return CLAIM_MISSING;
    if (strcmp(quantifier, "some") == 0)
        return yes ? CLAIM_HOLDS : missing ? CLAIM_MISSING : CLAIM_FAILS;
    if (strcmp(quantifier, "majority") == 0 && yes > no + missing)
        return CLAIM_HOLDS;
    if (strcmp(quantifier, "all") == 0 && no == 0)
        return missing ? CLAIM_IN_PART : CLAIM_HOLDS;
    return yes > no ? CLAIM_IN_PART : CLAIM_FAILS;
}

enum { SELECTIONS_MAX = 4, NUMBERS_MAX = 2 };

/* A claim and, for the data set that is being decided, the figures. */
struct question {
    const struct paper *paper;
    const struct records *records;
    const struct claim_kind *kind;
    int printed; /* the tables of the paper are asked, not the records */
    struct record_filter from[SELECTIONS_MAX];
    double numbers[NUMBERS_MAX];
    double decimals; /* below 0: means are not rounded */
    int quantifier, test, reciprocal; /* test: enum test_kind */
    const cJSON *datasets, *except;
    struct sample samples[SELECTIONS_MAX]; /* empty where the paper is asked */
    double means[SELECTIONS_MAX];          /* NaN where there are no figures */
};

/* ---- kinds about means, which are all known ---- */

/* What a difference of printed means may be off by its representation in binary; a printed digit is 1e-1 to 1e-4. */
#define BINARY_SLACK 1e-9
#define DETAIL(one, ...) snprintf((one)->detail, sizeof(one)->detail, __VA_ARGS__)

static void lower_mean(const struct question *question, struct claim_case *one)
{
    const double *means = question->means;
    one->holds = means[0] < means[1] - question->numbers[0] * fabs(means[1]);
    DETAIL(one, "%.6g against %.6g", means[0], means[1]);
}

static void at_most(const struct question *question, struct claim_case *one)
{
    const double *means = question->means;
    one->holds = means[0] <= means[1] + BINARY_SLACK;
    DETAIL(one, "%.6g against %.6g", means[0], means[1]);
}

static void ratio_between(const struct question *question, struct claim_case *one)
{
    const double *means = question->means, *range = question->numbers;
    double ratio = means[0] / means[1];
    one->decided = isfinite(ratio);
    one->holds = one->decided && ratio >= range[0] && ratio <= range[1];
    if (one->decided)
        DETAIL(one, "%.6g / %.6g = %.4g, claimed %g to %g", means[0], means[1], ratio, range[0], range[1]);
}

static void between(const struct question *question, struct claim_case *one)
{
    const double *means = question->means;
    one->holds = means[0] <= means[1] && means[1] <= means[2];
    DETAIL(one, "%.6g between %.6g and %.6g", means[1], means[0], means[2]);
}

static void means_within(const struct question *question, struct claim_case *one)
{
    const double *means = question->means, apart = fabs(means[0] - means[1]);
    one->holds = apart <= question->numbers[0] + BINARY_SLACK;
    DETAIL(one, "%.6g and %.6g, %.3g apart", means[0], means[1], apart);
}

static void closer_means(const struct question *question, struct claim_case *one)
{
    const double *means = question->means;
    double apart = fabs(means[0] - means[1]), before = fabs(means[2] - means[3]);
    one->holds = apart < before;
    DETAIL(one, "%.3g apart against %.3g", apart, before);
}

static void same_order(const struct question *question, struct claim_case *one)
{
    const double *means = question->means;
    int here = (means[0] > means[1]) - (means[0] < means[1]), there = (means[2] > means[3]) - (means[2] < means[3]);
    one->holds = here == there;
    DETAIL(one, "%.6g against %.6g, and %.6g against %.6g", means[0], means[1], means[2], means[3]);
}

/* ---- kinds about samples ---- */

/* Whether the column is fed by what is wanted: the same solver and field, and no condition the column lacks. */
static int column_fits(const struct paper_column *column, const struct record_filter *wanted)
{
    return paper_column_is_mean(column) && strcmp(column->from.solver, wanted->solver) == 0 &&
           strcmp(column->from.field, wanted->field) == 0 && record_includes(column->from.params, wanted->params) &&
           record_includes(column->from.kernel, wanted->kernel) && record_includes(column->from.stop, wanted->stop);
}

static const struct paper_row *row_of(const struct paper_table *table, const char *dataset)
{
    for (size_t i = 0; i < table->n_rows; i++)
        if (strcmp(table->rows[i].dataset, dataset) == 0)
            return &table->rows[i];
    return NULL;
}

/* Finds the mark that a printed table has for the signed-rank test between the first two selections: *sign is -1 where
 * the first is marked (and so significantly lower), 1 where the second is, 0 where neither. Whether there is a test,
 * its cells not left empty. */
static int printed_mark(const struct question *question, const char *dataset, int *sign)
{
    const struct record_filter *first = &question->from[0], *second = &question->from[1];
    for (size_t t = 0; t < question->paper->n_tables; t++) {
        const struct paper_table *table = &question->paper->tables[t];
        const struct paper_row *row = row_of(table, dataset);
        for (size_t k = 0; row && k < table->n_tests; k++) {
            const struct paper_test *test = &table->tests[k];
            const size_t a = test->sides[0].columns[0], b = test->sides[1].columns[0];
            const struct paper_column *columns = table->columns;
            if (!test->mark || test->kind != TEST_SIGNED_RANK || test->sides[0].n > 1 || test->sides[1].n > 1)
                continue;
            int straight = column_fits(&columns[a], first) && column_fits(&columns[b], second);
            int turned = !straight && column_fits(&columns[a], second) && column_fits(&columns[b], first);
            if ((!straight && !turned) || row->cells[a].n == 0 || row->cells[b].n == 0)
                continue;
            enum marked_side side = marked_side(test, row->marked[k]);
            *sign = side == MARKED_NOWHERE ? 0 : (side == MARKED_FIRST) != turned ? -1 : 1;
            return 1;
        }
    }
    return 0;
}

/* What a rank test says of the first two selections. */
struct outcome_of_test {
    int significant;
    int sign; /* of the first mean less the second */
};

static struct outcome_of_test outcome_by_paper(const struct question *question, struct claim_case *one)
{
    int sign = 0;
    one->decided = question->test == TEST_SIGNED_RANK && printed_mark(question, one->dataset, &sign);
    if (one->decided)
        DETAIL(one, "%s marked", sign ? question->from[sign > 0].solver : "neither");
    return (struct outcome_of_test){sign != 0, sign};
}

/* Paired, the means are of what is tested, too: of the splits that both have. */
static struct outcome_of_test outcome_of(const struct question *question, struct claim_case *one)
{
    const struct sample *tested[2] = {&question->samples[0], &question->samples[1]};
    struct sample shared[2] = {{0}, {0}};
    struct rank_test test;
    if (question->printed)
        return outcome_by_paper(question, one);
    if (question->test == TEST_SIGNED_RANK) {
        samples_shared(tested, 2, shared);
        tested[0] = &shared[0];
        tested[1] = &shared[1];
    }
    one->decided = samples_test((enum test_kind)question->test, tested[0], tested[1], &test) > 0;
    const double first = sample_summary(tested[0]).mean, second = sample_summary(tested[1]).mean;
    if (one->decided)
        DETAIL(one, "%.6g against %.6g, p = %.3g", first, second, test.p_value);
    sample_free(&shared[0]);
    sample_free(&shared[1]);
    return (struct outcome_of_test){test.p_value < question->numbers[0], (first > second) - (first < second)};
}

static void no_difference(const struct question *question, struct claim_case *one)
{
    struct outcome_of_test outcome = outcome_of(question, one);
    one->holds = one->decided && !outcome.significant;
}

static void significantly_worse(const struct question *question, struct claim_case *one)
{
    struct outcome_of_test outcome = outcome_of(question, one);
    one->holds = one->decided && outcome.significant && outcome.sign > 0;
}

/* The objectives, or one and the reciprocal of the other where "reciprocal", differ on no split by more than "limit"
 * relative to the second. Reciprocal: the optimum of the nearest points is h = 1/2 |W|^2 = 1/D, D that of the dual of
 * the 2-SVM (2.4.2), since the margin 1/|w| of an SVM is half the distance |W| of the hulls. */
static void same_model(const struct question *question, struct claim_case *one)
{
    const struct sample *const both[] = {&question->samples[0], &question->samples[1]};
    struct sample shared[2];
    double worst = 0;
    samples_shared(both, 2, shared);
    for (size_t i = 0; i < shared[0].n; i++) {
        const double first = shared[0].values[i], second = shared[1].values[i];
        double apart = fabs((question->reciprocal ? first * second : first / second) - 1);
        worst = apart > worst || isnan(apart) ? apart : worst;
    }
    one->decided = shared[0].n > 0;
    one->holds = one->decided && worst <= question->numbers[0];
    if (one->decided)
        DETAIL(one, "at most %.3g %% apart on %zu splits", 100 * worst, shared[0].n);
    sample_free(&shared[0]);
    sample_free(&shared[1]);
}

/* How the solver's records ended. */
static void tell_ends(const struct sample *sample, size_t good, struct claim_case *one)
{
    const size_t all = sample->n + sample->n_null;
    one->decided = all > 0;
    one->holds = one->decided && good == all;
    if (one->decided)
        DETAIL(one, "of %zu runs %zu converged, %zu stalled", all, sample->converged, sample->stalled);
}

static void converges(const struct question *question, struct claim_case *one)
{
    tell_ends(&question->samples[0], question->samples[0].converged, one);
}

static void never_stalls(const struct question *question, struct claim_case *one)
{
    const struct sample *sample = &question->samples[0];
    tell_ends(sample, sample->n + sample->n_null - sample->stalled, one);
}

/* ---- the kinds ---- */

enum { BY_MEANS = 1, ROUNDED = 2, OPTIONAL = 4, ENDS = 8 };

static const struct claim_kind {
    const char *name;
    void (*decide)(const struct question *question, struct claim_case *one);
    const char *selections[SELECTIONS_MAX]; /* members that say which records */
    const char *numbers[NUMBERS_MAX];       /* members that are numbers */
    /* BY_MEANS: undecided while a mean is missing; ROUNDED: "decimals" rounds the means as a table would print them;
     * OPTIONAL: the numbers may be absent and are then 0; ENDS: needs no "field" */
    int flags;
} kinds[] = {
    {"lower_mean", lower_mean, {"left", "right"}, {"margin"}, BY_MEANS | OPTIONAL},
    {"at_most", at_most, {"left", "right"}, {NULL}, BY_MEANS | ROUNDED},
    {"ratio_between", ratio_between, {"over", "under"}, {"low", "high"}, BY_MEANS},
    {"between", between, {"low", "value", "high"}, {NULL}, BY_MEANS},
    {"means_within", means_within, {"first", "second"}, {"limit"}, BY_MEANS | ROUNDED},
    {"closer_means", closer_means, {"first", "second", "than_first", "than_second"}, {NULL}, BY_MEANS},
    {"same_order", same_order, {"first", "second", "as_first", "as_second"}, {NULL}, BY_MEANS},
    {"no_significant_difference", no_difference, {"first", "second"}, {"level"}, 0},
    {"significantly_worse", significantly_worse, {"left", "right"}, {"level"}, 0},
    {"same_model", same_model, {"first", "second"}, {"limit"}, 0},
    {"converges", converges, {"solver"}, {NULL}, ENDS},
    {"never_stalls", never_stalls, {"solver"}, {NULL}, ENDS},
};

/* The member is a solver's name, or an object with conditions as a column has them. */
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

static enum status read_question(const cJSON *json, const struct json_path *place, struct question *question,
                                 struct error *error)
{
    const double endless = (double)INFINITY;
    const char *names[sizeof kinds / sizeof *kinds + 1] = {NULL};
    int index = 0;
    const struct json_member members[] = {
        {"kind", .required = 1, .choice = &index, .names = names},
        {"quantifier", .choice = &question->quantifier, .names = quantifiers},
        {"test", .choice = &question->test, .names = test_kind_names},
        {"decimals", .number = &question->decimals, .above = -endless, .at_most = endless},
        {"datasets", .list = &question->datasets},
        {"except", .list = &question->except},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        names[i] = kinds[i].name;
    enum status status = json_members(json, place, members, sizeof members / sizeof *members, error);
    const struct claim_kind *kind = question->kind = &kinds[index];
    question->reciprocal = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "reciprocal"));
    question->datasets = question->datasets ? question->datasets : question->paper->datasets;
    for (size_t i = 0; i < NUMBERS_MAX && kind->numbers[i] && status == STATUS_OK; i++)
        status = json_number(json, kind->numbers[i], place, !(kind->flags & OPTIONAL), -endless, endless,
                             &question->numbers[i], error);
    for (size_t i = 0; i < SELECTIONS_MAX && kind->selections[i] && status == STATUS_OK; i++)
        status = read_selection(json, kind->selections[i], place, kind->flags & ENDS, &question->from[i], error);
    for (const cJSON *item = question->datasets->child; item && status == STATUS_OK; item = item->next)
        if (!cJSON_IsString(item))
            status = json_error(place, error, "\"datasets\" must be names");
    return status;
}

/* ---- judging ---- */

/* The printed mean of the first column for these records that has the data set; NaN where there is none. */
static double printed_mean(const struct paper *paper, const struct record_filter *wanted, const char *dataset)
{
    for (size_t t = 0; t < paper->n_tables; t++) {
        const struct paper_table *table = &paper->tables[t];
        const struct paper_row *row = row_of(table, dataset);
        for (size_t j = 0; row && j < table->n_columns; j++)
            if (row->cells[j].n > 0 && column_fits(&table->columns[j], wanted))
                return row->cells[j].mean * table->columns[j].unit;
    }
    return (double)NAN;
}

static double rounded_to(double mean, double decimals)
{
    double unit = 1;
    for (int i = 0; i < (int)decimals && i < 15; i++)
        unit *= 10;
    return decimals >= 0 ? rint(mean * unit) / unit : mean;
}

/* Fills decided, holds and detail of the data set one->dataset. */
static enum status decide(struct question *question, struct claim_case *one, struct error *error)
{
    const struct claim_kind *kind = question->kind;
    enum status status = STATUS_OK;
    int decide = 1;
    for (size_t i = 0; i < SELECTIONS_MAX && kind->selections[i] && status == STATUS_OK; i++) {
        struct sample *sample = &question->samples[i];
        if (!question->printed)
            status = sample_take(question->records, &question->from[i], one->dataset, 1, sample, NULL, error);
        double mean = question->printed ? printed_mean(question->paper, &question->from[i], one->dataset)
                                        : sample_summary(sample).mean;
        question->means[i] = kind->flags & ROUNDED ? rounded_to(mean, question->decimals) : mean;
        decide = decide && !(kind->flags & BY_MEANS && isnan(mean));
    }
    one->decided = decide;
    if (status == STATUS_OK && decide)
        kind->decide(question, one);
    for (size_t i = 0; i < SELECTIONS_MAX; i++)
        sample_free(&question->samples[i]);
    return status;
}

static int lists(const cJSON *array, const char *text)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, array)
        if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
            return 1;
    return 0;
}

static enum status judge(struct question *question, struct claim_finding *finding, struct error *error)
{
    enum status status = STATUS_OK;
    finding->cases = xcalloc((size_t)cJSON_GetArraySize(question->datasets), sizeof *finding->cases);
    for (const cJSON *item = question->datasets->child; item && status == STATUS_OK; item = item->next) {
        struct claim_case *one = &finding->cases[finding->n_cases++];
        one->dataset = item->valuestring;
        one->excepted = lists(question->except, one->dataset);
        status = decide(question, one, error);
        if (one->excepted)
            continue;
        finding->yes += one->decided && one->holds;
        finding->no += one->decided && !one->holds;
        finding->missing += !one->decided;
    }
    finding->verdict =
        claim_verdict_of(quantifiers[question->quantifier], finding->yes, finding->no, finding->missing);
    return status;
}

static enum status judge_claim(const cJSON *json, size_t index, const struct paper *paper,
                               const struct records *records, struct claim *claim, struct error *error)
{
    const struct json_path top = {.file = paper->path};
    const struct json_path in_claims = {.file = paper->path, .outer = &top, .key = "claims"};
    const struct json_path at = {.file = paper->path, .outer = &in_claims, .index = index};
    char name[128];
    const struct json_path place = {.file = paper->path, .outer = &top, .key = name};
    struct question question = {.paper = paper, .records = records, .decimals = -1, .test = TEST_RANK_SUM};
    const char *where = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "where"));
    const struct json_member texts[] = {{"id", .required = 1, .text = &claim->id},
                                        {"text", .required = 1, .text = &claim->text}};
    enum status status = json_members(json, &at, texts, 2, error);
    if (status != STATUS_OK)
        return status;
    snprintf(name, sizeof name, "claim %s", claim->id);
    status = read_question(json, &place, &question, error);
    claim->where = where ? where : "";
    claim->kind = question.kind->name;
    for (question.printed = 0; question.printed < 2 && status == STATUS_OK; question.printed++)
        status = judge(&question, question.printed ? &claim->printed : &claim->measured, error);
    return status;
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
