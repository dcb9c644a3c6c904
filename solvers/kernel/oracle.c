/* The counted access to kernel values: each request first adds to the count of its phase, then fetches. See
 * oracle.h. */
#include "solvers/kernel/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/lent_rows.h"
#include "solvers/kernel/pages.h"
#include "solvers/kernel/point_sums.h"

/* TOUCHED: the row has been computed for this oracle's user. CHECKED: the whole row has been searched for non-finite
 * values. DIAGONAL: its entry on the diagonal has been computed by itself. */
enum { TOUCHED = 1, CHECKED = 2, DIAGONAL = 4 };
enum { POINTS_KEPT = 2 }; /* one per class */

struct oracle {
    struct gram *gram;
    struct oracle_counts counts;
    size_t n_active;              /* active patterns */
    struct lent_rows *lent;       /* NULL until rows are first checked */
    int checks_rows, lent_active; /* whether rows are lent as copies; whether the last ones lent are of active
                                   * patterns */
    unsigned char *touched;       /* n: TOUCHED, CHECKED, DIAGONAL */
    int checks_values;          /* whether the kernel is a plugin's */
    struct kernel_fault fault;
    const double **rows;          /* n pointers, for sums over rows of a full matrix */
    struct point_sums point_sums[POINTS_KEPT]; /* sums of hull points over a full matrix, the last requested first */
    int keeps_sums;                            /* whether memory for them was available */
    double *reserved;                          /* of oracle_reserve, or NULL */
};

/* Allocates sums over the points of a full matrix, before a solver runs, since solvers must not allocate. Without them,
 * sums start from the first row. */
static int open_point_sums(struct oracle *oracle)
{
    int opened = gram_is_full(oracle->gram);
    for (size_t s = 0; s < POINTS_KEPT && opened; s++)
        opened = point_sums_open(&oracle->point_sums[s], oracle_size(oracle), oracle_padded(oracle));
    return opened;
}

enum status oracle_create(struct oracle **out, struct gram *gram, struct error *error)
{
    *out = NULL;
    struct oracle *oracle = calloc(1, sizeof *oracle);
    size_t n = gram_size(gram);
    if (oracle) {
        oracle->gram = gram;
        oracle->touched = calloc(n, 1);
        oracle->rows = malloc(n * sizeof *oracle->rows);
    }
    if (!oracle || !oracle->touched || !oracle->rows) {
        oracle_free(oracle);
        return error_set(error, STATUS_NO_MEMORY, "out of memory for a kernel oracle of %zu patterns", n);
    }
    oracle->keeps_sums = open_point_sums(oracle);
    *out = oracle;
    return STATUS_OK;
}

void oracle_free(struct oracle *oracle)
{
    if (!oracle)
        return;
    free(oracle->touched);
    free(oracle->rows);
    for (size_t s = 0; s < POINTS_KEPT; s++)
        point_sums_free(&oracle->point_sums[s]);
    lent_rows_free(oracle->lent);
    pages_give_back(oracle->reserved);
    free(oracle);
}

double *oracle_reserve(struct oracle *oracle, size_t doubles)
{
    pages_give_back(oracle->reserved);
    return oracle->reserved = pages_take(doubles);
}

static void forget_point_sums(struct oracle *oracle)
{
    for (size_t s = 0; s < POINTS_KEPT; s++)
        point_sums_forget(&oracle->point_sums[s]);
}

void oracle_reset(struct oracle *oracle)
{
    oracle->counts = (struct oracle_counts){.phase = PHASE_SETUP};
    memset(oracle->touched, 0, oracle_size(oracle));
    oracle->checks_values = gram_kernel(oracle->gram)->type == KERNEL_OF_PLUGIN;
    oracle->fault = (struct kernel_fault){.found = 0};
    if (oracle->lent)
        lent_rows_reset(oracle->lent);
    forget_point_sums(oracle);
}

enum status oracle_check_rows(struct oracle *oracle, int on, struct error *error)
{
    if (on && !oracle->lent)
        oracle->lent = lent_rows_create(oracle_padded(oracle));
    if (on && !oracle->lent)
        return error_set(error, STATUS_NO_MEMORY, "out of memory to check %zu kernel rows of %zu patterns",
                         (size_t)LENT_ROWS_SLOTS, oracle_size(oracle));
    oracle_expire_rows(oracle);
    oracle->checks_rows = on;
    return STATUS_OK;
}

