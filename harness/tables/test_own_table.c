/* Cells of custom tables, recomputed from the records. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/records/run_folder.h"
#include "harness/support/file.h"
#include "harness/tables/run_tables.h"
#include "tests/plot_bench.h"
#include "tests/read_run.h"
#include "tests/scratch_folder.h"

enum { SPLITS = 7 };

static const char *config = "{}"; /* of the run */

/* Writes the table and returns its JSON; warnings go to the bench's file "warned". */
static cJSON *write_table(struct bench *bench, const char *specification, enum status expected, struct error *error)
{
    struct pool *pool = pool_new();
    struct run_folder folder;
    char path[256];
    cJSON *spec = cJSON_Parse(specification), *json = NULL;
    assert_non_null(spec);
    fflush(bench->records);
    bench_write(bench, "config.json", config);
    bench_write(bench, "run.json",
                "{\"data\":[{\"dataset\":\"p\",\"train\":120,\"test\":60},"
                "{\"dataset\":\"q\",\"train\":10,\"test\":40}]}");
    bench_path(bench, "tables", path);
    mkdir(path, 0700);
    assert_int_equal(try_folder(bench->folder, FOLDER_CONFIG, TRY_RECORDS, &folder, NULL), STATUS_OK);
    const struct run_folders folders = {&folder, 1};
    char warnings[256];
    bench_path(bench, "warned", warnings);
    struct table_log log = {.warned = fopen(warnings, "w")};
    const struct json_path place = {.file = "spec"};
    const struct known_names names = known_names_of(pool, &folders);
    struct own_table own = {pool, spec, &place, &names, &folders, path, &log};
    assert_int_equal(attempt(own_table_write, &own, error), expected);
    fclose(log.warned);
    pool_free(pool);
    pool_free(folder.pool);
    cJSON_Delete(spec);
    bench_path(bench, "tables/t.json", path);
    if (expected == STATUS_OK)
        json = read_json_file(path);
    return json;
}

/* The cell of a column in the n-th row. */
static const cJSON *cell_of(const cJSON *table, int row, const char *column)
{
    const cJSON *cell = NULL;
    cJSON_ArrayForEach (cell, cJSON_GetObjectItem(table, "rows"))
        if (cJSON_GetNumberValue(cJSON_GetObjectItem(cell, "row")) == row &&
            strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(cell, "column")), column) == 0)
            return cell;
    fail_msg("no cell %d, %s", row, column);
    return NULL;
}

/* The number of distinct values of a member of the cells. */
static int count_distinct(const cJSON *table, const char *key)
{
    const cJSON *cell = NULL;
    int n = 0;
    cJSON_ArrayForEach (cell, cJSON_GetObjectItem(table, "rows")) {
        const cJSON *before = cell;
        while ((before = before == cJSON_GetObjectItem(table, "rows")->child ? NULL : before->prev) &&
               !cJSON_Compare(cJSON_GetObjectItem(before, key), cJSON_GetObjectItem(cell, key), 1))
            continue;
        n += !before;
    }
    return n;
}

/* A member of a cell that is not null. */
static const cJSON *member_of(const cJSON *cell, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(cell, key);
    return cJSON_IsNull(item) ? NULL : item;
}

static double number_of(const cJSON *cell, const char *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(object ? cJSON_GetObjectItem(cell, object) : cell, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const double slow[2][SPLITS] = {{900, 1100, 1000, 950, 1210, 870, 1300}, {80, 70, 75, 90, 60, 66, 71}};
static const double quick[2][SPLITS] = {{450, 520, 505, 470, 600, 441, 640}, {78, 73, 70, 95, 61, 60, 75}};

static void add_pairs(struct bench *bench)
{
    static const char *const datasets[] = {"p", "q"};
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < SPLITS; i++)
            for (int s = 0; s < 2; s++)
                bench_add(bench, (struct made){.dataset = datasets[d],
                                               .solver = s ? "quick" : "slow",
                                               .split = i + 1,
                                               .mu = 0.1,
                                               .width = d + 1,
                                               .error_percent = 10,
                                               .iterations = s ? quick[d][i] : slow[d][i],
                                               .kernel_operations = 1000 * (s ? quick[d][i] : slow[d][i])});
}

/* The mean of the logarithms of quick over slow, and p of the t test with variance s^2 (1/n + train/test), for metrics
 * that depend on the training part (Nadeau and Bengio 2003, case_statistics.h). */
static double log_ratio(int dataset, double train_by_test, double *p)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < SPLITS; i++)
        mean += log(quick[dataset][i] / slow[dataset][i]) / SPLITS;
    for (int i = 0; i < SPLITS; i++)
        squares += pow(log(quick[dataset][i] / slow[dataset][i]) - mean, 2);
    double t = mean / sqrt(squares / (SPLITS - 1) * (1.0 / SPLITS + train_by_test));
    *p = 2 * gsl_cdf_tdist_Q(fabs(t), SPLITS - 1);
    return mean;
}

