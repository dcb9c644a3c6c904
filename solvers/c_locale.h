/* The locale "C" for one thread, whatever the locale of the process is. */
#ifndef HULLBENCH_C_LOCALE_H
#define HULLBENCH_C_LOCALE_H

#include <locale.h>

/* The calling thread's locale, to restore. */
struct c_locale {
    locale_t own, before;
};
/* Gives the calling thread the locale "C" until c_locale_end. Whatever reads or prints numbers, or asks for the kind of
 * a character, does so between the two: the program, which never sets a locale, and each call of the library. */
void c_locale_begin(struct c_locale *locale);
void c_locale_end(const struct c_locale *locale);

#endif
