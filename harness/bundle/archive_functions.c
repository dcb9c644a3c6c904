/* The Makefile defines ARCHIVE_SONAME, the name under which the linker found libarchive, where it can tell it. */
#include "harness/bundle/archive_functions.h"

#ifdef ARCHIVE_SONAME
LATE_LOADED(archive, ARCHIVE_FUNCTIONS, ARCHIVE_SONAME)
#else
LATE_LINKED(archive, ARCHIVE_FUNCTIONS)
#endif