static void ratios_and_marks_are_those_of_the_pairs(void **state)
{
    struct bench *bench = *state;
    double p[2], ratio[2];
    add_pairs(bench);
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],\"best_in\":\"row\","
                               "\"metrics\":[\"iterations\",{\"metric\":\"kernel-operations\",\"ratio_to\":\"slow\","
                               "\"marks\":false,\"best\":\"none\"}],\"marks\":{\"against\":\"slow\"}}",
                               STATUS_OK, NULL);
    for (int d = 0; d < 2; d++)
        ratio[d] = exp(log_ratio(d, d ? 10.0 / 40 : 120.0 / 60, &p[d]));
    assert_true(p[0] < 0.025 && p[1] > 0.5); /* Holm: twice the smaller; the larger is itself */
    const double adjusted[] = {2 * p[0], p[1]};
    for (int d = 0; d < 2; d++) {
        const cJSON *cell = cell_of(table, d, "quick.iterations.mean ± sd");
        const cJSON *relative = cell_of(table, d, "quick.kernel-operations.geometric-mean");
        assert_true(fabs(number_of(cell, "test", "p") - p[d]) < 1e-5 * p[d]); /* six digits are written */
        assert_true(fabs(number_of(cell, "test", "p_adjusted") - adjusted[d]) < 1e-5 * adjusted[d]);
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetObjectItem(cell, "test"), "differs")), d == 0);
        assert_true(fabs(number_of(relative, "ratio", "estimate") - ratio[d]) < 1e-5 * ratio[d]);
        assert_null(member_of(relative, "test"));
        assert_null(member_of(cell_of(table, d, "slow.iterations.mean ± sd"), "test"));
    }
    assert_true(number_of(table, "marks", "tested") == 2 && number_of(table, "marks", "untested") == 0);
    cJSON_Delete(table);
    char *text = bench_read(bench, "tables/t.md");
    assert_non_null(strstr(text, "**520 ± 80†**"));
    assert_non_null(strstr(text, "adjusted by Holm over the 2 tests of the table."));
    assert_non_null(strstr(text, "Differs from slow at 5 %"));
    assert_non_null(strstr(text, "By data set: kernel width of p 1, q 2."));
    free(text);
}

static void add_with_objective(struct bench *bench, const char *solver, int split, double iterations, double objective)
{
    fprintf(bench->records,
            "{\"schema\":1,\"config\":\"made\",\"dataset\":\"p\",\"split\":%d,\"split_source\":\"official\","
            "\"solver\":\"%s\",\"params\":{\"mu\":0.1},\"kernel\":{\"type\":\"linear\"},"
            "\"stop\":{\"rule\":\"rch-gap\",\"tolerance\":1e-05},\"outcome\":\"converged\",\"iterations\":%.0f,"
            "\"kernel_operations\":{\"setup\":1,\"iterations\":1,\"predict\":1},\"kernel_evaluations\":1,"
            "\"support_vectors\":12,\"error_percent\":1,\"objective\":%g,\"duality_gap\":1e-6,\"kkt_violation\":1e-6,"
            "\"bias\":0,\"feasibility\":0,\"mu_effective\":0.1,\"rch_mu\":null}\n",
            split, solver, iterations, objective);
}

/* Gaps of 1e-6 certify that 1 and 1.1 are not optima of the same problem. */
static void pairs_of_other_optima_are_left_out(void **state)
{
    struct bench *bench = *state;
    for (int i = 0; i < SPLITS; i++) {
        add_with_objective(bench, "mu-gsk", i + 1, 400, 1);
        add_with_objective(bench, "clip-mdm", i + 1, i == 0 ? 4 : 100, i == 0 ? 1.1 : 1);
    }
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],"
                               "\"metrics\":[{\"metric\":\"iterations\",\"ratio_to\":\"mu-gsk\"}]}",
                               STATUS_OK, NULL);
    const cJSON *cell = cell_of(table, 0, "clip-mdm.iterations.geometric-mean");
    assert_true(number_of(cell, "ratio", "n") == SPLITS - 1);
    assert_true(fabs(number_of(cell, "ratio", "estimate") - 0.25) < 1e-6);
    cJSON_Delete(table);
    char *text = bench_read(bench, "tables/t.md");
    assert_non_null(strstr(text, "certified optima differ"));
    assert_null(strstr(text, "not registered"));
    free(text);
}

