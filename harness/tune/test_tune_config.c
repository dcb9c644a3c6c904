/* Configurations of a search: their values, and that every error names the place and the allowed values. */
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
#include "harness/base/pool.h"
#include "harness/tune/tune_config.h"
#include "solvers/registry.h"

/* The order of the axes. */
enum { TUNE_C, TUNE_WIDTH };

#define TUNE "\"C\": {\"from\": 0.125, \"to\": 2048}, \"width\": {\"from\": 0.5, \"to\": 8192}"

/* A valid configuration with some parts replaced; NULL: the defaults. */
static char *text_of(const char *extra, const char *kernel, const char *solvers, const char *tune)
{
    return xasprintf("{\"name\": \"n\", \"datasets\": [\"titanic\"], \"standardise\": \"none\", \"kernel\": %s, "
                     "\"solvers\": %s, \"stop\": {\"rule\": \"delta\", \"tolerance\": 0.01}%s, \"tune\": %s}",
                     kernel ? kernel : "{\"type\": \"rbf\"}", solvers ? solvers : "[\"1-smo\"]", extra ? extra : "",
                     tune ? tune : "{" TUNE ", \"grid\": {\"C\": 3, \"width\": 4}}");
}

static struct pool *pool; /* of all configurations */

static void parse(void *text)
{
    tune_config_parse(pool, "file", text);
}

static void read_path(void *path)
{
    tune_config_read(pool, path);
}

static struct tune_config *read_good(const char *extra, const char *kernel, const char *solvers, const char *tune)
{
    char *text = text_of(extra, kernel, solvers, tune);
    struct tune_config *config = tune_config_parse(pool, "file", text);
    free(text);
    return config;
}

static void refused(const char *message, const char *extra, const char *kernel, const char *solvers, const char *tune)
{
    struct error error = {0};
    char *text = text_of(extra, kernel, solvers, tune);
    assert_int_equal(attempt(parse, text, &error), STATUS_BAD_INPUT);
    free(text);
    if (!strstr(error.message, message))
        print_error("got: %s\nnot: %s\n", error.message, message);
    assert_non_null(strstr(error.message, message));
    assert_ptr_equal(strstr(error.message, "file: "), error.message);
}

static void everything_that_is_given_is_read(void **state)
{
    (void)state;
    struct tune_config *config =
        read_good(", \"seed\": 9", NULL, NULL,
                  "{\"splits\": 3, \"folds\": 4, \"stratified\": true, " TUNE ", \"grid\": {\"C\": 5, \"width\": 6}, "
                  "\"cma-es\": {\"generations\": 7, \"population\": 8, \"sigma\": 0.25, \"start\": [16, 4]}, "
                  "\"printed\": {\"table\": \"paper.table\", \"C\": \"c\", \"width\": \"w\"}}");
    assert_int_equal(config->n_splits, 3);
    assert_int_equal(config->n_folds, 4);
    assert_int_equal(config->stratified, 1);
    assert_int_equal(config->config->seed, 9);
    assert_int_equal(config->config->n_splits, 3);
    assert_true(config->axes[TUNE_C].low == -3 && config->axes[TUNE_C].high == 11);
    assert_true(config->axes[TUNE_WIDTH].low == -1 && config->axes[TUNE_WIDTH].high == 13);
    assert_int_equal(config->grid[TUNE_C], 5);
    assert_int_equal(config->grid[TUNE_WIDTH], 6);
    assert_int_equal(config->generations, 7);
    assert_int_equal(config->population, 8);
    assert_true(config->step == 0.25 && config->start[TUNE_C] == 4 && config->start[TUNE_WIDTH] == 2);
    assert_string_equal(config->printed_table, "paper.table");
    assert_string_equal(config->printed_column[TUNE_C], "c");
    assert_string_equal(config->printed_column[TUNE_WIDTH], "w");
}

static void what_is_left_out_has_the_documented_default(void **state)
{
    (void)state;
    struct tune_config *config = read_good(NULL, NULL, NULL, "{" TUNE ", \"cma-es\": {}}");
    assert_int_equal(config->n_splits, 5);
    assert_int_equal(config->n_folds, 5);
    assert_int_equal(config->stratified, 0);
    assert_int_equal(config->grid[TUNE_C] + config->grid[TUNE_WIDTH], 0);
    assert_int_equal(config->generations, 50);
    assert_int_equal(config->population, 6); /* 4 + floor(3 ln 2) */
    assert_true(config->step == 0.3 && config->start[TUNE_C] == 4 && config->start[TUNE_WIDTH] == 6);
    assert_null(config->printed_table);
    config = read_good(NULL, NULL, NULL, NULL);
    assert_int_equal(config->generations, 0);
}

