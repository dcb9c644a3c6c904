/* Compares decimal_parse with strtod, bit for bit, on numbers of every kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/decimal.h"
#include "tests/all_tests.h"
#include "tests/comma_locale.h"

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void expect(const char *text)
{
    const char *end;
    char *library_end;
    double value = decimal_parse(text, &end), library = strtod(text, &library_end);
    if (bits_of(value) != bits_of(library) || end != library_end)
        fail_msg("\"%s\": %.17g and %td bytes, but strtod has %.17g and %td", text, value, end - text, library,
                 library_end - text);
}

static void single_numbers_have_the_bits_of_strtod(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0", "-0", "+0", "0.0", "-0.0e5", "00012", "1", "+1", "-1", ".5", "5.", "-.5e-3", "5.e3", "1e5", "1E+5", "1e-5",
        /* halfway cases and their neighbours; 2^53, 2^64 and beyond; exponents around 22 and 27 */
        "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740994", "9007199254740995",
        "9007199254740993.0", "9007199254740993e0", "900719925474099.3e1", "90071992547409930e-1",
        "9007199254740993000e-3", "9007199254740993001e-3", "9007199254740992999e-3", "9999999999999999999",
        "18446744073709551615", "18446744073709551616", "18446744073709551615e-1", "99999999999999999999", "1e22",
        "1e23", "9007199254740992e22", "9007199254740992e23", "123456789e22", "1e-22", "1e-23", "1e-27", "1e-28",
        "9999999999999999999e-27", "9999999999999999999e-28", "1.7976931348623157e308", "1.7976931348623159e308",
        "1e309", "-1e999", "1e99999999999999999999", "0e99999999999999999999", "1e-99999999999999999999", "4.9e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072014e-308",
        "0.1", "0.2", "0.3", "0.000001", "123456.7890123456789", "0.00000000000000000000000000000000000000000001",
        "100000000000000000000000000000000000000000000e-44", "3.14159265358979323846264338327950288419716939937510",
        /* followed by characters that are not part of the number */
        "1e", "1e+", "1e-", "1ex", "1.2.3", "1..2", "1-2", "1e5.5", "1e5e5", "12:3", "12 3", "1,5", "1_0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(texts[i]);
}

static void what_is_no_decimal_number_is_not_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"",   "+",    "-",   ".",  "+.",  "-.e5", "e5", ".e5",
                                        "+-1", "--1", "inf", "nan", "-inf", "x1",  " 1", "\n1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *end;
        assert_true(decimal_parse(texts[i], &end) == 0);
        assert_ptr_equal(end, texts[i]);
    }
    const char hexadecimal[] = "0x10", *end; /* strtod would parse all of it */
    assert_true(decimal_parse(hexadecimal, &end) == 0);
    assert_ptr_equal(end, hexadecimal + 1);
}

/* Random doubles, by bits and near 1, printed with 1 to 20 digits; random digits with a point and an exponent. */
static void random_numbers_have_the_bits_of_strtod(void **state)
{
    (void)state;
    enum { ROUNDS = 200000 };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    char text[400];
    for (size_t i = 0; i < ROUNDS; i++) {
        uint64_t bits = (uint64_t)gsl_rng_get(random) << 32 | gsl_rng_get(random);
        double value;
        memcpy(&value, &bits, sizeof value);
        int digits = 1 + (int)gsl_rng_uniform_int(random, 20);
        if (isfinite(value)) {
            snprintf(text, sizeof text, "%.*e", digits, value);
            expect(text);
        }
        value = ldexp(gsl_rng_uniform(random) - 0.5, (int)gsl_rng_uniform_int(random, 120) - 60);
        snprintf(text, sizeof text, "%.*g", digits, value);
        expect(text);
        snprintf(text, sizeof text, "%.*f", digits, value);
        expect(text);
        snprintf(text, sizeof text, "%" PRIu64 "e%d", bits >> gsl_rng_uniform_int(random, 64),
                 (int)gsl_rng_uniform_int(random, 80) - 40);
        expect(text);
    }
    gsl_rng_free(random);
}

/* Halfway between two doubles, exactly and off by one in the last digit: (2 m + 1) 2^-k for k up to 10, whose digits
 * end at 10^-k. */
static void numbers_halfway_between_doubles_go_to_the_even_one(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < 100000; i++) {
        unsigned k = 1 + (unsigned)gsl_rng_uniform_int(random, 10);
        uint64_t m = UINT64_C(1) << 52 | (uint64_t)gsl_rng_get(random) << 20 | gsl_rng_get(random) >> 12;
        /* 2 m + 1 has 54 bits. Divided by 2^k it has an integer part and k decimal digits. */
        uint64_t odd = 2 * m + 1, whole = odd >> k, rest = odd & ((UINT64_C(1) << k) - 1), digits = rest;
        for (unsigned d = 0; d < k; d++)
            digits *= 5;
        char text[64];
        for (int off = -1; off <= 1; off++) {
            snprintf(text, sizeof text, "%" PRIu64 ".%0*" PRIu64, whole, (int)k, digits + (uint64_t)off);
            expect(text);
        }
    }
    gsl_rng_free(random);
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    if (!comma_locale_set())
        skip_for(no_comma);
    const char *end, text[] = "1.00000000000000000000000005e-300";
    assert_true(decimal_parse(text, &end) == 1.00000000000000000000000005e-300);
    assert_ptr_equal(end, text + strlen(text));
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_numbers_have_the_bits_of_strtod),
        cmocka_unit_test(what_is_no_decimal_number_is_not_read),
        cmocka_unit_test(random_numbers_have_the_bits_of_strtod),
        cmocka_unit_test(numbers_halfway_between_doubles_go_to_the_even_one),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
