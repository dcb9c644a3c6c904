/*
 * A number is w 10^q, where w is the integer formed by its digits. The nearest double, ties to even, is found in one of
 * three ways:
 *   - w <= 2^53 and |q| <= 22: w and 10^|q| are doubles, so one multiplication or division rounds once (Clinger, How to
 *     read floating point numbers accurately, PLDI 1990).
 *   - w < 2^64 and -27 <= q < 0: w and 5^-q < 2^63 are shifted to 64 bits. The quotient has 63 or 64 bits; its last bit
 *     is set if there is a remainder. Rounding it to 53 bits drops at least 10 bits, so the result is the rounded true
 *     quotient; the remaining factor from 2^q and the shifts is a power of two.
 *   - otherwise: strtod of the C library.
 * Data files with 6 digits take the first way, those with 17 digits mostly the second.
 */
#include "harness/support/decimal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/c_locale.h"

enum { DIGITS_MAX = 19, POWER_MAX = 22, DIVISOR_MAX = 27, EXPONENT_MAX = 100000 };

static const double powers[POWER_MAX + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* 2^e, for e in the range of normal numbers. */
static double power_of_two(int e)
{
    uint64_t bits = (uint64_t)(1023 + e) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* w / 10^q for 0 < w and 0 < q <= DIVISOR_MAX. */
static double quotient(uint64_t w, unsigned q)
{
    uint64_t divisor = 1;
    for (unsigned i = 0; i < q; i++)
        divisor *= 5;
    int w_shift = __builtin_clzll(w), divisor_shift = __builtin_clzll(divisor);
    __extension__ unsigned __int128 dividend = (unsigned __int128)(w << w_shift) << 63;
    divisor <<= divisor_shift;
    uint64_t bits = (uint64_t)(dividend / divisor), rest = (uint64_t)(dividend % divisor);
    return (double)(bits | (rest != 0)) * power_of_two(divisor_shift - w_shift - 63 - (int)q);
}

static double by_library(const char *text)
{
    struct c_locale locale;
    c_locale_begin(&locale);
    double value = strtod(text, NULL);
    c_locale_end(&locale);
    return value;
}

/* Parses the digits at `at` and appends them to *w. *count grows by their number, without leading zeros, up to 20. */
static const char *digits_parse(const char *at, uint64_t *w, int *count)
{
    for (; *at >= '0' && *at <= '9'; at++) {
        *w = 10 * *w + (uint64_t)(*at - '0'); /* unused beyond DIGITS_MAX digits */
        *count += *count < DIGITS_MAX + 1 && (*count > 0 || *at != '0');
    }
    return at;
}

/* Parses the exponent at `at`, if any. */
static const char *exponent_parse(const char *at, int *exponent)
{
    const char *digit = at + 1;
    int is_negative = 0, value = 0;
    if (*at != 'e' && *at != 'E')
        return at;
    if (*digit == '+' || *digit == '-')
        is_negative = *digit++ == '-';
    if (*digit < '0' || *digit > '9')
        return at;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        if (value < EXPONENT_MAX)
            value = 10 * value + (*digit - '0');
    *exponent = is_negative ? -value : value;
    return digit;
}

double decimal_parse(const char *text, const char **end)
{
    uint64_t w = 0;
    int count = 0, q = 0;
    const char *first = text + (*text == '+' || *text == '-'), *at = digits_parse(first, &w, &count);
    int has_digit = at > first;
    if (*at == '.') {
        const char *point = at;
        at = digits_parse(point + 1, &w, &count);
        has_digit |= at > point + 1;
        q = at - point - 1 < EXPONENT_MAX ? -(int)(at - point - 1) : -EXPONENT_MAX;
    }
    *end = text;
    if (!has_digit)
        return 0;
    int exponent = 0;
    *end = exponent_parse(at, &exponent);
    q += exponent;
    double value;
    if (count <= DIGITS_MAX && w <= UINT64_C(1) << 53 && q >= -POWER_MAX && q <= POWER_MAX)
        value = q < 0 ? (double)w / powers[-q] : (double)w * powers[q];
    else if (count <= DIGITS_MAX && w > 0 && q >= -DIVISOR_MAX && q < 0)
        value = quotient(w, (unsigned)-q);
    else
        return by_library(text);
    return *text == '-' ? -value : value;
}

/* Via the decimal form, which IEEE 754 and the C library define uniquely. */
double round_to_12_digits(double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.12g", x);
    return strtod(text, NULL);
}
