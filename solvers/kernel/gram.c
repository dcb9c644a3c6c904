/*
 * Kernel matrix or cached rows.
 *
 * Rows are stored in slots (row_cache.h) and computed when first requested. A matrix that fits has a slot for each row.
 * If all rows are announced, the missing ones are computed at once, in panels of SIMD_LANES rows: only the part from
 * the diagonal on is computed, then copied to the other side. All ways use the same operations for a value, and
 * (x - z)^2 and x z have the same bits as (z - x)^2 and z x, so the results are bitwise equal. A table of kernel values
 * from the data, or a plugin's function of two patterns, need not be symmetric to the last bit and is not mirrored.
 *
 * With active patterns, a matrix that fits still computes whole rows, which other solvers will need, and returns parts
 * of them. Those requested more than once are kept as long as the patterns are active, in what the budget leaves beside
 * the matrix. A cache computes and keeps only the parts.
 */
#include "solvers/kernel/gram.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/clock.h"
#include "solvers/kernel/helpers.h"
#include "solvers/kernel/pages.h"
#include "solvers/kernel/row_cache.h"

enum {
    ROWS_AT_ONCE = 64,       /* rows added in one pass */
    INITIAL_BYTES = 16 << 20, /* initially committed part of a cache, see row_cache.h */
    MIN_ROW_PART = 1 << 10, /* values of a row per part that threads share: 1.5 microseconds and more */
    ROW_PARTS_PER_THREAD = 2,
    MIN_MATRIX_PART = 1 << 5, /* rows of a full matrix per part */
    MATRIX_PARTS_PER_THREAD = 16
};

struct gram {
    const struct simd *simd;
    const struct points *points;
    struct kernel kernel;
    int full_matrix, has_kernel;
    double ridge;
    double seconds; /* spent on rows of a full matrix */
    struct row_cache cache;
    double *base;     /* base values of a full matrix, in the slots of its rows; or NULL */
    double *diagonal; /* n: k(x_i, x_i) without the ridge, for rows held */
    unsigned char *has_row, *has_base; /* n, for a full matrix: whether a row's slot holds kernel, base values */
    size_t *active, n_active;          /* n; the active patterns */
    size_t *active_rows;               /* n: their rows in the table of the points */
    double *parts;                     /* for a full matrix: parts of rows, one after the other; or NULL */
    size_t parts_room, n_parts;        /* doubles in `parts`; number of parts kept */
    size_t *part_of;                   /* n, for a full matrix: requests of a row's part, 0 or 1, or 2 + its number */
    size_t *part_rows;                 /* 2 n, for a cache: scratch of gram_expand_at, like the next two */
    double *part_weights;              /* n_padded */
    double *part_columns;              /* as many as the points have, like the next array */
    double *active_columns;            /* for a cache with active patterns */
    unsigned char *is_active;          /* n, for a cache: whether a pattern is active */
    struct points active_points;       /* for a cache with active patterns; otherwise its n is 0 */
    uint64_t *sums;                    /* n: checksums of the rows held while they are watched; else NULL */
    int is_changed;                    /* nonzero: a watched row had changed before it was dropped */
};

