/* The configuration of a comparison: unchanged if it has both solvers, else with the missing one next to its model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "solvers/hull/hull.h"
#include "solvers/registry.h"
#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/compare/compare.h"
#include "harness/config/config.h"
#include "harness/support/file.h"
#include "tests/scratch_folder.h"

static const char written[] =
    "{\"name\": \"made\", \"datasets\": [\"titanic\"], \"splits\": \"1-3\", \"standardise\": \"full-set\",\n"
    " \"kernel\": {\"type\": \"linear\"}, \"parameters\": {\"mu\": [0.1, 0.5], \"C\": 2},\n"
    " \"solvers\": [\"clip-mdm\", {\"name\": \"mu-mdm\", \"parameters\": {\"mu\": 0.25, \"selection\": \"free\"},\n"
    "              \"stop\": {\"rule\": \"delta\", \"tolerance\": 0.01}, \"budget\": {\"iterations\": 7}}, "
    "\"1-smo\"],\n"
    " \"stop\": {\"rule\": \"delta\", \"tolerance\": 1e-3}}\n";

static char path[SCRATCH_PATH_SIZE];

static int set_up(void **state)
{
    (void)state;
    assert_int_equal(scratch_file_new(path, "hullbench-compare"), 0);
    file_write(path, written, sizeof written - 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return remove(path);
}

static struct pool *pool; /* of all configurations */

/* An attempt to complete the configuration. */
struct completing {
    const char *solvers[ARMS];
    int traced;
    struct compare_config config;
};

static void complete(void *context)
{
    struct completing *completing = context;
    const struct solver_choices choices[ARMS] = {
        solver_choices_read(pool, "--against", completing->solvers[BASELINE]),
        solver_choices_read(pool, "--solver", completing->solvers[CANDIDATE])};
    completing->config = compare_config_read(pool, path, choices, completing->traced);
}

static enum status take_traced(const char *baseline, const char *candidate, int traced, const char **text,
                               const char **note, struct error *error)
{
    struct completing completing = {.solvers = {baseline, candidate}, .traced = traced};
    const enum status status = attempt(complete, &completing, error);
    *text = completing.config.text;
    *note = completing.config.note;
    return status;
}

static enum status take(const char *baseline, const char *candidate, const char **text, const char **note,
                        struct error *error)
{
    return take_traced(baseline, candidate, 0, text, note, error);
}

static void a_file_with_both_is_left_as_it_is(void **state)
{
    const char *text, *note;
    struct error error = {0};
    (void)state;
    assert_int_equal(take("1-smo", "clip-mdm", &text, &note, &error), STATUS_OK);
    assert_string_equal(text, written);
    assert_string_equal(note, "");
}

/* Parses the text like any configuration, and expects n_solvers solvers. */
static struct config *read_back(const char *text, size_t n_solvers)
{
    struct config *config = config_parse(pool, "made.json", text);
    assert_int_equal(config->n_solvers, n_solvers);
    return config;
}

static void a_missing_solver_is_run_like_the_one_it_is_compared_with(void **state)
{
    const char *text, *note;
    char expected[256];
    struct error error = {0};
    (void)state;
    assert_int_equal(take("mu-mdm", "clip-gsk", &text, &note, &error), STATUS_OK);
    snprintf(expected, sizeof expected,
             "clip-gsk is not in %s; it was run with the settings of mu-mdm there, as far as it reads them.", path);
    assert_string_equal(note, expected);
    struct config *config = read_back(text, 4);
    const struct config_solver *model = &config->solvers[1], *added = &config->solvers[3];
    assert_string_equal(added->solver->name, "clip-gsk");
    assert_int_equal(added->stop_rule, model->stop_rule);
    assert_true(value_list_for(&added->tolerance, "titanic")->value[0] == 0.01);
    assert_int_equal(added->budget.iterations, 7);
    assert_int_equal(value_list_for(&added->parameters[0], "titanic")->count, 1);
    assert_true(value_list_for(&added->parameters[0], "titanic")->value[0] == 0.25);
}

