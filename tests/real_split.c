/* Splits of data sets for tests, see real_split.h. */
#include "tests/load_dataset.h"
#include "tests/real_split.h"

#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset.h"

static void copy_rows(struct real_split *real, const struct dataset *dataset, const struct split *split)
{
    real->n = split->n_train;
    real->dims = dataset->patterns.dims;
    real->x = malloc(real->n * real->dims * sizeof *real->x);
    real->y = malloc(real->n);
    if (!real->x || !real->y)
        abort();
    for (size_t i = 0; i < real->n; i++) {
        memcpy(real->x + i * real->dims, dataset->patterns.values + split->train[i] * real->dims,
               real->dims * sizeof *real->x);
        real->y[i] = dataset->y[split->train[i]];
    }
}

static void build(struct real_split *real, const struct kernel *kernel)
{
    real->rows = malloc(real->n * sizeof *real->rows);
    if (!real->rows)
        abort();
    for (size_t i = 0; i < real->n; i++)
        real->rows[i] = i;
    if (points_create(&real->points, kernel->type, patterns_dense(real->x, real->n, real->dims), real->rows, real->n,
                      NULL) != STATUS_OK ||
        gram_create(&real->gram, simd_select(NULL), &real->points, (size_t)1 << 30, 0, NULL) != STATUS_OK ||
        oracle_create(&real->oracle, real->gram, NULL) != STATUS_OK ||
        oracle_check_rows(real->oracle, 1, NULL) != STATUS_OK)
        abort();
    gram_set_kernel(real->gram, kernel);
    real->problem = (struct problem){.n = real->n, .y = real->y};
    real->problem.parameters = (struct parameters){0};
}

int real_split_open(struct real_split *real, const char *name, size_t split, const struct kernel *kernel)
{
    struct dataset *dataset;
    struct error error;
    struct dataset_request request = {.set.name = name, .search_path = getenv("HULLBENCH_DATA"), .want_splits = split,
                                      .allow_generated = 1};
    memset(real, 0, sizeof *real);
    enum status status = load_dataset(&request, &dataset, &error);
    if (status == STATUS_NOT_FOUND)
        return 0;
    if (status != STATUS_OK)
        abort();
    dataset_standardise(dataset, STANDARDISE_FULL_SET);
    copy_rows(real, dataset, &dataset->splits[split - 1]);
    release_dataset(dataset);
    build(real, kernel);
    return 1;
}

void real_split_close(struct real_split *real)
{
    oracle_free(real->oracle);
    gram_free(real->gram);
    points_free(&real->points);
    free(real->x);
    free(real->y);
    free(real->rows);
}
