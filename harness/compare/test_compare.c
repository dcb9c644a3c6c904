/*
 * The figures of a comparison of toy records: every mean, ratio, p-value and count is recomputed here from the input,
 * enumerating all choices of signs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

#include "harness/compare/compare.h"
#include "tests/made_pairs.h"

/* Two-sided p of the signed-rank test by enumerating all signs; zeros are dropped. */
static double naive_signed_rank(const double *differences, size_t n)
{
    double ranks[MAX_SPLITS], observed = 0;
    size_t kept = 0, max = 0, min = 0;
    for (size_t i = 0; i < n; i++) {
        double below = 0, equal = 0;
        for (size_t j = 0; j < n; j++) {
            below += differences[j] != 0 && fabs(differences[j]) < fabs(differences[i]) - 1e-9;
            equal += differences[j] != 0 && fabs(fabs(differences[j]) - fabs(differences[i])) <= 1e-9;
        }
        if (differences[i] == 0)
            continue;
        ranks[kept] = below + (equal + 1) / 2;
        observed += differences[i] > 0 ? ranks[kept] : 0;
        kept++;
    }
    for (size_t signs = 0; signs < (size_t)1 << kept; signs++) {
        double sum = 0;
        for (size_t i = 0; i < kept; i++)
            sum += signs >> i & 1 ? ranks[i] : 0;
        min += sum <= observed;
        max += sum >= observed;
    }
    return fmin(1, 2 * (double)(min < max ? min : max) / (double)((size_t)1 << kept));
}

static double naive_corrected_t(const double *differences, size_t n, double overlap)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++)
        mean += differences[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        variance += (differences[i] - mean) * (differences[i] - mean) / (double)(n - 1);
    if (mean == 0 && variance == 0)
        return 1;
    return 2 * gsl_cdf_tdist_Q(fabs(mean) / sqrt(variance * (1 / (double)n + overlap)), (double)(n - 1));
}

/* The median of all means of two values, including each value with itself. */
static double naive_location(const double *values, size_t n)
{
    double means[MAX_SETS * (MAX_SETS + 1) / 2];
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            means[count++] = (values[i] + values[j]) / 2;
    gsl_sort(means, 1, count);
    return (means[(count - 1) / 2] + means[count / 2]) / 2;
}

static void naive_holm(const double *p, size_t n, double *adjusted)
{
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = 0;
        for (size_t j = 0; j < n; j++) {
            size_t not_below = 0;
            for (size_t k = 0; k < n; k++)
                not_below += p[k] > p[j] || (p[k] == p[j] && k >= j);
            if (p[j] < p[i] || (p[j] == p[i] && j <= i))
                adjusted[i] = fmax(adjusted[i], fmin(1, (double)not_below * p[j]));
        }
    }
}

static double field_of(const struct run_counts *at, size_t measure)
{
    const double values[MEASURES] = {
        [COMPARE_FAILURES] = 0,
        [FIELD_ERROR] = at->error,
        [FIELD_SUPPORT_VECTORS] = at->vectors,
        [FIELD_DUALITY_GAP] = at->gap,
        [FIELD_ITERATIONS] = at->iterations,
        [FIELD_KERNEL_OPERATIONS] = at->operations,
        [MEASURE_ALL_OPERATIONS] = at->start_up + at->operations,
        [MEASURE_SECONDS] = at->seconds,
    };
    return values[measure];
}

static void check_near(double is, double should)
{
    if (!(fabs(is - should) <= 1e-9 * fmax(1e-3, fabs(should))))
        fail_msg("%.17g is not %.17g", is, should);
}

