/* Square root and exponential with 113 bits. */
#include "tests/quad.h"

#include <math.h>

/* Powers of 4 bring x into the range of doubles, whose root starts Newton's iteration. */
quad quad_sqrt(quad x)
{
    const quad large = (quad)(1ull << 62) * (quad)(1ull << 62);
    quad factor = 1;
    if (!(x > 0))
        return 0;
    for (; x > large; factor *= (quad)(1ull << 31))
        x /= (quad)(1ull << 62);
    for (; x < 1 / large; factor /= (quad)(1ull << 31))
        x *= (quad)(1ull << 62);
    quad root = sqrt((double)x);
    for (int turn = 0; turn < 2; turn++)
        root = (root + x / root) / 2;
    return root * factor;
}

/* Taylor's series at x / 2^k, squared k times. */
quad quad_exp_negative(quad x)
{
    int halvings = 0;
    if (x < -11000)
        return 0;
    for (; x < -(quad)1 / 32; halvings++)
        x /= 2;
    quad term = 1, sum = 1;
    for (int k = 1; k < 40; k++) {
        term *= x / k;
        sum += term;
    }
    for (; halvings > 0; halvings--)
        sum *= sum;
    return sum;
}