static void a_missing_baseline_is_run_like_the_other(void **state)
{
    const char *text, *note;
    struct error error = {0};
    (void)state;
    assert_int_equal(take("mu-gsk", "clip-mdm", &text, &note, &error), STATUS_OK);
    assert_non_null(strstr(note, "mu-gsk is not in"));
    struct config *config = read_back(text, 4);
    assert_string_equal(config->solvers[3].solver->name, "mu-gsk");
    assert_int_equal(value_list_for(&config->solvers[3].parameters[0], "titanic")->count, 2);
}

static double parameter_of(const struct config *config, size_t solver, const struct parameter *parameter)
{
    const struct config_solver *entry = &config->solvers[solver];
    size_t p = 0;
    while (entry->solver->parameters[p] != parameter)
        p++;
    const struct values *values = value_list_for(&entry->parameters[p], "titanic");
    assert_int_equal(values->count, 1);
    return values->value[0];
}

/* The list has mu-mdm with mu 0.25 and its own rule, and clip-mdm with the two mu of all. */
static void settings_replace_those_of_the_list(void **state)
{
    const char *text, *note;
    struct error error = {0};
    (void)state;
    assert_int_equal(take("mu-mdm[mu=0.5]", "mu-mdm[mu=0.2,selection=free],clip-mdm[mu=0.5]", &text, &note, &error),
                     STATUS_OK);
    assert_non_null(strstr(note, "mu-mdm[mu=0.2,selection=free] was run with the settings of mu-mdm in "));
    struct config *config = read_back(text, 4); /* 1-smo, and the three */
    assert_string_equal(config->solvers[0].solver->name, "1-smo");
    assert_true(parameter_of(config, 1, &parameter_mu) == 0.5 && parameter_of(config, 2, &parameter_mu) == 0.2);
    assert_true(parameter_of(config, 3, &parameter_mu) == 0.5);
    assert_string_equal(config->solvers[3].solver->name, "clip-mdm");
    for (size_t s = 1; s < 3; s++) {
        assert_int_equal(config->solvers[s].budget.iterations, 7);
        assert_true(parameter_of(config, s, &parameter_selection) == SELECTION_FREE);
    }
}

/* clip-gsk and mu-gsk are missing: both are run like the baseline, not like each other or clip-mdm. */
static void several_missing_solvers_are_run_like_the_baseline(void **state)
{
    const char *text, *note;
    struct error error = {0};
    (void)state;
    assert_int_equal(take("mu-mdm", "clip-mdm,clip-gsk,mu-gsk[mu=0.5]", &text, &note, &error), STATUS_OK);
    struct config *config = read_back(text, 5);
    assert_string_equal(config->solvers[3].solver->name, "clip-gsk");
    assert_string_equal(config->solvers[4].solver->name, "mu-gsk");
    assert_true(parameter_of(config, 3, &parameter_mu) == 0.25 && parameter_of(config, 4, &parameter_mu) == 0.5);
    assert_true(config->solvers[3].budget.iterations == 7 && config->solvers[4].budget.iterations == 7);
}

static void a_star_lists_every_solver(void **state)
{
    static const char starred[] =
        "{\"name\": \"starred\", \"datasets\": [\"titanic\"], \"splits\": \"1-3\", \"standardise\": \"full-set\",\n"
        " \"kernel\": {\"type\": \"linear\"}, \"parameters\": {\"mu\": 0.5, \"C\": 2, \"nu\": 0.5},\n"
        " \"solvers\": [\"mdm\", \"*\"], \"stop\": {\"rule\": \"delta\", \"tolerance\": 1e-3}}\n";
    const char *text, *note;
    struct error error = {0};
    size_t registered = 0;
    (void)state;
    for (const struct solver *const *at = solvers_all(); *at; at++)
        registered++;
    file_write(path, starred, sizeof starred - 1);
    assert_int_equal(take("gsk", "clip-mdm", &text, &note, &error), STATUS_OK);
    assert_string_equal(text, starred);
    read_back(text, registered);
    assert_int_equal(take("gsk", "svm-light[q=4]", &text, &note, &error), STATUS_OK);
    struct config *config = read_back(text, registered);
    const struct config_solver *last = &config->solvers[registered - 1];
    assert_string_equal(last->solver->name, "svm-light");
    file_write(path, written, sizeof written - 1);
}

