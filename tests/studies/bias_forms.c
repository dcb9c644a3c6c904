/*
 * Test errors of CH-MDM with other forms of the bias, for docs/deviations.md ("CH-MDM's error where it stops early"):
 *     make studies && build/bias-forms DATASET FIRST LAST WIDTH C RULE TOLERANCE
 * It prints the mean error, its standard deviation and the number of splits for each form.
 *
 * CH-MDM ends at W = W+ - W-, W+- in the hulls of the classes, under inner products K + I/C. g_i = sum_j alpha_j y_j
 * k(x_i, x_j) leaves out the ridge, f_i = g_i + alpha_i y_i / C has it, and a test pattern is classified by g + b.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset.h"
#include "harness/library/hullbench.h"
#include "harness/stats/summary.h"
#include "tests/load_dataset.h"

enum form { SEGMENT, SEGMENT_WITHOUT, EXTREMES, EXTREMES_WITHOUT, SUPPORTS, SUPPORTS_WITHOUT, MEAN, FORMS };
static const char *const form_names[] = {
    [SEGMENT] = "bisects W+W-, as implemented",
    [SEGMENT_WITHOUT] = "bisects W+W-, without the ridge",
    [EXTREMES] = "middle of the extreme patterns",
    [EXTREMES_WITHOUT] = "the same, without the ridge",
    [SUPPORTS] = "middle of the means of the support vectors",
    [SUPPORTS_WITHOUT] = "the same, without the ridge",
    [MEAN] = "mean over support vectors of y - w x",
};

struct rows {
    size_t n, dims;
    double *x, *g;
    int *y;
};

static struct rows rows_of(const struct dataset *dataset, const size_t *index, size_t n)
{
    struct rows rows = {n, dataset->patterns.dims, calloc(n * dataset->patterns.dims, sizeof(double)),
                        calloc(n, sizeof(double)), calloc(n, sizeof(int))};
    if (!rows.x || !rows.g || !rows.y)
        abort();
    for (size_t i = 0; i < n; i++) {
        memcpy(rows.x + i * rows.dims, dataset->patterns.values + index[i] * rows.dims, rows.dims * sizeof(double));
        rows.y[i] = dataset->y[index[i]];
    }
    return rows;
}

static void rows_free(struct rows *rows)
{
    free(rows->x);
    free(rows->g);
    free(rows->y);
}

/* Fills in b for each form. */
static void find_biases(const struct rows *train, const double *alpha, double c, double *bias)
{
    double own[2] = {0, 0}, norm2 = 0, mean = 0, supports = 0;
    double extreme[2][2] = {{HUGE_VAL, HUGE_VAL}, {HUGE_VAL, HUGE_VAL}}, sum[2][2] = {{0}}, count[2] = {0, 0};
    for (size_t i = 0; i < train->n; i++) {
        const int class = train->y[i] < 0;
        for (int ridge = 0; ridge < 2; ridge++) {
            const double value = train->g[i] + (ridge ? alpha[i] * train->y[i] / c : 0);
            own[ridge] += alpha[i] * value;
            extreme[class][ridge] = fmin(extreme[class][ridge], train->y[i] * value);
            sum[class][ridge] += alpha[i] > 1e-6 ? value : 0;
        }
        norm2 += alpha[i] * train->y[i] * (train->g[i] + alpha[i] * train->y[i] / c);
        count[class] += alpha[i] > 1e-6;
    }
    /* in the scale of margin 1: W is multiplied by 2 / |W|^2 */
    for (size_t i = 0; i < train->n; i++)
        if (alpha[i] > 1e-6) {
            mean += train->y[i] * norm2 / 2 - train->g[i] - alpha[i] * train->y[i] / c;
            supports++;
        }
    bias[SEGMENT] = -0.5 * own[1];
    bias[SEGMENT_WITHOUT] = -0.5 * own[0];
    bias[EXTREMES] = -0.5 * (extreme[0][1] - extreme[1][1]);
    bias[EXTREMES_WITHOUT] = -0.5 * (extreme[0][0] - extreme[1][0]);
    bias[SUPPORTS] = -0.5 * (sum[0][1] / count[0] + sum[1][1] / count[1]);
    bias[SUPPORTS_WITHOUT] = -0.5 * (sum[0][0] / count[0] + sum[1][0] / count[1]);
    bias[MEAN] = mean / supports;
}

