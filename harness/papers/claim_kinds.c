/*
 * The kinds of claims. Each decides by the same evidence for one data set: the samples of the records that the claim
 * names and their means or, from the paper's own tables, the printed means and the marks of signed-rank tests. Kinds
 * that ask for more stay undecided by the paper.
 */
#include "harness/papers/claim_kinds.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/papers/marks.h"

enum { SELECTIONS_MAX = 4, NUMBERS_MAX = 2 };

struct evidence {
    const struct context *context;
    struct record_filter from[SELECTIONS_MAX];
    struct sample samples[SELECTIONS_MAX]; /* empty where the paper is asked */
    double means[SELECTIONS_MAX];          /* NaN where there are no figures */
    double numbers[NUMBERS_MAX];
    int test; /* enum test_kind */
};

/* ---- kinds about means, which are all known ---- */

/* What a difference of printed means may be off by its representation in binary; a printed digit is 1e-1 to 1e-4. */
#define BINARY_SLACK 1e-9
#define DETAIL(one, ...) snprintf((one)->detail, sizeof(one)->detail, __VA_ARGS__)

static void lower_mean(const struct evidence *evidence, struct claim_case *one)
{
    const double *means = evidence->means;
    one->holds = means[0] < means[1] - evidence->numbers[0] * fabs(means[1]);
    DETAIL(one, "%.6g against %.6g", means[0], means[1]);
}

static void at_most(const struct evidence *evidence, struct claim_case *one)
{
    const double *means = evidence->means;
    one->holds = means[0] <= means[1] + BINARY_SLACK;
    DETAIL(one, "%.6g against %.6g", means[0], means[1]);
}

static void ratio_between(const struct evidence *evidence, struct claim_case *one)
{
    const double *means = evidence->means, *range = evidence->numbers;
    double ratio = means[0] / means[1];
    one->decided = isfinite(ratio);
    one->holds = one->decided && ratio >= range[0] && ratio <= range[1];
    if (one->decided)
        DETAIL(one, "%.6g / %.6g = %.4g, claimed %g to %g", means[0], means[1], ratio, range[0], range[1]);
}

static void between(const struct evidence *evidence, struct claim_case *one)
{
    const double *means = evidence->means;
    one->holds = means[0] <= means[1] && means[1] <= means[2];
    DETAIL(one, "%.6g between %.6g and %.6g", means[1], means[0], means[2]);
}

static void means_within(const struct evidence *evidence, struct claim_case *one)
{
    const double *means = evidence->means, apart = fabs(means[0] - means[1]);
    one->holds = apart <= evidence->numbers[0] + BINARY_SLACK;
    DETAIL(one, "%.6g and %.6g, %.3g apart", means[0], means[1], apart);
}

static void closer_means(const struct evidence *evidence, struct claim_case *one)
{
    const double *means = evidence->means;
    double apart = fabs(means[0] - means[1]), before = fabs(means[2] - means[3]);
    one->holds = apart < before;
    DETAIL(one, "%.3g apart against %.3g", apart, before);
}

