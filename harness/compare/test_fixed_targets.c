/*
 * Costs to fixed targets from constructed traces, with costs, ERT, PAR-10, shares and bands worked out by hand: heart,
 * of 10 patterns, and banana, of 20, with two solvers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "harness/base/pool.h"
#include "harness/compare/fixed_targets.h"
#include "harness/support/file.h"
#include "harness/tables/run_tables.h"
#include "tests/all_tests.h"
#include "tests/plot_bench.h"
#include "tests/read_run.h"

enum { POINTS = 4, CLIP_MDM = 0, MU_GSK = 1, TASKS = 22 };

/* Objective 1 throughout; the recomputed gap is that of the last point unless given. */
static const struct made_run {
    const char *dataset, *solver, *outcome;
    int split, n;
    double judged, points[POINTS][3]; /* iteration, kernel operations, gap */
} made_runs[] = {
    {"heart", "clip-mdm", "converged", 1, 4, 1e-6, {{0, 0, 0.5}, {1, 10, 0.1}, {2, 20, 0.009}, {5, 50, 1e-6}}},
    /* within 1e-3 by its own gap, but not by the recomputed one */
    {"heart", "mu-gsk", "iteration-limit", 1, 3, 1.01e-3, {{0, 0, 0.5}, {3, 300, 0.05}, {9, 900, 0.99e-3}}},
    {"heart", "clip-mdm", "stalled", 2, 2, 0.02, {{0, 0, 1}, {4, 40, 0.02}}},
    {"heart", "mu-gsk", "failed", 2, 1, 1, {{0, 0, 1}}},
    {"banana", "clip-mdm", "iteration-limit", 1, 2, 0.5, {{0, 0, 1}, {6, 60, 0.5}}},
    {"banana", "mu-gsk", "iteration-limit", 1, 2, 0.9, {{0, 0, 1}, {7, 70, 0.9}}},
    {"banana", "clip-mdm", "converged", 2, 2, 1e-9, {{0, 0, 1}, {6, 60, 1e-9}}},
    {"banana", "mu-gsk", "converged", 2, 2, 1e-9, {{0, 0, 1}, {7, 70, 1e-4}}}, /* not the recomputed gap */
    {"titanic", "clip-mdm", "converged", 1, 0, 1e-9, {{0}}},                   /* leaves no trace */
    {"titanic", "mu-gsk", "converged", 1, 0, 1e-9, {{0}}},
};

static void add_run(struct bench *bench, const struct made_run *run)
{
    char name[64], text[1000];
    const double *end = run->points[run->n ? run->n - 1 : 0];
    fprintf(bench->records,
            "{\"schema\":1,\"config\":\"made\",\"dataset\":\"%s\",\"split\":%d,\"split_source\":\"official\","
            "\"solver\":\"%s\",\"params\":{\"mu\":0.1},\"kernel\":{\"type\":\"rbf\",\"width\":1},"
            "\"stop\":{\"rule\":\"rch-gap\",\"tolerance\":1e-05},\"outcome\":\"%s\",\"iterations\":%.0f,"
            "\"kernel_operations\":{\"setup\":7,\"iterations\":%.0f,\"predict\":1},\"kernel_evaluations\":1,"
            "\"support_vectors\":1,\"error_percent\":1,\"objective\":1,\"duality_gap\":%.17g,\"kkt_violation\":0,"
            "\"bias\":0,\"feasibility\":0,\"mu_effective\":0.1,\"rch_mu\":null}\n",
            run->dataset, run->split, run->solver, run->outcome, end[0], end[1], run->judged);
    if (run->n == 0)
        return;
    int used = snprintf(text, sizeof text,
                        "# dataset %s\n# split %d\n# solver %s\n# params {\"mu\":0.1}\n"
                        "iteration\tkernel_operations\tobjective\tgap\n",
                        run->dataset, run->split, run->solver);
    for (int k = 0; k < run->n; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%g\t%g\t1\t%.17g\n", run->points[k][0],
                         run->points[k][1], run->points[k][2]);
    snprintf(name, sizeof name, "traces/%s-%d-%s.tsv", run->dataset, run->split, run->solver);
    bench_write(bench, name, text);
}

