/* The table of regrets, recomputed from drawn records. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/tables/run_tables.h"
#include "tests/plot_bench.h"
#include "tests/read_run.h"

enum { SETS = 3, MUS = 3, WIDTHS = 2, CELLS = MUS * WIDTHS, SPLITS = 9, REFERENCE = 4 };
static const char *const sets[SETS] = {"heart", "german", "banana"};
static const double mus[MUS] = {0.25, 0.5, 1}, widths[WIDTHS] = {1, 10}, train = 170, test = 100;

/* Draws errors around 20 - the cell's number, and writes the records and the tables; a failed run at one cell. */
static void make_tables(struct bench *bench, int splits, double error[SETS][CELLS][SPLITS], const char *references)
{
    struct pool *pool = pool_new();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct run_folder folder;
    struct table_log log = {0};
    char path[256];
    for (int d = 0; d < SETS; d++)
        for (int i = 0; i < splits; i++)
            for (int c = 0; c < CELLS; c++) {
                error[d][c][i] = 20 - 0.2 * c + gsl_ran_gaussian(rng, 2);
                bench_add(bench, (struct made){.dataset = sets[d],
                                               .solver = "clip-mdm",
                                               .outcome = c == 0 && i == 1 ? "failed" : "converged",
                                               .split = i + 1,
                                               .mu = mus[c % MUS],
                                               .width = widths[c / MUS],
                                               .error_percent = error[d][c][i]});
            }
    gsl_rng_free(rng);
    bench_write(bench, "run.json", "{\"data\":[{\"dataset\":\"heart\",\"train\":170,\"test\":100},"
                                   "{\"dataset\":\"german\",\"train\":170,\"test\":100}]}");
    bench_write(bench, "config.json",
                pool_printf(pool, "{\"plots\":[{\"kind\":\"heatmap\",\"name\":\"grid\",\"references\":[%s]}]}",
                            references));
    bench_draw(bench, NULL, 1);
    bench_path(bench, "tables", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(try_folder(bench->folder, FOLDER_CONFIG, TRY_OPEN, &folder, NULL), STATUS_OK);
    solver_tables_write(&folder, path, &log);
    pool_free(folder.pool);
    pool_free(pool);
}

/* Mean over the splits of a parity, 2: all; the first cell lacks a split. */
static double mean_of(const double *error, int splits, int parity)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < splits; i++)
        if (parity == 2 || i % 2 == parity) {
            sum += error[i];
            n++;
        }
    return sum / n;
}

static int lowest_of(double error[CELLS][SPLITS], int splits, int parity)
{
    int best = 1;
    for (int c = 2; c < CELLS; c++)
        best = mean_of(error[c], splits, parity) < mean_of(error[best], splits, parity) ? c : best;
    return best;
}

/* The numbers of a row of the CSV behind its texts: error_reference, error_chosen, regret, its ends and level, the same
 * for new patterns, same_splits, p. */
enum { NUMBERS = 12 };
static void read_row(const char *csv, const char *start, double numbers[NUMBERS])
{
    const char *row = strstr(csv, start);
    assert_non_null(row);
    char *line = strndup(row, strcspn(row, "\r")), *at = line + strlen(line);
    for (int k = NUMBERS; k-- > 0;) {
        while (at[-1] != ',')
            at--;
        numbers[k] = *at ? strtod(at, NULL) : (double)NAN;
        *--at = '\0';
    }
    free(line);
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-5 * fmax(1, fabs(expected)))) /* six digits */
        fail_msg("%.17g is not %.17g", found, expected);
}

