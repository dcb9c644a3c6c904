/* Convergence figures from artificial traces: every row over splits is recomputed here, one split at a time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "tests/all_tests.h"
#include "tests/plot_bench.h"

enum { POINTS = 4 };
struct made_trace {
    const char *solver;
    int split, n;
    double points[POINTS][4]; /* iteration, kernel operations, objective, gap */
};

/* Falling objectives; on split 1 the other solver reaches a lower one, so its end is the best there. */
static const struct made_trace traces[] = {
    {"clip-mdm", 1, 4, {{0, 0, 8, 16}, {1, 10, 4, 8}, {4, 40, 2, 2}, {10, 100, 1, 0.5}}},
    {"clip-mdm", 2, 3, {{0, 0, 8, 16}, {2, 20, 4, 4}, {5, 50, 1.5, 0.0625}}},
    {"clip-mdm", 3, 3, {{0, 0, 8, 16}, {1, 12, 6, 6}, {20, 200, 1, 0.25}}},
    {"mu-gsk", 1, 3, {{0, 0, 8, 16}, {3, 300, 4, 3}, {30, 3000, 0.75, 0.125}}},
    {"mu-gsk", 2, 1, {{0, 0, 8, 16}}},
    {"mu-gsk", 3, 2, {{0, 0, 8, 16}, {2, 2, 3, 3}}},
};
enum { TRACES = sizeof traces / sizeof *traces };

static void add_traces(struct bench *bench, const char *extra)
{
    for (size_t i = 0; i < TRACES; i++) {
        const struct made_trace *trace = &traces[i];
        char name[64], text[1000];
        int used = snprintf(text, sizeof text,
                            "# dataset heart\n# split %d\n# solver %s\n# params {\"mu\":0.1}\n%s"
                            "iteration\tkernel_operations\tobjective\tgap\n",
                            trace->split, trace->solver, extra);
        for (int k = 0; k < trace->n; k++) {
            const double *point = trace->points[k];
            used += snprintf(text + used, sizeof text - (size_t)used, "%g\t%g\t%g\t%g\n", point[0], point[1], point[2],
                             point[3]);
        }
        snprintf(name, sizeof name, "traces/heart-%d-%s.tsv", trace->split, trace->solver);
        bench_write(bench, name, text);
        bench_add(bench, (struct made){.dataset = "heart",
                                       .solver = trace->solver,
                                       .split = trace->split,
                                       .mu = 0.1,
                                       .width = 1,
                                       .iterations = 5,
                                       .kernel_operations = 50,
                                       .error_percent = 1,
                                       .outcome = trace->n == 1 ? "stalled" : "converged"});
    }
}

static int up(void **state)
{
    char path[256];
    if (bench_set_up(state) != 0)
        return 1;
    bench_path(*state, "traces", path);
    folder_make(path);
    return 0;
}

