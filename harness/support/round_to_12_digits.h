/* Numbers that every mathematics library agrees on. */
#ifndef HULLBENCH_ROUND_DIGITS_H
#define HULLBENCH_ROUND_DIGITS_H

/* x to 12 significant digits. Logarithms, exponentials and powers of libm, and distributions of GSL, have last bits of
 * their own on each architecture: rounded, they agree (docs/determinism.md). */
double round_to_12_digits(double x);

#endif
