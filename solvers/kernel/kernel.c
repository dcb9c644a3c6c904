/* Kernel functions: base values (distances, inner products, table entries) and functions of them. See kernel.h. */
#include "solvers/kernel/kernel.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/helpers.h"

/* The kind of base value of a kernel. */
enum base { BASE_DISTANCE, BASE_INNER_PRODUCT, BASE_TABLE, BASE_VALUE };

static enum base base_of(const struct kernel *kernel)
{
    switch (kernel->type) {
    case KERNEL_RBF:
        return BASE_DISTANCE;
    case KERNEL_POLYNOMIAL:
    case KERNEL_LINEAR:
        return BASE_INNER_PRODUCT;
    case KERNEL_OF_PLUGIN:
        return kernel->family->of_distance        ? BASE_DISTANCE
               : kernel->family->of_inner_product ? BASE_INNER_PRODUCT
                                                  : BASE_VALUE;
    default:
        return BASE_TABLE;
    }
}

struct kernel kernel_of_family(const struct kernel_family *family, const double *values)
{
    struct kernel kernel = {.type = family->type, .family = family};
    if (family->type == KERNEL_RBF)
        kernel.width = values[0];
    else if (family->type == KERNEL_POLYNOMIAL) {
        kernel.degree = (unsigned)values[0];
        kernel.offset = values[1];
        kernel.scale = values[2];
    } else if (family->type == KERNEL_OF_PLUGIN)
        memcpy(kernel.value, values, kernel_family_count_parameters(family) * sizeof *values);
    return kernel;
}

const struct kernel_family *kernel_family_of(const struct kernel *kernel)
{
    return kernel->type == KERNEL_OF_PLUGIN ? kernel->family : kernel_families_all()[kernel->type];
}

double kernel_parameter(const struct kernel *kernel, size_t k)
{
    const double polynomial[] = {kernel->degree, kernel->offset, kernel->scale};
    return kernel->type == KERNEL_RBF          ? kernel->width
           : kernel->type == KERNEL_POLYNOMIAL ? polynomial[k]
                                               : kernel->value[k];
}

int kernel_equal(const struct kernel *a, const struct kernel *b)
{
    if (a->type != b->type || a->width != b->width || a->degree != b->degree || a->scale != b->scale ||
        a->offset != b->offset || (a->type == KERNEL_OF_PLUGIN && a->family != b->family))
        return 0;
    for (size_t k = 0; k < KERNEL_MAX_PARAMETERS; k++)
        if (a->value[k] != b->value[k])
            return 0;
    return 1;
}

int kernel_same_base(const struct kernel *a, const struct kernel *b)
{
    return base_of(a) == base_of(b) && (base_of(a) != BASE_VALUE || kernel_equal(a, b));
}

int kernel_may_be_shared(const struct kernel *kernel)
{
    return kernel->type != KERNEL_OF_PLUGIN;
}

int kernel_is_semidefinite(const struct kernel *kernel)
{
    return kernel_family_of(kernel)->is_semidefinite ||
           (kernel->type == KERNEL_POLYNOMIAL && kernel->scale >= 0 && kernel->offset >= 0);
}

int kernel_is_symmetric_to_the_bit(const struct kernel *kernel)
{
    return base_of(kernel) == BASE_DISTANCE || base_of(kernel) == BASE_INNER_PRODUCT;
}

static enum status create_samples(struct points *points, struct error *error)
{
    for (size_t k = 0; k < 2; k++)
        if (!(points->sample[k] = simd_doubles(points->dims)))
            return error_set(error, STATUS_NO_MEMORY, "out of memory for a pattern of %zu features", points->dims);
    return STATUS_OK;
}

static int create_columns(struct points *points)
{
    const size_t dims = points->dims, stride = points->n_padded;
    points->columns = dims && stride > SIZE_MAX / sizeof(double) / dims ? NULL : simd_doubles(dims * stride);
    for (size_t j = 0; points->columns && j < points->n; j++) {
        const double *values;
        const uint32_t *feature;
        size_t count = patterns_row(&points->patterns, points->rows[j], &values, &feature);
        for (size_t k = 0; k < count; k++)
            points->columns[(feature ? feature[k] : k) * stride + j] = values[k];
    }
    return points->columns != NULL;
}

enum {
    MAX_SPREAD = 512,       /* features of a compressed pattern that is expanded on the stack */
    MAX_COLUMNS = 1 << 22,  /* values of compressed patterns stored in columns: 32 MB */
};

