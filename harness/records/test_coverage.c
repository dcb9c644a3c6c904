/* Which members of a comparison lack which tasks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "harness/records/coverage.h"

static const char *const labels[] = {"A", "B"};

static struct record made[] = {
    {.dataset = "heart", .split = 1, .split_source = "official"},
    {.dataset = "titanic", .split = 2, .split_source = "official"},
    {.dataset = "titanic", .split = 1, .split_source = "official"},
    {.dataset = "titanic", .split = 1, .split_source = "generated"},
};

/* Members with the records of made whose bit is set. */
static char *gaps_of(unsigned one, unsigned other, int within, size_t *n_tasks, int full[2])
{
    struct pool *pool = pool_new();
    struct records members[2] = {{.pool = pool}, {.pool = pool}};
    for (unsigned i = 0; i < sizeof made / sizeof *made; i++)
        for (int m = 0; m < 2; m++)
            if ((m ? other : one) >> i & 1)
                records_add(&members[m], &made[i]);
    const struct coverage coverage = coverage_of_records(pool, members, 2, within);
    const char *found = coverage_gaps(pool, &coverage, labels, "splits");
    char *gaps = found ? strdup(found) : NULL;
    *n_tasks = coverage.n_tasks;
    for (size_t m = 0; m < 2; m++) {
        full[m] = coverage_is_full(&coverage, m);
        records_sort_by_training_set(&members[m]);
    }
    assert_int_equal(full[0], records_cover(&members[0], &members[1]) || within);
    pool_free(pool);
    return gaps;
}

static void members_with_the_same_splits_lack_nothing(void **state)
{
    (void)state;
    size_t n;
    int full[2];
    assert_null(gaps_of(15, 15, 0, &n, full));
    assert_true(n == 4 && full[0] && full[1]);
    assert_null(gaps_of(0, 0, 0, &n, full));
    assert_true(n == 0 && full[0] && full[1]);
}

static void what_is_lacking_is_named_and_counted(void **state)
{
    (void)state;
    size_t n;
    int full[2];
    char *gaps = gaps_of(7, 2, 0, &n, full);
    assert_string_equal(gaps, "B lacks 2 of 3 splits (heart 1 of 1, titanic 1 of 2)");
    assert_true(full[0] && !full[1]);
    free(gaps);
    gaps = gaps_of(4, 8, 0, &n, full); /* one number, two sources */
    assert_string_equal(gaps, "A lacks 1 of 2 splits (titanic 1 of 2); B lacks 1 of 2 splits (titanic 1 of 2)");
    assert_true(!full[0] && !full[1]);
    free(gaps);
}

static void a_data_set_of_which_a_member_has_nothing_may_be_left_out(void **state)
{
    (void)state;
    size_t n;
    int full[2];
    assert_null(gaps_of(7, 6, 1, &n, full));
    char *gaps = gaps_of(7, 2, 1, &n, full);
    assert_string_equal(gaps, "B lacks 1 of 3 splits (titanic 1 of 2)");
    free(gaps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_with_the_same_splits_lack_nothing),
        cmocka_unit_test(what_is_lacking_is_named_and_counted),
        cmocka_unit_test(a_data_set_of_which_a_member_has_nothing_may_be_left_out),
    };
    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
