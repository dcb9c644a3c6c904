/* Which times and which budgets can be compared, using made-up folders and records. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/conditions.h"

enum { COUNT = 4 };
#define MACHINE(threads) "{\"machine\":{\"processor\":\"P\",\"threads\":" threads "}}"

static struct record of_folder[2][8]; /* the records of the folders */

/* Adds a copy of the record, the i-th of all, to a folder's. */
static void add_to(struct records *records, int folder, size_t i, const struct record *made)
{
    of_folder[folder][i] = *made;
    records_add(records, &of_folder[folder][i]);
}

/* Folders "0", "1" ... with these run.json and config.json. */
static struct run_folders make_folders(const char *const *infos, const char *const *configs, size_t n)
{
    static char paths[2][24];
    struct run_folders folders = {calloc(n, sizeof(struct run_folder)), n};
    for (size_t f = 0; f < n; f++) {
        snprintf(paths[f], sizeof paths[f], "%zu", f);
        folders.items[f] = (struct run_folder){.path = paths[f],
                                               .config = cJSON_Parse(configs ? configs[f] : "{}"),
                                               .info = cJSON_Parse(infos ? infos[f] : "{}")};
        folders.items[f].file.all = of_folder[f];
        folders.items[f].file.n_all = sizeof of_folder[f] / sizeof *of_folder[f];
        assert_non_null(folders.items[f].config);
        assert_non_null(folders.items[f].info);
    }
    return folders;
}

static void free_folders(struct run_folders *folders)
{
    for (size_t f = 0; f < folders->count; f++) {
        cJSON_Delete(folders->items[f].config);
        cJSON_Delete(folders->items[f].info);
    }
    free(folders->items);
}

/* The obstacle to comparing times of records that are in the first and, every other one, in the last folder. */
static char *obstacle_in(const char *const *infos, size_t n, struct record *made)
{
    struct run_folders folders = make_folders(infos, NULL, n);
    struct pool *pool = pool_new();
    struct records records = {.pool = pool};
    for (size_t i = 0; i < COUNT; i++) {
        made[i].solver = "s";
        add_to(&records, i % 2 && n > 1, i, &made[i]);
    }
    const char *found = records_time_obstacle(pool, &folders, &records);
    char *obstacle = found ? strdup(found) : NULL;
    pool_free(pool);
    free_folders(&folders);
    return obstacle;
}

