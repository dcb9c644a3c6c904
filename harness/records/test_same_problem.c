/* Which records measure the same problem, by the rules for pairs and for series, and the names of the traces'
 * problems. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/records/same_problem.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "tests/read_run.h"
#include "tests/scratch_folder.h"

static const char *solvers[2] = {"0", "1"};

/* Checks whether two records with these splits, params, kernels and stopping rules measure the same problem. */
static void check(const char *const one[4], const char *const other[4], int pair, int series)
{
    char path[SCRATCH_PATH_SIZE], text[2048];
    const char *const *of[2] = {one, other};
    struct record_file file = {0};
    size_t used = 0;
    assert_int_equal(scratch_file_new(path, "hullbench-problem"), 0);
    for (int i = 0; i < 2; i++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "{\"schema\":1,\"dataset\":\"d\",\"split\":%s,\"split_source\":\"official\",\"solver\":\"%s\","
            "\"params\":{%s},\"kernel\":{%s},\"stop\":{%s},\"outcome\":\"converged\"}\n",
            of[i][0], solvers[i], of[i][1], of[i][2], of[i][3]);
    file_write(path, text, used);
    assert_int_equal(try_records(path, &file, NULL), STATUS_OK);
    const struct record *a = file.records.items[0], *b = file.records.items[1];
    char *keys[] = {problem_key(a), problem_key(b)};
    assert_int_equal(same_pair_problem(a, b), pair);
    assert_int_equal(same_pair_problem(b, a), pair);
    assert_int_equal(strcmp(keys[0], keys[1]) == 0, series);
    free(keys[0]);
    free(keys[1]);
    for (unsigned common = problem_parameters(a) & problem_parameters(b), i = 0; i < 2; i++, common = 0) {
        char *of_a = pair_key(a, common), *of_b = pair_key(b, common);
        assert_true(strcmp(of_a, of_b) == 0 || !pair); /* the key never separates a pair */
        free(of_a);
        free(of_b);
    }
    pool_free(file.pool);
    remove(path);
}

#define KERNEL "\"type\":\"rbf\",\"width\":2"
#define STOP "\"rule\":\"kkt\",\"tolerance\":0.1"

static void records_differ_in_what_changes_the_minimum(void **state)
{
    (void)state;
    static const char *const base[] = {"1", "\"mu\":0.5", KERNEL, STOP};
    check(base, base, 1, 1);
    check(base, (const char *const[]){"2", "\"mu\":0.5", KERNEL, STOP}, 0, 0);
    check(base, (const char *const[]){"1", "\"mu\":0.4", KERNEL, STOP}, 0, 0);
    check(base, (const char *const[]){"1", "\"mu\":0.5", "\"type\":\"rbf\",\"width\":3", STOP}, 0, 0);
    check(base, (const char *const[]){"1", "\"mu\":0.5,\"history\":3", KERNEL, STOP}, 1, 1);
}

static void series_of_a_square_penalty_have_problems_of_their_own(void **state)
{
    (void)state;
    static const char *const c[] = {"1", "\"C\":3", KERNEL, STOP};
    static const struct {
        const char *one, *other;
        int same;
    } pairs[] = {{"1-smo", "packed-smo", 1}, {"1-smo", "clip-mdm", 1},    {"1-smo", "2-smo", 0},
                 {"ch-mdm", "2-smo", 1},     {"ch-mdm", "clip-mdm", 0}, {"ch-mdm", "of-a-plugin", 0}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        solvers[0] = pairs[i].one;
        solvers[1] = pairs[i].other;
        check(c, c, 1, pairs[i].same);
    }
    solvers[0] = "0";
    solvers[1] = "1";
}

static void the_two_rules_differ_where_they_say_so(void **state)
{
    (void)state;
    static const char *const base[] = {"1", "\"mu\":0.5", KERNEL, STOP};
    check(base, (const char *const[]){"1", "", KERNEL, STOP}, 1, 0);            /* only one of them has mu */
    check(base, (const char *const[]){"1", "\"C\":3", KERNEL, STOP}, 1, 0);
    check(base, (const char *const[]){"1", "\"mu\":0.5", KERNEL, "\"rule\":\"kkt\",\"tolerance\":0.2"}, 1, 0);
    check((const char *const[]){"1", "\"nu\":0.5", KERNEL, STOP},
          (const char *const[]){"1", "\"nu\":0.4", KERNEL, STOP}, 0, 1);
    check((const char *const[]){"1", "\"added\":1", KERNEL, STOP},
          (const char *const[]){"1", "\"added\":0", KERNEL, STOP}, 0, 1);
    /* a hull with the mu of C and an SVM of that C */
    static const char *const of_c[] = {"1", "\"C\":3", KERNEL, STOP "},\"mu_effective\":0.25,\"x\":{"};
    check(of_c, (const char *const[]){"1", "\"C\":3,\"start\":\"zero\"", KERNEL, STOP}, 1, 1);
    check(of_c, (const char *const[]){"1", "\"C\":4", KERNEL, STOP}, 0, 0);
    /* and a hull whose mu is given */
    check(of_c, (const char *const[]){"1", "\"mu\":0.5", KERNEL, STOP "},\"mu_effective\":0.5,\"x\":{"}, 0, 0);
    check(of_c, (const char *const[]){"1", "\"mu\":0.25", KERNEL, STOP "},\"mu_effective\":0.25,\"x\":{"}, 1, 0);
    const struct setting nu = {.name = "nu"}, stop = {.name = "stop"}, history = {.name = "history"};
    assert_true(is_of_problem(&nu, PROBLEM_OF_PAIR) && !is_of_problem(&nu, PROBLEM_OF_SERIES));
    assert_true(!is_of_problem(&stop, PROBLEM_OF_PAIR) && is_of_problem(&stop, PROBLEM_OF_SERIES));
    assert_false(is_of_problem(&history, PROBLEM_OF_PAIR) || is_of_problem(&history, PROBLEM_OF_SERIES));
    const struct setting own = {.name = "shape", .group = GROUP_KERNEL}; /* a parameter of a plugin's kernel */
    assert_true(is_of_problem(&own, PROBLEM_OF_PAIR) && is_of_problem(&own, PROBLEM_OF_SERIES));
}

static void traces_of_one_problem_have_one_name(void **state)
{
    (void)state;
    struct pool *pool = pool_new();
    const struct cJSON *params = json_parse(pool, "p", "{\"mu\":0.5,\"history\":3}");
    const struct cJSON *others = json_parse(pool, "p", "{\"history\":4,\"mu\":0.5}");
    const char *name = problem_name(pool, "d", 3, "nearest-points", "{\"type\":\"linear\"}", params);
    const char *other = problem_name(pool, "d", 3, "nearest-points", "{\"type\":\"linear\"}", others);
    assert_string_equal(name, "d 3 nearest-points {\"type\":\"linear\"} mu 0.5");
    assert_string_equal(name, other);
    assert_string_equal(problem_name(pool, "d", 3, "nearest-points", NULL, NULL), "d 3 nearest-points ");
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_differ_in_what_changes_the_minimum),
        cmocka_unit_test(series_of_a_square_penalty_have_problems_of_their_own),
        cmocka_unit_test(the_two_rules_differ_where_they_say_so),
        cmocka_unit_test(traces_of_one_problem_have_one_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
