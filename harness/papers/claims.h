/*
 * Statements in a paper's text, judged by the records and, where its printed tables can decide, by the paper itself.
 *
 * The kinds of claims: how the values of one data set decide a claim (docs/verdicts.md, "Claims").
 *
 * Most kinds are systems of inequalities between expectations over the splits, sum_k c_k E x_k < b or <= b. Each is
 * tested both ways by the paired t test on the splits that all samples have. A data set supports the claim if every
 * inequality is shown, opposes it if the converse of one is shown, and otherwise leaves it not decided. The
 * expectations are those of the data set, from which random splits are independent draws. That two test errors are the
 * same is a claim about solvers, and so about unseen patterns: its variance allows for overlapping splits
 * (harness/compare/case_statistics.h).
 */
#ifndef HULLBENCH_CLAIMS_H
#define HULLBENCH_CLAIMS_H

#include "harness/papers/paper.h"
#include "harness/records/run_folder.h"

enum claim_verdict { CLAIM_HOLDS, CLAIM_NOT_DECIDED, CLAIM_FAILS, CLAIM_MISSING, CLAIM_VERDICT_COUNT };
/* "holds", "not decided", "fails", "missing": no figures at all. */
extern const char *const claim_verdict_names[];

/* The answer of one data set to a claim. CLAIM_OPEN: its figures show neither. */
enum claim_answer { CLAIM_NO_FIGURES, CLAIM_FOR, CLAIM_AGAINST, CLAIM_OPEN, CLAIM_ANSWERS };

/* One data set of one claim. */
struct claim_case {
    const char *dataset;
    enum claim_answer answer;
    int left_out; /* the claim does not cover this data set; reported, not counted */
    int contrary; /* the claim excepts this data set, and so says that the converse holds there; counted */
    char detail[240];
};

/* The verdict by one kind of evidence, with its data sets. */
struct claim_finding {
    enum claim_verdict verdict;
    struct claim_case *cases; /* n_cases */
    size_t n_cases;
    size_t counts[CLAIM_ANSWERS]; /* of those not left out */
};

struct explanation;

struct claim {
    const char *id, *text, *where, *kind; /* point into the paper */
    const char *tuned_to_paper; /* why the verdict is not independent of the paper's figures; NULL if it is */
    struct claim_finding measured, printed; /* by the records; by the tables of the paper */
    const struct explanation *explanation;  /* of a deviation, or NULL; set by harness/papers/conform.h */
};

struct claims {
    struct claim *items;
    size_t count;
};

/* ---- as papers give them ---- */

enum { CLAIM_SELECTIONS_MAX = 4, CLAIM_NUMBERS_MAX = 2 };

struct paper_claim {
    const char *id, *text, *where, *tuned_to_paper, *field;
    const struct claim_kind *kind;
    struct record_filter from[CLAIM_SELECTIONS_MAX];
    double numbers[CLAIM_NUMBERS_MAX];
    double decimals, half_unit; /* half a unit of the last digit, which the claim allows for; 0: exact */
    int quantifier, test, reciprocal; /* test: enum test_kind */
    int excepted;  /* what the claim asserts for the data sets under "except"; -1: there are none */
    int converged; /* the claim is about runs that converged */
    struct member_texts datasets, except;
    const struct cJSON *kind_given, *selections[CLAIM_SELECTIONS_MAX];
};

/* Reads a list of claims (NULL: none) of the file `path` into the pool. With an `entry`, their ids are ENTRY[0] ...
 * `datasets` are what "all data sets" means. Dies with STATUS_BAD_INPUT and a message that names file, claim and member
 * if a claim has an unknown kind or member, or lacks a required member. */
struct paper_claim *claims_read(struct pool *pool, const struct cJSON *list, const char *path, const char *entry,
                                const struct member_texts *datasets, size_t *count);

/* Judges every claim of the paper, which must outlive the claims. `runs`, which may be NULL, are the folders of the
 * records: run.json in them gives the sizes of training and test sets. */
struct claims claims_judge(struct pool *pool, const struct paper *paper, const struct records *records,
                           const struct run_folders *runs);

/* The verdict on a claim that needs `quantifier` ("all", "majority" or "some") of its data sets, from the number of
 * data sets with each answer. */
enum claim_verdict claim_verdict_of(const char *quantifier, const size_t counts[CLAIM_ANSWERS]);

/* ---- kinds ---- */

/* A claim, with the figures of the data set that is being decided. */
struct question {
    const struct paper *paper;
    const struct paper_claim *claim;
    int printed; /* judged by the paper's tables rather than by records */
    struct sample samples[CLAIM_SELECTIONS_MAX], shared[CLAIM_SELECTIONS_MAX]; /* empty if `printed` */
    double means[CLAIM_SELECTIONS_MAX]; /* of `shared`, or printed; NaN if there are no figures */
    size_t n_train, n_test;             /* of its splits; 0: unknown */
    int negated;                        /* the claim excepts the data set and says that the converse holds there */
    double share_for, share_against;    /* factors on the level for a finding for and against the claim */
};

/* BY_MEANS: undecided while a mean is missing; OPTIONAL: the numbers may be absent and are then 0; ENDS: needs no
 * "field"; NEGATES: the function handles negated claims itself; SAME: claims that two means are alike. */
enum { CLAIM_BY_MEANS = 1, CLAIM_OPTIONAL = 2, CLAIM_ENDS = 4, CLAIM_NEGATES = 8, CLAIM_SAME = 16 };

struct claim_kind {
    const char *name;
    void (*decide)(const struct question *question, struct claim_case *one); /* fills answer and detail */
    const char *selections[CLAIM_SELECTIONS_MAX]; /* members that select records */
    const char *numbers[CLAIM_NUMBERS_MAX];       /* members that are numbers */
    int flags;
};

enum { CLAIM_KINDS = 12 };
extern const struct claim_kind claim_kinds[CLAIM_KINDS];

/* The level of the inequalities' tests, one-sided. */
extern const double claim_level;

/* Whether the column of a printed table shows the selected records. */
int claim_column_fits(const struct paper_column *column, const struct record_filter *wanted);

#endif