#define SIX_SETS(level)                                                                                              \
    "{\"name\":\"t\",\"rows\":[\"solver\"],\"metrics\":[\"iterations\"],"                                            \
    "\"marks\":{\"against\":\"slow\",\"level\":" level "}}"

static void over_data_sets_a_value_is_a_data_sets_mean(void **state)
{
    struct bench *bench = *state;
    static const char *const datasets[] = {"f", "b", "e", "a", "d", "c"};
    for (int d = 0; d < 6; d++)
        for (int i = 0; i < 2; i++)
            for (int s = 0; s < 2; s++)
                bench_add(bench, (struct made){.dataset = datasets[d],
                                               .solver = s ? "quick" : "slow",
                                               .split = i + 1,
                                               .mu = 0.1,
                                               .width = 1,
                                               .iterations = (d + 1) * (s ? 10 : 40) + i,
                                               .kernel_operations = 1});
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"solver\"],\"metrics\":[\"iterations\"],"
                               "\"marks\":{\"against\":\"slow\"}}",
                               STATUS_OK, NULL);
    const cJSON *cell = cell_of(table, 1, "iterations.mean ± sd");
    assert_true(number_of(cell, "ours", "n") == 6 && number_of(cell, "ours", "records") == 12);
    assert_true(fabs(number_of(cell, "ours", "mean") - 35.5) < 1e-9);  /* the mean of 10 to 60, plus a half */
    assert_true(fabs(number_of(cell, "ours", "median") - 35.5) < 1e-9);
    assert_true(fabs(number_of(cell, "test", "p") - 2 / 64.0) < 1e-9); /* lower on all six: 2 of 2^6 signs */
    cJSON_Delete(table);
    char *text = bench_read(bench, "tables/t.md");
    const char *heading = strstr(text, "| solver |"), *metric = heading ? strstr(heading, "terations") : NULL;
    assert_true(metric && metric < strchr(heading, '\n')); /* the metric is the only heading of the column */
    free(text);
    for (int above = 0; above < 2; above++) { /* a p that equals the level is not below it */
        table = write_table(bench, above ? SIX_SETS("0.03126") : SIX_SETS("0.03125"), STATUS_OK, NULL);
        cell = cell_of(table, 1, "iterations.mean ± sd");
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetObjectItem(cell, "test"), "differs")), above);
        cJSON_Delete(table);
        text = bench_read(bench, "tables/t.md");
        assert_int_equal(strstr(text, "† |") != NULL, above);
        free(text);
    }
}

static void failed_and_unconverged_runs_are_told_and_never_best(void **state)
{
    struct bench *bench = *state;
    for (int i = 0; i < 4; i++)
        for (int s = 0; s < 3; s++)
            bench_add(bench, (struct made){.dataset = "p",
                                           .solver = (const char *const[]){"slow", "failing", "limited"}[s],
                                           .outcome = s == 1 && i == 0   ? "failed"
                                                      : s == 2 && i == 0 ? "iteration-limit"
                                                                         : "converged",
                                           .split = i + 1,
                                           .mu = 0.1,
                                           .width = 1,
                                           .iterations = s == 0 ? 100 + i : i == 0 ? 1000000 : 7 + s,
                                           .kernel_operations = 1});
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],\"best_in\":\"row\","
                               "\"metrics\":[{\"metric\":\"iterations\",\"statistic\":\"median\"}]}",
                               STATUS_OK, NULL);
    const cJSON *failing = cell_of(table, 0, "failing.iterations.median");
    assert_true(number_of(failing, "ours", "n") == 3 && number_of(failing, "ours", "failed") == 1);
    assert_true(number_of(failing, "ours", "max") == 8); /* excludes the failed run's number */
    assert_true(number_of(cell_of(table, 0, "limited.iterations.median"), "ours", "max") == 1000000);
    assert_false(cJSON_IsTrue(cJSON_GetObjectItem(failing, "best")));
    cJSON_Delete(table);
    char *text = bench_read(bench, "tables/t.md");
    assert_non_null(strstr(text, " 8‡ (n\u00a0=\u00a03) |"));
    assert_non_null(strstr(text, " 9‡ (n\u00a0=\u00a04) |"));
    assert_non_null(strstr(text, "‡ Some runs did not converge"));
    free(text);
    table = write_table(bench,
                        "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],"
                        "\"metrics\":[{\"metric\":\"iterations\",\"statistic\":\"median\"},"
                        "{\"metric\":\"converged\",\"statistic\":\"count\"}]}",
                        STATUS_OK, NULL);
    cJSON_Delete(table);
    text = bench_read(bench, "tables/t.md");
    assert_non_null(strstr(text, " 8‡ (n\u00a0=\u00a03) |"));
    assert_non_null(strstr(text, " 3/4 |")); /* shows it directly */
    assert_non_null(strstr(text, "‡ Some runs did not converge"));
    free(text);
}

