/* Times of repeats from given values, printed and parsed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/run/timing.h"
#include "harness/support/file.h"

static void median_extremes_and_spread_are_those_of_the_values(void **state)
{
    (void)state;
    double wall[] = {6, 2, 10, 4, 8}, cpu[] = {5, 1, 9, 3, 7};
    const struct timing odd = timing_of_repeats(wall, cpu, 5);
    assert_true(odd.seconds == 6);
    assert_int_equal(odd.cpu.repeats, 5);
    assert_true(odd.cpu.median == 5 && odd.cpu.min == 1 && odd.cpu.max == 9);
    assert_true(odd.cpu.spread == (7.0 - 3.0) / 5.0);
    double two_walls[] = {2, 1}, two[] = {3, 1}; /* quartiles 1.5 and 2.5 */
    const struct timing even = timing_of_repeats(two_walls, two, 2);
    assert_true(even.seconds == 1.5 && even.cpu.median == 2 && even.cpu.spread == 0.5);
}

static void one_slow_repeat_of_many_hardly_moves_median_and_spread(void **state)
{
    (void)state;
    double wall[] = {1, 1, 1, 1, 100}, cpu[] = {1, 1, 1, 1, 100};
    const struct timing timing = timing_of_repeats(wall, cpu, 5);
    assert_true(timing.seconds == 1 && timing.cpu.median == 1 && timing.cpu.max == 100 && timing.cpu.spread == 0);
}

static void what_is_printed_is_read_back(void **state)
{
    (void)state;
    const struct timing timing = {
        0.5, {7, 0.125, 1e-9, 1234.5, 0.25}, {300, (uint64_t)1 << 53, 0.1}, 0xfedcba9876543210};
    const struct cpu_seconds cpu = timing.cpu;
    const struct json_path place = {.file = "x"};
    struct pool *pool = pool_new();
    struct timing_line line;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    fputs("{\"index\":3,\"seconds\":0.5", stream);
    timing_print(&timing, stream);
    fputs("}", stream);
    fclose(stream);
    members_read(pool, timing_members, json_parse(pool, "x", text), &place, &line);
    const struct cpu_seconds *back = &line.timing.cpu;
    assert_true(line.index == 3 && line.timing.seconds == 0.5);
    assert_true(back->repeats == cpu.repeats && back->median == cpu.median && back->min == cpu.min &&
                back->max == cpu.max && back->spread == cpu.spread);
    assert_int_equal(line.timing.budget.iterations, 300);
    assert_int_equal(line.timing.budget.kernel_operations, (uint64_t)1 << 53);
    assert_true(line.timing.budget.seconds == 0.1 && line.timing.rows == timing.rows);
    free(text);
    pool_free(pool);
}

static void a_single_shot_is_no_text_and_no_repeats(void **state)
{
    (void)state;
    const struct timing none = {0};
    const struct json_path place = {.file = "x"};
    struct pool *pool = pool_new();
    struct timing_line line = {.timing.cpu.repeats = 3};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    timing_print(&none, stream);
    fclose(stream);
    assert_string_equal(text, "");
    members_read(pool, timing_members, json_parse(pool, "x", "{\"index\":3,\"seconds\":0.5}"), &place, &line);
    assert_int_equal(line.timing.cpu.repeats, 0);
    assert_int_equal(line.timing.budget.iterations, 0);
    free(text);
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_extremes_and_spread_are_those_of_the_values),
        cmocka_unit_test(one_slow_repeat_of_many_hardly_moves_median_and_spread),
        cmocka_unit_test(what_is_printed_is_read_back),
        cmocka_unit_test(a_single_shot_is_no_text_and_no_repeats),
    };
    return cmocka_run_group_tests_name("timing", tests, NULL, NULL);
}
