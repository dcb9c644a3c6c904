/* Functions shared by the tables of an atlas (atlas_tables.c). */
#ifndef HULLBENCH_ATLAS_FORMS_H
#define HULLBENCH_ATLAS_FORMS_H

#include "harness/format/text_table.h"
#include "harness/stats/interval.h"

/* Writes FOLDER/NAME.md and .tex, or .csv, and frees the table, also after an error. */
enum status atlas_write_page(struct text_table *table, const char *folder, const char *name, struct error *error);
enum status atlas_write_csv(struct text_table *table, const char *folder, const char *name, struct error *error);

/* Sets the columns and writes their headings. */
void atlas_put_head(struct text_table *table, const char *const *heads, size_t n);
/* Writes a cell "1.2 [1.1, 1.4]", without brackets if the interval is unknown, "-" if there is no estimate. Numbers are
 * multiplied by `scale` and rounded to `decimals`. */
void atlas_put_interval(struct text_table *table, double scale, int decimals, const struct interval *interval);
/* Writes three cells of a CSV file: estimate, low and high. */
void atlas_put_ends(struct text_table *table, const struct interval *interval);

#endif
