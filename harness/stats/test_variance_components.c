/* Variance components against sums of squares of effects, computed term by term, and against simulated effects. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <math.h>

#include "harness/stats/distributions.h"
#include "harness/stats/variance_components.h"

enum { A = 5, S = 3, C = 4, W = 2, N = A * S * C * W };

static struct pool *pool;

static size_t at(size_t a, size_t s, size_t c, size_t w)
{
    return ((a * S + s) * C + c) * W + w;
}

static const struct variance_term *find(const struct variance_term *terms, unsigned varies)
{
    size_t t = 0;
    while (terms[t].varies != varies)
        t++;
    return &terms[t];
}

/* The mean of y over all values that agree with (a, s, c, w) in the factors of the term. */
static double mean_at(const double *y, unsigned term, size_t a, size_t s, size_t c, size_t w)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < N; i++) {
        const size_t width = i % W, penalty = i / W % C, split = i / W / C % S, set = i / W / C / S;
        if ((term & VARY_SET && set != a) || (term & VARY_SPLIT && split != s) || (term & VARY_C && penalty != c) ||
            (term & VARY_WIDTH && width != w))
            continue;
        sum += y[i];
        n++;
    }
    return sum / n;
}

static void mean_squares_are_those_of_the_effects(void **state)
{
    const size_t levels[] = {A, S, C, W};
    struct variance_term terms[VARIANCE_TERMS];
    gsl_rng *rng = random_numbers(pool, 3);
    double y[N], sum[16] = {0};
    (void)state;
    for (size_t i = 0; i < N; i++)
        y[i] = 100 + gsl_ran_ugaussian(rng);
    variance_components(y, levels, terms);
    for (size_t a = 0; a < A; a++)
        for (size_t s = 0; s < S; s++)
            for (size_t c = 0; c < C; c++)
                for (size_t w = 0; w < W; w++) {
                    double m[16], e[16];
                    for (unsigned term = 0; term < 16; term++)
                        m[term] = mean_at(y, term, a, s, c, w);
                    e[1] = m[1] - m[0];
                    e[3] = m[3] - m[1];
                    e[4] = m[4] - m[0];
                    e[8] = m[8] - m[0];
                    e[5] = m[5] - m[1] - m[4] + m[0];
                    e[9] = m[9] - m[1] - m[8] + m[0];
                    e[12] = m[12] - m[4] - m[8] + m[0];
                    e[13] = m[13] - m[5] - m[9] - m[12] + m[1] + m[4] + m[8] - m[0];
                    e[15] = m[15] - m[13] - m[3] + m[1];
                    for (size_t t = 0; t < VARIANCE_TERMS; t++)
                        sum[terms[t].varies] += e[terms[t].varies] * e[terms[t].varies];
                }
    const double degrees[16] = {[1] = A - 1, [3] = A * (S - 1), [4] = C - 1, [8] = W - 1, [5] = (A - 1) * (C - 1),
                                [9] = (A - 1) * (W - 1), [12] = (C - 1) * (W - 1), [13] = (A - 1) * (C - 1) * (W - 1),
                                [15] = A * (S - 1) * (C * W - 1)};
    for (size_t t = 0; t < VARIANCE_TERMS; t++) {
        assert_true(terms[t].degrees == degrees[terms[t].varies]);
        assert_true(fabs(terms[t].mean_square - sum[terms[t].varies] / terms[t].degrees) < 1e-10);
    }
}

/* Each effect has its own variance; the estimates are unbiased, so their means over 3000 layouts come near. */
static void components_of_simulated_effects_are_found(void **state)
{
    const size_t levels[] = {A, S, C, W};
    const double sd[16] = {[1] = 1, [3] = 0.5, [4] = 0.7, [8] = 0.4, [5] = 0.6, [9] = 0.8, [12] = 0.3, [13] = 0.5,
                           [15] = 0.2};
    enum { LAYOUTS = 3000 };
    double sums[16] = {0}, squares[16] = {0};
    gsl_rng *rng = random_numbers(pool, 5);
    (void)state;
    for (size_t layout = 0; layout < LAYOUTS; layout++) {
        struct variance_term terms[VARIANCE_TERMS];
        double y[N], effects[16][N];
        for (size_t term = 0; term < 16; term++)
            for (size_t i = 0; i < N; i++)
                effects[term][i] = gsl_ran_gaussian(rng, sd[term]);
        for (size_t a = 0; a < A; a++)
            for (size_t s = 0; s < S; s++)
                for (size_t c = 0; c < C; c++)
                    for (size_t w = 0; w < W; w++)
                        y[at(a, s, c, w)] = effects[1][a] + effects[3][a * S + s] + effects[4][c] + effects[8][w] +
                                            effects[5][a * C + c] + effects[9][a * W + w] + effects[12][c * W + w] +
                                            effects[13][(a * C + c) * W + w] + effects[15][at(a, s, c, w)];
        variance_components(y, levels, terms);
        for (size_t t = 0; t < VARIANCE_TERMS; t++) {
            sums[terms[t].varies] += terms[t].variance / LAYOUTS;
            squares[terms[t].varies] += terms[t].variance * terms[t].variance / LAYOUTS;
        }
    }
    for (size_t term = 0; term < 16; term++) /* within four standard errors */
        assert_true(fabs(sums[term] - sd[term] * sd[term]) <=
                    4 * sqrt((squares[term] - sums[term] * sums[term]) / LAYOUTS));
}

/* Then the residual is the interaction of the three, and splits and C are not told from nothing. */
static void with_one_split_and_one_width_the_terms_that_are_left_are_estimated(void **state)
{
    const size_t levels[] = {3, 1, 2, 1};
    const double y[] = {1, 2, 4, 7, 6, 9};
    struct variance_term terms[VARIANCE_TERMS];
    (void)state;
    variance_components(y, levels, terms);
    assert_true(find(terms, VARY_SET | VARY_SPLIT)->degrees == 0 && find(terms, VARY_WIDTH)->degrees == 0);
    assert_true(find(terms, 15)->degrees == 0 && isnan(find(terms, 15)->variance));
    /* set means 1.5, 5.5, 7.5; means of C 11/3, 6; interactions +-2/3, -+1/3, -+1/3 */
    assert_true(find(terms, VARY_SET | VARY_C)->degrees == 2);
    assert_true(fabs(find(terms, VARY_SET | VARY_C)->variance - 2 * (4 + 1 + 1) / 9. / 2) < 1e-12);
    assert_true(fabs(find(terms, VARY_C)->mean_square - 3 * 2 * 49 / 36.) < 1e-12);
    assert_true(fabs(find(terms, VARY_C)->variance - (3 * 2 * 49 / 36. - 2 / 3.) / 3) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_squares_are_those_of_the_effects),
        cmocka_unit_test(components_of_simulated_effects_are_found),
        cmocka_unit_test(with_one_split_and_one_width_the_terms_that_are_left_are_estimated),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
