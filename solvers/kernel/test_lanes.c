/* The loops against three-line references, and against each other over all widths this processor runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>
#if HAVE_MPFR
#include <mpfr.h>
#endif

#include "solvers/kernel/lanes.h"

static const char *const widths[] = {"generic", "avx2", "avx512"};

static void fill(gsl_rng *rng, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 2 * gsl_rng_uniform(rng) - 1;
}

static void every_width_gives_the_bits_of_the_plain_loops(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t w = 0; w < 3; w++) {
        const struct lanes *lanes = lanes_select(widths[w]);
        if (!lanes)
            continue;
        for (size_t n = 8; n <= 200; n += 8) {
            enum { DIMS = 5 };
            double *x = lanes_doubles(n), *y = lanes_doubles(n), *out = lanes_doubles(n), *m = lanes_doubles(DIMS * n);
            fill(rng, n, x);
            fill(rng, n, y);
            fill(rng, DIMS * n, m);
            lanes->squared_distances(n, DIMS, x, m, n, out);
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t d = 0; d < DIMS; d++)
                    sum += (x[d] - m[d * n + j]) * (x[d] - m[d * n + j]);
                assert_true(out[j] == sum);
            }
            lanes->dot_products(n, DIMS, x, m, n, out);
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t d = 0; d < DIMS; d++)
                    sum += x[d] * m[d * n + j];
                assert_true(out[j] == sum);
            }
            const double *rows[DIMS];
            for (size_t d = 0; d < DIMS; d++)
                rows[d] = m + d * n;
            lanes->row_sum(n, rows, DIMS, out);
            for (size_t j = 0; j < n; j++)
                assert_true(out[j] == (((m[j] + m[n + j]) + m[2 * n + j]) + m[3 * n + j]) + m[4 * n + j]);
            memcpy(out, y, n * sizeof *y);
            lanes->add_rows(n, rows, x, DIMS, out);
            for (size_t j = 0; j < n; j++) {
                double sum = y[j];
                for (size_t d = 0; d < DIMS; d++)
                    sum += x[d] * rows[d][j];
                assert_true(out[j] == sum);
            }
            memcpy(out, y, n * sizeof *y);
            lanes->axpy(n, 0.3, x, out);
            lanes->add_difference(n, 0.7, x, m, out);
            lanes->blend(n, 0.9, 0.1, x, out);
            lanes->scale(n, 1.1, out);
            for (size_t j = 0; j < n; j++) {
                double value = y[j] + 0.3 * x[j];
                value += 0.7 * (x[j] - m[j]);
                value = 1.1 * (0.9 * value + 0.1 * x[j]);
                assert_true(out[j] == value);
            }
            double s[8] = {0};
            for (size_t j = 0; j < n; j++)
                s[j % 8] += x[j] * y[j];
            assert_true(lanes->dot(n, x, y) == ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])));
            free(x), free(y), free(out), free(m);
        }
    }
    gsl_rng_free(rng);
}

/* ---- searches ---- */

/* Values of which many are equal, some infinite or NaN. */
static void fill_with_ties(gsl_rng *rng, size_t n, double *y)
{
    const double odd[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0};
    int many = gsl_rng_uniform(rng) < 0.3;
    for (size_t j = 0; j < n; j++)
        y[j] = gsl_rng_uniform(rng) < (many ? 0.5 : 0.01) ? odd[gsl_rng_uniform_int(rng, 5)]
                                                          : (double)gsl_rng_uniform_int(rng, 9) - 4;
}

/* Sides of n elements, NaN in the padding. */
static void fill_sides(gsl_rng *rng, size_t n, double *side)
{
    for (size_t j = 0; j < lanes_padded(n); j++)
        side[j] = j < n ? (double)gsl_rng_uniform_int(rng, 3) - 1 : NAN;
}

