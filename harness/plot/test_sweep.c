/* Figures of sweeps, from records with known means. */
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

#include "harness/base/pool.h"
#include "harness/plot/kinds.h"
#include "tests/all_tests.h"
#include "tests/plot_bench.h"

static void a_heat_map_has_rising_levels_and_the_means_of_its_cells(void **state)
{
    struct bench *bench = *state;
    bench_add_sweep(bench, 3);
    bench_assert_drawn(bench, 1);
    assert_true(bench_has_figure(bench, "heatmap-error-heart") && bench_has_figure(bench, "heatmap-iterations-heart"));
    assert_false(bench_has_figure(bench, "iterations")); /* twelve variants are not a comparison */
    assert_false(bench_has_figure(bench, "lines-error-heart"));
    char *text = bench_read(bench, "plots/heatmap-error-heart.dat");
    /* mu falls with i: the smallest, i = 3, comes first; width 100 is the third row. Mean: 30 + 2 + (1 + 2 + 3) / 3. */
    assert_non_null(strstr(text, "\n1 3 \"0.0625\" \"100\" 3 34 34 \"34.0*\" 0 0 NaN NaN NaN \"\" 0\n"));
    assert_non_null(strstr(text, "\n4 1 \"0.5\" \"1\" 3 2 2 \"2.0\" 1 0 ")); /* the lowest of all */
    /* next to it: three common splits, but no run.json with their overlap */
    assert_non_null(strstr(text, "\n3 1 \"0.25\" \"1\" 3 12 12 \"12.0\" 0 3 NaN NaN NaN \"\" 1\n"));
    free(text);
    text = bench_read(bench, "plots/heatmap-iterations-heart.dat");
    assert_non_null(strstr(text, "\n2 1 \"0.125\" \"1\" 3 1000 3 \"3.00\" 0 ")); /* log10 of (999+1000+1001)/3 */
    free(text);
}

/* Two by two cells over n splits: the lowest is 10 + split, its neighbours are that plus 5 +- 1, 1 +- 4 and 1. */
static void add_neighbours(struct bench *bench, int n)
{
    bench_write(bench, "run.json", "{\"data\":[{\"dataset\":\"heart\",\"train\":170,\"test\":100}]}");
    for (int split = 1; split <= n; split++)
        for (int cell = 0; cell < 4; cell++) {
            const double above[] = {0, 5 + (split % 2 ? 1 : -1), 1 + (split % 2 ? 4 : -4), 1};
            bench_add(bench, (struct made){.dataset = "heart",
                                           .solver = "clip-mdm",
                                           .split = split,
                                           .mu = cell % 2 ? 1 : 0.5,
                                           .width = cell / 2 ? 10 : 1,
                                           .error_percent = 10 + split + above[cell],
                                           .iterations = 5,
                                           .kernel_operations = 5});
        }
    bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"heatmap\",\"metric\":\"error\"}]}");
    bench_assert_drawn(bench, 1);
}

/* Checks the row of a cell after its first 9 columns. */
static void check_neighbour(const char *text, const char *start, size_t n, double difference, double reach,
                            const char *label, int mark)
{
    const char *row = strstr(text, start);
    size_t pairs;
    double found[3];
    char said[40];
    int marked;
    assert_non_null(row);
    assert_int_equal(sscanf(row + strlen(start), "%*u %*f %*f \"%*[^\"]\" %*d %zu %lf %lf %lf %39s %d", &pairs,
                            &found[0], &found[1], &found[2], said, &marked),
                     6);
    assert_int_equal(pairs, n);
    assert_true(found[0] == difference);
    assert_true(fabs(found[1] - (difference - reach)) < 1e-10); /* written with 12 digits */
    assert_true(fabs(found[2] - (difference + reach)) < 1e-10);
    assert_string_equal(said, label);
    assert_int_equal(marked, mark);
}

static void neighbours_of_the_framed_cell_are_told_apart_by_paired_intervals_that_allow_for_overlap(void **state)
{
    struct bench *bench = *state;
    /* deviations of +-1 on 8 splits: variance 8/7, of their mean 8/7 (1/8 + 170/100) */
    const double reach = gsl_cdf_tdist_Qinv(0.025, 7) * sqrt(8.0 / 7 * (1.0 / 8 + 170.0 / 100));
    add_neighbours(bench, 8);
    char *text = bench_read(bench, "plots/heatmap-heart.dat");
    check_neighbour(text, "\n2 1 \"1\" \"1\" ", 8, 5, reach, "\"+5.0±3.4\"", 2);
    check_neighbour(text, "\n1 2 \"0.5\" \"10\" ", 8, 1, 4 * reach, "\"+1.0±14\"", 1);
    check_neighbour(text, "\n2 2 \"1\" \"10\" ", 8, 1, 0, "\"+1.0±0.0\"", 2);
    free(text);
}