static void same_order(const struct evidence *evidence, struct claim_case *one)
{
    const double *means = evidence->means;
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

/* The test's mark in the row of the data set; 0 where the table has no such row or the paper left its cells empty. */
static int mark_in_row(const struct paper_table *table, size_t k, const char *dataset, int turned, int *mark)
{
    const size_t first = table->tests[k].sides[0].columns[0], second = table->tests[k].sides[1].columns[0];
    for (size_t i = 0; i < table->n_rows; i++) {
        const struct paper_row *row = &table->rows[i];
        if (strcmp(row->dataset, dataset) != 0 || row->cells[first].n == 0 || row->cells[second].n == 0)
            continue;
        enum marked_side side = marked_side(&table->tests[k], row->marked[k]);
        *mark = side == MARKED_NOWHERE ? 0 : (side == MARKED_FIRST) != turned ? -1 : 1;
        return 1;
    }
    return 0;
}

/* Finds the mark that a printed table has for the signed-rank test between the first two selections: *sign is -1 where
 * the first is marked (and so significantly lower), 1 where the second is, 0 where neither. Whether there is a test. */
static int printed_mark(const struct evidence *evidence, const char *dataset, int *sign)
{
    const struct paper *paper = evidence->context->paper;
    const struct record_filter *first = &evidence->from[0], *second = &evidence->from[1];
    for (size_t t = 0; t < paper->n_tables; t++)
        for (size_t k = 0; k < paper->tables[t].n_tests; k++) {
            const struct paper_table *table = &paper->tables[t];
            const struct paper_test *test = &table->tests[k];
            if (!test->mark || test->kind != TEST_SIGNED_RANK || test->sides[0].n > 1 || test->sides[1].n > 1)
                continue;
            const struct paper_column *a = &table->columns[test->sides[0].columns[0]];
            const struct paper_column *b = &table->columns[test->sides[1].columns[0]];
            int straight = column_fits(a, first) && column_fits(b, second);
            if ((straight || (column_fits(a, second) && column_fits(b, first))) &&
                mark_in_row(table, k, dataset, !straight, sign))
                return 1;
        }
    return 0;
}

/* What a rank test says of the first two selections. */
struct outcome_of_test {
    int significant;
    int sign; /* of the first mean less the second */
};

static struct outcome_of_test outcome_by_paper(const struct evidence *evidence, struct claim_case *one)
{
    int sign = 0;
    one->decided = evidence->test == TEST_SIGNED_RANK && printed_mark(evidence, one->dataset, &sign);
    if (one->decided)
        DETAIL(one, "%s marked", sign ? evidence->from[sign > 0].solver : "neither");
    return (struct outcome_of_test){sign != 0, sign};
}

/* Paired, the means are of what is tested, too: of the splits that both have. */
static struct outcome_of_test outcome_of(const struct evidence *evidence, struct claim_case *one)
{
    const struct sample *tested[2] = {&evidence->samples[0], &evidence->samples[1]};
    struct sample shared[2] = {{0}, {0}};
    struct rank_test test;
    if (evidence->context->printed)
        return outcome_by_paper(evidence, one);
    if (evidence->test == TEST_SIGNED_RANK) {
        samples_shared(tested, 2, shared);
        tested[0] = &shared[0];
        tested[1] = &shared[1];
    }
    one->decided = samples_test((enum test_kind)evidence->test, tested[0], tested[1], &test) > 0;
    const double first = sample_summary(tested[0]).mean, second = sample_summary(tested[1]).mean;
    if (one->decided)
        DETAIL(one, "%.6g against %.6g, p = %.3g", first, second, test.p_value);
    sample_free(&shared[0]);
    sample_free(&shared[1]);
    return (struct outcome_of_test){test.p_value < evidence->numbers[0], (first > second) - (first < second)};
}

static void no_difference(const struct evidence *evidence, struct claim_case *one)
{
    struct outcome_of_test outcome = outcome_of(evidence, one);
    one->holds = one->decided && !outcome.significant;
}

static void significantly_worse(const struct evidence *evidence, struct claim_case *one)
{
    struct outcome_of_test outcome = outcome_of(evidence, one);
    one->holds = one->decided && outcome.significant && outcome.sign > 0;
}

/* The objectives, or one and the reciprocal of the other where "reciprocal", differ on no split by more than "limit"
 * relative to the second. Reciprocal: the optimum of the nearest points is h = 1/2 |W|^2 = 1/D, D that of the dual of
 * the 2-SVM (2.4.2), since the margin 1/|w| of an SVM is half the distance |W| of the hulls. */
static void same_model(const struct evidence *evidence, struct claim_case *one)
{
    const struct sample *const both[] = {&evidence->samples[0], &evidence->samples[1]};
    struct sample shared[2];
    double worst = 0;
    int reciprocal = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(evidence->context->claim, "reciprocal"));
    samples_shared(both, 2, shared);
    for (size_t i = 0; i < shared[0].n; i++) {
        const double first = shared[0].values[i], second = shared[1].values[i];
        double apart = fabs((reciprocal ? first * second : first / second) - 1);
        worst = apart > worst || isnan(apart) ? apart : worst;
    }
    one->decided = shared[0].n > 0;
    one->holds = one->decided && worst <= evidence->numbers[0];
    if (one->decided)
        DETAIL(one, "at most %.3g %% apart on %zu splits", 100 * worst, shared[0].n);
    sample_free(&shared[0]);
    sample_free(&shared[1]);
}

/* How the solver's records ended. */
static void tell_ends(const struct sample *sample, size_t good, struct claim_case *one)
{
    const size_t all = sample->n + sample->without;
    one->decided = all > 0;
    one->holds = one->decided && good == all;
    if (one->decided)
        DETAIL(one, "of %zu runs %zu converged, %zu stalled", all, sample->converged, sample->stalled);
}

static void converges(const struct evidence *evidence, struct claim_case *one)
{
    tell_ends(&evidence->samples[0], evidence->samples[0].converged, one);
}

static void never_stalls(const struct evidence *evidence, struct claim_case *one)
{
    const struct sample *sample = &evidence->samples[0];
    tell_ends(sample, sample->n + sample->without - sample->stalled, one);
}

/* ---- evidence ---- */

enum { BY_MEANS = 1, ROUNDED = 2, OPTIONAL = 4, TESTED = 8, ENDS = 16 };

