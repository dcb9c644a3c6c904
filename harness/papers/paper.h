/*
 * A paper as data: its printed tables, which records feed each column, and the claims of its text, from
 * results/paper/NAME.json.
 */
#ifndef HULLBENCH_PAPER_H
#define HULLBENCH_PAPER_H

#include <stdint.h>

#include "harness/papers/verdict.h"
#include "harness/records/record_filter.h"
#include "harness/support/json_field.h"

struct cJSON;

/* Mean and sd over splits; their minimum; a set-up value that is printed and compared with nothing; a mean printed
 * without sd; by how many per cent one mean is below another, also without sd; or mean and its standard error. */
enum statistic {
    STATISTIC_MEAN_SD,
    STATISTIC_MINIMUM,
    STATISTIC_VALUE,
    STATISTIC_MEAN,
    STATISTIC_REDUCTION,
    STATISTIC_MEAN_SE
};

struct paper_column {
    const char *key, *title;
    double unit; /* printed = measured / unit; -1 where the paper prints the negative */
    enum statistic statistic;
    struct record_filter from; /* unused for STATISTIC_VALUE */
    struct record_filter right; /* STATISTIC_REDUCTION: the records reduced from */
    const char *same_as;        /* the key of the column whose numbers these are, printed once more; else NULL */
};

enum { TABLE_COLUMNS_MAX = 64, TEST_SIDE_MAX = 4 };

/* printed.n = 0, mean and sd NaN: the paper leaves the cell empty. */
struct paper_row {
    const char *dataset;
    struct printed *cells; /* one per column */
    uint64_t *marked;      /* one per test: bit j where the cell of column j carries the test's mark */
    const char **fitted;   /* one per column: the convention that was chosen by such cells, so that their agreement is
                              not independent; NULL: none */
};

/* TEST_SIGNED_RANK pairs the two samples by split. */
enum test_kind { TEST_RANK_SUM, TEST_SIGNED_RANK };

struct test_side {
    size_t columns[TEST_SIDE_MAX];
    size_t n;
};

/* Two-sided test, in each row, between two columns or, where a side has several, between the best column of each side.
 * A mark is the superscript by which the paper shows a significant difference (harness/papers/marks.h). */
struct paper_test {
    enum test_kind kind;
    const char *key; /* names the test in ids; NULL where it has no mark */
    int mark;        /* 1 to 9; 0: none */
    double level;
    struct test_side sides[2];
};

struct paper_table {
    const char *name, *caption, *source;
    struct paper_column *columns;
    size_t n_columns;
    struct paper_row *rows;
    size_t n_rows;
    struct paper_test *tests;
    size_t n_tests;
    int min_splits; /* that its figures must be printed for */
};

struct paper {
    char *path;
    struct cJSON *json;
    const char *name;
    const struct cJSON *datasets; /* array of names: what "all data sets" means in a claim */
    const struct cJSON *claims;   /* array, or NULL */
    struct paper_table *tables;
    size_t n_tables;
};

/* Reads one paper. *paper is freed with paper_free. STATUS_BAD_INPUT names file, table and field. */
enum status paper_read(const char *path, struct paper **paper, struct error *error);
/* The same of a paper that is read already; takes `json` over. `path` is for messages. */
enum status paper_of_json(const char *path, struct cJSON *json, struct paper **paper, struct error *error);
/* Finds results/paper/NAME.json, NAME being the part of `table` before its first dot, and reads it. */
enum status paper_find(const char *table, struct paper **paper, struct error *error);
/* Accepts NULL. */
void paper_free(struct paper *paper);

/* "rank-sum", "signed-rank", NULL. */
extern const char *const test_kind_names[];

/* Nonzero for "PAPER.claims", which means a paper's claims without its tables. */
int paper_names_claims(const char *name);
/* The table of this name, or NULL. */
const struct paper_table *paper_table_named(const struct paper *paper, const char *name);

/* Nonzero where the column's cells are means of its records' field. */
int paper_column_is_mean(const struct paper_column *column);
/* Nonzero where the column's cells have a standard deviation, printed as such or as a standard error. */
int paper_column_has_sd(const struct paper_column *column);

/* Reads the conditions of a column or claim: "solver", and where given "params", "kernel" and "stop". */
enum status paper_read_filter(const struct cJSON *json, const struct json_path *place, struct record_filter *filter,
                              struct error *error);

/* Reads why our results differ from the paper's, from NAME.deviations.json beside its NAME.json (docs/verdicts.md).
 * *deviations, freed with cJSON_Delete, is NULL where there is no such file. STATUS_BAD_INPUT names the file, the
 * place, the value and what is allowed; ids of no cell, mark or claim of the paper are refused. */
enum status deviations_read(const struct paper *paper, struct cJSON **deviations, struct error *error);

#endif
