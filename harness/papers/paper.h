/*
 * A paper as data: its printed tables, which records feed each column, and the claims of its text, from
 * papers/NAME.json.
 */
#ifndef HULLBENCH_PAPER_H
#define HULLBENCH_PAPER_H

#include <stdint.h>

#include "harness/papers/verdict.h"
#include "harness/records/record_filter.h"
#include "harness/support/json_field.h"

struct cJSON;

/* Mean and sd over splits; their minimum; a set-up value, printed but compared with nothing; a mean printed without sd;
 * the percentage by which one mean is below another, also without sd; or a mean and its standard error. */
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
    double unit; /* printed = measured / unit; -1 if the paper prints the negative */
    enum statistic statistic;
    struct record_filter from; /* unused for STATISTIC_VALUE */
    struct record_filter right; /* STATISTIC_REDUCTION: the records reduced from */
    const char *same_as;        /* the key of the column whose numbers this one repeats, or NULL */
};

enum { TABLE_COLUMNS_MAX = 64, TEST_SIDE_MAX = 4 };

/* printed.n = 0, mean and sd NaN: the cell is empty in the paper. */
struct paper_row {
    const char *dataset;
    struct printed *cells; /* one per column */
    uint64_t *marked;      /* one per test: bit j if the cell of column j carries the test's mark */
    const char **fitted;   /* one per column: the convention chosen to fit such cells, so that their agreement is not
                              independent; NULL: none */
};

/* TEST_SIGNED_RANK pairs the two samples by split. */
enum test_kind { TEST_RANK_SUM, TEST_SIGNED_RANK };

struct test_side {
    size_t columns[TEST_SIDE_MAX];
    size_t n;
};

/* A two-sided test in each row, between two columns or, if a side has several, between the best column of each side. A
 * mark is the superscript by which the paper shows a significant difference (harness/papers/marks.h). */
struct paper_test {
    enum test_kind kind;
    const char *key; /* names the test in ids; NULL if it has no mark */
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
    int min_splits; /* the smallest number of splits a row may give */
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

/* Reads one paper; free *paper with paper_free. STATUS_BAD_INPUT names file, table and field. */
enum status paper_read(const char *path, struct paper **paper, struct error *error);
/* The same for a paper that is already parsed; takes ownership of `json`. `path` is for messages. */
enum status paper_of_json(const char *path, struct cJSON *json, struct paper **paper, struct error *error);
/* Reads papers/NAME.json, where NAME is the part of `table` before its first dot, and checks its claims and
 * names. All verbs read papers by this function; those that read a paper of a plugin's solver need the plugin. */
enum status paper_find(const char *table, struct paper **paper, struct error *error);
/* Checks the names of solvers, parameters, kernels, stopping rules, fields and data sets. The manifest or the paper's
 * "datasets" knows a data set. STATUS_BAD_INPUT names file, path, value and allowed names. */
enum status paper_check_names(const struct paper *paper, struct error *error);
/* The same for its deviations, which may be NULL, and that each section is a heading of docs/deviations.md. */
enum status deviations_check_names(const struct paper *paper, const struct cJSON *deviations, struct error *error);
/* Accepts NULL. */
void paper_free(struct paper *paper);

/* "rank-sum", "signed-rank", NULL. */
extern const char *const test_kind_names[];

/* Nonzero for "PAPER.claims", which selects a paper's claims without its tables. */
int paper_names_claims(const char *name);
/* The table of this name, or NULL. */
const struct paper_table *paper_table_named(const struct paper *paper, const char *name);

/* Nonzero if the column's cells are means of its records' field. */
int paper_column_is_mean(const struct paper_column *column);
/* Nonzero if the column's cells have a standard deviation, printed as such or as a standard error. */
int paper_column_has_sd(const struct paper_column *column);

/* Reads the conditions of a column or claim: "solver", and optionally "params", "kernel" and "stop". */
enum status paper_read_filter(const struct cJSON *json, const struct json_path *place, struct record_filter *filter,
                              struct error *error);

/* Reads the reasons why our results differ from the paper's, from NAME.deviations.json next to its NAME.json
 * (docs/verdicts.md). *deviations, freed with cJSON_Delete, is NULL if that file does not exist. STATUS_BAD_INPUT names
 * the file, the path, the value and the allowed values; an id must be that of a cell, mark or claim of the paper. */
enum status deviations_read(const struct paper *paper, struct cJSON **deviations, struct error *error);

#endif
