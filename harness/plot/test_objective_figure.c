/* The objective's figure from artificial traces with known factors: the second solver needs exactly half the
 * iterations. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/plot/plot.h"
#include "tests/all_tests.h"
#include "tests/plot_bench.h"
#include "tests/scratch_folder.h"

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    file_write(path, text, strlen(text));
}

#define RECORD(solver)                                                                                          \
    "{\"schema\":1,\"config\":\"c\",\"dataset\":\"set\",\"split\":1,\"split_source\":\"resampled\",\"solver\":" \
    "\"" solver "\",\"params\":{},\"kernel\":{\"type\":\"rbf\",\"width\":1},\"stop\":{\"rule\":\"iterations\"," \
                "\"tolerance\":null},"                                                                          \
    "\"outcome\":\"iteration-limit\",\"iterations\":8,\"kernel_operations\":{\"setup\":1,\"iterations\":1,"     \
    "\"predict\":1},\"kernel_evaluations\":1,\"support_vectors\":1,\"error_percent\":null,\"objective\":1,"     \
    "\"duality_gap\":0,\"kkt_violation\":0,\"bias\":0,\"feasibility\":0,\"mu_effective\":null,\"mu_floor\":1,"  \
    "\"rch_mu\":null}\n"
#define HEADER(solver)                                             \
    "# dataset set\n# split 1\n# solver " solver "\n# params {}\n" \
    "iteration\tkernel_operations\tobjective\tgap\n"

static enum status draw_traces(const char *config, const char *m3, const char *munk, struct plot_report *report)
{
    struct plot_options options = {.no_render = 1};
    struct error error = {0};
    char path[256];
    snprintf(path, sizeof path, "%s/traces", scratch_folder);
    folder_make(path);
    write_file("records.jsonl", RECORD("m3") RECORD("munk"));
    write_file("traces/set-1-m3.tsv", m3);
    write_file("traces/set-1-munk.tsv", munk);
    write_file("config.json", config);
    return bench_plot(scratch_folder, &options, report, &error);
}

/* Duals: the objective grows by 1 per iteration for m3, by 2 for munk; munk's last value exceeds m3's. */
static enum status draw(const char *config, struct plot_report *report)
{
    return draw_traces(config, HEADER("m3") "0\t0\t1\tnan\n1\t9\t2\tnan\n4\t36\t5\tnan\n8\t72\t9\t1\n",
                       HEADER("munk") "0\t0\t1\tnan\n2\t18\t5\tnan\n8\t72\t17\t1\n", report);
}

static char *text_of(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    return read_file(path, NULL);
}

static void factors_are_iterations_to_the_same_objective(void **state)
{
    (void)state;
    struct plot_report report = {0};
    const char *config = "{\"plots\":[{\"kind\":\"objective\",\"name\":\"f\",\"dataset\":\"set\"}]}";
    assert_int_equal(draw(config, &report), STATUS_OK);
    assert_int_equal(report.figures.count, 1);
    char *text = text_of("plots/f.dat");
    /* duals are shown as minimised; m3's last point is the best that both reach and has no factor */
    assert_string_equal(text, "# iteration objective, m3\n1 -2\n4 -5\n8 -9\n\n\n"
                              "# iteration objective, munk\n2 -5\n8 -17\n\n\n"
                              "# iteration of m3, factor of munk\n1 2\n4 2\n");
    free(text);
    text = text_of("plots/f.txt");
    assert_non_null(strstr(text, "munk: 2.00 to 2.00, median 2.00"));
    free(text);
    bench_report_free(&report);
}

static const char one_figure[] = "{\"plots\":[{\"kind\":\"objective\",\"name\":\"f\",\"dataset\":\"set\"}]}";

static void assert_drawn_in_silence(void)
{
    if (bench_has_gnuplot())
        bench_check_figure(scratch_folder, "f");
}

