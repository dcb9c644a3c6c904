/* The means that papers print, for figures that show them beside measured ones. */
#ifndef HULLBENCH_PRINTED_MEANS_H
#define HULLBENCH_PRINTED_MEANS_H

#include <stdio.h>

#include "harness/compare/data.h"

/* A published mean with its spread over splits, in the field's own unit; NAN where nothing is printed. */
struct plot_published {
    double mean, sd;
};

/* The values of the tables of results/paper/FILE.json named in `tables` (array of "FILE.tableN", may be NULL). */
struct paper_table;
struct plot_papers;
enum status plot_papers_read(const struct cJSON *tables, struct plot_papers **papers, struct error *error);
/* Accepts NULL, and is needed after an error, too. */
void plot_papers_free(struct plot_papers *papers);
/* How many tables these are, and the one at a place; of NULL there are none. */
size_t plot_papers_count(const struct plot_papers *papers);
const struct paper_table *plot_papers_table(const struct plot_papers *papers, size_t at);
/* Prints "Printed but not run: german, banana. " for the data sets of the tables that are not among those of the
 * data. */
void plot_papers_missing(FILE *stream, const struct plot_papers *papers, const struct plot_data *data);
/* What the tables print for the data set, the field and the solver of a record with these parameters. */
struct plot_published plot_papers_value(const struct plot_papers *papers, const struct record *record,
                                        enum record_field field);

#endif