static void each_half_of_the_splits_judges_what_the_other_half_has_chosen(void **state)
{
    struct bench *bench = *state;
    double error[SETS][CELLS][SPLITS], numbers[NUMBERS], regrets[SETS], walsh[SETS * (SETS + 1) / 2], same = 0;
    make_tables(bench, SPLITS, error,
                "{\"dataset\":\"heart\",\"where\":{\"mu\":0.5,\"width\":10}},"
                "{\"dataset\":\"german\",\"solvers\":[\"clip-mdm\"],\"where\":{\"mu\":0.5,\"width\":10}},"
                "{\"dataset\":\"banana\",\"where\":{\"mu\":0.5,\"width\":10}}");
    char *csv = bench_read(bench, "tables/regret-grid.csv");
    for (int d = 0; d < SETS; d++) {
        const int chosen[2] = {lowest_of(error[d], SPLITS, 0), lowest_of(error[d], SPLITS, 1)};
        double difference[SPLITS], squares = 0, sum_chosen = 0;
        for (int i = 0; i < SPLITS; i++) {
            sum_chosen += error[d][chosen[1 - i % 2]][i];
            difference[i] = error[d][REFERENCE][i] - error[d][chosen[1 - i % 2]][i];
        }
        regrets[d] = mean_of(difference, SPLITS, 2);
        for (int i = 0; i < SPLITS; i++)
            squares += pow(difference[i] - regrets[d], 2);
        const double t = gsl_cdf_tdist_Qinv(0.025, SPLITS - 1), variance = squares / (SPLITS - 1),
                     reach = t * sqrt(variance / SPLITS),
                     corrected = t * sqrt(variance * (1.0 / SPLITS + train / test)),
                     lowest = mean_of(error[d][lowest_of(error[d], SPLITS, 2)], SPLITS, 2);
        char *start = xasprintf("\n%s,clip-mdm,%d,%d,\"μ = 0.5, kernel width = 10\",\"μ = %g, kernel width = %g\","
                                "\"μ = %g, kernel width = %g\",",
                                sets[d], SPLITS, CELLS - 1, mus[chosen[0] % MUS], widths[chosen[0] / MUS],
                                mus[chosen[1] % MUS], widths[chosen[1] / MUS]);
        read_row(csv, start, numbers);
        free(start);
        assert_near(numbers[0], mean_of(error[d][REFERENCE], SPLITS, 2));
        assert_near(numbers[1], sum_chosen / SPLITS);
        assert_near(numbers[2], regrets[d]);
        assert_near(numbers[3], regrets[d] - reach);
        assert_near(numbers[4], regrets[d] + reach);
        assert_true(numbers[5] == 0.95);
        assert_near(numbers[6], regrets[d]);
        if (d < 2) { /* run.json lacks the sizes of banana */
            assert_near(numbers[7], regrets[d] - corrected);
            assert_near(numbers[8], regrets[d] + corrected);
        } else {
            assert_true(isnan(numbers[7]) && isnan(numbers[8]));
        }
        assert_near(numbers[10], mean_of(error[d][REFERENCE], SPLITS, 2) - lowest);
        assert_true(numbers[10] >= 0 && isnan(numbers[11]));
        same += numbers[10] / SETS;
    }
    /* over data sets: the median of the six means of two; all signs have p of at least 1/4 */
    for (int i = 0, k = 0; i < SETS; i++)
        for (int j = i; j < SETS; j++)
            walsh[k++] = (regrets[i] + regrets[j]) / 2;
    gsl_sort(walsh, 1, SETS * (SETS + 1) / 2);
    read_row(csv, "\nall,clip-mdm,3,", numbers);
    assert_near(numbers[6], (walsh[2] + walsh[3]) / 2);
    assert_near(numbers[10], same);
    assert_true(numbers[11] >= 0.25 && numbers[11] <= 1 && isnan(numbers[2]));
    free(csv);
}

static void with_five_splits_the_regret_has_no_interval(void **state)
{
    struct bench *bench = *state;
    double error[SETS][CELLS][SPLITS], numbers[NUMBERS];
    make_tables(bench, 5, error, "{\"dataset\":\"heart\",\"where\":{\"mu\":0.5,\"width\":10}}");
    char *csv = bench_read(bench, "tables/regret-grid.csv");
    read_row(csv, "\nheart,clip-mdm,5,", numbers);
    assert_true(isfinite(numbers[2]) && isnan(numbers[3]) && isnan(numbers[4]) && isnan(numbers[7]));
    assert_null(strstr(csv, "\nall,")); /* of one data set */
    free(csv);
}

static void without_a_record_of_a_reference_there_is_no_table(void **state)
{
    struct bench *bench = *state;
    double error[SETS][CELLS][SPLITS];
    char path[256];
    make_tables(bench, SPLITS, error, "{\"dataset\":\"heart\",\"where\":{\"mu\":0.75}}");
    bench_path(bench, "tables/regret-grid.csv", path);
    assert_null(fopen(path, "r"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_half_of_the_splits_judges_what_the_other_half_has_chosen),
        TEST(with_five_splits_the_regret_has_no_interval),
        TEST(without_a_record_of_a_reference_there_is_no_table),
    };
    gsl_set_error_handler_off();
    unsetenv("HULLBENCH_SHARE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