/* The note about runs that did not converge says of each kind what the numbers do with it. */
static void the_note_tells_what_became_of_each_run_that_did_not_converge(void **state)
{
    static const struct {
        const char *outcome, *metric;
        int counts, is_left_out;
    } cases[] = {{"iteration-limit", "\"iterations\"", 1, 0},
                 {"stalled", "\"iterations\"", 1, 0},
                 {"failed", "\"iterations\"", 0, 1},
                 {"stalled", "{\"metric\":\"iterations\",\"ratio_to\":\"slow\"}", 0, 0}};
    struct bench *bench = *state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char name[2] = {(char)('a' + c), '\0'}, specification[256];
        for (int i = 0; i < 8; i++)
            bench_add(bench, (struct made){.dataset = name,
                                           .solver = i % 2 ? "slow" : "quick",
                                           .outcome = i == 0 ? cases[c].outcome : "converged",
                                           .split = i / 2 + 1,
                                           .mu = 0.1,
                                           .width = 1,
                                           .iterations = 100 + i});
        snprintf(specification, sizeof specification,
                 "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],\"datasets\":[\"%s\"],"
                 "\"metrics\":[%s]}",
                 name, cases[c].metric);
        cJSON_Delete(write_table(bench, specification, STATUS_OK, NULL));
        char *text = bench_read(bench, "tables/t.md");
        assert_non_null(strstr(text, "‡ Some runs did not converge."));
        assert_int_equal(strstr(text, "count with the values at which they stopped") != NULL, cases[c].counts);
        assert_int_equal(strstr(text, "Failed runs have no values and are left out") != NULL, cases[c].is_left_out);
        free(text);
    }
}

/* 38 with deviations 5, 4 and 1.2, 43 with 5; and powers of ten. */
static void cells_that_print_one_number_are_best_alike(void **state)
{
    static const struct {
        double mean, half; /* two values: the mean less and plus `half`, of deviation sqrt(2) half */
        int is_best;
    } solvers[] = {{38, 3.5, 1}, {38.2, 2.8, 1}, {37.98, 0.85, 1}, {43, 3.5, 0}};
    static const char *const forms[] = {"mean ± sd", "mean(sd)"};
    struct bench *bench = *state;
    for (int d = 0; d < 2; d++)
        for (int s = 0; s < 4; s++)
            for (int i = 0; i < 2; i++) {
                const double unit = d ? 1e12 : 1e3, half = i ? solvers[s].half : -solvers[s].half;
                bench_add(bench, (struct made){.dataset = d ? "large" : "small",
                                               .solver = (const char *const[]){"a", "b", "c", "d"}[s],
                                               .split = i + 1,
                                               .mu = 0.1,
                                               .width = 1,
                                               .iterations = 1,
                                               .kernel_operations = rint(unit * (solvers[s].mean + half))});
            }
    for (size_t f = 0; f < 2; f++) {
        char specification[256];
        snprintf(specification, sizeof specification,
                 "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],\"best_in\":\"row\",\"metrics\":"
                 "[{\"metric\":\"kernel-operations\",\"statistic\":\"%s\",\"divisor\":1000}]}",
                 forms[f]);
        cJSON *table = write_table(bench, specification, STATUS_OK, NULL);
        for (int row = 0; row < 2; row++)
            for (int s = 0; s < 4; s++) {
                char column[64];
                snprintf(column, sizeof column, "%c.kernel-operations.mean ± sd", 'a' + s);
                const cJSON *cell = cell_of(table, row, column);
                if (cJSON_IsTrue(cJSON_GetObjectItem(cell, "best")) != solvers[s].is_best)
                    fail_msg("%s", cJSON_GetStringValue(cJSON_GetObjectItem(cell, "text")));
            }
        cJSON_Delete(table);
    }
}

/* ---- unlike runs ---- */

/* Adds runs of the solver: splits first to last of a data set, with this number of iterations and error. */
static void add_runs(struct bench *bench, const char *dataset, const char *solver, int first, int last, double number,
                     const char *outcome)
{
    for (int split = first; split <= last; split++)
        bench_add(bench, (struct made){.dataset = dataset,
                                       .solver = solver,
                                       .outcome = outcome,
                                       .split = split,
                                       .mu = 0.1,
                                       .width = 1,
                                       .error_percent = number,
                                       .iterations = number,
                                       .kernel_operations = number});
}