static void the_text_is_kept_byte_for_byte(void **state)
{
    (void)state;
    char *text = text_of(NULL, NULL, NULL, NULL);
    struct tune_config *config = read_good(NULL, NULL, NULL, NULL);
    assert_string_equal(config->config->text, text);
    free(text);
}

#define Q "\"q\": {\"from\": 2, \"to\": 20}"
#define WIDTH_2 "{\"type\": \"rbf\", \"width\": 2}"
#define KKT ", \"parameters\": {\"C\": 10}"

static void one_or_two_numbers_of_kernel_and_solvers_are_searched(void **state)
{
    (void)state;
    static const struct {
        const char *extra, *kernel, *tune;
        const char *names[2];
        int logarithmic[2];
        double multiple_of[2], low[2], high[2];
    } cases[] = {
        {KKT, WIDTH_2, "{" Q ", \"grid\": {\"q\": 4}}", {"q"}, {0}, {2}, {2}, {20}},
        {NULL, NULL, "{" TUNE ", \"grid\": {\"C\": 3, \"width\": 4}}", {"C", "width"}, {1, 1}, {0, 0}, {-3, -1},
         {11, 13}},
        /* parameters before numbers of the kernel, otherwise in the order of the file */
        {NULL, WIDTH_2, "{" Q ", \"C\": {\"from\": 1, \"to\": 8}, \"cma-es\": {}}", {"q", "C"}, {0, 1}, {2, 0}, {2, 0},
         {20, 3}},
        {KKT, NULL, "{\"width\": {\"from\": 1, \"to\": 8}, " Q ", \"cma-es\": {}}", {"q", "width"}, {0, 1}, {2, 0},
         {2, 0}, {20, 3}},
        /* the scale that a range requests */
        {NULL, WIDTH_2, "{\"C\": {\"from\": 1, \"to\": 8, \"scale\": \"linear\"}, \"q\": {\"from\": 2, \"to\": 16, "
         "\"scale\": \"log\"}, \"cma-es\": {}}", {"C", "q"}, {0, 1}, {0, 2}, {1, 1}, {8, 4}},
        {KKT, "{\"type\": \"polynomial\"}",
         "{\"offset\": {\"from\": -1, \"to\": 0}, \"degree\": {\"from\": 1, \"to\": 5}, \"grid\": {\"degree\": 3, "
         "\"offset\": 2}}", {"offset", "degree"}, {0, 0}, {0, 1}, {-1, 1}, {0, 5}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tune_config *config = read_good(cases[i].extra, cases[i].kernel, "[\"svm-light\"]", cases[i].tune);
        assert_int_equal(config->n_axes, cases[i].names[1] ? 2 : 1);
        for (size_t a = 0; a < config->n_axes; a++) {
            const struct tune_axis *axis = &config->axes[a];
            assert_string_equal(axis->name, cases[i].names[a]);
            assert_int_equal(axis->logarithmic, cases[i].logarithmic[a]);
            assert_true(axis->multiple_of == cases[i].multiple_of[a]);
            assert_true(axis->low == cases[i].low[a] && axis->high == cases[i].high[a]);
        }
    }
}

/* 9 steps of 2 from 2 to 20 in 4 equal parts: the levels between are rounded. */
static void levels_of_whole_numbers_need_not_divide_their_range(void **state)
{
    (void)state;
    static const double wanted[] = {2, 6, 12, 16, 20};
    struct tune_config *config = read_good(KKT, WIDTH_2, "[\"svm-light\"]", "{" Q ", \"grid\": {\"q\": 5}}");
    assert_int_equal(config->grid[0], 5);
    for (size_t level = 0; level < 5; level++) {
        double place, value;
        tune_axis_at(&config->axes[0], (double)level / 4, &place, &value);
        assert_true(value == wanted[level]);
    }
}

static void values_lie_on_the_scale_and_are_whole_where_they_have_to_be(void **state)
{
    (void)state;
    static const double parts[] = {0, 0.1, 0.25, 0.5, 0.77, 1};
    struct tune_axis axis = {.from = 2, .to = 20, .low = 2, .high = 20};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int whole = 0; whole < 2; whole++)
            for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
                double place, value;
                double wanted = logarithmic ? 2 * pow(10, parts[i]) : 2 + 18 * parts[i];
                axis.multiple_of = 2 * whole;
                axis.logarithmic = logarithmic;
                axis.low = tune_axis_place(&axis, 2);
                axis.high = tune_axis_place(&axis, 20);
                tune_axis_at(&axis, parts[i], &place, &value);
                assert_true(fabs(value - wanted) <= (whole ? 1 + 1e-4 : 1e-4));
                assert_true(!whole || fmod(value, 2) == 0);
                assert_true(fabs(place - (logarithmic ? log2(value) : value)) < 1e-6); /* multiples of 2^-20 */
                assert_true(fabs(tune_axis_part(&axis, place) - parts[i]) < (whole ? 0.4 : 1e-6));
                assert_true(fabs(tune_axis_value(&axis, place) - value) < 1e-4);
            }
}

