/*
 * A figure that depends only on the training part is a symmetric statistic x of m = n_train patterns drawn without
 * repetition from n. By Hoeffding's decomposition x is its mean plus uncorrelated parts of one, two, ... k patterns
 * with variances s_k^2. Two training parts share the part of k given patterns if both contain them, so over draws
 *     cov(x_i, x_j) = sum_k s_k^2 C(m, k) / C(n, k) <= (m/n) var x,
 * with equality if the figure is a sum of contributions of single patterns. (In numbers: the mean of x over all
 * training parts has variance s_1^2/n per pattern, x itself s_1^2/m.) With rho = m/n the mean of J splits has variance
 * (1/J + rho/(1 - rho)) E s^2, s^2 the variance of the splits with divisor J - 1, and
 *     rho/(1 - rho) = m/(n - m) = n_train/n_test.
 * Nadeau and Bengio's n_test/n_train (2003) is derived for the error, whose spread they attribute to the test part;
 * with 170 training and 100 test patterns it is 0.59, but 1.7 for iterations. The error has parts of both kinds,
 * var = a + b and cov <= a n_train/n + b n_test/n, so that the larger of the two ratios bounds it. For k folds
 * n_train/n_test is k - 1. Generated data sets are drawn from one pool (harness/data), so their splits overlap like any
 * others. Splits that leave out patterns overlap less, and the bound is too large.
 *
 * Costs are compared by logarithms: the report gives ratios, some runs take much longer than the rest, and the
 * logarithm of an inverted ratio is just negated. The test's estimate is the mean of the logarithms, hence of the
 * geometric mean of the ratios. The median and the ratio of means are reported too.
 *
 * If some runs failed, their costs are penalties, and PAR-k is an arithmetic mean. With means X and Y of the baseline
 * and the candidate the difference is L = log(Y/X), and the test uses the values L + y_i/Y - x_i/X. Their mean is L,
 * and their variance that of L by the delta method.
 */
#include "harness/compare/case_statistics.h"

#include <stdlib.h>

#include "harness/compare/cube.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/rank_tests.h"
#include "harness/stats/several_solvers.h"

static const double none = (double)NAN;

double contrast_overlap(enum contrast_basis basis, size_t n_train, size_t n_test)
{
    if (n_train == 0 || n_test == 0)
        return none;
    double ratio = (double)n_train / (double)n_test;
    return basis == CONTRAST_TESTED ? fmax(ratio, 1 / ratio) : ratio;
}

static double scaled(const struct contrast_sample *sample, double value)
{
    return sample->logarithmic ? log(cost_or_half(value)) : value;
}

/* n differences followed by as many zeros; freed by the caller. of_means: those whose mean is log(Y/X). */
static double *differences_of(const struct contrast_sample *sample, int of_means)
{
    const size_t n = sample->n;
    double *differences = xcalloc(4 * n, sizeof *differences);
    double *values[ARMS] = {differences + 2 * n, differences + 3 * n};
    for (int s = 0; s < ARMS; s++) {
        for (size_t i = 0; i < n; i++)
            values[s][i] = of_means ? cost_or_half(sample->values[s][i]) : scaled(sample, sample->values[s][i]);
        const double mean = of_means ? summary_mean(values[s], n) : 0;
        for (size_t i = 0; i < n && of_means; i++)
            values[s][i] = values[s][i] / mean - 1 + log(mean);
    }
    pairs_differences(values[CANDIDATE], values[BASELINE], n, differences);
    return differences;
}

static const struct estimate unknown = {
    .means = {(double)NAN, (double)NAN},
    .difference = {(double)NAN, (double)NAN, (double)NAN, 0},
    .mean = {(double)NAN, (double)NAN, (double)NAN, 0},
    .median = (double)NAN,
    .of_means = (double)NAN,
    .direction = (double)NAN,
    .p = (double)NAN,
    .adjusted = (double)NAN,
    .posterior = {(double)NAN, (double)NAN, (double)NAN},
    .detectable = (double)NAN,
};

