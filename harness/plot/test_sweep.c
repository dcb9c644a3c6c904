/* Figures of sweeps, from records with known means. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
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
    assert_non_null(strstr(text, "\n3 1 \"0.25\" \"1\" 3 12 12 \"12.0\" 0 0 NaN NaN NaN \"\" 0\n"));
    free(text);
    text = bench_read(bench, "plots/heatmap-iterations-heart.dat");
    assert_non_null(strstr(text, "\n2 1 \"0.125\" \"1\" 3 1000 3 \"1.0k\" 0 ")); /* log10 of (999+1000+1001)/3 */
    free(text);
}

/* Two by two cells over n splits: the lowest is 10 + split, the others are that plus 5 +- 1, 1 +- 4 and 1. */
static void add_four(struct bench *bench, int n, const char *metric)
{
    for (int split = 1; split <= n; split++)
        for (int cell = 0; cell < 4; cell++) {
            const double above[] = {0, 5 + (split % 2 ? 1 : -1), 1 + (split % 2 ? 4 : -4), 1};
            bench_add(bench, (struct made){.dataset = "heart",
                                           .solver = "clip-mdm",
                                           .split = split,
                                           .mu = cell % 2 ? 1 : 0.5,
                                           .width = cell / 2 ? 10 : 1,
                                           .error_percent = 10 + split + above[cell],
                                           .iterations = 10 + split + above[cell],
                                           .kernel_operations = 5});
        }
    struct pool *pool = pool_new();
    bench_write(bench, "config.json",
                pool_printf(pool, "{\"plots\":[{\"kind\":\"heatmap\",\"metric\":\"%s\",\"references\":"
                                  "[{\"dataset\":\"heart\",\"where\":{\"mu\":0.5,\"width\":10}}]}]}", metric));
    pool_free(pool);
    bench_assert_drawn(bench, 1);
}

/* Checks the row of a cell after its label. */
static void check_cell(const char *text, const char *start, double difference, double reach, const char *written,
                       int mark)
{
    const char *row = strstr(text, start);
    double found[3];
    char said[40];
    int marked;
    assert_non_null(row);
    assert_int_equal(sscanf(row + strlen(start), "%*u %*f %*f \"%*[^\"]\" %*d %*d %lf %lf %lf %39s %d", &found[0],
                            &found[1], &found[2], said, &marked), 5);
    assert_true(found[0] == difference);
    assert_true(fabs(found[1] - (difference - reach)) < 1e-10); /* written with 12 digits */
    assert_true(fabs(found[2] - (difference + reach)) < 1e-10);
    assert_string_equal(said, written);
    assert_int_equal(marked, mark);
}

/* Each end holds for the three comparisons with the lowest at once. Deviations of +-1 on 8 splits have the variance
 * 8/7, their mean 1/7. */
static void cells_are_told_from_the_framed_one_by_paired_intervals_for_all_of_them_at_once(void **state)
{
    struct bench *bench = *state;
    const double reach = gsl_cdf_tdist_Qinv(0.05 / 3, 7) / sqrt(7);
    char expected[40];
    add_four(bench, 8, "error");
    char *text = bench_read(bench, "plots/heatmap-heart.dat");
    snprintf(expected, sizeof expected, "\"≤+%.1f\"", 4 * reach - 1); /* the third cell may be so much lower */
    check_cell(text, "\n1 1 \"0.5\" \"1\" ", 0, 0, expected, 1);
    check_cell(text, "\n2 1 \"1\" \"1\" ", 5, reach, "\"\"", 2);
    snprintf(expected, sizeof expected, "\"%+.1f…%+.1f\"", 1 - 4 * reach, 1 + 4 * reach);
    check_cell(text, "\n1 2 \"0.5\" \"10\" ", 1, 4 * reach, expected, 1); /* the reference */
    check_cell(text, "\n2 2 \"1\" \"10\" ", 1, 0, "\"\"", 2);
    assert_non_null(strstr(text, "\"15.5\" 0 1 "));
    free(text);
}

static void counts_are_compared_by_their_means_and_written_as_factors(void **state)
{
    struct bench *bench = *state;
    const double reach = gsl_cdf_tdist_Qinv(0.05 / 3, 7) / sqrt(7), lowest = 14.5;
    char expected[40];
    add_four(bench, 8, "iterations");
    char *text = bench_read(bench, "plots/heatmap-heart.dat");
    snprintf(expected, sizeof expected, "\"≤+%.0f%%\"", 100 * (4 * reach - 1) / lowest);
    check_cell(text, "\n1 1 \"0.5\" \"1\" ", 0, 0, expected, 1);
    snprintf(expected, sizeof expected, "\"×%.2f…%.2f\"", 1 + (1 - 4 * reach) / lowest, 1 + (1 + 4 * reach) / lowest);
    check_cell(text, "\n1 2 \"0.5\" \"10\" ", 1, 4 * reach, expected, 1);
    free(text);
}