static struct lanes_extremes plain_extremes(size_t n, const double *side, const double *y)
{
    struct lanes_extremes out = {0, 0, INFINITY, -INFINITY};
    for (size_t j = 0; j < n; j++) {
        if (side[j] >= 0 && y[j] < out.least)
            out.least = y[j], out.least_at = j;
        if (side[j] <= 0 && y[j] > out.most)
            out.most = y[j], out.most_at = j;
    }
    return out;
}

static void assert_same_extremes(const struct lanes_extremes *a, const struct lanes_extremes *b)
{
    assert_int_equal(a->least_at, b->least_at);
    assert_int_equal(a->most_at, b->most_at);
    assert_true(a->least == b->least && a->most == b->most);
}

enum { SEARCHES = 3000, LONGEST = 150 };

/* The searches over x - y; x and y are changed. */
static void check_differences(const struct lanes *lanes, gsl_rng *rng, size_t n, const double *p, const double *q, double *x,
                              double *y)
{
    size_t padded = lanes_padded(n), found[LONGEST + LANES], count = 0;
    double *sides[2] = {lanes_doubles(padded), lanes_doubles(padded)}, *difference = lanes_doubles(padded);
    double *out = lanes_doubles(padded), sums[3];
    struct lanes_extremes both[2], plain;
    fill_sides(rng, n, sides[0]);
    fill_sides(rng, n, sides[1]);
    for (int t = 0; t < 3; t++) {
        if (t == 0)
            lanes->difference_extremes(padded, x, y, (const double *const *)sides, both);
        else
            lanes->move_difference_extremes(padded, 0.4, p, q, t == 2, x, y, (const double *const *)sides, both);
        for (size_t j = 0; j < padded; j++)
            difference[j] = x[j] - y[j];
        for (int s = 0; s < 2; s++) {
            plain = plain_extremes(n, sides[s], difference);
            assert_same_extremes(&both[s], &plain);
        }
    }
    double before = x[n / 2];
    lanes->move_difference_extremes(padded, 0.4, p, q, 0, x, y, (const double *const *)sides, both);
    assert_true(x[n / 2] == before + 0.4 * (p[n / 2] - q[n / 2]));
    for (size_t j = 0; j < padded; j++)
        if (gsl_rng_uniform(rng) < 0.3)
            sides[1][j] = NAN;
    size_t few = lanes->differences_below(padded, -1, x, y, sides[1], 0.25, out, found);
    for (size_t j = 0; j < padded; j++) {
        assert_true(out[j] == -(x[j] - y[j]));
        if (!isnan(sides[1][j]) && out[j] <= 0.25)
            assert_int_equal(found[count++], j);
    }
    assert_int_equal(count, few);
    lanes->dots(padded, p, q, x, y, sums);
    assert_true(sums[0] == lanes->dot(padded, p, x) && sums[1] == lanes->dot(padded, q, y) && sums[2] == lanes->dot(padded, p, y));
    free(sides[0]), free(sides[1]), free(difference), free(out);
}

