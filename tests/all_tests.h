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

/* Whether tests/run.sh runs the test under valgrind. There posix_spawn does not report that a program is missing, and
 * long double has no more digits than double. */
static inline int under_valgrind(void)
{
    const char *wrapper = getenv("TEST_WRAPPER");
    return wrapper && strstr(wrapper, "valgrind");
}

#endif
