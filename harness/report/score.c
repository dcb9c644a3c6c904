/* The same counts as `hullbench conform` prints, paper by paper. */
#include "harness/report/score.h"

#include <math.h>

void score_add(const struct conformance *conformance, const struct conform_paper *paper, struct score *score)
{
    for (size_t k = 0; k < paper->paper->n_tables; k++) {
        const struct conform_table *table = conform_table_of(conformance, &paper->paper->tables[k]);
        if (!table)
            continue;
        for (int v = 0; v < VERDICT_COUNT; v++)
            score->cells[v] += table->counts[v];
        marks_add(&table->comparison->marks, &score->marks);
    }
    for (size_t c = 0; c < paper->claims.count; c++)
        score->claims[paper->claims.items[c].measured.verdict]++;
}

double score_percent(const struct score *score)
{
    const size_t *cells = score->cells;
    const size_t compared = cells[VERDICT_MATCH] + cells[VERDICT_NEAR] + cells[VERDICT_DIFFERS];
    return compared ? 100.0 * (double)cells[VERDICT_MATCH] / (double)compared : (double)NAN;
}
