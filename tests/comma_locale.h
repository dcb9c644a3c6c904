/* A locale with a decimal comma, for tests: numbers must be read and written alike in it. */
#ifndef HULLBENCH_TESTS_COMMA_LOCALE_H
#define HULLBENCH_TESTS_COMMA_LOCALE_H

/* Generates de_DE.UTF-8 in a temporary folder (localedef, and the sources of Debian's package locales), and sets it.
 * Returns 0 if it cannot be generated. Reset by setlocale(LC_ALL, "C"). */
int comma_locale_set(void);

#endif
