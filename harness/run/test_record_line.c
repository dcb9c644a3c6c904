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

/* The record of a toy job with that result. */
static struct record *record_of(struct pool *pool, const struct job_result *result)
{
    struct split split = {.number = 1, .source = SPLIT_FOLD};
    struct dataset dataset = {.name = name, .n_splits = 1, .splits = &split};
    struct config_solver solver = {.solver = solver_find("mdm")};
    struct config config = {.name = "c", .solvers = &solver, .n_solvers = 1};
    struct job job = {.kernel = {.type = KERNEL_RBF, .width = 0.1}, .stop = {STOP_RCH_GAP, 1e-5}};
    return record_of_job(pool, &config, &dataset, &job, result);
}

/* Its line; free it. */
static char *line_of(const struct job_result *result)
{
    struct pool *pool = pool_new();
    char *line = xstrdup(record_line(pool, record_of(pool, result)));
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

/* Also a number that a row or add_result forgot: it would be 0, or that of another field. */
static void every_number_of_a_result_is_written_and_read(void **state)
{
    (void)state;
    const struct job_result result = {
        .solution = {.outcome = OUTCOME_STALLED, .reason = "r", .iterations = 1},
        .operations = {[PHASE_SETUP] = 2, [PHASE_ITERATIONS] = 3, [PHASE_PREDICT] = 4},
        .evaluations = 5,
        .error_percent = 6.5,
        .mu_effective = 7.5,
        .judgement = {.support_vectors = 8, .objective = 9.5, .duality_gap = 10.5, .kkt_violation = 11.5, .bias = 12.5,
                      .feasibility = 13.5, .mu_floor = 14.5, .rch_mu = 15.5}};
    struct pool *pool = pool_new();
    const struct json_path place = {.file = "line"};
    const struct record *record = record_of(pool, &result);
    struct record back;
    members_read(pool, record_members, json_parse(pool, place.file, record_line(pool, record)), &place, &back);
    for (size_t f = 0; f < RECORD_FIELDS; f++) {
        if (record->field[f] == 0 || back.field[f] != record->field[f])
            fail_msg("number %zu of the record: %g, read as %g", f, record->field[f], back.field[f]);
        for (size_t g = 0; g < f; g++)
            assert_true(record->field[f] != record->field[g]);
    }
    assert_true(back.schema == RECORD_SCHEMA && back.split == 1 && back.source == SPLIT_FOLD);
    assert_true(back.ending == OUTCOME_STALLED && strcmp(back.reason, "r") == 0 && strcmp(back.config, "c") == 0);
    assert_true(strcmp(back.dataset, name) == 0 && strcmp(back.solver, "mdm") == 0);
    pool_free(pool);
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
        cmocka_unit_test(every_number_of_a_result_is_written_and_read),
        cmocka_unit_test(no_parameter_may_have_the_name_of_a_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
