/*
 * Speed as ratios in one run, one thread: each pair is timed in turn, several times, and the median ratio is reported.
 *
 *   row-sum       the sum of kernel rows behind mu-GSK against memcpy of the same bytes (the memory's floor)
 *   exp           the project's exp against libm's
 *   generic/best  the sum of rows and exp in the widest vectors of this processor against the portable code
 *   1-smo         C-SVM, kernel matrix and solution, against LIBSVM's C-SVC (where installed), both to a KKT violation of 1e-3
 *   clip-mdm      reduced hulls against LIBSVM's nu-SVC
 *
 * Writes the table to standard output and JSON to the file named.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#if HAVE_LIBSVM
#include <libsvm/svm.h>
#endif

#include "harness/dataset.h"
#include "harness/file.h"
#include "harness/solve.h"

enum { REPEATS = 7, ROWS = 64, LENGTH = 1024, PASSES = 200 };

struct bench {
    cJSON *list;
    const struct lanes *best, *generic;
    double *matrix, *out;
};

typedef void timed(void *context);

static double seconds_of(timed *work, void *context)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    work(context);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

/* Median over REPEATS interleaved pairs of (time of other) / (time of ours): above 1, ours is faster. */
static void compare(struct bench *bench, const char *name, const char *against, timed *ours, void *a, timed *other, void *b)
{
    double ratio[REPEATS], mine[REPEATS];
    for (int r = 0; r < REPEATS; r++) {
        mine[r] = seconds_of(ours, a);
        ratio[r] = seconds_of(other, b) / mine[r];
    }
    gsl_sort(ratio, 1, REPEATS);
    gsl_sort(mine, 1, REPEATS);
    double median = gsl_stats_median_from_sorted_data(ratio, 1, REPEATS);
    printf("%-34s %-24s %8.2f   (%.2f to %.2f, ours %.3g s)\n", name, against, median, ratio[0], ratio[REPEATS - 1],
           gsl_stats_median_from_sorted_data(mine, 1, REPEATS));
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddStringToObject(item, "against", against);
    cJSON_AddNumberToObject(item, "times_faster", median);
    cJSON_AddNumberToObject(item, "least", ratio[0]);
    cJSON_AddNumberToObject(item, "most", ratio[REPEATS - 1]);
    cJSON_AddItemToArray(bench->list, item);
}

/* ---- loops ---- */

struct loop {
    const struct bench *bench;
    const struct lanes *lanes;
};

static void sum_rows(void *context)
{
    const struct loop *loop = context;
    const double *rows[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = loop->bench->matrix + i * LENGTH;
    for (int p = 0; p < PASSES; p++)
        loop->lanes->row_sum(LENGTH, rows, ROWS, loop->bench->out);
}

static void copy_rows(void *context)
{
    const struct loop *loop = context;
    for (int p = 0; p < PASSES; p++)
        for (size_t i = 0; i < ROWS; i++) {
            memcpy(loop->bench->out, loop->bench->matrix + i * LENGTH, LENGTH * sizeof(double));
            __asm__ volatile("" : : "r"(loop->bench->out) : "memory");
        }
}

static void exps(void *context)
{
    const struct loop *loop = context;
    for (size_t i = 0; i < ROWS; i++)
        loop->lanes->exp_negative(LENGTH, loop->bench->matrix + i * LENGTH, 3, loop->bench->out);
}

static void libm_exps(void *context)
{
    const struct loop *loop = context;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < LENGTH; j++)
            loop->bench->out[j] = exp(-loop->bench->matrix[i * LENGTH + j] / 3);
        __asm__ volatile("" : : "r"(loop->bench->out) : "memory");
    }
}

static void bench_loops(struct bench *bench)
{
    struct loop best = {bench, bench->best}, generic = {bench, bench->generic};
    compare(bench, "sum of 64 rows", "memcpy of the rows", sum_rows, &best, copy_rows, &best);
    compare(bench, "exp", "libm", exps, &best, libm_exps, &best);
    compare(bench, "sum of 64 rows, widest vectors", "portable code", sum_rows, &best, sum_rows, &generic);
    compare(bench, "exp, widest vectors", "portable code", exps, &best, exps, &generic);
}

/* ---- solvers ---- */

struct race {
    const struct bench *bench;
    const struct dataset *dataset;
    double width, c, mu;
    const char *solver;
};

static void solve_ours(void *context)
{
    const struct race *race = context;
    const struct split *split = &race->dataset->splits[0];
    const struct kernel kernel = {.type = KERNEL_RBF, .width = race->width};
    struct points points;
    struct gram *gram;
    struct oracle *oracle;
    struct solution solution;
    signed char *y = malloc(split->n_train);
    double *alpha = lanes_doubles(split->n_train);
    if (!y || !alpha ||
        points_create(&points, KERNEL_RBF, race->dataset->x, race->dataset->dims, split->train, split->n_train, NULL) ||
        gram_create(&gram, race->bench->best, &points, (size_t)1 << 28, 0, NULL) || oracle_create(&oracle, gram, NULL))
        abort();
    for (size_t i = 0; i < split->n_train; i++)
        y[i] = race->dataset->y[split->train[i]];
    gram_set_kernel(gram, &kernel);
    struct problem problem = {.n = split->n_train, .y = y};
    parameters_default(&problem.parameters);
    problem.parameters.value[PARAMETER_C] = race->c;
    problem.parameters.value[PARAMETER_MU] = race->mu;
    struct solve_request request = {.solver = solver_find(race->solver), .problem = &problem, .oracle = oracle,
                                    .stop = {race->c > 0 ? STOP_KKT : STOP_RCH_GAP_BOTH, race->c > 0 ? 1e-3 : 1e-5}};
    if (solve(&request, alpha, &solution, NULL) != STATUS_OK || solution.outcome != OUTCOME_CONVERGED)
        abort();
    oracle_free(oracle);
    gram_free(gram);
    points_free(&points);
    free(alpha);
    free(y);
}

