/* The configuration of a comparison: as it is where both solvers stand in it, else with the missing one beside its
 * model. */
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

#include "harness/compare/compare_config.h"
#include "harness/config/config.h"
#include "harness/support/file.h"

static const char written[] =
    "{\"name\": \"made\", \"datasets\": [\"titanic\"], \"splits\": \"1-3\", \"standardise\": \"full-set\",\n"
    " \"kernel\": {\"type\": \"linear\"}, \"parameters\": {\"mu\": [0.1, 0.5], \"C\": 2},\n"
    " \"solvers\": [\"clip-mdm\", {\"name\": \"mu-mdm\", \"parameters\": {\"mu\": 0.25, \"selection\": \"free\"},\n"
    "              \"stop\": {\"rule\": \"delta\", \"tolerance\": 0.01}, \"budget\": {\"iterations\": 7}}, "
    "\"1-smo\"],\n"
    " \"stop\": {\"rule\": \"delta\", \"tolerance\": 1e-3}}\n";

static char path[] = "/tmp/hullbench-compare-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    return file_write(path, written, sizeof written - 1, NULL) == STATUS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return remove(path);
}

static enum status take(const char *baseline, const char *candidate, char **text, char **note, struct error *error)
{
    const char *const solvers[ARMS] = {baseline, candidate};
    return compare_config_read(path, solvers, 0, text, note, error);
}

static void a_file_with_both_is_left_as_it_is(void **state)
{
    char *text, *note;
    struct error error = {0};
    (void)state;
    assert_int_equal(take("1-smo", "clip-mdm", &text, &note, &error), STATUS_OK);
    assert_string_equal(text, written);
    assert_string_equal(note, "");
    free(text);
    free(note);
}

/* The configuration's last solver, after the text was read as every configuration is. */
static struct config *read_back(char *text)
{
    struct config *config = NULL;
    struct error error = {0};
    assert_int_equal(config_parse("made.json", text, &config, &error), STATUS_OK);
    assert_int_equal(config->n_solvers, 4);
    return config;
}

static void a_missing_solver_is_run_like_the_one_it_is_compared_with(void **state)
{
    char *text, *note, expected[256];
    struct error error = {0};
    (void)state;
    assert_int_equal(take("mu-mdm", "clip-gsk", &text, &note, &error), STATUS_OK);
    snprintf(expected, sizeof expected,
             "clip-gsk is not in %s; it was given the settings mu-mdm has there, those it reads.", path);
    assert_string_equal(note, expected);
    struct config *config = read_back(text);
    const struct config_solver *model = &config->solvers[1], *added = &config->solvers[3];
    assert_string_equal(added->solver->name, "clip-gsk");
    assert_int_equal(added->stop_rule, model->stop_rule);
    assert_true(value_list_for(&added->tolerance, "titanic")->value[0] == 0.01);
    assert_int_equal(added->budget.iterations, 7);
    assert_int_equal(value_list_for(&added->parameters[PARAMETER_MU], "titanic")->count, 1);
    assert_true(value_list_for(&added->parameters[PARAMETER_MU], "titanic")->value[0] == 0.25);
    assert_int_equal(added->parameters[PARAMETER_SELECTION].count, 0); /* which it does not read */
    config_free(config);
    free(note);
}

static void a_missing_baseline_is_run_like_the_other(void **state)
{
    char *text, *note;
    struct error error = {0};
    (void)state;
    assert_int_equal(take("mu-gsk", "clip-mdm", &text, &note, &error), STATUS_OK);
    assert_non_null(strstr(note, "mu-gsk is not in"));
    struct config *config = read_back(text);
    assert_string_equal(config->solvers[3].solver->name, "mu-gsk");
    assert_int_equal(value_list_for(&config->solvers[3].parameters[PARAMETER_MU], "titanic")->count, 2);
    config_free(config);
    free(note);
}

static void names_that_cannot_be_run_are_errors(void **state)
{
    char *text, *note;
    struct error error = {0};
    (void)state;
    assert_int_equal(take("mu-gsk", "clip-gsk", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "neither mu-gsk nor clip-gsk is in the list"));
    assert_non_null(strstr(error.message, "it has: clip-mdm, mu-mdm, 1-smo"));
    assert_int_equal(take("clip-mdn", "clip-gsk", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--against: unknown solver \"clip-mdn\"; did you mean "));
    assert_int_equal(take("clip-mdm", "nobody", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--solver: unknown solver \"nobody\""));
    assert_int_equal(take("clip-mdm", "clip-mdm", &text, &note, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "is the baseline itself"));
    assert_null(text);
    assert_null(note);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_with_both_is_left_as_it_is),
        cmocka_unit_test(a_missing_solver_is_run_like_the_one_it_is_compared_with),
        cmocka_unit_test(a_missing_baseline_is_run_like_the_other),
        cmocka_unit_test(names_that_cannot_be_run_are_errors),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
