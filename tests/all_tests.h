#ifndef HULLBENCH_TESTS_ALL_TESTS_H
#define HULLBENCH_TESTS_ALL_TESTS_H

#include <stdlib.h>
#include <string.h>

/* Whether HULLBENCH_TESTS=all asks for every case. Otherwise the longest tests check a selection spread over all. */
static inline int all_tests(void)
{
    const char *tests = getenv("HULLBENCH_TESTS");
    return tests && strcmp(tests, "all") == 0;
}

#endif
