/* Large blocks ask for huge pages, as the kernel's list of mappings shows, and are used again. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "solvers/kernel/pages.h"
#include "solvers/kernel/simd.h"

enum { MILLION = 1 << 20 };

/* Whether the mapping that holds the address has the flag "hg": madvise was called with MADV_HUGEPAGE. */
static int asks_for_huge_pages(const void *address)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[500];
    int is_here = 0, does = 0;
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        uintptr_t from, to;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
            is_here = from <= (uintptr_t)address && (uintptr_t)address < to;
        else if (is_here && strncmp(line, "VmFlags:", 8) == 0)
            does = strstr(line, " hg") != NULL;
    }
    fclose(maps);
    return does;
}

static void large_blocks_ask_for_huge_pages(void **state)
{
    (void)state;
    if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0)
        skip(); /* this kernel has none */
    double *large = pages_take(MILLION);
    assert_non_null(large);
    assert_true(asks_for_huge_pages(large));
    assert_int_equal((uintptr_t)large % SIMD_ALIGNMENT, 0);
    pages_give_back(large);
    pages_forget();
    double *small = pages_take(1000);
    assert_false(asks_for_huge_pages(small));
    pages_give_back(small);
}

static void a_released_block_serves_again(void **state)
{
    (void)state;
    double *first = pages_take(2 * MILLION), *second = pages_take(4 * MILLION);
    second[4 * MILLION - 1] = first[2 * MILLION - 1] = 1;
    pages_give_back(first);
    pages_give_back(second);
    assert_ptr_equal(pages_take(3 * MILLION), second); /* the smallest that holds it */
    assert_ptr_equal(pages_take(MILLION), first);
    pages_give_back(first);
    double *third = pages_take(4 * MILLION); /* `first` is too small and goes */
    third[0] = third[4 * MILLION - 1] = 1;
    pages_give_back(third);
    pages_give_back(second);
    pages_give_back(NULL);
    pages_forget();
    assert_null(pages_take(SIZE_MAX));
    assert_null(pages_take(SIZE_MAX / sizeof(double)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_blocks_ask_for_huge_pages),
        cmocka_unit_test(a_released_block_serves_again),
    };
    return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