static void settings_that_cannot_be_run_are_errors(void **state)
{
    const char *text, *note;
    struct error error = {0};
    (void)state;
    assert_int_equal(take("mu-mdm", "clip-mdm[histroy=9]", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--solver: unknown parameter of clip-mdm \"histroy\""));
    assert_int_equal(take("mu-mdm[C=3]", "clip-mdm", &text, &note, &error), STATUS_BAD_INPUT); /* it reads mu */
    assert_non_null(strstr(error.message, "--against: unknown parameter of mu-mdm \"C\""));
    assert_int_equal(take("mu-mdm", "mu-mdm[mu=0.5]", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "mu-mdm[mu=0.5] and mu-mdm"));
    assert_int_equal(take("mu-mdm[mu=0.5]", "mu-mdm[mu=0.5]", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "is the baseline itself"));
}

static void names_that_cannot_be_run_are_errors(void **state)
{
    const char *text, *note;
    struct error error = {0};
    (void)state;
    assert_int_equal(take("mu-gsk", "clip-gsk", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "none of mu-gsk, clip-gsk is in the list"));
    assert_non_null(strstr(error.message, "the list has: clip-mdm, mu-mdm, 1-smo"));
    assert_int_equal(take("clip-mdn", "clip-gsk", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--against: unknown solver \"clip-mdn\"; did you mean "));
    assert_int_equal(take("clip-mdm", "nobody", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--solver: unknown solver \"nobody\""));
    assert_int_equal(take("clip-mdm", "clip-mdm", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "is the baseline itself"));
    assert_null(text);
    assert_null(note);
}

static enum status solve_nothing(const struct problem *problem, const struct points *patterns,
                                 const struct kernel *kernel, double *alpha, uint64_t *iterations)
{
    (void)problem, (void)patterns, (void)kernel, (void)alpha, (void)iterations;
    return STATUS_STALLED;
}

/* The run would end with the same problem, but only at the first problem of this solver. */
static void equal_gaps_need_solvers_with_traces(void **state)
{
    static char file[] = "outside.so";
    static const struct solver_origin origin = {.file = file};
    static struct solver outside;
    const struct solver *const list[] = {&outside, NULL};
    const char *text, *note;
    struct error error = {0};
    (void)state;
    outside = *solver_find("clip-mdm");
    outside.name = "outside";
    outside.stops = 1u << STOP_DELTA;
    outside.default_stop = (struct stop){0};
    outside.solve_external = solve_nothing;
    assert_int_equal(solvers_add(list, &origin, &error), STATUS_OK);
    assert_int_equal(take_traced("mu-mdm", "clip-mdm", 1, &text, &note, &error), STATUS_OK);
    struct config *config = read_back(text, 3);
    assert_string_equal(config->trace->datasets.item[0], "titanic");
    assert_int_equal(config->trace->splits[0], 1);
    assert_true(config->trace->n_splits >= 3); /* splits 1 to 3 are run */
    assert_int_equal(take_traced("mu-mdm", "outside", 0, &text, &note, &error), STATUS_OK);
    assert_int_equal(take_traced("mu-mdm", "outside", 1, &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--equal-gaps: solver \"outside\" cannot write a trace"));
    assert_null(text);
    assert_int_equal(take_traced("outside", "mu-mdm", 1, &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "\"outside\" cannot write a trace"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_with_both_is_left_as_it_is),
        cmocka_unit_test(a_missing_solver_is_run_like_the_one_it_is_compared_with),
        cmocka_unit_test(a_missing_baseline_is_run_like_the_other),
        cmocka_unit_test(settings_replace_those_of_the_list),
        cmocka_unit_test(several_missing_solvers_are_run_like_the_baseline),
        cmocka_unit_test(a_star_lists_every_solver),
        cmocka_unit_test(settings_that_cannot_be_run_are_errors),
        cmocka_unit_test(names_that_cannot_be_run_are_errors),
        cmocka_unit_test(equal_gaps_need_solvers_with_traces), /* adds a solver */
    };
    pool = pool_new();
    const int status = cmocka_run_group_tests(tests, set_up, tear_down);
    pool_free(pool);
    return status;
}
