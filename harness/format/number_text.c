/* Decimal places come from printf's own rounding, not from logarithms, so that texts are the same everywhere. */
#include "harness/format/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"

/* The exponent e of value = m 10^e, 1 <= m < 10, after rounding m to n_digits digits; `digits` gets their text. */
static int exponent_of(double value, int n_digits, char digits[40])
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", n_digits - 1, fabs(value));
    char *exponent = strchr(text, 'e');
    if (!exponent)
        return 0;
    *exponent = '\0';
    if (digits)
        snprintf(digits, 40, "%s", text);
    return atoi(exponent + 1);
}

/* The power of ten of the last digit that the spread supports. */
static int last_place(double spread)
{
    char digits[40];
    int exponent = exponent_of(spread, 3, digits);
    double leading = atof(digits); /* 1.00 to 9.99 */
    return leading > 3.545 ? exponent : exponent - 1; /* 9.5 and more become 10.0: same last digit */
}

static double power_of_ten(int exponent)
{
    double power = 1;
    for (int i = 0; i < abs(exponent); i++)
        power *= 10;
    return power;
}

static double shifted(double value, int exponent)
{
    return exponent > 0 ? value / power_of_ten(exponent) : value * power_of_ten(exponent);
}

/* Copies digits with a narrow no-break space between groups of three before the point. */
static void group_digits(const char *digits, char *text, size_t size)
{
    size_t whole = strspn(digits, "0123456789"), used = 0;
    for (size_t i = 0; digits[i] && used + 4 < size; i++) {
        if (i > 0 && i < whole && whole > 4 && (whole - i) % 3 == 0)
            used += (size_t)snprintf(text + used, size - used, "\u202f");
        text[used++] = digits[i];
    }
    text[used] = '\0';
}

/* The value rounded to the digit of 10^place, or to the fixed decimals. */
static void put_fixed(double value, int place, const struct number_format *format, char *text, size_t size)
{
    char digits[400], grouped[600]; /* digits of 1e300 would be cut; power_behind has reduced such values already */
    int decimals = format->decimals >= 0 ? format->decimals : place < 0 ? -place : 0;
    if (format->decimals < 0 && place > 0) {
        snprintf(digits, sizeof digits, "%.0f", fabs(value) / power_of_ten(place));
        size_t used = strlen(digits);
        for (int i = 0; i < place && strcmp(digits, "0") != 0 && used + 1 < sizeof digits; i++)
            digits[used++] = '0';
        digits[strcmp(digits, "0") == 0 ? 1 : used] = '\0';
    } else
        snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    group_digits(digits, grouped, format->thin_spaces ? sizeof grouped : sizeof digits);
    int is_zero = digits[strspn(digits, "0.")] == '\0';
    snprintf(text, size, "%s%.59s", value < 0 && !is_zero ? "−" : "", format->thin_spaces ? grouped : digits);
}

/* "·10⁻⁶" */
static void put_power(int exponent, const char *before, char *text, size_t size)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    size_t used = (size_t)snprintf(text, size, "%s10%s", before, exponent < 0 ? "⁻" : "");
    snprintf(digits, sizeof digits, "%d", abs(exponent));
    for (const char *at = digits; *at && used < size; at++)
        used += (size_t)snprintf(text + used, size - used, "%s", raised[*at - '0']);
}

/* The exponent of the power that follows a number of this size, after rounding it to the digit of 10^place or to the
 * fixed decimals; 0: none. */
static int power_behind(double size, int place, const struct number_format *format)
{
    if (!(size > 0))
        return 0;
    if (format->decimals >= 0)
        return size >= 1e15 ? exponent_of(size, format->decimals + 1, NULL) : 0;
    const int n_digits = exponent_of(size, 17, NULL) - place + 1,
              exponent = n_digits > 0 ? exponent_of(size, n_digits < 17 ? n_digits : 17, NULL) : place;
    return exponent >= 7 || exponent < -3 ? exponent : 0;
}

