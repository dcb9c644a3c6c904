/* Rows, numbers and checks that the readers of data files share. */
#include "harness/data/dataset_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

enum status dataset_take(struct dataset *dataset, struct patterns *patterns, struct error *error)
{
    size_t rows = patterns->rows;
    dataset->patterns = *patterns;
    *patterns = (struct patterns){.rows = 0};
    dataset->y = calloc(rows, sizeof *dataset->y);
    dataset->multiplicity = calloc(rows, sizeof *dataset->multiplicity);
    if (!dataset->y || !dataset->multiplicity)
        return error_set(error, STATUS_NO_MEMORY, "%s: %s: out of memory for %zu rows", dataset->source, dataset->name,
                         rows);
    for (size_t i = 0; i < rows; i++)
        dataset->multiplicity[i] = 1;
    return STATUS_OK;
}

enum status dataset_allocate(struct dataset *dataset, size_t rows, size_t dims, struct error *error)
{
    struct patterns patterns;
    if (rows == 0 || dims == 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s: no %s", dataset->source, dataset->name,
                         rows == 0 ? "rows" : "features");
    if (patterns_create(&patterns, rows, dims, 0, PATTERNS_DENSE, NULL) != STATUS_OK)
        return error_set(error, STATUS_NO_MEMORY, "%s: %s: %zu x %zu values do not fit into memory", dataset->source,
                         dataset->name, rows, dims);
    return dataset_take(dataset, &patterns, error);
}

enum status dataset_close(struct dataset *dataset, struct error *error)
{
    size_t positive = 0, negative = 0;
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        if (dataset->y[i] > 0)
            positive += dataset->multiplicity[i];
        else
            negative += dataset->multiplicity[i];
    dataset->full_size = positive + negative;
    if (positive == 0 || negative == 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s: all labels are %s; both classes are needed", dataset->source,
                         dataset->name, positive == 0 ? "-1" : "+1");
    return STATUS_OK;
}
