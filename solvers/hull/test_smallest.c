/* The k smallest of a list, against a plain version of Hoare's partition, including the resulting order, in which
 * callers sum. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/hull/smallest.h"

enum { MAX = 9000 }; /* more than are compared in one block */

static int is_before(size_t a, size_t b, const double *value)
{
    return value[a] < value[b] || (value[a] == value[b] && a < b);
}

static void exchange(size_t *order, size_t i, size_t j)
{
    size_t kept = order[i];
    order[i] = order[j];
    order[j] = kept;
}

/* Two indices that approach each other and exchange misplaced entries. */
static size_t hoare_partition(size_t *order, size_t first, size_t end, const double *value)
{
    size_t pivot = order[first], low = first, high = end;
    for (;;) {
        while (++low < end && is_before(order[low], pivot, value))
            ;
        while (is_before(pivot, order[--high], value))
            ;
        if (low >= high)
            break;
        exchange(order, low, high);
    }
    exchange(order, first, high);
    return high;
}

static void hoare_select(size_t *order, size_t n, size_t k, const double *value)
{
    uint32_t draw = 1;
    for (size_t first = 0, end = n; end - first > 1;) {
        draw = draw * 1664525u + 1013904223u;
        exchange(order, first, first + (size_t)(((uint64_t)draw * (end - first)) >> 32));
        size_t place = hoare_partition(order, first, end, value);
        if (place == k - 1)
            return;
        if (place < k - 1)
            first = place + 1;
        else
            end = place;
    }
}

static uint32_t next_draw(uint32_t *draw)
{
    return (*draw = *draw * 1664525u + 1013904223u) >> 8;
}

enum pattern { DISTINCT, FEW_VALUES, ALL_EQUAL, ASCENDING, WITH_INFINITIES, PATTERNS };

static double value_of(enum pattern pattern, size_t i, uint32_t *draw)
{
    uint32_t drawn = next_draw(draw);
    switch (pattern) {
    case FEW_VALUES: return drawn % 3 - 1.0;
    case ALL_EQUAL: return 7;
    case ASCENDING: return (double)i;
    case WITH_INFINITIES: return drawn % 4 ? drawn : drawn % 8 ? (double)INFINITY : -(double)INFINITY;
    default: return drawn;
    }
}

/* Starts from a shuffled order of every other index. */
static void fill(enum pattern pattern, size_t n, size_t *order, double *value, uint32_t *draw)
{
    for (size_t i = 0; i < 2 * n; i++)
        value[i] = value_of(pattern, i, draw);
    for (size_t i = 0; i < n; i++)
        order[i] = 2 * i;
    for (size_t i = n; i > 1; i--)
        exchange(order, i - 1, next_draw(draw) % i);
}

static const char *const widths[] = {"generic", "avx2", "avx512"};

/* The same with keys, at each width that this processor runs. */
static void check_keys(const size_t *start, const size_t *expected, size_t n, size_t k, const double *value)
{
    size_t *order = malloc(n * sizeof *order);
    double *key = malloc(n * sizeof *key);
    assert_non_null(order);
    assert_non_null(key);
    for (size_t w = 0; w < 3; w++) {
        const struct simd *simd = simd_select(widths[w]);
        if (!simd)
            continue;
        memcpy(order, start, n * sizeof *order);
        for (size_t i = 0; i < n; i++)
            key[i] = value[order[i]];
        smallest_partition_by_keys(simd, order, key, n, k, value);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(order[i], expected[i]);
            assert_true(key[i] == value[order[i]]);
        }
    }
    free(order);
    free(key);
}

static void the_order_left_is_that_of_hoare(void **state)
{
    (void)state;
    static const size_t sizes[] = {1,   2,   3,   7,   8,   9,    63,   64,   65,   66,
                                   127, 128, 129, 130, 200, 1000, 4096, 4097, 4098, MAX};
    size_t *order = malloc(MAX * sizeof *order), *expected = malloc(MAX * sizeof *expected);
    size_t *start = malloc(MAX * sizeof *start);
    double *value = malloc(2 * MAX * sizeof *value);
    uint32_t draw = 1;
    assert_non_null(order);
    assert_non_null(expected);
    assert_non_null(start);
    assert_non_null(value);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (enum pattern pattern = 0; pattern < PATTERNS; pattern++)
            for (size_t trial = 0; trial < 12; trial++) {
                size_t n = sizes[s], k = trial == 0 ? n : 2 + next_draw(&draw) % n;
                k = k > n ? n : k;
                fill(pattern, n, order, value, &draw);
                memcpy(expected, order, n * sizeof *order);
                memcpy(start, order, n * sizeof *order);
                smallest_partition(order, n, k, value);
                check_keys(start, order, n, k, value);
                if (k > 1) /* a single smallest is found by search and swaps places with the first */
                    hoare_select(expected, n, k, value);
                for (size_t i = 0; k > 1 && i < n; i++)
                    assert_int_equal(order[i], expected[i]);
            }
    free(order);
    free(expected);
    free(start);
    free(value);
}

static void the_first_k_are_the_smallest_and_the_last_of_them_the_largest(void **state)
{
    (void)state;
    enum { N = 150 };
    size_t order[N];
    double value[2 * N];
    uint32_t draw = 5;
    for (enum pattern pattern = 0; pattern < PATTERNS; pattern++)
        for (size_t k = 1; k <= N; k++) {
            fill(pattern, N, order, value, &draw);
            smallest_partition(order, N, k, value);
            for (size_t i = 0; i < N; i++) {
                assert_true(i >= k - 1 || is_before(order[i], order[k - 1], value));
                assert_true(i <= k - 1 || is_before(order[k - 1], order[i], value));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_left_is_that_of_hoare),
        cmocka_unit_test(the_first_k_are_the_smallest_and_the_last_of_them_the_largest),
    };
    return cmocka_run_group_tests_name("smallest", tests, NULL, NULL);
}
