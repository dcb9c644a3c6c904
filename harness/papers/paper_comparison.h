/* A printed table beside what the records give: cells, verdicts and tests, and the files made of them. */
#ifndef HULLBENCH_PUBLISHED_H
#define HULLBENCH_PUBLISHED_H

#include "harness/stats/summary.h"
#include "harness/papers/marks.h"

struct published_cell {
    int compared;        /* zero: nothing printed, or a set-up value; the rest is then empty */
    struct summary ours; /* in the printed unit */
    int made_here;       /* nonzero: rests on a data set made here, which is not the paper's */
    size_t without;      /* records that should have fed the cell and have no number there */
    double at_most, at_least; /* printed for one split only: the shares of ours that are no higher and no lower, to the printed digit;
                                 else NaN */
    struct comparison comparison;
};

struct published_row {
    struct published_cell *cells; /* one per column */
    struct test_finding *tests;   /* one per test of the table */
    uint64_t *marked;             /* one per test: our marks, as in paper_row */
    const char *reason, *command; /* why there are no records and what gets the data; NULL where unknown */
};

/* Marks that could stand: one for each row and marked test. */
struct marks_count {
    size_t agree, compared, untested; /* untested: without records, or with too few to be decided */
};

struct published {
    const struct paper_table *table; /* not owned */
    struct published_row *rows;      /* one per row of the table */
    char *splits;                    /* the line about official and other splits */
    struct marks_count marks;
};

/* Compares the table with the records. `missing` is run.json's array of {"dataset", "reason", "command"}, or NULL; the
 * table and `missing` must outlive *published, which is freed with published_free. */
enum status published_fill(const struct paper_table *table, const struct records *records, const struct cJSON *missing,
                           struct published **published, struct error *error);
/* Accepts NULL. */
void published_free(struct published *published);

/* Nonzero where the test has a mark and records decided it: there were any, and for pairs enough that p could be below
 * the level at all (five at 10 %). */
int published_mark_compared(const struct published *published, size_t row, size_t test);
/* Whether ours and the printed mark stand on the same side, or both nowhere. */
int published_mark_agrees(const struct published *published, size_t row, size_t test);
/* Nonzero unless every column is a set-up value. */
int published_is_measured(const struct published *published);
/* Whether any record fed the row. */
int published_row_has_records(const struct published *published, size_t row);

/* The figure that stands against the printed one: the mean, or the minimum for a column of minima. */
double published_ours(const struct published *published, size_t row, size_t column);

/* The texts of a table for people, shared by all its forms. Of ours: "12.3 ± 0.4¹", and what stands behind the sign of the
 * verdict, " (3–50)" or "". The sign is "=", "≈", "≠", or "" where nothing was compared. */
enum { PUBLISHED_TEXT = 200 };
void published_printed_text(const struct paper_table *table, size_t row, size_t column, char text[PUBLISHED_TEXT]);
void published_ours_text(const struct published *published, size_t row, size_t column, char figure[PUBLISHED_TEXT],
                         char behind[PUBLISHED_TEXT]);
const char *published_sign(const struct published_cell *cell);
/* The p-value of a test without a mark, "0.03 *" say, or "–". */
void published_test_text(const struct test_finding *test, char text[PUBLISHED_TEXT]);
/* Adds the notes that stand under the table. */
struct grid;
void published_notes(struct grid *grid, const struct published *published);

/* The table in Markdown alone. */
enum status published_write_markdown(const struct published *published, const char *path, struct error *error);
/* Writes FOLDER/NAME.json, .md, .tex and .csv; the folder exists. */
enum status published_write(const struct published *published, const char *folder, struct error *error);

#endif
