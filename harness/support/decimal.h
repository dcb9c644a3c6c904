/* Decimal numbers, independently of the locale and of the mathematics library. */
#ifndef HULLBENCH_DECIMAL_H
#define HULLBENCH_DECIMAL_H

/* Parses the longest number at the start of `text` to the nearest double: a sign, digits with at most one point, "e" or
 * "E" with a sign and digits; all but one digit is optional. *end points behind it, or to `text` if there is none. The
 * value has the bits of strtod's in the locale "C": infinite or 0 beyond the range of doubles. Blanks, hexadecimal
 * digits, "inf" and "nan" are not accepted. A NUL or another character must follow the number. */
double decimal_parse(const char *text, const char **end);

/* x to 12 significant digits. The last bits of libm's logarithms, exponentials and powers and of GSL's distributions
 * vary with the architecture; the rounded values agree (docs/guarantees.md). */
double round_to_12_digits(double x);

#endif