/* Checks cell by cell which are bold; `bold` has a letter for each row and column. */
static void check_bold(const cJSON *table, const char *bold)
{
    const cJSON *cell = NULL;
    size_t n = 0;
    cJSON_ArrayForEach (cell, cJSON_GetObjectItem(table, "rows")) {
        if (cJSON_IsTrue(cJSON_GetObjectItem(cell, "best")) != (bold[n] == 'b'))
            fail_msg("cell %zu, %s", n, cJSON_GetStringValue(cJSON_GetObjectItem(cell, "column")));
        n++;
    }
    assert_int_equal(n, strlen(bold));
}

static void check_gaps(const cJSON *table, const char *gaps)
{
    const char *found = cJSON_GetStringValue(cJSON_GetObjectItem(table, "gaps"));
    if (!gaps)
        assert_null(found);
    else if (!found || strcmp(found, gaps) != 0)
        fail_msg("%s", found ? found : "no gaps");
}

static void a_solver_of_the_easy_data_set_or_of_one_split_is_not_best(void **state)
{
    struct bench *bench = *state;
    add_runs(bench, "p", "slow", 1, 4, 2.25, "converged"); /* p is easy; "slow" has nothing else */
    add_runs(bench, "p", "quick", 1, 4, 3, "converged");
    add_runs(bench, "q", "quick", 1, 4, 45, "converged");
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"solver\"],\"best_in\":\"column\",\"statistic\":\"mean\","
                               "\"metrics\":[\"error\",{\"metric\":\"iterations\",\"ratio_to\":\"slow\"},"
                               "{\"metric\":\"converged\",\"statistic\":\"share\",\"best\":\"highest\"}]}",
                               STATUS_OK, NULL);
    check_bold(table, "-b----"); /* the ratio is that of common splits */
    check_gaps(table, "slow lacks 4 of 8 splits (q 4 of 4)");
    assert_true(number_of(cell_of(table, 0, "error.mean"), "ours", "runs") == 4);
    assert_true(number_of(cell_of(table, 1, "error.mean"), "ours", "runs") == 8);
    assert_true(number_of(cell_of(table, 1, "error.mean"), "ours", "n") == 2);
    cJSON_Delete(table);
    char *text = bench_read(bench, "tables/t.md");
    assert_non_null(strstr(text, "2.250 (n\u00a0=\u00a04)"));
    assert_non_null(strstr(text, "(n\u00a0=\u00a08)"));
    assert_non_null(strstr(text, "slow lacks 4 of 8 splits (q 4 of 4)"));
    free(text);
}

static void cells_with_all_splits_compete_without_those_that_lack_some(void **state)
{
    struct bench *bench = *state;
    static const char specification[] = "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],"
                                        "\"best_in\":\"row\",\"metrics\":[\"error\"]}";
    add_runs(bench, "p", "first", 1, 1, 2, "converged");
    add_runs(bench, "p", "slow", 1, 4, 20, "converged");
    add_runs(bench, "p", "quick", 1, 4, 10, "converged");
    add_runs(bench, "q", "first", 1, 4, 1, "converged");
    add_runs(bench, "q", "slow", 1, 4, 2, "converged");
    cJSON *table = write_table(bench, specification, STATUS_OK, NULL);
    check_bold(table, "--bb-"); /* q has no cell of "quick" */
    check_gaps(table, "first lacks 3 of 8 splits (p 3 of 4)");
    cJSON_Delete(table);
    add_runs(bench, "p", "slow", 5, 5, 20, "converged"); /* now each other solver lacks a split */
    table = write_table(bench, specification, STATUS_OK, NULL);
    check_bold(table, "---b-");
    cJSON_Delete(table);
}

static void ratios_of_other_pairs_do_not_compete(void **state)
{
    struct bench *bench = *state;
    for (int d = 0; d < 2; d++) {
        add_runs(bench, d ? "q" : "p", "slow", 1, 4, 100, "converged");
        add_runs(bench, d ? "q" : "p", "quick", 1, 4, d ? 90 : 20, "converged");
        add_runs(bench, d ? "q" : "p", "other", 1, d ? 0 : 4, 30, "converged"); /* only p */
    }
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"solver\"],\"best_in\":\"column\","
                               "\"solvers\":[\"quick\",\"other\"],"
                               "\"metrics\":[{\"metric\":\"iterations\",\"ratio_to\":\"slow\"}]}",
                               STATUS_OK, NULL);
    check_bold(table, "--"); /* 0.42 on both, 0.3 on p, where quick has 0.2 */
    check_gaps(table, "other lacks 4 of 8 splits (q 4 of 4)");
    assert_true(number_of(cell_of(table, 1, "iterations.geometric-mean"), "ours", "runs") == 4);
    cJSON_Delete(table);
}