static size_t fitting_rows(size_t n, size_t n_padded, size_t budget)
{
    size_t rows = budget / (n_padded * sizeof(double));
    if (rows < GRAM_MIN_ROWS)
        rows = GRAM_MIN_ROWS;
    return rows < n ? rows : n;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int allocate(struct gram *gram, size_t rows, int keep_base)
{
    const struct points *points = gram->points;
    size_t n = points->n, stride = points->n_padded;
    gram->diagonal = malloc(n * sizeof *gram->diagonal);
    gram->active = malloc(2 * n * sizeof *gram->active);
    size_t few = gram->full_matrix ? rows : fitting_rows(n, stride, INITIAL_BYTES);
    if (!row_cache_open(&gram->cache, n, stride, rows, few) || !gram->diagonal || !gram->active)
        return 0;
    gram->active_rows = gram->active + n;
    if (!gram->full_matrix) {
        gram->is_active = malloc(n);
        gram->part_rows = malloc(2 * n * sizeof *gram->part_rows);
        gram->part_weights = simd_alloc(stride);
        gram->active_columns = points->columns ? simd_alloc(points->dims * stride) : NULL;
        gram->part_columns = points->columns ? simd_alloc(points->dims * stride) : NULL;
        return gram->is_active && gram->part_rows && gram->part_weights &&
               (!points->columns || (gram->active_columns && gram->part_columns));
    }
    gram->has_row = calloc(n, 1);
    gram->has_base = calloc(n, 1);
    gram->part_of = calloc(n, sizeof *gram->part_of);
    gram->base = keep_base ? pages_take(n * stride) : NULL;
    gram->parts = gram->parts_room > 0 ? pages_take(gram->parts_room) : NULL; /* pages that are not used cost nothing */
    gram->parts_room = gram->parts ? gram->parts_room : 0;
    return gram->has_row && gram->has_base && gram->part_of && (!keep_base || gram->base);
}

/* A process on compressed patterns may use 16 bytes per nonzero value plus the budget. The patterns themselves take 12.
 * The remainder covers short-lived data. At most three layouts, including those of active patterns and parts, and the
 * arrays of the gram, the solver and the judge, with one number per row, are subtracted from the cache. */
static size_t sparse_excess(const struct points *points)
{
    return patterns_are_compressed(&points->patterns)
               ? GRAM_LAYOUTS * points_bytes(points) + GRAM_PATTERN_BYTES * points->n
               : 0;
}

enum status gram_create(struct gram **out, const struct simd *simd, const struct points *points, size_t budget,
                        int keep_base, struct error *error)
{
    *out = NULL;
    struct gram *gram = calloc(1, sizeof *gram);
    if (!gram)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for a kernel matrix");
    size_t n = points->n, excess = sparse_excess(points);
    budget = budget > excess ? budget - excess : 0;
    size_t rows = fitting_rows(n, points->n_padded, keep_base ? budget / 2 : budget);
    gram->simd = simd;
    gram->points = points;
    gram->full_matrix = rows == n;
    const size_t needed = (keep_base ? 2 : 1) * n * points->n_padded, given = budget / sizeof(double);
    gram->parts_room = given > needed ? min_size(given - needed, n * points->n_padded / 2) : 0;
    if (!allocate(gram, rows, keep_base)) {
        gram_free(gram);
        return error_set(error, STATUS_NO_MEMORY, "out of memory for %zu rows of a kernel matrix of %zu patterns",
                         n, n);
    }
    *out = gram;
    return STATUS_OK;
}

/* ---- watched rows ---- */

/* A checksum that changes if a value changes or if two values swap places. */
static uint64_t sum_of(const double *row, size_t count)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < count; j++) {
        uint64_t bits;
        memcpy(&bits, &row[j], sizeof bits);
        sum += bits * (2 * j + 1);
    }
    return sum;
}

static int is_held(const struct gram *gram, size_t slot)
{
    return !gram->full_matrix || gram->has_row[gram->cache.row_of[slot]];
}

static void note_sum(struct gram *gram, size_t i, const double *row)
{
    if (gram->sums)
        gram->sums[i] = sum_of(row, gram->cache.stride);
}

static void note_sums(struct gram *gram)
{
    for (size_t slot = 0; gram->sums && slot < gram->cache.taken; slot++)
        if (is_held(gram, slot))
            note_sum(gram, gram->cache.row_of[slot], gram->cache.values + slot * gram->cache.stride);
}

enum status gram_watch(struct gram *gram, struct error *error)
{
    gram->sums = malloc(gram->points->n * sizeof *gram->sums);
    if (!gram->sums)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for sums of %zu kernel rows", gram->points->n);
    gram->is_changed = 0;
    note_sums(gram);
    return STATUS_OK;
}

static int slot_is_changed(const struct gram *gram, size_t slot)
{
    const struct row_cache *cache = &gram->cache;
    return is_held(gram, slot) &&
           sum_of(cache->values + slot * cache->stride, cache->stride) != gram->sums[cache->row_of[slot]];
}

/* Called before the rows of a cache are shortened or dropped, and at the end. */
static void look_at_rows(struct gram *gram)
{
    for (size_t slot = 0; gram->sums && slot < gram->cache.taken && !gram->is_changed; slot++)
        gram->is_changed = slot_is_changed(gram, slot);
}

