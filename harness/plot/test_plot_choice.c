/*
 * Options and specifications of figures: each error is one line that names the place and the value, and the remaining
 * records are the selected ones.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/plot/plot.h"
#include "tests/plot_bench.h"

static struct pool *pool; /* of all choices */

/* An attempt to read a choice. */
struct reading {
    const struct plot_choice_options *options;
    const struct plot_choice *choice;
    struct figure_style *style;
    const char *only;
};

static void read_choice(void *context)
{
    struct reading *reading = context;
    reading->choice = plot_choice_read(pool, reading->options, reading->style, &reading->only);
}

static enum status read_options(struct bench *bench, const struct plot_choice_options *options,
                                struct figure_style *style)
{
    struct reading reading = {options, NULL, style, NULL};
    *style = (struct figure_style){0};
    bench->error = (struct error){0};
    return attempt(read_choice, &reading, &bench->error);
}

/* Checks for one line that contains each of the texts (NULL: fewer). */
static void assert_refused(const struct bench *bench, enum status status, const char *what, const char *place,
                           const char *value)
{
    const char *message = bench->error.message;
    if (status != STATUS_BAD_INPUT)
        fail_msg("%s: status %d", what, (int)status);
    if (!*message || strchr(message, '\n'))
        fail_msg("%s: \"%s\" is not one line", what, message);
    if (!strstr(message, place) || !strstr(message, value))
        fail_msg("%s: \"%s\" names not %s and %s", what, message, place, value);
}