/* Lays out compressed patterns. When out of memory, neither columns nor sparse points exist, and pairs of rows are
 * merged. */
static void lay_out(struct points *points)
{
    const struct patterns *patterns = &points->patterns;
    int is_small = points->dims <= MAX_SPREAD && points->n_padded <= MAX_COLUMNS / (points->dims + 1);
    if (!is_small || 8 * patterns_nonzeros(patterns) < patterns->rows * points->dims || !create_columns(points))
        points->sparse = sparse_points_create(patterns, points->rows, points->n);
}

enum status points_create(struct points *points, enum kernel_type type, struct patterns patterns, const size_t *rows,
                          size_t n, struct error *error)
{
    *points = (struct points){
        .n = n, .n_padded = simd_padded(n), .dims = patterns.dims, .patterns = patterns, .rows = rows};
    if (type == KERNEL_PRECOMPUTED)
        return STATUS_OK;
    if (patterns_are_compressed(&patterns)) {
        if (type == KERNEL_OF_PLUGIN && create_samples(points, error) != STATUS_OK)
            return STATUS_NO_MEMORY;
        lay_out(points);
        return STATUS_OK;
    }
    if (!create_columns(points))
        return error_set(error, STATUS_NO_MEMORY, "out of memory for %zu patterns of %zu features", n, patterns.dims);
    return STATUS_OK;
}

enum { MIN_SELECTED = 1 << 12 }; /* values that a thread copies at least */

struct selection {
    const struct points *all, *selected;
    const size_t *index;
    size_t *rows;
    double *columns;
};

static void select_part(void *context, const struct helpers_part *part)
{
    const struct selection *of = context;
    const struct points *all = of->all, *selected = of->selected;
    const size_t stride = selected->n_padded;
    for (size_t k = part->first; k < part->end && k < selected->n; k++)
        of->rows[k] = all->rows[of->index[k]];
    for (size_t d = 0; selected->columns && d < all->dims; d++)
        for (size_t k = part->first; k < part->end; k++)
            of->columns[d * stride + k] = k < selected->n ? all->columns[d * all->n_padded + of->index[k]] : 0;
}

struct points points_select(const struct points *all, const size_t *index, size_t count, size_t *rows,
                            double *columns)
{
    struct points points = {.n = count,
                            .n_padded = simd_padded(count),
                            .dims = all->dims,
                            .columns = all->columns ? columns : NULL,
                            .sample = {all->sample[0], all->sample[1]},
                            .patterns = all->patterns,
                            .rows = rows};
    helpers_run(&(struct helpers_division){points.n_padded, SIMD_LANES, 1 + MIN_SELECTED / (1 + all->dims), 1},
                select_part, &(struct selection){all, &points, index, rows, columns});
    if (all->sparse)
        points.sparse = sparse_points_select(all->sparse, &points.patterns, rows, count);
    return points;
}

void points_unselect(struct points *selected)
{
    sparse_points_free(selected->sparse);
    selected->sparse = NULL;
    selected->n = 0;
}

size_t points_bytes(const struct points *points)
{
    return (points->columns ? points->dims * points->n_padded * sizeof *points->columns : 0) +
           (points->sparse ? sparse_points_bytes(points->sparse) : 0);
}

size_t points_grain(const struct points *points)
{
    return points->sparse ? SPARSE_BLOCK : SIMD_LANES;
}

void points_free(struct points *points)
{
    free(points->columns);
    sparse_points_free(points->sparse);
    free(points->sample[0]);
    free(points->sample[1]);
    memset(points, 0, sizeof *points);
}

static void table_part(const struct points *points, size_t row, size_t first, size_t count, double *out)
{
    for (size_t j = 0; j < count && first + j < points->n; j++)
        out[j] = patterns_value(&points->patterns, row, points->rows[first + j]);
}

/* Values of a plugin's kernel, one by one. */
static void value_part(const struct kernel *kernel, const struct points *points, size_t row, size_t first,
                       size_t count, double *out)
{
    const struct patterns *patterns = &points->patterns;
    const double *point = patterns_spread(patterns, row, points->sample[0]);
    for (size_t j = 0; j < count && first + j < points->n; j++) {
        size_t other = points->rows[first + j];
        const double *sample = patterns_spread(patterns, other, points->sample[1]);
        out[j] = kernel->family->of_samples(point, sample, points->dims, kernel->value);
        patterns_clear(patterns, other, points->sample[1]);
    }
    patterns_clear(patterns, row, points->sample[0]);
}

