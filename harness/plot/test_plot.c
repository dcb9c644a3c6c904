/*
 * Figures of artificial run folders: the numbers in a .dat are recomputed here from the formulas, gnuplot, if
 * installed, runs every .gp and must print nothing, and errors in damaged input name the place.
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
#include "harness/papers/verdict.h"
#include "harness/plot/plot.h"
#include "harness/compare/data.h"
#include "harness/figure/figure.h"
#include "harness/plot/kinds.h"
#include "tests/all_tests.h"
#include "tests/plot_bench.h"

static void quartiles_mean_and_deviation_follow_their_formulas(void **state)
{
    (void)state;
    double values[] = {1, 2, 4, 8, 16}; /* the function sorts them */
    struct summary spread = summary_of(values, 5);
    /* With 5 values the quartiles are order statistics: no interpolation, so equality. */
    assert_true(spread.low_quartile == 2 && spread.median == 4 && spread.high_quartile == 8);
    assert_true(spread.min == 1 && spread.max == 16);
    assert_true(fabs(spread.mean - 6.2) <= 1e-14); /* a few rounding errors of numbers below 32 */
    /* (5.2² + 4.2² + 2.2² + 1.8² + 9.8²) / 4 = 37.2 */
    assert_true(fabs(spread.sd - sqrt(37.2)) <= 1e-14);
    struct summary single = summary_of(values, 1), none = summary_of(values, 0);
    assert_true(single.mean == 1 && isnan(single.sd) && isnan(none.mean) && none.n == 0);
}

static void a_comparison_holds_the_means_and_quartiles_of_its_records(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "german");
    bench_assert_drawn(bench, 1);
    assert_true(bench_has_figure(bench, "iterations") && bench_has_figure(bench, "kernel-operations") &&
                bench_has_figure(bench, "error"));
    assert_false(bench_has_figure(bench, "heatmap-error-heart"));
    char *text = bench_read(bench, "plots/iterations.dat");
    size_t position = 0, n = 0;
    double mean = 0, sd = 0, low = 0, median = 0, high = 0, smallest = 0, largest = 0;
    /* heart is d = 2, clip-mdm s = 1, third in the order of the records: 600 + 10 k² for k = 1..4 = 610, 640, 690, 760.
     */
    assert_int_equal(sscanf(bench_row(text, "clip-mdm", "3 "), "%zu \"heart\" %zu %lf %lf %lf %lf %lf %lf %lf",
                            &position, &n, &mean, &sd, &low, &median, &high, &smallest, &largest),
                     9);
    assert_int_equal(n, 4);
    assert_true(mean == 675 && smallest == 610 && largest == 760); /* sums of integers are exact */
    assert_true(low == 632.5 && median == 665 && high == 707.5); /* type 7: at 0.75, 1.5 and 2.25 */
    /* 1e-12: a few rounding errors of numbers below 100. */
    assert_true(fabs(sd - sqrt((65.0 * 65 + 35 * 35 + 15 * 15 + 85 * 85) / 3)) <= 1e-12);
    assert_null(strstr(text, "german"));
    assert_non_null(strstr(text, "1 \"waveform\""));
    free(text);
    text = bench_read(bench, "plots/kernel-operations.dat");
    /* Excludes the 7777 of the set-up: 9000 + 100 k for titanic, d = 1, mu-gsk: 6000 + 250. */
    assert_int_equal(sscanf(bench_row(text, "μ-gsk", "2 "), "2 \"titanic\" %zu %lf", &n, &mean), 2);
    assert_true(mean == 6250);
    free(text);
}