/* One number whose last digit is that of 10^place. */
static const char *number_to(double value, int place, const struct number_format *format)
{
    char number[64], power[32] = "";
    int exponent = power_behind(fabs(value), place, format);
    if (exponent)
        put_power(exponent, "·", power, sizeof power);
    put_fixed(shifted(value, exponent), place - exponent, format, number, sizeof number);
    return message_text("%s%s", number, power);
}

static int is_short_integer(double value)
{
    return value == floor(value) && fabs(value) < 1e7;
}

/* An exact number, without trailing zeros after the point. */
static const char *exact_number(double value, const struct number_format *format)
{
    char digits[40];
    int exponent = exponent_of(value, 6, digits), zeros = 0;
    for (size_t i = strlen(digits); i-- > 2 && digits[i] == '0';)
        zeros++;
    return number_to(value, is_short_integer(value) ? 0 : exponent - 5 + zeros, format);
}

const char *number_text(double value, int digits, const struct number_format *format)
{
    if (!isfinite(value))
        return "–";
    return number_to(value, is_short_integer(value) ? 0 : exponent_of(value, digits, NULL) - digits + 1, format);
}

const char *number_text_mean(double mean, double spread, const struct number_format *format)
{
    if (isfinite(mean) && spread == 0)
        return exact_number(mean, format);
    return isfinite(mean) && isfinite(spread) ? number_to(mean, last_place(spread), format)
                                              : number_text(mean, 4, format);
}

const char *number_text_mean_sd(double mean, double sd, const struct number_format *format)
{
    char first[64], second[64], power[32] = "";
    if (!isfinite(mean) || !isfinite(sd))
        return number_text(mean, 4, format);
    if (!(sd > 0))
        return message_text("%s ± 0", exact_number(mean, format));
    int exponent = power_behind(fmax(fabs(mean), sd), last_place(sd), format), place = last_place(sd) - exponent;
    put_fixed(shifted(mean, exponent), place, format, first, sizeof first);
    put_fixed(shifted(sd, exponent), place, format, second, sizeof second);
    if (exponent)
        put_power(exponent, "·", power, sizeof power);
    return message_text(exponent ? "(%s ± %s)%s" : "%s ± %s%s", first, second, power);
}

const char *number_text_interval(const struct interval *interval, int digits, const struct number_format *format)
{
    const char *estimate = number_text(interval->estimate, digits, format), *level = "";
    if (!isfinite(interval->low) || !isfinite(interval->high))
        return estimate;
    if (fabs(interval->level - 0.95) > 0.0005)
        level = message_text("; %.3g %%", 100 * interval->level);
    return message_text("%s [%s, %s%s]", estimate, number_text(interval->low, digits, format),
                        number_text(interval->high, digits, format), level);
}

const char *number_text_setting(const char *value)
{
    char *end = NULL;
    const char *e = strchr(value, 'e');
    const struct number_format by_rule = {-1, 0};
    const double number = strtod(value, &end);
    if (end != value && *end == '\0' && strlen(value) > 8 && isfinite(number))
        return number_text(number, 4, &by_rule);
    if (!e || end == value || *end)
        return value;
    char before[64] = "", text[160];
    const int is_one = e - value == 1 && *value == '1';
    if (!is_one)
        snprintf(before, sizeof before, "%.*s·", (int)(e - value < 40 ? e - value : 40), value);
    put_power(atoi(e + 1), before, text, sizeof text);
    return message_text("%s", text);
}

const char *number_text_duration(double seconds)
{
    const double rounded = seconds < 3599.5 ? floor(seconds + 0.5) : 60 * floor(seconds / 60 + 0.5);
    const double hours = floor(rounded / 3600), minutes = floor((rounded - 3600 * hours) / 60),
                 left = rounded - 3600 * hours - 60 * minutes;
    if (seconds < 1 || isnan(seconds))
        return seconds > 0 ? "under 1 s" : "0 s";
    if (rounded < 60)
        return message_text("%.0f s", rounded);
    return rounded < 3600 ? message_text("%.0f min %02.0f s", minutes, left)
                          : message_text("%.0f h %02.0f min", hours, minutes);
}