static void on_few_splits_nothing_is_said_of_the_framed_cell(void **state)
{
    struct bench *bench = *state;
    add_four(bench, 2, "error");
    char *text = bench_read(bench, "plots/heatmap-heart.dat");
    assert_non_null(strstr(text, "\n1 1 \"0.5\" \"1\" 2 11.5 11.5 \"11.5\" 1 0 NaN NaN NaN \"\" 0\n"));
    assert_non_null(strstr(text, "\n1 2 \"0.5\" \"10\" 2 12.5 12.5 \"12.5\" 0 1 NaN NaN NaN \"\" 0\n"));
    free(text);
    text = bench_read(bench, "plots/heatmap-heart.txt");
    assert_non_null(strstr(text, "2 splits: no interval."));
    assert_null(strstr(text, "Dashed"));
    free(text);
}

/* Twelve cells of expectations 20 to 21, of which the first is the lowest, over eight splits with a common part. */
static void in_95_percent_of_studies_the_lowest_is_marked_and_the_bound_holds(void **state)
{
    enum { STUDIES = 150, CELLS = 12, N = 8 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int missed = 0, exceeded = 0;
    for (int study = 0; study < STUDIES; study++) {
        struct bench *bench = *state;
        for (int split = 1; split <= N; split++) {
            const double common = gsl_ran_gaussian(rng, 3);
            for (int cell = 0; cell < CELLS; cell++)
                bench_add(bench, (struct made){.dataset = "heart",
                                               .solver = "clip-mdm",
                                               .split = split,
                                               .mu = 0.1 * (1 + cell % 4),
                                               .width = 1 + cell / 4,
                                               .error_percent = 20 + cell % 3 / 2.0 + (cell > 0) / 100.0 + common +
                                                                gsl_ran_gaussian(rng, 1)});
        }
        bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"heatmap\",\"metric\":\"error\"}]}");
        bench_assert_drawn(bench, 1);
        char *text = bench_read(bench, "plots/heatmap-heart.dat");
        int is_framed, mark, x, y, framed_x = 0, framed_y = 0, is_marked = 0;
        double low, bound = 0, worst = 0;
        for (const char *row = strstr(text, "\n1 1 "); row; row = strchr(row + 1, '\n')) {
            if (sscanf(row, "%d %d %*s %*s %*d %*f %*f %*s %d %*d %*f %lf %*f %*s %d", &x, &y, &is_framed, &low,
                       &mark) != 5)
                continue;
            is_marked |= x == 1 && y == 1 && mark == 1;
            bound = fmax(bound, -low);
            framed_x = is_framed ? x : framed_x;
            framed_y = is_framed ? y : framed_y;
        }
        free(text);
        assert_true(framed_x > 0);
        const int framed = 4 * (framed_y - 1) + framed_x - 1;
        worst = framed % 3 / 2.0 + (framed > 0) / 100.0;
        missed += !is_marked;
        exceeded += worst > bound;
        assert_int_equal(bench_tear_down(state) | bench_set_up(state), 0);
    }
    gsl_rng_free(rng);
    /* at most 5 %, and three standard errors of that */
    assert_true(missed <= STUDIES * (0.05 + 3 * sqrt(0.05 * 0.95 / STUDIES)));
    assert_true(exceeded <= STUDIES * (0.05 + 3 * sqrt(0.05 * 0.95 / STUDIES)));
}

static void several_metrics_are_panels_of_one_figure(void **state)
{
    struct bench *bench = *state;
    bench_add_sweep(bench, 3);
    bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"heatmap\",\"name\":\"grid\","
                                      "\"metrics\":[\"error\",\"support-vectors\"]}]}");
    bench_assert_drawn(bench, 1);
    assert_int_equal(bench->report.figures.count, 1);
    char *text = bench_read(bench, "plots/grid-heart.dat");
    const char *second = strstr(text, "\n\n\n# clip-mdm\n");
    assert_non_null(second);
    assert_non_null(strstr(second, "\n1 1 \"0.0625\" \"1\" 3 12 1.07918124605 \"12*\" 1 0 "));
    free(text);
    text = bench_read(bench, "plots/grid-heart.txt");
    assert_non_null(strstr(text, "Test error (%), support vectors: heart"));
    free(text);
}