static void each_mistake_in_a_specification_is_one_line_with_key_and_value(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *text, *place, *value;
    } cases[] = {
        {"", "spec.json", ""},
        {"[]", "spec.json", "object"},
        {"{\"for\": \"paper\"", "spec.json", ""},
        {"{\"four\": \"paper\"}", "four", "did you mean \"for\""},
        {"{\"for\": \"paper\", \"for\": \"screen\"}", "for", "twice"},
        {"{\"for\": \"print\"}", "for", "print"},
        {"{\"for\": 1}", "for", "1"},
        {"{\"for\": \"paper\", \"width\": 8.6}", "width", "8.6"},
        {"{\"for\": \"paper\", \"width\": \"wide\"}", "width", "wide"},
        {"{\"for\": \"paper\", \"width\": \"8.6\"}", "width", "8.6"},
        {"{\"for\": \"paper\", \"width\": \"-8cm\"}", "width", "-8cm"},
        {"{\"for\": \"paper\", \"width\": \"4.9cm\"}", "width", "4.9cm"},
        {"{\"for\": \"paper\", \"width\": \"1e9cm\"}", "width", "1e9cm"},
        {"{\"width\": \"column\"}", "--width", "--for paper"},
        {"{\"single_panels\": true}", "--single-panels", "--for paper"},
        {"{\"for\": \"paper\", \"single_panels\": 1}", "single_panels", "true or false"},
        {"{\"for\": \"paper\", \"font\": \"A';set output 'x\"}", "font", "A';set"},
        {"{\"for\": \"paper\", \"font\": \"\"}", "font", "\"\""},
        {"{\"for\": \"paper\", \"font_size\": 6.5}", "font_size", "6.5"},
        {"{\"for\": \"paper\", \"font_size\": 21}", "font_size", "21"},
        {"{\"for\": \"paper\", \"font_size\": \"8pt\"}", "font_size", "8pt"},
        {"{\"formats\": \"pdf\"}", "formats", "pdf"},
        {"{\"formats\": []}", "formats", "empty"},
        {"{\"formats\": [\"eps\"]}", "formats", "eps"},
        {"{\"formats\": [\"pdf\", \"pdf\"]}", "formats[1]", "pdf"},
        {"{\"only\": 3}", "only", "3"},
        {"{\"datasets\": \"heart\"}", "datasets", "heart"},
        {"{\"datasets\": [\"heart\", 3]}", "datasets[1]", "3"},
        {"{\"datasets\": []}", "datasets", "empty"},
        {"{\"solvers\": [\"\"]}", "solvers[0]", "\"\""},
        {"{\"series\": {\"mdm\": \"MDM\"}}", "series", "MDM"},
        {"{\"series\": [\"mdm\"]}", "series[0]", "mdm"},
        {"{\"series\": [{\"name\": \"MDM\"}]}", "series[0]", "solver"},
        {"{\"series\": [{\"solver\": \"mdm\", \"color\": \"#000000\"}]}", "series[0]", "did you mean \"colour\""},
        {"{\"series\": [{\"solver\": \"mdm\", \"colour\": \"red\"}]}", "series[0].colour", "red"},
        {"{\"series\": [{\"solver\": \"mdm\", \"colour\": \"#12345g\"}]}", "series[0].colour", "#12345g"},
        {"{\"series\": [{\"solver\": \"mdm\", \"dash\": \"dash\"}]}", "series[0].dash", "dash"},
        {"{\"series\": [{\"solver\": \"mdm\", \"mark\": \"cross\"}]}", "series[0].mark", "cross"},
        {"{\"series\": [{\"solver\": \"mdm\", \"where\": [1]}]}", "series[0].where", "[1]"},
        {"{\"series\": [{\"solver\": \"mdm\", \"where\": {\"mu\": [[0.1]]}}]}", "series[0].where.mu", "[[0.1]]"},
        {"{\"series\": [{\"solver\": \"a\", \"name\": \"X\"}, {\"solver\": \"b\", \"name\": \"X\"}]}", "series[0]",
         "X"},
        {"{\"plots\": {\"kind\": \"profile\"}}", "plots", "profile"},
        {"{\"plots\": []}", "plots", "empty"},
        {"{\"plots\": [\"profile\"]}", "plots[0]", "profile"},
        {"{\"plots\": [{\"name\": \"a\"}]}", "plots[0]", "kind"},
        {"{\"plots\": [{\"kind\": \"profil\"}]}", "plots[0].kind", "did you mean \"profile\""},
        {"{\"plots\": [{\"kind\": \"error\"}, {\"kind\": \"lines\", \"z\": \"mu\"}]}", "plots[1]", "z"},
        {"{\"plots\": [{\"kind\": \"convergence\", \"split\": 0}]}", "plots[0].split", "0"},
        {"{\"plots\": [{\"kind\": \"error\", \"series\": [{\"solver\": \"a\", \"name\": \"A\"}]}]}",
         "plots[0].series[0]", "name"},
        {"{\"plots\": [{\"kind\": \"lines\", \"x\": 1}]}", "plots[0].x", "1"},
        {"{\"plots\": [{\"kind\": \"error\", \"datasets\": \"heart\"}]}", "plots[0].datasets", "heart"},
        {"{\"plots\": [{\"kind\": \"error\", \"where\": {\"mu\": null}}]}", "plots[0].where.mu", "null"},
    };
    char path[256];
    bench_path(bench, "spec.json", path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct figure_style style;
        bench_write(bench, "spec.json", cases[i].text);
        enum status status = read_options(bench, &(struct plot_choice_options){.spec = path}, &style);
        assert_refused(bench, status, cases[i].text, cases[i].place, cases[i].value);
    }
    assert_true(sizeof cases / sizeof *cases >= 40);
}

