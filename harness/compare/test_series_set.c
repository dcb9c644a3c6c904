/*
 * Performance profiles and the table of variants, from a toy run folder: three solvers (one of them with two values of
 * a parameter) on two data sets, five splits and two levels of mu each. All shares, ratios and counts are recomputed
 * here from the costs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>

#include "harness/support/file.h"
#include "harness/plot/plot.h"
#include "harness/compare/series_set.h"
#include "harness/tables/run_tables.h"
#include "tests/all_tests.h"
#include "tests/plot_bench.h"
#include "tests/read_run.h"
#include "tests/scratch_folder.h"

enum { SETS = 2, SPLITS = 8, LEVELS = 2, SERIES = 4, PROBLEMS = SETS * SPLITS * LEVELS };

static const char *const sets[SETS] = {"heart", "banana"};
static const double levels[SETS][LEVELS] = {{0.1, 0.4}, {0.05, 0.02}};
static const char *const labels[SERIES] = {"clip-mdm", "cycle-clip-mdm, history = 10", "cycle-clip-mdm, history = 50",
                                           "second-order-clip-mdm"};

/* Iterations of a series on a problem; infinite if it did not converge. Level 0 is the smaller mu. */
static double cost(size_t series, size_t set, size_t level, size_t split)
{
    double base = 100 + 37 * (double)((3 * split + 5 * set) % 11) + 400 * (double)level;
    switch (series) {
    case 0:
        return base;
    case 1:
        return level ? floor(0.5 * base) - (double)split : base + (double)split;
    case 2:
        return set == 1 && level == 1 && split == 2 ? INFINITY : floor(0.75 * base) + (double)(split % 2);
    default:
        return set == 0 ? 2 * base + (double)split : base;
    }
}

static void write_record(FILE *out, size_t series, size_t set, size_t level, size_t split)
{
    static const char *const solvers[SERIES] = {"clip-mdm", "cycle-clip-mdm", "cycle-clip-mdm",
                                                "second-order-clip-mdm"};
    static const char *const further[SERIES] = {"", ",\"history\":10", ",\"history\":50", ""};
    double iterations = cost(series, set, level, split);
    double mu = fmin(levels[set][0], levels[set][1]);
    if (level)
        mu = fmax(levels[set][0], levels[set][1]);
    fprintf(out,
            "{\"schema\":1,\"config\":\"made\",\"dataset\":\"%s\",\"split\":%zu,\"split_source\":\"official\","
            "\"solver\":\"%s\",\"params\":{\"mu\":%.17g%s},\"kernel\":{\"type\":\"rbf\",\"width\":1},"
            "\"stop\":{\"rule\":\"rch-gap\",\"tolerance\":1e-05},\"outcome\":\"%s\",\"iterations\":%.0f,"
            "\"kernel_operations\":{\"setup\":1,\"iterations\":%.0f,\"predict\":1},\"kernel_evaluations\":1,"
            "\"support_vectors\":1,\"error_percent\":1,\"objective\":1,\"duality_gap\":0,\"kkt_violation\":0,"
            "\"bias\":0,\"feasibility\":0,\"mu_effective\":0.1,\"rch_mu\":null}\n",
            sets[set], split + 1, solvers[series], mu, further[series], isfinite(iterations) ? "converged"
                : "iteration-limit",
            isfinite(iterations) ? iterations : 9999, isfinite(iterations) ? 3 * iterations : 9999);
}

static char folder[64];
static const char config_text[] = "{\"plots\":[{\"kind\":\"profile\",\"name\":\"all\"},"
                                  "{\"kind\":\"profile\",\"name\":\"one\",\"solvers\":[\"clip-mdm\"]},"
                                  "{\"kind\":\"profile\",\"name\":\"two\",\"metric\":\"iterations\","
                                  "\"solvers\":[\"clip-mdm\",\"second-order-clip-mdm\"]},"
                                  "{\"kind\":\"profile\",\"name\":\"heart\",\"datasets\":[\"heart\"]}]}";

static const double patterns[SETS] = {170, 400};
static const char run_text[] =
    "{\"data\":[{\"dataset\":\"banana\",\"train\":400},{\"dataset\":\"heart\",\"train\":170}]}";

