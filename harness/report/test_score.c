/* The sum of an artificial paper's verdicts, and the share of cells that agree. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/report/report.h"

static void the_share_counts_cells_that_can_be_decided(void **state)
{
    (void)state;
    struct score score = {.counts = {.repeated = 0}};
    for (int v = 0; v < VERDICT_COUNT; v++)
        score.counts.cells[v] = v == VERDICT_COMPATIBLE ? 0 : 1000; /* missing and undecidable cells are ignored */
    score.counts.cells[VERDICT_AGREES] = 6;
    score.counts.cells[VERDICT_NEAR] = 3;
    score.counts.cells[VERDICT_DIFFERS] = 1;
    assert_true(score_percent(&score) == 60);
    score.counts.cells[VERDICT_NEAR] = 0;
    score.counts.cells[VERDICT_DIFFERS] = 2;
    assert_true(score_percent(&score) == 75);
    score.counts.cells[VERDICT_AGREES] = 0;
    assert_true(score_percent(&score) == 0);
    score.counts.cells[VERDICT_DIFFERS] = 0;
    assert_true(isnan(score_percent(&score)));
}

/* Three tables of one paper, the second of them in no run, and three claims. Adding them twice doubles all counts. */
static void cells_marks_and_claims_of_a_paper_are_added(void **state)
{
    (void)state;
    struct paper_table tables[3] = {{0}};
    struct reproduction comparison[2] = {{.table = &tables[0], .counts.marks = {1, 2, 4}},
                                     {.table = &tables[2], .counts.marks = {8, 16, 32}}};
    struct reproduction *made[2] = {&comparison[0], &comparison[1]};
    struct claim claims[4] = {{.measured = {.verdict = CLAIM_HOLDS}}, {.measured = {.verdict = CLAIM_FAILS}},
                              {.measured = {.verdict = CLAIM_HOLDS}},
                              {.measured = {.verdict = CLAIM_HOLDS}, .tuned_to_paper = "by it"}};
    struct paper paper = {.tables = tables, .n_tables = 3};
    const struct conform_paper with_claims = {.paper = &paper, .claims = {claims, 4}};
    const struct conformance conformance = {.tables = made, .n_tables = 2};
    struct score score = {.counts = {.repeated = 0}};
    for (size_t v = 0; v < VERDICT_COUNT; v++) {
        made[0]->counts.cells[v] = 1 + v;
        made[1]->counts.cells[v] = 10 * v;
    }
    made[0]->counts.can_agree = 3;
    made[1]->counts.can_agree = 5;
    made[0]->counts.expected = 1.5;
    made[1]->counts.expected = 4.25;
    for (size_t times = 1; times <= 2; times++) {
        score_add(&conformance, &with_claims, &score);
        for (size_t v = 0; v < VERDICT_COUNT; v++)
            assert_int_equal(score.counts.cells[v], times * (1 + 11 * v));
        assert_int_equal(score.counts.can_agree, times * 8);
        assert_true(score.counts.expected == (double)times * 5.75);
        assert_int_equal(score.counts.marks.agree, times * 9);
        assert_int_equal(score.counts.marks.compared, times * 18);
        assert_int_equal(score.counts.marks.untested, times * 36);
        assert_int_equal(score.claims_tuned_to_paper, times);
        for (int v = 0; v < CLAIM_VERDICT_COUNT; v++)
            assert_int_equal(score.claims[v], times * (v == CLAIM_HOLDS ? 2 : v == CLAIM_FAILS ? 1 : 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_counts_cells_that_can_be_decided),
        cmocka_unit_test(cells_marks_and_claims_of_a_paper_are_added),
    };
    return cmocka_run_group_tests_name("score", tests, NULL, NULL);
}
