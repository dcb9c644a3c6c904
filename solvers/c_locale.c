/* The calling thread's locale, see c_locale.h. */
#include "solvers/c_locale.h"

#include <stddef.h>

void c_locale_begin(struct c_locale *locale)
{
    locale->own = newlocale(LC_ALL_MASK, "C", NULL); /* predefined: allocates nothing */
    locale->before = locale->own ? uselocale(locale->own) : NULL; /* of this thread only */
}

void c_locale_end(const struct c_locale *locale)
{
    if (locale->before)
        uselocale(locale->before);
    if (locale->own)
        freelocale(locale->own);
}