static int set_up(void **state)
{
    char path[128];
    (void)state;
    assert_non_null(scratch_folder_new(folder, "hullbench-rivals"));
    snprintf(path, sizeof path, "%s/records.jsonl", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    for (size_t set = 0; set < SETS; set++)
        for (size_t split = 0; split < SPLITS; split++)
            for (size_t series = 0; series < SERIES; series++)
                for (size_t level = 0; level < LEVELS; level++)
                    write_record(out, series, set, level, split);
    fclose(out);
    snprintf(path, sizeof path, "%s/config.json", folder);
    file_write(path, config_text, strlen(config_text));
    snprintf(path, sizeof path, "%s/run.json", folder);
    file_write(path, run_text, strlen(run_text));
    snprintf(path, sizeof path, "%s/tables", folder);
    return mkdir(path, 0777);
}

static int tear_down(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static char *text_of(const char *name)
{
    char path[128];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_file(path, &size);
}

static double best_of(size_t set, size_t level, size_t split)
{
    double best = INFINITY;
    for (size_t s = 0; s < SERIES; s++)
        best = fmin(best, cost(s, set, level, split));
    return best;
}

/* The number of problems of a data set that a series solves within tau times the cost of the best or, in a data
 * profile, within tau kernel operations per pattern. */
static int ended(size_t series, size_t set, double tau, int in_budget)
{
    int within = 0;
    for (size_t level = 0; level < LEVELS; level++)
        for (size_t split = 0; split < SPLITS; split++) {
            double mine = cost(series, set, level, split);
            within += (in_budget ? 3 * mine / patterns[set] : mine / best_of(set, level, split)) <= tau;
        }
    return within;
}

static int rising(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The 50th and the 1950th smallest share, of 1999 resamples of the two data sets, heart first. */
static void band_of(size_t series, double tau, int in_budget, double *low, double *high)
{
    double shares[1999];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 1);
    for (size_t b = 0; b < 1999; b++) {
        int within = 0;
        for (size_t drawn = 0; drawn < SETS; drawn++)
            within += ended(series, gsl_rng_uniform_int(rng, SETS), tau, in_budget);
        shares[b] = within / (double)PROBLEMS;
    }
    gsl_rng_free(rng);
    qsort(shares, 1999, sizeof *shares, rising);
    *low = shares[49];
    *high = shares[1949];
}

static void a_profile_is_the_share_within_a_ratio_of_the_best_or_within_a_budget(void **state)
{
    (void)state;
    struct plot_options options = {.no_render = 1};
    struct plot_report report = {0};
    struct error error = {0};
    if (bench_plot(folder, &options, &report, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(report.figures.count, 3);
    assert_non_null(strstr(report.notes, "one not drawn"));
    char *text = text_of("plots/all.dat");
    size_t block = 0, points = 0, places = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        double at, low, high;
        if (line[0] == '#') {
            assert_non_null(strstr(line, labels[block++ / 2 % SERIES]));
            assert_int_equal(strncmp(line, "# band of ", 10) == 0, block % 2 == 0);
            continue;
        }
        /* the first panels have the same ratios: kernel operations are 3 times the iterations everywhere */
        const size_t series = (block - 1) / 2 % SERIES;
        const int in_budget = block > 4 * SERIES;
        if (block % 2) {
            assert_int_equal(sscanf(line, "%lf %lf", &at, &low), 2);
            assert_true(low == (ended(series, 0, at, in_budget) + ended(series, 1, at, in_budget)) / (double)PROBLEMS);
            points++;
            continue;
        }
        double expected[2];
        assert_int_equal(sscanf(line, "%lf %lf %lf", &at, &low, &high), 3);
        band_of(series, at, in_budget, &expected[0], &expected[1]);
        assert_true(fabs(low - expected[0]) < 1e-11 && fabs(high - expected[1]) < 1e-11); /* written with 12 digits */
        places++;
    }
    assert_int_equal(block, 6 * SERIES);
    assert_true(points > 60);
    assert_int_equal(places, 41 * 3 * SERIES);
    free(text);
    text = text_of("plots/all.gp");
    assert_non_null(strstr(text, "\"kernel operations, times those of the best\", "
                                 "\"kernel operations / training patterns\"]\n"));
    assert_non_null(strstr(text, "\nbands = 1\n"));
    free(text);
    text = text_of("plots/two.gp"); /* only iterations */
    assert_non_null(strstr(text, "array panels[1] = [\"iterations, times those of the best\"]\n"));
    free(text);
    text = text_of("plots/two.txt");
    assert_null(strstr(text, "Kernel operations")); /* the caption tells of costs that are drawn */
    free(text);
    bench_report_free(&report);
}

static void a_profile_of_one_data_set_has_no_band(void **state)
{
    (void)state;
    char *text = text_of("plots/heart.dat"); /* written by the previous test */
    assert_null(strstr(text, "band of"));
    free(text);
    text = text_of("plots/heart.gp");
    assert_non_null(strstr(text, "\nbands = 0\n"));
    free(text);
}

static void gnuplot_draws_profiles_in_silence(void **state)
{
    (void)state;
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    bench_check_figure(folder, "all"); /* written by the previous test */
    bench_check_figure(folder, "two");
    bench_check_figure(folder, "heart");
}

/* The table's values for a data set, over the splits where both converged: ratio of means, geometric mean of the
 * ratios, and on heart, whose sizes run.json has, p of the t test of the logarithms with 1/n + train/test. */
struct expected {
    size_t n;
    double ratio, geometric, p;
};

static struct expected expect(size_t series, size_t set, size_t level)
{
    double x[SPLITS] = {0}, mine = 0, first = 0, mean = 0, squares = 0;
    size_t n = 0;
    for (size_t split = 0; split < SPLITS; split++)
        if (isfinite(cost(series, set, level, split))) {
            mine += cost(series, set, level, split);
            first += cost(0, set, level, split);
            x[n++] = log(cost(series, set, level, split) / cost(0, set, level, split));
        }
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    double deviation = sqrt(squares / (double)(n - 1) * (1 / (double)n + 170.0 / 100));
    double p = 2 * gsl_cdf_tdist_Q(fabs(mean) / deviation, (double)(n - 1));
    return (struct expected){n, mine / first, exp(mean), set == 0 && n >= 6 ? p : (double)NAN};
}

static const cJSON *metric_of(const cJSON *rows, size_t series, size_t level)
{
    const cJSON *row = cJSON_GetArrayItem(rows, (int)((series - 1) * LEVELS + level));
    char text[40];
    snprintf(text, sizeof text, "μ, %zu of 2", level + 1);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "solver")), labels[series]);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "level")), text);
    return cJSON_GetObjectItem(row, "iterations");
}

