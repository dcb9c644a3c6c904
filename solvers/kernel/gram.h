/*
 * The kernel matrix of a training set: full if it fits a memory budget, else computed row by row through a cache of the
 * least recently used rows. One gram serves all solvers and parameters of a (data set, split). Changing the kernel
 * reuses base values where possible. The gram counts nothing; the oracle does.
 */
#ifndef HULLBENCH_GRAM_H
#define HULLBENCH_GRAM_H

#include "solvers/kernel/kernel.h"

struct gram;

/* A gram of `points` (borrowed, must outlive it) that uses at most `budget` bytes but always holds at least
 * GRAM_MIN_ROWS rows. The budget includes layouts of compressed patterns and their row arrays, so a process needs the
 * budget plus 16 bytes per nonzero value. keep_base: keep base values beside the kernel values, for several kernels in
 * turn. A gram belongs to one thread. */
#define GRAM_MIN_ROWS 8
/* Upper bounds on the memory of a run besides the rows: the number of layouts of the points (all, active, parts), and
 * the bytes of arrays per pattern, such as 250 for packed-smo's state and 120 for the gram. */
#define GRAM_LAYOUTS 3
#define GRAM_PATTERN_BYTES 400
enum status gram_create(struct gram **gram, const struct simd *simd, const struct points *points, size_t budget,
                        int keep_base, struct error *error);
/* Sets or changes the kernel. Rows are computed on request. */
void gram_set_kernel(struct gram *gram, const struct kernel *kernel);
/* Announces that every row will be requested. If the matrix fits and has no rows yet, it is computed at once, with each
 * value computed once for both of its places. */
void gram_prefetch_all(struct gram *gram);
/* Sets the ridge >= 0 that is added to the diagonal, K + ridge I, in place of the previous ridge. A kernel set later
 * keeps it. */
void gram_set_ridge(struct gram *gram, double ridge);
double gram_ridge(const struct gram *gram);
/* Row i: n values, then zeros up to n_padded. Valid until GRAM_MIN_ROWS further rows are requested or the set of active
 * patterns changes. */
const double *gram_row(struct gram *gram, size_t i);
/* Entry (i, i) including the ridge. Computes no row. */
double gram_diagonal(const struct gram *gram, size_t i);
/* Makes the patterns index[0] < ... < index[count - 1] active, until another set is chosen or a full row is requested.
 * A full matrix keeps its rows. A cache shortens the rows of active patterns, so that more of them fit, and drops the
 * others; it drops all rows if the patterns are not a subset of the previous ones. */
void gram_set_active(struct gram *gram, const size_t *index, size_t count);
/* Row i restricted to the active patterns: `count` values, then zeros up to whole SIMD lanes. It lies in `scratch`,
 * which has that length, or in memory of the budget, where it is valid as long as a row is. */
const double *gram_active_row(struct gram *gram, size_t i, double *scratch);
/* out[j] += sum over k, in order, of weights[k] times entry (indices[k], j), for n_padded j. */
void gram_add_rows(struct gram *gram, const size_t *indices, const double *weights, size_t count, double *out);
/* The same sum over all i, ascending, with coefficient[i] != 0. A full matrix requests the rows; otherwise the values
 * are computed and not kept. */
void gram_expand(struct gram *gram, const double *coefficient, double *out);
/* The same only at the patterns index[0] < ... < index[count - 1]: out[k], k < count, padded to whole SIMD lanes. The
 * active patterns and the cached rows do not change. */
void gram_expand_at(struct gram *gram, const size_t *index, size_t count, const double *coefficient, double *out);
/* Watches the rows until gram_unwatch, to detect whether a borrower changes one. STATUS_NO_MEMORY. */
enum status gram_watch(struct gram *gram, struct error *error);
/* Ends gram_watch. Nonzero if a row has changed since it was computed; then all rows are dropped and recomputed on
 * request. Zero if rows were not watched. */
int gram_unwatch(struct gram *gram);
/* Nonzero if all rows stay valid until the kernel changes. */
int gram_is_full(const struct gram *gram);
/* Seconds spent so far on rows of a full matrix; 0 for a cache. */
double gram_seconds(const struct gram *gram);
size_t gram_size(const struct gram *gram);
size_t gram_padded(const struct gram *gram);
const struct simd *gram_simd(const struct gram *gram);
const struct kernel *gram_kernel(const struct gram *gram);
const struct points *gram_points(const struct gram *gram);
void gram_free(struct gram *gram);

#endif
