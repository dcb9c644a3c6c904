/* Statements in a paper's text, judged by the records and, where its printed tables can decide, by the paper itself. */
#ifndef HULLBENCH_CLAIMS_H
#define HULLBENCH_CLAIMS_H

#include "harness/records/run_folder.h"
#include "harness/papers/paper.h"

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
    const char *fitted; /* why the verdict is not independent of the paper's figures; NULL if it is */
    struct claim_finding measured, printed; /* by the records; by the tables of the paper */
    const struct explanation *explanation;  /* of a deviation, or NULL; set by harness/papers/conform.h */
};

struct claims {
    struct claim *items;
    size_t count;
};

/* Checks the members of all claims; the errors of claims_judge. */
void claims_check(struct pool *pool, const struct paper *paper);
/* Judges every claim of the paper, which must outlive the claims. `runs`, which may be NULL, are the folders of the
 * records: run.json in them gives the sizes of training and test sets. Ends with STATUS_BAD_INPUT and a message that
 * names file, claim and member if a claim has an unknown kind or member, or lacks a required member. */
struct claims claims_judge(struct pool *pool, const struct paper *paper, const struct records *records,
                           const struct run_folders *runs);

/* The verdict on a claim that needs `quantifier` ("all", "majority" or "some") of its data sets, from the number of
 * data sets with each answer. */
enum claim_verdict claim_verdict_of(const char *quantifier, const size_t counts[CLAIM_ANSWERS]);

#endif
