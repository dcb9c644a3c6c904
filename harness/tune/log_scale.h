/*
 * Points on a logarithmic scale that are the same numbers with every mathematics library: the logarithm to base 2 is a
 * whole multiple of 2^-20, and its power is made of square roots and products alone, which IEEE arithmetic rounds
 * one way.
 */
#ifndef HULLBENCH_LOG_SCALE_H
#define HULLBENCH_LOG_SCALE_H

/* The multiple of 2^-20 nearest to x, |x| < 2^30. */
double log_scale_round(double x);
/* log_scale_round(log2(value)), value > 0: an error of libm in the last place is lost in the rounding. */
double log_scale_of(double value);
/* 2^x to 12 significant digits; x a multiple of 2^-20. */
double log_scale_value(double x);

#endif
