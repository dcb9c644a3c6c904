/*
 * Figures of made-up run folders: the numbers in a .dat are recomputed here from the formulas, every .gp is run by
 * gnuplot where it is installed, which must have nothing to say, and damaged input is refused by name.
 */
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
#include <sys/stat.h>
#include <unistd.h>

#include "harness/file.h"
#include "harness/plot/plot.h"
#include "harness/plot/data.h"
#include "harness/plot/figure.h"
#include "harness/plot/series.h"
#include "harness/share.h"

/* A run folder under construction. */
struct bench {
    char folder[64];
    FILE *records;
    struct plot_report report;
    struct error error;
};

static void in_folder(const struct bench *bench, const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", bench->folder, name);
}

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    char path[256];
    snprintf(bench->folder, sizeof bench->folder, "/tmp/hullbench-plot-XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    in_folder(bench, "records.jsonl", path);
    bench->records = fopen(path, "w");
    *state = bench;
    return bench->records == NULL;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    char command[128];
    if (bench->records)
        fclose(bench->records);
    plot_report_free(&bench->report);
    snprintf(command, sizeof command, "rm -rf '%s'", bench->folder);
    int failed = system(command);
    free(bench);
    return failed;
}

static void write_text(const struct bench *bench, const char *name, const char *text)
{
    char path[256];
    struct error error = {STATUS_OK, ""};
    in_folder(bench, name, path);
    assert_int_equal(file_write(path, text, strlen(text), &error), STATUS_OK);
}

/* What of a record matters to a figure; the rest is filled in. */
struct made {
    const char *dataset, *solver, *outcome, *source;
    int split;
    double mu, width, error_percent, iterations, kernel_operations;
};

static void add(struct bench *bench, struct made made)
{
    fprintf(bench->records,
            "{\"schema\":1,\"config\":\"made\",\"dataset\":\"%s\",\"split\":%d,\"split_source\":\"%s\","
            "\"solver\":\"%s\",\"params\":{\"mu\":%.17g},\"kernel\":{\"type\":\"rbf\",\"width\":%.17g},"
            "\"stop\":{\"rule\":\"rch-gap\",\"tolerance\":1e-05},\"outcome\":\"%s\",\"iterations\":%.0f,"
            "\"kernel_operations\":{\"setup\":7777,\"iterations\":%.0f,\"predict\":1},\"kernel_evaluations\":1,"
            "\"support_vectors\":12,\"error_percent\":%.17g,\"objective\":1,\"duality_gap\":1e-6,"
            "\"kkt_violation\":1e-6,\"bias\":0,\"feasibility\":0,\"mu_effective\":0.1,\"rch_mu\":null}\n",
            made.dataset, made.split, made.source ? made.source : "official", made.solver, made.mu, made.width,
            made.outcome ? made.outcome : "converged", made.iterations, made.kernel_operations, made.error_percent);
}

static enum status draw(struct bench *bench, const char *only, int no_render)
{
    struct plot_options options = {only, no_render};
    if (bench->records)
        fclose(bench->records);
    bench->records = NULL;
    plot_report_free(&bench->report);
    return plot_folder(bench->folder, &options, &bench->report, &bench->error);
}

static void assert_drawn(struct bench *bench, int no_render)
{
    enum status status = draw(bench, NULL, no_render);
    if (status != STATUS_OK)
        fail_msg("%s", bench->error.message);
}

static int has_figure(const struct bench *bench, const char *name)
{
    char path[256], plots[128];
    snprintf(plots, sizeof plots, "plots/%s", name);
    in_folder(bench, plots, path);
    for (size_t i = 0; i < bench->report.n_figures; i++)
        if (strcmp(bench->report.figures[i], path) == 0)
            return 1;
    return 0;
}