/* From columns. */
static void column_part(const struct simd *simd, enum base base, const struct points *points, size_t row, size_t first,
                        size_t count, double *out)
{
    double dense[MAX_SPREAD];
    if (patterns_are_compressed(&points->patterns))
        memset(dense, 0, points->dims * sizeof *dense);
    (base == BASE_DISTANCE ? simd->squared_distances : simd->dot_products)(
        count, points->dims, patterns_spread(&points->patterns, row, dense), points->columns + first, points->n_padded,
        out);
}

enum { MAX_PAIRS = 64 }; /* up to this many points, merging pairs of rows beats a block of sparse points */

static void compressed_part(const struct simd *simd, enum base base, const struct points *points, size_t row,
                            size_t first, size_t count, double *out)
{
    const struct patterns *patterns = &points->patterns;
    size_t left = first < points->n ? points->n - first : 0, n = left < count ? left : count;
    if (points->sparse && n > MAX_PAIRS)
        (base == BASE_DISTANCE ? sparse_squared_distances : sparse_inner_products)(simd, points->sparse, patterns, row,
                                                                                   first, n, out);
    else
        for (size_t j = 0; j < n; j++)
            out[j] = (base == BASE_DISTANCE ? patterns_squared_distance : patterns_inner_product)(
                patterns, row, points->rows[first + j]);
    memset(out + n, 0, (count - n) * sizeof *out);
}

void kernel_base_part(const struct simd *simd, const struct kernel *kernel, const struct points *points, size_t row,
                      size_t first, size_t count, double *out)
{
    enum base base = base_of(kernel);
    if (base == BASE_VALUE)
        value_part(kernel, points, row, first, count, out);
    else if (base == BASE_TABLE)
        table_part(points, row, first, count, out);
    else
        (points->columns ? column_part : compressed_part)(simd, base, points, row, first, count, out);
}

/* x^degree by repeated squaring: always the same products in the same order. */
static double power(double x, unsigned degree)
{
    double result = 1;
    for (; degree; degree >>= 1, x *= x)
        if (degree & 1)
            result *= x;
    return result;
}

void kernel_apply(const struct simd *simd, const struct kernel *kernel, size_t n, size_t n_padded, const double *base,
                  double *out)
{
    if (kernel->type == KERNEL_RBF)
        simd->exp_negative(n_padded, base, kernel->width, out);
    else if (kernel->type == KERNEL_POLYNOMIAL)
        for (size_t j = 0; j < n; j++)
            out[j] = power(kernel->scale * base[j] + kernel->offset, kernel->degree);
    else if (kernel->type == KERNEL_OF_PLUGIN && base_of(kernel) != BASE_VALUE) {
        double (*function)(double, const double *) =
            kernel->family->of_distance ? kernel->family->of_distance : kernel->family->of_inner_product;
        for (size_t j = 0; j < n; j++)
            out[j] = function(base[j], kernel->value);
    } else if (out != base)
        memcpy(out, base, n * sizeof *out);
    memset(out + n, 0, (n_padded - n) * sizeof *out);
}

enum { MAX_BLOCK = 512 }; /* points; their values and up to 8 features fill half of 64 KiB */

void kernel_part(const struct simd *simd, const struct kernel *kernel, const struct points *points, size_t row,
                 size_t first, size_t count, double *out)
{
    for (size_t done = 0; done < count;) {
        size_t from = first + done, length = points->sparse ? SPARSE_BLOCK - from % SPARSE_BLOCK : MAX_BLOCK;
        size_t padded = count - done < length ? count - done : length;
        size_t left = points->n - from, n = left < padded ? left : padded;
        kernel_base_part(simd, kernel, points, row, from, padded, out + done);
        kernel_apply(simd, kernel, n, padded, out + done, out + done);
        done += padded;
    }
}

enum {
    MIN_SHARED_VALUES = 1 << 13, /* of a part of a sum that threads share: some ten microseconds */
    EXPAND_PARTS_PER_THREAD = 16
};

static size_t block_length(const struct points *points)
{
    size_t dims = points->dims > 8 ? points->dims : 8, length = (size_t)MAX_BLOCK * 8 / dims / SIMD_LANES * SIMD_LANES;
    if (points->sparse)
        return SPARSE_BLOCK;
    return length > SIMD_LANES ? length : SIMD_LANES;
}