static void captions_name_drawn_splits_made_data_and_runs_that_did_not_end_well(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "german");
    bench_add(bench, (struct made){.dataset = "waveform",
                                   .solver = "mu-gsk",
                                   .split = 5,
                                   .outcome = "stalled",
                                   .mu = 0.01,
                                   .width = 10,
                                   .iterations = 3,
                                   .kernel_operations = 9});
    bench_add(bench,
              (struct made){.dataset = "titanic", .solver = "extra-mu-gsk", .split = 1, .mu = 0.01, .width = 10});
    bench_assert_drawn(bench, 1);
    char *text = bench_read(bench, "plots/error.gp");
    assert_null(strstr(text, "Resampled splits")); /* a picture has no caption */
    free(text);
    text = bench_read(bench, "plots/error.txt");
    assert_true(strncmp(text, "Test error (%): 12 data sets, 4 to 5 splits.\nFilled marks: ", 59) == 0);
    assert_ptr_equal(strchr(strchr(text, '\n') + 1, '\n') + 1, strchr(text, '\0')); /* two lines */
    assert_non_null(strstr(text, "Resampled splits: splice."));
    assert_non_null(strstr(text, "twonorm"));
    assert_non_null(strstr(text, "Generated data:"));
    assert_non_null(strstr(text, "Stopped at a limit: μ-gsk on splice."));
    assert_non_null(strstr(text, "Stalled: μ-gsk on waveform (1 of 5)."));
    assert_non_null(strstr(text, "Rings: some runs were stopped at a limit or stalled."));
    free(text);
    text = bench_read(bench, "plots/iterations.txt");
    assert_non_null(strstr(text, "extra-μ-gsk on titanic")); /* no iterations: not on a logarithmic axis */
    free(text);
}

static void captions_explain_rings_only_where_some_run_has_one(void **state)
{
    struct bench *bench = *state;
    bench_add_close(bench);
    bench_assert_drawn(bench, 1);
    char *text = bench_read(bench, "plots/error.txt");
    assert_non_null(strstr(text, "Filled marks: mean over splits"));
    assert_null(strstr(text, "Rings:"));
    free(text);
}

/* Zero is not on a logarithmic axis, but on that of the test error. */
static void a_figure_asked_for_without_a_mean_that_its_axis_can_show_is_said_not_to_be_drawn(void **state)
{
    struct bench *bench = *state;
    for (int split = 1; split <= 2; split++)
        bench_add(bench, (struct made){.dataset = "heart", .solver = "clip-mdm", .split = split, .mu = 1, .width = 1});
    bench_write(bench, "config.json",
                "{\"plots\":[{\"kind\":\"error\"},{\"kind\":\"iterations\",\"name\":\"turns\"}]}");
    bench_assert_drawn(bench, 1);
    assert_int_equal(bench->report.figures.count, 1);
    assert_true(bench_has_figure(bench, "error"));
    assert_string_equal(bench->report.notes, "turns not drawn: no iterations that the axis can show\n");
}

static void printed_means_stand_beside_ours_in_the_unit_of_the_records(void **state)
{
    struct bench *bench = *state;
    bench_share_with_paper(bench);
    bench_write(bench, "config.json", "{\"tables\":[\"made2000.table1\"]}");
    bench_add_comparison(bench, "german");
    enum status status = bench_draw(bench, NULL, 1);
    unsetenv("HULLBENCH_SHARE");
    if (status != STATUS_OK)
        fail_msg("%s", bench->error.message);
    char *text = bench_read(bench, "plots/iterations.dat");
    const char *line = bench_row(text, "clip-mdm", "3 \"heart\""); /* in the order of the records */
    const char *end = strchr(line, '\n');
    assert_memory_equal(end - strlen(" 500 250 0"), " 500 250 0", strlen(" 500 250 0"));
    line = bench_row(text, "μ-gsk", "3 \"heart\"");
    end = strchr(line, '\n');
    assert_memory_equal(end - strlen(" NaN NaN 0"), " NaN NaN 0", strlen(" NaN NaN 0"));
    free(text);
    text = bench_read(bench, "plots/iterations.txt");
    assert_non_null(strstr(text, "Printed but not run: german.\n"));
    free(text);
    text = bench_read(bench, "plots/iterations.gp");
    assert_non_null(strstr(text, "\nlogarithmic = 1\n"));
    /* one deviation on either side of both means, columns mean and sd: ours 4 and 5, printed 11 and 12 */
    assert_non_null(strstr(text, "):4:(foot_of($4, $5)):(head_of_bar($4, $5)) with yerrorbars"));
    assert_non_null(strstr(text, "):11:(foot_of($11, $12)):(head_of_bar($11, $12)) with yerrorbars"));
    free(text);
}

