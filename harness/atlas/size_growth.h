/* Growth of costs with one number of generated data sets that agree in all others. */
#ifndef HULLBENCH_SIZE_GROWTH_H
#define HULLBENCH_SIZE_GROWTH_H

#include "harness/atlas/atlas.h"
#include "harness/stats/curves.h"

/* The numbers of "generate", and n_train. */
enum { GROWTH_MEMBERS = 7 };
extern const char *const growth_members[GROWTH_MEMBERS];

/* Three or more data sets that differ in only one of them. */
struct size_sweep {
    size_t member;
    size_t *datasets; /* in ascending order of the member */
    double *values;
    size_t n;
};

/* The cost at one value of the member, over the splits of its data set; censored runs count what they had spent. */
struct growth_point {
    size_t n, reached;
    struct interval cost; /* geometric mean, with Student's interval: splits of generated sets are independent */
};

/* For one series, cost and target in one cell of C and width factor. */
struct growth_curve {
    const struct atlas_family *family;
    size_t sweep, c_level, factor_level, target, series;
    enum atlas_cost cost;
    size_t censored;             /* runs */
    struct power_law law;        /* of the cost in the member; n = 0 if the member has values of 0 */
    struct growth_point *points; /* one per value of the sweep */
};

struct size_growth {
    struct size_sweep *sweeps;
    size_t n_sweeps;
    struct growth_curves {
        struct growth_curve *item;
        size_t count, capacity;
    } curves;
};

/* Fills *growth, which is empty if no data set was generated. STATUS_BAD_INPUT: config.json of a folder is invalid. */
void size_growth_of(const struct atlas *atlas, struct size_growth *growth);

/* "at least", "at most", "?" or "". */
const char *growth_bound_text(enum power_law_bound bound);

#endif
