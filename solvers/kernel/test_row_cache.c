/* The cache against a list of its expected contents, and shortening of rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/kernel/simd.h"
#include "solvers/kernel/row_cache.h"

enum { N = 20, STRIDE = 16 };

static double entry(size_t i, size_t j)
{
    return (double)(100 * i + j);
}

static void fill(double *row, size_t i)
{
    for (size_t j = 0; j < STRIDE; j++)
        row[j] = entry(i, j);
}

static void the_least_recently_used_row_gives_way(void **state)
{
    (void)state;
    enum { ROWS = 6 };
    struct row_cache cache;
    size_t recent[N] = {0}, held = 0; /* most recently used first */
    uint32_t draw = 7;
    assert_true(row_cache_open(&cache, N, STRIDE, ROWS, ROWS));
    for (int t = 0; t < 2000; t++) {
        draw = draw * 1664525u + 1013904223u;
        size_t i = (draw >> 20) % N % (1 + (size_t)t % N), at = 0;
        while (at < held && recent[at] != i)
            at++;
        double *row = row_cache_find(&cache, i);
        assert_int_equal(row != NULL, at < held);
        if (!row)
            fill(row = row_cache_take(&cache, i), i);
        for (size_t j = 0; j < STRIDE; j++)
            assert_true(row[j] == entry(i, j));
        if (at == held && held < ROWS)
            held++;
        for (size_t k = at < held ? at : held - 1; k > 0; k--)
            recent[k] = recent[k - 1];
        recent[0] = i;
    }
    row_cache_close(&cache);
}

static void cut_rows_keep_their_elements_and_make_room_for_more(void **state)
{
    (void)state;
    enum { ROWS = 6 };
    const size_t places[] = {1, 4, 5, 9, 15};
    struct row_cache cache;
    assert_true(row_cache_open(&cache, N, STRIDE, ROWS, ROWS));
    for (size_t i = 0; i < ROWS; i++)
        fill(row_cache_take(&cache, 3 * i), 3 * i);
    row_cache_find(&cache, 0);
    unsigned char keep[N];
    memset(keep, 1, N);
    keep[12] = 0;
    row_cache_compact(&cache, keep, places, 5);
    assert_int_equal(cache.slots, 2 * ROWS);
    assert_null(row_cache_find(&cache, 12));
    for (size_t i = 0; i < ROWS; i++) {
        if (3 * i == 12)
            continue;
        const double *row = row_cache_find(&cache, 3 * i);
        assert_non_null(row);
        for (size_t k = 0; k < SIMD_LANES; k++)
            assert_true(row[k] == (k < 5 ? entry(3 * i, places[k]) : 0));
    }
    row_cache_find(&cache, 0); /* makes row 3 the least recently used */
    for (size_t i = 1; cache.taken < cache.slots; i += 3)
        row_cache_take(&cache, i);
    assert_non_null(row_cache_find(&cache, 0));
    row_cache_take(&cache, 17);
    assert_null(row_cache_find(&cache, 3));
    assert_non_null(row_cache_find(&cache, 0));
    row_cache_clear(&cache, STRIDE);
    assert_int_equal(cache.slots, ROWS);
    assert_null(row_cache_find(&cache, 0));
    row_cache_close(&cache);
}

static void takes_of_all(struct row_cache *cache, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!row_cache_find(cache, i))
            row_cache_take(cache, i);
}

static void room_is_opened_for_rows_that_come_back(void **state)
{
    (void)state;
    enum { ROWS = 6, FIRST = 2 };
    struct row_cache cache;
    assert_true(row_cache_open(&cache, N, STRIDE, ROWS, FIRST));
    takes_of_all(&cache, N); /* each for the first time */
    assert_int_equal(cache.slots, FIRST);
    for (size_t i = 0; i < MISSES_PER_ROW - 1; i++)
        row_cache_take(&cache, i);
    assert_int_equal(cache.slots, FIRST);
    row_cache_take(&cache, MISSES_PER_ROW - 1);
    assert_int_equal(cache.slots, FIRST + 1);
    row_cache_clear(&cache, STRIDE); /* the committed part remains, evictions are forgotten */
    takes_of_all(&cache, N);
    assert_int_equal(cache.slots, FIRST + 1);
    for (int t = 0; t < 100; t++)
        takes_of_all(&cache, ROWS + 1); /* an order in which least-recently-used eviction never hits */
    assert_int_equal(cache.slots, ROWS);
    for (int t = 0; t < 2; t++)
        takes_of_all(&cache, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        assert_non_null(row_cache_find(&cache, i));
    row_cache_close(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_recently_used_row_gives_way),
        cmocka_unit_test(cut_rows_keep_their_elements_and_make_room_for_more),
        cmocka_unit_test(room_is_opened_for_rows_that_come_back),
    };
    return cmocka_run_group_tests_name("row cache", tests, NULL, NULL);
}
