/*
 * Floating point with 113 bits for reference values in tests: `long double` if it is that wide (aarch64), else the
 * __float128 of gcc and clang on x86-64. The compiler provides additions, products and quotients; the two other
 * functions needed are below.
 */
#ifndef HULLBENCH_TESTS_QUAD_H
#define HULLBENCH_TESTS_QUAD_H

#include <float.h>

#if LDBL_MANT_DIG >= 113
typedef long double quad;
#else
__extension__ typedef __float128 quad;
#endif

#define QUAD_EPSILON ((quad)1 / ((quad)(1ull << 56) * (quad)(1ull << 56)))

static inline quad quad_abs(quad x)
{
    return x < 0 ? -x : x;
}

static inline quad quad_max(quad a, quad b)
{
    return a > b ? a : b;
}

static inline quad quad_min(quad a, quad b)
{
    return a < b ? a : b;
}

/* x >= 0, within some units in the last place. */
quad quad_sqrt(quad x);
/* e^x for x <= 0, relative error below 1e-27 down to x = -1e6; 0 below -11000, where the value is less than 1e-4700. */
quad quad_exp_negative(quad x);

#endif
