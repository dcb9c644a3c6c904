/* Names are in the order of their first record, regardless of the file they come from. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/records/plan_order.h"

static void names_stand_in_the_order_of_their_first_record(void **state)
{
    (void)state;
    char other_text[] = "heart"; /* a separate string, as from another folder */
    const struct record all[] = {
        {.dataset = "titanic", .solver = "mdm"},   {.dataset = "titanic", .solver = "1-smo"},
        {.dataset = "heart", .solver = "1-smo"},   {.dataset = other_text, .solver = "gsk"},
        {.dataset = "titanic", .solver = "gsk"},   {.dataset = "banana", .solver = "mdm"},
    };
    static const char *const datasets[] = {"titanic", "heart", "banana"}, *const solvers[] = {"mdm", "1-smo", "gsk"};
    struct records records = {0};
    struct plan_order order;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        records_add(&records, &all[i]);
    plan_order_take(&records, &order);
    assert_int_equal(order.datasets.count, 3);
    assert_int_equal(order.solvers.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(order.datasets.names[i], datasets[i]);
        assert_string_equal(order.solvers.names[i], solvers[i]);
    }
    assert_int_equal(name_order_find(&order.datasets, other_text), 1);
    assert_int_equal(name_order_find(&order.datasets, "thyroid"), 3);
    plan_order_free(&order);
    records_free(&records);
}

static void more_names_than_there_was_room_for_keep_their_places(void **state)
{
    (void)state;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    char names[52][2];
    struct name_order order = {0};
    for (size_t i = 0; i < 52; i++) {
        names[i][0] = letters[i];
        names[i][1] = '\0';
        assert_int_equal(name_order_add(&order, names[i]), i % 26);
    }
    assert_int_equal(order.count, 26);
    name_order_free(&order);
    name_order_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stand_in_the_order_of_their_first_record),
        cmocka_unit_test(more_names_than_there_was_room_for_keep_their_places),
    };
    return cmocka_run_group_tests_name("plan order", tests, NULL, NULL);
}