static char *read_text(const struct bench *bench, const char *name)
{
    char path[256];
    char *text = NULL;
    struct error error = {STATUS_OK, ""};
    in_folder(bench, name, path);
    if (file_read(path, &text, NULL, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return text;
}

/* The line of `text` that begins with `start` within the block called `block`. */
static const char *row_of(const char *text, const char *block, const char *start)
{
    char lead[100];
    snprintf(lead, sizeof lead, "# %s\n", block);
    const char *at = strstr(text, lead), *end = at ? strstr(at, "\n\n") : NULL;
    if (!at)
        fail_msg("no block \"%s\"", block);
    for (; at && (!end || at < end); at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, start, strlen(start)) == 0)
            return at;
    fail_msg("no row \"%s\" in block \"%s\"", start, block);
    return "";
}

static int has_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

/* 13 data sets, 3 solvers, a few splits; spread by a fixed rule so that no two cells agree. */
static const char *const all_datasets[] = {"waveform", "titanic", "heart",  "diabetis", "breast-cancer", "thyroid",
                                           "flare-solar", "splice", "image", "german",  "banana",  "twonorm",
                                           "ringnorm"};
static const char *const all_solvers[] = {"mu-gsk", "clip-mdm", "mu-mdm"};

static void add_comparison(struct bench *bench, const char *left_out)
{
    for (int d = 0; d < 13; d++)
        for (int split = 1; split <= 4 && strcmp(all_datasets[d], left_out) != 0; split++)
            for (int s = 0; s < 3; s++)
                add(bench, (struct made){.dataset = all_datasets[d], .solver = all_solvers[s], .split = split,
                                         .source = d > 10 ? "generated" : d == 7 ? "resampled" : "official",
                                         .outcome = d == 7 && s == 0 ? "iteration-limit" : "converged",
                                         .mu = 0.01 * (d + 1), .width = 10 + d,
                                         .error_percent = 2.0 * d + s + 0.5 * split * split,
                                         .iterations = 100 * (d + 1) * (s + 1) + 10 * split * split,
                                         .kernel_operations = 1000 * (d + 1) * (3 - s) + 100 * split});
}

static void quartiles_mean_and_deviation_follow_their_formulas(void **state)
{
    (void)state;
    const double values[] = {1, 2, 4, 8, 16};
    struct plot_spread spread = plot_spread_of(values, 5);
    /* With 5 values the quartiles fall on order statistics: no interpolation, so equality. */
    assert_true(spread.low_quartile == 2 && spread.median == 4 && spread.high_quartile == 8);
    assert_true(spread.min == 1 && spread.max == 16);
    assert_true(fabs(spread.mean - 6.2) <= 1e-14); /* a few roundings of numbers below 32 */
    /* (5.2² + 4.2² + 2.2² + 1.8² + 9.8²) / 4 = 37.2 */
    assert_true(fabs(spread.sd - sqrt(37.2)) <= 1e-14);
    struct plot_spread single = plot_spread_of(values, 1), none = plot_spread_of(values, 0);
    assert_true(single.mean == 1 && isnan(single.sd) && isnan(none.mean) && none.n == 0);
}

static void a_comparison_holds_the_means_and_quartiles_of_its_records(void **state)
{
    struct bench *bench = *state;
    add_comparison(bench, "german");
    assert_drawn(bench, 1);
    assert_true(has_figure(bench, "iterations") && has_figure(bench, "kernel-operations") &&
                has_figure(bench, "error"));
    assert_false(has_figure(bench, "heatmap-error-heart"));
    char *text = read_text(bench, "plots/iterations.dat");
    size_t position = 0, n = 0;
    double mean = 0, sd = 0, low = 0, median = 0, high = 0, least = 0, most = 0;
    /* heart is d = 2, clip-mdm s = 1, second in the papers' order: 600 + 10 k² for k = 1..4 = 610, 640, 690, 760. */
    assert_int_equal(sscanf(row_of(text, "clip-mdm", "2 "), "%zu \"heart\" %zu %lf %lf %lf %lf %lf %lf %lf", &position,
                            &n, &mean, &sd, &low, &median, &high, &least, &most),
                     9);
    assert_int_equal(n, 4);
    assert_true(mean == 675 && least == 610 && most == 760); /* sums of whole numbers are exact */
    assert_true(low == 632.5 && median == 665 && high == 707.5); /* type 7: at 0.75, 1.5 and 2.25 */
    /* 1e-12: a few roundings of numbers below 100. */
    assert_true(fabs(sd - sqrt((65.0 * 65 + 35 * 35 + 15 * 15 + 85 * 85) / 3)) <= 1e-12);
    assert_null(strstr(text, "german"));
    assert_non_null(strstr(text, "12 \"waveform\""));
    free(text);
    text = read_text(bench, "plots/kernel-operations.dat");
    /* The start-up's 7777 is not in it: 9000 + 100 k for titanic, d = 1, mu-gsk: 6000 + 250. */
    assert_int_equal(sscanf(row_of(text, "μ-gsk", "1 "), "1 \"titanic\" %zu %lf", &n, &mean), 2);
    assert_true(mean == 6250);
    free(text);
}

static void captions_name_drawn_splits_made_data_and_runs_that_did_not_end_well(void **state)
{
    struct bench *bench = *state;
    add_comparison(bench, "german");
    add(bench, (struct made){.dataset = "waveform", .solver = "mu-gsk", .split = 5, .outcome = "stalled", .mu = 0.01,
                             .width = 10, .iterations = 3, .kernel_operations = 9});
    add(bench, (struct made){.dataset = "titanic", .solver = "extra-mu-gsk", .split = 1, .mu = 0.01, .width = 10});
    assert_drawn(bench, 1);
    char *text = read_text(bench, "plots/error.gp");
    for (char *at = strstr(text, "\\n"); at; at = strstr(at, "\\n")) { /* undo the breaking of the caption's lines */
        *at = ' ';
        memmove(at + 1, at + 2, strlen(at + 2) + 1);
    }
    assert_non_null(strstr(text, "heading = \"Test error (%): 12 data sets, 4 to 5 splits\""));
    assert_non_null(strstr(text, "Resampled splits: splice."));
    assert_non_null(strstr(text, "twonorm"));
    assert_non_null(strstr(text, "Generated data:"));
    assert_non_null(strstr(text, "Stopped at a limit: μ-gsk on splice."));
    assert_non_null(strstr(text, "Stalled: μ-gsk on waveform (1 of 5)."));
    free(text);
    text = read_text(bench, "plots/iterations.gp");
    assert_non_null(strstr(text, "extra-μ-gsk on titanic")); /* no iterations: not on a logarithmic axis */
    free(text);
}

/* Makes FOLDER/share with the templates and a paper of one table, and points HULLBENCH_SHARE there. */
static void share_with_paper(const struct bench *bench)
{
    char *template = NULL, path[256], plots[256];
    struct error error = {STATUS_OK, ""};
    unsetenv("HULLBENCH_SHARE");
    if (share_find("plots/common.gp", &template, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    *strrchr(template, '/') = '\0';
    in_folder(bench, "share/results/paper", path);
    assert_int_equal(folder_make(path, &error), STATUS_OK);
    in_folder(bench, "share/plots", plots);
    assert_int_equal(symlink(template, plots), 0);
    free(template);
    write_text(bench, "share/results/paper/made2000.json",
               "{\"paper\":\"made2000\",\"datasets\":[\"heart\",\"german\"],\"splits\":{\"default\":100},\"tables\":["
               "{\"name\":\"made2000.table1\",\"caption\":\"made\",\"source\":\"made\",\"columns\":["
               "{\"key\":\"clip\",\"title\":\"clip\",\"unit\":1000,\"statistic\":\"mean_sd\",\"solver\":\"clip-mdm\","
               "\"field\":\"iterations\"}],\"rows\":{"
               "\"heart\":{\"clip\":{\"mean\":0.5,\"sd\":0.25,\"decimals\":2}},"
               "\"german\":{\"clip\":{\"mean\":0.75,\"sd\":0.25,\"decimals\":2}}}}]}");
    in_folder(bench, "share", path);
    setenv("HULLBENCH_SHARE", path, 1);
}

static void printed_means_stand_beside_ours_in_the_unit_of_the_records(void **state)
{
    struct bench *bench = *state;
    size_t n = 0;
    double paper = 0, ours = 0;
    share_with_paper(bench);
    write_text(bench, "config.json", "{\"tables\":[\"made2000.table1\"]}");
    add_comparison(bench, "german");
    enum status status = draw(bench, NULL, 1);
    unsetenv("HULLBENCH_SHARE");
    if (status != STATUS_OK)
        fail_msg("%s", bench->error.message);
    char *text = read_text(bench, "plots/iterations.dat");
    const char *line = row_of(text, "clip-mdm", "2 \"heart\"");
    const char *end = strchr(line, '\n');
    assert_memory_equal(end - strlen(" 500 250"), " 500 250", strlen(" 500 250"));
    line = row_of(text, "μ-gsk", "2 \"heart\"");
    end = strchr(line, '\n');
    assert_memory_equal(end - strlen(" NaN NaN"), " NaN NaN", strlen(" NaN NaN"));
    free(text);
    text = read_text(bench, "plots/paper-scatter.dat");
    line = row_of(text, "iterations: clip-mdm", "500 ");
    assert_int_equal(sscanf(line, "%lf %lf \"heart\" %zu", &paper, &ours, &n), 3);
    assert_true(paper == 500 && ours == 675 && n == 4);
    free(text);
    text = read_text(bench, "plots/iterations.gp");
    assert_non_null(strstr(text, "german")); /* printed, but left out of the run */
    free(text);
}

static void the_same_records_give_the_same_bytes(void **state)
{
    struct bench *bench = *state;
    add_comparison(bench, "none");
    assert_drawn(bench, 1);
    char *dat = read_text(bench, "plots/error.dat"), *gp = read_text(bench, "plots/error.gp");
    assert_drawn(bench, 1);
    char *dat_again = read_text(bench, "plots/error.dat"), *gp_again = read_text(bench, "plots/error.gp");
    assert_string_equal(dat, dat_again);
    assert_string_equal(gp, gp_again);
    free(dat);
    free(gp);
    free(dat_again);
    free(gp_again);
}

/* mu and width swept for clip-mdm (and mu alone when n_widths is 1); mean error at (i, j) is 10 i + j. */
static void add_sweep(struct bench *bench, int n_widths)
{
    for (int split = 1; split <= 3; split++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < n_widths; j++)
                add(bench, (struct made){.dataset = "heart", .solver = "clip-mdm", .split = split,
                                         .outcome = i == 3 ? "iteration-limit" : "converged",
                                         .mu = 0.5 / (1 << i), .width = pow(10, j), .error_percent = 10 * i + j + split,
                                         .iterations = pow(10, 1 + i) + split - 2, .kernel_operations = 500});
}

static void a_heat_map_has_rising_levels_and_the_means_of_its_cells(void **state)
{
    struct bench *bench = *state;
    add_sweep(bench, 3);
    assert_drawn(bench, 1);
    assert_true(has_figure(bench, "heatmap-error-heart") && has_figure(bench, "heatmap-iterations-heart"));
    assert_false(has_figure(bench, "iterations")); /* twelve variants are no comparison */
    assert_false(has_figure(bench, "lines-error-heart"));
    char *text = read_text(bench, "plots/heatmap-error-heart.dat");
    /* mu falls with i: the smallest, i = 3, comes first; width 100 is the third row. Mean: 30 + 2 + (1 + 2 + 3) / 3. */
    assert_non_null(strstr(text, "\n1 3 \"0.0625\" \"100\" 3 34 34 \"34.0*\" 0\n"));
    assert_non_null(strstr(text, "\n4 1 \"0.5\" \"1\" 3 2 2 \"2.0\" 1\n")); /* the lowest of all */
    free(text);
    text = read_text(bench, "plots/heatmap-iterations-heart.dat");
    assert_non_null(strstr(text, "\n2 1 \"0.125\" \"1\" 3 1000 3 \"3.00\" 0\n")); /* log10 of (999+1000+1001)/3 */
    free(text);
}

static void one_swept_setting_is_drawn_as_lines(void **state)
{
    struct bench *bench = *state;
    double level = 0, mean = 0;
    size_t n = 0;
    add_sweep(bench, 1);
    assert_drawn(bench, 1);
    assert_true(has_figure(bench, "lines-error-heart"));
    assert_false(has_figure(bench, "heatmap-error-heart"));
    char *text = read_text(bench, "plots/lines-error-heart.dat");
    assert_int_equal(sscanf(row_of(text, "clip-mdm", "0.25 "), "%lf %zu %lf", &level, &n, &mean), 3);
    assert_true(n == 3 && mean == 12);
    free(text);
}

static void an_entry_chooses_solvers_settings_and_metric(void **state)
{
    struct bench *bench = *state;
    add_sweep(bench, 3);
    write_text(bench, "config.json",
               "{\"plots\":[{\"kind\":\"heatmap\",\"name\":\"grid\",\"dataset\":\"heart\",\"metric\":\"error\","
               "\"x\":\"width\",\"y\":\"mu\"},"
               "{\"kind\":\"error\",\"name\":\"one\",\"where\":{\"mu\":0.5,\"width\":10}},"
               "{\"kind\":\"error\",\"name\":\"empty\",\"solvers\":[\"1-smo\"]}]}");
    assert_drawn(bench, 1);
    assert_int_equal(bench->report.n_figures, 2);
    assert_true(has_figure(bench, "grid") && has_figure(bench, "one"));
    assert_non_null(strstr(bench->report.notes, "empty not drawn"));
    char *text = read_text(bench, "plots/grid.dat");
    assert_non_null(strstr(text, "\n3 1 \"100\" \"0.0625\" 3 34 34 \"34.0*\" 0\n"));
    free(text);
    text = read_text(bench, "plots/one.dat");
    assert_non_null(strstr(row_of(text, "clip-mdm", "1 "), "1 \"heart\" 3 3 1 2.5 3 3.5 2 4 NaN NaN"));
    free(text);
}

static void add_trace(const struct bench *bench, const char *name, const char *solver, int rows)
{
    char path[256], relative[100];
    struct error error = {STATUS_OK, ""};
    in_folder(bench, "traces", path);
    assert_int_equal(folder_make(path, &error), STATUS_OK);
    snprintf(relative, sizeof relative, "traces/%s", name);
    in_folder(bench, relative, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "# dataset heart\n# split 1\n# solver %s\n# params {\"mu\":0.1}\n", solver);
    fprintf(file, "iteration\tkernel_operations\tobjective\tgap\n");
    for (int k = 0; k < rows; k++) /* one tall and one deep point, and a last gap of zero */
        fprintf(file, "%d\t%d\t1\t%.17g\n", k, 100 + 340 * k,
                k == 700 ? 50.0 : k == 1300 ? 1e-9 : k == rows - 1 ? 0.0 : 1.0 / (1 + k));
    fclose(file);
}

static void a_thinned_trace_keeps_its_extremes_and_its_end(void **state)
{
    struct bench *bench = *state;
    size_t lines = 0;
    add_comparison(bench, "none");
    add_trace(bench, "heart-1-clip-mdm.tsv", "clip-mdm", 20000);
    add_trace(bench, "heart-1-mu-gsk.tsv", "mu-gsk", 300);
    assert_drawn(bench, 1);
    assert_true(has_figure(bench, "convergence-heart-1"));
    char *text = read_text(bench, "plots/convergence-heart-1.dat");
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_true(lines > 400 && lines < 1100); /* at most two points for each of 250 bins and the end, for two lines */
    row_of(text, "clip-mdm", "700 238100 50\n");
    row_of(text, "clip-mdm", "1300 442100 1"); /* 1e-09 */
    row_of(text, "clip-mdm", "19998 "); /* 19999 has gap 0 */
    assert_null(strstr(text, "\n0 "));
    free(text);
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
    struct error error = {STATUS_OK, ""};
    add_sweep(bench, 3);
    in_folder(bench, "traces", path);
    assert_int_equal(folder_make(path, &error), STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(bench, "config.json", "{}");
        write_text(bench, cases[i].file, cases[i].text);
        enum status status = draw(bench, NULL, 1);
        if (status != STATUS_BAD_INPUT || !strstr(bench->error.message, cases[i].said))
            fail_msg("%s: status %d: %s", cases[i].text, (int)status, bench->error.message);
        in_folder(bench, cases[i].file, path);
        assert_int_equal(remove(path), 0);
    }
}

static void a_folder_without_records_is_not_found_and_no_folder_is_bad_input(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(draw(bench, NULL, 1), STATUS_NOT_FOUND);
    strcat(bench->folder, "x");
    assert_int_equal(draw(bench, NULL, 1), STATUS_BAD_INPUT);
    bench->folder[strlen(bench->folder) - 1] = '\0';
}

static void only_draws_the_named_figure_and_refuses_an_unknown_name(void **state)
{
    struct bench *bench = *state;
    add_comparison(bench, "none");
    assert_int_equal(draw(bench, "error", 1), STATUS_OK);
    assert_int_equal(bench->report.n_figures, 1);
    assert_true(has_figure(bench, "error"));
    assert_int_equal(draw(bench, "erorr", 1), STATUS_BAD_INPUT);
    assert_non_null(strstr(bench->error.message, "erorr"));
}

static void without_gnuplot_the_numbers_are_written_and_the_package_is_named(void **state)
{
    struct bench *bench = *state;
    char *kept = strdup(getenv("PATH") ? getenv("PATH") : "");
    add_comparison(bench, "none");
    setenv("PATH", bench->folder, 1);
    enum status status = draw(bench, NULL, 0);
    setenv("PATH", kept, 1);
    free(kept);
    assert_int_equal(status, STATUS_IO);
    assert_non_null(strstr(bench->error.message, "gnuplot-nox"));
    assert_int_equal(bench->report.n_figures, 3);
    free(read_text(bench, "plots/error.dat"));
    free(read_text(bench, "plots/error.gp"));
}

static void text_from_records_cannot_leave_its_quotes(void **state)
{
    (void)state;
    struct plot_figure figure;
    struct error error = {STATUS_OK, ""};
    assert_int_equal(plot_figure_open(&figure, "error", "a/../b c", "\"d\"", NULL, &error), STATUS_OK);
    assert_string_equal(figure.name, "a_.._b_c-_d_");
    plot_figure_text(&figure, "text", "a\"; set output 'x'\\\n\tb");
    fflush(figure.head.stream);
    assert_non_null(strstr(figure.head.text, "\ntext = \"a\\\"; set output 'x'\\\\\\n b\"\n"));
    plot_figure_free(&figure);
    plot_figure_free(NULL);
}

/* Draws every figure again by itself; gnuplot must be silent and both pictures must hold something. */
static void check_pictures(const struct bench *bench)
{
    char folder[256], path[300], said[1000];
    struct error error = {STATUS_OK, ""};
    struct stat about;
    in_folder(bench, "plots", folder);
    for (size_t i = 0; i < bench->report.n_figures; i++) {
        const char *name = strrchr(bench->report.figures[i], '/') + 1;
        if (plot_render(folder, name, said, sizeof said, &error) != STATUS_OK)
            fail_msg("%s", error.message);
        if (*said)
            fail_msg("%s: gnuplot said: %s", name, said);
        snprintf(path, sizeof path, "%s/%s.png", folder, name);
        assert_int_equal(stat(path, &about), 0);
        assert_true(about.st_size > 4000); /* an empty frame of this size takes less */
        snprintf(path, sizeof path, "%s/%s.svg", folder, name);
        assert_int_equal(stat(path, &about), 0);
        assert_true(about.st_size > 4000);
    }
}

static void gnuplot_draws_comparisons_and_traces_in_silence(void **state)
{
    struct bench *bench = *state;
    if (!has_gnuplot())
        skip();
    share_with_paper(bench);
    write_text(bench, "config.json", "{\"tables\":[\"made2000.table1\"]}");
    add_comparison(bench, "german");
    add_trace(bench, "heart-1-clip-mdm.tsv", "clip-mdm", 20000);
    add_trace(bench, "heart-1-mu-gsk.tsv", "mu-gsk", 300);
    enum status status = draw(bench, NULL, 0);
    unsetenv("HULLBENCH_SHARE");
    if (status != STATUS_OK)
        fail_msg("%s", bench->error.message);
    assert_int_equal(bench->report.n_figures, 5);
    check_pictures(bench);
}

static void gnuplot_draws_sweeps_in_silence(void **state)
{
    struct bench *bench = *state;
    if (!has_gnuplot())
        skip();
    add_sweep(bench, 3);
    write_text(bench, "config.json",
               "{\"plots\":[{\"kind\":\"heatmap\"},{\"kind\":\"lines\",\"x\":\"mu\"},"
               "{\"kind\":\"lines\",\"name\":\"widths\",\"where\":{\"mu\":0.5}}]}");
    assert_drawn(bench, 0);
    assert_int_equal(bench->report.n_figures, 9);
    check_pictures(bench);
}

static void gnuplot_draws_a_single_record_in_silence(void **state)
{
    struct bench *bench = *state;
    if (!has_gnuplot())
        skip();
    add(bench, (struct made){.dataset = "a data set with a long \\\"name\\\" {x}", .solver = "mdm_2", .split = 1,
                             .mu = 1, .width = 1, .error_percent = 0, .iterations = 1, .kernel_operations = 10});
    assert_drawn(bench, 0);
    assert_int_equal(bench->report.n_figures, 3);
    check_pictures(bench);
    char *text = read_text(bench, "plots/error.dat");
    row_of(text, "mdm_2", "1 \"a data set with a long 'name' {x}\" 1 0 NaN 0 0 0 0 0 NaN NaN\n");
    free(text);
    text = read_text(bench, "plots/error.svg");
    assert_non_null(strstr(text, "gpPt6' transform")); /* the filled mark is placed somewhere, not only defined */
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quartiles_mean_and_deviation_follow_their_formulas),
        TEST(a_comparison_holds_the_means_and_quartiles_of_its_records),
        TEST(captions_name_drawn_splits_made_data_and_runs_that_did_not_end_well),
        TEST(printed_means_stand_beside_ours_in_the_unit_of_the_records),
        TEST(the_same_records_give_the_same_bytes),
        TEST(a_heat_map_has_rising_levels_and_the_means_of_its_cells),
        TEST(one_swept_setting_is_drawn_as_lines),
        TEST(an_entry_chooses_solvers_settings_and_metric),
        TEST(a_thinned_trace_keeps_its_extremes_and_its_end),
        TEST(damaged_input_is_refused_by_name),
        TEST(a_folder_without_records_is_not_found_and_no_folder_is_bad_input),
        TEST(only_draws_the_named_figure_and_refuses_an_unknown_name),
        TEST(without_gnuplot_the_numbers_are_written_and_the_package_is_named),
        cmocka_unit_test(text_from_records_cannot_leave_its_quotes),
        TEST(gnuplot_draws_comparisons_and_traces_in_silence),
        TEST(gnuplot_draws_sweeps_in_silence),
        TEST(gnuplot_draws_a_single_record_in_silence),
    };
    gsl_set_error_handler_off();
    unsetenv("HULLBENCH_SHARE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
