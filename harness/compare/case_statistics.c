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
static const struct bootstrap_options bootstrap = {
    .level = CONTRAST_LEVEL, .resamples = CONTRAST_RESAMPLES, .seed = CONTRAST_SEED};

/* After a computation on finite values: memory is all that can have been missing. Values too large to add, which no
 * count is, leave what was not computed NAN. */
static void computed(enum status status)
{
    if (status == STATUS_NO_MEMORY)
        out_of_memory();
}

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

static void take_ratio(const struct contrast_sample *sample, struct contrast_row *row)
{
    const double *means = row->means;
    double min[ARMS];
    for (int s = 0; s < ARMS; s++)
        row->means[s] = mean_of(sample->values[s], sample->n, &min[s]);
    if (min[BASELINE] > 0)
        computed(bootstrap_ratio_of_means(sample->values[CANDIDATE], sample->values[BASELINE], sample->n, &bootstrap,
                                          &row->ratio, NULL));
    else if (means[BASELINE] > 0)
        row->ratio.estimate = means[CANDIDATE] / means[BASELINE];
    else if (means[CANDIDATE] == means[BASELINE])
        row->ratio = (struct interval){1, 1, 1, CONTRAST_LEVEL};
}

/* Signed-rank test and shift of n differences, followed by as many zeros. */
static void test_differences(const double *differences, size_t n, double *p, double *effect, struct interval *shift)
{
    struct rank_test test = {.p_value = (double)NAN};
    computed(signed_rank_test(differences, differences + n, n, NULL, &test, NULL));
    computed(shift_paired(differences, differences + n, n, CONTRAST_LEVEL, shift, NULL));
    *p = test.p_value;
    *effect = test.effect;
}

void contrast_row_of(const struct contrast_sample *sample, struct contrast_row *row)
{
    const double none = (double)NAN;
    const size_t n = sample->n;
    *row = (struct contrast_row){.n = n,
                                 .means = {none, none},
                                 .ratio = no_interval,
                                 .shift = no_interval,
                                 .p = {1, none},
                                 .adjusted = {1, none}};
    if (n == 0)
        return;
    double *differences = xcalloc(2 * n, sizeof *differences);
    struct resampled_t corrected = {.p_value = none};
    pairs_differences(sample->values[CANDIDATE], sample->values[BASELINE], n, differences);
    test_differences(differences, n, &row->p[CONTRAST_SIGNED_RANK], &row->effect, &row->shift);
    if (sample->n_train > 0 && sample->n_test > 0 && n >= 2)
        computed(resampled_t_test(differences, differences + n, n, (double)sample->n_train, (double)sample->n_test,
                                  TAIL_TWO_SIDED, CONTRAST_LEVEL, &corrected, NULL));
    row->p[CONTRAST_CORRECTED_T] = corrected.p_value;
    take_ratio(sample, row);
    drop_empty(&row->ratio);
    drop_empty(&row->shift);
    free(differences);
}

double contrast_direction(const struct contrast_row *row, enum contrast_test test)
{
    return test == CONTRAST_CORRECTED_T ? row->means[CANDIDATE] - row->means[BASELINE] : row->effect;
}

int contrast_opposed(double direction, double difference)
{
    return direction * difference < 0;
}

int contrast_count(const struct contrast_row *row, enum contrast_test test, struct win_tie_loss *counts)
{
    int significant = row->adjusted[test] < CONTRAST_SIGNIFICANT;
    double direction = significant ? contrast_direction(row, test) : 0;
    counts->wins += direction < 0;
    counts->losses += direction > 0;
    counts->ties += direction == 0;
    return significant;
}

void contrast_adjust(struct contrast_row *rows, size_t n)
{
    double *p = xcalloc(2 * n, sizeof *p), *adjusted = p + n;
    for (int test = 0; test < CONTRAST_TESTS; test++) {
        size_t known = 0;
        for (size_t i = 0; i < n; i++)
            if (rows[i].n > 0 && !isnan(rows[i].p[test]))
                p[known++] = rows[i].p[test];
        computed(adjust_holm(p, known, adjusted, NULL));
        known = 0;
        for (size_t i = 0; i < n; i++)
            if (rows[i].n > 0 && !isnan(rows[i].p[test]))
                rows[i].adjusted[test] = adjusted[known++];
    }
    free(p);
}

void contrast_total_of(const double *ratios, const double *values, size_t n, struct contrast_total *total)
{
    *total = (struct contrast_total){.n = n, .ratio = no_interval, .shift = no_interval, .p = 1};
    if (n == 0)
        return;
    double *differences = xcalloc(3 * n, sizeof *differences), *zeros = differences + n, *ones = zeros + n;
    pairs_differences(values, zeros, n, differences); /* from 0: rounded, so that means that are equal tie */
    test_differences(differences, n, &total->p, &total->effect, &total->shift);
    int positive = 1;
    for (size_t i = 0; i < n; i++) {
        ones[i] = 1;
        positive &= ratios[i] > 0;
    }
    if (positive)
        computed(bootstrap_geometric_ratio(ratios, ones, n, &bootstrap, &total->ratio, NULL));
    drop_empty(&total->ratio);
    drop_empty(&total->shift);
    free(differences);
}
