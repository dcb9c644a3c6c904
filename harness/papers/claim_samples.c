/*
 * Kinds of claims that need samples: rank tests, agreement split by split, and how runs ended. Printed tables decide of
 * these only signed-rank tests, by the mark they print.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/papers/claim_kinds.h"
#include "harness/stats/rank_sum.h"
#include "harness/stats/summary.h"
#include "harness/papers/paired.h"

/* The two samples of a claim. */
struct two_samples {
    struct record_filter from[2];
    struct sample samples[2];
};

static void two_samples_free(struct two_samples *two)
{
    sample_free(&two->samples[0]);
    sample_free(&two->samples[1]);
}

/* Only the selections where printed tables are asked. */
static enum status two_samples_take(const struct context *context, const char *first, const char *second,
                                    const char *dataset, struct two_samples *two, struct error *error)
{
    const char *const keys[] = {first, second};
    enum status status = STATUS_OK;
    *two = (struct two_samples){0};
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = need_selection(context, keys[i], NULL, &two->from[i], error);
    for (int i = 0; i < 2 && status == STATUS_OK && !context->evidence->printed; i++)
        status = sample_take(context->evidence->records, &two->from[i], dataset, 1, &two->samples[i], NULL, error);
    return status;
}

/* The claim's "test": nonzero for signed-rank, 0 for rank-sum or none named. */
static enum status is_paired(const struct context *context, int *paired, struct error *error)
{
    const cJSON *test = cJSON_GetObjectItemCaseSensitive(context->claim, "test");
    const char *name = test ? cJSON_IsString(test) ? test->valuestring : "no text" : test_kind_name(TEST_RANK_SUM);
    *paired = strcmp(name, test_kind_name(TEST_SIGNED_RANK)) == 0;
    if (!*paired && strcmp(name, test_kind_name(TEST_RANK_SUM)) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: \"test\" is \"%s\", none of rank-sum, signed-rank",
                         context->evidence->paper->path, context->id, name);
    return STATUS_OK;
}

/* What a rank test says of two samples. */
struct outcome_of_test {
    int significant;
    int sign; /* of the first mean less the second */
};

static enum status test_samples(const struct two_samples *two, int paired, double level, struct claim_case *one,
                                struct outcome_of_test *outcome, struct error *error)
{
    const struct sample *first = &two->samples[0], *second = &two->samples[1];
    struct summary means[2] = {0};
    struct rank_test test = {0};
    struct pairs pairs = {0};
    enum status status = paired ? pairs_of(first, second, &pairs, error) : STATUS_OK;
    size_t n = paired ? pairs.n : first->n < second->n ? first->n : second->n;
    if (status == STATUS_OK) /* of what is tested: of the pairs alone where there are pairs */
        status = summary_of(paired ? pairs.first : first->values, paired ? n : first->n, &means[0], error);
    if (status == STATUS_OK)
        status = summary_of(paired ? pairs.second : second->values, paired ? n : second->n, &means[1], error);
    if (status == STATUS_OK && n > 0)
        status = paired ? pairs_test(&pairs, &test, error)
                        : rank_sum_test(first->values, first->n, second->values, second->n, NULL, &test, error);
    pairs_free(&pairs);
    if (status != STATUS_OK || n == 0)
        return status;
    one->decided = 1;
    outcome->significant = test.p_value < level;
    outcome->sign = (means[0].mean > means[1].mean) - (means[0].mean < means[1].mean);
    snprintf(one->detail, sizeof one->detail, "%.6g against %.6g, p = %.3g", means[0].mean, means[1].mean,
             test.p_value);
    return STATUS_OK;
}

/* `decided` stays 0 where a sample is empty, or where printed tables have no mark for the test. */
static enum status rank_test_of(const struct context *context, const char *first, const char *second,
                                struct claim_case *one, struct outcome_of_test *outcome, struct error *error)
{
    struct two_samples two = {0};
    double level = 0;
    int paired = 0;
    *outcome = (struct outcome_of_test){0};
    enum status status = need_number(context, "level", &level, error);
    if (status == STATUS_OK)
        status = is_paired(context, &paired, error);
    if (status == STATUS_OK)
        status = two_samples_take(context, first, second, one->dataset, &two, error);
    if (status == STATUS_OK && !context->evidence->printed)
        status = test_samples(&two, paired, level, one, outcome, error);
    else if (status == STATUS_OK && paired) {
        printed_mark(context->evidence->paper, &two.from[0], &two.from[1], one->dataset, &outcome->sign, &one->decided);
        outcome->significant = outcome->sign != 0;
        if (one->decided)
            snprintf(one->detail, sizeof one->detail, "%s marked",
                     outcome->sign < 0 ? two.from[0].solver : outcome->sign > 0 ? two.from[1].solver : "neither");
    }
    two_samples_free(&two);
    return status;
}

static enum status judge_no_difference(const struct context *context, struct claim_case *one, struct error *error)
{
    struct outcome_of_test outcome;
    enum status status = rank_test_of(context, "first", "second", one, &outcome, error);
    one->holds = one->decided && !outcome.significant;
    return status;
}

static enum status judge_worse(const struct context *context, struct claim_case *one, struct error *error)
{
    struct outcome_of_test outcome;
    enum status status = rank_test_of(context, "worse", "than", one, &outcome, error);
    one->holds = one->decided && outcome.significant && outcome.sign > 0;
    return status;
}

/* The objectives, or one and the reciprocal of the other where "reciprocal", differ on no split by more than "limit"
 * relative to the second. Reciprocal: the optimum of the nearest points is h = 1/2 |W|^2 = 1/D, D that of the dual of
 * the 2-SVM (2.4.2), since the margin 1/|w| of an SVM is half the distance |W| of the hulls. */
static enum status judge_same_model(const struct context *context, struct claim_case *one, struct error *error)
{
    struct two_samples two = {0};
    struct pairs pairs = {0};
    double limit = 0, worst = 0;
    int reciprocal = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(context->claim, "reciprocal"));
    enum status status = need_number(context, "limit", &limit, error);
    if (status == STATUS_OK)
        status = two_samples_take(context, "first", "second", one->dataset, &two, error);
    if (status == STATUS_OK && !context->evidence->printed)
        status = pairs_of(&two.samples[0], &two.samples[1], &pairs, error);
    for (size_t i = 0; i < pairs.n; i++) {
        double ratio = reciprocal ? pairs.first[i] * pairs.second[i] : pairs.first[i] / pairs.second[i];
        double apart = fabs(ratio - 1);
        worst = apart > worst || isnan(apart) ? apart : worst;
    }
    one->decided = status == STATUS_OK && pairs.n > 0;
    one->holds = one->decided && worst <= limit;
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "at most %.3g %% apart on %zu splits", 100 * worst, pairs.n);
    pairs_free(&pairs);
    two_samples_free(&two);
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

judge_function *claim_kind_of_samples(const char *name)
{
    static const struct {
        const char *name;
        judge_function *judge;
    } kinds[] = {
        {"no_significant_difference", judge_no_difference},
        {"significantly_worse", judge_worse},
        {"same_model", judge_same_model},
        {"converges", judge_converges},
        {"never_stalls", judge_never_stalls},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i].name) == 0)
            return kinds[i].judge;
    return NULL;
}