static void on_few_splits_no_neighbour_is_told_from_the_framed_cell(void **state)
{
    struct bench *bench = *state;
    add_neighbours(bench, 4);
    char *text = bench_read(bench, "plots/heatmap-heart.dat");
    check_neighbour(text, "\n2 2 \"1\" \"10\" ", 4, 1, 0, "\"+1.0±?\"", 1);
    free(text);
    text = bench_read(bench, "plots/heatmap-heart.txt");
    assert_non_null(strstr(text, "4 splits are too few"));
    free(text);
}

/* The lowest mean, 1, is of a cell with one split, and the next, 5, of one whose second run failed. */
static void a_cell_that_lacks_splits_is_not_framed(void **state)
{
    struct bench *bench = *state;
    for (int split = 1; split <= 2; split++)
        for (int cell = split - 1 ? 1 : 0; cell < 4; cell++)
            bench_add(bench, (struct made){.dataset = "heart",
                                           .solver = "clip-mdm",
                                           .outcome = split == 2 && cell == 1 ? "failed" : "converged",
                                           .split = split,
                                           .mu = cell % 2 ? 1 : 0.5,
                                           .width = cell / 2 ? 10 : 1,
                                           .error_percent = (const double[]){1, 5, 7, 9}[cell],
                                           .iterations = 5,
                                           .kernel_operations = 5});
    bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"heatmap\",\"metric\":\"error\"}]}");
    bench_assert_drawn(bench, 1);
    char *text = bench_read(bench, "plots/heatmap-heart.dat");
    assert_non_null(strstr(text, "\n1 1 \"0.5\" \"1\" 1 1 1 \"1.0\" 0 "));
    assert_non_null(strstr(text, "\n2 1 \"1\" \"1\" 1 5 5 \"5.0\" 0 "));
    assert_non_null(strstr(text, "\n1 2 \"0.5\" \"10\" 2 7 7 \"7.0\" 1 "));
    free(text);
    text = bench_read(bench, "plots/heatmap-heart.txt");
    assert_non_null(strstr(text, "2 cells lack splits"));
    free(text);
}

static void one_swept_setting_is_drawn_as_lines(void **state)
{
    struct bench *bench = *state;
    double level = 0, mean = 0;
    size_t n = 0;
    bench_add_sweep(bench, 1);
    bench_assert_drawn(bench, 1);
    assert_true(bench_has_figure(bench, "lines-error-heart"));
    assert_false(bench_has_figure(bench, "heatmap-error-heart"));
    char *text = bench_read(bench, "plots/lines-error-heart.dat");
    assert_int_equal(sscanf(bench_row(text, "test error (%), mu: clip-mdm", "0.25 "), "%lf %zu %lf", &level, &n, &mean),
                     3);
    assert_true(n == 3 && mean == 12);
    free(text);
}

/* The kernel's formula tells what a kernel width is, so it stands where an axis is one. */
static void captions_have_the_kernels_formula_only_where_its_width_is_on_an_axis(void **state)
{
    for (int n_widths = 1; n_widths <= 3; n_widths += 2) {
        struct bench *bench = *state;
        bench_add_sweep(bench, n_widths);
        bench_assert_drawn(bench, 1);
        char *text = bench_read(bench, n_widths > 1 ? "plots/heatmap-error-heart.txt" : "plots/lines-error-heart.txt");
        assert_int_equal(strstr(text, "exp(−‖x") != NULL, n_widths > 1);
        free(text);
        assert_int_equal(bench_tear_down(state) | bench_set_up(state), 0);
    }
}

static void a_kind_that_no_figure_has_is_refused_with_those_that_there_are(void **state)
{
    struct bench *bench = *state;
    bench_add_sweep(bench, 3);
    bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"heatmap\"},{\"kind\":\"sensitivity\"}]}");
    assert_int_equal(bench_draw(bench, NULL, 1), STATUS_BAD_INPUT);
    assert_non_null(strstr(bench->error.message, "config.json: plots[1]: unknown kind of figure \"sensitivity\""));
    assert_non_null(strstr(bench->error.message, "heatmap"));
}

/* The text of an SVG between `before`, which exists, and the next "<". */
static char *text_after(const char *svg, const char *before)
{
    const char *at = strstr(svg, before);
    assert_non_null(at);
    return strndup(at + strlen(before), strcspn(at + strlen(before), "<"));
}

