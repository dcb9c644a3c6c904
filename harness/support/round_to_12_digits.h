/* Rounding that makes results independent of the mathematics library. */
#ifndef HULLBENCH_ROUND_DIGITS_H
#define HULLBENCH_ROUND_DIGITS_H

/* x to 12 significant digits. The last bits of libm's logarithms, exponentials and powers and of GSL's distributions
 * vary with the architecture; the rounded values agree (docs/determinism.md). */
double round_to_12_digits(double x);

#endif
