/*
 * Kernel matrix or cached rows.
 *
 * Rows are kept in slots chained from most to least recently used; a row that is not there takes the last slot. The whole
 * matrix is the case of one slot a row, filled at once. Both compute a row by the same loop, so the bits agree.
 */
#include "solvers/kernel/gram.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

struct gram {
    const struct lanes *lanes;
    const struct points *points;
    struct kernel kernel;
    int whole, has_base, has_kernel;
    double ridge;
    size_t slots;
    double *values;  /* slots x n_padded */
    double *base;    /* n x n_padded, or NULL */
    double *diagonal; /* n: k(x_i, x_i) without the ridge, of rows held */
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
    gram->values = lanes_doubles(gram->slots * points->n_padded);
    if (keep_base && gram->whole)
        gram->base = lanes_doubles(n * points->n_padded);
    gram->diagonal = malloc(n * sizeof *gram->diagonal);
    if (!gram->whole) {
        gram->slot_of = malloc(n * sizeof *gram->slot_of);
        gram->row_of = malloc(3 * gram->slots * sizeof *gram->row_of);
    }
    int missing = gram->whole ? keep_base && !gram->base : !gram->slot_of || !gram->row_of;
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

static void compute_row(struct gram *gram, size_t i, double *row)
{
    const struct points *points = gram->points;
    kernel_base_row(gram->lanes, gram->kernel.type, points, points->rows[i], row);
    kernel_apply(gram->lanes, &gram->kernel, points->n, points->n_padded, row, row);
    finish_row(gram, i, row);
}

static void compute_whole(struct gram *gram, int base_is_good)
{
    const struct points *points = gram->points;
    size_t stride = points->n_padded;
    for (size_t i = 0; i < points->n; i++) {
        if (!gram->base) {
            compute_row(gram, i, gram->values + i * stride);
            continue;
        }
        if (!base_is_good)
            kernel_base_row(gram->lanes, gram->kernel.type, points, points->rows[i], gram->base + i * stride);
        kernel_apply(gram->lanes, &gram->kernel, points->n, stride, gram->base + i * stride, gram->values + i * stride);
        finish_row(gram, i, gram->values + i * stride);
    }
    gram->has_base = gram->base != NULL;
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
    int base_is_good = gram->has_base && kernel_same_base(&gram->kernel, kernel);
    gram->kernel = *kernel;
    gram->has_kernel = 1;
    if (gram->whole)
        compute_whole(gram, base_is_good);
    else
        forget_rows(gram);
}

void gram_set_ridge(struct gram *gram, double ridge)
{
    size_t stride = gram->points->n_padded;
    gram->ridge = ridge;
    if (!gram->has_kernel)
        return;
    for (size_t s = 0; s < gram->slots; s++) {
        size_t i = gram->whole ? s : gram->row_of[s];
        if (i != NONE)
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
    if (gram->whole)
        return gram->values + i * stride;
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
    free(gram->slot_of);
    free(gram->row_of);
    free(gram);
}