/* One split, two by two cells: 16, 17, 18 and one above 16 + 3 (17.5 - 16) = 20.5, or just below. */
static void colours_end_at_three_times_the_medians_distance_from_the_best(void **state)
{
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    for (int is_cut = 0; is_cut < 2; is_cut++) {
        struct bench *bench = *state;
        for (int cell = 0; cell < 4; cell++)
            bench_add(bench, (struct made){.dataset = "heart",
                                           .solver = "clip-mdm",
                                           .split = 1,
                                           .mu = cell % 2 ? 1 : 0.5,
                                           .width = cell / 2 ? 10 : 1,
                                           .error_percent = (const double[]){16, 17, 18, is_cut ? 20.6 : 20.4}[cell]});
        bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"heatmap\",\"metric\":\"error\"}]}");
        bench_assert_drawn(bench, 0);
        char *svg = bench_read(bench, "plots/heatmap-heart.svg"), *label = text_after(svg, ">test error (%)");
        assert_string_equal(label, is_cut ? ", up to 20.5" : "");
        free(label);
        free(svg);
        assert_int_equal(bench_tear_down(state) | bench_set_up(state), 0);
    }
}

static void a_level_is_written_with_three_digits(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {{1200, "1200"}, {0.0316227766, "0.0316"}, {99950, "1e5"}, {123456, "1.23e5"}, {-3, "-3"},
                 {1e-5, "1e-5"}};
    struct pool *pool = pool_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct setting level = {"C", "as printed", cases[i].number, GROUP_PARAMS, 0};
        assert_string_equal(plot_level_text(pool, &level), cases[i].text);
    }
    struct setting word = {"shrinking", "yes", (double)NAN, GROUP_PARAMS, 1};
    assert_string_equal(plot_level_text(pool, &word), "yes");
    pool_free(pool);
}

static void gnuplot_draws_sweeps_in_silence(void **state)
{
    struct bench *bench = *state;
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    bench_add_sweep(bench, 3);
    bench_write(bench, "config.json",
                "{\"plots\":[{\"kind\":\"heatmap\"},{\"kind\":\"lines\",\"x\":\"mu\"},"
                "{\"kind\":\"lines\",\"name\":\"widths\",\"where\":{\"mu\":0.5}}]}");
    bench_assert_drawn(bench, 0);
    assert_int_equal(bench->report.n_figures, 9);
    bench_check_pictures(bench);
}

/* Counts of 0 have no logarithm, so three of the four cells stay white. gnuplot 5.4 crashes when a plot with labels has
 * a single point and that point is undefined. */
static void gnuplot_draws_a_heat_map_of_one_cell(void **state)
{
    struct bench *bench = *state;
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    for (int split = 1; split <= 3; split++)
        for (int cell = 0; cell < 4; cell++)
            bench_add(bench, (struct made){.dataset = "heart",
                                           .solver = "clip-mdm",
                                           .split = split,
                                           .mu = cell % 2 ? 1 : 0.5,
                                           .width = cell / 2 ? 10 : 1,
                                           .iterations = cell == 3 ? 10 : 0});
    bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"heatmap\",\"metric\":\"iterations\"}]}");
    bench_assert_drawn(bench, 0);
    char *text = bench_read(bench, "plots/heatmap-heart.dat");
    assert_non_null(strstr(text, "# clip-mdm\n2 2 \"1\" \"10\" 3 10 1 \"1.00\" 1 0 NaN NaN NaN \"\" 0\n"));
    free(text);
    bench_check_pictures(bench);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_heat_map_has_rising_levels_and_the_means_of_its_cells),
        TEST(neighbours_of_the_framed_cell_are_told_apart_by_paired_intervals_that_allow_for_overlap),
        TEST(on_few_splits_no_neighbour_is_told_from_the_framed_cell),
        TEST(one_swept_setting_is_drawn_as_lines),
        TEST(a_cell_that_lacks_splits_is_not_framed),
        TEST(captions_have_the_kernels_formula_only_where_its_width_is_on_an_axis),
        TEST(a_kind_that_no_figure_has_is_refused_with_those_that_there_are),
        TEST(colours_end_at_three_times_the_medians_distance_from_the_best),
        cmocka_unit_test(a_level_is_written_with_three_digits),
        TEST(gnuplot_draws_sweeps_in_silence),
        TEST(gnuplot_draws_a_heat_map_of_one_cell),
    };
    gsl_set_error_handler_off();
    unsetenv("HULLBENCH_SHARE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
