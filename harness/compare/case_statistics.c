/*
 * Pairs (a_i, b_i) of one figure over the splits of a case, the baseline's and the candidate's. All differences are b
 * - a, so that what is positive is the candidate's being greater. The ratio of means is sum b / sum a; its interval
 * and that of the geometric mean over data sets are of the bootstrap (harness/stats/bootstrap.h), always with the same
 * seed.
 */
#include "harness/compare/case_statistics.h"

#include <math.h>
#include <stdlib.h>

#include "harness/program/memory.h"
#include "harness/stats/adjust.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/resampled_t.h"
#include "harness/stats/signed_rank.h"

static const struct interval no_interval = {(double)NAN, (double)NAN, (double)NAN, 0};

/* An interval of level 0, as of one value, is none. */
static void drop_empty(struct interval *interval)
{
    if (!(interval->level > 0))
        interval->low = interval->high = (double)NAN;
}

/* The mean of n > 0 values, and the smallest of them. */
static double mean_of(const double *values, size_t n, double *min)
{
    double sum = 0;
    *min = values[0];
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
        *min = fmin(*min, values[i]);
    }
    return sum / (double)n;
}

static enum status take_ratio(const struct contrast_sample *sample, struct contrast_row *row, struct error *error)
{
    const struct bootstrap_options options = {
        .level = CONTRAST_LEVEL, .resamples = CONTRAST_RESAMPLES, .seed = CONTRAST_SEED};
    const double *means = row->means;
    double min[ARMS];
    for (int s = 0; s < ARMS; s++)
        row->means[s] = mean_of(sample->values[s], sample->n, &min[s]);
    if (min[BASELINE] > 0)
        return bootstrap_ratio_of_means(sample->values[CANDIDATE], sample->values[BASELINE], sample->n, &options,
                                        &row->ratio, error);
    if (means[BASELINE] > 0)
        row->ratio.estimate = means[CANDIDATE] / means[BASELINE];
    else if (means[CANDIDATE] == means[BASELINE])
        row->ratio = (struct interval){1, 1, 1, CONTRAST_LEVEL};
    return STATUS_OK;
}

/* Signed-rank test, shift and corrected t of the differences, n of them, followed by as many zeros. */
static enum status test_differences(const struct contrast_sample *sample, const double *differences,
                                    struct contrast_row *row, struct error *error)
{
    const double *zeros = differences + sample->n;
    struct rank_test test;
    enum status status = signed_rank_test(differences, zeros, sample->n, NULL, &test, error);
    if (status == STATUS_OK)
        status = shift_paired(differences, zeros, sample->n, CONTRAST_LEVEL, &row->shift, error);
    row->p[CONTRAST_SIGNED_RANK] = test.p_value;
    row->effect = test.effect;
    if (status != STATUS_OK || sample->n_train == 0 || sample->n_test == 0 || sample->n < 2)
        return status;
    struct resampled_t corrected;
    status = resampled_t_test(differences, zeros, sample->n, (double)sample->n_train, (double)sample->n_test,
                              TAIL_TWO_SIDED, CONTRAST_LEVEL, &corrected, error);
    row->p[CONTRAST_CORRECTED_T] = corrected.p_value;
    return status;
}

enum status contrast_row_of(const struct contrast_sample *sample, struct contrast_row *row, struct error *error)
{
    const double none = (double)NAN;
    *row = (struct contrast_row){.n = sample->n,
                                 .means = {none, none},
                                 .ratio = no_interval,
                                 .shift = no_interval,
                                 .p = {1, none},
                                 .adjusted = {1, none}};
    if (sample->n == 0)
        return STATUS_OK;
    double *differences = xcalloc(2 * sample->n, sizeof *differences);
    pairs_differences(sample->values[CANDIDATE], sample->values[BASELINE], sample->n, differences);
    enum status status = test_differences(sample, differences, row, error);
    if (status == STATUS_OK)
        status = take_ratio(sample, row, error);
    drop_empty(&row->ratio);
    drop_empty(&row->shift);
    free(differences);
    return status;
}

double contrast_direction(const struct contrast_row *row, enum contrast_test test)
{
    return test == CONTRAST_CORRECTED_T ? row->means[CANDIDATE] - row->means[BASELINE] : row->effect;
}

int contrast_opposed(double direction, double difference)
{
    return direction * difference < 0;
}

/* The p-values of one test that are known, adjusted; p and adjusted have room for n. */
static enum status adjust_test(struct contrast_row *rows, size_t n, enum contrast_test test, double *p,
                               double *adjusted, struct error *error)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (rows[i].n > 0 && !isnan(rows[i].p[test]))
            p[known++] = rows[i].p[test];
    enum status status = adjust_holm(p, known, adjusted, error);
    known = 0;
    for (size_t i = 0; i < n && status == STATUS_OK; i++)
        if (rows[i].n > 0 && !isnan(rows[i].p[test]))
            rows[i].adjusted[test] = adjusted[known++];
    return status;
}

enum status contrast_adjust(struct contrast_row *rows, size_t n, struct error *error)
{
    double *p = xcalloc(2 * n, sizeof *p);
    enum status status = STATUS_OK;
    for (int test = 0; test < CONTRAST_TESTS && status == STATUS_OK; test++)
        status = adjust_test(rows, n, (enum contrast_test)test, p, p + n, error);
    free(p);
    return status;
}

enum status contrast_total_of(const double *ratios, const double *values, size_t n, struct contrast_total *total,
                              struct error *error)
{
    const struct bootstrap_options options = {
        .level = CONTRAST_LEVEL, .resamples = CONTRAST_RESAMPLES, .seed = CONTRAST_SEED};
    struct rank_test test;
    *total = (struct contrast_total){.n = n, .ratio = no_interval, .shift = no_interval, .p = 1};
    if (n == 0)
        return STATUS_OK;
    double *differences = xcalloc(3 * n, sizeof *differences), *zeros = differences + n, *ones = zeros + n;
    pairs_differences(values, zeros, n, differences); /* from 0: rounded, so that means that are equal tie */
    enum status status = signed_rank_test(differences, zeros, n, NULL, &test, error);
    total->p = test.p_value;
    total->effect = test.effect;
    if (status == STATUS_OK)
        status = shift_paired(differences, zeros, n, CONTRAST_LEVEL, &total->shift, error);
    int positive = 1;
    for (size_t i = 0; i < n; i++) {
        ones[i] = 1;
        positive &= ratios[i] > 0;
    }
    if (status == STATUS_OK && positive)
        status = bootstrap_geometric_ratio(ratios, ones, n, &options, &total->ratio, error);
    drop_empty(&total->ratio);
    drop_empty(&total->shift);
    free(differences);
    return status;
}