#if HAVE_LIBSVM
static void be_quiet(const char *text)
{
    (void)text;
}

static void solve_libsvm(void *context)
{
    const struct race *race = context;
    const struct split *split = &race->dataset->splits[0];
    size_t n = split->n_train, dims = race->dataset->dims;
    struct svm_node *nodes = calloc(n * (dims + 1), sizeof *nodes), **rows = calloc(n, sizeof *rows);
    double *labels = calloc(n, sizeof *labels);
    if (!nodes || !rows || !labels)
        abort();
    for (size_t i = 0; i < n; i++) {
        rows[i] = nodes + i * (dims + 1);
        labels[i] = race->dataset->y[split->train[i]];
        for (size_t d = 0; d < dims; d++)
            rows[i][d] = (struct svm_node){(int)d + 1, race->dataset->x[split->train[i] * dims + d]};
        rows[i][dims].index = -1;
    }
    struct svm_problem problem = {(int)n, labels, rows};
    struct svm_parameter parameter = {.svm_type = race->c > 0 ? C_SVC : NU_SVC, .kernel_type = RBF,
                                      .gamma = 1 / race->width, .cache_size = 200, .eps = 1e-3, .C = race->c,
                                      .nu = race->c > 0 ? 0.5 : 2 / (race->mu * (double)n), .shrinking = 1};
    svm_set_print_string_function(be_quiet);
    struct svm_model *model = svm_train(&problem, &parameter);
    svm_free_and_destroy_model(&model);
    free(nodes);
    free(rows);
    free(labels);
}
#endif

static void bench_solvers(struct bench *bench)
{
    const struct {
        const char *set;
        double width, c, mu;
    } races[] = {{"twonorm", 40, 3.2, 0.0416}, {"waveform", 20, 1, 0.0138}, {"ringnorm", 10, 1e9, 1}, {"german", 55, 3.2, 0.0053},
                 {"banana", 1, 316.2, 0.0215}, {"image", 30, 500, 0.0214}};
    for (size_t r = 0; r < sizeof races / sizeof *races; r++) {
        struct dataset *dataset = NULL;
        struct dataset_request request = {.name = races[r].set, .search_path = getenv("HULLBENCH_DATA"), .want_splits = 1,
                                          .allow_generated = 1};
        if (dataset_load(&request, &dataset, NULL) != STATUS_OK) {
            printf("%-34s data missing\n", races[r].set);
            continue;
        }
        dataset_standardise(dataset);
#if HAVE_LIBSVM
        char name[64];
        struct race svm = {bench, dataset, races[r].width, races[r].c, 1, "1-smo"};
        struct race hull = {bench, dataset, races[r].width, 0, races[r].mu, "clip-mdm"};
        snprintf(name, sizeof name, "1-smo on %s", races[r].set);
        compare(bench, name, "LIBSVM C-SVC", solve_ours, &svm, solve_libsvm, &svm);
        snprintf(name, sizeof name, "clip-mdm on %s", races[r].set);
        compare(bench, name, "LIBSVM nu-SVC", solve_ours, &hull, solve_libsvm, &hull);
#else
        printf("%-34s LIBSVM is not installed\n", races[r].set);
        (void)solve_ours;
#endif
        dataset_free(dataset);
    }
}

int main(int argc, char **argv)
{
    struct error error = {0};
    struct bench bench = {.list = cJSON_CreateArray(),
                          .best = lanes_select(NULL),
                          .generic = lanes_select("generic"),
                          .matrix = lanes_doubles(ROWS * LENGTH),
                          .out = lanes_doubles(LENGTH)};
    gsl_set_error_handler_off();
    if (!bench.list || !bench.matrix || !bench.out) {
        fputs("bench: out of memory\n", stderr);
        return 4;
    }
    for (size_t i = 0; i < (size_t)ROWS * LENGTH; i++)
        bench.matrix[i] = (double)(i % 997) / 100;
    printf("%-34s %-24s %8s\n", "ours", "against", "times faster (median, least to most)");
    bench_loops(&bench);
    bench_solvers(&bench);
    enum status status = argc > 1 ? json_write(argv[1], bench.list, &error) : STATUS_OK;
    if (status != STATUS_OK)
        fprintf(stderr, "bench: %s\n", error.message);
    cJSON_Delete(bench.list);
    free(bench.matrix);
    free(bench.out);
    return status == STATUS_OK ? 0 : 4;
}
