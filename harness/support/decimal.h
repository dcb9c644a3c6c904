/* Decimal numbers in texts, read to the nearest double, whatever the locale. */
#ifndef HULLBENCH_DECIMAL_H
#define HULLBENCH_DECIMAL_H

/* Reads the longest number at the beginning of `text`: a sign, digits with at most one point among them, "e" or "E"
 * with a sign and digits; all but one digit may be missing. *end is behind it, or `text` where there is no number.
 * The value has the bits of strtod in the locale "C": infinite or 0 beyond the range of doubles. No blanks,
 * hexadecimal digits, "inf" or "nan". The text has to end with a NUL or have another character behind the number. */
double decimal_parse(const char *text, const char **end);

#endif