struct estimate estimate_of_case(const struct contrast_sample *sample)
{
    const size_t n = sample->n;
    struct estimate row = unknown;
    row.n = n;
    if (n == 0)
        return row;
    double *differences = differences_of(sample, 0);
    for (int s = 0; s < ARMS; s++)
        row.means[s] = summary_mean(sample->values[s], n);
    row.of_means = scaled(sample, row.means[CANDIDATE]) - scaled(sample, row.means[BASELINE]);
    row.median = summary_of(differences, n).median;
    if (sample->penalised) {
        free(differences);
        differences = differences_of(sample, 1);
    }
    row.difference.estimate = summary_mean(differences, n);
    if (n >= MIN_PAIRS_FOR_A_CLAIM && !isnan(sample->overlap)) {
        const struct resampled_t test = resampled_t_test(differences, differences + n, n, sample->overlap,
                                                         TAIL_TWO_SIDED, CONTRAST_LEVEL);
        row.difference = test.difference;
        row.p = test.p_value;
    }
    row.mean = row.difference;
    row.direction = row.difference.estimate;
    free(differences);
    return row;
}

static double sd_of(const double *values, size_t n)
{
    return summary_sd(values, n, summary_mean(values, n));
}

void estimate_describe_case(const struct contrast_sample *sample, double margin, struct estimate *row)
{
    if (isnan(row->p))
        return;
    double *differences = differences_of(sample, sample->penalised);
    row->posterior = bayes_correlated_t(differences, sample->n, sample->overlap, margin);
    row->detectable = power_t(sd_of(differences, sample->n), sample->n, sample->overlap, CONTRAST_SIGNIFICANT,
                              CONTRAST_POWER);
    free(differences);
}

void estimates_adjust(struct estimate *const *rows, size_t n)
{
    double *p = xcalloc(2 * n, sizeof *p), *adjusted = p + n;
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(rows[i]->p))
            p[known++] = rows[i]->p;
    adjust_holm(p, known, adjusted);
    known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(rows[i]->p))
            rows[i]->adjusted = adjusted[known++];
    free(p);
}

/* Values rounded so that equal ones tie, followed by as many zeros. */
static double *rounded_values(const double *values, size_t n)
{
    double *rounded = xcalloc(2 * n, sizeof *rounded);
    pairs_differences(values, rounded + n, n, rounded);
    return rounded;
}

/* Drops the ends of an interval of level 0, as from one value. */
static struct interval without_empty_ends(struct interval interval)
{
    if (!(interval.level > 0))
        interval.low = interval.high = none;
    return interval;
}

struct estimate estimate_of_datasets(const double *values, size_t n)
{
    struct estimate total = unknown;
    total.n = n;
    total.direction = 0;
    if (n == 0)
        return total;
    double *differences = rounded_values(values, n);
    const struct rank_test test = signed_rank_test(differences, differences + n, n, TAIL_TWO_SIDED);
    total.difference = without_empty_ends(shift_paired(differences, differences + n, n, CONTRAST_LEVEL));
    total.p = total.adjusted = n > 1 ? test.p_value : none;
    total.direction = test.effect;
    total.mean.estimate = summary_mean(differences, n);
    free(differences);
    return total;
}

void estimate_mean_interval(const double *values, size_t n, struct estimate *total)
{
    if (n == 0)
        return;
    struct pool *pool = pool_new();
    struct bootstrap_draws draws = bootstrap_draw(pool, n, BOOTSTRAP_RESAMPLES, 1);
    double *differences = rounded_values(values, n);
    total->mean = bootstrap_mean(&draws, differences, CONTRAST_LEVEL);
    if (n < MIN_PAIRS_FOR_A_CLAIM) /* within the range of so few values no interval covers the mean at its level */
        total->mean.level = 0;
    total->mean = without_empty_ends(total->mean);
    free(differences);
    pool_free(pool);
}

void estimate_describe_datasets(const double *values, size_t n, double margin, struct bayes_draws *draws,
                                struct estimate *total)
{
    estimate_mean_interval(values, n, total);
    if (n < 2)
        return;
    double *differences = rounded_values(values, n);
    total->posterior = bayes_signed_rank(differences, n, margin, draws);
    if (n >= MIN_PAIRS_FOR_A_CLAIM)
        total->detectable = power_signed_rank(sd_of(differences, n), n, CONTRAST_SIGNIFICANT, CONTRAST_POWER);
    free(differences);
}

double estimate_location(const double *values, size_t n)
{
    double *differences = rounded_values(values, n);
    const double estimate = shift_paired(differences, differences + n, n, CONTRAST_LEVEL).estimate;
    free(differences);
    return estimate;
}
