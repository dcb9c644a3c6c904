/* What the tables of an atlas share (atlas_tables.c). */
#ifndef HULLBENCH_ATLAS_FORMS_H
#define HULLBENCH_ATLAS_FORMS_H

#include "harness/format/text_table.h"
#include "harness/stats/interval.h"

/* Writes FOLDER/NAME.md and .tex, or .csv, and frees the table, also after an error. */
enum status atlas_write_page(struct text_table *table, const char *folder, const char *name, struct error *error);
enum status atlas_write_csv(struct text_table *table, const char *folder, const char *name, struct error *error);

/* The columns and their heads. */
void atlas_put_head(struct text_table *table, const char *const *heads, size_t n);
/* A cell "1.2 [1.1, 1.4]", or without brackets where the interval is not known: `scale` times the numbers, so many
 * decimals; "-" where there is no estimate. */
void atlas_put_interval(struct text_table *table, double scale, int decimals, const struct interval *interval);
/* Three cells of a CSV file: estimate, low and high. */
void atlas_put_ends(struct text_table *table, const struct interval *interval);

#endif
