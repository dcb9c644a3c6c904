/* Every number of a record has one row, and each measure is found by its name, its earlier names and its path. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "harness/records/measures.h"

static void every_number_has_a_row_of_its_own(void **state)
{
    (void)state;
    for (size_t m = 0; m < RECORD_FIELDS; m++) {
        assert_non_null(measure_row(m));
        assert_int_equal(measure_find(measure_path(m), 0), m);
        assert_string_equal(measure_paths()[m], measure_path(m));
    }
    assert_null(measure_paths()[RECORD_FIELDS]);
}

static void a_measure_has_a_name_a_title_and_a_direction(void **state)
{
    (void)state;
    for (size_t m = 0; m < MEASURES; m++) {
        const struct member *row = measure_row(m);
        if (!(row->flags & MEMBER_MEASURE))
            continue;
        assert_int_equal(measure_find(row->measure, MEMBER_MEASURE), m);
        assert_non_null(row->title);
        assert_false((row->flags & MEMBER_LOWER) && (row->flags & MEMBER_HIGHER));
        assert_true(!(row->flags & MEMBER_COST) || (row->flags & MEMBER_RATIO));
    }
}

static void earlier_names_are_understood(void **state)
{
    (void)state;
    static const char *const names[] = {"kernel-operations-with-setup", "kernel_operations_with_setup",
                                        "all-operations"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(measure_find(names[i], MEMBER_MEASURE), MEASURE_ALL_OPERATIONS);
    assert_int_equal(measure_find("error_percent", 0), FIELD_ERROR);
    assert_int_equal(measure_find("kernel_operations.iterations", 0), FIELD_KERNEL_OPERATIONS);
    assert_int_equal(measure_find("bias", MEMBER_MEASURE), MEASURES);
    assert_int_equal(measure_find("iteration", 0), MEASURES);
}

static void values_come_from_the_record(void **state)
{
    (void)state;
    struct record record = {.converged = 1, .seconds = 2};
    for (size_t m = 0; m < RECORD_FIELDS; m++)
        record.field[m] = (double)(m + 1);
    for (size_t m = 0; m < RECORD_FIELDS; m++)
        assert_true(measure_of(&record, m) == (double)(m + 1));
    assert_true(measure_of(&record, MEASURE_ALL_OPERATIONS) ==
                record.field[FIELD_SETUP_OPERATIONS] + record.field[FIELD_KERNEL_OPERATIONS]);
    assert_true(measure_of(&record, MEASURE_SECONDS) == 2 && measure_of(&record, MEASURE_CONVERGED) == 1);
    record.failed = 1, record.converged = 0;
    assert_true(isnan(measure_of(&record, FIELD_ERROR)) && measure_of(&record, MEASURE_CONVERGED) == 0);
    assert_string_equal(measure_label(FIELD_ERROR), "test error (%)");
    assert_string_equal(measure_title(FIELD_KERNEL_OPERATIONS), "Kernel operations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_a_row_of_its_own),
        cmocka_unit_test(a_measure_has_a_name_a_title_and_a_direction),
        cmocka_unit_test(earlier_names_are_understood),
        cmocka_unit_test(values_come_from_the_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
