/*
 * The kinds of claims. Most compare means, which printed tables can decide too. The others need samples: rank tests,
 * agreement split by split, and how runs ended; of these, printed tables decide only signed-rank tests, by the mark
 * they print.
 */
#include "harness/papers/claim_kinds.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/papers/paired.h"
#include "harness/stats/rank_sum.h"
#include "harness/stats/summary.h"

/* ---- kinds about means ---- */

/* What a difference of printed means may be off by its representation in binary; a printed digit is 1e-1 to 1e-4. */
#define BINARY_SLACK 1e-9

enum { MEANS_MAX = 4, NUMBERS_MAX = 2 };

/* Decides by means that are numbers, and writes the detail. */
typedef void decide_function(const double *means, const double *numbers, struct claim_case *one);

static void lower_mean(const double *means, const double *numbers, struct claim_case *one)
{
    one->holds = means[0] < means[1] - numbers[0] * fabs(means[1]);
    snprintf(one->detail, sizeof one->detail, "%.6g against %.6g", means[0], means[1]);
}

static void at_most(const double *means, const double *numbers, struct claim_case *one)
{
    (void)numbers;
    one->holds = means[0] <= means[1] + BINARY_SLACK;
    snprintf(one->detail, sizeof one->detail, "%.6g against %.6g", means[0], means[1]);
}

static void ratio_between(const double *means, const double *numbers, struct claim_case *one)
{
    double ratio = means[0] / means[1];
    one->decided = isfinite(ratio);
    one->holds = one->decided && ratio >= numbers[0] && ratio <= numbers[1];
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "%.6g / %.6g = %.4g, claimed %g to %g", means[0], means[1], ratio,
                 numbers[0], numbers[1]);
}

static void between(const double *means, const double *numbers, struct claim_case *one)
{
    (void)numbers;
    one->holds = means[0] <= means[1] && means[1] <= means[2];
    snprintf(one->detail, sizeof one->detail, "%.6g between %.6g and %.6g", means[1], means[0], means[2]);
}

static void means_within(const double *means, const double *numbers, struct claim_case *one)
{
    double apart = fabs(means[0] - means[1]);
    one->holds = apart <= numbers[0] + BINARY_SLACK;
    snprintf(one->detail, sizeof one->detail, "%.6g and %.6g, %.3g apart", means[0], means[1], apart);
}

static void closer_means(const double *means, const double *numbers, struct claim_case *one)
{
    double apart = fabs(means[0] - means[1]), before = fabs(means[2] - means[3]);
    (void)numbers;
    one->holds = apart < before;
    snprintf(one->detail, sizeof one->detail, "%.3g apart against %.3g", apart, before);
}

static void same_order(const double *means, const double *numbers, struct claim_case *one)
{
    int here = (means[0] > means[1]) - (means[0] < means[1]), there = (means[2] > means[3]) - (means[2] < means[3]);
    (void)numbers;
    one->holds = here == there;
    snprintf(one->detail, sizeof one->detail, "%.6g against %.6g, and %.6g against %.6g", means[0], means[1], means[2],
             means[3]);
}

static const struct means_kind {
    const char *name;
    const char *means[MEANS_MAX];     /* members whose means are compared */
    const char *numbers[NUMBERS_MAX]; /* numbers of the claim, in the order of the function's */
    int optional;                     /* the numbers may be absent and are then 0 */
    int rounded;                      /* "decimals" rounds the means as a table would print them */
    decide_function *decide;
} means_kinds[] = {
    {"lower_mean", {"left", "right"}, {"margin"}, 1, 0, lower_mean},
    {"at_most", {"left", "right"}, {NULL}, 0, 1, at_most},
    {"ratio_between", {"over", "under"}, {"low", "high"}, 0, 0, ratio_between},
    {"between", {"low", "value", "high"}, {NULL}, 0, 0, between},
    {"means_within", {"first", "second"}, {"limit"}, 0, 1, means_within},
    {"closer_means", {"first", "second", "than_first", "than_second"}, {NULL}, 0, 0, closer_means},
    {"same_order", {"first", "second", "as_first", "as_second"}, {NULL}, 0, 0, same_order},
};

static double rounded_to(double mean, double decimals)
{
    double unit = 1;
    for (int i = 0; i < (int)decimals && i < 15; i++)
        unit *= 10;
    return decimals >= 0 ? rint(mean * unit) / unit : mean;
}

static enum status judge_means(const struct means_kind *kind, const struct context *context, struct claim_case *one,
                               struct error *error)
{
    double means[MEANS_MAX] = {0}, numbers[NUMBERS_MAX] = {0}, decimals = -1;
    enum status status = STATUS_OK;
    for (int i = 0; i < NUMBERS_MAX && kind->numbers[i] && status == STATUS_OK; i++)
        status = claim_number(context, kind->numbers[i], !kind->optional, &numbers[i], error);
    if (status == STATUS_OK && kind->rounded)
        status = claim_number(context, "decimals", 0, &decimals, error);
    one->decided = 1;
    for (int i = 0; i < MEANS_MAX && kind->means[i] && status == STATUS_OK; i++) {
        status = claim_mean(context, kind->means[i], one->dataset, &means[i], error);
        means[i] = rounded_to(means[i], decimals);
        one->decided = one->decided && !isnan(means[i]);
    }
    one->decided = one->decided && status == STATUS_OK;
    if (one->decided)
        kind->decide(means, numbers, one);
    return status;
}