/* Printed: 500 +- 250 over 100 splits, to 10. Ours: 610, 640, 690 and 760, too few for an sd. */
static void a_ratio_has_the_interval_and_the_bound_of_the_verdict_over_the_printed_value(void **state)
{
    struct bench *bench = *state;
    double found[6];
    size_t n = 0;
    char verdict[30];
    bench_share_with_paper(bench);
    bench_write(bench, "config.json", "{\"tables\":[\"made2000.table1\"]}");
    bench_add_comparison(bench, "german");
    enum status status = bench_draw(bench, NULL, 1);
    unsetenv("HULLBENCH_SHARE");
    if (status != STATUS_OK)
        fail_msg("%s", bench->error.message);
    char *text = bench_read(bench, "plots/paper-ratio-made2000.table1.dat"), *line = strstr(text, "\n1.35 ");
    assert_non_null(line);
    assert_null(strstr(line + 1, "\n1.35 ")); /* a number that two columns print is one mark */
    assert_int_equal(sscanf(line, "%lf %lf %lf %lf %lf %lf \"heart\" %zu %19s", &found[0], &found[1], &found[2],
                            &found[3], &found[4], &found[5], &n, verdict),
                     8);
    /* Welch's interval with the printed 250 as our sd, 99 degrees of freedom each, and half a printed unit. */
    const double ours = 250.0 * 250 / 4, theirs = 250.0 * 250 / 100;
    const double degrees = (ours + theirs) * (ours + theirs) / (ours * ours / 99 + theirs * theirs / 99);
    const double reach = gsl_cdf_tdist_Qinv(0.025, degrees) * sqrt(ours + theirs) + 5;
    assert_true(found[0] == 675.0 / 500 && found[3] == 1 && n == 4); /* heart is the only row with a cell */
    assert_true(fabs(found[1] - (675 - reach) / 500) < 1e-11);       /* written with 12 digits */
    assert_true(fabs(found[2] - (675 + reach) / 500) < 1e-11);
    assert_true(fabs(found[4] - 0.95) < 1e-11 && fabs(found[5] - 1.05) < 1e-11);
    assert_null(strstr(text, "german"));
    free(text);
    text = bench_read(bench, "plots/paper-ratio-made2000.table1.txt"); /* the table's caption, not its id */
    assert_non_null(strstr(text, "Measured over printed values: made.\nmade2000.table1. "));
    free(text);
    text = bench_read(bench, "plots/paper-ratio-made2000.table1.gp");
    strcat(verdict, " (1)"); /* the legend shows the count */
    assert_non_null(strstr(text, verdict));
    const char *styles = strstr(text, "array style_names[");
    assert_non_null(styles);
    for (int v = 0; v < VERDICT_COUNT; v++) { /* each verdict that can be drawn has a shape */
        char quoted[40];
        snprintf(quoted, sizeof quoted, "\"%s\"", verdict_texts[v].name);
        const char *named = strstr(styles, quoted);
        assert_true(v == VERDICT_MISSING || (named && named < strchr(styles, '\n')));
    }
    free(text);
}

static void add_heart(struct bench *bench, int splits)
{
    for (int split = 1; split <= splits; split++)
        bench_add(bench, (struct made){.dataset = "heart",
                                       .solver = "clip-mdm",
                                       .split = split,
                                       .mu = 1,
                                       .width = 1,
                                       .error_percent = 1,
                                       .iterations = 400 + 10 * split,
                                       .kernel_operations = 5});
    fclose(bench->records);
    bench->records = NULL;
}

