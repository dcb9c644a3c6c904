/* Kinds of claims that compare means; printed means can decide them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/papers/claim_kinds.h"

/* The mean of "lower" is below that of "than", by a share "margin" of it where given. */
static enum status judge_lower_mean(const struct context *context, struct claim_case *one, struct error *error)
{
    double lower = 0, than = 0, margin = 0;
    enum status status = may_have_number(context, "margin", &margin, error);
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

/* With "decimals" d, the mean as a table with d decimals would print it. */
static enum status rounded_mean(const struct context *context, const char *key, const char *dataset, double *mean,
                                struct error *error)
{
    double decimals = -1, unit = 1;
    enum status status = may_have_number(context, "decimals", &decimals, error);
    if (status == STATUS_OK)
        status = mean_of(context, key, dataset, mean, error);
    for (int i = 0; i < (int)decimals && i < 15; i++)
        unit *= 10;
    if (status == STATUS_OK && decimals >= 0)
        *mean = rint(*mean * unit) / unit;
    return status;
}

/* What a difference of printed means may be off by its representation in binary; a printed digit is 1e-1 to 1e-4. */
#define BINARY_SLACK 1e-9

/* The mean of "lower" is at most that of "than". */
static enum status judge_at_most(const struct context *context, struct claim_case *one, struct error *error)
{
    double lower = 0, than = 0;
    enum status status = rounded_mean(context, "lower", one->dataset, &lower, error);
    if (status == STATUS_OK)
        status = rounded_mean(context, "than", one->dataset, &than, error);
    one->decided = status == STATUS_OK && !isnan(lower) && !isnan(than);
    one->holds = one->decided && lower <= than + BINARY_SLACK;
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "%.6g against %.6g", lower, than);
    return status;
}

/* The means of "first" and "second" are at most "limit" apart. */
static enum status judge_means_within(const struct context *context, struct claim_case *one, struct error *error)
{
    double first = 0, second = 0, limit = 0;
    enum status status = need_number(context, "limit", &limit, error);
    if (status == STATUS_OK)
        status = rounded_mean(context, "first", one->dataset, &first, error);
    if (status == STATUS_OK)
        status = rounded_mean(context, "second", one->dataset, &second, error);
    one->decided = status == STATUS_OK && !isnan(first) && !isnan(second);
    one->holds = one->decided && fabs(first - second) <= limit + BINARY_SLACK;
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "%.6g and %.6g, %.3g apart", first, second, fabs(first - second));
    return status;
}

static enum status four_means(const struct context *context, const char *const *keys, const char *dataset,
                              double *means, int *decided, struct error *error)
{
    enum status status = STATUS_OK;
    *decided = 1;
    for (int i = 0; i < 4 && status == STATUS_OK; i++) {
        status = mean_of(context, keys[i], dataset, &means[i], error);
        *decided = *decided && status == STATUS_OK && !isnan(means[i]);
    }
    return status;
}

/* The means of "first" and "second" are closer than those of "than_first" and "than_second". */
static enum status judge_closer_means(const struct context *context, struct claim_case *one, struct error *error)
{
    static const char *const keys[] = {"first", "second", "than_first", "than_second"};
    double means[4] = {0};
    enum status status = four_means(context, keys, one->dataset, means, &one->decided, error);
    double apart = fabs(means[0] - means[1]), before = fabs(means[2] - means[3]);
    one->holds = one->decided && apart < before;
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "%.3g apart against %.3g", apart, before);
    return status;
}

/* The means of "first" and "second" are in the same order as those of "as_first" and "as_second". */
static enum status judge_same_order(const struct context *context, struct claim_case *one, struct error *error)
{
    static const char *const keys[] = {"first", "second", "as_first", "as_second"};
    double means[4] = {0};
    enum status status = four_means(context, keys, one->dataset, means, &one->decided, error);
    int here = (means[0] > means[1]) - (means[0] < means[1]), there = (means[2] > means[3]) - (means[2] < means[3]);
    one->holds = one->decided && here == there;
    if (one->decided)
        snprintf(one->detail, sizeof one->detail, "%.6g against %.6g, and %.6g against %.6g", means[0], means[1],
                 means[2], means[3]);
    return status;
}

judge_function *claim_kind_of_means(const char *name)
{
    static const struct {
        const char *name;
        judge_function *judge;
    } kinds[] = {
        {"lower_mean", judge_lower_mean},     {"ratio_between", judge_ratio_between},
        {"between", judge_between},           {"at_most", judge_at_most},
        {"means_within", judge_means_within}, {"closer_means", judge_closer_means},
        {"same_order", judge_same_order},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i].name) == 0)
            return kinds[i].judge;
    return NULL;
}