static const struct claim_kind {
    const char *name;
    void (*decide)(const struct evidence *evidence, struct claim_case *one);
    const char *selections[SELECTIONS_MAX]; /* members that say which records */
    const char *numbers[NUMBERS_MAX];       /* members that are numbers */
    /* BY_MEANS: undecided while a mean is missing; ROUNDED: "decimals" rounds the means as a table would print them;
     * OPTIONAL: the numbers may be absent and are then 0; TESTED: "test" names a rank test; ENDS: needs no
     * "field" */
    int flags;
} kinds[] = {
    {"lower_mean", lower_mean, {"left", "right"}, {"margin"}, BY_MEANS | OPTIONAL},
    {"at_most", at_most, {"left", "right"}, {NULL}, BY_MEANS | ROUNDED},
    {"ratio_between", ratio_between, {"over", "under"}, {"low", "high"}, BY_MEANS},
    {"between", between, {"low", "value", "high"}, {NULL}, BY_MEANS},
    {"means_within", means_within, {"first", "second"}, {"limit"}, BY_MEANS | ROUNDED},
    {"closer_means", closer_means, {"first", "second", "than_first", "than_second"}, {NULL}, BY_MEANS},
    {"same_order", same_order, {"first", "second", "as_first", "as_second"}, {NULL}, BY_MEANS},
    {"no_significant_difference", no_difference, {"first", "second"}, {"level"}, TESTED},
    {"significantly_worse", significantly_worse, {"left", "right"}, {"level"}, TESTED},
    {"same_model", same_model, {"first", "second"}, {"limit"}, 0},
    {"converges", converges, {"solver"}, {NULL}, ENDS},
    {"never_stalls", never_stalls, {"solver"}, {NULL}, ENDS},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

enum status claim_kind_read(const struct cJSON *claim, const struct json_path *place, int *kind, struct error *error)
{
    const char *names[KINDS + 1] = {NULL};
    const struct json_member member = {"kind", .required = 1, .choice = kind, .names = names};
    for (size_t i = 0; i < KINDS; i++)
        names[i] = kinds[i].name;
    return json_members(claim, place, &member, 1, error);
}

static double rounded_to(double mean, double decimals)
{
    double unit = 1;
    for (int i = 0; i < (int)decimals && i < 15; i++)
        unit *= 10;
    return decimals >= 0 ? rint(mean * unit) / unit : mean;
}

/* The printed mean of the first column for these records that has the data set; NaN where there is none. */
static double printed_mean(const struct paper *paper, const struct record_filter *wanted, const char *dataset)
{
    for (size_t t = 0; t < paper->n_tables; t++)
        for (size_t j = 0; j < paper->tables[t].n_columns; j++) {
            const struct paper_column *column = &paper->tables[t].columns[j];
            for (size_t i = 0; column_fits(column, wanted) && i < paper->tables[t].n_rows; i++) {
                const struct paper_row *row = &paper->tables[t].rows[i];
                if (strcmp(row->dataset, dataset) == 0 && row->cells[j].n > 0)
                    return row->cells[j].mean * column->unit;
            }
        }
    return (double)NAN;
}

/* The member is a solver's name, or an object with conditions as a column has them. */
static enum status take_selection(const struct context *context, const char *key, const char *dataset,
                                  struct evidence *evidence, size_t i, struct error *error)
{
    const struct json_path at = {.file = context->place->file, .outer = context->place, .key = key};
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(context->claim, key);
    struct record_filter *filter = &evidence->from[i];
    enum status status = STATUS_OK;
    filter->ceiling = (double)INFINITY;
    if (cJSON_IsObject(item))
        status = paper_read_filter(item, &at, filter, error);
    else
        status = json_text(context->claim, key, context->place, 1, &filter->solver, error);
    if (kinds[context->kind].flags & ENDS)
        filter->field = "iterations";
    else if (status == STATUS_OK)
        status = json_text(context->claim, "field", context->place, 1, &filter->field, error);
    if (status == STATUS_OK && !context->printed)
        status = sample_take(context->records, filter, dataset, 1, &evidence->samples[i], NULL, error);
    if (status == STATUS_OK)
        evidence->means[i] = context->printed ? printed_mean(context->paper, filter, dataset)
                                              : sample_summary(&evidence->samples[i]).mean;
    return status;
}

enum status claim_kind_judge(const struct context *context, struct claim_case *one, struct error *error)
{
    const struct claim_kind *kind = &kinds[context->kind];
    const double endless = (double)INFINITY;
    struct evidence evidence = {.context = context, .test = TEST_RANK_SUM};
    double decimals = -1;
    const struct json_member members[] = {
        {"decimals", .number = &decimals, .above = -endless, .at_most = endless},
        {"test", .choice = &evidence.test, .names = test_kind_names},
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < NUMBERS_MAX && kind->numbers[i] && status == STATUS_OK; i++)
        status = json_number(context->claim, kind->numbers[i], context->place, !(kind->flags & OPTIONAL), -endless,
                             endless, &evidence.numbers[i], error);
    if (status == STATUS_OK && kind->flags & (ROUNDED | TESTED))
        status = json_members(context->claim, context->place, &members[kind->flags & TESTED ? 1 : 0], 1, error);
    one->decided = 1;
    for (size_t i = 0; i < SELECTIONS_MAX && kind->selections[i] && status == STATUS_OK; i++) {
        status = take_selection(context, kind->selections[i], one->dataset, &evidence, i, error);
        evidence.means[i] = rounded_to(evidence.means[i], decimals);
        one->decided = one->decided && !(kind->flags & BY_MEANS && isnan(evidence.means[i]));
    }
    if (status == STATUS_OK && one->decided)
        kind->decide(&evidence, one);
    for (size_t i = 0; i < SELECTIONS_MAX; i++)
        sample_free(&evidence.samples[i]);
    return status;
}
