/* All analyses of an atlas, computed once for its files. */
#ifndef HULLBENCH_ATLAS_RESULTS_H
#define HULLBENCH_ATLAS_RESULTS_H

#include "harness/atlas/atlas.h"
#include "harness/atlas/budget_shares.h"
#include "harness/atlas/regimes.h"

struct atlas_results {
    struct budget_shares *shares; /* family by family, cost by cost, all targets together and then each */
    size_t n_shares;
    struct regime_map *maps; /* family by family, cost by cost, target by target, over data sets and then of each */
    size_t n_maps;
};

/* Released with atlas_results_free, also after an error. */
enum status atlas_results_of(struct atlas *atlas, struct atlas_results *results, struct error *error);
void atlas_results_free(struct atlas_results *results);

/* The targets that figures and short tables show: 1e-3 and 1e-6 where the family has them, else its last, or the middle
 * one. Returns how many, 1 or 2, loosest first. */
size_t atlas_shown_targets(const struct atlas_family *family, size_t shown[2]);

#endif