static char *obstacle_of(struct record *made)
{
    return obstacle_in((const char *const[]){MACHINE("1")}, 1, made);
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

static void times_with_and_without_kernel_values_are_not_compared(void **state)
{
    (void)state;
    struct record made[COUNT] = {{.seconds = 1}, {.seconds = 1}, {.seconds = 1}, {.seconds = 1}};
    made[1].field[FIELD_KERNEL_OPERATIONS] = (double)NAN;
    char *obstacle = obstacle_of(made);
    assert_non_null(strstr(obstacle, "include the kernel values"));
    free(obstacle);
    made[1].failed = 1; /* a failed run has no counts either */
    assert_null(obstacle_of(made));
}

static void times_of_two_machines_are_not_compared_nor_of_unknown_ones(void **state)
{
    (void)state;
    static const struct {
        const char *infos[2];
        size_t n;
        const char *named[2]; /* NULL: the times can be compared */
    } cases[] = {
        {{MACHINE("1"), MACHINE("1")}, 2, {NULL, NULL}},
        {{MACHINE("1"), MACHINE("2")}, 2, {"P with 1 thread", "P with 2 threads"}},
        {{MACHINE("2"), "{\"machine\":{\"processor\":\"Q\",\"threads\":2}}"}, 2, {"P with 2", "Q with 2"}},
        {{MACHINE("1"), "{}"}, 2, {"P with 1 thread", "an unknown machine"}},
        {{"{}"}, 1, {"an unknown machine", ""}},
        {{"{}", "{}"}, 2, {"an unknown machine", ""}},
        {{MACHINE("1"), "{\"check_rows\":true,\"machine\":{\"processor\":\"P\",\"threads\":1}}"}, 2, {"P with 1 thread",
                                                                                         "checked rows"}},
        {{"{\"machine\":{\"processor\":\"P\"},\"merged_from\":[{\"machine\":{\"processor\":\"P\",\"threads\":1}},"
          "{\"machine\":{\"processor\":\"P\",\"threads\":8}}]}"}, 1, {"P with 1 thread", "P with 8 threads"}},
        {{"{\"machine\":{\"processor\":\"P\",\"threads\":3},\"merged_from\":[{},{}]}"}, 1, {NULL, NULL}},
        {{"{\"machine\":{},\"merged_from\":[{\"machine\":{\"threads\":1},\"merged_from\":"
          "[{\"machine\":{\"processor\":\"A\",\"threads\":1}},{\"machine\":{\"processor\":\"B\"}}]}]}"}, 1, {"A with 1",
                                                                                                       "B with 1"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct record made[COUNT] = {{.seconds = 1}, {.seconds = 1}, {.seconds = 1}, {.seconds = 1}};
        char *obstacle = obstacle_in(cases[k].infos, cases[k].n, made);
        for (int i = 0; i < 2 && cases[k].named[i]; i++)
            if (!obstacle || !strstr(obstacle, cases[k].named[i]))
                fail_msg("case %zu: %s", k, obstacle ? obstacle : "no obstacle");
        if (!cases[k].named[0] && obstacle)
            fail_msg("case %zu: %s", k, obstacle);
        free(obstacle);
    }
}

/* ---- budgets ---- */

/* A record of the solver with C, in a folder. */
struct made_run {
    int folder;
    const char *solver;
    double c;
    const char *outcome;
};

static char *budget_obstacle(const char *const *configs, const char *const *infos, size_t n_folders,
                             const struct made_run *runs, size_t n)
{
    struct run_folders folders = make_folders(infos, configs, n_folders);
    struct record made[8];
    struct setting settings[8][2];
    char texts[8][60];
    struct pool *pool = pool_new();
    struct records records = {.pool = pool};
    for (size_t i = 0; i < n; i++) {
        snprintf(texts[i], sizeof texts[i], "{\"C\":%g}", runs[i].c);
        settings[i][0] = (struct setting){"C", "", runs[i].c, GROUP_PARAMS, 0};
        settings[i][1] = (struct setting){"stop", "kkt", (double)NAN, GROUP_STOP, 1};
        made[i] = (struct record){.dataset = "d",
                                  .solver = runs[i].solver,
                                  .ending = strcmp(runs[i].outcome, "time-limit") == 0 ? OUTCOME_TIME_LIMIT : 0,
                                  .at_limit = strstr(runs[i].outcome, "-limit") != NULL,
                                  .settings = settings[i],
                                  .n_settings = 2,
                                  .params = cJSON_Parse(texts[i]),
                                  .params_text = texts[i],
                                  .stop_text = "{\"rule\":\"kkt\"}",
                                  .stop = cJSON_Parse("{\"rule\":\"kkt\"}")};
        add_to(&records, runs[i].folder, i, &made[i]);
    }
    const char *found = records_budget_obstacle(pool, &folders, &records);
    char *obstacle = found ? strdup(found) : NULL;
    for (size_t i = 0; i < n; i++) {
        cJSON_Delete((cJSON *)(uintptr_t)made[i].params);
        cJSON_Delete((cJSON *)(uintptr_t)made[i].stop);
    }
    pool_free(pool);
    free_folders(&folders);
    return obstacle;
}

static void two_budgets_matter_if_one_of_them_ended_a_run(void **state)
{
    (void)state;
    static const char *const configs[] = {"{\"solvers\":[\"s\"],\"budget\":{\"iterations\":100}}",
                                          "{\"solvers\":[\"s\"],\"budget\":{\"iterations\":1e5,\"seconds\":3}}"};
    struct made_run runs[] = {{0, "s", 1, "iteration-limit"}, {1, "s", 1, "converged"}, {1, "s", 1, "converged"}};
    char *obstacle = budget_obstacle(configs, NULL, 2, runs, 3);
    assert_non_null(obstacle);
    assert_non_null(strstr(obstacle, "s in 0: 100 iterations"));
    assert_non_null(strstr(obstacle, "s in 1: 100000 iterations and 3 seconds"));
    assert_non_null(strstr(obstacle, "1 of the 3 runs"));
    free(obstacle);
    runs[0].outcome = "converged";
    assert_null(budget_obstacle(configs, NULL, 2, runs, 3)); /* none of them had an effect */
    runs[0].outcome = "iteration-limit";
    assert_null(budget_obstacle(configs, NULL, 2, runs, 1));
    const char *const alike[] = {configs[0], "{\"solvers\":[{\"name\":\"*\"}],\"budget\":{\"iterations\":1e2}}"};
    assert_null(budget_obstacle(alike, NULL, 2, runs, 3));
}

static void a_record_has_the_budget_of_its_entry(void **state)
{
    (void)state;
    static const char *const config[] = {
        "{\"solvers\":[{\"name\":\"s\",\"parameters\":{\"C\":[1,2]},\"budget\":{\"iterations\":10}},"
        "{\"name\":\"s\",\"parameters\":{\"C\":{\"per_dataset\":{\"d\":3,\"default\":1}}}},"
        "{\"name\":\"s\",\"parameters\":{\"C\":{\"log\":{\"from\":100,\"to\":10,\"count\":4}}}},"
        "{\"name\":\"*\",\"budget\":{\"iterations\":10}}],\"budget\":{\"iterations\":20}}"};
    struct made_run runs[] = {{0, "s", 1, "converged"}, {0, "s", 2, "iteration-limit"}, {0, "t", 3, "converged"}};
    assert_null(budget_obstacle(config, NULL, 1, runs, 3)); /* all have 10 */
    runs[0].c = 3;
    char *obstacle = budget_obstacle(config, NULL, 1, runs, 3);
    assert_non_null(obstacle);
    assert_non_null(strstr(obstacle, "s: 20 iterations; s: 10 iterations"));
    free(obstacle);
    runs[0].c = 50;
    obstacle = budget_obstacle(config, NULL, 1, runs, 3);
    assert_non_null(obstacle);
    free(obstacle);
    runs[1].c = 3;
    assert_null(budget_obstacle(config, NULL, 1, runs, 2)); /* both have 20 */
}

static void a_limit_of_seconds_depends_on_the_machine(void **state)
{
    (void)state;
    static const char *const configs[] = {"{\"solvers\":[\"s\"],\"budget\":{\"seconds\":1}}",
                                          "{\"solvers\":[\"s\"],\"budget\":{\"seconds\":1}}"};
    const char *const two[] = {MACHINE("1"), MACHINE("4")}, *const one[] = {MACHINE("1"), MACHINE("1")};
    struct made_run runs[] = {{0, "s", 1, "time-limit"}, {1, "s", 1, "converged"}};
    char *obstacle = budget_obstacle(configs, two, 2, runs, 2);
    assert_non_null(obstacle);
    assert_non_null(strstr(obstacle, "P with 4 threads"));
    free(obstacle);
    assert_null(budget_obstacle(configs, one, 2, runs, 2));
    runs[0].outcome = "iteration-limit";
    assert_null(budget_obstacle(configs, two, 2, runs, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_of_repeats_is_their_median_and_else_the_wall_clock),
        cmocka_unit_test(single_shots_below_a_millisecond_are_counted_and_refused),
        cmocka_unit_test(repeats_make_short_runs_fit_to_be_compared),
        cmocka_unit_test(times_with_and_without_kernel_values_are_not_compared),
        cmocka_unit_test(times_of_two_machines_are_not_compared_nor_of_unknown_ones),
        cmocka_unit_test(two_budgets_matter_if_one_of_them_ended_a_run),
        cmocka_unit_test(a_record_has_the_budget_of_its_entry),
        cmocka_unit_test(a_limit_of_seconds_depends_on_the_machine),
    };
    return cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
}
