/* exp_negative: the same bits at every width; its error against MPFR, or libm if MPFR is not installed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_rng.h>
#if HAVE_MPFR
#include <mpfr.h>
#endif

#include "solvers/kernel/simd.h"

static const char *const widths[] = {"generic", "avx2", "avx512"};

static void exp_has_the_same_bits_at_every_width(void **state)
{
    (void)state;
    enum { N = 80000 };
    double *in = simd_doubles(N), *first = simd_doubles(N), *other = simd_doubles(N);
    for (size_t i = 0; i < N; i++)
        in[i] = 720.0 * (double)i / N;
    simd_select("generic")->exp_negative(N, in, 1, first);
    for (size_t w = 1; w < 3; w++) {
        const struct simd *simd = simd_select(widths[w]);
        if (!simd)
            continue;
        simd->exp_negative(N, in, 1, other);
        assert_memory_equal(first, other, N * sizeof(double));
    }
    free(in), free(first), free(other);
}

/* Vectors are processed in groups of eight, and the remainder in smaller groups. */
static void exp_does_not_depend_on_an_element_s_place(void **state)
{
    (void)state;
    enum { N = 40 * SIMD_LANES };
    double *in = simd_doubles(N), *all = simd_doubles(N), *part = simd_doubles(N);
    for (size_t i = 0; i < N; i++)
        in[i] = 2.3 * (double)i; /* up to 733 */
    for (size_t w = 0; w < 3; w++) {
        const struct simd *simd = simd_select(widths[w]);
        if (!simd)
            continue;
        for (size_t j = 0; j < N; j += SIMD_LANES)
            simd->exp_negative(SIMD_LANES, in + j, 0.7, all + j);
        for (size_t n = 0; n <= N; n += SIMD_LANES)
            for (size_t first = 0; first <= N - n; first += SIMD_LANES) {
                memset(part, 0xff, N * sizeof *part);
                memcpy(part + first, in + first, n * sizeof *part);
                simd->exp_negative(n, part + first, 0.7, part + first);
                assert_memory_equal(part + first, all + first, n * sizeof *part);
                assert_true(first + n == N || isnan(part[first + n]));
            }
    }
    free(in), free(all), free(part);
}

static void exp_of_what_is_no_finite_number_is_zero(void **state)
{
    (void)state;
    const double odd[] = {INFINITY, NAN, 1e308};
    for (size_t w = 0; w < 3; w++)
        for (size_t k = 0; simd_select(widths[w]) && k < sizeof odd / sizeof *odd; k++) {
            double *x = simd_doubles(72);
            x[71] = x[3] = odd[k];
            simd_select(widths[w])->exp_negative(72, x, 1e-10, x);
            for (size_t j = 0; j < 72; j++)
                assert_true(x[j] == (j != 3 && j != 71) && !signbit(x[j]));
            free(x);
        }
}

static void exp_of_zero_is_one_and_of_a_huge_negative_is_zero(void **state)
{
    (void)state;
    double *x = simd_doubles(8);
    x[1] = 1e300;
    x[2] = 709;
    simd_select(NULL)->exp_negative(8, x, 1, x);
    assert_true(x[0] == 1.0 && x[1] == 0.0 && x[2] == 0.0);
    free(x);
}

/* The distance of `got` from exp(-x / width) in units in the last place of the exact value. */
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

static void assert_within_one_ulp(const double *x, size_t n, double width)
{
    double *out = simd_doubles(n), worst = 0;
    simd_select(NULL)->exp_negative(n, x, width, out);
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, exp_error_ulp(x[i], width, out[i]));
    if (!(worst <= 1.0))
        fail_msg("worst error %g ulp", worst);
    free(out);
}

static void exp_is_within_one_ulp_of_the_exact_value(void **state)
{
    (void)state;
    enum { N = 8000 };
    const double ranges[] = {1e-300, 1e-12, 1e-3, 0.4, 1, 20, 707};
    double *in = simd_doubles(N);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        for (size_t i = 0; i < N; i++)
            in[i] = ranges[r] * gsl_rng_uniform(rng) * 30;
        assert_within_one_ulp(in, N, 30);
    }
    gsl_rng_free(rng);
    free(in);
}

/* For each power of 2 among the results: at both ends, where the next one begins, and between. */
static void exp_is_within_one_ulp_around_every_power_of_two(void **state)
{
    (void)state;
    enum { EACH = 64, POWERS = 1021 };
    double *in = simd_doubles((size_t)EACH * POWERS);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < POWERS; k++) {
        double *x = in + k * EACH, turn = ((double)k + 0.5) * M_LN2;
        x[0] = turn;
        for (size_t i = 1; i < 16; i++)
            x[i] = nextafter(x[i - 1], 0);
        x[16] = nextafter(turn, INFINITY);
        for (size_t i = 17; i < 32; i++)
            x[i] = nextafter(x[i - 1], INFINITY);
        for (size_t i = 32; i < EACH; i++)
            x[i] = ((double)k + gsl_rng_uniform(rng)) * M_LN2;
    }
    assert_within_one_ulp(in, (size_t)EACH * POWERS, 1);
    gsl_rng_free(rng);
    free(in);
}

/* Near and below the smallest normal double: full precision up to 708, then exactly 0. */
static void exp_below_the_least_it_returns_is_zero(void **state)
{
    (void)state;
    enum { N = 8000 };
    double *in = simd_doubles(N), *out = simd_doubles(N);
    in[0] = 708;
    for (size_t i = 1; i < N; i++)
        in[i] = 708 - (double)i * 1e-4;
    assert_within_one_ulp(in, N, 1);
    in[0] = nextafter(708, INFINITY);
    for (size_t i = 1; i < N; i++) /* subnormal from 708.4 on, 0 from 745.2 on */
        in[i] = 708 + (double)i * 5e-3;
    simd_select(NULL)->exp_negative(N, in, 1, out);
    for (size_t i = 0; i < N; i++)
        assert_true(out[i] == 0 && !signbit(out[i]));
    free(in), free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_has_the_same_bits_at_every_width),
        cmocka_unit_test(exp_does_not_depend_on_an_element_s_place),
        cmocka_unit_test(exp_of_what_is_no_finite_number_is_zero),
        cmocka_unit_test(exp_of_zero_is_one_and_of_a_huge_negative_is_zero),
        cmocka_unit_test(exp_is_within_one_ulp_of_the_exact_value),
        cmocka_unit_test(exp_is_within_one_ulp_around_every_power_of_two),
        cmocka_unit_test(exp_below_the_least_it_returns_is_zero),
    };
    return cmocka_run_group_tests_name("exp", tests, NULL, NULL);
}