static void extremes_are_those_of_the_plain_loop_at_every_width(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *side = lanes_doubles(LONGEST), *y = lanes_doubles(LONGEST), *p = lanes_doubles(LONGEST), *z = lanes_doubles(LONGEST);
    double *q = lanes_doubles(LONGEST), *d = lanes_doubles(LONGEST), *e = lanes_doubles(LONGEST);
    for (int t = 0; t < SEARCHES; t++) {
        size_t n = 1 + gsl_rng_uniform_int(rng, LONGEST), padded = lanes_padded(n), bytes = padded * sizeof(double);
        const struct lanes *lanes = lanes_select(widths[t % 3]);
        struct lanes_extremes found, plain;
        if (!lanes)
            continue;
        fill_with_ties(rng, padded, y);
        fill_sides(rng, n, side);
        plain = plain_extremes(n, side, y);
        lanes->extremes(padded, side, y, &found);
        assert_same_extremes(&found, &plain);
        fill(rng, padded, p);
        fill(rng, padded, q);
        fill(rng, padded, y);
        for (size_t j = 0; j < padded; j++) {
            p[j] = p[j] < 0 ? -1 : 1;
            z[j] = p[j] * (y[j] + 0.3);
        }
        plain = plain_extremes(n, side, z);
        lanes->signed_extremes(padded, side, p, y, 0.3, &found);
        assert_same_extremes(&found, &plain);
        fill(rng, padded, p);
        memcpy(z, y, bytes);
        lanes->add_difference(padded, 0.3, p, q, z);
        lanes->add_difference_extremes(padded, 0.3, p, q, side, y, &found);
        plain = plain_extremes(n, side, z);
        assert_memory_equal(y, z, bytes);
        assert_same_extremes(&found, &plain);
        fill(rng, padded, d);
        memcpy(e, d, bytes);
        check_differences(lanes, rng, n, p, q, y, d);
        memcpy(d, e, bytes);
        memcpy(y, z, bytes);
        lanes->scale(padded, -0.6, e);
        lanes->add_difference(padded, 1, p, q, e);
        lanes->axpy(padded, 0.2, e, z);
        lanes->turn_extremes(padded, -0.6, 0.2, p, q, side, d, y, &found);
        plain = plain_extremes(n, side, z);
        assert_memory_equal(d, e, bytes);
        assert_memory_equal(y, z, bytes);
        assert_same_extremes(&found, &plain);
    }
    free(side), free(y), free(z), free(p), free(q), free(d), free(e);
    gsl_rng_free(rng);
}

/* As the header has it, one after the other. */
static size_t plain_partner(size_t n, const struct partner *p)
{
    size_t best = p->guess;
    double most = 0;
    for (size_t j = 0; j < n; j++) {
        double delta = p->f[j] - p->f_first;
        if (!(delta > 0 && p->side[j] <= 0))
            continue;
        double curvature = (p->diagonal_first - p->row[j]) + (p->diagonal[j] - p->row[j]);
        if (p->q) {
            double lost = (p->q_first - p->q[j]) * (p->q_first - p->q[j]) * p->scale;
            curvature = lost < (1 - PARTNER_LEAST_LEFT) * curvature ? curvature - lost : curvature;
        }
        double gain = delta * delta / (curvature > 0 ? curvature : PARTNER_LEAST_CURVATURE);
        if (gain > most)
            most = gain, best = j;
    }
    return best;
}

static void the_best_partner_is_that_of_the_plain_loop_at_every_width(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *side = lanes_doubles(LONGEST), *f = lanes_doubles(LONGEST), *row = lanes_doubles(LONGEST);
    double *diagonal = lanes_doubles(LONGEST), *q = lanes_doubles(LONGEST);
    const double sizes[] = {1, 1e-3, 1e150, 1e-158, 1e-300};
    for (int t = 0; t < SEARCHES; t++) {
        size_t n = 1 + gsl_rng_uniform_int(rng, LONGEST), padded = lanes_padded(n);
        const struct lanes *lanes = lanes_select(widths[t % 3]);
        double size = sizes[gsl_rng_uniform_int(rng, 5)];
        int ties = gsl_rng_uniform(rng) < 0.5;
        if (!lanes)
            continue;
        fill_with_ties(rng, padded, f);
        fill(rng, padded, row);
        fill(rng, padded, q);
        fill_sides(rng, n, side);
        for (size_t j = 0; j < padded; j++) {
            f[j] = ties ? size * f[j] : size * gsl_rng_uniform(rng);
            diagonal[j] = 1;
            row[j] = ties ? round(row[j]) : row[j];
        }
        struct partner partner = {.side = side, .f = f, .row = row, .diagonal = diagonal, .q = t % 2 ? q : NULL,
                                  .f_first = ties ? -4 * size : 0, .diagonal_first = gsl_rng_uniform(rng) < 0.2 ? -1 : 1,
                                  .q_first = 0.1, .scale = gsl_rng_uniform(rng) < 0.5 ? 2 : 0,
                                  .guess = gsl_rng_uniform_int(rng, n)};
        assert_int_equal(lanes->best_partner(padded, &partner), plain_partner(n, &partner));
    }
    free(side), free(f), free(row), free(diagonal), free(q);
    gsl_rng_free(rng);
}

