/* Rows, numbers and checks that the readers of data files share. */
#include "harness/data/dataset_parts.h"

#include <math.h>

#include "harness/base/die.h"
#include "harness/support/decimal.h"
#include "solvers/visible_text.h"

int finite_parse(const char *text, double *value)
{
    const char *end;
    *value = decimal_parse(text, &end);
    return end > text && *end == '\0' && isfinite(*value);
}

int number_parse(const char *text, double *value)
{
    return finite_parse(text, value) && fabs(*value) <= DATASET_LARGEST;
}

const char *text_shown(const char *text, char shown[44])
{
    return visible_text(text, shown, 44);
}

static void release_patterns(void *patterns)
{
    patterns_free(patterns);
}

struct dataset *dataset_new(struct pool *pool, const char *name)
{
    struct dataset *dataset = pool_alloc(pool, sizeof *dataset);
    dataset->pool = pool;
    dataset->name = pool_strdup(pool, name);
    pool_keep(pool, release_patterns, &dataset->patterns);
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