static void check(enum hullbench_status status, const char *message)
{
    if (status != HULLBENCH_OK) {
        fprintf(stderr, "bias-forms: %s\n", message);
        exit(2);
    }
}

/* Writes the error of each form on the split, in per cent. */
static void try_split(const struct dataset *dataset, const struct split *split, struct hullbench_problem *problem,
                      double c, double *errors)
{
    struct rows train = rows_of(dataset, split->train, split->n_train),
                test = rows_of(dataset, split->test, split->n_test);
    double *alpha = calloc(train.n, sizeof *alpha), bias[FORMS];
    struct hullbench_result result;
    char message[256];
    if (!alpha)
        abort();
    problem->n = train.n;
    problem->dims = train.dims;
    problem->x = train.x;
    problem->y = train.y;
    check(hullbench_train(problem, alpha, &result, message, sizeof message), message);
    check(hullbench_decide(problem, alpha, 0, train.n, train.x, train.g, message, sizeof message), message);
    check(hullbench_decide(problem, alpha, 0, test.n, test.x, test.g, message, sizeof message), message);
    find_biases(&train, alpha, c, bias);
    for (int f = 0; f < FORMS; f++) {
        size_t wrong = 0;
        for (size_t i = 0; i < test.n; i++)
            wrong += (test.g[i] + bias[f] >= 0 ? 1 : -1) != test.y[i];
        errors[f] = 100 * (double)wrong / (double)test.n;
    }
    free(alpha);
    rows_free(&train);
    rows_free(&test);
}

int main(int argc, char **argv)
{
    if (argc != 8) {
        fputs("Usage: bias-forms DATASET FIRST LAST WIDTH C RULE TOLERANCE\n", stderr);
        return 2;
    }
    const size_t first = strtoul(argv[2], NULL, 10), last = strtoul(argv[3], NULL, 10);
    const double c = strtod(argv[5], NULL);
    char kernel[64], parameters[64];
    struct dataset *dataset = NULL;
    struct error error;
    const struct dataset_request request = {.set.name = argv[1], .search_path = getenv("HULLBENCH_DATA"),
                                            .want_splits = last, .draws = 1, .allow_generated = 1};
    snprintf(kernel, sizeof kernel, "rbf,width=%s", argv[4]);
    snprintf(parameters, sizeof parameters, "C=%s", argv[5]);
    struct hullbench_problem problem = {.solver = "ch-mdm", .parameters = parameters, .kernel = kernel, .stop = argv[6],
                                        .tolerance = strtod(argv[7], NULL), .iterations = 10000000};
    if (first < 1 || last < first || !(c > 0)) {
        fputs("bias-forms: FIRST, LAST and C are numbers from 1\n", stderr);
        return 2;
    }
    if (load_dataset(&request, &dataset, &error) != STATUS_OK) {
        fprintf(stderr, "bias-forms: %s\n", error.message);
        return 2;
    }
    dataset_standardise(dataset, STANDARDISE_FULL_SET);
    const size_t n = last - first + 1;
    double *errors = calloc(n * FORMS, sizeof *errors), *column = calloc(n, sizeof *column);
    if (!errors || !column)
        abort();
    for (size_t s = 0; s < n; s++)
        try_split(dataset, &dataset->splits[first + s - 1], &problem, c, errors + s * FORMS);
    for (int f = 0; f < FORMS; f++) {
        for (size_t s = 0; s < n; s++)
            column[s] = errors[s * FORMS + (size_t)f];
        const struct summary summary = summary_of(column, n);
        printf("%-12s %-44s %8.4f +- %.4f, n %zu\n", argv[1], form_names[f], summary.mean, summary.sd, n);
    }
    free(errors);
    free(column);
    release_dataset(dataset);
    return 0;
}