/* Adds one split of mu and width swept over these numbers of values. */
static void add_grid(struct bench *bench, int n_mu, int n_widths)
{
    for (int cell = 0; cell < n_mu * n_widths; cell++)
        bench_add(bench, (struct made){.dataset = "heart",
                                       .solver = "clip-mdm",
                                       .split = 1,
                                       .mu = 0.125 * (1 + cell % n_mu),
                                       .width = 1 + cell / n_mu,
                                       .error_percent = cell,
                                       .iterations = 5,
                                       .kernel_operations = 5});
}

static void three_values_on_either_axis_make_a_map(void **state)
{
    struct bench *bench = *state;
    add_grid(bench, 2, 5);
    bench_assert_drawn(bench, 1);
    assert_true(bench_has_figure(bench, "heatmap-error-heart"));
}

static void axes_that_are_not_swept_are_told_which_settings_are(void **state)
{
    struct bench *bench = *state;
    add_grid(bench, 2, 2);
    bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"heatmap\",\"x\":\"C\",\"y\":\"q\"},"
                                      "{\"kind\":\"lines\",\"x\":\"C\"}]}");
    assert_int_equal(bench_draw(bench, NULL, 1), STATUS_NOT_FOUND);
    assert_non_null(strstr(bench->report.notes, "heatmap not drawn: swept for heart: mu, width; \"x\" and \"y\" must"));
    assert_non_null(strstr(bench->report.notes, "lines not drawn: swept for heart: mu, width; \"x\" must be one"));
}

static void an_unknown_metric_of_several_is_named(void **state)
{
    struct bench *bench = *state;
    bench_add_sweep(bench, 3);
    bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"heatmap\",\"metrics\":[\"error\",\"speed\"]}]}");
    assert_int_equal(bench_draw(bench, NULL, 1), STATUS_BAD_INPUT);
    assert_non_null(strstr(bench->error.message, "plots[0].metrics: unknown metric \"speed\""));
    for (size_t m = 0; m < MEASURES; m++) /* the message has its own list */
        if ((measure_row(m)->flags & MEMBER_FIGURE) && !strstr(bench->error.message, measure_row(m)->measure))
            fail_msg("\"%s\" does not name %s", bench->error.message, measure_row(m)->measure);
}

static void a_reference_without_a_record_is_named_if_its_data_set_has_records(void **state)
{
    struct bench *bench = *state;
    bench_add_sweep(bench, 3);
    bench_write(bench, "config.json",
                "{\"plots\":[{\"kind\":\"heatmap\",\"references\":[{\"dataset\":\"banana\",\"where\":{\"mu\":0.5}},"
                "{\"dataset\":\"heart\",\"where\":{\"mu\":0.3}}]}]}");
    bench_assert_drawn(bench, 1);
    assert_non_null(strstr(bench->report.notes, "references[1]"));
    assert_null(strstr(bench->report.notes, "references[0]"));
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
    assert_non_null(strstr(text, "splits of the panel are missing (failed runs, or not made): 2 cells."));
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
    assert_non_null(strstr(bench->error.message, "config.json:1:30: plots[1]: unknown kind of figure \"sensitivity\""));
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
                "{\"plots\":[{\"kind\":\"heatmap\"},{\"kind\":\"lines\",\"x\":\"mu\"},{\"kind\":\"heatmap\","
                "\"name\":\"several\",\"metrics\":[\"error\",\"kernel-operations\",\"support-vectors\"],"
                "\"references\":[{\"dataset\":\"heart\",\"where\":{\"mu\":0.5,\"width\":1}}]},"
                "{\"kind\":\"lines\",\"name\":\"widths\",\"where\":{\"mu\":0.5}}]}");
    bench_assert_drawn(bench, 0);
    assert_int_equal(bench->report.figures.count, 10);
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
    assert_non_null(strstr(text, "# clip-mdm\n2 2 \"1\" \"10\" 3 10 1 \"10\" 1 0 NaN NaN NaN \"\" 0\n"));
    free(text);
    bench_check_pictures(bench);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_heat_map_has_rising_levels_and_the_means_of_its_cells),
        TEST(cells_are_told_from_the_framed_one_by_paired_intervals_for_all_of_them_at_once),
        TEST(counts_are_compared_by_their_means_and_written_as_factors),
        TEST(on_few_splits_nothing_is_said_of_the_framed_cell),
        TEST(in_95_percent_of_studies_the_lowest_is_marked_and_the_bound_holds),
        TEST(several_metrics_are_panels_of_one_figure),
        TEST(three_values_on_either_axis_make_a_map),
        TEST(axes_that_are_not_swept_are_told_which_settings_are),
        TEST(an_unknown_metric_of_several_is_named),
        TEST(a_reference_without_a_record_is_named_if_its_data_set_has_records),
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
