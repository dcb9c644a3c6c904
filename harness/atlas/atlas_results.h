/* All analyses of an atlas, computed once for its files. */
#ifndef HULLBENCH_ATLAS_RESULTS_H
#define HULLBENCH_ATLAS_RESULTS_H

#include "harness/atlas/atlas.h"
#include "harness/atlas/budget_shares.h"
#include "harness/atlas/kernel_waste.h"
#include "harness/atlas/local_rates.h"
#include "harness/atlas/measure_agreement.h"
#include "harness/atlas/near_best.h"
#include "harness/atlas/rank_stability.h"
#include "harness/atlas/regimes.h"
#include "harness/atlas/series_ratios.h"
#include "harness/atlas/size_growth.h"

struct atlas_results {
    struct budget_shares *shares; /* by family, then cost, then all targets together and each target */
    size_t n_shares;
    struct regime_map *maps; /* by family, then cost, then target, then over data sets and for each data set */
    size_t n_maps;
    struct rank_stability *stability; /* by family, then cost */
    size_t n_stability;
    struct near_best *near; /* by family, then cost */
    size_t n_near;
    struct measure_agreement *agreement; /* by family, every two costs */
    size_t n_agreement;
    struct kernel_waste_table *waste; /* by family */
    size_t n_waste;
    struct series_ratios *ratios; /* by family */
    size_t n_ratios;
    struct local_rates *rates; /* by family, then all data sets together and each data set */
    size_t n_rates;
    struct size_growth growth;
};

struct atlas_results *atlas_results_of(struct atlas *atlas);

/* The targets that figures and short tables show: 1e-3 and 1e-6 if the family has them, else its last, or the middle
 * one. Returns their number, 1 or 2; the loosest comes first. */
size_t atlas_shown_targets(const struct atlas_family *family, size_t shown[2]);

#endif
