/*
 * 2^x = 2^w r, w = floor(x), where r is the product of those of 2^(1/2), 2^(1/4), ..., 2^(1/2^20) whose bit is set in x
 * - w. Each of these is the square root of the previous one. The error of twenty roundings is far below the 12 digits
 * that are kept.
 */
#include "harness/tune/log_scale.h"

#include <math.h>

#include "harness/support/round_to_12_digits.h"

enum { FRACTION_BITS = 20 };

double log_scale_round(double x)
{
    return ldexp(floor(ldexp(x, FRACTION_BITS) + 0.5), -FRACTION_BITS);
}

double log_scale_of(double value)
{
    return log_scale_round(log2(value));
}

double log_scale_value(double x)
{
    double whole = floor(x), left = x - whole, root = 2, product = 1;
    for (int bit = 0; bit < FRACTION_BITS; bit++) {
        root = sqrt(root);
        left *= 2;
        if (left >= 1) {
            product *= root;
            left -= 1;
        }
    }
    return round_to_12_digits(ldexp(product, (int)whole));
}
