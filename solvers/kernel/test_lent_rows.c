/* Markers, and rows lent as copies: when they expire, what is detected, and that setting the active patterns ends
 * them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/kernel/lent_rows.h"
#include "solvers/kernel/marker.h"
#include "tests/geometry.h"

static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

static void a_marker_is_found_by_what_arithmetic_makes_of_it(void **state)
{
    (void)state;
    for (int k = MARKER_EXPIRED_ROW; k < MARKERS; k++) {
        double values[5] = {1, -0.5, (double)NAN, INFINITY, -(double)NAN};
        volatile double read;
        assert_int_equal(marker_find(values, sizeof values), MARKER_NONE);
        marker_fill(&values[3], sizeof values[3], (enum marker)k);
        assert_int_equal(marker_find(values, sizeof values), k);
        assert_int_equal(marker_find(values, 3 * sizeof *values), MARKER_NONE);
        memcpy((void *)(uintptr_t)&read, &values[3], sizeof read);
        values[3] = 2;
        values[1] = 3 - read * values[0];
        assert_int_equal(marker_find(values, sizeof values), k);
        values[1] = -values[1];
        assert_int_equal(marker_find(values, sizeof values), k);
        assert_int_equal(marker_find(values, sizeof *values), MARKER_NONE);
    }
}

static void adding_zero_to_a_marker_changes_it(void **state)
{
    (void)state;
    double values[3];
    marker_fill(values, sizeof values, MARKER_BLOCK_END);
    assert_true(marker_is_intact(values, sizeof values, MARKER_BLOCK_END));
    assert_false(marker_is_intact(values, sizeof values, MARKER_ROW_END));
    volatile double zero = 0;
    values[2] += zero;
    assert_true(marker_is_intact(values, 2 * sizeof *values, MARKER_BLOCK_END));
    assert_false(marker_is_intact(values, sizeof values, MARKER_BLOCK_END));
}

static int is_expired(const double *row)
{
    return marker_find(row, sizeof *row) == MARKER_EXPIRED_ROW;
}

static void a_row_lasts_until_as_many_others_are_asked_for_as_a_cache_holds(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 40, 3, 0.5, 1, &rbf);
    const double *rows[40];
    for (size_t i = 0; i < 40; i++) {
        rows[i] = oracle_row(g.oracle, i);
        for (size_t k = 0; k <= i; k++)
            if (i - k < LENT_ROWS_SLOTS) /* its slot then belongs to another row */
                assert_int_equal(is_expired(rows[k]), i - k >= GRAM_MIN_ROWS);
        assert_memory_equal(rows[i], gram_row(g.gram, i), oracle_padded(g.oracle) * sizeof(double));
        assert_int_equal((uintptr_t)rows[i] % SIMD_ALIGNMENT, 0);
    }
    oracle_expire_rows(g.oracle);
    for (size_t i = 20; i < 40; i++)
        assert_true(is_expired(rows[i]));
    assert_false(oracle_rows_written(g.oracle));
    geometry_close(&g);
}