/* A slot for row i of a cache; the evicted row is checked a last time. */
static double *take_slot(struct gram *gram, size_t i)
{
    if (gram->sums && gram->cache.taken == gram->cache.slots)
        gram->is_changed |= slot_is_changed(gram, gram->cache.oldest);
    return row_cache_take(&gram->cache, i);
}

/* ---- rows of all patterns ---- */

/* Finishes a row of kernel values in `row`: stores its diagonal entry and adds the ridge. */
static void finish_row(struct gram *gram, size_t i, double *row)
{
    gram->diagonal[i] = row[i];
    row[i] += gram->ridge;
}

static double *slot_of(struct gram *gram, size_t i)
{
    double *slot = row_cache_find(&gram->cache, i);
    return slot ? slot : row_cache_take(&gram->cache, i);
}

static double *base_of(const struct gram *gram, const double *row)
{
    return gram->base + (row - gram->cache.values);
}

/* Kernel values of row i with `count` of the points from `first` on, both multiples of SIMD_LANES; takes base values
 * that are kept. */
static void compute_part(const struct gram *gram, const struct points *points, size_t i, size_t first, size_t count,
                         double *row)
{
    size_t left = points->n - first, row_in_table = gram->points->rows[i];
    if (!gram->base) {
        kernel_part(gram->simd, &gram->kernel, points, row_in_table, first, count, row + first);
        return;
    }
    double *base = base_of(gram, row) + first;
    if (!gram->has_base[i])
        kernel_base_part(gram->simd, &gram->kernel, points, row_in_table, first, count, base);
    kernel_apply(gram->simd, &gram->kernel, left < count ? left : count, count, base, row + first);
}

struct row_request {
    const struct gram *gram;
    const struct points *points;
    size_t i;
    double *row;
};

static void compute_row_part(void *context, const struct helpers_part *part)
{
    const struct row_request *of = context;
    compute_part(of->gram, of->points, of->i, part->first, part->end - part->first, of->row);
}

/* Kernel values of row i with all points; idle threads may compute parts of it. */
static void compute_values(const struct gram *gram, const struct points *points, size_t i, double *row)
{
    struct row_request request = {gram, points, i, row};
    const struct helpers_division division = {points->n_padded, points_grain(points), MIN_ROW_PART,
                                              ROW_PARTS_PER_THREAD};
    if (kernel_may_be_shared(&gram->kernel))
        helpers_run(&division, compute_row_part, &request);
    else
        compute_part(gram, points, i, 0, points->n_padded, row);
}

static void compute_row(struct gram *gram, size_t i, double *row)
{
    compute_values(gram, gram->points, i, row);
    if (gram->base)
        gram->has_base[i] = 1;
    finish_row(gram, i, row);
}

/* Computes a row of a full matrix on its first request. */
static double *add_row(struct gram *gram, size_t i)
{
    double started = clock_now(), *row = slot_of(gram, i);
    compute_row(gram, i, row);
    note_sum(gram, i, row);
    gram->has_row[i] = 1;
    gram->seconds += clock_now() - started;
    return row;
}

/* ---- all rows at once ---- */

/* Copies entries (first + r, j) to (j, first + r), for j after the panel of `rows` rows from `first` on; if `base`, of
 * the base values. */
static void mirror(struct gram *gram, double *const *panel, size_t first, size_t rows, int base)
{
    for (size_t j = first + rows; j < gram->points->n; j++) {
        double *row = slot_of(gram, j), *out = base ? base_of(gram, row) : row;
        for (size_t r = 0; r < rows; r++)
            out[first + r] = base ? base_of(gram, panel[r])[j] : panel[r][j];
    }
}

/* The panel of SIMD_LANES rows from `first` on, whose slots are taken. It writes its rows from `first` on and its
 * columns of later rows. No other panel writes there, so panels may be computed in any order. */
static void compute_panel(struct gram *gram, size_t first)
{
    size_t n = gram->points->n, rows = n - first < SIMD_LANES ? n - first : SIMD_LANES;
    double *panel[SIMD_LANES];
    for (size_t r = 0; r < rows; r++) {
        panel[r] = slot_of(gram, first + r);
        compute_part(gram, gram->points, first + r, first, gram->points->n_padded - first, panel[r]);
    }
    if (gram->base && !gram->has_base[first])
        mirror(gram, panel, first, rows, 1);
    mirror(gram, panel, first, rows, 0);
}