static void exp_has_the_same_bits_at_every_width(void **state)
{
    (void)state;
    enum { N = 80000 };
    double *in = lanes_doubles(N), *first = lanes_doubles(N), *other = lanes_doubles(N);
    for (size_t i = 0; i < N; i++)
        in[i] = 720.0 * (double)i / N;
    lanes_select("generic")->exp_negative(N, in, 1, first);
    for (size_t w = 1; w < 3; w++) {
        const struct lanes *lanes = lanes_select(widths[w]);
        if (!lanes)
            continue;
        lanes->exp_negative(N, in, 1, other);
        assert_memory_equal(first, other, N * sizeof(double));
    }
    free(in), free(first), free(other);
}

static void exp_of_zero_is_one_and_of_a_huge_negative_is_zero(void **state)
{
    (void)state;
    double *x = lanes_doubles(8);
    x[1] = 1e300;
    x[2] = 709;
    lanes_select(NULL)->exp_negative(8, x, 1, x);
    assert_true(x[0] == 1.0 && x[1] == 0.0 && x[2] == 0.0);
    free(x);
}

/* The distance of `got` from exp(-x / width) in units of the last place of the exact value. */
static double exp_error_ulp(double x, double width, double got)
{
#if HAVE_MPFR
    mpfr_t exact;
    mpfr_init2(exact, 120);
    mpfr_set_d(exact, -x / width, MPFR_RNDN);
    mpfr_exp(exact, exact, MPFR_RNDN);
    double rounded = mpfr_get_d(exact, MPFR_RNDN);
    mpfr_sub_d(exact, exact, got, MPFR_RNDN);
    double error = fabs(mpfr_get_d(exact, MPFR_RNDN));
    mpfr_clear(exact);
#else
    double rounded = exp(-x / width), error = (double)fabsl(expl((long double)(-x / width)) - (long double)got);
#endif
    return error / (nextafter(rounded, 2) - rounded);
}

static void exp_is_within_one_ulp_of_the_exact_value(void **state)
{
    (void)state;
    enum { N = 8000 };
    const double ranges[] = {1e-12, 1e-3, 0.4, 1, 20, 707};
    double *in = lanes_doubles(N), *out = lanes_doubles(N);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double worst = 0;
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        for (size_t i = 0; i < N; i++)
            in[i] = ranges[r] * gsl_rng_uniform(rng) * 30;
        lanes_select(NULL)->exp_negative(N, in, 30, out);
        for (size_t i = 0; i < N; i++)
            worst = fmax(worst, exp_error_ulp(in[i], 30, out[i]));
    }
    if (!(worst <= 1.0))
        fail_msg("worst error %g ulp", worst);
    gsl_rng_free(rng);
    free(in), free(out);
}

static void an_unknown_width_is_refused(void **state)
{
    (void)state;
    assert_null(lanes_select("avx1024"));
    assert_non_null(lanes_select("generic"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_gives_the_bits_of_the_plain_loops),
        cmocka_unit_test(extremes_are_those_of_the_plain_loop_at_every_width),
        cmocka_unit_test(the_best_partner_is_that_of_the_plain_loop_at_every_width),
        cmocka_unit_test(exp_has_the_same_bits_at_every_width),
        cmocka_unit_test(exp_of_zero_is_one_and_of_a_huge_negative_is_zero),
        cmocka_unit_test(exp_is_within_one_ulp_of_the_exact_value),
        cmocka_unit_test(an_unknown_width_is_refused),
    };
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