int oracle_checks_rows(const struct oracle *oracle)
{
    return oracle->checks_rows;
}

void oracle_expire_rows(struct oracle *oracle)
{
    if (oracle->checks_rows)
        lent_rows_expire(oracle->lent);
}

int oracle_rows_written(const struct oracle *oracle)
{
    return oracle->lent && lent_rows_written(oracle->lent);
}

void oracle_set_ridge(struct oracle *oracle, double ridge)
{
    gram_set_ridge(oracle->gram, ridge);
    forget_point_sums(oracle);
}

void oracle_set_phase(struct oracle *oracle, enum phase phase)
{
    oracle->counts.phase = phase;
}

uint64_t oracle_operations(const struct oracle *oracle, enum phase phase)
{
    return oracle->counts.operations[phase];
}

uint64_t oracle_evaluations(const struct oracle *oracle)
{
    return oracle->counts.evaluations;
}

struct oracle_counts oracle_counts(const struct oracle *oracle)
{
    return oracle->counts;
}

void oracle_set_counts(struct oracle *oracle, const struct oracle_counts *counts)
{
    oracle->counts = *counts;
}

struct gram *oracle_gram(const struct oracle *oracle)
{
    return oracle->gram;
}

double oracle_seconds(const struct oracle *oracle)
{
    return gram_seconds(oracle->gram);
}

size_t oracle_size(const struct oracle *oracle)
{
    return gram_size(oracle->gram);
}

size_t oracle_padded(const struct oracle *oracle)
{
    return gram_padded(oracle->gram);
}

const struct simd *oracle_simd(const struct oracle *oracle)
{
    return gram_simd(oracle->gram);
}

int oracle_row_address_in(const struct oracle *oracle, const void *block, size_t bytes)
{
    return oracle->lent && lent_rows_address_in(oracle->lent, block, bytes);
}

static void count(struct oracle *oracle, size_t operations)
{
    oracle->counts.operations[oracle->counts.phase] += operations;
}

static void touch(struct oracle *oracle, size_t i)
{
    if (oracle->touched[i] & TOUCHED)
        return;
    oracle->counts.evaluations += oracle_size(oracle) - ((oracle->touched[i] & DIAGONAL) != 0);
    oracle->touched[i] |= TOUCHED;
}

static void touch_diagonal(struct oracle *oracle, size_t i)
{
    if (oracle->touched[i] & (TOUCHED | DIAGONAL))
        return;
    oracle->counts.evaluations++;
    oracle->touched[i] |= DIAGONAL;
}

/* Announces a request for `rows` rows, all of the active patterns or all full. */
static void age_rows(struct oracle *oracle, size_t rows, int active)
{
    if (!oracle->checks_rows)
        return;
    if (active != oracle->lent_active)
        lent_rows_expire(oracle->lent);
    oracle->lent_active = active;
    lent_rows_ask(oracle->lent, rows);
}

/* The row in the form that the solver receives. */
static const double *lend(struct oracle *oracle, const double *row, size_t padded)
{
    return oracle->checks_rows ? lent_rows_lend(oracle->lent, row, padded) : row;
}

/* Searches values that were computed from the rows indices[k] (NULL: k) with weights[k] != 0, k < count. */
static void check_values(struct oracle *oracle, const double *values, size_t n_values, const size_t *indices,
                         const double *weights, size_t count)
{
    const struct points *points = gram_points(oracle->gram);
    int finite = 1;
    if (!oracle->checks_values || oracle->fault.found)
        return;
    for (size_t j = 0; j < n_values; j++)
        finite &= isfinite(values[j]) != 0;
    for (size_t k = 0; !finite && k < count && !oracle->fault.found; k++) {
        size_t i = indices ? indices[k] : k;
        if (kernel_find_fault(oracle_simd(oracle), gram_kernel(oracle->gram), points, &points->rows[i], 1,
                              &weights[k], &oracle->fault))
            oracle->fault.i = i;
    }
}

const struct kernel_fault *oracle_kernel_fault(const struct oracle *oracle)
{
    return &oracle->fault;
}