/* ---- kinds about samples ---- */

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

/* Only the filters where printed tables are asked. */
static enum status two_samples_take(const struct context *context, const char *first, const char *second,
                                    const char *dataset, struct two_samples *two, struct error *error)
{
    const char *const keys[] = {first, second};
    enum status status = STATUS_OK;
    *two = (struct two_samples){0};
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = claim_filter(context, keys[i], NULL, &two->from[i], error);
    for (int i = 0; i < 2 && status == STATUS_OK && !context->printed; i++)
        status = sample_take(context->records, &two->from[i], dataset, 1, &two->samples[i], NULL, error);
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
                         context->paper->path, context->id, name);
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
    if (paired)
        pairs_of(first, second, &pairs);
    size_t n = paired ? pairs.n : first->n < second->n ? first->n : second->n;
    /* means of what is tested: of the pairs alone where there are pairs */
    enum status status = summary_of(paired ? pairs.first : first->values, paired ? n : first->n, &means[0], error);
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
    enum status status = claim_number(context, "level", 1, &level, error);
    if (status == STATUS_OK)
        status = is_paired(context, &paired, error);
    if (status == STATUS_OK)
        status = two_samples_take(context, first, second, one->dataset, &two, error);
    if (status == STATUS_OK && !context->printed)
        status = test_samples(&two, paired, level, one, outcome, error);
    else if (status == STATUS_OK && paired) {
        printed_mark(context->paper, &two.from[0], &two.from[1], one->dataset, &outcome->sign, &one->decided);
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
    enum status status = rank_test_of(context, "left", "right", one, &outcome, error);
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
    enum status status = claim_number(context, "limit", 1, &limit, error);
    if (status == STATUS_OK)
        status = two_samples_take(context, "first", "second", one->dataset, &two, error);
    if (status == STATUS_OK && !context->printed)
        pairs_of(&two.samples[0], &two.samples[1], &pairs);
    for (size_t i = 0; i < pairs.n; i++) {
        double ratio = reciprocal ? pairs.first[i] * pairs.second[i] : pairs.first[i] / pairs.second[i];
        double apart = fabs(ratio - 1);
        worst = apart > worst || isnan(apart) ? apart : worst;
    }
    one->decided = pairs.n > 0;
    one->holds = one->decided && worst <= limit;
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "at most %.3g %% apart on %zu splits", 100 * worst, pairs.n);
    pairs_free(&pairs);
    two_samples_free(&two);
    return status;
}

/* How the solver's records ended; printed tables do not tell. `stalls`: whether one stalled is asked, else
 * whether all converged. */
static enum status judge_ends(const struct context *context, int stalls, struct claim_case *one, struct error *error)
{
    struct record_filter filter;
    struct sample sample = {0};
    enum status status = claim_filter(context, "solver", "iterations", &filter, error);
    if (status != STATUS_OK || context->printed)
        return status;
    status = sample_take(context->records, &filter, one->dataset, 1, &sample, NULL, error);
    size_t all = sample.n + sample.without;
    one->decided = status == STATUS_OK && all > 0;
    one->holds = one->decided && (stalls ? sample.stalled == 0 : sample.converged == all);
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "of %zu runs %zu converged, %zu stalled", all, sample.converged,
                 sample.stalled);
    sample_free(&sample);
    return status;
}

static enum status judge_converges(const struct context *context, struct claim_case *one, struct error *error)
{
    return judge_ends(context, 0, one, error);
}

static enum status judge_never_stalls(const struct context *context, struct claim_case *one, struct error *error)
{
    return judge_ends(context, 1, one, error);
}

enum status claim_kind_judge(const char *kind, const struct context *context, struct claim_case *one,
                             struct error *error)
{
    static const struct {
        const char *name;
        enum status (*judge)(const struct context *context, struct claim_case *one, struct error *error);
    } kinds[] = {
        {"no_significant_difference", judge_no_difference},
        {"significantly_worse", judge_worse},
        {"same_model", judge_same_model},
        {"converges", judge_converges},
        {"never_stalls", judge_never_stalls},
    };
    for (size_t i = 0; i < sizeof means_kinds / sizeof *means_kinds; i++)
        if (strcmp(kind, means_kinds[i].name) == 0)
            return judge_means(&means_kinds[i], context, one, error);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i].name) == 0)
            return kinds[i].judge(context, one, error);
    return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: \"kind\" is \"%s\", none that is known",
                     context->paper->path, context->id, kind);
}