static void each_mistake_in_an_option_is_one_line_with_option_and_value(void **state)
{
    struct bench *bench = *state;
    static const struct {
        struct plot_choice_options options;
        const char *place, *value;
    } cases[] = {
        {{.use = "papr"}, "--for", "did you mean \"paper\""},
        {{.use = "paper", .width = "colum"}, "--width", "colum"},
        {{.use = "paper", .width = "nancm"}, "--width", "nancm"},
        {{.use = "paper", .width = "61cm"}, "--width", "61cm"},
        {{.use = "paper", .width = " 8cm"}, "--width", " 8cm"},
        {{.width = "8cm"}, "--width", "--for paper"},
        {{.font = "Times"}, "--font", "--for paper"},
        {{.use = "paper", .font_size = "6.99"}, "--font-size", "6.99"},
        {{.use = "paper", .font_size = "big"}, "--font-size", "big"},
        {{.use = "paper", .font_size = "8cm"}, "--font-size", "8cm"},
        {{.use = "paper", .font = "`id`"}, "--font", "`id`"},
        {{.formats = "svg,"}, "--format", "\"\""},
        {{.formats = "pdf;svg"}, "--format", "pdf;svg"},
        {{.datasets = ""}, "--datasets", "\"\""},
        {{.datasets = "heart,heart"}, "--datasets", "heart"},
        {{.solvers = "mdm,,gsk"}, "--solvers", "\"\""},
        {{.series = "=MDM"}, "--series", "solver"},
        {{.series = "mdm="}, "--series", "name"},
        {{.series = "a=X,b=X"}, "--series", "X"},
        {{.spec = "/nonexistent/spec.json"}, "/nonexistent/spec.json", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct figure_style style;
        enum status status = read_options(bench, &cases[i].options, &style);
        assert_refused(bench, status, cases[i].place, cases[i].place, cases[i].value);
    }
}

static void a_width_has_a_unit_or_a_name(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double cm;
    } cases[] = {{"column", 8.6}, {"text", 17.8}, {"8.6cm", 8.6}, {"86mm", 8.6}, {"5in", 12.7}, {"722.7pt", 25.4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct figure_style style = {0};
        const char *only = NULL;
        plot_choice_read(pool, &(struct plot_choice_options){.use = "paper", .width = cases[i].text}, &style, &only);
        const double cm = style.width;
        assert_true(fabs(cm - cases[i].cm) < 1e-12); /* a product of two numbers below 1000 */
    }
}

/* Draws with the specification, without pictures. */
static enum status draw(struct bench *bench, const char *spec)
{
    char path[256];
    struct plot_options options = {.no_render = 1};
    bench_path(bench, "spec.json", path);
    bench_write(bench, "spec.json", spec);
    bench->error = (struct error){0};
    fflush(bench->records);
    options.choice = plot_choice_read(pool, &(struct plot_choice_options){.spec = path}, &options.style, &options.only);
    return bench_plot(bench->folder, &options, &bench->report, &bench->error);
}

static void series_are_chosen_renamed_and_keep_their_solvers_looks(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "");
    assert_int_equal(draw(bench, "{\"for\": \"paper\"}"), STATUS_OK);
    char expected[80], *all = bench_read(bench, "paper/error.gp");
    snprintf(expected, sizeof expected, "array series_colour[3] = [\"%s\", \"%s\", ", series_style_at(0).colour,
             series_style_at(1).colour);
    assert_non_null(strstr(all, expected));
    free(all);
    assert_int_equal(
        draw(bench, "{\"for\": \"paper\", \"series\": [{\"solver\": \"clip-mdm\", \"name\": \"Mine (a, b)\"}]}"),
        STATUS_OK);
    char *mine = bench_read(bench, "paper/error.gp"), *words = bench_read(bench, "paper/error.txt");
    assert_non_null(strstr(mine, "array series[1] = [\"Mine (a, b)\"]"));
    assert_true(strncmp(words, "Test error (%): ", 16) == 0 && !strstr(words, "clip-mdm"));
    /* clip-mdm is the second solver of the records, even if drawn alone */
    snprintf(expected, sizeof expected, "array series_colour[1] = [\"%s\"]", series_style_at(1).colour);
    assert_non_null(strstr(mine, expected));
    free(mine);
    free(words);
}

/* The third of eight solvers is drawn with two values of mu, and the ninth style has the colour of the third. */
static void a_second_series_of_a_solver_has_a_colour_of_its_own(void **state)
{
    struct bench *bench = *state;
    for (int s = 0; s < 9; s++)
        for (int split = 1; split <= 3; split++)
            bench_add(bench, (struct made){.dataset = "heart",
                                           .solver = (const char *const[]){"gsk", "mdm", "clip-mdm", "mu-gsk", "mu-mdm",
                                                                           "clip-gsk", "ch-mdm", "gilbert",
                                                                           "clip-mdm"}[s],
                                           .split = split,
                                           .source = "official",
                                           .outcome = "converged",
                                           .mu = s == 8 ? 0.5 : 0.25,
                                           .width = 10,
                                           .error_percent = 5.0 + s + split,
                                           .iterations = 100 * (s + 1) + split,
                                           .kernel_operations = 1000 * (s + 1) + split});
    assert_int_equal(draw(bench, "{\"for\": \"paper\", \"solvers\": [\"clip-mdm\"]}"), STATUS_OK);
    char *text = bench_read(bench, "paper/error.gp");
    const char *colours = strstr(text, "array series_colour[2] = [\"");
    assert_non_null(colours);
    colours = strchr(colours, '"') + 1;
    assert_true(strncmp(colours, series_style_at(2).colour, 7) == 0);
    assert_true(strncmp(colours, strstr(colours, "\", \"") + 4, 7) != 0);
    free(text);
}

