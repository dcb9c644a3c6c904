/*
 * Makes a model from a solution and predicts with it. With W = sum y_i alpha_i X_i and the judge's bias b,
 *     f(x) = scale (W . x + b), coefficient_i = scale y_i alpha_i, rho = -scale b.
 * scale is 1 for the SVM duals and if |W| = 0. For nearest points W = W+ - W- it is 2 / |W|^2, since f(W+) - f(W-) =
 * scale |W|^2. If b is that of the middle of the margin (judge.c), it is 1 / r, which puts the planes at f = +-1. For
 * the minimum norm problem, whose nearest pattern has y f = scale |W|^2, it is 1 / |W|^2.
 */
#include "harness/model/model.h"

#include <limits.h>
#include <math.h>

#include "harness/base/die.h"
#include "solvers/kernel/helpers.h"

void model_labels(const struct dataset *dataset, int label[2])
{
    for (size_t c = 0; c < 2; c++) {
        double number;
        const char *name = dataset->class_names[c];
        if (!number_parse(name, &number) || number != floor(number) || fabs(number) > INT_MAX)
            die(STATUS_BAD_INPUT,
                "%s: labels \"%s\" and \"%s\" are not whole numbers; a model needs class labels such as 1 and -1",
                dataset->source, text_shown(dataset->class_names[0]),
                text_shown(dataset->class_names[1]));
        label[c] = (int)number;
    }
}

/* The gamma near 1 / width for which 1 / gamma is exactly the width; 0 if there is none. */
static double gamma_of(double width)
{
    double gamma = 1 / width;
    const double candidates[] = {gamma, nextafter(gamma, 0), nextafter(gamma, HUGE_VAL)};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (isfinite(candidates[i]) && 1 / candidates[i] == width)
            return candidates[i];
    return 0;
}

double model_width(double width)
{
    double back = 1 / (1 / width);
    return gamma_of(width) > 0 || !isfinite(back) || back == 0 ? width : back;
}

static double scale_of(enum formulation formulation, const struct judgement *judgement)
{
    double scale = 1; /* both have the objective 1/2 |W|^2 */
    if (formulation == FORMULATION_NEAREST_POINTS)
        scale = 1 / judgement->margin;
    if (formulation == FORMULATION_MINIMUM_NORM)
        scale = 0.5 / judgement->objective;
    return isfinite(scale) && scale > 0 ? scale : 1;
}

struct model *model_make(struct pool *pool, const struct dataset *dataset, const struct split *split,
                         enum formulation formulation, const struct kernel *kernel, const double *alpha,
                         const struct judgement *judgement)
{
    const double scale = scale_of(formulation, judgement);
    struct model *model = pool_alloc(pool, sizeof *model);
    struct error error = {0};
    size_t vectors = 0, features = 0;
    for (size_t i = 0; i < split->n_train; i++)
        if (alpha[i] != 0) { /* a support vector */
            vectors++;
            features += patterns_row_nonzeros(&dataset->patterns, split->train[i]);
        }
    die_unless_ok(patterns_create(&model->vectors, vectors, dataset->patterns.dims + dataset->first_index, features,
                                  PATTERNS_COMPRESSED, &error),
                  &error);
    patterns_keep(pool, &model->vectors);
    model->coefficient = pool_array(pool, vectors, sizeof *model->coefficient);
    model->is_nu = formulation == FORMULATION_NEAREST_POINTS;
    model->kernel = *kernel;
    model->gamma = kernel->type == KERNEL_RBF ? gamma_of(kernel->width) : 0;
    model->rho = 0 - scale * judgement->bias;
    vectors = 0;
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < split->n_train; i++) {
            signed char y = dataset->y[split->train[i]];
            if (alpha[i] == 0 || (y < 0) != (c == 1))
                continue;
            model->coefficient[vectors] = scale * (y * alpha[i]);
            patterns_copy_row(&model->vectors, vectors++, &dataset->patterns, split->train[i], dataset->first_index);
            model->count[c]++;
        }
    model_labels(dataset, model->label);
    if (dataset->columns.names)
        model->columns = dataset->columns;
    if (kernel->type == KERNEL_RBF && model->gamma == 0)
        die(STATUS_BAD_INPUT, "%s: width %.17g has no finite gamma = 1 / width", dataset->source, kernel->width);
    if (kernel->type == KERNEL_PRECOMPUTED || kernel->type == KERNEL_OF_PLUGIN)
        die(STATUS_BAD_INPUT, "%s: a LIBSVM model file cannot describe the kernel \"%s\"", dataset->source,
            kernel_family_of(kernel)->name);
    return model;
}

/* ---- prediction ---- */