static int rising(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Quartile q (1, 2, 3) of three values, type 7: at order statistic (n - 1) q / 4 = q / 2, counted from 0. */
static double quartile(const double given[3], int q)
{
    double sorted[3] = {given[0], given[1], given[2]};
    qsort(sorted, 3, sizeof *sorted, rising);
    return q == 2 ? sorted[1] : q == 1 ? (sorted[0] + sorted[1]) / 2 : (sorted[1] + sorted[2]) / 2;
}

static double value_at(const struct made_trace *trace, int axis, double at, int column)
{
    double value = 0;
    for (int k = 0; k < trace->n; k++)
        if (trace->points[k][axis] <= at)
            value = trace->points[k][column];
    return value;
}

/* The lowest final value on each split, and the gap there. */
static const double best[3] = {0.75, 1.5, 1}, floors[3] = {0.125, 0.0625, 0.25};

static void check_number(double found, double expected, double floor)
{
    if (!(expected > floor))
        assert_true(isnan(found));
    else
        assert_true(fabs(found - expected) <= 1e-14 * expected); /* a mean of two values, and its decimals */
}

/* Checks the block that starts at `at`; returns the number of its rows. */
static int check_block(const char *at, size_t first_trace, int axis)
{
    const double floor = fmax(floors[0], fmax(floors[1], floors[2]));
    int rows = 0;
    for (at = strchr(at, '\n') + 1; *at && *at != '\n'; at = strchr(at, '\n') + 1, rows++) {
        double row[7], gaps[3], excesses[3];
        assert_int_equal(
            sscanf(at, "%lf %lf %lf %lf %lf %lf %lf", &row[0], &row[1], &row[2], &row[3], &row[4], &row[5], &row[6]),
            7);
        for (size_t k = 0; k < 3; k++) {
            gaps[k] = value_at(&traces[first_trace + k], axis, row[0], 3);
            excesses[k] = value_at(&traces[first_trace + k], axis, row[0], 2) - best[k];
        }
        for (int q = 1; q <= 3; q++) {
            check_number(row[q], quartile(gaps, q), 0);
            check_number(row[3 + q], quartile(excesses, q), floor);
        }
    }
    return rows;
}

static const char *block(const char *text, const char *lead)
{
    const char *at = strstr(text, lead);
    if (!at)
        fail_msg("no block \"%s\"", lead);
    return at;
}

static void rows_over_splits_are_quartiles_of_what_each_run_had_reached(void **state)
{
    struct bench *bench = *state;
    add_traces(bench, "");
    bench_assert_drawn(bench, 1);
    assert_true(bench_has_figure(bench, "convergence-heart"));
    char *text = bench_read(bench, "plots/convergence-heart.dat");
    assert_true(check_block(block(text, "# clip-mdm: iterations\n"), 0, 0) == 60);
    assert_true(check_block(block(text, "# clip-mdm: kernel operations\n"), 0, 1) == 60);
    assert_true(check_block(block(text, "# μ-gsk: iterations\n"), 3, 0) == 60);
    assert_true(check_block(block(text, "# μ-gsk: kernel operations\n"), 3, 1) == 60);
    /* from the first positive position of any split to the last */
    bench_row(text, "clip-mdm: iterations", "1 7 8 12 4.125 5 5.75 0\n");
    bench_row(text, "clip-mdm: iterations", "20 0.15625 0.25 0.375 NaN NaN NaN 0\n");
    bench_row(text, "μ-gsk: kernel operations", "2 9.5 16 16 ");
    bench_row(text, "μ-gsk: kernel operations", "3000 ");
    free(text);
    text = bench_read(bench, "plots/convergence-heart.txt");
    assert_non_null(strstr(text, "Convergence: heart, 3 splits.\n"));
    assert_non_null(strstr(text, "Stalled: μ-gsk on heart (1 of 3)"));
    assert_non_null(strstr(text, "μ-gsk (split 2)")); /* it never made a step */
    free(text);
}

static void one_split_keeps_its_own_points_and_the_distance_to_the_best(void **state)
{
    struct bench *bench = *state;
    add_traces(bench, "");
    bench_write(bench, "config.json",
                "{\"plots\":[{\"kind\":\"convergence\",\"name\":\"one\",\"dataset\":\"heart\",\"split\":1}]}");
    bench_assert_drawn(bench, 1);
    assert_true(bench_has_figure(bench, "one"));
    char *text = bench_read(bench, "plots/one.dat");
    assert_non_null(strstr(text, "# clip-mdm\n1 10 8 3.25 0\n4 40 2 1.25 0\n10 100 0.5 0.25 0\n\n\n# μ-gsk\n"
                                 "3 300 3 3.25 0\n30 3000 0.125 NaN 0\n"));
    free(text);
}

/* Writes a trace of clip-mdm and its record. */
static void add_trace_of_split(struct bench *bench, int split, const char *points)
{
    char name[64], text[400];
    snprintf(text, sizeof text,
             "# dataset heart\n# split %d\n# solver clip-mdm\n# params {\"mu\":0.1}\n"
             "iteration\tkernel_operations\tobjective\tgap\n%s",
             split, points);
    snprintf(name, sizeof name, "traces/heart-%d-clip-mdm.tsv", split);
    bench_write(bench, name, text);
    bench_add(bench, (struct made){.dataset = "heart", .solver = "clip-mdm", .split = split, .mu = 0.1, .width = 1,
                                   .iterations = 1, .kernel_operations = 40, .error_percent = 1});
}

/* The runs have made 5 and 20 kernel operations before their first iteration. */
static void rows_over_splits_begin_once_each_run_has_a_point(void **state)
{
    struct bench *bench = *state;
    add_trace_of_split(bench, 1, "0\t5\t8\t16\n1\t40\t4\t8\n");
    add_trace_of_split(bench, 2, "0\t20\t8\t32\n1\t30\t4\t4\n");
    bench_assert_drawn(bench, 1);
    char *text = bench_read(bench, "plots/convergence-heart.dat");
    const char *at = strchr(block(text, "# clip-mdm: kernel operations\n"), '\n') + 1;
    int rows = 0;
    for (; *at && *at != '\n'; at = strchr(at, '\n') + 1, rows++) {
        double place, gap[3];
        assert_int_equal(sscanf(at, "%lf %lf %lf %lf", &place, &gap[0], &gap[1], &gap[2]), 4);
        assert_true(place >= 20);
        /* of 16 and 32, of 16 and 4, and of 8 and 4 */
        assert_true(gap[1] == (place < 30 ? 24 : place < 40 ? 10 : 6));
    }
    assert_true(rows > 2);
    free(text);
}

/* The same solver and parameters under two kernels are two lines and two problems, labelled by what differs. */
static void traces_under_several_kernels_are_kept_apart(void **state)
{
    struct bench *bench = *state;
    add_traces(bench, "# kernel {\"type\":\"rbf\",\"width\":1}\n# stop {\"rule\":\"rch-gap\",\"tolerance\":1e-05}\n");
    bench_write(bench, "traces/heart-1-clip-mdm-2.tsv",
                "# dataset heart\n# split 1\n# solver clip-mdm\n# params {\"mu\":0.1}\n"
                "# kernel {\"type\":\"rbf\",\"width\":4}\n# stop {\"rule\":\"rch-gap\",\"tolerance\":1e-05}\n"
                /* it begins at iteration 1, which a logarithmic axis can show; the others begin at 0 */
                "iteration\tkernel_operations\tobjective\tgap\n1\t10\t0.5\t0.25\n2\t20\t0.25\t0.125\n");
    bench_write(bench, "config.json",
                "{\"plots\":[{\"kind\":\"convergence\",\"name\":\"one\",\"dataset\":\"heart\",\"split\":1}]}");
    bench_assert_drawn(bench, 1);
    char *text = bench_read(bench, "plots/one.dat");
    bench_row(text, "clip-mdm, kernel width = 4", "1 10 0.25 0.25 0\n");
    bench_row(text, "clip-mdm, kernel width = 1", "10 100 0.5 0.25 0\n"); /* the best is still mu-gsk's 0.75 */
    assert_non_null(strstr(text, "# μ-gsk\n"));
    free(text);
}

static void gnuplot_draws_both_forms_in_silence(void **state)
{
    struct bench *bench = *state;
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    add_traces(bench, "");
    bench_write(bench, "traces/heart-1-minkowski-clip-mdm.tsv", /* has no gap */
                "# dataset heart\n# split 1\n# solver minkowski-clip-mdm\n# params {\"mu\":0.1}\n"
                "iteration\tkernel_operations\tobjective\tgap\n0\t0\t3\tnan\n1\t10\t2\tnan\n2\t20\t1\tnan\n");
    bench_add(bench, (struct made){.dataset = "heart",
                                   .solver = "minkowski-clip-mdm",
                                   .split = 1,
                                   .mu = 0.1,
                                   .width = 1,
                                   .iterations = 2,
                                   .kernel_operations = 20,
                                   .error_percent = 1});
    bench_write(bench, "config.json",
                "{\"plots\":[{\"kind\":\"convergence\"},{\"kind\":\"convergence\",\"name\":\"one\",\"split\":1}]}");
    bench_assert_drawn(bench, 0);
    assert_int_equal(bench->report.figures.count, 2);
    bench_check_pictures(bench);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_over_splits_are_quartiles_of_what_each_run_had_reached),
        TEST(one_split_keeps_its_own_points_and_the_distance_to_the_best),
        TEST(rows_over_splits_begin_once_each_run_has_a_point),
        TEST(traces_under_several_kernels_are_kept_apart),
        TEST(gnuplot_draws_both_forms_in_silence),
    };
    gsl_set_error_handler_off();
    unsetenv("HULLBENCH_SHARE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
