/*
 * Sums over the rows of hull points, kept from one point to the next.
 *
 * A solver asks for X_i(1) + ... + X_i(m) again and again, and mostly the list begins with the same patterns as the
 * last time. The sums over these are kept, so only the rows behind the first change are added anew. Rows are added in
 * the order of the list in any case, so the bits are those of a sum from the beginning.
 */
#ifndef HULLBENCH_POINT_SUMS_H
#define HULLBENCH_POINT_SUMS_H

#include "solvers/kernel/simd.h"

enum { POINT_SUMS_SPACING = 16 };

/* One list, and the sums over its first patterns. */
struct point_sums {
    size_t *indices, count; /* the list last asked for; owned */
    size_t n_padded;        /* doubles of a row */
    size_t common;          /* how many of its first patterns are those of the list before it */
    double *row_sums;       /* of the first 16, 32, ..., count rows; owned */
    size_t n_row_sums;      /* how many of these are filled */
    double *off, *diagonal; /* over the first k rows, k = 0 .. count: entries before the diagonal, and on it; owned */
    size_t n_squares;       /* off and diagonal are filled for k up to this */
};

/* Allocates memory for lists of up to `room` patterns and rows of n_padded doubles; point_sums_free releases it. Zero
 * when out of memory. */
int point_sums_open(struct point_sums *sums, size_t room, size_t n_padded);
/* How many of the list's first patterns are those of the list last asked for; 0 where it is longer or shorter. */
size_t point_sums_in_common(const struct point_sums *sums, const size_t *indices, size_t count);
/* Makes another list, of at most `room` patterns, the present one, and drops the sums that do not hold for it. */
void point_sums_turn(struct point_sums *sums, const size_t *indices, size_t count);
/* Over how many of the list's first rows a sum of rows is kept. */
size_t point_sums_rows_kept(const struct point_sums *sums);
/* out[j] = the sum over the list's rows of rows[k][j], k ascending from 0; rows[k] is read from k =
 * point_sums_rows_kept on. */
void point_sums_of_rows(struct point_sums *sums, const struct simd *simd, const double *const *rows, double *out);
/* Fills off and diagonal; rows[k] is read from k = n_squares on. */
void point_sums_of_squares(struct point_sums *sums, const double *const *rows);
/* The sum over l < k of row[indices[l]], in the order in which off adds them. */
double point_sums_before_diagonal(const double *row, const size_t *indices, size_t k);
/* Drops all sums; to be called when rows change. */
void point_sums_forget(struct point_sums *sums);
void point_sums_free(struct point_sums *sums);

#endif