/* Only a baseline with a finite cost is 1. */
static void a_baseline_that_never_converged_has_no_ratio(void **state)
{
    struct bench *bench = *state;
    for (int d = 0; d < 2; d++) {
        add_runs(bench, d ? "q" : "p", "slow", 1, 4, 100, d ? "converged" : "stalled");
        add_runs(bench, d ? "q" : "p", "quick", 1, 4, 50, "converged");
    }
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],"
                               "\"metrics\":[{\"metric\":\"iterations\",\"ratio_to\":\"slow\"}]}",
                               STATUS_OK, NULL);
    const char *const column = "slow.iterations.geometric-mean";
    assert_string_equal(member_of(cell_of(table, 0, column), "text")->valuestring, "–");
    assert_string_equal(member_of(cell_of(table, 1, column), "text")->valuestring, "1");
    cJSON_Delete(table);
    char *text = bench_read(bench, "tables/t.md");
    assert_non_null(strstr(text, " –‡ |"));
    free(text);
}

static void unlike_budgets_are_not_compared(void **state)
{
    struct bench *bench = *state;
    add_runs(bench, "p", "quick", 1, 6, 5, "converged");
    add_runs(bench, "p", "slow", 1, 6, 100, "iteration-limit");
    add_runs(bench, "q", "quick", 1, 6, 5, "converged");
    add_runs(bench, "q", "slow", 1, 6, 6, "converged");
    config = "{\"solvers\":[\"quick\",{\"name\":\"slow\",\"budget\":{\"iterations\":100}}],"
             "\"budget\":{\"iterations\":9999}}";
    static const char specification[] =
        "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],\"best_in\":\"row\",\"metrics\":"
        "[{\"metric\":\"converged\",\"statistic\":\"share\",\"best\":\"highest\"},{\"metric\":\"iterations\","
        "\"ratio_to\":\"slow\"},\"kernel-operations\"],\"marks\":{\"against\":\"slow\"}}";
    cJSON *table = write_table(bench, specification, STATUS_OK, NULL);
    check_bold(table, "------bbbb--"); /* on q no run ended at its limit, so the budgets had no effect there */
    assert_null(member_of(cell_of(table, 0, "quick.iterations.geometric-mean"), "ratio"));
    assert_null(member_of(cell_of(table, 0, "quick.kernel-operations.mean ± sd"), "test"));
    assert_non_null(member_of(cell_of(table, 1, "quick.kernel-operations.mean ± sd"), "test"));
    const char *budgets = cJSON_GetStringValue(cJSON_GetObjectItem(table, "budgets"));
    assert_true(budgets && strstr(budgets, "100 iterations") && strstr(budgets, "9999 iterations"));
    cJSON_Delete(table);
    char *text = bench_read(bench, "tables/t.md");
    assert_non_null(strstr(text, "their budgets differ"));
    free(text);
    config = "{\"solvers\":[\"quick\",\"slow\"],\"budget\":{\"iterations\":9999}}";
    table = write_table(bench, specification, STATUS_OK, NULL);
    check_bold(table, "b-----bbbb--");
    assert_null(cJSON_GetObjectItem(table, "budgets"));
    cJSON_Delete(table);
    config = "{}";
}

/* The test compares means, so no other statistic carries its marks; ratios_and_marks tests those of the mean. */
static void deviations_and_extremes_have_no_mark_and_deviations_are_not_best_unasked(void **state)
{
    static const struct {
        const char *metric;
        int is_marked, is_best;
    } cases[] = {{"\"statistic\":\"sd\"", 0, 0},        {"\"statistic\":\"sd\",\"best\":\"lowest\"", 0, 1},
                 {"\"statistic\":\"minimum\"", 0, 1},   {"\"statistic\":\"maximum\"", 0, 1},
                 {"\"statistic\":\"quartiles\"", 1, 1}, {"\"statistic\":\"median\"", 1, 1},
                 {"\"statistic\":\"mean\"", 1, 1}};
    struct bench *bench = *state;
    add_pairs(bench);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char specification[400];
        snprintf(specification, sizeof specification,
                 "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],\"best_in\":\"row\","
                 "\"datasets\":[\"p\"],\"metrics\":[{\"metric\":\"iterations\",%s}],"
                 "\"marks\":{\"against\":\"slow\"}}",
                 cases[i].metric);
        cJSON_Delete(write_table(bench, specification, STATUS_OK, NULL));
        char *text = bench_read(bench, "tables/t.md");
        assert_int_equal(strstr(text, "†") != NULL, cases[i].is_marked);
        assert_int_equal(strstr(text, "**") != NULL, cases[i].is_best);
        free(text);
    }
}

