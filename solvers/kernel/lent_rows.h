/*
 * Kernel rows lent to a solver as copies that expire. The oracle uses them to detect a solver that keeps a row, reads
 * past its end or writes to it.
 *
 * Each copy lies in its own slot between two guards. At most GRAM_MIN_ROWS slots hold rows in use; the others are
 * filled with the marker of expired rows (marker.h). Slots are used in turn, so the memory of an expired row holds that
 * marker until LENT_ROWS_SLOTS - 1 further rows have been lent. When a row expires, its bits and its guards are
 * compared with what was lent.
 */
#ifndef HULLBENCH_LENT_ROWS_H
#define HULLBENCH_LENT_ROWS_H

#include <stddef.h>

enum { LENT_ROWS_SLOTS = 32 };

struct lent_rows;

/* For rows of at most `padded` doubles, a multiple of SIMD_LANES. NULL when out of memory. */
struct lent_rows *lent_rows_create(size_t padded);
void lent_rows_free(struct lent_rows *lent);
/* Announces a request for `count` rows: every row expires after which GRAM_MIN_ROWS rows have been requested. */
void lent_rows_ask(struct lent_rows *lent, size_t count);
/* A SIMD_ALIGNMENT-aligned copy of the last requested row, `padded` doubles. */
const double *lent_rows_lend(struct lent_rows *lent, const double *row, size_t padded);
/* Expires all rows. */
void lent_rows_expire(struct lent_rows *lent);
/* Nonzero if someone has written to, or next to, a row that has expired by now. */
int lent_rows_written(const struct lent_rows *lent);
/* Nonzero if a word of the block, which must be aligned for pointers, is an address in the memory of the copies. */
int lent_rows_address_in(const struct lent_rows *lent, const void *block, size_t bytes);
/* Expires all rows and forgets all detected errors. */
void lent_rows_reset(struct lent_rows *lent);

#endif