/* Six splits of one draw in the second folder, nine of several draws in the first: the table has nine. */
static void ratios_of_several_folders_are_drawn_once_from_all_their_records(void **state)
{
    struct bench *draws = *state;
    struct plot_report report = {0};
    struct error error = {0};
    void *made = NULL;
    char path[256];
    assert_int_equal(bench_set_up(&made), 0);
    struct bench *one = made;
    bench_share_with_paper(draws);
    bench_write(draws, "config.json", "{\"tables\":[\"made2000.table1\"],\"draws\":2,\"plots\":[]}");
    bench_write(one, "config.json", "{\"tables\":[\"made2000.table1\"],\"plots\":[{\"kind\":\"paper-ratio\"}]}");
    add_heart(draws, 9);
    add_heart(one, 6);
    const char *const folders[] = {draws->folder, one->folder};
    enum status status = bench_plot_folders(folders, 2, &(struct plot_options){.no_render = 1}, &report, &error);
    unsetenv("HULLBENCH_SHARE");
    if (status != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(report.figures.count, 1);
    bench_path(one, "plots/paper-ratio-made2000.table1", path);
    assert_string_equal(report.figures.item[0], path);
    char *text = bench_read(one, "plots/paper-ratio-made2000.table1.dat");
    assert_non_null(strstr(text, "\n0.9 ")); /* the mean of 410 to 490 is 450 */
    assert_non_null(strstr(text, " \"heart\" 9 "));
    free(text);
    bench_report_free(&report);
    bench_tear_down(&made);
}

static void the_same_records_give_the_same_bytes(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "none");
    bench_assert_drawn(bench, 1);
    char *dat = bench_read(bench, "plots/error.dat"), *gp = bench_read(bench, "plots/error.gp");
    bench_assert_drawn(bench, 1);
    char *dat_again = bench_read(bench, "plots/error.dat"), *gp_again = bench_read(bench, "plots/error.gp");
    assert_string_equal(dat, dat_again);
    assert_string_equal(gp, gp_again);
    free(dat);
    free(gp);
    free(dat_again);
    free(gp_again);
}

static void an_entry_chooses_solvers_settings_and_metric(void **state)
{
    struct bench *bench = *state;
    bench_add_sweep(bench, 3);
    bench_write(bench, "config.json",
               "{\"plots\":[{\"kind\":\"heatmap\",\"name\":\"grid\",\"dataset\":\"heart\",\"metric\":\"error\","
               "\"x\":\"width\",\"y\":\"mu\"},"
               "{\"kind\":\"error\",\"name\":\"one\",\"where\":{\"mu\":0.5,\"width\":10}},"
               "{\"kind\":\"error\",\"name\":\"empty\",\"solvers\":[\"1-smo\"]}]}");
    bench_assert_drawn(bench, 1);
    assert_int_equal(bench->report.figures.count, 2);
    assert_true(bench_has_figure(bench, "grid") && bench_has_figure(bench, "one"));
    assert_non_null(strstr(bench->report.notes, "empty not drawn"));
    char *text = bench_read(bench, "plots/grid.dat");
    assert_non_null(strstr(text, "\n3 1 \"100\" \"0.0625\" 3 34 34 \"34.0*\" 0 "));
    free(text);
    text = bench_read(bench, "plots/one.dat");
    assert_non_null(strstr(bench_row(text, "clip-mdm", "1 "), "1 \"heart\" 3 3 1 2.5 3 3.5 2 4 NaN NaN"));
    free(text);
}

static void a_thinned_trace_keeps_its_extremes_and_its_end(void **state)
{
    struct bench *bench = *state;
    size_t lines = 0;
    bench_add_comparison(bench, "none");
    bench_add_trace(bench, "heart-1-clip-mdm.tsv", "clip-mdm", 20000);
    bench_add_trace(bench, "heart-1-mu-gsk.tsv", "mu-gsk", 300);
    bench_assert_drawn(bench, 1);
    assert_true(bench_has_figure(bench, "convergence-heart-1"));
    char *text = bench_read(bench, "plots/convergence-heart-1.dat");
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_true(lines > 400 && lines < 1100); /* at most two points per bin (250 bins) and the end, for two lines */
    bench_row(text, "clip-mdm", "700 238100 50 NaN 0\n");
    bench_row(text, "clip-mdm", "1300 442100 1"); /* 1e-09 */
    bench_row(text, "clip-mdm", "19998 "); /* 19999 has gap 0 */
    assert_null(strstr(text, "\n0 "));
    free(text);
}

