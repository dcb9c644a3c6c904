/*
 * Kernel matrix or cached rows.
 *
 * Rows are kept in slots chained from most to least recently used; a row that is not there takes the last slot. A matrix
 * that fits has one slot a row and computes a row when it is first asked for, or, told that all will be, every missing
 * row at once: in panels of LANES rows, of which only the part from the diagonal on is computed and copied to the other
 * side. All ways compute a value by the same operations, and (x - z)^2 and x z are the same bits as (z - x)^2 and z x,
 * so the bits agree. A table of kernel values given with the data need not be symmetric to the last bit and is not
 * copied across.
 */
#include "solvers/kernel/gram.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/clock.h"

#define NONE SIZE_MAX

struct gram {
    const struct lanes *lanes;
    const struct points *points;
    struct kernel kernel;
    int whole, has_kernel;
    double ridge;
    double seconds; /* spent on rows of a whole matrix */
    size_t slots;
    double *values;   /* slots x n_padded */
    double *base;     /* n x n_padded, or NULL */
    double *diagonal; /* n: k(x_i, x_i) without the ridge, of rows held */
    unsigned char *has_row, *has_base; /* n: which rows of a whole matrix stand in values and base */
    size_t *slot_of; /* n: the slot of a row, or NONE */
    size_t *row_of;  /* slots: the row in a slot, or NONE */
    size_t *newer, *older, newest, oldest;
};

static size_t fitting_slots(size_t n, size_t n_padded, size_t budget)
{
    size_t slots = budget / (n_padded * sizeof(double));
    if (slots < GRAM_MIN_ROWS)
        slots = GRAM_MIN_ROWS;
    return slots < n ? slots : n;
}

enum status gram_create(struct gram **out, const struct lanes *lanes, const struct points *points, size_t budget,
                        int keep_base, struct error *error)
{
    *out = NULL;
    struct gram *gram = calloc(1, sizeof *gram);
    if (!gram)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for a kernel matrix");
    size_t n = points->n, share = keep_base ? budget / 2 : budget;
    gram->lanes = lanes;
    gram->points = points;
    gram->slots = fitting_slots(n, points->n_padded, share);
    gram->whole = gram->slots == n;
    gram->values = lanes_room(gram->slots * points->n_padded);
    if (keep_base && gram->whole)
        gram->base = lanes_room(n * points->n_padded);
    gram->diagonal = malloc(n * sizeof *gram->diagonal);
    if (gram->whole) {
        gram->has_row = calloc(n, 1);
        gram->has_base = calloc(n, 1);
    } else {
        gram->slot_of = malloc(n * sizeof *gram->slot_of);
        gram->row_of = malloc(3 * gram->slots * sizeof *gram->row_of);
    }
    int missing = gram->whole ? !gram->has_row || !gram->has_base || (keep_base && !gram->base)
                              : !gram->slot_of || !gram->row_of;
    if (!gram->values || !gram->diagonal || missing) {
        gram_free(gram);
        return error_set(error, STATUS_NO_MEMORY, "out of memory for %zu rows of a kernel matrix of %zu patterns",
                         n, n);
    }
    if (!gram->whole) {
        gram->newer = gram->row_of + gram->slots;
        gram->older = gram->newer + gram->slots;
    }
    *out = gram;
    return STATUS_OK;
}

/* Row i of kernel values stands in `row`: keeps its diagonal entry and adds the ridge. */
static void finish_row(struct gram *gram, size_t i, double *row)
{
    gram->diagonal[i] = row[i];
    row[i] += gram->ridge;
}

/* Kernel values of row i with the patterns from `first` on, a multiple of LANES; base values where they are kept. */
static void compute_part(struct gram *gram, size_t i, size_t first, double *row)
{
    const struct points *points = gram->points;
    size_t stride = points->n_padded;
    double *base = gram->base ? gram->base + i * stride : row;
    if (!gram->base || !gram->has_base[i])
        kernel_base_part(gram->lanes, gram->kernel.type, points, points->rows[i], first, stride - first, base + first);
    kernel_apply(gram->lanes, &gram->kernel, points->n - first, stride - first, base + first, row + first);
}

static void compute_row(struct gram *gram, size_t i, double *row)
{
    compute_part(gram, i, 0, row);
    if (gram->base)
        gram->has_base[i] = 1;
    finish_row(gram, i, row);
}

/* matrix[j][i] = matrix[i][j] for i in the panel of `rows` rows from `first` on, j behind it */
static void mirror(double *matrix, size_t n, size_t stride, size_t first, size_t rows)
{
    const double *panel = matrix + first * stride;
    for (size_t j = first + rows; j < n; j++)
        for (size_t r = 0; r < rows; r++)
            matrix[j * stride + first + r] = panel[r * stride + j];
}

/* The panel of LANES rows from `first` on; those before it are there. */
static void compute_panel(struct gram *gram, size_t first)
{
    size_t n = gram->points->n, stride = gram->points->n_padded, rows = n - first < LANES ? n - first : LANES;
    int new_base = gram->base && !gram->has_base[first];
    for (size_t i = first; i < first + rows; i++)
        compute_part(gram, i, first, gram->values + i * stride);
    if (new_base)
        mirror(gram->base, n, stride, first, rows);
    mirror(gram->values, n, stride, first, rows);
}