static double number(const cJSON *object, const char *key)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(object, key));
}

static void check_cell(const cJSON *cell, const struct expected *expected)
{
    assert_true(number(cell, "n") == (double)expected->n);
    assert_true(fabs(number(cell, "ratio") - expected->ratio) < 1e-12);
    assert_true(fabs(number(cell, "geometric") - expected->geometric) < 1e-5 * expected->geometric);
    if (isnan(expected->p))
        assert_true(cJSON_IsNull(cJSON_GetObjectItem(cell, "p")));
    else { /* printed with six digits; with one set Holm changes nothing */
        assert_true(fabs(number(cell, "p") - expected->p) <= 1e-5 * expected->p);
        assert_true(fabs(number(cell, "p_adjusted") - expected->p) <= 1e-5 * expected->p);
    }
}

static void the_table_has_ratios_and_tests_data_set_by_data_set(void **state)
{
    (void)state;
    char *written = NULL;
    struct run_folder run;
    assert_int_equal(try_folder(folder, FOLDER_CONFIG, TRY_OPEN, &run, NULL), STATUS_OK);
    struct run_info_data sizes[] = {{.dataset = "heart", .n_train = 170, .n_test = 100}, {.dataset = "banana"}};
    run.run = (struct run_info){.data = {sizes, 2, 2}};
    size_t size = 0;
    struct table_log log = {.said = open_memstream(&written, &size)};
    char tables[256];
    snprintf(tables, sizeof tables, "%s/tables", folder);
    solver_tables_write(&run, tables, &log);
    fclose(log.said);
    assert_non_null(strstr(written, "rivals-all."));
    assert_null(strstr(written, "rivals-one."));
    char *text = text_of("tables/rivals-all.json");
    cJSON *json = cJSON_Parse(text);
    const cJSON *totals = cJSON_GetObjectItem(json, "totals");
    assert_int_equal(cJSON_GetArraySize(totals), (SERIES - 1) * LEVELS);
    for (size_t series = 1; series < SERIES; series++)
        for (size_t level = 0; level < LEVELS; level++) {
            const cJSON *metric = metric_of(totals, series, level), *row;
            const cJSON *total = cJSON_GetArrayItem(totals, (int)((series - 1) * LEVELS + level));
            struct expected e[SETS];
            for (size_t set = 0; set < SETS; set++)
                e[set] = expect(series, set, level);
            for (size_t set = 0; set < SETS; set++) {
                int found = 0;
                cJSON_ArrayForEach(row, cJSON_GetObjectItem(json, "rows")) {
                    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(row, "dataset")), sets[set]) != 0 ||
                        !cJSON_Compare(cJSON_GetObjectItem(row, "solver"), cJSON_GetObjectItem(total, "solver"), 1) ||
                        !cJSON_Compare(cJSON_GetObjectItem(row, "level"), cJSON_GetObjectItem(total, "level"), 1))
                        continue;
                    found++;
                    check_cell(cJSON_GetObjectItem(row, "iterations"), &e[set]);
                }
                assert_int_equal(found, 1);
            }
            double ratio = sqrt(e[0].ratio * e[1].ratio);
            assert_true(fabs(number(metric, "ratio") - ratio) < 1e-5 * ratio);
            /* two data sets are too few for an interval */
            assert_true(cJSON_IsNull(cJSON_GetObjectItem(metric, "ratio_low")) && number(metric, "ratio_level") == 0);
            assert_true(number(metric, "fewer") == (e[0].p < 0.05 && e[0].geometric < 1));
            assert_true(number(metric, "more") == (e[0].p < 0.05 && e[0].geometric > 1));
            assert_true(number(metric, "alike") == (e[0].p >= 0.05));
        }
    run.run = (struct run_info){0};
    pool_free(run.pool);
    cJSON_Delete(json);
    free(text), free(written);
}

