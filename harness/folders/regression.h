/*
 * Compares a run with a file of reference counts, the baseline (docs/regression.md): the compared numbers and how far
 * each may differ, the file, the comparison, and its reports.
 */
#ifndef HULLBENCH_REGRESSION_H
#define HULLBENCH_REGRESSION_H

#include "harness/format/result.h"
#include "harness/records/measures.h"
#include "harness/records/run_folder.h"

/* ---- quantities and tolerances ---- */

/* A quantity is a number of records whose row has a tolerance (record_members); the others are not compared. Counts are
 * the whole numbers; the rest is accuracy, which is compared only if `accuracy`: baselines of schema 1 lack it. */
int quantity_is_compared(enum record_field quantity, int accuracy);
int quantity_is_count(enum record_field quantity);
/* NAN if the record has null, or if the quantity does not apply (quantity_applies). */
double quantity_of(const struct record *record, enum record_field quantity);
/* Nonzero if the quantity is meaningful for the record. The KKT violation is only if the stopping rule bounds it. Under
 * other rules it counts each multiplier above 0, so one that rounding leaves at 1e-18 may change it by any amount. */
int quantity_applies(const struct record *record, enum record_field quantity);

/* Orders records as in baselines: by solver, data set, split, params, kernel and stop. 0: the same measurement. */
int entries_compare(const struct record *a, const struct record *b);
/* Sorts the list by entries_compare. Dies with STATUS_BAD_INPUT and the record at a count that is neither null nor a
 * nonnegative integer, an accuracy value that is neither null nor a number (if `accuracy`), or a second record of the
 * same measurement. */
void entries_sort(struct records *records, int accuracy);
/* Prints "mu=0.03, rbf width=2, rch-gap tolerance=0.0001" into text; returns text. */
const char *record_settings_text(const struct record *record, char *text, size_t size);

/* The allowed change is relative |was| + of_objective |objective| + absolute, with the baseline's value and
 * objective. */
struct tolerance {
    double relative, of_objective, absolute;
};

/* The rules of the tolerances. Of those that cover a quantity of a record, restricted ones go before the others, and
 * of these the last holds. */
struct tolerances {
    struct pool *pool;
    struct tolerance_rule {
        const char *key;              /* as given */
        const char *solver, *dataset; /* patterns of fnmatch(3); NULL: any */
        unsigned char covers[RECORD_FIELDS];
        struct tolerance tolerance;
    } *item;
    size_t count, capacity;
};

/* The built-in rules, those of record_members: 0 for counts and the error, else the effect of rounding
 * (docs/regression.md). */
struct tolerances tolerances_default(struct pool *pool);
/* Adds a rule. The key is a quantity, "kernel_operations" for its three, or "all" for the counts; "SOLVER:" or
 * "SOLVER/DATASET:" before it restricts the rule, and either may be a pattern such as "mu-*". The value has terms such
 * as "5", "2%" of the value or "1e-10%objective", joined by +. Dies with STATUS_BAD_INPUT, the place and the allowed
 * values. */
void tolerance_set(struct tolerances *tolerances, const char *key, const char *value, const struct json_path *place);
/* The same for one argument, KEY=VALUE. */
void tolerance_parse(struct tolerances *tolerances, const char *word, const struct json_path *place);
/* Dies if a rule after the first `from` is restricted to solvers and data sets that no record has. */
void tolerances_check(const struct tolerances *tolerances, size_t from, const struct records *records,
                      const struct json_path *place);
/* Of the record's quantity; 0 if no rule covers it. */
struct tolerance tolerance_of(const struct tolerances *tolerances, const struct record *record,
                              enum record_field quantity);
/* Nonzero if the quantity is within the tolerance. It is not if only one side is null. Accuracy is not compared if a
 * record is `failed`: its values are meaningless. */
int tolerance_holds(const struct tolerances *tolerances, const struct record *was, const struct record *is,
                    enum record_field quantity);

/* ---- the run and the baseline, which has one line per record, sorted, and its history ---- */

struct measured_run {
    struct run_folder folder;
    char config_hash[65];   /* SHA-256 of config.json */
    struct records entries; /* of the folder, sorted by entries_compare */
    size_t n_failed;        /* of them, with the outcome `failed` */
};

/* Reads a run folder into the pool. Dies with STATUS_BAD_INPUT if it is not that of a finished run, is damaged, or
 * holds fewer records than run.json says. */
struct measured_run *measured_run_read(struct pool *pool, const char *folder);
/* Whether the run was told not to make this record: its restrictions exclude the solver, data set or split, or its
 * shard lacks the block. A record that is absent for another reason (no data, another configuration) is missing. */
int run_leaves_out(const struct measured_run *measured, const struct record *record);

/* A past change of a baseline. */
struct baseline_change {
    const char *date, *by, *version;
    size_t moved; /* number of new, missing or changed records */
    const char *message;
};

