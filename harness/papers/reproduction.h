/* A printed table compared with the records: cells, verdicts and tests, and the files made from them. */
#ifndef HULLBENCH_REPRODUCTION_H
#define HULLBENCH_REPRODUCTION_H

#include <stdio.h>

#include "harness/papers/marks.h"

struct explanation;

struct reproduction_cell {
    const struct paper_column *column;
    const struct printed *printed;
    const char *id;          /* "TABLE/DATA SET/COLUMN" */
    int compared;            /* zero: no printed value, or a set-up value */
    int counted;             /* compared, and does not repeat another column's number (same_as) */
    struct sample sample;    /* the values and their records, which must outlive the comparison */
    struct summary measured; /* in the printed unit, over all draws */
    struct summary one_draw; /* the first of these draws; n = 0 if it is the only draw or has no records */
    double ours;             /* what is compared with the printed figure: the mean, or for a minimum over more splits
                                than the paper has, the mean of the minima over as many splits */
    int synthetic;           /* nonzero: from a synthetic data set, which is not the paper's */
    int same_split;          /* nonzero: printed for one split, and ours is one record of a split listed in a file */
    size_t n_null;           /* records for the cell without a number */
    int absent;              /* no record, although a run for the table was to measure it; set by conform.h */
    double at_most, at_least; /* printed for one split only: the shares of ours that are no higher and no lower, to the
                                 printed digit; else NaN */
    struct agreement agreement;
    const char *fitted; /* the convention that makes an agreement not independent, as in the printed row; or NULL */
    /* the entry that lists the cell, or its standard deviation, as a deviation, or NULL; set by
     * harness/papers/conform.h */
    const struct explanation *explanation, *sd_explanation;
};

struct reproduction_row {
    const char *dataset;
    struct reproduction_cell *cells; /* one per column */
    struct test_finding *tests;    /* one per test of the table */
    int has_records;
    const char *reason, *command; /* why there are no records, and how to get the data; NULL if unknown */
};

/* Possible marks: one for each row and marked test. */
struct marks_count {
    size_t agree, compared, untested; /* untested: without records, or with too few to decide */
};
void marks_add(const struct marks_count *marks, struct marks_count *sum);

/* The number of cells with each verdict. A number that a table repeats counts once. */
struct verdict_counts {
    size_t cells[VERDICT_COUNT];
    size_t sds_agree, sds_differ; /* standard deviations compared */
    size_t fitted;                /* agree or are compatible, but are not independent: cell->fitted */
    size_t repeated;              /* compared, but left out of the counts above: repeats a number of the table */
};
void verdict_counts_add(const struct verdict_counts *counts, struct verdict_counts *sum);
/* The cells whose verdict is neither missing nor undecidable: the denominator of shares. */
size_t verdict_counts_decided(const struct verdict_counts *counts);
/* "12 agree, 3 compatible, 1 near, 2 differ, 0 undecidable, 0 missing" */
void verdict_counts_print(FILE *stream, const struct verdict_counts *counts);

struct reproduction {
    const struct paper_table *table; /* not owned */
    struct reproduction_row *rows;     /* one per row of the table */
    struct reproduction_cell *cells;   /* of all rows, n_cells */
    struct test_finding *tests;      /* of all rows, n_tests */
    size_t n_cells, n_tests;
    struct verdict_counts counts;
    int is_measured;              /* zero: every column is a set-up value */
    const char *splits;           /* the line about official and other splits */
    struct marks_count marks;
};

/* Compares the table, which must outlive the comparison, with the records. Cells use all draws, since more splits of
 * the same kind estimate the same mean better; tests and marks use the first draw, since their outcome depends on the
 * number of splits. Both lists may be the same. `missing` is run.json's array of {"dataset", "reason", "command"},
 * whose texts must outlive the comparison, or NULL. Ends with STATUS_BAD_INPUT after records that are not a sample. */
struct reproduction *reproduction_make(struct pool *pool, const struct paper_table *table,
                                         const struct records *first, const struct records *all,
                                         const struct cJSON *missing);

/* Our value for the cell from the first draw alone, for cells whose one_draw has values. */
double reproduction_one_draw(const struct reproduction_cell *cell);
/* Fills a table for readers: the data sets; for each column of the paper's the printed figure and, unless it is a
 * set-up value, ours with the sign of its verdict; then the tests without a mark. The notes do not explain the signs.
 */
struct result;
void reproduction_page(const struct reproduction *comparison, struct result *page);
/* Writes FOLDER/NAME.json, .md, .tex and .csv; the folder must exist. */
void reproduction_write(const struct reproduction *comparison, const char *folder);

#endif
