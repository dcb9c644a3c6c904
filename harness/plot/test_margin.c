/* MinOver's bounds in the plane: the figure's numbers compared with margins computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/support/file.h"
#include "harness/plot/plot.h"
#include "tests/all_tests.h"
#include "tests/plot_bench.h"
#include "tests/scratch_folder.h"

static const char *const folder = scratch_folder;

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static const char record[] =
    "{\"schema\":1,\"config\":\"c\",\"dataset\":\"three\",\"split\":1,\"split_source\":\"resampled\",\"solver\":"
    "\"soft-max-minover\",\"params\":{\"nu\":1},\"kernel\":{\"type\":\"linear\"},\"stop\":{\"rule\":\"iterations\","
    "\"tolerance\":null},\"outcome\":\"iteration-limit\",\"iterations\":1,\"kernel_operations\":{\"setup\":1,"
    "\"iterations\":1,\"predict\":1},\"kernel_evaluations\":1,\"support_vectors\":1,\"error_percent\":null,"
    "\"objective\":1,\"duality_gap\":0,\"kkt_violation\":0,\"bias\":0,\"feasibility\":0,\"mu_effective\":null,"
    "\"mu_floor\":1,\"rch_mu\":null}\n";

/* z = (1, 0), (3, 4), (0, 2): the second and third are from the negative class. `rows` has the points of the trace. */
static void write_run(const char *config, const char *params, const char *rows)
{
    char trace[600];
    int length =
        snprintf(trace, sizeof trace,
                 "# dataset three\n# split 1\n# solver soft-max-minover\n# params %s\n# pattern 1 1 0\n"
                 "# pattern -1 -3 -4\n# pattern -1 0 -2\niteration\tkernel_operations\tobjective\tgap\tw1\tw2\n%s",
                 params, rows);
    folder_make(in_folder("traces"));
    file_write(in_folder("records.jsonl"), record, strlen(record));
    file_write(in_folder("config.json"), config, strlen(config));
    const char *path = in_folder("traces/three-1-soft-max-minover.tsv");
    file_write(path, trace, (size_t)length);
}

static const char two_points[] = "0\t0\t1\t1\t2\t0\n3\t9\t1\t1\t1.5\t1\n";

/* Draws and reads the rows of the only series: t, 1 - cos gamma, R / (d sqrt t), |v| / (d t). */
static void draw(const char *params, double rows[2][4])
{
    struct plot_report report = {0};
    struct plot_options options = {.no_render = 1};
    struct error error = {0};
    char *text = NULL;
    write_run("{\"plots\":[{\"kind\":\"margin\",\"name\":\"m\",\"dataset\":\"three\",\"solver\":"
              "\"soft-max-minover\"}]}", params, two_points);
    if (bench_plot(folder, &options, &report, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(report.figures.count, 1);
    text = read_file(in_folder("plots/m.dat"), NULL);
    const char *at = strchr(text, '\n');
    assert_non_null(at);
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 4; c++) {
            char *end = NULL;
            rows[r][c] = strtod(at, &end);
            assert_ptr_not_equal(at, end);
            at = end;
        }
    free(text);
    bench_report_free(&report);
}

static void check(double rows[2][4], double v1, double v2, double d, double r)
{
    const double w[2][2] = {{2, 0}, {1.5, 1}}, t[2] = {1, 4};
    for (int i = 0; i < 2; i++) {
        double norm = hypot(w[i][0], w[i][1]);
        assert_true(rows[i][0] == t[i]);
        assert_true(fabs(rows[i][1] - (1 - (v1 * w[i][0] + v2 * w[i][1]) / norm)) < 1e-14); /* sums of two products */
        assert_true(fabs(rows[i][2] - r / (d * sqrt(t[i]))) < 1e-14);
        assert_true(fabs(rows[i][3] - norm / d) < 1e-14);
    }
}

static void the_largest_margin_is_at_a_tie_or_at_a_mean(void **state)
{
    (void)state;
    double rows[2][4];
    draw("{\"nu\":0.01,\"added\":0}", rows); /* K = 1: the first and third have equal margins */
    check(rows, 2 / sqrt(5), 1 / sqrt(5), 2 / sqrt(5), 5);
    draw("{\"nu\":0.7,\"added\":0}", rows); /* K = 2: the mean (1/2, 1) of the first and third */
    check(rows, 1 / sqrt(5), 2 / sqrt(5), sqrt(5) / 2, 3.5);
    draw("{\"nu\":1,\"added\":0}", rows); /* K = 3: the mean of all, (4, 6) / 3 */
    check(rows, 2 / sqrt(13), 3 / sqrt(13), sqrt(52) / 3, 8.0 / 3);
}

static void traces_with_an_added_coordinate_are_not_drawn(void **state)
{
    (void)state;
    struct plot_report report = {0};
    struct plot_options options = {.no_render = 1};
    struct error error = {0};
    write_run("{\"plots\":[{\"kind\":\"margin\"}]}", "{\"nu\":1,\"added\":1}", two_points);
    assert_int_equal(bench_plot(folder, &options, &report, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(report.notes, "margin not drawn: three has no trace of MinOver in the plane"));
    bench_report_free(&report);
}

/* K = 3 learns all patterns in each step, so W has the direction of their sum, (4, 6), from the first step on. The
 * block needs a row, since gnuplot would otherwise draw the next series in its place. */
static void a_trace_that_is_at_its_limit_from_the_start_has_a_block(void **state)
{
    (void)state;
    struct plot_report report = {0};
    struct plot_options options = {.no_render = 1};
    struct error error = {0};
    char *text = NULL;
    write_run("{\"plots\":[{\"kind\":\"margin\",\"name\":\"m\",\"dataset\":\"three\"}]}",
              "{\"nu\":1,\"added\":0}", "0\t0\t1\t1\t4\t6\n1\t9\t1\t1\t8\t12\n");
    if (bench_plot(folder, &options, &report, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    text = read_file(in_folder("plots/m.dat"), NULL);
    assert_string_equal(strchr(text, '\n'), "\nNaN NaN NaN NaN\n");
    free(text);
    if (bench_has_gnuplot())
        bench_check_figure(folder, "m");
    bench_report_free(&report);
}

static void gnuplot_draws_it_in_silence(void **state)
{
    (void)state;
    double rows[2][4];
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    draw("{\"nu\":1,\"added\":0}", rows);
    bench_check_figure(folder, "m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_margin_is_at_a_tie_or_at_a_mean),
        cmocka_unit_test(traces_with_an_added_coordinate_are_not_drawn),
        cmocka_unit_test(a_trace_that_is_at_its_limit_from_the_start_has_a_block),
        cmocka_unit_test(gnuplot_draws_it_in_silence),
    };
    return cmocka_run_group_tests_name("margin", tests, scratch_folder_make, scratch_folder_remove);
}
