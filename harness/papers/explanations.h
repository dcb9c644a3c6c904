/*
 * Explanations of deviations, checked by experiment: records of other run folders replace the usual ones of a cell,
 * mark or claim and are judged by the same routines (docs/verdicts.md, "Deviations").
 */
#ifndef HULLBENCH_EXPLANATIONS_H
#define HULLBENCH_EXPLANATIONS_H

#include "harness/papers/claims.h"
#include "harness/records/run_folder.h"

enum explanation_state {
    EXPLANATION_NONE,      /* listed without an experiment: not explained */
    EXPLANATION_UNCHECKED, /* the folders given hold no record of the experiment, or a part of it only */
    EXPLANATION_SHOWN,     /* the experiment agrees with the paper and gives what the entry says */
    EXPLANATION_NOT_SHOWN, /* it does not, so the entry does not explain this id */
    EXPLANATION_STATES
};
/* "unexplained", "not checked", "explained", "not shown". */
extern const char *const explanation_state_names[];

/* One cell, mark or claim that an entry lists. */
struct explanation {
    const char *id, *entry; /* of the cell, mark or claim; of the entry. They point into the deviations. */
    enum explanation_state state;
    char detail[512]; /* what the experiment gave, "" where there is none */
};

struct explanations {
    struct explanation *items;
    size_t count;
    size_t counts[EXPLANATION_STATES];
};

/* Checks every entry of `deviations` (deviations_read; NULL has none), which must outlive *explanations. `claims` are
 * the paper's, judged: an entry of kind "contradiction" without an experiment is shown by claims that fail by the
 * paper's own tables. Reads the records of folders. Freed with explanations_free. STATUS_BAD_INPUT also where a claim
 * under "shows" is damaged. */
enum status explanations_check(const struct run_folders *runs, const struct paper *paper,
                               const struct cJSON *deviations, const struct claims *claims,
                               struct explanations *explanations, struct error *error);
/* The item of that id, or NULL. */
const struct explanation *explanations_find(const struct explanations *explanations, const char *id);
/* Whether an entry lists the deviation and no experiment contradicts that entry. Accepts NULL: no. */
int explanation_stands(const struct explanation *explanation);
/* Accepts NULL and zeroed explanations. */
void explanations_free(struct explanations *explanations);

#endif