/* The row of a whole matrix when it is first asked for. */
static void add_row(struct gram *gram, size_t i)
{
    double started = clock_now();
    compute_row(gram, i, gram->values + i * gram->points->n_padded);
    gram->has_row[i] = 1;
    gram->seconds += clock_now() - started;
}

static size_t rows_there(const struct gram *gram, const unsigned char *has)
{
    size_t there = 0;
    for (size_t i = 0; i < gram->points->n; i++)
        there += has[i];
    return there;
}

void gram_expect_all(struct gram *gram)
{
    size_t n = gram->points->n, stride = gram->points->n_padded;
    if (!gram->whole || gram->kernel.type == KERNEL_PRECOMPUTED || 2 * rows_there(gram, gram->has_row) > n)
        return; /* what is missing is less than half of all */
    double started = clock_now();
    if (rows_there(gram, gram->has_base) < n)
        memset(gram->has_base, 0, n);
    for (size_t first = 0; first < n; first += LANES)
        compute_panel(gram, first);
    for (size_t i = 0; i < n; i++)
        finish_row(gram, i, gram->values + i * stride);
    memset(gram->has_row, 1, n);
    memset(gram->has_base, gram->base != NULL, n);
    gram->seconds += clock_now() - started;
}

static void forget_rows(struct gram *gram)
{
    for (size_t i = 0; i < gram->points->n; i++)
        gram->slot_of[i] = NONE;
    for (size_t s = 0; s < gram->slots; s++) {
        gram->row_of[s] = NONE;
        gram->newer[s] = s ? s - 1 : NONE;
        gram->older[s] = s + 1 < gram->slots ? s + 1 : NONE;
    }
    gram->newest = 0;
    gram->oldest = gram->slots - 1;
}

void gram_set_kernel(struct gram *gram, const struct kernel *kernel)
{
    int base_is_good = gram->has_kernel && kernel_same_base(&gram->kernel, kernel);
    gram->kernel = *kernel;
    gram->has_kernel = 1;
    if (!gram->whole) {
        forget_rows(gram);
        return;
    }
    memset(gram->has_row, 0, gram->points->n);
    if (!base_is_good)
        memset(gram->has_base, 0, gram->points->n);
}

void gram_set_ridge(struct gram *gram, double ridge)
{
    size_t stride = gram->points->n_padded;
    gram->ridge = ridge;
    if (!gram->has_kernel)
        return;
    for (size_t s = 0; s < gram->slots; s++) {
        size_t i = gram->whole ? s : gram->row_of[s];
        if (gram->whole ? gram->has_row[s] : i != NONE)
            gram->values[s * stride + i] = gram->diagonal[i] + ridge;
    }
}

static void make_newest(struct gram *gram, size_t slot)
{
    if (slot == gram->newest)
        return;
    size_t newer = gram->newer[slot], older = gram->older[slot];
    gram->older[newer] = older;
    if (older == NONE)
        gram->oldest = newer;
    else
        gram->newer[older] = newer;
    gram->newer[slot] = NONE;
    gram->older[slot] = gram->newest;
    gram->newer[gram->newest] = slot;
    gram->newest = slot;
}

const double *gram_row(struct gram *gram, size_t i)
{
    size_t stride = gram->points->n_padded;
    if (gram->whole) {
        if (!gram->has_row[i])
            add_row(gram, i);
        return gram->values + i * stride;
    }
    size_t slot = gram->slot_of[i];
    if (slot == NONE) {
        slot = gram->oldest;
        if (gram->row_of[slot] != NONE)
            gram->slot_of[gram->row_of[slot]] = NONE;
        gram->row_of[slot] = i;
        gram->slot_of[i] = slot;
        compute_row(gram, i, gram->values + slot * stride);
    }
    make_newest(gram, slot);
    return gram->values + slot * stride;
}

double gram_diagonal(const struct gram *gram, size_t i)
{
    const struct points *points = gram->points;
    if (gram->whole && gram->has_row[i])
        return gram->values[i * points->n_padded + i];
    size_t first = i / LANES * LANES, n = points->n - first < LANES ? points->n - first : LANES;
    _Alignas(LANES_ALIGNMENT) double part[LANES];
    kernel_base_part(gram->lanes, gram->kernel.type, points, points->rows[i], first, LANES, part);
    kernel_apply(gram->lanes, &gram->kernel, n, LANES, part, part);
    return part[i - first] + gram->ridge;
}

double gram_seconds(const struct gram *gram)
{
    return gram->seconds;
}

int gram_is_whole(const struct gram *gram)
{
    return gram->whole;
}

size_t gram_size(const struct gram *gram)
{
    return gram->points->n;
}

size_t gram_padded(const struct gram *gram)
{
    return gram->points->n_padded;
}

const struct lanes *gram_lanes(const struct gram *gram)
{
    return gram->lanes;
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
    free(gram->values);
    free(gram->base);
    free(gram->diagonal);
    free(gram->has_row);
    free(gram->has_base);
    free(gram->slot_of);
    free(gram->row_of);
    free(gram);
}
