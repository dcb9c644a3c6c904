/* What a paper comes to: cells, marks and claims counted by verdict. */
#ifndef HULLBENCH_SCORE_H
#define HULLBENCH_SCORE_H

#include "harness/papers/conform.h"

struct score {
    size_t cells[VERDICT_COUNT], claims[CLAIM_VERDICT_COUNT];
    struct marks_count marks;
};

/* Adds the tables and claims of one paper to *score, which is zero-initialised. */
void score_add(const struct conformance *conformance, const struct conform_paper *paper, struct score *score);
/* Cells that match of those compared, in per cent; NaN where none was. */
double score_percent(const struct score *score);

#endif
