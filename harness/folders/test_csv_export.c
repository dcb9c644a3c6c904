/* The columns that records and times produce, their names and order, and that values are the texts of the lines. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/pool.h"
#include "harness/folders/csv_export.h"
#include "harness/support/file.h"
#include "tests/scratch_folder.h"

/* The header and the row of an export of one record. */
struct table {
    struct pool *pool;
    const char *name[64], *cell[64];
    size_t count;
};

static size_t split(char *line, const char **fields)
{
    size_t n = 0;
    for (char *at = line; at;) {
        fields[n++] = *at == '"' ? ++at : at;
        char *end = fields[n - 1] > line && fields[n - 1][-1] == '"' ? strstr(at, "\",") : strchr(at, ',');
        at = end ? end + 1 + (*end == '"') : NULL;
        if (end)
            *end = '\0';
    }
    return n;
}

/* Exports a folder with a record of these members, and its times. */
static struct table export(const char *head, const char *params, const char *kernel, const char *stop, const char *more,
                           const char *times)
{
    static const char *const files[] = {"config.json", "records.jsonl", "timings.jsonl"};
    struct table table = {.pool = pool_new()};
    char folder[SCRATCH_PATH_SIZE], *text = NULL;
    size_t size = 0;
    assert_non_null(scratch_folder_new(folder, "test-export"));
    const char *const contents[] = {
        "{\"name\":\"c\"}",
        pool_printf(table.pool,
                    "{\"schema\":2,%s\"dataset\":\"d\",\"split\":1,\"split_source\":\"official\",\"solver\" : "
                    "\"a,\\\"b\\\"\" ,\"params\":{%s},\"kernel\":{%s},\"stop\":{%s},\"outcome\":\"failed\"%s}\n",
                    head, params, kernel, stop, more),
        pool_printf(table.pool, "{\"index\":0,%s}\n", times)};
    for (size_t i = 0; i < 3; i++)
        file_write(pool_printf(table.pool, "%s/%s", folder, files[i]), contents[i], strlen(contents[i]));
    const char *const paths[] = {folder};
    struct run_folders folders = run_folders_open(table.pool, paths, 1, FOLDER_CONFIG);
    FILE *stream = open_memstream(&text, &size);
    csv_export_records(csv_export_open(table.pool, &folders, NULL), stream);
    fclose(stream);
    pool_keep(table.pool, free, text);
    char *row = strstr(text, "\r\n");
    *row = '\0';
    row += 2;
    *strstr(row, "\r\n") = '\0';
    table.count = split(text, table.name);
    assert_int_equal(split(row, table.cell), table.count);
    for (size_t i = 0; i < 3; i++)
        remove(pool_printf(table.pool, "%s/%s", folder, files[i]));
    rmdir(folder);
    return table;
}

static size_t place_of(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->name[i], name) == 0)
            return i;
    fail_msg("there is no column %s", name);
    return 0;
}

static void check_cell(const struct table *table, const char *name, const char *expected)
{
    assert_string_equal(table->cell[place_of(table, name)], expected);
}

static void values_are_the_texts_of_the_line(void **state)
{
    (void)state;
    struct table table = export("", "\"mu\":1.50,\"lazy\":true", "\"type\":\"rbf\",\"width\":1e+02 ",
                                "\"rule\":null,\"tolerance\":null", ",\"bias\":-0.10000000000000001",
                                "\"seconds\":0.000230,\"job\":[0,{\"x\":1}],\"stages\":{\"update\":0.10}");
    check_cell(&table, "solver", "a,\"\"b\"\"");
    check_cell(&table, "mu", "1.50");
    check_cell(&table, "lazy", "true");
    check_cell(&table, "kernel", "rbf");
    check_cell(&table, "kernel_width", "1e+02");
    check_cell(&table, "bias", "-0.10000000000000001");
    check_cell(&table, "seconds", "0.000230");
    check_cell(&table, "stages_update", "0.10");
    check_cell(&table, "stop", "");
    check_cell(&table, "tolerance", "");
    check_cell(&table, "iterations", "");
    check_cell(&table, "problem", "0");
    check_cell(&table, "series", "a,\"\"b\"\"");
    for (size_t i = 0; i < table.count; i++)
        assert_true(strcmp(table.name[i], "schema") != 0 && strcmp(table.name[i], "index") != 0 &&
                    strcmp(table.name[i], "job") != 0);
    pool_free(table.pool);
}

static void columns_stand_in_the_order_of_their_groups(void **state)
{
    (void)state;
    static const char *const order[] = {"record", "solver", "b", "a", "kernel", "kernel_width", "stop", "tolerance",
                                        "stop_window", "outcome", "rch_mu", "extra", "n_train", "seconds", "repeats",
                                        "problem", "series", "trace"};
    struct table table = export("\"extra\":1,", "\"b\":1,\"a\":2", "\"type\":\"rbf\",\"width\":1", "\"window\":3", "",
                                "\"seconds\":1,\"repeats\":5");
    for (size_t i = 1; i < sizeof order / sizeof *order; i++)
        assert_true(place_of(&table, order[i - 1]) < place_of(&table, order[i]));
    pool_free(table.pool);
}

static void a_name_that_is_taken_is_replaced_by_the_path(void **state)
{
    (void)state;
    struct table table = export("\"extra\":4,",
                                "\"split\":2,\"kernel_width\":3,\"repeats\":6,\"trace\":8,\"extra\":9,\"series\":10",
                                "\"width\":5", "", "", "\"seconds\":1,\"repeats\":7,\"outcome\":\"x\"");
    check_cell(&table, "split", "1");
    check_cell(&table, "params.split", "2");
    check_cell(&table, "kernel_width", "5");
    check_cell(&table, "params.kernel_width", "3");
    check_cell(&table, "extra", "4");
    check_cell(&table, "params.extra", "9");
    check_cell(&table, "params.series", "10");
    check_cell(&table, "repeats", "6");
    check_cell(&table, "timings.repeats", "7");
    check_cell(&table, "params.trace", "8");
    check_cell(&table, "timings.outcome", "x");
    pool_free(table.pool);
}

static void why_a_record_is_failed_is_its_reason(void **state)
{
    (void)state;
    for (int has_reason = 0; has_reason < 2; has_reason++) {
        struct table table = export("", "", "", "", has_reason ? ",\"reason\":\"one\"" : "",
                                    "\"seconds\":1,\"failed\":\"other\"");
        check_cell(&table, "reason", has_reason ? "one" : "other");
        for (size_t i = 0; i < table.count; i++)
            assert_string_not_equal(table.name[i], "failed");
        pool_free(table.pool);
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
