/* The cache against a list of what it should hold, and cutting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/kernel/lanes.h"
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
    size_t recent[N] = {0}, held = 0; /* the most recently used first */
    uint32_t draw = 7;
    assert_true(row_cache_open(&cache, N, STRIDE, ROWS));
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
    assert_true(row_cache_open(&cache, N, STRIDE, ROWS));
    for (size_t i = 0; i < ROWS; i++)
        fill(row_cache_take(&cache, 3 * i), 3 * i);
    row_cache_find(&cache, 0);
    unsigned char keep[N];
    memset(keep, 1, N);
    keep[12] = 0;
    row_cache_cut(&cache, keep, places, 5);
    assert_int_equal(cache.slots, 2 * ROWS);
    assert_null(row_cache_find(&cache, 12));
    for (size_t i = 0; i < ROWS; i++) {
        if (3 * i == 12)
            continue;
        const double *row = row_cache_find(&cache, 3 * i);
        assert_non_null(row);
        for (size_t k = 0; k < LANES; k++)
            assert_true(row[k] == (k < 5 ? entry(3 * i, places[k]) : 0));
    }
    row_cache_find(&cache, 0); /* so that row 3 is the oldest */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_recently_used_row_gives_way),
        cmocka_unit_test(cut_rows_keep_their_elements_and_make_room_for_more),
    };
    return cmocka_run_group_tests_name("row cache", tests, NULL, NULL);
}
