/* A printed table beside what the records give: cells, verdicts and tests, and the files made of them. */
#ifndef HULLBENCH_PUBLISHED_H
#define HULLBENCH_PUBLISHED_H

#include "harness/stats/ranks.h"
#include "harness/tables/sample.h"

struct published_cell {
    int compared;        /* zero: nothing printed, or a set-up value; the rest is then empty */
    struct summary ours; /* in the printed unit */
    int made_here;       /* nonzero: rests on a data set made here, which is not the paper's */
    size_t without;      /* records that should have fed the cell and have no number there */
    struct comparison comparison;
};

struct published_test {
    struct rank_test result;
    size_t n_first, n_second; /* either 0: nothing was tested */
    int significant;
};

struct published_row {
    struct published_cell *cells; /* one per column */
    struct published_test *tests; /* one per test of the table */
    const char *reason, *command; /* why there are no records and what gets the data; NULL where unknown */
};

struct published {
    const struct paper_table *table; /* not owned */
    struct published_row *rows;      /* one per row of the table */
    char *splits;                    /* the line about official and other splits */
};

/* Compares the table with the records. `missing` is run.json's array of {"dataset", "reason", "command"}, or NULL; the
 * table and `missing` must outlive *published, which is freed with published_free. */
enum status published_fill(const struct paper_table *table, const struct records *records, const struct cJSON *missing,
                           struct published **published, struct error *error);
/* Accepts NULL. */
void published_free(struct published *published);

/* The figure that stands against the printed one: the mean, or the minimum for a column of minima. */
double published_ours(const struct published *published, size_t row, size_t column);

/* Writes FOLDER/NAME.json, .md, .tex and .csv; the folder exists. */
enum status published_write(const struct published *published, const char *folder, struct error *error);

#endif
