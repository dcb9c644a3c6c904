/*
 * The only, counted access to kernel values.
 *
 * A solver sees labels and an oracle, never patterns. Every request is counted in kernel operations, under the phase
 * that the harness has set, before anything is computed or looked up. Kernel evaluations are counted separately: a
 * value counts as computed when it is first touched, and as kept from then on. Training rows are touched as a whole;
 * an entry of the diagonal can be touched by itself. So their number is n for each distinct row touched, one for each
 * entry (i, i) read of other rows, whatever other solvers that share the matrix have done and however small its cache
 * is, plus one for each value on test patterns.
 */
#ifndef HULLBENCH_ORACLE_H
#define HULLBENCH_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/kernel/gram.h"

enum phase { PHASE_SETUP, PHASE_ITERATIONS, PHASE_PREDICT, PHASE_COUNT };

struct oracle;

/* An oracle over `gram` (borrowed). Fails only when out of memory. */
enum status oracle_create(struct oracle **oracle, struct gram *gram, struct error *error);
void oracle_free(struct oracle *oracle);

/* Sets all counts to zero and the phase to setup. */
void oracle_reset(struct oracle *oracle);
/* From now on, rows are those of K + ridge I over the training patterns. Predictions do not change. */
void oracle_set_ridge(struct oracle *oracle, double ridge);
void oracle_set_phase(struct oracle *oracle, enum phase phase);
uint64_t oracle_operations(const struct oracle *oracle, enum phase phase);
uint64_t oracle_evaluations(const struct oracle *oracle);

/* The counts and the phase, without the set of touched rows. A run that continues after a prediction restores the
 * counts at which it stopped. */
struct oracle_counts {
    enum phase phase;
    uint64_t operations[PHASE_COUNT], evaluations;
};
struct oracle_counts oracle_counts(const struct oracle *oracle);
void oracle_set_counts(struct oracle *oracle, const struct oracle_counts *counts);

/* ---- rows that expire: how the harness detects a solver that breaks the contract of oracle_row ---- */

/* With `on`, rows are lent as copies that lie between guards of MARKER_ROW_END and are overwritten by
 * MARKER_EXPIRED_ROW when they expire (marker.h). Counts do not change. Fails only when out of memory, and only the
 * first time. */
enum status oracle_check_rows(struct oracle *oracle, int on, struct error *error);
int oracle_checks_rows(const struct oracle *oracle);
/* Expires all rows; for the harness, after init and after each update. Free of cost if rows are not checked. */
void oracle_expire_rows(struct oracle *oracle);
/* Nonzero if a solver wrote to a lent copy that has expired since oracle_reset. */
int oracle_rows_written(const struct oracle *oracle);

/* Nonzero if a block holds the address of a lent copy. */
int oracle_row_address_in(const struct oracle *oracle, const void *block, size_t bytes);

/* The first non-finite value of a plugin's kernel since oracle_reset; `found` is 0 if there is none. A whole row is
 * checked when it is first requested, and a row of active patterns on every request. Values of built-in kernels are not
 * checked. */
const struct kernel_fault *oracle_kernel_fault(const struct oracle *oracle);

/* The underlying matrix, which counts nothing; only for the harness. */
struct gram *oracle_gram(const struct oracle *oracle);
/* gram_seconds of the underlying matrix. */
double oracle_seconds(const struct oracle *oracle);

/* Number n of training patterns; length of a stored row, padded with zeros; the loops to use on rows. */
size_t oracle_size(const struct oracle *oracle);
size_t oracle_padded(const struct oracle *oracle);
const struct simd *oracle_simd(const struct oracle *oracle);

/* SIMD_ALIGNMENT-aligned memory for doubles, which are undefined, for init of a solver that may not need them: pages
 * that are not touched cost nothing. Valid until the next call or oracle_free. NULL when out of memory. */
double *oracle_reserve(struct oracle *oracle, size_t doubles);

/* Announces that every row will be requested, so that only half of a full matrix need be computed. Requests nothing. */
void oracle_prefetch_all(struct oracle *oracle);
/* Row i of the kernel matrix; n operations. A row expires when GRAM_MIN_ROWS further rows have been requested, when the
 * set of active patterns changes, and at the latest when init, or the update that requested it, returns
 * (oracle_expire_rows). It must not be written to. */
const double *oracle_row(struct oracle *oracle, size_t i);
/* Counts the same but returns no values: for a row that the published algorithm requests but whose values cannot affect
 * its results. */
void oracle_count_row(struct oracle *oracle, size_t i);
/* Row i for a caller that reads only `requested` of its values; counts that many operations. For evaluations, a touched
 * row counts as a whole. */
const double *oracle_row_part(struct oracle *oracle, size_t i, size_t requested);
/* Rows restricted to the active patterns, see gram_set_active and gram_active_row; one operation per active pattern. */
void oracle_set_active(struct oracle *oracle, const size_t *index, size_t count);
const double *oracle_active_row(struct oracle *oracle, size_t i, double *scratch);
/* out[j] += sum over k of weights[k] times entry (indices[k], j), see gram_add_rows; count n operations. */
void oracle_add_rows(struct oracle *oracle, const size_t *indices, const double *weights, size_t count, double *out);
/* out[j] += sum over i of coefficient[i] times entry (i, j), see gram_expand; n operations per nonzero coefficient. */
void oracle_expand(struct oracle *oracle, const double *coefficient, double *out);
/* The same at `count` patterns only, see gram_expand_at; `count` operations per nonzero coefficient. */
void oracle_expand_at(struct oracle *oracle, const size_t *index, size_t count, const double *coefficient, double *out);
/* Nonzero if every kernel matrix is positive semidefinite in exact arithmetic, so that |w . x_j| <= |w| |x_j|. */
int oracle_is_semidefinite(const struct oracle *oracle);
/* Entry (i, j) of the kernel matrix; one operation. For evaluations, (i, i) counts by itself; any other entry touches
 * its row, which is fetched for it. */
double oracle_value(struct oracle *oracle, size_t i, size_t j);
/* Writes all entries (j, j) to `out`; n operations. Evaluations as for oracle_value. */
void oracle_diagonal(struct oracle *oracle, double *out);

/* A point Z = weight * (X_i(1) + ... + X_i(count)) + last_weight * X_last of a (reduced) hull. `last` is not used if
 * last_weight is 0. */
struct hull_point {
    const size_t *indices;
    size_t count;
    double weight;
    size_t last;
    double last_weight;
};
/* out[j] = Z . X_j for all j; (count + 1) n operations, count n if last_weight is 0. */
void oracle_hull_point_row(struct oracle *oracle, const struct hull_point *z, double *out);
/* Z . Z; count^2 + count + 1 operations, count^2 if last_weight is 0. */
double oracle_hull_point_norm2(struct oracle *oracle, const struct hull_point *z);
/* Counts the same but computes nothing: for a value that the published algorithm requests but does not use. */
void oracle_count_norm2(struct oracle *oracle, const struct hull_point *z);

/* decision[t] = bias + sum over i of coefficient[i] k(x_i, test_t), in ascending i over the nonzero coefficients.
 * `test` must have rows of the same patterns as the training points.
 * Counts their number times the number of test patterns, whether values are kept (kernel.h; NULL: none) or not.
 * decision holds test->n_padded doubles, SIMD-aligned. */
void oracle_predict(struct oracle *oracle, const struct points *test, const double *coefficient, double bias,
                    struct kept_rows *kept, double *decision);

#endif