/* Two records of one solver that differ in one setting: different problems if the setting belongs to the problem, else
 * different series. */
static void a_setting_of_kernel_constraint_or_rule_makes_another_problem(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int of_the_problem;
    } cases[] = {/* the first five belong to the kernel */
                 {"kernel", 1}, {"width", 1}, {"degree", 1},    {"scale", 1},   {"offset", 1},   {"mu", 1},
                 {"C", 1},      {"stop", 1},  {"tolerance", 1}, {"history", 0}, {"selection", 0}};
    char set[] = "heart", solver[] = "clip-mdm";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct setting settings[2][2];
        struct record records[2];
        struct pool *pool = pool_new();
        for (int r = 0; r < 2; r++) {
            settings[r][0] = (struct setting){"seed", "1", 1, GROUP_PARAMS, 0};
            settings[r][1] = (struct setting){cases[i].name, r ? "2" : "3", r ? 2 : 3,
                                              i < 5 ? GROUP_KERNEL : GROUP_PARAMS, 0};
            records[r] = (struct record){.dataset = set, .solver = solver, .split = 1, .n_settings = 2,
                                              .settings = settings[r]};
        }
        const struct record *items[2] = {&records[0], &records[1]};
        const struct records both = {.items = items, .count = 2};
        const struct run_view data = {.pool = pool, .records = &both};
        const struct series_set series = series_set_take(pool, &data, NULL, 0);
        if (series.n_problems != (cases[i].of_the_problem ? 2 : 1) ||
            series.n_series != (cases[i].of_the_problem ? 1 : 2))
            fail_msg("%s: %zu problems and %zu series", cases[i].name, series.n_problems, series.n_series);
        pool_free(pool);
    }
}

#define RUN(set, name, number, cost) \
    {.dataset = (set), .solver = (name), .split = (number), .converged = 1, .outcome = "converged", \
     .field = {[FIELD_ITERATIONS] = (cost)}}

/* A problem without a record of some series is left out for all; a failed record is a run without a finite cost. */
static void problems_that_a_series_lacks_are_left_out_for_all(void **state)
{
    (void)state;
    char set[] = "heart", banana[] = "banana", solvers[2][20] = {"clip-mdm", "mu-gsk"};
    const struct record made[] = {
        RUN(set, solvers[0], 1, 1),
        RUN(set, solvers[0], 2, 2),
        RUN(banana, solvers[0], 1, 3),
        RUN(set, solvers[1], 2, 20),
        {.dataset = banana, .solver = solvers[1], .split = 1, .failed = 1, .outcome = "failed"},
    };
    const struct record *items[] = {&made[0], &made[1], &made[2], &made[3], &made[4]};
    const struct records all = {.items = items, .count = 5};
    struct pool *pool = pool_new();
    const struct run_view data = {.pool = pool, .records = &all};
    struct series_set series = series_set_take(pool, &data, NULL, 0);
    assert_true(series.n_series == 2 && series.n_problems == 3);
    assert_string_equal(series.gaps, "μ-gsk lacks 1 of 3 problems (heart 1 of 2)");
    series = series_set_take(pool, &data, NULL, 1);
    series_set_fill_costs(&series, FIELD_ITERATIONS);
    assert_true(series.n_problems == 2 && series.n_left_out == 1 && series.records.count == 4);
    assert_true(series.cost[0] == 2 && series.cost[2] == 20);
    assert_true(series.cost[1] == 3 && isinf(series.cost[3]));
    assert_string_equal(series.datasets[0], "heart");
    assert_string_equal(series.datasets[1], "banana");
    for (size_t p = 0; p < 2; p++)
        assert_ptr_equal(series.runs[p], series.first[p]);
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_is_the_share_within_a_ratio_of_the_best_or_within_a_budget),
        cmocka_unit_test(a_profile_of_one_data_set_has_no_band),
        cmocka_unit_test(gnuplot_draws_profiles_in_silence),
        cmocka_unit_test(the_table_has_ratios_and_tests_data_set_by_data_set),
        cmocka_unit_test(a_setting_of_kernel_constraint_or_rule_makes_another_problem),
        cmocka_unit_test(problems_that_a_series_lacks_are_left_out_for_all),
    };
    return cmocka_run_group_tests_name("rivals", tests, set_up, tear_down);
}
