/* Which times can be compared, using made-up records. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/record_times.h"

enum { COUNT = 4 };

static char *obstacle_of(const struct record *made)
{
    struct records records = {0};
    for (size_t i = 0; i < COUNT; i++)
        records_add(&records, &made[i]);
    char *obstacle = records_time_obstacle(&records);
    records_free(&records);
    return obstacle;
}

static void the_time_of_repeats_is_their_median_and_else_the_wall_clock(void **state)
{
    (void)state;
    const struct record single = {.seconds = 2}, repeated = {.seconds = 2, .cpu = {5, 1.5, 1, 2, 0.1}};
    assert_true(record_time(&single) == 2 && record_time(&repeated) == 1.5);
}

static void single_shots_below_a_millisecond_are_counted_and_refused(void **state)
{
    (void)state;
    struct record made[COUNT] = {{.seconds = 9e-4}, {.seconds = 1e-3}, {.seconds = 1e-6}, {.seconds = 5}};
    char *obstacle = obstacle_of(made);
    assert_non_null(strstr(obstacle, "2 of 4 times"));
    assert_non_null(strstr(obstacle, "\"repeats\""));
    free(obstacle);
    made[0].failed = 1; /* its time is ignored */
    made[2].seconds = (double)NAN;
    assert_null(obstacle_of(made));
}

static void repeats_make_short_runs_fit_to_be_compared(void **state)
{
    (void)state;
    struct record made[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        made[i] = (struct record){.seconds = 2e-5, .cpu = {5, 2e-5, 2e-5, 2e-5, 0}};
    assert_null(obstacle_of(made));
    made[3] = (struct record){.seconds = 5};
    char *obstacle = obstacle_of(made);
    assert_non_null(strstr(obstacle, "1 of 4 times")); /* one wall-clock time among CPU times */
    free(obstacle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_of_repeats_is_their_median_and_else_the_wall_clock),
        cmocka_unit_test(single_shots_below_a_millisecond_are_counted_and_refused),
        cmocka_unit_test(repeats_make_short_runs_fit_to_be_compared),
    };
    return cmocka_run_group_tests_name("record_times", tests, NULL, NULL);
}