/* Split 1 of heart and both splits of heart-1 would be convergence-heart-1. */
static void figures_of_one_name_are_told_apart(void **state)
{
    struct bench *bench = *state;
    for (int split = 1; split <= 2; split++)
        for (int d = 0; d < 2; d++)
            bench_add(bench, (struct made){.dataset = d ? "heart-1" : "heart", .solver = "clip-mdm", .split = split,
                                           .mu = 0.1, .width = 1, .iterations = 9, .kernel_operations = 9});
    bench_add_trace(bench, "heart-1-clip-mdm.tsv", "clip-mdm", 30);
    for (int split = 1; split <= 2; split++) {
        char name[60], text[200];
        snprintf(name, sizeof name, "traces/heart-1-%d-clip-mdm.tsv", split);
        snprintf(text, sizeof text, "# dataset heart-1\n# split %d\n# solver clip-mdm\n"
                                    "iteration\tkernel_operations\tobjective\tgap\n1\t9\t1\t0.5\n2\t18\t1\t0.1\n",
                 split);
        bench_write(bench, name, text);
    }
    bench_assert_drawn(bench, 1);
    assert_true(bench_has_figure(bench, "convergence-heart-1") && bench_has_figure(bench, "convergence-heart-1==2"));
}

static void damaged_input_is_refused_by_name(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *file, *text, *said;
    } cases[] = {
        {"config.json", "{\"plots\":[{\"kind\":\"pie\"}]}", "\"pie\""},
        {"config.json", "{\"plots\":7}", "array"},
        {"config.json", "[]", "config.json"},
        {"config.json", "{\"plots\":[{\"kind\":\"heatmap\"},{\"kind\":\"heatmap\"}]}", "two"},
        {"config.json", "{\"tables\":[\"nowhere1999.table1\"]}", "nowhere1999"},
        {"config.json", "{\"plots\":[{\"kind\":\"heatmap\",\"metric\":\"colour\",\"x\":\"mu\"}]}", "\"colour\""},
        {"traces/a.tsv", "# dataset heart\n# split 1\n# solver clip-mdm\niteration\tgap\n", "a.tsv:4"},
        {"traces/a.tsv",
         "# dataset heart\n# split 1\n# solver clip-mdm\niteration\tkernel_operations\tobjective\tgap\n1\t2\tx\n",
         "a.tsv:5"},
        {"traces/a.tsv", "# dataset heart\niteration\tkernel_operations\tobjective\tgap\n", "# solver"},
    };
    char path[256];
    bench_add_sweep(bench, 3);
    bench_path(bench, "traces", path);
    folder_make(path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_write(bench, "config.json", "{}");
        bench_write(bench, cases[i].file, cases[i].text);
        enum status status = bench_draw(bench, NULL, 1);
        if (status != STATUS_BAD_INPUT || !strstr(bench->error.message, cases[i].said))
            fail_msg("%s: status %d: %s", cases[i].text, (int)status, bench->error.message);
        bench_path(bench, cases[i].file, path);
        assert_int_equal(remove(path), 0);
    }
}

static void a_folder_without_records_is_not_found_and_no_folder_is_bad_input(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(bench_draw(bench, NULL, 1), STATUS_NOT_FOUND);
    strcat(bench->folder, "x");
    assert_int_equal(bench_draw(bench, NULL, 1), STATUS_BAD_INPUT);
    bench->folder[strlen(bench->folder) - 1] = '\0';
}

static void only_draws_the_named_figure_and_refuses_an_unknown_name(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "none");
    assert_int_equal(bench_draw(bench, "error", 1), STATUS_OK);
    assert_int_equal(bench->report.figures.count, 1);
    assert_true(bench_has_figure(bench, "error"));
    assert_int_equal(bench_draw(bench, "erorr", 1), STATUS_BAD_INPUT);
    assert_non_null(strstr(bench->error.message, "erorr"));
}

static void without_gnuplot_the_numbers_are_written_and_the_package_is_named(void **state)
{
    if (under_valgrind())
        skip_for("valgrind's posix_spawn does not report a missing program");
    struct bench *bench = *state;
    char *kept = strdup(getenv("PATH") ? getenv("PATH") : "");
    bench_add_comparison(bench, "none");
    setenv("PATH", bench->folder, 1);
    enum status status = bench_draw(bench, NULL, 0);
    setenv("PATH", kept, 1);
    free(kept);
    assert_int_equal(status, STATUS_IO);
    assert_non_null(strstr(bench->error.message, "gnuplot-nox"));
    assert_int_equal(bench->report.figures.count, 4);
    free(bench_read(bench, "plots/error.dat"));
    free(bench_read(bench, "plots/error.gp"));
}

