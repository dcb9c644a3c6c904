/*
 * The kernel matrix of a training set, full when it fits a memory budget, else row by row through a cache of the least
 * recently used rows. One gram serves every solver and parameter of a (data set, split); changing the kernel reuses the
 * base values where it can. Nothing is counted here: counting is the oracle's.
 */
#ifndef HULLBENCH_GRAM_H
#define HULLBENCH_GRAM_H

#include "solvers/kernel/kernel.h"

struct gram;

/* A gram of `points` (borrowed, must outlive it) that keeps within `budget` bytes, but always holds at least
 * GRAM_MIN_ROWS rows. Layouts of compressed patterns and the arrays of their rows count as part of the budget, so that
 * a process needs 16 bytes a value that is not 0 and the budget. keep_base: keep base values beside the
 * kernel values, for several kernels in turn. A gram belongs to one thread. */
#define GRAM_MIN_ROWS 8
/* What a run takes besides the rows, at most: layouts of the points (all, active ones, parts), and bytes of arrays for
 * each pattern, such as 250 of packed-smo's state and 120 of the gram. */
#define GRAM_LAYOUTS 3
#define GRAM_PATTERN_BYTES 400
enum status gram_create(struct gram **gram, const struct simd *simd, const struct points *points, size_t budget,
                        int keep_base, struct error *error);
/* Sets whether idle threads of the caller's team may compute parts of long rows and sums (helpers.h); at first they may
 * not. The bits are the same. */
void gram_share_work(struct gram *gram, int on);
int gram_shares_work(const struct gram *gram);
/* Sets or changes the kernel. Rows are computed when they are asked for. */
void gram_set_kernel(struct gram *gram, const struct kernel *kernel);
/* Says that every row will be asked for: a matrix that fits and has none yet is computed at once, each value once for
 * both its places. */
void gram_prefetch_all(struct gram *gram);
/* Adds ridge >= 0 to the diagonal from now on, in place of what was added before: K + ridge I. A kernel set later keeps
 * it. */
void gram_set_ridge(struct gram *gram, double ridge);
double gram_ridge(const struct gram *gram);
/* Row i: n values, zero up to n_padded; valid until GRAM_MIN_ROWS further rows are asked for, or the active patterns
 * are set or left. */
const double *gram_row(struct gram *gram, size_t i);
/* Entry (i, i), ridge included; computes no row. */
double gram_diagonal(const struct gram *gram, size_t i);
/* Makes active the patterns index[0] < ... < index[count - 1] until another is set or a whole row is asked for. A
 * matrix that fits keeps its rows; a cache cuts those of active patterns, so that more of them fit, and forgets the
 * others, and all where the patterns are not some of those before. */
void gram_set_active(struct gram *gram, const size_t *index, size_t count);
/* Row i at the active patterns, `count` values, zero up to whole lanes; in `scratch`, as long as that, or in the cache,
 * as long valid as a row. */
const double *gram_active_row(struct gram *gram, size_t i, double *scratch);
/* out[j] += the sum over k, in that order, of weights[k] times entry (indices[k], j), for n_padded j. */
void gram_add_rows(struct gram *gram, const size_t *indices, const double *weights, size_t count, double *out);
/* The same over all i of coefficient[i], ascending, of those that are not 0. Asks for the rows where the matrix is
 * full; else the values are computed and not kept. */
void gram_expand(struct gram *gram, const double *coefficient, double *out);
/* The same at the patterns index[0] < ... < index[count - 1] alone: out[k], k < count, with room for whole lanes. The
 * active patterns and the rows of a cache stay as they are. */
void gram_expand_at(struct gram *gram, const size_t *index, size_t count, const double *coefficient, double *out);
/* Watches the rows, so that a change by somebody who was lent one is noticed, until gram_unwatch. STATUS_NO_MEMORY. */
enum status gram_watch(struct gram *gram, struct error *error);
/* Ends gram_watch. Nonzero where a row has changed since it was computed; then all rows are forgotten, and computed
 * again when they are asked for. Zero where rows were not watched. */
int gram_unwatch(struct gram *gram);
/* Nonzero when all rows stay valid as long as the kernel does. */
int gram_is_full(const struct gram *gram);
/* Seconds spent on rows of a full matrix so far; 0 for a cache. */
double gram_seconds(const struct gram *gram);
size_t gram_size(const struct gram *gram);
size_t gram_padded(const struct gram *gram);
const struct simd *gram_simd(const struct gram *gram);
const struct kernel *gram_kernel(const struct gram *gram);
const struct points *gram_points(const struct gram *gram);
void gram_free(struct gram *gram);

#endif