static void every_call_that_asks_for_rows_counts(void **state)
{
    (void)state;
    struct geometry g;
    _Alignas(SIMD_ALIGNMENT) double out[48], scratch[48], weights[40] = {0};
    const size_t indices[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const double ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
    struct hull_point point = {indices, GRAM_MIN_ROWS, 0.125, 0, 0};
    geometry_random(&g, 40, 3, 0.5, 1, &rbf);
    for (int call = 0; call < 7; call++) {
        const double *row = oracle_row(g.oracle, 9);
        memset(out, 0, sizeof out);
        for (size_t i = 0; i < GRAM_MIN_ROWS; i++) {
            assert_false(is_expired(row));
            weights[i] = 1;
            if (call == 0)
                oracle_value(g.oracle, i, i + 1);
            if (call == 1)
                oracle_row_part(g.oracle, i, 2);
        }
        if (call == 2)
            oracle_add_rows(g.oracle, indices, ones, GRAM_MIN_ROWS, out);
        if (call == 3)
            oracle_expand(g.oracle, weights, out);
        if (call == 4)
            oracle_hull_point_norm2(g.oracle, &point);
        if (call == 5)
            oracle_set_active(g.oracle, indices, 3);
        if (call == 6)
            oracle_active_row(g.oracle, 1, scratch);
        assert_true(is_expired(row));
    }
    geometry_close(&g);
}

static void a_focused_row_ends_when_a_whole_one_is_asked_for(void **state)
{
    (void)state;
    struct geometry g;
    const size_t index[] = {3, 5, 21};
    double scratch[2][SIMD_LANES];
    geometry_random(&g, 40, 3, 0.5, 1, &rbf);
    oracle_set_active(g.oracle, index, 3);
    const double *first = oracle_active_row(g.oracle, 5, scratch[0]),
                 *second = oracle_active_row(g.oracle, 7, scratch[1]);
    assert_true(first[1] == 1 && first[3] == 0 && first[SIMD_LANES - 1] == 0);
    assert_int_equal(marker_find(first + SIMD_LANES, sizeof *first), MARKER_ROW_END);
    assert_int_equal(marker_find(second - 1, sizeof *second), MARKER_ROW_END);
    const double *whole = oracle_row(g.oracle, 5);
    assert_true(is_expired(first) && is_expired(second) && whole[5] == 1);
    assert_false(oracle_rows_written(g.oracle));
    geometry_close(&g);
}

static void writing_is_noticed_anywhere_in_a_row_and_beside_it(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 40, 3, 0.5, 1, &rbf);
    for (int at = -SIMD_LANES; at < 40 + SIMD_LANES; at++) {
        double *row = (double *)(uintptr_t)oracle_row(g.oracle, 2);
        oracle_expire_rows(g.oracle);
        assert_false(oracle_rows_written(g.oracle));
        row = (double *)(uintptr_t)oracle_row(g.oracle, 2);
        row[at] = 7;
        assert_false(oracle_rows_written(g.oracle)); /* not yet */
        oracle_expire_rows(g.oracle);
        assert_true(oracle_rows_written(g.oracle));
        oracle_reset(g.oracle);
        assert_false(oracle_rows_written(g.oracle));
    }
    assert_true(gram_row(g.gram, 2)[2] == 1); /* the matrix is unchanged */
    geometry_close(&g);
}

static void rows_are_those_of_the_matrix_where_they_are_not_checked(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 40, 3, 0.5, 1, &rbf);
    assert_true(oracle_checks_rows(g.oracle));
    const double *row = oracle_row(g.oracle, 2);
    assert_ptr_not_equal(row, gram_row(g.gram, 2));
    const void *const held[] = {NULL, row};
    assert_true(oracle_row_address_in(g.oracle, held, sizeof held));
    assert_false(oracle_row_address_in(g.oracle, held, sizeof *held));
    assert_int_equal(oracle_check_rows(g.oracle, 0, NULL), STATUS_OK);
    assert_true(is_expired(row));
    assert_ptr_equal(oracle_row(g.oracle, 2), gram_row(g.gram, 2));
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_marker_is_found_by_what_arithmetic_makes_of_it),
        cmocka_unit_test(adding_zero_to_a_marker_changes_it),
        cmocka_unit_test(a_row_lasts_until_as_many_others_are_asked_for_as_a_cache_holds),
        cmocka_unit_test(every_call_that_asks_for_rows_counts),
        cmocka_unit_test(a_focused_row_ends_when_a_whole_one_is_asked_for),
        cmocka_unit_test(writing_is_noticed_anywhere_in_a_row_and_beside_it),
        cmocka_unit_test(rows_are_those_of_the_matrix_where_they_are_not_checked),
    };
    return cmocka_run_group_tests_name("lent_rows", tests, NULL, NULL);
}
