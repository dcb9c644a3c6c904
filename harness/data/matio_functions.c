/* The Makefile defines MATIO_SONAME, the name under which the linker found matio, where it can tell it. */
#include "harness/data/matio_functions.h"

#ifdef MATIO_SONAME
LAZY_LOADED(matio, MATIO_FUNCTIONS, MATIO_SONAME)
#else
LAZY_LINKED(matio, MATIO_FUNCTIONS)
#endif
