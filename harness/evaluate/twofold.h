/*
 * Sums and products with about 100 bits: unevaluated sums high + low of two doubles, |low| <= 1/2 ulp(high) (Dekker
 * 1971; Joldes, Muller and Popescu 2017, Algorithms 6 and 12). u = 2^-53. Relative errors: sum 3 u^2, product 7 u^2;
 * products below 2^-969 have absolute errors of some 2^-1074. Without fused operations, so the bits are the same on
 * every machine. A number above 2^996 in a product gives NaN.
 */
#ifndef HULLBENCH_TWOFOLD_H
#define HULLBENCH_TWOFOLD_H

#include <math.h>

struct twofold {
    double high, low;
};

/* a + b for |a| >= |b|, exactly. */
static inline struct twofold twofold_of_larger(double a, double b)
{
    double high = a + b;
    return (struct twofold){high, b - (high - a)};
}

/* a + b, exactly. */
static inline struct twofold twofold_sum(double a, double b)
{
    double high = a + b, of_b = high - a;
    return (struct twofold){high, (a - (high - of_b)) + (b - of_b)};
}

/* The upper 26 bits of a. */
static inline double twofold_upper(double a)
{
    double shifted = 134217729.0 * a; /* 2^27 + 1 */
    return shifted - (shifted - a);
}

/* a b, exactly. */
static inline struct twofold twofold_product(double a, double b)
{
    double high = a * b, a1 = twofold_upper(a), b1 = twofold_upper(b), a2 = a - a1, b2 = b - b1;
    return (struct twofold){high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline struct twofold twofold_plus(struct twofold a, struct twofold b)
{
    struct twofold highs = twofold_sum(a.high, b.high), lows = twofold_sum(a.low, b.low);
    struct twofold part = twofold_of_larger(highs.high, highs.low + lows.high);
    return twofold_of_larger(part.high, part.low + lows.low);
}

static inline struct twofold twofold_times(struct twofold a, struct twofold b)
{
    struct twofold highs = twofold_product(a.high, b.high);
    return twofold_of_larger(highs.high, highs.low + (a.high * b.low + a.low * b.high));
}

static inline struct twofold twofold_scaled(struct twofold a, double factor)
{
    return twofold_times(a, (struct twofold){factor, 0});
}

/* a / b, relative error below 2^-98: two steps of long division. */
static inline struct twofold twofold_over(struct twofold a, double b)
{
    double first = a.high / b;
    struct twofold product = twofold_product(first, b);
    struct twofold left = twofold_plus(a, (struct twofold){-product.high, -product.low});
    return twofold_of_larger(first, left.high / b);
}

/* exp(-x) for x >= 0, relative error below 2^-90 where the value is above 2^-960: exp(-x) = 2^-k exp(r)^256, |r| <=
 * 0.0014, by the Taylor series to r^10. */
static inline struct twofold twofold_exp_negative(struct twofold x)
{
    enum { TERMS = 10, SQUARINGS = 8 };
    const struct twofold ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    double k = floor(x.high / ln2.high + 0.5);
    if (!(k < 1100))
        return (struct twofold){0, 0};
    struct twofold multiple = twofold_scaled(ln2, k);
    struct twofold r = twofold_plus(multiple, (struct twofold){-x.high, -x.low}), sum = {1, 0};
    r.high = ldexp(r.high, -SQUARINGS);
    r.low = ldexp(r.low, -SQUARINGS);
    for (int term = TERMS; term > 0; term--)
        sum = twofold_plus((struct twofold){1, 0}, twofold_over(twofold_times(r, sum), term));
    for (int squaring = 0; squaring < SQUARINGS; squaring++)
        sum = twofold_times(sum, sum);
    return (struct twofold){ldexp(sum.high, (int)-k), ldexp(sum.low, (int)-k)};
}

#endif