static void mistakes_in_ranges_are_named(void **state)
{
    (void)state;
    static const char *const wrong[][4] = { /* message, more, kernel, tune */
        {"tune: no range to search", NULL, WIDTH_2, "{\"grid\": {}}"},
        {"tune: \"width\" is one range too many", NULL, NULL, "{" TUNE ", " Q ", \"cma-es\": {}}"},
        {"tune: unknown key \"qq\"; did you mean \"q\"", KKT, WIDTH_2, "{\"qq\": {\"from\": 2, \"to\": 4}}"},
        {"tune: unknown key \"start\"", KKT, WIDTH_2, "{\"start\": {\"from\": 0, \"to\": 1}}"}, /* words */
        {"tune.q.from: 3 is out of range; allowed: a multiple of 2", KKT, WIDTH_2, "{\"q\": {\"from\": 3, \"to\": 8}}"},
        {"tune.q.to: 9999 is out of range; allowed: a multiple of 2 from 2, at most 4096", KKT, WIDTH_2,
         "{\"q\": {\"from\": 2, \"to\": 9999}}"},
        {"tune.q: \"from\" is 8 and \"to\" is 8; allowed: ", KKT, WIDTH_2, "{\"q\": {\"from\": 8, \"to\": 8}}"},
        {"tune.q.scale: unknown scale \"lin\"", KKT, WIDTH_2, "{\"q\": {\"from\": 2, \"to\": 8, \"scale\": \"lin\"}}"},
        {"tune.new_variables.from: 0 is out of range", KKT, WIDTH_2,
         "{\"new_variables\": {\"from\": 0, \"to\": 8, \"scale\": \"log\"}}"},
        {"tune.grid: key \"q\" is missing", KKT, WIDTH_2, "{" Q ", \"grid\": {}}"},
        {"tune.cma-es: CMA-ES needs two ranges", KKT, WIDTH_2, "{" Q ", \"cma-es\": {}}"},
        {"tune.printed: \"printed\" needs exactly", NULL, WIDTH_2,
         "{\"C\": {\"from\": 1, \"to\": 2}, " Q ", \"cma-es\": {}, \"printed\": {}}"},
        {"parameters.q: the search sets this value; ", ", \"parameters\": {\"C\": 10, \"q\": 4}",
         WIDTH_2, "{" Q ", \"grid\": {\"q\": 4}}"},
        /* new_variables is at most q at every searched value */
        {"parameters.new_variables: 4 is out of range; allowed: at most q, which is 2",
         ", \"parameters\": {\"C\": 10, \"new_variables\": 4}", WIDTH_2, "{" Q ", \"grid\": {\"q\": 4}}"},
        {"parameters.new_variables: 12 is out of range; allowed: at most q, which is 10", KKT, WIDTH_2,
         "{\"new_variables\": {\"from\": 0, \"to\": 12}, \"grid\": {\"new_variables\": 3}}"},
        {"parameters.new_variables: 8 is out of range; allowed: at most q, which is 6", KKT, WIDTH_2,
         "{\"new_variables\": {\"from\": 0, \"to\": 8}, \"q\": {\"from\": 6, \"to\": 8}, \"cma-es\": {}}"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(wrong[i][0], wrong[i][1], wrong[i][2], "[\"svm-light\"]", wrong[i][3]);
    refused("solvers[1]: solver \"1-smo\" has no parameter \"q\" to search", KKT, WIDTH_2,
            "[\"svm-light\", \"1-smo\"]", "{" Q ", \"grid\": {\"q\": 4}}");
}

static void mistakes_in_tune_are_named(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"{" TUNE "}", "tune: expected \"grid\" or \"cma-es\""},
        {"{" TUNE ", \"grid\": {\"C\": 3}}", "tune.grid: key \"width\" is missing"},
        {"{" TUNE ", \"grid\": {\"C\": 1, \"width\": 3}}",
         "tune.grid.C: 1 is out of range; allowed: 2 to 200"},
        {"{" TUNE ", \"grid\": {\"C\": 2.5, \"width\": 3}}", "tune.grid.C: 2.5 is not a whole number"},
        {"{" TUNE ", \"grids\": {}}", "tune: unknown key \"grids\""},
        {"{" TUNE ", \"cma-es\": {\"generation\": 3}}", "tune.cma-es: unknown key \"generation\""},
        {"{" TUNE ", \"cma-es\": {\"sigma\": 2}}", "tune.cma-es.sigma: 2 is out of range; allowed: above 0, at most 1"},
        {"{" TUNE ", \"cma-es\": {\"population\": 1}}", "tune.cma-es.population: 1 is out of range"},
        {"{" TUNE ", \"cma-es\": {\"start\": \"corner\"}}",
         "tune.cma-es.start: \"corner\" is unknown; allowed: \"middle\""},
        {"{" TUNE ", \"cma-es\": {\"start\": [1]}}", "tune.cma-es.start: [1] is unknown"},
        {"{" TUNE ", \"cma-es\": {\"start\": [1, 9000]}}",
         "tune.cma-es.start[1]: 9000 is out of the range of width; allowed: 0.5 to 8192"},
        {"{\"C\": {\"from\": 8, \"to\": 2}, \"width\": {\"from\": 1, \"to\": 2}}",
         "tune.C: \"from\" is 8 and \"to\" is 2; allowed: "},
        {"{\"C\": {\"from\": 0, \"to\": 2}, \"width\": {\"from\": 1, \"to\": 2}}", "tune.C.from: 0 is out of range"},
        {"{\"C\": {\"from\": 1, \"to\": 2}, \"width\": {\"from\": 1}}", "tune.width: key \"to\" is missing"},
        {"{\"C\": {\"from\": 1, \"to\": 2}, \"grid\": {\"C\": 2}}", "kernel: key \"width\" is missing"},
        {"{\"splits\": 0, " TUNE ", \"cma-es\": {}}", "tune.splits: 0 is out of range"},
        {"{\"folds\": 1, " TUNE ", \"cma-es\": {}}", "tune.folds: 1 is out of range; allowed: 2 to 1000"},
        {"{\"stratified\": 1, " TUNE ", \"cma-es\": {}}", "tune.stratified: expected true or false"},
        {"{" TUNE ", \"cma-es\": {}, \"printed\": {\"table\": \"t\", \"C\": \"c\"}}",
         "tune.printed: key \"width\" is missing"},
        {"7", "tune: 7 is not an object"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(wrong[i][1], NULL, NULL, NULL, wrong[i][0]);
}

static double of_distance(double squared_distance, const double *values)
{
    return exp(-sqrt(squared_distance) / values[0]);
}

static const struct parameter
    shape = {.name = "shape", .meaning = "m", .min = 0, .min_is_open = 1, .max = 9, .fallback = NAN},
    quick = {.name = "quick", .meaning = "m", .type = PARAMETER_SWITCH};
static const struct kernel_family own = {.name = "own", .meaning = "m", .type = KERNEL_OF_PLUGIN,
                                         .parameters = PARAMETERS(&shape, &quick), .of_distance = of_distance};

static void the_numbers_of_a_plugin_s_kernel_are_named(void **state)
{
    (void)state;
    static const struct kernel_family *const list[] = {&own, NULL};
    static char file[] = "own.so";
    static const struct solver_origin origin = {.file = file};
    assert_int_equal(kernel_families_add(list, &origin, NULL), STATUS_OK);
    refused("kernel.type: kernel \"own\" has no width to search; allowed: shape", NULL, "{\"type\": \"own\"}",
            NULL, NULL);
    refused("kernel.type: kernel \"rbf\" has no shape to search; allowed: width", ", \"parameters\": {\"C\": 1}",
            NULL, NULL, "{\"shape\": {\"from\": 1, \"to\": 2}, \"grid\": {\"shape\": 2}}");
    read_good(", \"parameters\": {\"C\": 1}", "{\"type\": \"own\"}", NULL,
              "{\"shape\": {\"from\": 1, \"to\": 2}, \"grid\": {\"shape\": 2}}");
    kernel_families_remove(&origin);
}

static void mistakes_elsewhere_are_named(void **state)
{
    (void)state;
    refused("kernel.width: the search sets this value; give its range in tune.width", NULL,
            "{\"type\": \"rbf\", \"width\": 2}", NULL, NULL);
    refused("kernel.type: kernel \"linear\" has no width to search and no other parameter", NULL,
            "{\"type\": \"linear\"}", NULL, NULL);
    refused("kernel.type: kernel \"polynomial\" has no width to search; allowed: degree, offset, scale", NULL,
            "{\"type\": \"polynomial\", \"degree\": 2}", NULL, NULL);
    refused("kernel: key \"type\" is missing", NULL, "{}", NULL, NULL);
    refused("parameters.C: the search sets this value; ", ", \"parameters\": {\"C\": 2}", NULL, NULL,
            NULL);
    refused("solvers[0]: solver \"clip-mdm\" has no parameter \"C\" to search", NULL, NULL, "[\"clip-mdm\"]",
            NULL);
    refused("solvers[0].parameters.C: the search sets this value; ", NULL, NULL,
            "[{\"name\": \"1-smo\", \"parameters\": {\"C\": 1}}]", NULL);
    refused("solvers[1]: a search must name its solvers", NULL, NULL, "[\"1-smo\", \"*\"]", NULL);
    refused("solvers[0]: unknown solver \"3-smo\"", NULL, NULL, "[\"3-smo\"]", NULL);
    refused("solvers[1]: repeats solvers[0]", NULL, NULL, "[\"1-smo\", \"1-smo\"]", NULL);
    refused("solver \"1-smo\" occurs twice", NULL, NULL,
            "[\"1-smo\", {\"name\": \"1-smo\", \"parameters\": {\"start\": \"first-pair\"}}]", NULL);
    refused("file: parameters.start: has 2 values; expected one",
            ", \"parameters\": {\"start\": [\"zero\", \"first-pair\"]}", NULL, NULL, NULL);
    refused("file: solvers[1].parameters.start: has 2 values; expected one", NULL, NULL,
            "[\"second-order-smo\", "
            "{\"name\": \"1-smo\", \"parameters\": {\"start\": [\"zero\", \"first-pair\"]}}]", NULL);
    refused("unknown key \"splits\"", ", \"splits\": 3", NULL, NULL, NULL);
    refused("unknown key \"tables\"", ", \"tables\": []", NULL, NULL, NULL);
    refused("unknown key \"seeds\"; did you mean \"seed\"?", ", \"seeds\": 3", NULL, NULL, NULL);
}

static void a_configuration_of_a_run_is_told_what_is_missing(void **state)
{
    (void)state;
    static char unfinished[] = "{\"name\": \"n\"}", list[] = "[]", broken[] = "{\n\"name\": }";
    static char nowhere[] = "/nowhere/file";
    struct error error;
    assert_int_equal(attempt(parse, unfinished, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.message, "file: key \"tune\" is missing; it describes the search");
    assert_int_equal(attempt(parse, list, &error), STATUS_BAD_INPUT);
    assert_int_equal(attempt(parse, broken, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "file:2:9: not valid JSON"));
    assert_int_equal(attempt(read_path, nowhere, &error), STATUS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_that_is_given_is_read),
        cmocka_unit_test(what_is_left_out_has_the_documented_default),
        cmocka_unit_test(the_text_is_kept_byte_for_byte),
        cmocka_unit_test(one_or_two_numbers_of_kernel_and_solvers_are_searched),
        cmocka_unit_test(levels_of_whole_numbers_need_not_divide_their_range),
        cmocka_unit_test(values_lie_on_the_scale_and_are_whole_where_they_have_to_be),
        cmocka_unit_test(mistakes_in_ranges_are_named),
        cmocka_unit_test(mistakes_in_tune_are_named),
        cmocka_unit_test(the_numbers_of_a_plugin_s_kernel_are_named),
        cmocka_unit_test(mistakes_elsewhere_are_named),
        cmocka_unit_test(a_configuration_of_a_run_is_told_what_is_missing),
    };
    pool = pool_new();
    const int status = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return status;
}