void model_check_table(const struct model *model, const char *path, int is_csv, struct labelled_table *table)
{
    const size_t n_values = patterns_nonzeros(&model->vectors);
    const size_t largest = n_values ? model->vectors.dims - 1 : 0, end = table->first_index + table->patterns.dims;
    size_t first = 1;
    for (size_t k = 0; k < n_values; k++)
        first = model->vectors.feature[k] < first ? model->vectors.feature[k] : first;
    if (model->columns.count && !is_csv && (end > model->columns.count + 1 || table->first_index == 0))
        die(STATUS_BAD_INPUT,
            "%s:1:1: its features have indices from %zu to %zu; the model was trained on %zu columns",
            path, table->first_index, end - 1, model->columns.count);
    if (is_csv && end <= largest)
        die(STATUS_BAD_INPUT, "%s:1:1: %zu features, but the model has the feature %zu; predict --no-labels reads "
                              "files without labels",
            path, table->patterns.dims, largest);
    if (is_csv && !model->columns.count && end > largest + 1)
        table_note(table, "%s: it has %zu features, and the model uses those up to %zu", path, table->patterns.dims,
                   largest);
    if (n_values > 0 && patterns_nonzeros(&table->patterns) > 0 && first != table->first_index)
        table_note(table, INDICES_DIFFER, path, table->first_index, "the model", first);
}

/* Maximum number of values of rows that are predicted together. Their copy after the support vectors and its layout
 * take some 22 bytes per value, so a file of any size needs at most 90 MB besides its rows and the model. */
enum { BLOCK_VALUES = 1 << 22 };

/* Counts the values of rows `first` to `end` - 1, including the zeros of dense ones. */
static size_t count_values(const struct patterns *patterns, size_t first, size_t end)
{
    return patterns_are_compressed(patterns) ? patterns->begin[end] - patterns->begin[first]
                                             : (end - first) * patterns->dims;
}

/* The end of the block that begins at `first`: whole lanes of rows with at most BLOCK_VALUES values, or one lane. */
static size_t block_end(const struct patterns *patterns, size_t first)
{
    size_t end = first, next = first;
    do {
        end = next;
        next += patterns->rows - end < SIMD_LANES ? patterns->rows - end : SIMD_LANES;
    } while (next > end && (end == first || count_values(patterns, first, next) <= BLOCK_VALUES));
    return end;
}

struct expanding {
    const struct expansion *sum;
    double *out;
};

static void expand(void *context)
{
    const struct expanding *expanding = context;
    kernel_expand(expanding->sum, expanding->out);
}

/* Decides rows `first` to `end` - 1, which are copied after the vectors, with columns for the indices from 0. */
static void decide_block(const struct model *model, const struct simd *simd, const struct labelled_table *table,
                         size_t first, size_t end, double *decision)
{
    const struct patterns *vectors = &model->vectors, *given = &table->patterns;
    const size_t dims = table->first_index + given->dims, n = vectors->rows, rows = n + end - first;
    struct pool *pool = pool_new();
    struct patterns *patterns = pool_alloc(pool, sizeof *patterns);
    size_t *row = pool_array(pool, rows, sizeof *row);
    struct points points = {0};
    struct error error = {0};
    die_unless_ok(patterns_create(patterns, rows, dims > vectors->dims ? dims : vectors->dims,
                                  patterns_nonzeros(vectors) + count_values(given, first, end),
                                  dataset_text_form(NULL), &error),
                  &error);
    patterns_keep(pool, patterns);
    for (size_t i = 0; i < rows; i++) {
        row[i] = i;
        if (i < n)
            patterns_copy_row(patterns, i, vectors, i, 0);
        else
            patterns_copy_row(patterns, i, given, first + i - n, table->first_index);
    }
    die_unless_ok(points_create(&points, model->kernel.type, *patterns, row + n, end - first, &error), &error);
    const struct expansion sum = {.simd = simd,
                                  .kernel = &model->kernel,
                                  .points = &points,
                                  .rows = row,
                                  .n = n,
                                  .coefficient = model->coefficient};
    for (size_t j = 0; j < points.n_padded; j++)
        decision[j] = 0 - model->rho;
    struct expanding expanding = {&sum, decision};
    helpers_with(expand, &expanding);
    points_free(&points);
    pool_free(pool);
}

void model_decide(const struct model *model, const struct simd *simd, const char *path,
                  const struct labelled_table *table, double *decision)
{
    for (size_t first = 0, end; first < table->rows; first = end) {
        end = block_end(&table->patterns, first);
        decide_block(model, simd, table, first, end, decision + first);
    }
    for (size_t j = 0; j < table->rows; j++)
        if (!isfinite(decision[j]))
            die(STATUS_BAD_INPUT,
                "%s: the decision on row %zu is not a finite number, because kernel values are too large; scale the "
                "features, in training too",
                path, j + 1);
}