static void a_look_of_a_specification_goes_before_that_of_the_place(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "");
    assert_int_equal(draw(bench,
                          "{\"series\": [{\"solver\": \"clip-mdm\", \"colour\": \"#123456\", \"dash\": \"dotted\", "
                          "\"mark\": \"open-square\"}]}"),
                     STATUS_OK);
    char *text = bench_read(bench, "plots/error.gp");
    assert_non_null(strstr(text, "array series_colour[1] = [\"#123456\"]\narray series_dash[1] = [3]\n"
                                 "array series_mark[1] = [8]\n"));
    free(text);
}

static void looks_of_places_differ_up_to_48(void **state)
{
    (void)state;
    for (size_t i = 0; i < 48; i++)
        for (size_t j = 0; j < i; j++) {
            const struct series_style a = series_style_at(i), b = series_style_at(j);
            assert_false(a.dash == b.dash && a.mark == b.mark && strcmp(a.colour, b.colour) == 0);
            /* neighbours are distinguishable in grey, without colours: both mark and dash differ */
            assert_false(i - j == 1 && (a.dash == b.dash || a.mark == b.mark));
        }
}

static void a_condition_that_leaves_nothing_is_named(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "");
    assert_int_equal(draw(bench, "{\"series\": [{\"solver\": \"clip-mdm\", \"where\": {\"mu\": 77}}]}"),
                     STATUS_NOT_FOUND);
    assert_non_null(strstr(bench->error.message, "77"));
    assert_int_equal(draw(bench, "{\"datasets\": [\"hart\"]}"), STATUS_BAD_INPUT);
    assert_non_null(strstr(bench->error.message, "did you mean \"heart\""));
    assert_int_equal(draw(bench, "{\"solvers\": [\"nobody\"]}"), STATUS_BAD_INPUT);
    assert_non_null(strstr(bench->error.message, "nobody"));
    assert_int_equal(bench->report.figures.count, 0);
}

/* 1-smo, which has no mu, once per split next to the sweep over mu. */
static void add_baseline(struct bench *bench)
{
    for (int split = 1; split <= 3; split++)
        fprintf(bench->records,
                "{\"schema\":1,\"config\":\"made\",\"dataset\":\"heart\",\"split\":%d,\"split_source\":\"official\","
                "\"solver\":\"1-smo\",\"params\":{\"C\":10},\"kernel\":{\"type\":\"rbf\",\"width\":10},"
                "\"stop\":{\"rule\":\"kkt\",\"tolerance\":0.001},\"outcome\":\"converged\",\"iterations\":%d,"
                "\"kernel_operations\":{\"setup\":1,\"iterations\":%d,\"predict\":1},\"kernel_evaluations\":1,"
                "\"support_vectors\":12,\"error_percent\":%d,\"objective\":1,\"duality_gap\":1e-6,"
                "\"kkt_violation\":1e-6,\"bias\":0,\"feasibility\":0,\"mu_effective\":null,\"rch_mu\":null}\n",
                split, 10 * split, 100 * split, 10 + split);
}

/* Checks the status and one line that contains both texts, and that nothing is drawn. */
static void assert_nothing_drawn(struct bench *bench, const char *spec, enum status expected, const char *place,
                                 const char *value)
{
    const enum status status = draw(bench, spec);
    if (status != expected || !strstr(bench->error.message, place) || !strstr(bench->error.message, value))
        fail_msg("%s: status %d, \"%s\"", spec, (int)status, bench->error.message);
    assert_int_equal(bench->report.figures.count, 0);
}