int kept_rows_create(struct kept_rows *kept, size_t n, const struct points *points)
{
    *kept = (struct kept_rows){.stride = points->n_padded};
    if (points->n_padded && n > SIZE_MAX / sizeof(double) / points->n_padded)
        return 0;
    kept->values = simd_alloc(n * points->n_padded);
    kept->is_kept = calloc(n + 1, 1);
    if (kept->values && kept->is_kept)
        return 1;
    kept_rows_free(kept);
    return 0;
}

void kept_rows_free(struct kept_rows *kept)
{
    free(kept->values);
    free(kept->is_kept);
    *kept = (struct kept_rows){0};
}

/* The values of row i in a block: kept ones, or computed into their place for keeping or into `scratch`. */
static double *block_of_row(const struct expansion *sum, size_t i, size_t first, size_t padded, double *scratch)
{
    const struct kept_rows *kept = sum->kept;
    double *values = kept ? kept->values + i * kept->stride + first : scratch;
    if (!kept || !kept->is_kept[i])
        kernel_part(sum->simd, sum->kernel, sum->points, sum->rows[i], first, padded, values);
    return values;
}

/* The sums for the block of points that begins at `first`. */
static void expand_block(const struct expansion *sum, size_t first, size_t length, double *out)
{
    _Alignas(SIMD_ALIGNMENT) double scratch[SPARSE_BLOCK];
    size_t left = sum->points->n - first, count = left < length ? left : length, padded = simd_padded(count);
    for (size_t i = 0; i < sum->n; i++) {
        if (sum->coefficient[i] == 0)
            continue;
        double *values = block_of_row(sum, i, first, padded, scratch);
        if (sum->ridge != 0 && i >= first && i < first + count)
            values[i - first] += sum->ridge;
        sum->simd->axpy(padded, sum->coefficient[i], values, out + first);
    }
}

struct expand_request {
    const struct expansion *sum;
    size_t length; /* of a block */
    double *out;
};

static void expand_blocks(void *context, const struct helpers_part *part)
{
    const struct expand_request *of = context;
    for (size_t block = part->first; block < part->end; block++)
        expand_block(of->sum, block * of->length, of->length, of->out);
}

void kernel_expand(const struct expansion *sum, double *out)
{
    struct expand_request request = {sum, block_length(sum->points), out};
    const size_t blocks = (sum->points->n + request.length - 1) / request.length;
    size_t terms = 0;
    for (size_t i = 0; i < sum->n; i++)
        terms += sum->coefficient[i] != 0;
    const size_t worth_sharing = 1 + MIN_SHARED_VALUES / request.length / (terms + 1),
                 min = kernel_may_be_shared(sum->kernel) ? worth_sharing : blocks + 1;
    helpers_run(&(struct helpers_division){blocks, 1, min, EXPAND_PARTS_PER_THREAD}, expand_blocks, &request);
    for (size_t i = 0; sum->kept && i < sum->n; i++)
        sum->kept->is_kept[i] |= sum->coefficient[i] != 0;
}

int kernel_find_fault(const struct simd *simd, const struct kernel *kernel, const struct points *points,
                      const size_t *rows, size_t n, const double *coefficient, struct kernel_fault *fault)
{
    _Alignas(SIMD_ALIGNMENT) double values[SPARSE_BLOCK];
    size_t length = block_length(points);
    *fault = (struct kernel_fault){.found = 0};
    for (size_t i = 0; i < n; i++)
        for (size_t first = 0; coefficient[i] != 0 && first < points->n; first += length) {
            size_t left = points->n - first, count = left < length ? left : length, padded = simd_padded(count);
            kernel_part(simd, kernel, points, rows[i], first, padded, values);
            for (size_t j = 0; j < count; j++)
                if (!isfinite(values[j])) {
                    *fault = (struct kernel_fault){.found = 1, .i = i, .j = first + j, .value = values[j]};
                    return 1;
                }
        }
    return 0;
}

void kernel_fault_text(const struct kernel *kernel, const struct kernel_fault *fault, int on_test, char *text,
                       size_t size)
{
    const char *value = isnan(fault->value) ? "nan" : fault->value > 0 ? "inf" : "-inf"; /* the sign of a nan varies */
    snprintf(text, size, "the kernel \"%s\" gives %s on training sample%s %zu and %s%zu",
             kernel_family_of(kernel)->name, value, on_test ? "" : "s", fault->i + 1, on_test ? "test sample " : "",
             fault->j + 1);
}

