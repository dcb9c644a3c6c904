/* A record's numbers read back exactly as they were, to the last bit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/config/config.h"
#include "harness/evaluate/session.h"
#include "harness/run/plan.h"
#include "harness/run/record_line.h"
#include "solvers/registry.h"

static char name[] = "toy";

/* The record of a toy job with that result; free it. */
static char *line_of(const struct job_result *result)
{
    struct split split = {.number = 1, .source = SPLIT_FOLD};
    struct dataset dataset = {.name = name, .n_splits = 1, .splits = &split};
    struct config_solver solver = {.solver = solver_find("mdm")};
    struct config config = {.name = "c", .solvers = &solver, .n_solvers = 1};
    struct job job = {.kernel = {.type = KERNEL_RBF, .width = 0.1}, .stop = {STOP_RCH_GAP, 1e-5}};
    struct pool *pool = pool_new();
    char *line = xstrdup(record_line(pool, record_of_job(pool, &config, &dataset, &job, result)));
    pool_free(pool);
    return line;
}

/* The objective in the record of a result whose objective is `number`. */
static double objective_of_record(double number)
{
    struct job_result result = {.judgement = {.objective = number}};
    char *line = line_of(&result);
    const char *key = "\"objective\":", *at = strstr(line, key);
    assert_non_null(at);
    double back = strncmp(at + strlen(key), "null", 4) == 0 ? (double)NAN : strtod(at + strlen(key), NULL);
    assert_non_null(strstr(line, "\"width\":0.1}")); /* no superfluous digits */
    free(line);
    return back;
}

static void numbers_read_back_to_the_last_bit(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(random);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = (uint64_t)gsl_rng_get(random) << 32 | gsl_rng_get(random);
        double number;
        memcpy(&number, &bits, sizeof number);
        double back = objective_of_record(number);
        assert_true(isfinite(number) ? back == number : isnan(back));
    }
    const double edges[] = {
        0, 1, 1.0 / 3, DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 1 + DBL_EPSILON, 9007199254740993.0, 508670080000};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        assert_true(objective_of_record(edges[i]) == edges[i]);
    gsl_rng_free(random);
}

static void a_reason_stands_after_the_outcome_and_only_where_there_is_one(void **state)
{
    (void)state;
    struct job_result result = {.solution = {.outcome = OUTCOME_STALLED, .reason = "the gap is \"0.5\""}};
    char *line = line_of(&result);
    assert_non_null(strstr(line, "\"outcome\":\"stalled\",\"reason\":\"the gap is \\\"0.5\\\"\",\"iterations\":"));
    free(line);
    *result.solution.reason = '\0';
    line = line_of(&result);
    assert_null(strstr(line, "reason"));
    free(line);
}

static void no_parameter_may_have_the_name_of_a_member(void **state)
{
    (void)state;
    struct job_result result = {.solution = {.outcome = OUTCOME_FAILED, .reason = "none"}};
    char *line = line_of(&result);
    cJSON *record = cJSON_Parse(line), *member = NULL;
    assert_true(cJSON_GetArraySize(record) > 20);
    cJSON_ArrayForEach (member, record) {
        const struct parameter parameter = {.name = member->string, .meaning = "m", .max = 1};
        if (parameter_check(&parameter, "p.so", NULL) != STATUS_BAD_INPUT)
            fail_msg("a parameter may be called \"%s\"", member->string);
    }
    cJSON_Delete(record);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_read_back_to_the_last_bit),
        cmocka_unit_test(a_reason_stands_after_the_outcome_and_only_where_there_is_one),
        cmocka_unit_test(no_parameter_may_have_the_name_of_a_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
