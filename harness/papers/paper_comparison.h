/* A printed table beside what the records give: cells, verdicts and tests, and the files made of them. */
#ifndef HULLBENCH_PAPER_COMPARISON_H
#define HULLBENCH_PAPER_COMPARISON_H

#include "harness/stats/summary.h"
#include "harness/papers/marks.h"

struct comparison_cell {
    int compared;        /* zero: nothing printed, or a set-up value; the rest is then empty */
    struct summary measured; /* in the printed unit */
    int synthetic;       /* nonzero: rests on a data set made here, which is not the paper's */
    size_t n_null;       /* records that should have fed the cell and have no number there */
    double at_most, at_least; /* printed for one split only: the shares of ours that are no higher and no lower, to the
                                 printed digit; else NaN */
    struct comparison comparison;
};

struct comparison_row {
    struct comparison_cell *cells; /* one per column */
    struct test_finding *tests;   /* one per test of the table */
    uint64_t *marked;             /* one per test: our marks, as in paper_row */
    const char *reason, *command; /* why there are no records and what gets the data; NULL where unknown */
};

/* Marks that could stand: one for each row and marked test. */
struct marks_count {
    size_t agree, compared, untested; /* untested: without records, or with too few to be decided */
};

struct paper_comparison {
    const struct paper_table *table; /* not owned */
    struct comparison_row *rows;      /* one per row of the table */
    char *splits;                    /* the line about official and other splits */
    struct marks_count marks;
};

/* Compares the table with the records. `missing` is run.json's array of {"dataset", "reason", "command"}, or NULL; the
 * table and `missing` must outlive *comparison, which is freed with comparison_free. */
enum status comparison_fill(const struct paper_table *table, const struct records *records, const struct cJSON *missing,
                           struct paper_comparison **comparison, struct error *error);
/* Accepts NULL. */
void comparison_free(struct paper_comparison *comparison);

/* Nonzero where the test has a mark and records decided it: there were any, and for pairs enough that p could be below
 * the level at all (five at 10 %). */
int comparison_mark_compared(const struct paper_comparison *comparison, size_t row, size_t test);
/* Whether ours and the printed mark stand on the same side, or both nowhere. */
int comparison_mark_agrees(const struct paper_comparison *comparison, size_t row, size_t test);
/* Nonzero unless every column is a set-up value. */
int comparison_is_measured(const struct paper_comparison *comparison);
/* Whether any record fed the row. */
int comparison_row_has_records(const struct paper_comparison *comparison, size_t row);

/* The figure that stands against the printed one: the mean, or the minimum for a column of minima. */
double comparison_measured(const struct paper_comparison *comparison, size_t row, size_t column);

/* "=", "≈" or "≠"; "" where nothing was compared. */
const char *verdict_sign(const struct comparison_cell *cell);
/* Fills a zeroed table for people: for each column of the paper's the printed figure and, unless it is a set-up value,
 * ours with the sign of its verdict; then the tests without a mark. */
struct text_table;
void comparison_table(const struct paper_comparison *comparison, struct text_table *table);
/* Writes FOLDER/NAME.json, .md, .tex and .csv; the folder exists. */
enum status comparison_write(const struct paper_comparison *comparison, const char *folder, struct error *error);

#endif