/* Checks one metric of a comparison of the whole world. */
static void check_metric(const struct comparison *comparison, const struct world *world, size_t measure)
{
    const struct compare_result *result = &comparison->results[measure];
    int points = measure == FIELD_ERROR || measure == COMPARE_FAILURES;
    double train = (double)world->train, test = (double)world->test;
    double overlap = measure == FIELD_ERROR ? fmax(train / test, test / train) : train / test;
    double p[MAX_SETS], adjusted[MAX_SETS], means[MAX_SETS], of_means[MAX_SETS], mean = 0;
    for (size_t d = 0; d < world->sets; d++) {
        double differences[MAX_SPLITS], sums[ARMS] = {0, 0}, n = (double)world->splits;
        means[d] = 0;
        for (size_t k = 0; k < world->splits; k++) {
            double first = field_of(&world->arm[0][d][k], measure), second = field_of(&world->arm[1][d][k], measure);
            differences[k] = points ? second - first : log(second / first);
            means[d] += differences[k] / n;
            sums[0] += first;
            sums[1] += second;
        }
        p[d] = measure == COMPARE_FAILURES ? 1 : naive_corrected_t(differences, world->splits, overlap);
        of_means[d] = points ? (sums[1] - sums[0]) / n : log(sums[1] / sums[0]);
        mean += means[d] / (double)world->sets;
        const struct estimate *row = &result->rows[d];
        assert_int_equal(row->n, world->splits);
        check_near(row->means[BASELINE], sums[0] / n);
        check_near(row->means[CANDIDATE], sums[1] / n);
        check_near(row->difference.estimate, means[d]);
        check_near(row->of_means, of_means[d]);
        assert_true(row->difference.low <= row->difference.estimate);
        assert_true(row->difference.estimate <= row->difference.high);
        check_near(row->posterior.lower + row->posterior.equivalent + row->posterior.higher, 1);
        check_near(row->p, p[d]);
    }
    naive_holm(p, world->sets, adjusted);
    for (size_t d = 0; d < world->sets; d++)
        check_near(result->rows[d].adjusted, adjusted[d]);
    assert_int_equal(result->total.n, world->sets);
    check_near(result->total.difference.estimate, naive_location(means, world->sets));
    check_near(result->total.of_means, naive_location(of_means, world->sets));
    check_near(result->total.mean.estimate, mean);
    check_near(result->total.p, naive_signed_rank(means, world->sets));
}

static void every_figure_is_that_of_the_records(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 1, 30);
    struct pool *pool = pool_new();
    for (size_t k = 0; k < 10; k++) { /* one set clearly lower, one clearly higher, in all metrics */
        const struct run_counts *first = world.arm[BASELINE][2], *other = world.arm[BASELINE][5];
        world.arm[CANDIDATE][2][k] = (struct run_counts){.error = first[k].error / 2 + 0.01 * (double)k,
                                                         .vectors = 10 + (double)(k % 2),
                                                         .iterations = first[k].iterations / 4,
                                                         .operations = first[k].operations / 4,
                                                         .start_up = 200,
                                                         .seconds = first[k].seconds / 2 + 1e-6,
                                                         .gap = 1e-5};
        world.arm[CANDIDATE][5][k] = (struct run_counts){.error = other[k].error * 2 + 30 + (double)(k % 3),
                                                         .vectors = 90 + (double)k,
                                                         .iterations = other[k].iterations * 3,
                                                         .operations = other[k].operations * 3,
                                                         .start_up = 200,
                                                         .seconds = other[k].seconds * 2,
                                                         .gap = 1e-5};
    }
    const struct comparison comparison = world_compare(pool, &world, 1);
    assert_null(comparison.obstacle);
    assert_int_equal(comparison.pairing.n_pairs, 80);
    for (size_t measure = 0; measure < MEASURES; measure++)
        if (compare_has(measure))
            check_metric(&comparison, &world, measure);
    const struct estimate iterations = effect_of(&comparison.results[FIELD_ITERATIONS], 8, log(1.05));
    assert_int_equal(iterations.lower, 1);
    assert_int_equal(iterations.higher, 1);
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_is_that_of_the_records),
    };
    return cmocka_run_group_tests(tests, world_set_up, world_tear_down);
}