/* The axis ends at 0 if some value is below. */
static void captions_tell_of_values_above_0_only_where_the_axis_hides_some(void **state)
{
    (void)state;
    static const struct {
        double duals[2][3]; /* of m3 and munk at iterations 0, 1 and 2 */
        int hides;
    } cases[] = {{{{-2, -1, 1}, {-2, 1, 2}}, 1}, {{{-2, 1, 2}, {-2, -1, 1}}, 1}, {{{-2, 0, 1}, {-2, 1, 2}}, 0},
                 {{{-3, -2, -1}, {-3, -1, -0.5}}, 0}, {{{-3, -2, 0}, {-3, -1, 0}}, 0}, {{{0, 0, 0}, {0, 0, 0}}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plot_report report = {0};
        char traces[2][300];
        for (int s = 0; s < 2; s++) {
            const double *duals = cases[i].duals[s];
            snprintf(traces[s], sizeof traces[s], "%s0\t0\t%g\tnan\n1\t9\t%g\tnan\n2\t18\t%g\t1\n",
                     s ? HEADER("munk") : HEADER("m3"), duals[0], duals[1], duals[2]);
        }
        assert_int_equal(draw_traces(one_figure, traces[0], traces[1], &report), STATUS_OK);
        char *text = text_of("plots/f.txt");
        assert_int_equal(strstr(text, "Values above 0 at") != NULL, cases[i].hides);
        free(text);
        assert_drawn_in_silence();
        bench_report_free(&report);
    }
}

/* For an empty block gnuplot would draw the next series in its place. Here munk never reaches m3's objectives, or m3
 * never moves. */
static void every_block_has_a_row(void **state)
{
    (void)state;
    static const char *const traces[][2] = {
        {HEADER("m3") "0\t0\t1\tnan\n1\t9\t5\tnan\n", HEADER("munk") "0\t0\t1\tnan\n1\t9\t2\tnan\n8\t72\t3\t1\n"},
        {HEADER("m3") "0\t0\t1\tnan\n", HEADER("munk") "0\t0\t1\tnan\n1\t9\t2\tnan\n8\t72\t3\t1\n"},
    };
    static const char *const expected[] = {"# iteration objective, m3\n1 -5\n\n\n"
                                           "# iteration objective, munk\n1 -2\n8 -3\n\n\n"
                                           "# iteration of m3, factor of munk\nNaN NaN\n",
                                           "# iteration objective, m3\nNaN NaN\n\n\n"
                                           "# iteration objective, munk\n1 -2\n8 -3\n\n\n"
                                           "# iteration of m3, factor of munk\nNaN NaN\n"};
    for (int i = 0; i < 2; i++) {
        struct plot_report report = {0};
        assert_int_equal(draw_traces(one_figure, traces[i][0], traces[i][1], &report), STATUS_OK);
        char *text = text_of("plots/f.dat");
        assert_string_equal(text, expected[i]);
        free(text);
        assert_drawn_in_silence();
        bench_report_free(&report);
    }
}

static void traces_that_end_at_the_start_are_not_drawn(void **state)
{
    (void)state;
    struct plot_report report = {0};
    assert_int_equal(draw_traces(one_figure, HEADER("m3") "0\t0\t1\t1\n", HEADER("munk") "0\t0\t1\t1\n", &report),
                     STATUS_NOT_FOUND);
    assert_string_equal(report.notes, "f not drawn: no trace of set has a point after the start\n");
    bench_report_free(&report);
}

static void one_solver_alone_is_not_drawn(void **state)
{
    (void)state;
    struct plot_report report = {0};
    const char *one = "{\"plots\":[{\"kind\":\"objective\",\"name\":\"f\",\"solvers\":[\"m3\"]}]}";
    assert_int_equal(draw(one, &report), STATUS_NOT_FOUND);
    assert_int_equal(report.figures.count, 0);
    assert_non_null(strstr(report.notes, "set has traces of fewer than two solvers"));
    bench_report_free(&report);
}

static void gnuplot_draws_it_in_silence(void **state)
{
    (void)state;
    struct plot_report report = {0};
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    const char *config = "{\"plots\":[{\"kind\":\"objective\",\"name\":\"f\",\"dataset\":\"set\"}]}";
    assert_int_equal(draw(config, &report), STATUS_OK);
    bench_check_figure(scratch_folder, "f");
    bench_report_free(&report);
}

static int set_up(void **state)
{
    gsl_set_error_handler_off();
    return scratch_folder_make(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_iterations_to_the_same_objective),
        cmocka_unit_test(captions_tell_of_values_above_0_only_where_the_axis_hides_some),
        cmocka_unit_test(every_block_has_a_row),
        cmocka_unit_test(traces_that_end_at_the_start_are_not_drawn),
        cmocka_unit_test(one_solver_alone_is_not_drawn),
        cmocka_unit_test(gnuplot_draws_it_in_silence),
    };
    return cmocka_run_group_tests_name("objective figure", tests, set_up, scratch_folder_remove);
}