/* The file, and what follows from it. */
struct baseline {
    size_t schema;
    const char *config, *config_hash;
    const struct cJSON *data, *tolerances_given; /* data set name: SHA-256; as in the file */
    struct LIST_OF(struct baseline_change) history; /* the latest last */
    const struct cJSON *list; /* the records, until they are taken as entries */
    int has_accuracy;         /* its records have objective, gap, KKT violation and error: in all schemas except 1 */
    struct tolerances tolerances;
    size_t built_in;         /* of these */
    struct record_file file; /* the entries as records */
    struct records entries;  /* these records, sorted by entries_compare */
};
extern const struct member baseline_members[];

/* Reads a baseline into the pool; NULL if there is no file. Dies with STATUS_BAD_INPUT and the member. */
const struct baseline *baseline_read(struct pool *pool, const char *path);

/* Dies if a tolerance of the baseline is for solvers and data sets that none of the records has. */
void baseline_check_tolerances(const char *path, const struct baseline *baseline, const struct records *records);

/* Writes a baseline of the run atomically (harness/support/file.h). `old` (NULL: none) provides the earlier history
 * and the tolerances; with `keep`, its records that the run leaves out (run_leaves_out) stay. An accuracy value within
 * the built-in tolerance of the old one keeps the old value, so that small changes do not accumulate unnoticed.
 * `change` needs no date and version; `by` and `message` are not empty. Dies with STATUS_BAD_INPUT if records of schema
 * 1 would have to stay. */
void baseline_write(struct pool *pool, const char *path, const struct baseline *old,
                    const struct measured_run *measured, int keep, const struct baseline_change *change);

/* ---- the comparison ---- */

/* Ordered from worst to mildest. */
enum change_kind {
    CHANGE_DATA,    /* a data set differs from the baseline's */
    CHANGE_MISSING, /* the run lacks a record */
    CHANGE_OUTCOME, /* another outcome */
    CHANGE_VALUE,   /* a quantity differs by more than its tolerance */
    CHANGE_NEW,     /* the baseline lacks a record */
    CHANGE_KINDS
};

struct change {
    enum change_kind kind;
    const struct record *was, *is;            /* NULL if that side lacks the record */
    int is_first;               /* of the changes of a record that both sides have */
    enum record_field quantity; /* that changed */
    double size;     /* of the change: |is - was| / |was|; infinite if `was` is 0 or either is null */
    double allowed;  /* the largest allowed |is - was| */
    const char *dataset, *was_hash, *is_hash; /* the data set that differs; "" if it has no hash */
};

/* The change of one quantity over the records that both sides have. */
struct quantity_total {
    size_t moved;
    double was, is; /* sums, for counts only: sums of accuracy values are meaningless */
};

struct regression {
    struct LIST_OF(struct change) changes; /* worst first: by kind, then size, then record and quantity */
    size_t kinds[CHANGE_KINDS];
    size_t compared; /* records on both sides */
    size_t moved;    /* of these, with another outcome or a changed quantity */
    size_t passed;   /* records of the baseline that the run was told to leave out */
    struct quantity_total totals[RECORD_FIELDS];
};

/* Compares; accuracy only if the baseline has it. `subset`: the run may lack the records that it leaves out
 * (run_leaves_out). Dies with STATUS_BAD_INPUT if the run's configuration has another name. All results point into the
 * run and the baseline, or are in the pool. */
struct regression regression_compare(struct pool *pool, const struct baseline *baseline,
                                     const struct measured_run *measured, const struct tolerances *tolerances,
                                     int subset);

/* "kernel operations (setup)": the path of a quantity in words. */
const char *quantity_words(struct pool *pool, enum record_field quantity);
/* "iterations 120 to 132 (+10 %)", or the words alone if a count is not known. */
const char *count_move_text(struct pool *pool, enum record_field count, double was, double is);
/* "1.2e-07 worse, allowed 1e-09" for a changed accuracy value. */
const char *change_text(struct pool *pool, const struct change *change);
/* Prints a line for each change, `max` at most, and for each total. */
void regression_print(const struct regression *regression, size_t max, FILE *stream);

/* A row for each solver with changes: its records that moved, are missing and are new, and by how much the counts moved
 * in sum. */
struct result *regression_by_solver(struct pool *pool, const struct regression *regression);

/* ---- the result in other tools' formats; the caller checks the stream for errors ---- */

/* Sums of the counts under their record names (iterations, kernel_operations.setup, ...) over the splits and settings
 * of each solver and data set. Counts that a record lacks are omitted.
 * CI_BENCHER: Bencher Metric Format, {"SOLVER/DATASET": {COUNT: {"value": SUM}}}.
 * CI_GITHUB: github-action-benchmark, tool customSmallerIsBetter,
 * [{"name": "SOLVER/DATASET COUNT", "unit", "value", "extra"}]. */
enum ci_form { CI_BENCHER, CI_GITHUB };
void ci_report_sums(FILE *stream, const struct measured_run *measured, enum ci_form form);
/* JUnit XML: a test case for each record of the run and each missing record, which fails if the record is missing, new
 * or changed; and a failed one for each data set that differs from the baseline's. */
void ci_report_junit(FILE *stream, const struct regression *regression, const struct measured_run *measured);

#endif