static void a_name_in_an_entry_that_no_record_has_is_refused(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *entry, *place, *value;
    } cases[] = {
        {"\"series\": [{\"solver\": \"clip-mdm\"}, {\"solver\": \"mu-mbm\"}]", "plots[0].series[1].solver",
         "did you mean \"mu-mdm\""},
        {"\"series\": [{\"solver\": \"mu-mdm\", \"where\": {\"muu\": 0.1}}]",
         "plots[0].series[0].where", "\"muu\""},
        {"\"solvers\": [\"clip-mdm\", \"nobody\"]", "plots[0].solvers[1]", "nobody"},
        {"\"solver\": \"nobody\"", "plots[0].solver", "nobody"},
        {"\"datasets\": [\"hart\"]", "plots[0].datasets[0]", "did you mean \"heart\""},
        {"\"where\": {\"widht\": 10}", "plots[0].where", "did you mean \"width\""},
    };
    static const char *const kinds[] = {"profile", "critical-difference"};
    bench_add_comparison(bench, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[400];
        snprintf(spec, sizeof spec, "{\"plots\": [{\"kind\": \"error\", %s}]}", cases[i].entry);
        assert_nothing_drawn(bench, spec, STATUS_BAD_INPUT, cases[i].place, cases[i].value);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char spec[200];
        snprintf(spec, sizeof spec, "{\"plots\": [{\"kind\": \"error\", \"name\": \"e\"}, {\"kind\": \"%s\", "
                                    "\"metric\": \"colour\"}]}", kinds[i]);
        assert_int_equal(draw(bench, spec), STATUS_BAD_INPUT);
        assert_non_null(strstr(bench->error.message, "spec.json:1:"));
        assert_non_null(strstr(bench->error.message, ": plots[1].metric: unknown metric \"colour\""));
    }
    assert_nothing_drawn(bench, "{\"series\": [{\"solver\": \"clip-mdm\", \"where\": {\"widht\": 1}}]}",
                         STATUS_BAD_INPUT, ": series[0].where", "did you mean \"width\"");
}

static void a_series_that_no_record_fits_is_named_though_others_fit(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "");
    assert_nothing_drawn(bench,
                         "{\"plots\": [{\"kind\": \"profile\", \"series\": [{\"solver\": \"clip-mdm\"}, {\"solver\": "
                         "\"mu-mdm\"}, {\"solver\": \"mu-mdm\", \"where\": {\"width\": 77}}]}]}",
                         STATUS_NOT_FOUND, "plots[0].series[2].where.width", "77");
}

static void a_condition_that_drops_a_listed_solver_is_named_and_null_keeps_it(void **state)
{
    struct bench *bench = *state;
    bench_add_sweep(bench, 1);
    add_baseline(bench);
    static const char *const lists[] = {"\"solvers\": [\"clip-mdm\", \"1-smo\"]",
                                        "\"series\": [{\"solver\": \"clip-mdm\"}, {\"solver\": \"1-smo\"}]"};
    for (size_t i = 0; i < 2; i++) {
        char spec[400];
        snprintf(spec, sizeof spec, "{\"plots\": [{\"kind\": \"error\", %s, \"where\": {\"mu\": 0.5}}]}", lists[i]);
        assert_nothing_drawn(bench, spec, STATUS_NOT_FOUND, "plots[0].where.mu", "1-smo");
        snprintf(spec, sizeof spec, "{\"plots\": [{\"kind\": \"error\", %s, \"where\": {\"mu\": [0.5, null]}}]}",
                 lists[i]);
        assert_int_equal(draw(bench, spec), STATUS_OK);
        char *drawn = bench_read(bench, "plots/error.gp");
        assert_non_null(strstr(drawn, "\"1-smo\""));
        free(drawn);
    }
}

static void a_series_that_an_option_leaves_out_is_said(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "");
    assert_int_equal(draw(bench, "{\"solvers\": [\"clip-mdm\"], \"plots\": [{\"kind\": \"error\", \"series\": "
                                 "[{\"solver\": \"clip-mdm\"}, {\"solver\": \"mu-mdm\"}]}]}"),
                     STATUS_OK);
    assert_non_null(strstr(bench->report.notes, "series[1]"));
    assert_non_null(strstr(bench->report.notes, "mu-mdm"));
}

static void single_panels_are_figures_of_one_set_of_numbers(void **state)
{
    struct bench *bench = *state;
    bench_add_comparison(bench, "");
    assert_int_equal(
        draw(bench, "{\"for\": \"paper\", \"single_panels\": true, \"plots\": [{\"kind\": \"profile\"}]}"),
        STATUS_OK);
    /* iterations, kernel operations, data profile */
    assert_int_equal(bench->report.figures.count, 3);
    char *first = bench_read(bench, "paper/profile-1.gp"), *last = bench_read(bench, "paper/profile-3.gp");
    assert_non_null(strstr(first, "\npanel = 1\n"));
    assert_non_null(strstr(last, "\npanel = 3\n"));
    assert_non_null(strstr(last, "\ndata = \"profile.dat\"\n"));
    free(bench_read(bench, "paper/profile-3.txt"));
    free(bench_read(bench, "paper/profile.dat"));
    free(first);
    free(last);
}

