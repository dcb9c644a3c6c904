/* The path of W in the plane: the contents of its trace, and the figure drawn from it. */
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
#include "harness/evaluate/solve.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"
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

/* A square in the plane with corners (1, 1) to (3, 3), one of them from the negative class, and its centre. */
static const double square[] = {3, 1, 1, 1, 2, 2, -1, -3, 3, 3};
static const signed char classes[] = {1, 1, 1, -1, 1};

/* Solves the square with a trace of the plane; the trace borrows its patterns from g. */
static void trace_square(struct geometry *g, struct trace *trace, double *alpha)
{
    struct solution solution;
    geometry_open(g, 5, 2, square, classes, &(struct kernel){.type = KERNEL_LINEAR});
    parameter_set(&g->problem.parameters, &parameter_c, 1e6);
    *trace = (struct trace){.plane = &g->points, .y = g->y};
    struct solve_request request = {.solver = solver_find("unary-mdm"), .problem = &g->problem, .oracle = g->oracle,
                                    .stop = {STOP_DELTA_NORM2, 1e-6}, .budget = {.iterations = 1000}, .trace = trace};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
}

static void a_trace_of_a_plane_follows_w(void **state)
{
    (void)state;
    struct geometry g;
    struct trace trace;
    double alpha[5], w[2] = {0, 0};
    trace_square(&g, &trace, alpha);
    assert_true(trace.points[0].w[0] == 3 && trace.points[0].w[1] == 1); /* the first pattern */
    for (size_t i = 0; i < 5; i++)
        for (int d = 0; d < 2; d++)
            w[d] += classes[i] * alpha[i] * square[2 * i + (size_t)d];
    const struct trace_point *last = &trace.points[trace.count - 1];
    assert_true(last->w[0] == w[0] && last->w[1] == w[1]);
    for (size_t i = 0; i < trace.count; i++) /* |W|² also includes the coordinate of the bias and the ridge */
        assert_true(trace.points[i].w[0] * trace.points[i].w[0] + trace.points[i].w[1] * trace.points[i].w[1] <=
                    2 * trace.points[i].objective);
    trace_free(&trace);
    geometry_close(&g);
}

static void write_run(const char *config)
{
    struct geometry g;
    struct trace trace;
    double alpha[5];
    static const char record[] =
        "{\"schema\":1,\"config\":\"c\",\"dataset\":\"square\",\"split\":1,\"split_source\":\"resampled\",\"solver\":"
        "\"unary-mdm\",\"params\":{\"C\":1},\"kernel\":{\"type\":\"linear\"},\"stop\":{\"rule\":\"delta-w2\","
        "\"tolerance\":1e-06},\"outcome\":\"converged\",\"iterations\":1,\"kernel_operations\":{\"setup\":1,"
        "\"iterations\":1,\"predict\":1},\"kernel_evaluations\":1,\"support_vectors\":1,\"error_percent\":null,"
        "\"objective\":1,\"duality_gap\":0,"
        "\"kkt_violation\":0,\"bias\":0,\"feasibility\":0,\"mu_effective\":null,\"mu_floor\":1,\"rch_mu\":null}\n";
    trace_square(&g, &trace, alpha);
    folder_make(in_folder("traces"));
    file_write(in_folder("records.jsonl"), record, strlen(record));
    file_write(in_folder("config.json"), config, strlen(config));
    FILE *stream = fopen(in_folder("traces/square-1-unary-mdm.tsv"), "w");
    assert_non_null(stream);
    trace_print(&trace, "# dataset square\n# split 1\n# solver unary-mdm\n# params {\"C\":1}\n", stream);
    assert_int_equal(fclose(stream), 0);
    trace_free(&trace);
    geometry_close(&g);
}

static void the_figure_holds_the_outline_and_the_way(void **state)
{
    (void)state;
    struct plot_report report = {0};
    struct error error = {0};
    char *text = NULL;
    write_run("{\"plots\":[{\"kind\":\"path\",\"name\":\"way\",\"dataset\":\"square\"}]}");
    struct plot_options options = {.no_render = 1};
    if (bench_plot(folder, &options, &report, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(report.figures.count, 1);
    text = read_file(in_folder("plots/way.dat"), NULL);
    /* the corners in order, with the first repeated; the centre is not one; (1, 3) is the negative pattern's -x */
    assert_non_null(strstr(text, "# unary-mdm, outline\n1 1\n3 1\n3 3\n1 3\n1 1\n\n\n"
                                 "# unary-mdm: w1 w2 iteration\n3 1 0\n"));
    free(text);
    bench_report_free(&report);
}

static void other_traces_are_not_drawn(void **state)
{
    (void)state;
    struct plot_report report = {0};
    struct error error = {0};
    char *text = NULL;
    struct plot_options options = {.no_render = 1};
    write_run("{\"plots\":[{\"kind\":\"path\"},{\"kind\":\"convergence\"}]}");
    text = read_file(in_folder("traces/square-1-unary-mdm.tsv"), NULL);
    char *solver = strstr(text, "unary-mdm");
    assert_non_null(solver);
    memcpy(solver, "clip-mdm ", 9); /* does not solve the minimum norm problem */
    file_write(in_folder("traces/square-1-unary-mdm.tsv"), text, strlen(text));
    free(text);
    enum status status = bench_plot(folder, &options, &report, &error);
    assert_int_equal(status, STATUS_NOT_FOUND);
    assert_int_equal(report.figures.count, 0);
    assert_non_null(strstr(report.notes, "path not drawn: square has no trace of a minimum norm problem"));
    bench_report_free(&report);
}

static void gnuplot_draws_it_in_silence(void **state)
{
    (void)state;
    struct plot_report report = {0};
    struct error error = {0};
    struct plot_options options = {.no_render = 1};
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    write_run("{\"plots\":[{\"kind\":\"path\",\"name\":\"way\",\"dataset\":\"square\"}]}");
    if (bench_plot(folder, &options, &report, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    bench_check_figure(folder, "way");
    bench_report_free(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_of_a_plane_follows_w),
        cmocka_unit_test(the_figure_holds_the_outline_and_the_way),
        cmocka_unit_test(other_traces_are_not_drawn),
        cmocka_unit_test(gnuplot_draws_it_in_silence),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests_name("path", tests, scratch_folder_make, scratch_folder_remove);
}
