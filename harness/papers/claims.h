/*
 * What a paper says in words, judged by the records and, where its printed tables can decide, by the paper itself.
 */
#ifndef HULLBENCH_CLAIMS_H
#define HULLBENCH_CLAIMS_H

#include "harness/records/record.h"
#include "harness/papers/paper.h"

/* CLAIM_MISSING: no records (or, for the paper's own tables: they do not decide). */
enum claim_verdict { CLAIM_HOLDS, CLAIM_IN_PART, CLAIM_FAILS, CLAIM_MISSING, CLAIM_VERDICT_COUNT };
/* "holds", "in part", "fails", "missing". */
extern const char *const claim_verdict_names[];

/* One data set of one claim. */
struct claim_case {
    const char *dataset;
    int decided;  /* zero: figures are missing */
    int holds;    /* meaningful where decided */
    int excepted; /* the claim itself leaves this data set out; reported, not counted */
    char detail[200];
};

/* The verdict from one kind of evidence, with its data sets. */
struct claim_finding {
    enum claim_verdict verdict;
    struct claim_case *cases; /* n_cases, owned */
    size_t n_cases;
    size_t yes, no, missing; /* of those not excepted */
};

struct explanation;

struct claim {
    const char *id, *text, *where, *kind; /* point into the paper */
    struct claim_finding measured, printed; /* by the records; by the tables of the paper */
    const struct explanation *explanation;  /* of a deviation, or NULL; by harness/papers/conform.h */
};

struct claims {
    struct claim *items;
    size_t count;
};

/* Judges every claim of the paper, which must outlive *claims; freed with claims_free. A claim of unknown kind or with
 * a missing parameter is STATUS_BAD_INPUT naming file, claim and parameter. */
enum status claims_judge(const struct paper *paper, const struct records *records, struct claims *claims,
                         struct error *error);
/* Accepts NULL and zeroed claims. */
void claims_free(struct claims *claims);

/* The verdict of a claim that needs `quantifier` ("all", "majority" or "some") of its data sets, yes of which bear it
 * out, no of which speak against it and missing of which have no figures. A claim about all is never better than "in
 * part" while figures are missing. */
enum claim_verdict claim_verdict_of(const char *quantifier, size_t yes, size_t no, size_t missing);

#endif
