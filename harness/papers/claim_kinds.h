/* Inside harness/papers/claims.c and its kinds: the evidence for one data set of a claim, and the functions that decide it. */
#ifndef HULLBENCH_CLAIM_KINDS_H
#define HULLBENCH_CLAIM_KINDS_H

#include "harness/papers/claims.h"

/* Where the figures come from: the records, or the paper's tables where `printed`. */
struct evidence {
    const struct paper *paper;
    const struct records *records;
    int printed;
};

/* A claim being judged, for messages. */
struct context {
    const struct evidence *evidence;
    const struct cJSON *claim;
    const char *id;
};

/* Decides the data set one->dataset: fills decided, holds and detail. */
typedef enum status judge_function(const struct context *context, struct claim_case *one, struct error *error);
/* The function of a kind (docs/verdicts.md), or NULL. The first two hold the kinds about means and about samples. */
judge_function *claim_kind_of_means(const char *name);
judge_function *claim_kind_of_samples(const char *name);

/* A number the claim must have; STATUS_BAD_INPUT names file, claim and key. */
enum status need_number(const struct context *context, const char *key, double *value, struct error *error);
/* A number it may have; *value is left alone where it has none. */
enum status may_have_number(const struct context *context, const char *key, double *value, struct error *error);
/* The claim's member `key` names a solver, or is an object with solver, params, kernel and stop; `field` as given or,
 * where NULL, the claim's own. */
enum status need_selection(const struct context *context, const char *key, const char *field,
                           struct record_filter *selection, struct error *error);
/* The mean of the member's records, or the printed one; NaN where there are no figures. */
enum status mean_of(const struct context *context, const char *key, const char *dataset, double *mean,
                    struct error *error);
/* The mark a printed table has for the signed-rank test between the two selections: -1 where the first is marked (and
 * so significantly lower), 1 where the second is, 0 where neither. *decided is 0 where no table has such a test. */
void printed_mark(const struct paper *paper, const struct record_filter *first, const struct record_filter *second,
                  const char *dataset, int *mark, int *decided);

#endif
