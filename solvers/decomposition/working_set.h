/*
 * Selection of a working set by Zoutendijk's direction (Lopez 2008, eq. 3.1.6 and Lemma 2; Joachims 1999, Section
 * 11.3).
 */
#ifndef HULLBENCH_WORKING_SET_H
#define HULLBENCH_WORKING_SET_H

#include "solvers/decomposition/box.h"

extern const struct parameter parameter_new_variables; /* of svm-light */

struct working_set {
    size_t max_members, enter; /* q, and the number of variables that may enter per iteration; both even */
    size_t stay;        /* number of iterations a variable stays: q / enter */
    size_t count;
    size_t *members;    /* ascending; max_members elements, or n if that is less */
    size_t *age;        /* n: iterations since the variable entered, the first counting as 1; 0 if not in the set */
    size_t *order;      /* n, scratch */
    double *value;      /* n, scratch */
};

/* Places the arrays (or measures them) and reads q and new_variables from the problem's parameters. */
void working_set_layout(struct working_set *set, struct arena *arena, const struct problem *problem);
/* Chooses the next working set among the `count` patterns in `active` (ascending); `worst` is their most violating
 * pair. */
void working_set_choose(struct working_set *set, const struct box *box, const size_t *active, size_t count,
                        const struct box_pair *worst);

#endif
