/* Making a data set, and changing all of it: standardised features, symmetric kernel tables, other orders. */
#include "harness/data/dataset.h"

#include <math.h>

#include "harness/data/dataset_parts.h"
#include "harness/data/dataset_text.h"
#include "solvers/kernel/kernel.h"

static void release_patterns(void *patterns)
{
    patterns_free(patterns);
}

void patterns_keep(struct pool *pool, struct patterns *patterns)
{
    pool_keep(pool, release_patterns, patterns);
}

struct dataset *dataset_new(struct pool *pool, const char *name)
{
    struct dataset *dataset = pool_alloc(pool, sizeof *dataset);
    dataset->pool = pool;
    dataset->name = pool_strdup(pool, name);
    patterns_keep(pool, &dataset->patterns);
    return dataset;
}

void dataset_take(struct dataset *dataset, struct patterns *patterns)
{
    dataset->patterns = *patterns;
    *patterns = (struct patterns){.rows = 0};
    dataset->y = pool_array(dataset->pool, dataset->patterns.rows, sizeof *dataset->y);
    dataset->multiplicity = pool_array(dataset->pool, dataset->patterns.rows, sizeof *dataset->multiplicity);
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        dataset->multiplicity[i] = 1;
}

void dataset_allocate(struct dataset *dataset, size_t rows, size_t dims)
{
    struct patterns patterns;
    if (rows == 0 || dims == 0)
        die(STATUS_BAD_INPUT, "%s: %s: no %s", dataset->source, dataset->name, rows == 0 ? "rows" : "features");
    if (patterns_create(&patterns, rows, dims, 0, PATTERNS_DENSE, NULL) != STATUS_OK)
        die(STATUS_NO_MEMORY, "%s: %s: %zu x %zu values do not fit into memory", dataset->source, dataset->name, rows,
            dims);
    dataset_take(dataset, &patterns);
}

void dataset_close(struct dataset *dataset)
{
    size_t positive = 0, negative = 0;
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        if (dataset->y[i] > 0)
            positive += dataset->multiplicity[i];
        else
            negative += dataset->multiplicity[i];
    dataset->full_size = positive + negative;
    if (positive == 0 || negative == 0)
        die(STATUS_BAD_INPUT, "%s: %s: all labels are %s; both classes are needed", dataset->source, dataset->name,
            positive == 0 ? "-1" : "+1");
}

/* ---- changes ---- */

/* Corrects the mean by the mean of the centred values, which removes most of its rounding error. */
static void feature_standardise(struct dataset *dataset, size_t feature, double divisor)
{
    double full = (double)dataset->full_size, mean = 0, left = 0, squares = 0, first = 0;
    int constant = 1, started = 0;
    double *x = dataset->patterns.values + feature;
    const size_t dims = dataset->patterns.dims;
    for (size_t i = 0; i < dataset->patterns.rows; i++) {
        double value = x[i * dims];
        if (dataset->multiplicity[i] && !started) {
            first = value;
            started = 1;
        }
        constant = constant && (dataset->multiplicity[i] == 0 || value == first);
        mean += (double)dataset->multiplicity[i] * value;
    }
    mean /= full;
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        left += (double)dataset->multiplicity[i] * (x[i * dims] - mean);
    mean += left / full;
    for (size_t i = 0; i < dataset->patterns.rows; i++) {
        double deviation = x[i * dims] - mean;
        squares += (double)dataset->multiplicity[i] * (deviation * deviation);
    }
    double deviation = sqrt(squares / divisor);
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        x[i * dims] = constant || deviation == 0 ? 0 : (x[i * dims] - mean) / deviation;
}

/* Makes compressed patterns dense; `why` is for the message if they do not fit into memory. */
static void hold_dense(struct dataset *dataset, const char *why)
{
    if (patterns_are_compressed(&dataset->patterns))
        patterns_make_dense(&dataset->patterns, message_text("%.400s: %s", dataset->source, why));
}

void dataset_standardise(struct dataset *dataset, enum standardise way)
{
    if (way == STANDARDISE_NONE)
        return;
    hold_dense(dataset, "standardised features are not 0, and are held dense (--no-standardise keeps them compressed)");
    dataset->scale_by_training = way == STANDARDISE_TRAINING;
    for (size_t feature = 0; !dataset->scale_by_training && feature < dataset->patterns.dims; feature++)
        feature_standardise(dataset, feature, (double)dataset->full_size - (way == STANDARDISE_FULL_SET_SAMPLE));
}

/* The split's rows are a data set in which test rows do not occur. */
struct patterns dataset_standardise_split(const struct dataset *dataset, const struct split *split)
{
    const size_t n = split->n_train, rows = n + split->n_test;
    struct pool *inner = pool_new();
    struct dataset table = {.multiplicity = pool_array(inner, rows, sizeof(size_t)), .full_size = n};
    struct error error = {0};
    die_unless_ok(patterns_create(&table.patterns, rows, dataset->patterns.dims, 0, PATTERNS_DENSE, &error), &error);
    for (size_t i = 0; i < rows; i++) {
        patterns_copy_row(&table.patterns, i, &dataset->patterns, i < n ? split->train[i] : split->test[i - n], 0);
        table.multiplicity[i] = i < n;
    }
    dataset_standardise(&table, STANDARDISE_FULL_SET);
    pool_free(inner);
    return table.patterns;
}

void dataset_make_symmetric(struct dataset *dataset)
{
    struct patterns *table = &dataset->patterns;
    struct error error = {0};
    int is_symmetric;
    die_unless_ok(kernel_table_check(table, dataset->source, &is_symmetric, &error), &error);
    if (is_symmetric)
        return;
    hold_dense(dataset, "rounded entries of a kernel table are made symmetric, and it is held dense");
    kernel_table_make_symmetric(table);
}

void dataset_reverse_training(struct dataset *dataset)
{
    for (size_t s = 0; s < dataset->n_splits; s++) {
        const struct split *split = &dataset->splits[s];
        size_t *train = dataset->indices + (split->train - dataset->indices);
        for (size_t i = 0, j = split->n_train; i + 1 < j; i++) {
            size_t row = train[i];
            train[i] = train[--j];
            train[j] = row;
        }
    }
}

void dataset_swap_labels(struct dataset *dataset)
{
    char *positive = dataset->class_names[0];
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        dataset->y[i] = (signed char)-dataset->y[i];
    dataset->class_names[0] = dataset->class_names[1];
    dataset->class_names[1] = positive;
}