/* ---- checks of a plugin's kernel ---- */

enum { MAX_CHECKED = 12 }; /* points, evenly spaced; all pairs of them */

static double value_at(const struct kernel *kernel, const struct points *points, size_t row, size_t j)
{
    const struct simd *simd = simd_select(NULL);
    _Alignas(SIMD_ALIGNMENT) double part[SIMD_LANES];
    size_t first = j / SIMD_LANES * SIMD_LANES;
    kernel_part(simd, kernel, points, points->rows[row], first, SIMD_LANES, part);
    return part[j - first];
}

/* `own` holds k(x_i, x_i) and k(x_j, x_j). */
static enum status check_pair(const struct kernel *kernel, const size_t *at, double value, double mirrored,
                              const double *own, struct error *error)
{
    const char *name = kernel->family->name;
    const double slack = 1e-12; /* some thousand units in the last place */
    if (!isfinite(value))
        return error_set(error, STATUS_BAD_INPUT, "kernel \"%s\": the value of training samples %zu and %zu is %g",
                         name, at[0], at[1], value);
    if (!(fabs(value - mirrored) <= slack * fmax(fabs(value), fabs(mirrored))))
        return error_set(error, STATUS_BAD_INPUT,
                         "kernel \"%s\" is not symmetric: of training samples %zu and %zu it is %.17g, of %zu and %zu "
                         "%.17g",
                         name, at[0], at[1], value, at[1], at[0], mirrored);
    if (kernel->family->is_semidefinite && (own[0] < 0 || value * value > own[0] * own[1] * (1 + slack)))
        return error_set(error, STATUS_BAD_INPUT,
                         "kernel \"%s\" is not positive semidefinite, as it says: of training samples %zu and %zu it "
                         "is %.17g, of each with itself %.17g and %.17g",
                         name, at[0], at[1], value, own[0], own[1]);
    return STATUS_OK;
}

enum status kernel_check(const struct kernel *kernel, const struct points *points, struct error *error)
{
    if (kernel->type != KERNEL_OF_PLUGIN)
        return STATUS_OK;
    size_t count = points->n < MAX_CHECKED ? points->n : MAX_CHECKED;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++) {
            size_t a = i * points->n / count, b = j * points->n / count;
            const size_t numbers[] = {a + 1, b + 1};
            const double own[] = {value_at(kernel, points, a, a), value_at(kernel, points, b, b)};
            enum status status = check_pair(kernel, numbers, value_at(kernel, points, a, b),
                                            value_at(kernel, points, b, a), own, error);
            if (status != STATUS_OK)
                return status;
        }
    return STATUS_OK;
}

/* ---- precomputed kernels ---- */

enum status kernel_table_check(const struct patterns *table, const char *source, int *is_symmetric,
                               struct error *error)
{
    const double slack = 1e-5; /* some hundred units in the last place of single precision */
    *is_symmetric = 1;
    if (table->dims != table->rows)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: a precomputed kernel needs a square table; it has %zu rows of %zu values", source,
                         table->rows, table->dims);
    for (size_t i = 0; i < table->rows; i++)
        for (size_t j = 0; j < i; j++) {
            const double a = patterns_value(table, i, j), b = patterns_value(table, j, i);
            if (a == b)
                continue;
            *is_symmetric = 0;
            const double size = sqrt(fabs(patterns_value(table, i, i))) * sqrt(fabs(patterns_value(table, j, j)));
            if (!(fabs(a - b) <= slack * fmax(size, fmax(fabs(a), fabs(b)))))
                return error_set(error, STATUS_BAD_INPUT,
                                 "%s: the precomputed kernel is not symmetric: entry (%zu, %zu) is %.17g, (%zu, %zu) "
                                 "is %.17g",
                                 source, i + 1, j + 1, a, j + 1, i + 1, b);
        }
    return STATUS_OK;
}

void kernel_table_make_symmetric(struct patterns *table)
{
    for (size_t i = 0; i < table->rows; i++)
        for (size_t j = 0; j < i; j++) {
            double *a = &table->values[i * table->dims + j], *b = &table->values[j * table->dims + i];
            *a = *b = *a + (*b - *a) / 2;
        }
}
