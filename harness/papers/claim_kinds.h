/* Inside claims.c and claim_kinds.c: deciding one data set of a claim. */
#ifndef HULLBENCH_CLAIM_KINDS_H
#define HULLBENCH_CLAIM_KINDS_H

#include "harness/papers/claims.h"

/* A claim being judged: by the records or, where `printed`, by the tables of the paper. */
struct context {
    const struct paper *paper;
    const struct records *records;
    int printed;
    const struct cJSON *claim;
    const struct json_path *place; /* of the claim */
    int kind;                      /* as claim_kind_read gives it */
};

/* The claim's "kind", one of docs/verdicts.md. */
enum status claim_kind_read(const struct cJSON *claim, const struct json_path *place, int *kind, struct error *error);

/* Decides the data set one->dataset: fills decided, holds and detail. */
enum status claim_kind_judge(const struct context *context, struct claim_case *one, struct error *error);

#endif
