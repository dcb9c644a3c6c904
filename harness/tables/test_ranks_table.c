/* Tables of ranks of hand-made records with a known order on every data set. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/support/file.h"
#include "harness/tables/run_tables.h"
#include "tests/plot_bench.h"
#include "tests/read_run.h"

static char *written;

/* Closes the records first, since drawing needs the complete file. */
static void write_tables(struct bench *bench, const char *config_text)
{
    char path[256];
    size_t size = 0;
    struct table_log log = {.said = open_memstream(&written, &size)};
    struct run_folder folder;
    bench_write(bench, "config.json", config_text);
    bench_draw(bench, NULL, 1);
    bench_path(bench, "tables", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(try_folder(bench->folder, FOLDER_CONFIG, TRY_OPEN, &folder, NULL), STATUS_OK);
    solver_tables_write(&folder, path, &log);
    fclose(log.said);
    pool_free(folder.pool);
}

/*
 * Friedman's chi-squared is 12 n / (k (k + 1)) sum (R - 2)^2 = 6 * (0.25 + 0.25 + 1) = 9, so F = 5 * 9 / (12 - 9) = 15;
 * with two degrees of freedom p of chi-squared is exp(-4.5). A difference of 1.5 over sqrt(12 / 36) is 2.598
 * deviations, two-sided p 0.00937477 by R's 2 * pnorm(-1.5 / sqrt(1 / 3)), twice that by Holm over two comparisons. CD
 * = 1.353 (Demsar's Table 5).
 */
static void the_figures_are_those_worked_out_by_hand(void **state)
{
    struct bench *bench = *state;
    bench_add_close(bench);
    write_tables(
        bench,
        "{\"plots\":[{\"kind\":\"critical-difference\",\"name\":\"cd\",\"metric\":\"error\"},{\"kind\":\"error\"}]}");
    assert_non_null(strstr(written, "/tables/friedman-cd.{json,md,tex,csv}\n"));
    char *text = bench_read(bench, "tables/friedman-cd.csv");
    assert_string_equal(text, "solver,metric,mean_rank,groups,p_adjusted,wins,ties,losses,better,undecided,worse\r\n"
                              "a,error,1.5,a,1,9,0,3,0,2,0\r\nb,error,1.5,a,1,9,0,3,0,2,0\r\n"
                              "c,error,3,,0.0187495,0,0,12,0,2,0\r\n");
    free(text);
    text = bench_read(bench, "tables/friedman-cd.json");
    cJSON *json = cJSON_Parse(text), *metric = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "metrics"), "error");
    assert_true(fabs(cJSON_GetObjectItem(metric, "chi2")->valuedouble - 9) < 1e-5);
    assert_true(fabs(cJSON_GetObjectItem(metric, "f")->valuedouble - 15) < 1e-4);
    assert_true(fabs(cJSON_GetObjectItem(metric, "chi2_p")->valuedouble - exp(-4.5)) < 1e-7);
    assert_true(fabs(cJSON_GetObjectItem(metric, "critical_difference")->valuedouble - 1.353) < 0.001);
    const cJSON *b = NULL; /* how the best solver, a, does against b */
    cJSON_ArrayForEach (b, cJSON_GetObjectItem(json, "against"))
        if (strcmp(cJSON_GetObjectItem(b, "solver")->valuestring, "a") == 0 &&
            strcmp(cJSON_GetObjectItem(b, "other")->valuestring, "b") == 0)
            break;
    assert_true(cJSON_GetObjectItem(b, "wins")->valuedouble == 3 && cJSON_GetObjectItem(b, "losses")->valuedouble == 3);
    /* c is above a on all six: p is 2/64, and three times that by Holm, the smallest possible value */
    const cJSON *pairs = cJSON_GetObjectItem(json, "pairs"), *pair = cJSON_GetArrayItem(pairs, 1);
    assert_int_equal(cJSON_GetArraySize(pairs), 3);
    assert_string_equal(cJSON_GetObjectItem(pair, "first")->valuestring, "a");
    assert_string_equal(cJSON_GetObjectItem(pair, "second")->valuestring, "c");
    assert_true(cJSON_GetObjectItem(pair, "signed_rank_p")->valuedouble == 2 / 64.0);
    assert_true(cJSON_GetObjectItem(pair, "signed_rank_p_adjusted")->valuedouble == 6 / 64.0);
    assert_true(cJSON_GetObjectItem(metric, "least_p_adjusted")->valuedouble == 6 / 64.0);
    assert_true(cJSON_GetObjectItem(pair, "effect")->valuedouble == -1);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(pair, "nemenyi_differs")));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetArrayItem(pairs, 0), "nemenyi_differs")));
    cJSON_Delete(json);
    free(text);
    text = bench_read(bench, "tables/friedman-cd.md");
    assert_non_null(strstr(text, "Nemenyi's test separates 2 of 3 pairs; signed-rank tests cannot separate any pair"));
    assert_non_null(strstr(text, "# friedman-cd: mean ranks over 6 data sets\n"));
    assert_non_null(strstr(
        text,
        "error: Friedman's chi-squared 9, p 0.011; Iman and Davenport's F 15, p 0.00098; critical difference 1.35."));
    const char *note = strstr(text, "Friedman's chi-squared");
    assert_true(note && !strstr(note + 1, "Friedman's chi-squared")); /* one metric, one note */
    free(text);
    free(written);
}

/* 13 data sets and three solvers are enough to be ranked by default; two solvers are not. */
static void without_plots_many_solvers_are_ranked_by_every_metric(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "none");
    write_tables(bench, "{}");
    char *text = bench_read(bench, "tables/friedman-critical-difference.csv");
    assert_non_null(strstr(text, "\r\nμ-gsk,error,1,,1,26,0,0,2,0,0\r\n")); /* 13 of 13 three times: p 3/4096 */
    assert_non_null(strstr(text, ",13,0,13,1,0,1\r\n"));
    assert_non_null(strstr(text, ",iterations,"));
    assert_non_null(strstr(text, ",kernel-operations,"));
    free(text);
    free(written);
}

static void what_no_entry_asks_for_is_not_written(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "none");
    write_tables(bench, "{\"plots\":[{\"kind\":\"error\"}]}");
    assert_string_equal(written, "");
    free(written);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_figures_are_those_worked_out_by_hand),
        TEST(without_plots_many_solvers_are_ranked_by_every_metric),
        TEST(what_no_entry_asks_for_is_not_written),
    };
    gsl_set_error_handler_off();
    unsetenv("HULLBENCH_SHARE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