/* Every parts-th panel, since later panels are shorter. */
static void compute_matrix_part(void *context, const struct helpers_part *part)
{
    struct gram *gram = context;
    for (size_t panel = part->part; panel * SIMD_LANES < gram->points->n; panel += part->parts)
        compute_panel(gram, panel * SIMD_LANES);
}

static size_t rows_there(const struct gram *gram, const unsigned char *has)
{
    size_t there = 0;
    for (size_t i = 0; i < gram->points->n; i++)
        there += has[i];
    return there;
}

void gram_prefetch_all(struct gram *gram)
{
    size_t n = gram->points->n;
    if (!gram->full_matrix || !kernel_is_symmetric_to_the_bit(&gram->kernel) || 2 * rows_there(gram, gram->has_row) > n)
        return; /* less than half of the matrix is missing */
    double started = clock_now();
    if (rows_there(gram, gram->has_base) < n)
        memset(gram->has_base, 0, n);
    for (size_t i = 0; i < n; i++)
        (void)slot_of(gram, i); /* no slot is taken after this */
    helpers_run(&(struct helpers_division){n, SIMD_LANES, MIN_MATRIX_PART, MATRIX_PARTS_PER_THREAD},
                compute_matrix_part, gram);
    for (size_t i = 0; i < n; i++)
        finish_row(gram, i, slot_of(gram, i));
    memset(gram->has_row, 1, n);
    memset(gram->has_base, gram->base != NULL, n);
    note_sums(gram);
    gram->seconds += clock_now() - started;
}

/* ---- active patterns ---- */

/* Called when the active patterns or values of a full matrix change. */
static void drop_parts(struct gram *gram)
{
    if (gram->part_of)
        memset(gram->part_of, 0, gram->points->n * sizeof *gram->part_of);
    gram->n_parts = 0;
}

/* Memory for the part of one more row; NULL if there is none. */
static double *take_part(struct gram *gram)
{
    const size_t stride = simd_padded(gram->n_active);
    return (gram->n_parts + 1) * stride <= gram->parts_room ? gram->parts + gram->n_parts * stride : NULL;
}

static int has_active(const struct gram *gram)
{
    return gram->active_points.n > 0;
}

static void leave_active(struct gram *gram)
{
    if (!has_active(gram))
        return;
    points_unselect(&gram->active_points);
    look_at_rows(gram);
    row_cache_clear(&gram->cache, gram->points->n_padded);
}

/* The positions of the patterns among the previously active ones, or among all; zero if some are missing. */
static int find_places(const struct gram *gram, const size_t *index, size_t count, size_t *places)
{
    size_t before = has_active(gram) ? gram->n_active : gram->points->n;
    for (size_t k = 0, at = 0; k < count; k++, at++) {
        while (at < before && (has_active(gram) ? gram->active[at] : at) < index[k])
            at++;
        if (at == before || (has_active(gram) && gram->active[at] != index[k]))
            return 0;
        places[k] = at;
    }
    return 1;
}

static void set_active_in_cache(struct gram *gram, const size_t *index, size_t count)
{
    const struct points *all = gram->points;
    struct points *points = &gram->active_points;
    look_at_rows(gram);
    if (find_places(gram, index, count, gram->active_rows)) {
        memset(gram->is_active, 0, all->n);
        for (size_t k = 0; k < count; k++)
            gram->is_active[index[k]] = 1; /* rows of other patterns take no part */
        row_cache_compact(&gram->cache, gram->is_active, gram->active_rows, count);
        note_sums(gram);
    } else
        row_cache_clear(&gram->cache, simd_padded(count));
    points_unselect(points);
    *points = points_select(all, index, count, gram->active_rows, gram->active_columns);
}

void gram_set_active(struct gram *gram, const size_t *index, size_t count)
{
    if (!gram->full_matrix)
        set_active_in_cache(gram, index, count);
    drop_parts(gram);
    memcpy(gram->active, index, count * sizeof *index);
    gram->n_active = count;
}

/* Row i restricted to the patterns at index[0] < ... */
static void compute_row_at(const struct gram *gram, const struct points *points, const size_t *index, size_t i,
                           double *row)
{
    compute_values(gram, points, i, row);
    size_t low = 0, high = points->n; /* the first place not before i */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < points->n && index[low] == i)
        row[low] += gram->ridge;
}

