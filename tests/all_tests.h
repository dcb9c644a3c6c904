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

/* Skips a test of cmocka for this reason, which tests/run.sh lists. It collects the packages in "(Debian: NAME...)". */
#define skip_for(why) do { print_message("# %s\n", why); skip(); } while (0)

#define no_data "the data are not along HULLBENCH_DATA; datasets/fetch.sh downloads them"
#define no_gnuplot "gnuplot is not installed (Debian: gnuplot-nox)"
#define no_rscript "Rscript is not installed (Debian: r-base-core)"
#define no_libsvm "libsvm/svm.h is not installed (Debian: libsvm-dev)"
#define no_comma "no locale with a decimal comma can be made (Debian: locales)"

#endif
