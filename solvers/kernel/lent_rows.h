/*
 * Kernel rows lent to a solver as copies that expire: how the oracle notices a solver that keeps a row, reads past its
 * end or writes into it.
 *
 * Each copy has a slot of its own between two guards. At most GRAM_MIN_ROWS slots hold rows in use, the others are full
 * of the marker of expired rows (marker.h). Slots are used in turn, so the place of an expired row holds that marker
 * until LENT_ROWS_SLOTS - 1 further rows have been lent. When a row expires, its bits and its guards are compared with
 * what was lent.
 */
#ifndef HULLBENCH_LENT_ROWS_H
#define HULLBENCH_LENT_ROWS_H

#include <stddef.h>

enum { LENT_ROWS_SLOTS = 32 };

struct lent_rows;

/* For rows of at most `padded` doubles, a multiple of SIMD_LANES. NULL when out of memory. */
struct lent_rows *lent_rows_create(size_t padded);
void lent_rows_free(struct lent_rows *lent);
/* `count` rows are being asked for: every row expires after which GRAM_MIN_ROWS rows have been asked for. */
void lent_rows_ask(struct lent_rows *lent, size_t count);
/* A copy, SIMD_ALIGNMENT-aligned, of the row asked for last, `padded` doubles. */
const double *lent_rows_lend(struct lent_rows *lent, const double *row, size_t padded);
/* All rows expire. */
void lent_rows_expire(struct lent_rows *lent);
/* Nonzero when somebody has written into a row that has expired by now, or beside it. */
int lent_rows_written(const struct lent_rows *lent);
/* Nonzero when one of the words of a block, which is aligned as pointers are, is an address in the memory of the
 * copies. */
int lent_rows_address_in(const struct lent_rows *lent, const void *block, size_t bytes);
/* All rows expire, and what was noticed is forgotten. */
void lent_rows_reset(struct lent_rows *lent);

#endif