const double *gram_active_row(struct gram *gram, size_t i, double *scratch)
{
    if (!gram->full_matrix) {
        double *row = row_cache_find(&gram->cache, i);
        if (!row) {
            row = take_slot(gram, i);
            compute_row_at(gram, &gram->active_points, gram->active, i, row);
            note_sum(gram, i, row);
        }
        return row;
    }
    const size_t stride = simd_padded(gram->n_active);
    size_t *part = &gram->part_of[i];
    if (*part >= 2)
        return gram->parts + (*part - 2) * stride;
    double *kept = *part == 1 && !gram->sums ? take_part(gram) : NULL, *out = kept ? kept : scratch;
    const double *row = gram_row(gram, i);
    for (size_t k = 0; k < gram->n_active; k++)
        out[k] = row[gram->active[k]];
    for (size_t k = gram->n_active; k < stride; k++)
        out[k] = 0;
    *part = kept ? 2 + gram->n_parts++ : 1;
    return out;
}

/* ---- public functions ---- */

void gram_set_kernel(struct gram *gram, const struct kernel *kernel)
{
    int base_is_good = gram->has_kernel && kernel_same_base(&gram->kernel, kernel);
    leave_active(gram);
    drop_parts(gram);
    gram->kernel = *kernel;
    gram->has_kernel = 1;
    if (!gram->full_matrix) {
        row_cache_clear(&gram->cache, gram->points->n_padded);
        return;
    }
    memset(gram->has_row, 0, gram->points->n);
    if (!base_is_good)
        memset(gram->has_base, 0, gram->points->n);
}

void gram_set_ridge(struct gram *gram, double ridge)
{
    leave_active(gram);
    drop_parts(gram);
    gram->ridge = ridge;
    for (size_t slot = 0; slot < gram->cache.taken; slot++) {
        size_t i = gram->cache.row_of[slot];
        if (is_held(gram, slot))
            gram->cache.values[slot * gram->cache.stride + i] = gram->diagonal[i] + ridge;
    }
    note_sums(gram);
}

int gram_unwatch(struct gram *gram)
{
    look_at_rows(gram);
    int is_changed = gram->sums && gram->is_changed;
    free(gram->sums);
    gram->sums = NULL;
    drop_parts(gram);
    if (is_changed && gram->full_matrix)
        memset(gram->has_row, 0, gram->points->n);
    else if (is_changed) {
        leave_active(gram);
        row_cache_clear(&gram->cache, gram->points->n_padded);
    }
    return is_changed;
}

double gram_ridge(const struct gram *gram)
{
    return gram->ridge;
}

const double *gram_row(struct gram *gram, size_t i)
{
    leave_active(gram);
    if (gram->full_matrix && !gram->has_row[i])
        return add_row(gram, i);
    double *row = row_cache_find(&gram->cache, i);
    if (!row) {
        row = take_slot(gram, i);
        compute_row(gram, i, row);
        note_sum(gram, i, row);
    }
    return row;
}

double gram_diagonal(const struct gram *gram, size_t i)
{
    const struct points *points = gram->points;
    if (gram->kernel.type == KERNEL_RBF)
        return 1 + gram->ridge; /* exp(-0 / width), the same bits as in row i */
    if (gram->full_matrix && gram->has_row[i])
        return gram->cache.values[gram->cache.slot_of[i] * gram->cache.stride + i];
    size_t first = i / SIMD_LANES * SIMD_LANES;
    _Alignas(SIMD_ALIGNMENT) double part[SIMD_LANES];
    kernel_part(gram->simd, &gram->kernel, points, points->rows[i], first, SIMD_LANES, part);
    return part[i - first] + gram->ridge;
}

void gram_add_rows(struct gram *gram, const size_t *indices, const double *weights, size_t count, double *out)
{
    const double *rows[ROWS_AT_ONCE];
    size_t max = gram->full_matrix ? ROWS_AT_ONCE : GRAM_MIN_ROWS, n = gram->points->n_padded;
    for (size_t first = 0; first < count; first += max) {
        size_t some = count - first < max ? count - first : max;
        for (size_t k = 0; k < some; k++)
            rows[k] = gram_row(gram, indices[first + k]);
        gram->simd->add_rows(n, rows, weights + first, some, out);
    }
}

