/* Seconds by stage: loop times are divided in the proportions of the samples, threads' times are added, and one turn in
 * 64 is sampled. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/evaluate/stage_times.h"

static void loops_are_divided_as_the_turns_looked_at(void **state)
{
    (void)state;
    struct stage_times sum = {0};
    struct stage_times first = {
        .seconds = {[STAGE_KERNELS] = 2, [STAGE_UPDATE] = 1}, .loops = 8, .processor = 11, .turns = 100};
    first.sampled[STAGE_SELECTION] = 0.25;
    first.sampled[STAGE_UPDATE] = 0.75;
    struct stage_times second = {.seconds = {[STAGE_KERNELS] = 0.5}, .loops = 4, .processor = 4, .turns = 1};
    second.sampled[STAGE_STOPPING] = 0.125;
    stage_times_add(&sum, &first);
    stage_times_add(&sum, &second);
    assert_true(sum.seconds[STAGE_KERNELS] == 2.5);
    assert_true(sum.seconds[STAGE_SELECTION] == 2);
    assert_true(sum.seconds[STAGE_UPDATE] == 7);
    assert_true(sum.seconds[STAGE_STOPPING] == 4);
    assert_true(sum.processor == 15);
    assert_int_equal(sum.turns, 101);
    assert_true(stage_times_total(&sum) == 15.5);
}

static void a_thread_without_turns_adds_no_loop(void **state)
{
    (void)state;
    struct stage_times sum = {0}, idle = {.seconds = {[STAGE_FILES] = 1}};
    stage_times_add(&sum, &idle);
    assert_true(stage_times_total(&sum) == 1);
}

static void one_turn_in_sixty_four_is_looked_at(void **state)
{
    (void)state;
    struct stage_times stage_times = {0};
    size_t looks = 0;
    for (size_t turn = 0; turn < 10 * SAMPLE_EVERY; turn++)
        looks += (size_t)stage_times_sample(&stage_times);
    assert_int_equal(looks, 10);
    assert_int_equal(stage_times.turns, 10 * SAMPLE_EVERY);
    assert_false(stage_times_sample(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_divided_as_the_turns_looked_at),
        cmocka_unit_test(a_thread_without_turns_adds_no_loop),
        cmocka_unit_test(one_turn_in_sixty_four_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