static void a_solver_without_the_swept_setting_is_a_reference_line(void **state)
{
    struct bench *bench = *state;
    bench_add_sweep(bench, 1);
    add_baseline(bench);
    assert_int_equal(draw(bench, "{\"plots\": [{\"kind\": \"lines\", \"metric\": \"iterations\"}]}"), STATUS_OK);
    char *text = bench_read(bench, "plots/lines-heart.dat"), *gp = bench_read(bench, "plots/lines-heart.gp");
    /* 10, 20, 30: mean 20, deviation 10, quartiles 15, 20, 25 */
    assert_non_null(strstr(text, "iterations, without mu: 1-smo\nNaN 3 20 10 15 20 25 0\n"));
    assert_non_null(strstr(gp, "array reference[2] = [0, 1]"));
    free(text);
    free(gp);
}

/* Draws lines over the values of mu and checks whether each is the text of a tic, as gnuplot's own would not be. */
static void check_tics(struct bench *bench, const double *values, size_t n, int are_tics)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        bench_add(bench, (struct made){.dataset = "heart", .solver = "clip-mdm", .split = 1, .mu = values[i],
                                       .width = 1, .error_percent = 20 + (double)i, .iterations = 5,
                                       .kernel_operations = 5});
    fflush(bench->records);
    bench_write(bench, "config.json", "{\"plots\":[{\"kind\":\"lines\",\"metric\":\"error\"}]}");
    bench_assert_drawn(bench, 0);
    char *svg = bench_read(bench, "plots/lines-heart.svg");
    for (size_t i = 0; i < n; i++) {
        char text[40];
        snprintf(text, sizeof text, ">%.6g<", values[i]);
        found += strstr(svg, text) != NULL;
    }
    assert_int_equal(found == n, are_tics);
    free(svg);
}

static void few_swept_values_are_the_tics(void **state)
{
    static const struct {
        double values[9];
        size_t n;
        int are_tics;
    } cases[] = {
        {{0.0625, 0.125, 0.25, 0.5}, 4, 1},
        {{0.3, 0.7, 1.3}, 3, 1},
        {{0.11, 0.21, 0.31, 0.41, 0.51, 0.61, 0.71, 0.81, 0.91}, 9, 0}, /* too many */
        {{1.01, 900.3, 901.1}, 3, 0},                                   /* too close */
    };
    if (!bench_has_gnuplot())
        return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_tics(*state, cases[i].values, cases[i].n, cases[i].are_tics);
        assert_int_equal(bench_tear_down(state) | bench_set_up(state), 0);
    }
}

int main(void)
{
#define BENCH_TEST(test) cmocka_unit_test_setup_teardown(test, bench_set_up, bench_tear_down)
    const struct CMUnitTest tests[] = {
        BENCH_TEST(each_mistake_in_a_specification_is_one_line_with_key_and_value),
        BENCH_TEST(each_mistake_in_an_option_is_one_line_with_option_and_value),
        cmocka_unit_test(a_width_has_a_unit_or_a_name),
        BENCH_TEST(series_are_chosen_renamed_and_keep_their_solvers_looks),
        BENCH_TEST(a_second_series_of_a_solver_has_a_colour_of_its_own),
        BENCH_TEST(a_look_of_a_specification_goes_before_that_of_the_place),
        cmocka_unit_test(looks_of_places_differ_up_to_48),
        BENCH_TEST(a_condition_that_leaves_nothing_is_named),
        BENCH_TEST(a_name_in_an_entry_that_no_record_has_is_refused),
        BENCH_TEST(a_series_that_no_record_fits_is_named_though_others_fit),
        BENCH_TEST(a_condition_that_drops_a_listed_solver_is_named_and_null_keeps_it),
        BENCH_TEST(a_series_that_an_option_leaves_out_is_said),
        BENCH_TEST(single_panels_are_figures_of_one_set_of_numbers),
        BENCH_TEST(a_solver_without_the_swept_setting_is_a_reference_line),
        BENCH_TEST(few_swept_values_are_the_tics),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