static const double *fetch(struct oracle *oracle, size_t i)
{
    touch(oracle, i);
    age_rows(oracle, 1, 0);
    const double *row = gram_row(oracle->gram, i);
    if (oracle->checks_values && !(oracle->touched[i] & CHECKED)) {
        oracle->touched[i] |= CHECKED;
        check_values(oracle, row, oracle_size(oracle), &i, &(double){1}, 1);
    }
    return row;
}

void oracle_prefetch_all(struct oracle *oracle)
{
    gram_prefetch_all(oracle->gram);
}

const double *oracle_row(struct oracle *oracle, size_t i)
{
    count(oracle, oracle_size(oracle));
    return lend(oracle, fetch(oracle, i), oracle_padded(oracle));
}

void oracle_count_row(struct oracle *oracle, size_t i)
{
    count(oracle, oracle_size(oracle));
    touch(oracle, i);
    age_rows(oracle, 1, 0);
}

double oracle_value(struct oracle *oracle, size_t i, size_t j)
{
    count(oracle, 1);
    if (i != j)
        return fetch(oracle, i)[j];
    touch_diagonal(oracle, i);
    double value = gram_diagonal(oracle->gram, i);
    check_values(oracle, &value, 1, &i, &(double){1}, 1);
    return value;
}

void oracle_diagonal(struct oracle *oracle, double *out)
{
    for (size_t j = 0; j < oracle_size(oracle); j++)
        out[j] = oracle_value(oracle, j, j);
}

void oracle_set_active(struct oracle *oracle, const size_t *index, size_t count)
{
    oracle_expire_rows(oracle);
    oracle->n_active = count;
    gram_set_active(oracle->gram, index, count);
}

const double *oracle_active_row(struct oracle *oracle, size_t i, double *scratch)
{
    count(oracle, oracle->n_active);
    touch(oracle, i);
    age_rows(oracle, 1, 1);
    const double *row = gram_active_row(oracle->gram, i, scratch);
    check_values(oracle, row, oracle->n_active, &i, &(double){1}, 1);
    return lend(oracle, row, simd_padded(oracle->n_active));
}

void oracle_add_rows(struct oracle *oracle, const size_t *indices, const double *weights, size_t rows, double *out)
{
    count(oracle, rows * oracle_size(oracle));
    for (size_t k = 0; k < rows; k++)
        touch(oracle, indices[k]);
    age_rows(oracle, rows, 0);
    gram_add_rows(oracle->gram, indices, weights, rows, out);
    check_values(oracle, out, oracle_size(oracle), indices, weights, rows);
}

/* Counts `each` operations per nonzero coefficient. */
static void count_terms(struct oracle *oracle, const double *coefficient, size_t each)
{
    size_t rows = 0;
    for (size_t i = 0; i < oracle_size(oracle); i++)
        if (coefficient[i] != 0) {
            count(oracle, each);
            touch(oracle, i);
            rows++;
        }
    age_rows(oracle, rows, 0);
}

void oracle_expand(struct oracle *oracle, const double *coefficient, double *out)
{
    count_terms(oracle, coefficient, oracle_size(oracle));
    gram_expand(oracle->gram, coefficient, out);
    check_values(oracle, out, oracle_size(oracle), NULL, coefficient, oracle_size(oracle));
}

void oracle_expand_at(struct oracle *oracle, const size_t *index, size_t count, const double *coefficient, double *out)
{
    count_terms(oracle, coefficient, count);
    gram_expand_at(oracle->gram, index, count, coefficient, out);
    check_values(oracle, out, count, NULL, coefficient, oracle_size(oracle));
}

int oracle_is_semidefinite(const struct oracle *oracle)
{
    return kernel_is_semidefinite(gram_kernel(oracle->gram));
}

const double *oracle_row_part(struct oracle *oracle, size_t i, size_t requested)
{
    count(oracle, requested);
    return lend(oracle, fetch(oracle, i), oracle_padded(oracle));
}

/* Fetches the rows of the point, from number `first` on, into oracle->rows. Earlier ones were requested since
 * oracle_reset. */
static void fetch_rows(struct oracle *oracle, const struct hull_point *z, size_t first)
{
    age_rows(oracle, first, 0);
    for (size_t k = first; k < z->count; k++)
        oracle->rows[k] = fetch(oracle, z->indices[k]);
}

/* The kept sums whose list shares the most leading patterns with the point, switched to the point; NULL if none are
 * kept. */