static int set_up(void **state)
{
    char path[256];
    if (bench_set_up(state) != 0)
        return 1;
    struct bench *bench = *state;
    bench_write(bench, "run.json",
                "{\"data\":[{\"dataset\":\"heart\",\"train\":10},{\"dataset\":\"banana\",\"train\":20}]}");
    bench_write(bench, "config.json",
                "{\"plots\":[{\"kind\":\"runtime-distribution\",\"name\":\"both\"},"
                "{\"kind\":\"runtime-distribution\",\"name\":\"one\",\"dataset\":\"heart\"},"
                "{\"kind\":\"runtime-distribution\",\"name\":\"untraced\",\"dataset\":\"titanic\"}]}");
    for (size_t i = 0; i < sizeof made_runs / sizeof *made_runs; i++) {
        bench_path(bench, "traces", path);
        folder_make(path);
        add_run(bench, &made_runs[i]);
    }
    return fflush(bench->records);
}

/* Costs of the tasks in units: heart 1 with 1e-1 to 1e-6, heart 2 and banana 1 with all eight targets. */
static const double costs[2][TASKS] = {
    [CLIP_MDM] = {1,        2,        5,        5,        5,        5,        4,        INFINITY,
                  INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY,
                  INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
    [MU_GSK] = {30,       90,       INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY,
                INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY,
                INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
};
enum { HEART_TASKS = 14 };

static struct fixed_targets take(struct pool *pool, struct bench *bench, struct run_folder *folder)
{
    struct error error = {0};
    if (try_folder(bench->folder, FOLDER_RECORDS, TRY_OPEN, folder, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return fixed_targets_take(pool, run_view_take(pool, folder), NULL);
}

static void check(const struct fixed_targets *targets, size_t series, const char *dataset, size_t target,
                  struct target_costs expected)
{
    const struct target_costs found = fixed_targets_costs(targets, series, dataset, target);
    assert_int_equal(found.n, expected.n);
    assert_int_equal(found.reached, expected.reached);
    /* a few rounding errors */
    assert_true(found.ert == expected.ert ||
                fabs(found.ert - expected.ert) < 1e-14 * expected.ert);
    assert_true(fabs(found.penalised - expected.penalised) < 1e-14 * expected.penalised);
}

static void a_cost_ends_at_the_first_point_within_the_target_by_the_recomputed_gap(void **state)
{
    struct run_folder folder;
    struct pool *pool = pool_new();
    const struct fixed_targets targets = take(pool, *state, &folder);
    assert_int_equal(targets.n, TASKS);
    assert_int_equal(targets.n_below_stop_rule, 2); /* 1e-7 and 1e-8 on heart 1, where clip-mdm met its rule at 1e-6 */
    assert_int_equal(targets.n_untraced, 1);  /* banana 2 */
    for (size_t s = 0; s < 2; s++)
        for (size_t t = 0; t < TASKS; t++) {
            assert_true(targets.cube.cost[s * TASKS + t] / targets.tasks[t].unit == costs[s][t]);
            /* an iteration is 10 operations of clip-mdm, and 100 of mu-gsk */
            const double operations = targets.iterations[s * TASKS + t] * (s == CLIP_MDM ? 10 : 100);
            assert_true(operations == targets.cube.cost[s * TASKS + t]);
        }
    pool_free(pool);
    pool_free(folder.pool);
}

static void ert_is_all_cost_over_successes_and_par_10_charges_ten_cutoffs(void **state)
{
    struct run_folder folder;
    struct pool *pool = pool_new();
    const struct fixed_targets targets = take(pool, *state, &folder);
    check(&targets, CLIP_MDM, "heart", 0, (struct target_costs){2, 2, (1 + 4) / 2.0, (1 + 4) / 2.0});
    /* on heart 2 clip-mdm spent the most, 40, since mu-gsk failed: 4 units, which mu-gsk is charged too */
    check(&targets, CLIP_MDM, "heart", 1, (struct target_costs){2, 1, 2 + 4, (2 + 40) / 2.0});
    check(&targets, MU_GSK, "heart", 1, (struct target_costs){2, 1, 90 + 4, (90 + 40) / 2.0});
    check(&targets, MU_GSK, "heart", 2, (struct target_costs){2, 0, INFINITY, (900 + 40) / 2.0});
    check(&targets, CLIP_MDM, "banana", 0, (struct target_costs){1, 0, INFINITY, 35}); /* no success */
    check(&targets, CLIP_MDM, NULL, 0, (struct target_costs){3, 2, (1 + 4 + 3) / 2.0, (1 + 4 + 35) / 3.0});
    pool_free(pool);
    pool_free(folder.pool);
}

static int within(size_t series, double budget, size_t from, size_t to)
{
    int n = 0;
    for (size_t t = from; t < to; t++)
        n += costs[series][t] <= budget;
    return n;
}

static int rising(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The 50th and the 1950th smallest share of the tasks drawn, of 1999 resamples of two data sets, heart first. */
static void band_of(size_t series, double budget, double *low, double *high)
{
    const int solved[] = {within(series, budget, 0, HEART_TASKS), within(series, budget, HEART_TASKS, TASKS)};
    const int all[] = {HEART_TASKS, TASKS - HEART_TASKS};
    double shares[1999];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 1);
    for (size_t b = 0; b < 1999; b++) {
        size_t first = gsl_rng_uniform_int(rng, 2), second = gsl_rng_uniform_int(rng, 2);
        shares[b] = (double)(solved[first] + solved[second]) / (double)(all[first] + all[second]);
    }
    gsl_rng_free(rng);
    qsort(shares, 1999, sizeof *shares, rising);
    *low = shares[49];
    *high = shares[1949];
}

static void a_runtime_distribution_counts_what_is_never_reached_and_resamples_data_sets(void **state)
{
    struct bench *bench = *state;
    bench_assert_drawn(bench, 1);
    assert_true(bench_has_figure(bench, "both") && bench_has_figure(bench, "one"));
    assert_false(bench_has_figure(bench, "untraced"));
    assert_non_null(strstr(bench->report.notes, "untraced not drawn"));
    char *text = bench_read(bench, "plots/both.dat");
    size_t block = 0, rows = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        double at, low, high, expected[2];
        if (line[0] == '#') {
            block++;
            continue;
        }
        const size_t series = (block - 1) / 2;
        rows++;
        if (block % 2) {
            assert_int_equal(sscanf(line, "%lf %lf", &at, &low), 2);
            assert_true(low == within(series, at, 0, TASKS) / (double)TASKS);
            continue;
        }
        assert_int_equal(sscanf(line, "%lf %lf %lf", &at, &low, &high), 3);
        band_of(series, at, &expected[0], &expected[1]);
        assert_true(fabs(low - expected[0]) < 1e-11 && fabs(high - expected[1]) < 1e-11); /* written with 12 digits */
    }
    assert_int_equal(block, 4);
    assert_true(rows > 2 * 41 + 6);
    free(text);
    text = bench_read(bench, "plots/one.gp");
    assert_non_null(strstr(text, "\nbands = 0\n"));
    free(text);
}

static void the_table_has_a_row_for_each_data_set_target_and_solver(void **state)
{
    struct bench *bench = *state;
    struct run_folder folder;
    char path[256], *said = NULL;
    size_t size = 0;
    struct table_log log = {.said = open_memstream(&said, &size)};
    bench_path(bench, "tables", path);
    folder_make(path);
    assert_int_equal(try_folder(bench->folder, FOLDER_RECORDS, TRY_OPEN, &folder, NULL), STATUS_OK);
    solver_tables_write(&folder, path, &log);
    fclose(log.said);
    assert_non_null(strstr(said, "/targets-both."));
    assert_null(strstr(said, "untraced"));
    char *text = bench_read(bench, "tables/targets-both.csv");
    assert_non_null(strstr(text, "\r\nheart,0.01,clip-mdm,2,1,6,21\r\n"));
    assert_non_null(strstr(text, "\r\nbanana,0.1,μ-gsk,1,0,,35\r\n"));
    assert_non_null(strstr(text, "\r\nall,0.1,clip-mdm,3,2,4,"));
    assert_null(strstr(text, "heart,1e-07,clip-mdm,2"));
    free(text);
    free(said);
    pool_free(folder.pool);
}

static void gnuplot_draws_runtime_distributions_in_silence(void **state)
{
    struct bench *bench = *state;
    if (!bench_has_gnuplot())
        skip_for(no_gnuplot);
    bench_assert_drawn(bench, 0);
    bench_check_pictures(bench);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_cost_ends_at_the_first_point_within_the_target_by_the_recomputed_gap),
        TEST(ert_is_all_cost_over_successes_and_par_10_charges_ten_cutoffs),
        TEST(a_runtime_distribution_counts_what_is_never_reached_and_resamples_data_sets),
        TEST(the_table_has_a_row_for_each_data_set_target_and_solver),
        TEST(gnuplot_draws_runtime_distributions_in_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
