/* Rounds via the decimal form, which IEEE 754 and the C library define uniquely. */
#include "harness/support/round_to_12_digits.h"

#include <stdio.h>
#include <stdlib.h>

double round_to_12_digits(double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.12g", x);
    return strtod(text, NULL);
}