/* Adds records with `params` after mu. */
static void add_with_params(struct bench *bench, const char *solver, const char *params)
{
    for (int i = 0; i < 2; i++)
        fprintf(bench->records,
                "{\"schema\":1,\"config\":\"made\",\"dataset\":\"p\",\"split\":%d,\"split_source\":\"official\","
                "\"solver\":\"%s\",\"params\":{\"mu\":0.1%s},\"kernel\":{\"type\":\"linear\"},"
                "\"stop\":{\"rule\":\"rch-gap\",\"tolerance\":1e-05},\"outcome\":\"converged\",\"iterations\":7,"
                "\"kernel_operations\":{\"setup\":1,\"iterations\":1,\"predict\":1},\"kernel_evaluations\":1,"
                "\"support_vectors\":12,\"error_percent\":1,\"objective\":1,\"duality_gap\":1e-6,"
                "\"kkt_violation\":1e-6,\"bias\":0,\"feasibility\":0,\"mu_effective\":0.1,\"rch_mu\":null}\n",
                i + 1, solver, params);
}

#define WHERE(condition)                                                                                             \
    "{\"name\":\"t\",\"rows\":[\"dataset\",\"settings\"],\"columns\":[\"solver\"],"                                  \
    "\"metrics\":[\"iterations\"],\"where\":{" condition "}}"

static void true_and_false_are_the_values_of_a_switch(void **state)
{
    struct bench *bench = *state;
    add_with_params(bench, "mine", ",\"turns\":1,\"quick\":\"no\"");
    add_with_params(bench, "mine", ",\"turns\":2,\"quick\":\"no\"");
    add_with_params(bench, "mine", ",\"turns\":1,\"quick\":\"yes\"");
    static const struct {
        const char *specification;
        int rows;
    } cases[] = {{WHERE("\"quick\":false"), 2}, {WHERE("\"quick\":[true,false],\"turns\":1"), 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *table = write_table(bench, cases[i].specification, STATUS_OK, NULL);
        assert_int_equal(count_distinct(table, "row"), cases[i].rows);
        cJSON_Delete(table);
    }
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"quick\"],\"metrics\":[\"iterations\"],"
                               "\"where\":{\"quick\":true}}",
                               STATUS_OK, NULL);
    const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(table, "rows"), 0);
    assert_int_equal(count_distinct(table, "row"), 1);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "quick")), "yes");
    cJSON_Delete(table);
}

static void solvers_without_the_setting_of_a_condition_are_named(void **state)
{
    struct bench *bench = *state;
    struct error error = {0};
    add_with_params(bench, "mine", ",\"turns\":1");
    add_with_params(bench, "mine", ",\"turns\":2");
    add_with_params(bench, "clip-mdm", "");
    cJSON_Delete(write_table(bench, WHERE("\"turns\":2"), STATUS_OK, NULL));
    char *warned = bench_read(bench, "warned");
    assert_non_null(strstr(warned, "where.turns: clip-mdm has no turns and is left out"));
    assert_true(strchr(warned, '\n') == warned + strlen(warned) - 1); /* one line */
    free(warned);
    cJSON *table = write_table(bench, WHERE("\"turns\":[2,null]"), STATUS_OK, NULL);
    assert_int_equal(count_distinct(table, "column"), 2);
    cJSON_Delete(table);
    warned = bench_read(bench, "warned");
    assert_string_equal(warned, "");
    free(warned);
    write_table(bench, WHERE("\"turns\":3"), STATUS_NOT_FOUND, &error);
    assert_non_null(strstr(error.message, "1, 2; null in a list keeps the 2 records without it"));
    warned = bench_read(bench, "warned");
    assert_string_equal(warned, "");
    free(warned);
}

static void titles_that_are_given_are_printed_as_they_stand(void **state)
{
    struct bench *bench = *state;
    add_pairs(bench);
    cJSON_Delete(write_table(bench,
                             "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],"
                             "\"metrics\":[{\"metric\":\"iterations\",\"title\":\"r_a%\"},"
                             "{\"metric\":\"error\",\"statistic\":\"mean\"}]}",
                             STATUS_OK, NULL));
    char *text = bench_read(bench, "tables/t.md");
    assert_null(strstr(text, "R_a%"));
    assert_non_null(strstr(text, "Test error (%): mean over splits."));
    free(text);
}

