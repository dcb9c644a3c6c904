/* Means printed in papers, for figures that show them next to measured ones. */
#ifndef HULLBENCH_PRINTED_MEANS_H
#define HULLBENCH_PRINTED_MEANS_H

#include <stdio.h>

#include "harness/compare/data.h"

/* A published mean and its standard deviation over splits, in the field's unit; NAN if not printed. */
struct plot_published {
    double mean, sd;
};

/* The values of the tables of papers/FILE.json named in `tables` (array of "FILE.tableN", may be NULL). Dies with
 * STATUS_BAD_INPUT if a paper or table is missing. */
struct paper_table;
struct plot_papers;
const struct plot_papers *plot_papers_read(struct pool *pool, const struct cJSON *tables);
/* The number of tables, and the table at an index; NULL has none. */
size_t plot_papers_count(const struct plot_papers *papers);
const struct paper_table *plot_papers_table(const struct plot_papers *papers, size_t at);
/* Prints "Printed but not run: german, banana. " for the tables' data sets that the data lack. */
void plot_papers_missing(FILE *stream, const struct plot_papers *papers, const struct plot_data *data);
/* The printed value for the data set, field and solver of a record with these parameters. */
struct plot_published plot_papers_value(const struct plot_papers *papers, const struct record *record,
                                        enum record_field field);

#endif
