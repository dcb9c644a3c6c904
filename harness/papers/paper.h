/*
 * A paper as data: its printed tables, which records feed each column, and the claims of its text, from
 * papers/NAME.json.
 */
#ifndef HULLBENCH_PAPER_H
#define HULLBENCH_PAPER_H

#include "harness/papers/verdict.h"
#include "harness/records/record_filter.h"
#include "harness/support/members.h"

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
    const char *same_as; /* the column whose numbers it repeats: its key, or TABLE/KEY in another paper; or NULL */
};

enum { TABLE_COLUMNS_MAX = 64, TEST_SIDE_MAX = 4 };

/* printed.n = 0, mean and sd NaN: the cell is empty in the paper. */
struct paper_row {
    const char *dataset;
    struct printed *cells; /* one per column */
    uint64_t *marked;      /* one per test: bit j if the cell of column j carries the test's mark */
    const char **tuned_to_paper; /* one per column: the convention chosen to fit such cells, so that their agreement is
                                    not independent; NULL: none */
};

/* TEST_SIGNED_RANK pairs the two samples by split. */
enum test_kind { TEST_RANK_SUM, TEST_SIGNED_RANK };

struct test_side {
    size_t columns[TEST_SIDE_MAX];
    size_t n;
};

/* A two-sided test in each row, between two columns or, if a side has several, between the best column of each side. A
 * mark is the superscript by which the paper shows a significant difference (harness/papers/reproduction.h). */
struct paper_test {
    enum test_kind kind;
    const char *key; /* names the test in ids; NULL if it has no mark */
    int mark;        /* 1 to 9; 0: none */
    double level;
    struct test_side sides[2];
    const char *mark_given;
    const struct cJSON *between;
};

/* Cells whose numbers were used to choose a convention: those of these columns and data sets, or without a list of
 * all. */
struct paper_tuned {
    const char *why;
    struct member_texts columns, datasets;
};

/* The lists are structs as MEMBER_LIST wants them. */
struct paper_table {
    const char *name, *caption, *source;
    struct {
        struct paper_column *columns;
        size_t n_columns, columns_room;
    };
    struct {
        struct paper_test *tests;
        size_t n_tests, tests_room;
    };
    struct {
        struct paper_tuned *tuned_to_paper;
        size_t n_tuned_to_paper, tuned_room;
    };
    const struct cJSON *rows_given;
    struct paper_row *rows;
    size_t n_rows;
    int min_splits; /* the smallest number of splits a row may give */
    size_t folds;   /* of the paper */
};

struct paper {
    const char *path;
    int schema;
    const char *name, *reference;
    struct member_texts datasets; /* what "all data sets" means in a claim */
    struct {
        struct paper_table *tables;
        size_t n_tables, tables_room;
    };
    const struct cJSON *splits, *claims_given;
    size_t folds; /* a split is a repetition of a cross-validation with so many folds; 1: it is one training set */
    struct paper_claim *claims; /* claims.h */
    size_t n_claims;
};

/* Papers are in the pool. Those that cannot be read end with STATUS_BAD_INPUT; the message names file, path, value and
 * the allowed values. */

/* Reads a paper without checking names. */
const struct paper *paper_read(struct pool *pool, const char *path);
/* Reads papers/NAME.json, where NAME is the part of `table` before its first dot, and checks its names. All verbs read
 * papers by this function; those that read a paper of a plugin's solver need the plugin. NULL and *error, with
 * STATUS_NOT_FOUND without such a file or with STATUS_BAD_INPUT. */
const struct paper *paper_find_or_null(struct pool *pool, const char *table, struct error *error);
/* Checks the names of solvers, parameters, kernels, stopping rules, fields and data sets. The manifest or the paper's
 * "datasets" knows a data set. */
void paper_check_names(const struct paper *paper);
/* The same for a solver and conditions on its records. */
void paper_check_filter(struct pool *pool, const struct record_filter *filter, const struct json_path *place);

/* Keys of papers; the columns' records are the members of a side. */
extern const struct member paper_members[], paper_table_members[], paper_column_members[], paper_side_members[],
    paper_filter_members[], paper_cell_members[], paper_test_members[], paper_tuned_members[], claim_members[];

/* "rank-sum", "signed-rank", NULL. */
extern const char *const test_kind_names[];

/* Nonzero for "PAPER.claims", which selects a paper's claims without its tables. */
int paper_names_claims(const char *name);
/* The table of this name, or NULL. */
const struct paper_table *paper_table_named(const struct paper *paper, const char *name);
/* The table's row for the data set, or NULL. */
const struct paper_row *paper_row_of(const struct paper_table *table, const char *dataset);

/* The keys of the columns whose bits are set, with `between` between them. */
const char *paper_column_keys(struct pool *pool, const struct paper_table *table, uint64_t columns,
                              const char *between);
/* The same, "a and b", or "none". */
const char *paper_column_names(struct pool *pool, const struct paper_table *table, uint64_t columns);
/* The columns of a test's side, as bits. */
uint64_t test_side_columns(const struct test_side *side);

/* Nonzero if the column's cells are means of its records' field. */
int paper_column_is_mean(const struct paper_column *column);
/* Nonzero if the column's cells have a standard deviation, printed as such or as a standard error. */
int paper_column_has_sd(const struct paper_column *column);

/* Reasons why our results differ from the paper's, from NAME.deviations.json next to its NAME.json
 * (docs/verdicts.md). */
enum deviation_kind {
    DEVIATION_DRAWN_SPLITS,  /* resampled splits replace official ones that are not known */
    DEVIATION_UNSTATED,      /* the paper does not say what its program did */
    DEVIATION_CONTRADICTION, /* the paper contradicts itself, or claims the impossible */
    DEVIATION_SLIGHT,        /* chance decides */
    DEVIATION_UNCONVERGED,   /* runs end far from the optimum */
    DEVIATION_UNEXPLAINED    /* the cause is unknown, or no experiment shows it */
};

struct experiment {
    const struct record_filter *replace; /* a solver and conditions on its records; NULL: none */
    const struct cJSON *found, *shows;   /* numbers by id; claims; NULL: none */
};

struct deviation {
    const char *id, *section, *evidence;
    enum deviation_kind kind;
    struct member_texts configurations, explains;
    const struct experiment *experiment; /* NULL: none */
};

struct deviations {
    int schema;
    const char *paper;
    struct LIST_OF(struct deviation) list;
};

/* Reads the paper's deviations into the pool; without a file there are none. Ends with STATUS_BAD_INPUT as paper_find
 * does; an id must be that of a cell, mark or claim of the paper, and a section a heading of docs/deviations.md. */
const struct deviations *deviations_read(struct pool *pool, const struct paper *paper);

extern const struct member deviations_members[], deviation_members[], experiment_members[];

#endif
