/*
 * A rate printed for one split: its position among ours, and the verdict on it as one further split. The paper has one
 * cell; ten records have rates 1 to 10.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/papers/reproduction.h"
#include "tests/paper_trial.h"
#include "tests/read_run.h"
#include "tests/scratch_folder.h"

static const char *const folder = scratch_folder;

static const char *in_folder(const char *name)
{
    static char path[2][256];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_paper(const char *mean, const char *statistic)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"schema\":1,\"paper\":\"toy\",\"datasets\":[\"p\"],\"splits\":{\"default\":1},\"tables\":[{\"name\":"
        "\"toy.a\",\"caption\":\"c\",\"source\":\"s\",\"columns\":[{\"key\":\"k\",\"title\":\"t\",\"solver\":\"munk\","
        "\"field\":\"error_percent\",\"statistic\":\"%s\"}],\"rows\":{\"p\":{\"k\":{\"mean\":%s,\"sd\":1,"
        "\"decimals\":1}}}}]}",
        statistic, mean);
    file_write(in_folder("toy.json"), text, strlen(text));
}

static void write_records(void)
{
    char text[8192];
    size_t used = 0;
    for (int split = 1; split <= 10; split++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "{\"schema\":1,\"config\":\"c\",\"dataset\":\"p\",\"split\":%d,\"split_source\":\"resampled\",\"solver\":"
            "\"munk\","
            "\"params\":{},\"kernel\":{\"type\":\"linear\"},\"stop\":{\"rule\":\"kkt\",\"tolerance\":1},\"outcome\":"
            "\"converged\",\"iterations\":1,\"kernel_operations\":{\"setup\":1,\"iterations\":1,\"predict\":1},"
            "\"kernel_evaluations\":1,\"support_vectors\":1,\"error_percent\":%d,\"objective\":1,\"duality_gap\":0,"
            "\"kkt_violation\":0,\"bias\":0,\"feasibility\":0,\"mu_effective\":null,\"mu_floor\":1,\"rch_mu\":null}\n",
            split, split);
    file_write(in_folder("records.jsonl"), text, used);
}

/* The cell for a printed mean, written to FOLDER like any table. */
static struct reproduction_cell compare(const char *mean)
{
    const struct paper *paper;
    struct record_file file = {0};
    write_paper(mean, "mean");
    write_records();
    assert_int_equal(try_paper(in_folder("toy.json"), &paper, NULL), STATUS_OK);
    assert_int_equal(try_records(in_folder("records.jsonl"), &file, NULL), STATUS_OK);
    const struct reproduction *comparison =
        reproduction_make(trial_pool(), &paper->tables[0], &file.records, &file.records, NULL);
    reproduction_write(comparison, folder);
    struct reproduction_cell cell = comparison->rows[0].cells[0];
    pool_free(file.pool);
    return cell;
}

static void the_printed_rate_has_its_place_among_ours(void **state)
{
    (void)state;
    const struct {
        const char *mean;
        double at_most, at_least;
    } cases[] = {{"3.0", 0.3, 0.8}, {"3.1", 0.3, 0.8}, {"2.9", 0.3, 0.8},
                 {"3.5", 0.3, 0.7}, {"0.5", 0, 1},     {"10.0", 1, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reproduction_cell cell = compare(cases[i].mean);
        assert_true(fabs(cell.at_most - cases[i].at_most) < 1e-12);
        assert_true(fabs(cell.at_least - cases[i].at_least) < 1e-12);
    }
    char *text = NULL;
    compare("3.5");
    text = read_file(in_folder("toy.a.md"), NULL);
    assert_non_null(strstr(text, "5.5 ± 3.0 (30–30) ?"));
    assert_non_null(strstr(text, "toy.a: c")); /* name and caption */
    free(text);
    compare("3.0"); /* 3 of 10 are no higher, 8 no lower, so 2 are lower */
    text = read_file(in_folder("toy.a.md"), NULL);
    assert_non_null(strstr(text, " (20–30)"));
    free(text);
    compare("10.0"); /* all are no higher, 1 is no lower */
    text = read_file(in_folder("toy.a.md"), NULL);
    assert_non_null(strstr(text, " (90–100)"));
    free(text);
}

static void the_verdict_is_that_of_a_further_split(void **state)
{
    (void)state;
    /* sd of 1 to 10: sqrt(82.5 / 9); 99 % for one more value, plus half a digit */
    const double allowed = gsl_cdf_tdist_Qinv(0.005, 9) * sqrt(82.5 / 9 * 1.1) + 0.05;
    char mean[32];
    snprintf(mean, sizeof mean, "%.1f", 5.5 + floor(10 * allowed) / 10);
    struct reproduction_cell cell = compare(mean);
    assert_true(fabs(cell.agreement.allowed - allowed) < 1e-9);
    assert_int_equal(cell.agreement.verdict, VERDICT_UNDECIDABLE); /* the interval is wider than half the value */
    snprintf(mean, sizeof mean, "%.1f", 5.5 + floor(10 * allowed + 1) / 10);
    assert_int_equal(compare(mean).agreement.verdict, VERDICT_DIFFERS);
    assert_int_equal(compare("50.0").agreement.verdict, VERDICT_DIFFERS);
}

static void a_single_split_with_a_deviation_or_a_minimum_is_refused(void **state)
{
    (void)state;
    const char *const statistics[] = {"mean_sd", "min"};
    for (int i = 0; i < 2; i++) {
        const struct paper *paper;
        struct error error;
        write_paper("3.0", statistics[i]);
        assert_int_equal(try_paper(in_folder("toy.json"), &paper, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "\"splits\" of p must be a number from 2"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printed_rate_has_its_place_among_ours),
        cmocka_unit_test(the_verdict_is_that_of_a_further_split),
        cmocka_unit_test(a_single_split_with_a_deviation_or_a_minimum_is_refused),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests_name("one split", tests, scratch_folder_make, scratch_folder_remove);
}
