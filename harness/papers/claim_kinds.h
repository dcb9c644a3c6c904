/* Inside claims.c and its kinds: the evidence for one data set of a claim, and the functions that decide it. */
#ifndef HULLBENCH_CLAIM_KINDS_H
#define HULLBENCH_CLAIM_KINDS_H

#include "harness/papers/claims.h"
#include "harness/records/sample.h"

/* A claim being judged: by the records or, where `printed`, by the tables of the paper. */
struct context {
    const struct paper *paper;
    const struct records *records;
    int printed;
    const struct cJSON *claim;
    const char *id;
};

/* Decides the data set one->dataset by one kind of claim (docs/verdicts.md): fills decided, holds and detail.
 * STATUS_BAD_INPUT: no kind is called so. */
enum status claim_kind_judge(const char *kind, const struct context *context, struct claim_case *one,
                             struct error *error);

/* A number of the claim; *value is left alone where it has none and `required` is zero. STATUS_BAD_INPUT names file,
 * claim and key. */
enum status claim_number(const struct context *context, const char *key, int required, double *value,
                         struct error *error);
/* The claim's member `key` names a solver, or is an object with solver, params, kernel and stop; `field` as given or,
 * where NULL, the claim's own. */
enum status claim_filter(const struct context *context, const char *key, const char *field,
                         struct record_filter *filter, struct error *error);
/* The mean of the member's records, or the printed one; NaN where there are no figures. */
enum status claim_mean(const struct context *context, const char *key, const char *dataset, double *mean,
                       struct error *error);
/* The mark a printed table has for the signed-rank test between the two selections: -1 where the first is marked (and
 * so significantly lower), 1 where the second is, 0 where neither. *decided is 0 where no table has such a test. */
void printed_mark(const struct paper *paper, const struct record_filter *first, const struct record_filter *second,
                  const char *dataset, int *mark, int *decided);

#endif
