/*
 * Points on a logarithmic scale that are the same numbers with every math library. The logarithm to base 2 is an
 * integer multiple of 2^-20, and its power uses only square roots and products, which IEEE arithmetic rounds uniquely.
 */
#ifndef HULLBENCH_LOG_SCALE_H
#define HULLBENCH_LOG_SCALE_H

/* The nearest multiple of 2^-20 to x, |x| < 2^30. */
double log_scale_round(double x);
/* log_scale_round(log2(value)), value > 0: the rounding removes libm's error in the last place. */
double log_scale_of(double value);
/* 2^x to 12 significant digits; x a multiple of 2^-20. */
double log_scale_value(double x);

#endif
