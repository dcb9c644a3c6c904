/* Names are in the order of their first record, regardless of the file they come from. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "harness/records/plan_order.h"
#include "harness/base/pool.h"

static void names_stand_in_the_order_of_their_first_record(void **state)
{
    (void)state;
    char other_text[] = "heart"; /* a separate string, as from another folder */
    const struct {
        const char *dataset, *solver;
    } all[] = {{"titanic", "mdm"}, {"titanic", "1-smo"}, {"heart", "1-smo"},
               {other_text, "gsk"}, {"titanic", "gsk"},  {"banana", "mdm"}};
    static const char *const datasets[] = {"titanic", "heart", "banana"}, *const solvers[] = {"mdm", "1-smo", "gsk"};
    struct pool *pool = pool_new();
    struct name_order sets = {.pool = pool}, names = {.pool = pool};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        name_order_add(&sets, all[i].dataset);
        name_order_add(&names, all[i].solver);
    }
    assert_int_equal(sets.count, 3);
    assert_int_equal(names.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(sets.names[i], datasets[i]);
        assert_string_equal(names.names[i], solvers[i]);
    }
    assert_int_equal(name_order_find(&sets, other_text), 1);
    assert_int_equal(name_order_find(&sets, "thyroid"), 3);
    pool_free(pool);
}

static void many_names_keep_their_places(void **state)
{
    (void)state;
    enum { NAMES = 5000 };
    struct pool *pool = pool_new();
    struct name_order borrowed = {.pool = pool}, copies = {.pool = pool};
    char names[NAMES][8], text[8];
    assert_int_equal(name_order_find(&borrowed, "x"), 0); /* of none */
    for (size_t i = 0; i < 2 * NAMES; i++) {
        snprintf(names[i % NAMES], sizeof *names, "%zu", i % NAMES);
        snprintf(text, sizeof text, "%zu", i % NAMES);
        assert_int_equal(name_order_add(&borrowed, names[i % NAMES]), i % NAMES);
        assert_int_equal(name_order_take(&copies, strdup(text)), i % NAMES);
    }
    assert_int_equal(borrowed.count, NAMES);
    assert_int_equal(copies.count, NAMES);
    for (size_t i = 0; i < NAMES; i++) {
        assert_ptr_equal(borrowed.names[i], names[i]);
        assert_string_equal(copies.names[i], names[i]);
        assert_int_equal(name_order_find(&copies, names[i]), i);
    }
    assert_int_equal(name_order_find(&copies, "5000"), NAMES);
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stand_in_the_order_of_their_first_record),
        cmocka_unit_test(many_names_keep_their_places),
    };
    return cmocka_run_group_tests_name("plan order", tests, NULL, NULL);
}
