/*
 * Sums over the rows of hull points, kept from one point to the next.
 *
 * A solver requests X_i(1) + ... + X_i(m) repeatedly, and the list mostly begins with the same patterns as last time.
 * The sums over these are kept, so only the rows from the first change on are added again. Rows are always added in
 * list order, so the bits equal those of a sum from the start.
 */
#ifndef HULLBENCH_POINT_SUMS_H
#define HULLBENCH_POINT_SUMS_H

#include "solvers/kernel/simd.h"

enum { POINT_SUMS_SPACING = 16 };

/* A list and the sums over its first patterns. */
struct point_sums {
    size_t *indices, count; /* the last requested list; owned */
    size_t n_padded;        /* doubles per row */
    size_t common;          /* number of leading patterns shared with the previous list */
    double *row_sums;       /* sums of the first 16, 32, ..., count rows; owned */
    size_t n_row_sums;      /* number of filled row sums */
    double *off, *diagonal; /* over the first k rows, k = 0 .. count: entries before the diagonal, and on it; owned */
    size_t n_squares;       /* off and diagonal are filled for k up to this number */
};

/* Allocates memory for lists of up to `room` patterns and rows of n_padded doubles; point_sums_free releases it.
 * Returns 0 when out of memory. */
int point_sums_open(struct point_sums *sums, size_t room, size_t n_padded);
/* The number of leading patterns that the list shares with the last requested one; 0 if their lengths differ. */
size_t point_sums_in_common(const struct point_sums *sums, const size_t *indices, size_t count);
/* Makes a list of at most `room` patterns the current one and drops the sums that are invalid for it. */
void point_sums_turn(struct point_sums *sums, const size_t *indices, size_t count);
/* The number of leading rows of the list that are covered by a kept sum of rows. */
size_t point_sums_rows_kept(const struct point_sums *sums);
/* out[j] = the sum over the list's rows of rows[k][j], in ascending k from 0. Reads rows[k] only for
 * k >= point_sums_rows_kept. */
void point_sums_of_rows(struct point_sums *sums, const struct simd *simd, const double *const *rows, double *out);
/* Fills off and diagonal. Reads rows[k] only for k >= n_squares. */
void point_sums_of_squares(struct point_sums *sums, const double *const *rows);
/* The sum over l < k of row[indices[l]], in the order in which off adds them. */
double point_sums_before_diagonal(const double *row, const size_t *indices, size_t k);
/* Drops all sums; to be called when rows change. */
void point_sums_forget(struct point_sums *sums);
void point_sums_free(struct point_sums *sums);

#endif
