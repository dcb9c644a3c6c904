/* The columns that lines produce, their names and order, and that values are the texts of the lines. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/base/pool.h"
#include "harness/folders/flat_columns.h"

static size_t place_of(const struct flat_columns *columns, const char *name)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->item[i].name, name) == 0)
            return i;
    fail_msg("there is no column %s", name);
    return 0;
}

static void check_cell(const struct flat_columns *columns, const struct json_span *cells, const char *name,
                       const char *expected)
{
    const struct json_span *cell = &cells[place_of(columns, name)];
    assert_non_null(cell->text);
    assert_int_equal(cell->length, strlen(expected));
    assert_memory_equal(cell->text, expected, cell->length);
}

/* Columns and cells of one record and its times. */
static void take(struct pool *pool, const char *record, const char *times, struct flat_columns *columns,
                 struct json_span cells[64])
{
    memset(cells, 0, 64 * sizeof *cells);
    flat_columns_begin(pool, columns);
    flat_columns_add(pool, columns, FLAT_RECORD, record);
    flat_columns_add(pool, columns, FLAT_TIMES, times);
    flat_columns_name(pool, columns);
    assert_true(columns->count <= 64);
    flat_columns_take(columns, FLAT_RECORD, record, cells);
    flat_columns_take(columns, FLAT_TIMES, times, cells);
}

static void values_are_the_texts_of_the_line(void **state)
{
    (void)state;
    struct flat_columns columns = {0};
    struct pool *pool = pool_new();
    struct json_span cells[64];
    take(pool, "{\"schema\":1, \"solver\" : \"a,\\\"b\\\"\" ,\"params\":{\"mu\":1.50,\"lazy\":true},"
         "\"kernel\":{\"type\":\"rbf\",\"width\":1e+02 },\"stop\":{\"rule\":null,\"tolerance\":null},"
         "\"bias\":-0.10000000000000001}",
         "{\"index\":0,\"seconds\":0.000230,\"job\":[0,{\"x\":1}],\"stages\":{\"update\":0.10}}", &columns, cells);
    check_cell(&columns, cells, "solver", "\"a,\\\"b\\\"\"");
    check_cell(&columns, cells, "mu", "1.50");
    check_cell(&columns, cells, "lazy", "true");
    check_cell(&columns, cells, "kernel", "\"rbf\"");
    check_cell(&columns, cells, "kernel_width", "1e+02");
    check_cell(&columns, cells, "bias", "-0.10000000000000001");
    check_cell(&columns, cells, "seconds", "0.000230");
    check_cell(&columns, cells, "stages_update", "0.10");
    assert_null(cells[place_of(&columns, "stop")].text);
    assert_null(cells[place_of(&columns, "tolerance")].text);
    assert_null(cells[place_of(&columns, "iterations")].text);
    for (size_t i = 0; i < columns.count; i++)
        assert_true(strcmp(columns.item[i].key, "schema") != 0 && strcmp(columns.item[i].key, "index") != 0 &&
                    strcmp(columns.item[i].key, "job") != 0);
    pool_free(pool);
}

static void columns_stand_in_the_order_of_their_groups(void **state)
{
    (void)state;
    struct flat_columns columns = {0};
    struct pool *pool = pool_new();
    struct json_span cells[64];
    take(pool, "{\"extra\":1,\"stop\":{\"window\":3},\"kernel\":{\"type\":\"rbf\",\"width\":1},"
         "\"params\":{\"b\":1,\"a\":2}}",
         "{\"seconds\":1,\"repeats\":5}", &columns, cells);
    static const char *const order[] = {"solver",      "b",       "a",      "kernel", "kernel_width",
                                        "stop",        "tolerance", "stop_window", "outcome", "rch_mu",
                                        "extra",       "seconds", "repeats"};
    for (size_t i = 1; i < sizeof order / sizeof *order; i++)
        assert_true(place_of(&columns, order[i - 1]) < place_of(&columns, order[i]));
    pool_free(pool);
}

static void a_name_that_is_taken_is_replaced_by_the_path(void **state)
{
    (void)state;
    struct flat_columns columns = {0};
    struct pool *pool = pool_new();
    struct json_span cells[64];
    take(pool,
         "{\"split\":1,\"extra\":4,\"params\":{\"split\":2,\"kernel_width\":3,\"repeats\":6,\"trace\":8,\"extra\":9},"
         "\"kernel\":{\"width\":5}}",
         "{\"repeats\":7,\"outcome\":\"x\"}", &columns, cells);
    check_cell(&columns, cells, "split", "1");
    check_cell(&columns, cells, "params.split", "2");
    check_cell(&columns, cells, "kernel_width", "5");
    check_cell(&columns, cells, "params.kernel_width", "3");
    check_cell(&columns, cells, "extra", "4");
    check_cell(&columns, cells, "params.extra", "9");
    check_cell(&columns, cells, "repeats", "6");
    check_cell(&columns, cells, "timings.repeats", "7");
    check_cell(&columns, cells, "params.trace", "8");
    check_cell(&columns, cells, "timings.outcome", "\"x\"");
    pool_free(pool);
}

static void why_a_record_is_failed_is_its_reason(void **state)
{
    (void)state;
    for (int has_reason = 0; has_reason < 2; has_reason++) {
        struct flat_columns columns = {0};
        struct pool *pool = pool_new();
        struct json_span cells[64];
        take(pool,
             has_reason ? "{\"outcome\":\"failed\",\"reason\":\"one\"}" : "{\"outcome\":\"failed\",\"reason\":null}",
             "{\"seconds\":1,\"failed\":\"other\"}", &columns, cells);
        check_cell(&columns, cells, "reason", has_reason ? "\"one\"" : "\"other\"");
        for (size_t i = 0; i < columns.count; i++)
            assert_string_not_equal(columns.item[i].name, "failed");
        pool_free(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_the_texts_of_the_line),
        cmocka_unit_test(columns_stand_in_the_order_of_their_groups),
        cmocka_unit_test(a_name_that_is_taken_is_replaced_by_the_path),
        cmocka_unit_test(why_a_record_is_failed_is_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
