/*
 * The one counted door to kernel values.
 *
 * A solver sees labels and an oracle, never patterns. Every request is counted, in kernel operations, before anything
 * is computed or looked up, under the phase the harness has set. Kernel evaluations are counted apart: a training row
 * is taken as computed when it is first touched and kept from then on, so their number is n for each distinct row
 * touched, whatever other solvers sharing the matrix have done and however small its cache is, and one for each value
 * on test patterns.
 */
#ifndef HULLBENCH_ORACLE_H
#define HULLBENCH_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/kernel/gram.h"

enum phase { PHASE_SETUP, PHASE_ITERATIONS, PHASE_PREDICT, PHASE_COUNT };

struct oracle;

/* An oracle over `gram` (borrowed). Fails only out of memory. */
enum status oracle_create(struct oracle **oracle, struct gram *gram, struct error *error);
void oracle_free(struct oracle *oracle);

/* Sets all counts to zero and the phase to setup. */
void oracle_reset(struct oracle *oracle);
/* From now on rows are those of K + ridge I over the training patterns; predictions are not touched by it. */
void oracle_set_ridge(struct oracle *oracle, double ridge);
void oracle_set_phase(struct oracle *oracle, enum phase phase);
uint64_t oracle_operations(const struct oracle *oracle, enum phase phase);
uint64_t oracle_evaluations(const struct oracle *oracle);

/* The counts and the phase; rows touched are not among them. A run that goes on after a prediction sets those that it
 * was stopped with. */
struct oracle_counts {
    enum phase phase;
    uint64_t operations[PHASE_COUNT], evaluations;
};
struct oracle_counts oracle_counts(const struct oracle *oracle);
void oracle_set_counts(struct oracle *oracle, const struct oracle_counts *counts);

/* ---- rows that expire: what the harness uses to notice a solver that breaks the contract of oracle_row ---- */

/* With `on`, rows are lent from now on as copies, which are overwritten by MARKER_EXPIRED_ROW when they expire and
 * stand between guards of MARKER_ROW_END (marker.h). Counts are the same. Fails only out of memory, and only
 * the first time. */
enum status oracle_check_rows(struct oracle *oracle, int on, struct error *error);
int oracle_checks_rows(const struct oracle *oracle);
/* All rows expire; for the harness, after init and after each update. Costs nothing where rows are not checked. */
void oracle_expire_rows(struct oracle *oracle);
/* Nonzero when a row that was lent as a copy, and has expired since oracle_reset, was written into. */
int oracle_rows_written(const struct oracle *oracle);

/* Nonzero when a block holds the address of a row that was lent as a copy. */
int oracle_row_address_in(const struct oracle *oracle, const void *block, size_t bytes);

/* The first value of a plugin's kernel since oracle_reset that is not finite; `found` is 0 when there is none. A row is
 * checked as a whole when it is first asked for, and a row of active patterns each time. Values of built-in kernels are
 * not checked. */
const struct kernel_fault *oracle_kernel_fault(const struct oracle *oracle);

/* The matrix behind it, which counts nothing; the harness' alone. */
struct gram *oracle_gram(const struct oracle *oracle);
/* gram_seconds of the matrix behind it. */
double oracle_seconds(const struct oracle *oracle);

/* Number n of training patterns; length of a row as stored, padded with zeros; the loops to use on rows. */
size_t oracle_size(const struct oracle *oracle);
size_t oracle_padded(const struct oracle *oracle);
const struct simd *oracle_simd(const struct oracle *oracle);

/* Says that every row will be asked for, which lets a full matrix be computed by halves. Asks for nothing itself. */
void oracle_prefetch_all(struct oracle *oracle);
/* Row i of the kernel matrix; n operations. A row expires when GRAM_MIN_ROWS further rows have been asked for, when
 * the active patterns are set or left, and at the latest when init, or the update after it was asked for, has returned
 * (oracle_expire_rows). Nobody may write into it. */
const double *oracle_row(struct oracle *oracle, size_t i);
/* Counts the same and gives nothing: for a row that an algorithm asks for as described and whose values cannot change
 * what it computes. */
void oracle_count_row(struct oracle *oracle, size_t i);
/* Row i for a caller that reads only `requested` of its values; that many operations. As an evaluation a row touched is
 * whole. */
const double *oracle_row_part(struct oracle *oracle, size_t i, size_t requested);
/* Rows cut to some patterns, see gram_set_active and gram_active_row: as many operations as active patterns. */
void oracle_set_active(struct oracle *oracle, const size_t *index, size_t count);
const double *oracle_active_row(struct oracle *oracle, size_t i, double *scratch);
/* out[j] += the sum over k of weights[k] times entry (indices[k], j), see gram_add_rows; count n operations. */
void oracle_add_rows(struct oracle *oracle, const size_t *indices, const double *weights, size_t count, double *out);
/* out[j] += the sum over i of coefficient[i] times entry (i, j), see gram_expand; n operations for each nonzero
 * coefficient. */
void oracle_expand(struct oracle *oracle, const double *coefficient, double *out);
/* The same at `count` patterns alone, see gram_expand_at; `count` operations for each nonzero coefficient. */
void oracle_expand_at(struct oracle *oracle, const size_t *index, size_t count, const double *coefficient, double *out);
/* Nonzero where every kernel matrix is positive semidefinite in exact arithmetic, so that |w . x_j| <= |w| |x_j|. */
int oracle_is_semidefinite(const struct oracle *oracle);
/* Entry (i, j) of the kernel matrix; one operation. As an evaluation the row counts as touched, though (i, i) computes
 * none. */
double oracle_value(struct oracle *oracle, size_t i, size_t j);
/* All entries (j, j) into `out`; n operations. As oracle_value. */
void oracle_diagonal(struct oracle *oracle, double *out);

/* A point Z = weight * (X_i(1) + ... + X_i(count)) + last_weight * X_last of a (reduced) hull; `last` is not used when
 * last_weight is 0. */
struct hull_point {
    const size_t *indices;
    size_t count;
    double weight;
    size_t last;
    double last_weight;
};
/* out[j] = Z . X_j for all j; (count + 1) n operations, count n when last_weight is 0. */
void oracle_hull_point_row(struct oracle *oracle, const struct hull_point *z, double *out);
/* Z . Z; count^2 + count + 1 operations, count^2 when last_weight is 0. */
double oracle_hull_point_norm2(struct oracle *oracle, const struct hull_point *z);
/* Counts the same and computes nothing: for a value that an algorithm asks for as described and has no use for. */
void oracle_count_norm2(struct oracle *oracle, const struct hull_point *z);

/* decision[t] = bias + sum over i of coefficient[i] k(x_i, test_t), i ascending over nonzero coefficients; counted as
 * the number of those times the number of test patterns, kept (kernel.h; NULL: none are) or not. decision holds
 * test->n_padded doubles, lanes-aligned. */
void oracle_predict(struct oracle *oracle, const struct points *test, const double *coefficient, double bias,
                    struct kept_rows *kept, double *decision);

#endif