static void text_from_records_cannot_leave_its_quotes(void **state)
{
    (void)state;
    struct plot_figure figure;
    plot_figure_open(&figure, "means", "a/../b c", "\"d\"", NULL);
    assert_string_equal(figure.name, "a=2F..=2Fb=20c-=22d=22");
    plot_figure_text(&figure, "text", "a\"; set output 'x'\\\n\tb");
    fflush(figure.head);
    assert_non_null(strstr(figure.texts[FIGURE_HEAD]->text, "text = \"a\\\"; set output 'x'\\\\\\n b\"\n"));
    pool_free(figure.pool);
}

static void gnuplot_draws_comparisons_and_traces_in_silence(void **state)
{
    struct bench *bench = *state;
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    bench_share_with_paper(bench);
    bench_write(bench, "config.json", "{\"tables\":[\"made2000.table1\"]}");
    bench_add_comparison(bench, "german");
    bench_add_trace(bench, "heart-1-clip-mdm.tsv", "clip-mdm", 20000);
    bench_add_trace(bench, "heart-1-mu-gsk.tsv", "mu-gsk", 300);
    enum status status = bench_draw(bench, NULL, 0);
    unsetenv("HULLBENCH_SHARE");
    if (status != STATUS_OK)
        fail_msg("%s", bench->error.message);
    assert_int_equal(bench->report.figures.count, 6);
    bench_check_pictures(bench);
}

static void gnuplot_draws_a_single_record_in_silence(void **state)
{
    struct bench *bench = *state;
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    bench_add(bench, (struct made){.dataset = "a data set with a long \\\"name\\\" {x} <script>&amp;",
                                   .solver = "mdm_2", .split = 1,
                             .mu = 1, .width = 1, .error_percent = 0, .iterations = 1, .kernel_operations = 10});
    bench_assert_drawn(bench, 0);
    assert_int_equal(bench->report.figures.count, 3);
    bench_check_pictures(bench);
    char *text = bench_read(bench, "plots/error.dat");
    bench_row(text, "mdm_2", "1 \"a data set with a long 'name' {x} <script>&amp;\" 1 0 NaN 0 0 0 0 0 NaN NaN 0\n");
    free(text);
    text = bench_read(bench, "plots/error.svg");
    assert_null(strstr(text, "<script"));
    assert_non_null(strstr(text, "gpPt6' transform")); /* the filled mark is drawn somewhere, not only defined */
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quartiles_mean_and_deviation_follow_their_formulas),
        TEST(a_comparison_holds_the_means_and_quartiles_of_its_records),
        TEST(captions_name_drawn_splits_made_data_and_runs_that_did_not_end_well),
        TEST(captions_explain_rings_only_where_some_run_has_one),
        TEST(a_figure_asked_for_without_a_mean_that_its_axis_can_show_is_said_not_to_be_drawn),
        TEST(printed_means_stand_beside_ours_in_the_unit_of_the_records),
        TEST(ratios_of_several_folders_are_drawn_once_from_all_their_records),
        TEST(a_ratio_has_the_interval_and_the_bound_of_the_verdict_over_the_printed_value),
        TEST(the_same_records_give_the_same_bytes),
        TEST(an_entry_chooses_solvers_settings_and_metric),
        TEST(a_thinned_trace_keeps_its_extremes_and_its_end),
        TEST(figures_of_one_name_are_told_apart),
        TEST(damaged_input_is_refused_by_name),
        TEST(a_folder_without_records_is_not_found_and_no_folder_is_bad_input),
        TEST(only_draws_the_named_figure_and_refuses_an_unknown_name),
        TEST(without_gnuplot_the_numbers_are_written_and_the_package_is_named),
        cmocka_unit_test(text_from_records_cannot_leave_its_quotes),
        TEST(gnuplot_draws_comparisons_and_traces_in_silence),
        TEST(gnuplot_draws_a_single_record_in_silence),
    };
    gsl_set_error_handler_off();
    unsetenv("HULLBENCH_SHARE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
