/* What a pool hands out is zeroed, aligned, apart from the rest, and lives until the pool is reset or released. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/pool.h"

static void memory_is_zeroed_aligned_and_apart(void **state)
{
    struct pool *pool = pool_new();
    unsigned char *pieces[2000];
    (void)state;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 2000; i++) {
            const size_t size = i * 7 % 5000;
            pieces[i] = pool_alloc(pool, size);
            assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
            for (size_t b = 0; b < size; b++)
                assert_int_equal(pieces[i][b], 0);
            memset(pieces[i], (int)(i % 251), size);
        }
        for (size_t i = 0; i < 2000; i++)
            for (size_t b = 0; b < i * 7 % 5000; b++)
                assert_int_equal(pieces[i][b], i % 251);
        pool_reset(pool);
    }
    pool_free(pool);
    pool_free(NULL);
}

static double resident_megabytes(void)
{
    long all = 0, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    assert_non_null(statm);
    assert_int_equal(fscanf(statm, "%ld %ld", &all, &resident), 2);
    fclose(statm);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

static void large_memory_that_is_not_used_takes_no_pages(void **state)
{
    (void)state;
    struct pool *pool = pool_new();
    /* Tools that check memory write to what calloc returns. */
    const double at_first = resident_megabytes();
    unsigned char *volatile same = calloc(64, 1 << 20);
    const double before = resident_megabytes();
    const unsigned char *memory = pool_alloc(pool, 64 << 20);
    assert_int_equal(memory[32 << 20], 0);
    assert_true(resident_megabytes() - before < before - at_first + 32);
    free(same);
    pool_free(pool);
}

static void texts_are_copied(void **state)
{
    struct pool *pool = pool_new();
    (void)state;
    assert_string_equal(pool_strdup(pool, "one"), "one");
    assert_string_equal(pool_strndup(pool, "twelve", 3), "twe");
    assert_string_equal(pool_strndup(pool, "two", 30), "two");
    assert_string_equal(pool_printf(pool, "%d-%s", 3, "x"), "3-x");
    pool_free(pool);
}

static void lists_grow(void **state)
{
    struct pool *pool = pool_new();
    struct {
        struct pair {
            int n;
            double x;
        } *item;
        size_t count, capacity;
    } list = {.item = NULL};
    (void)state;
    for (int i = 0; i < 1000; i++) {
        struct pair *pair = pool_push(pool, &list);
        assert_true(pair->n == 0 && pair->x == 0);
        *pair = (struct pair){i, i / 2.0};
    }
    assert_int_equal(list.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_true(list.item[i].n == i && list.item[i].x == i / 2.0);
    pool_free(pool);
}

static char released[10], a[] = "a", b[] = "b", c[] = "c";

static void release(void *name)
{
    strcat(released, name);
}

static void kept_objects_are_released_once_the_latest_first(void **state)
{
    struct pool *pool = pool_new();
    (void)state;
    pool_keep(pool, release, a);
    pool_keep(pool, release, b);
    pool_reset(pool);
    assert_string_equal(released, "ba");
    pool_keep(pool, release, c);
    pool_free(pool);
    assert_string_equal(released, "bac");
}

static void a_text_is_kept_with_its_length_and_may_stay_open(void **state)
{
    struct pool *pool = pool_new();
    (void)state;
    struct pool_text *ended = pool_text_open(pool), *open = pool_text_open(pool), *empty = pool_text_open(pool);
    fputs("a", ended->stream);
    fputs("never ended", open->stream);
    fputc('\0', ended->stream);
    fprintf(ended->stream, "%d", 12);
    assert_memory_equal(pool_text_end(ended), "a\00012", 5);
    assert_int_equal(ended->size, 4);
    assert_null(ended->stream);
    assert_string_equal(pool_text_end(empty), "");
    pool_free(pool); /* closes the stream of the other */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
        cmocka_unit_test(large_memory_that_is_not_used_takes_no_pages),
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(a_text_is_kept_with_its_length_and_may_stay_open),
        cmocka_unit_test(lists_grow),
        cmocka_unit_test(kept_objects_are_released_once_the_latest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