static void cells_of_other_problems_do_not_compete(void **state)
{
    struct bench *bench = *state;
    for (int i = 0; i < 3; i++)
        for (int s = 0; s < 2; s++)
            for (int m = 0; m < 2; m++)
                bench_add(bench, (struct made){.dataset = "p",
                                               .solver = s ? "quick" : "slow",
                                               .split = i + 1,
                                               .mu = m ? 0.5 : 0.1,
                                               .width = 1,
                                               .iterations = m ? 10 + s : 1000 - s, /* a harder problem */
                                               .kernel_operations = 1});
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\",\"mu\"],"
                               "\"best_in\":\"row\",\"metrics\":[\"iterations\"]}",
                               STATUS_OK, NULL);
    static const char *const columns[] = {"slow.mu=0.1", "slow.mu=0.5", "quick.mu=0.1", "quick.mu=0.5"};
    for (int c = 0; c < 4; c++) {
        char key[80];
        snprintf(key, sizeof key, "%s.iterations.mean ± sd", columns[c]);
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(cell_of(table, 0, key), "best")), c == 1 || c == 2);
    }
    cJSON_Delete(table);
}

/* quick needs fewer iterations, and slow fewer kernel operations. */
static void cells_of_one_run_compete_too(void **state)
{
    struct bench *bench = *state;
    for (int s = 0; s < 2; s++)
        bench_add(bench, (struct made){.dataset = "p",
                                       .solver = s ? "quick" : "slow",
                                       .split = 1,
                                       .mu = 0.1,
                                       .width = 1,
                                       .iterations = s ? 5 : 50,
                                       .kernel_operations = s ? 900 : 800});
    cJSON *table = write_table(bench,
                               "{\"name\":\"t\",\"rows\":[\"dataset\"],\"columns\":[\"solver\"],\"best_in\":\"row\","
                               "\"metrics\":[\"iterations\",\"kernel-operations\"]}",
                               STATUS_OK, NULL);
    static const struct {
        const char *column;
        int is_best;
    } cells[] = {{"slow.iterations.mean ± sd", 0}, {"quick.iterations.mean ± sd", 1},
                 {"slow.kernel-operations.mean ± sd", 1}, {"quick.kernel-operations.mean ± sd", 0}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(cell_of(table, 0, cells[i].column), "best")),
                         cells[i].is_best);
    cJSON_Delete(table);
    char *text = bench_read(bench, "tables/t.md");
    assert_null(strstr(text, "Times are not compared")); /* it has no times */
    free(text);
}

static void several_settings_in_a_cell_are_refused(void **state)
{
    struct bench *bench = *state;
    struct error error = {0};
    for (int i = 0; i < 2; i++)
        bench_add(bench, (struct made){.dataset = "p",
                                       .solver = "slow",
                                       .split = 1,
                                       .mu = i ? 0.5 : 0.1,
                                       .width = 1,
                                       .iterations = 1,
                                       .kernel_operations = 1});
    write_table(bench, "{\"name\":\"t\",\"rows\":[\"dataset\"],\"metrics\":[\"iterations\"]}", STATUS_BAD_INPUT,
                &error);
    assert_non_null(strstr(error.message, "mu = 0.1 and 0.5"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_solver_of_the_easy_data_set_or_of_one_split_is_not_best),
        TEST(cells_with_all_splits_compete_without_those_that_lack_some),
        TEST(ratios_of_other_pairs_do_not_compete),
        TEST(a_baseline_that_never_converged_has_no_ratio),
        TEST(unlike_budgets_are_not_compared),
        TEST(ratios_and_marks_are_those_of_the_pairs),
        TEST(pairs_of_other_optima_are_left_out),
        TEST(over_data_sets_a_value_is_a_data_sets_mean),
        TEST(failed_and_unconverged_runs_are_told_and_never_best),
        TEST(the_note_tells_what_became_of_each_run_that_did_not_converge),
        TEST(cells_that_print_one_number_are_best_alike),
        TEST(deviations_and_extremes_have_no_mark_and_deviations_are_not_best_unasked),
        TEST(true_and_false_are_the_values_of_a_switch),
        TEST(solvers_without_the_setting_of_a_condition_are_named),
        TEST(titles_that_are_given_are_printed_as_they_stand),
        TEST(cells_of_other_problems_do_not_compete),
        TEST(cells_of_one_run_compete_too),
        TEST(several_settings_in_a_cell_are_refused),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests_name("tables of one's own", tests, NULL, NULL);
}
