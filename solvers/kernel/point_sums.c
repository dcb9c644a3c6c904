/*
 * Sums of rows are kept at every sixteenth row and at the end, but only over patterns with which two successive lists
 * began. So lists that differ near their start write no sums that would never be read.
 *
 * |X_i(1) + ... + X_i(m)|^2 is 2 off + diagonal. `off` adds, row by row, the entries before the diagonal. These are
 * first summed in four parts, element l in part l mod 4, as (s0 + s2) + (s1 + s3).
 */
#include "solvers/kernel/point_sums.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/simd_vector.h"

/* The number of rows in sum number `at` of a list of `count`. */
static size_t length_of(size_t at, size_t count)
{
    size_t length = (at + 1) * POINT_SUMS_SPACING;
    return length < count ? length : count;
}

int point_sums_open(struct point_sums *sums, size_t room, size_t n_padded)
{
    *sums = (struct point_sums){.n_padded = n_padded};
    size_t n_sums = room / POINT_SUMS_SPACING + 1;
    if (room > SIZE_MAX / sizeof(double) - 1 || n_sums > SIZE_MAX / sizeof(double) / (n_padded + 1))
        return 0;
    sums->indices = malloc((room + 1) * sizeof *sums->indices);
    sums->off = malloc((room + 1) * sizeof *sums->off);
    sums->diagonal = malloc((room + 1) * sizeof *sums->diagonal);
    sums->row_sums = simd_alloc(n_sums * n_padded);
    if (!sums->indices || !sums->off || !sums->diagonal || !sums->row_sums) {
        point_sums_free(sums);
        return 0;
    }
    sums->off[0] = sums->diagonal[0] = 0;
    return 1;
}

size_t point_sums_in_common(const struct point_sums *sums, const size_t *indices, size_t count)
{
    size_t common = 0;
    if (count != sums->count)
        return 0;
    while (common < count && sums->indices[common] == indices[common])
        common++;
    return common;
}

void point_sums_turn(struct point_sums *sums, const size_t *indices, size_t count)
{
    size_t common = point_sums_in_common(sums, indices, count);
    while (sums->n_row_sums > 0 && length_of(sums->n_row_sums - 1, sums->count) > common)
        sums->n_row_sums--;
    sums->n_squares = sums->n_squares < common ? sums->n_squares : common;
    memcpy(sums->indices + common, indices + common, (count - common) * sizeof *indices);
    sums->count = count;
    sums->common = common;
}

size_t point_sums_rows_kept(const struct point_sums *sums)
{
    return sums->n_row_sums ? length_of(sums->n_row_sums - 1, sums->count) : 0;
}

/* out = kept, or 0 if kept is NULL. */
static void start_from(const double *kept, size_t n, double *out)
{
    if (kept)
        memcpy(out, kept, n * sizeof *out);
    else
        memset(out, 0, n * sizeof *out);
}

static void add(const struct simd *simd, size_t n, const double *const *rows, size_t count, double *out)
{
    static const double ones[POINT_SUMS_SPACING] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t first = 0; first < count; first += POINT_SUMS_SPACING) {
        size_t left = count - first;
        simd->add_rows(n, rows + first, ones, left < POINT_SUMS_SPACING ? left : POINT_SUMS_SPACING, out);
    }
}

void point_sums_of_rows(struct point_sums *sums, const struct simd *simd, const double *const *rows, double *out)
{
    size_t n = sums->n_padded, done = point_sums_rows_kept(sums);
    const double *kept = sums->n_row_sums ? sums->row_sums + (sums->n_row_sums - 1) * n : NULL;
    while (done < sums->common && length_of(sums->n_row_sums, sums->count) <= sums->common) {
        double *next = sums->row_sums + sums->n_row_sums * n;
        size_t length = length_of(sums->n_row_sums++, sums->count);
        start_from(kept, n, next);
        add(simd, n, rows + done, length - done, next);
        done = length;
        kept = next;
    }
    if (!kept) {
        simd->row_sum(n, rows, sums->count, out);
        return;
    }
    start_from(kept, n, out);
    add(simd, n, rows + done, sums->count - done, out);
}

/* The entries before the diagonal of `rows` rows of the list from `first` on, a multiple of 4 if there are several
 * rows. Rows are summed side by side, because each addition waits for the previous one. */
INLINE void sums_before_diagonal(const double *const *row, const size_t *indices, size_t first, const size_t rows,
                                 double *out)
{
    double sum[4][4] = {{0}};
    size_t whole = first / 4 * 4;
    for (size_t l = 0; l < whole; l += 4)
UNROLL
        for (size_t s = 0; s < 4; s++)
UNROLL
            for (size_t r = 0; r < rows; r++)
                sum[r][s] += row[r][indices[l + s]];
    for (size_t r = 0; r < rows; r++) {
        for (size_t l = whole; l < first + r; l++)
            sum[r][l % 4] += row[r][indices[l]];
        out[r] = (sum[r][0] + sum[r][2]) + (sum[r][1] + sum[r][3]);
    }
}

double point_sums_before_diagonal(const double *row, const size_t *indices, size_t k)
{
    double sum;
    sums_before_diagonal(&row, indices, k, 1, &sum);
    return sum;
}

static void add_squares(struct point_sums *sums, const double *const *rows, const double *before, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        size_t k = sums->n_squares++;
        sums->off[k + 1] = sums->off[k] + before[r];
        sums->diagonal[k + 1] = sums->diagonal[k] + rows[k][sums->indices[k]];
    }
}

void point_sums_of_squares(struct point_sums *sums, const double *const *rows)
{
    double before[4];
    while (sums->n_squares < sums->count) {
        size_t k = sums->n_squares, together = k % 4 == 0 && sums->count - k >= 4 ? 4 : 1;
        if (together == 4)
            sums_before_diagonal(rows + k, sums->indices, k, 4, before);
        else
            before[0] = point_sums_before_diagonal(rows[k], sums->indices, k);
        add_squares(sums, rows, before, together);
    }
}

void point_sums_forget(struct point_sums *sums)
{
    sums->count = sums->common = sums->n_row_sums = sums->n_squares = 0;
}

void point_sums_free(struct point_sums *sums)
{
    free(sums->indices);
    free(sums->off);
    free(sums->diagonal);
    free(sums->row_sums);
    *sums = (struct point_sums){.count = 0};
}