void gram_expand(struct gram *gram, const double *coefficient, double *out)
{
    const struct points *points = gram->points;
    if (!gram->full_matrix) {
        const struct expansion sum = {.simd = gram->simd,
                                      .kernel = &gram->kernel,
                                      .points = points,
                                      .rows = points->rows,
                                      .n = points->n,
                                      .coefficient = coefficient,
                                      .ridge = gram->ridge};
        kernel_expand(&sum, out);
        return;
    }
    size_t indices[ROWS_AT_ONCE], count = 0;
    double weights[ROWS_AT_ONCE];
    for (size_t i = 0; i < points->n; i++) {
        if (coefficient[i] == 0)
            continue;
        indices[count] = i;
        weights[count++] = coefficient[i];
        if (count == ROWS_AT_ONCE) {
            gram_add_rows(gram, indices, weights, count, out);
            count = 0;
        }
    }
    gram_add_rows(gram, indices, weights, count, out);
}

/* For a full matrix, from its rows. */
static void expand_rows_at(struct gram *gram, const size_t *index, size_t count, const double *coefficient, double *out)
{
    for (size_t i = 0; i < gram->points->n; i++) {
        if (coefficient[i] == 0)
            continue;
        const double *row = gram_row(gram, i);
        for (size_t k = 0; k < count; k++)
            out[k] += coefficient[i] * row[index[k]];
    }
}

/* For a cache. Without a ridge, zero coefficients have been removed beforehand. */
static void expand_computed_at(struct gram *gram, const size_t *index, size_t count, const double *coefficient,
                               double *out)
{
    const struct points *all = gram->points;
    size_t *rows = gram->part_rows + all->n, terms = 0;
    struct points part =
        count == all->n ? *all : points_select(all, index, count, gram->part_rows, gram->part_columns);
    for (size_t i = 0; i < all->n; i++) {
        if (coefficient[i] == 0)
            continue;
        if (gram->ridge != 0) {
            compute_row_at(gram, &part, index, i, gram->part_weights);
            gram->simd->axpy(part.n_padded, coefficient[i], gram->part_weights, out);
        } else {
            rows[terms] = all->rows[i];
            gram->part_weights[terms++] = coefficient[i];
        }
    }
    const struct expansion sum = {.simd = gram->simd,
                                  .kernel = &gram->kernel,
                                  .points = &part,
                                  .rows = rows,
                                  .n = terms,
                                  .coefficient = gram->part_weights};
    kernel_expand(&sum, out);
    if (count < all->n)
        points_unselect(&part);
}

void gram_expand_at(struct gram *gram, const size_t *index, size_t count, const double *coefficient, double *out)
{
    if (gram->full_matrix && count == gram->points->n)
        gram_expand(gram, coefficient, out);
    else if (gram->full_matrix)
        expand_rows_at(gram, index, count, coefficient, out);
    else if (count > 0)
        expand_computed_at(gram, index, count, coefficient, out);
}

double gram_seconds(const struct gram *gram)
{
    return gram->seconds;
}

int gram_is_full(const struct gram *gram)
{
    return gram->full_matrix;
}

size_t gram_size(const struct gram *gram)
{
    return gram->points->n;
}

size_t gram_padded(const struct gram *gram)
{
    return gram->points->n_padded;
}

const struct simd *gram_simd(const struct gram *gram)
{
    return gram->simd;
}

const struct kernel *gram_kernel(const struct gram *gram)
{
    return &gram->kernel;
}

const struct points *gram_points(const struct gram *gram)
{
    return gram->points;
}

void gram_free(struct gram *gram)
{
    if (!gram)
        return;
    row_cache_close(&gram->cache);
    pages_give_back(gram->base);
    pages_give_back(gram->parts);
    free(gram->part_of);
    free(gram->sums);
    free(gram->diagonal);
    free(gram->has_row);
    free(gram->has_base);
    free(gram->active);
    free(gram->is_active);
    points_unselect(&gram->active_points);
    free(gram->active_columns);
    free(gram->part_rows);
    free(gram->part_weights);
    free(gram->part_columns);
    free(gram);
}
