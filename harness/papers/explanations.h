/*
 * Explanations of deviations, checked by experiment: records of other run folders replace the usual ones of a cell,
 * mark or claim and are judged by the same functions (docs/verdicts.md, "Deviations").
 */
#ifndef HULLBENCH_EXPLANATIONS_H
#define HULLBENCH_EXPLANATIONS_H

#include "harness/papers/claims.h"
#include "harness/records/run_folder.h"

enum explanation_state {
    EXPLANATION_NONE,      /* listed without an experiment: not explained */
    EXPLANATION_UNCHECKED, /* the folders hold no record of the experiment, or only part of it */
    EXPLANATION_SHOWN,     /* the experiment agrees with the paper and has the result that the entry gives */
    EXPLANATION_NOT_SHOWN, /* it does not, so the entry does not explain this id */
    EXPLANATION_STATES
};
/* "unexplained", "not checked", "explained", "not shown". */
extern const char *const explanation_state_names[];

/* One cell, mark or claim that an entry lists. */
struct explanation {
    const char *id, *entry; /* ids of the cell, mark or claim and of the entry; point into the deviations */
    enum explanation_state state;
    char detail[512]; /* the experiment's result, "" if none */
};

struct explanations {
    struct explanation *items;
    size_t count;
    size_t counts[EXPLANATION_STATES];
};

/* Checks every entry of `deviations`, which must outlive the explanations. `claims` are the paper's, already judged: an
 * entry of kind "contradiction" without an experiment is explained by claims that fail by the paper's own tables. Reads
 * the folders' records. Ends with STATUS_BAD_INPUT also if a claim under "shows" is malformed. */
struct explanations explanations_check(struct pool *pool, const struct run_folders *runs, const struct paper *paper,
                                       const struct deviations *deviations, const struct claims *claims);
/* The item with that id, or NULL. */
const struct explanation *explanations_find(const struct explanations *explanations, const char *id);
/* Whether an entry lists the deviation and no experiment contradicts that entry. NULL gives 0. */
int explanation_stands(const struct explanation *explanation);

#endif