static struct point_sums *point_sums_of(struct oracle *oracle, const struct hull_point *z)
{
    struct point_sums *sums = oracle->point_sums;
    size_t best = 0, most = 0;
    if (!oracle->keeps_sums)
        return NULL;
    for (size_t s = 0; s < POINTS_KEPT; s++) {
        size_t common = point_sums_in_common(&sums[s], z->indices, z->count);
        if (common > most || most == 0) {
            most = common;
            best = s;
        }
    }
    struct point_sums first = sums[best];
    memmove(sums + 1, sums, best * sizeof *sums);
    sums[0] = first;
    point_sums_turn(&sums[0], z->indices, z->count);
    return &sums[0];
}

static void sum_of_rows(struct oracle *oracle, const struct hull_point *z, double *out)
{
    const struct simd *simd = oracle_simd(oracle);
    size_t padded = oracle_padded(oracle);
    struct point_sums *sums = point_sums_of(oracle, z);
    if (sums) {
        fetch_rows(oracle, z, point_sums_rows_kept(sums));
        point_sums_of_rows(sums, simd, oracle->rows, out);
        return;
    }
    memset(out, 0, padded * sizeof *out);
    for (size_t k = 0; k < z->count; k++)
        simd->axpy(padded, 1, fetch(oracle, z->indices[k]), out);
}

void oracle_hull_point_row(struct oracle *oracle, const struct hull_point *z, double *out)
{
    size_t n = oracle_size(oracle), padded = oracle_padded(oracle);
    count(oracle, n * (z->count + (z->last_weight != 0)));
    sum_of_rows(oracle, z, out);
    if (z->last_weight != 0)
        oracle_simd(oracle)->blend(padded, z->weight, z->last_weight, fetch(oracle, z->last), out);
    else
        oracle_simd(oracle)->scale(padded, z->weight, out);
}

void oracle_count_norm2(struct oracle *oracle, const struct hull_point *z)
{
    size_t m = z->count;
    count(oracle, m * m + (z->last_weight != 0 ? m + 1 : 0));
    for (size_t k = 0; k < m; k++)
        touch(oracle, z->indices[k]);
    if (z->last_weight != 0)
        touch(oracle, z->last);
}

/* The sums of the entries before the diagonal and on it, row by row, over the rows and columns of the point's patterns
 * except the last. */
static void sum_squares(struct oracle *oracle, const struct hull_point *z, double *off, double *diagonal)
{
    *off = *diagonal = 0;
    for (size_t k = 0; k < z->count; k++) {
        const double *row = fetch(oracle, z->indices[k]);
        *off += point_sums_before_diagonal(row, z->indices, k);
        *diagonal += row[z->indices[k]];
    }
}

double oracle_hull_point_norm2(struct oracle *oracle, const struct hull_point *z)
{
    size_t m = z->count;
    double off, diagonal;
    oracle_count_norm2(oracle, z);
    struct point_sums *sums = point_sums_of(oracle, z);
    if (sums) {
        fetch_rows(oracle, z, sums->n_squares);
        point_sums_of_squares(sums, oracle->rows);
        off = sums->off[m];
        diagonal = sums->diagonal[m];
    } else
        sum_squares(oracle, z, &off, &diagonal);
    double norm2 = z->weight * z->weight * (2 * off + diagonal);
    if (z->last_weight == 0)
        return norm2;
    const double *row = fetch(oracle, z->last);
    double cross = 0;
    for (size_t k = 0; k < m; k++)
        cross += row[z->indices[k]];
    return norm2 + 2 * z->weight * z->last_weight * cross + z->last_weight * z->last_weight * row[z->last];
}

void oracle_predict(struct oracle *oracle, const struct points *test, const double *coefficient, double bias,
                    struct kept_rows *kept, double *decision)
{
    const struct points *training = gram_points(oracle->gram);
    const struct expansion sum = {.simd = oracle_simd(oracle),
                                  .kernel = gram_kernel(oracle->gram),
                                  .points = test,
                                  .rows = training->rows,
                                  .n = training->n,
                                  .coefficient = coefficient,
                                  .kept = kept};
    size_t used = 0;
    for (size_t t = 0; t < test->n_padded; t++)
        decision[t] = bias;
    for (size_t i = 0; i < training->n; i++)
        used += coefficient[i] != 0;
    count(oracle, used * test->n);
    oracle->counts.evaluations += used * test->n;
    kernel_expand(&sum, decision);
}
