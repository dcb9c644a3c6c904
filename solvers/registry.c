/* The registered solvers: one line each. */
#include <string.h>

#include "solvers/solver.h"

#define SOLVERS(X) \
    X(gsk)                   \
    X(mdm)                   \
    X(minkowski_gsk)         \
    X(minkowski_mdm)         \
    X(mu_gsk)                \
    X(minkowski_mu_gsk)      \
    X(mu_mdm)                \
    X(clip_gsk)              \
    X(clip_mdm)              \
    X(minkowski_clip_mdm)    \
    X(ch_mdm)                \
    X(unary_mdm)             \
    X(accelerated_mdm)       \
    X(gilbert)               \
    X(minover)               \
    X(max_minover)           \
    X(soft_max_minover)      \
    X(one_smo)               \
    X(two_smo)               \
    X(svm_light)             \
    X(platt_smo)             \
    X(keerthi_one)           \
    X(second_order_clip_mdm) \
    X(second_order_ch_mdm)   \
    X(cycle_clip_mdm)        \
    X(second_order_smo)      \
    X(second_order_two_smo)  \
    X(cycle_one_smo)         \
    X(cycle_two_smo)         \
    X(conjugate_smo)         \
    X(conjugate_two_smo)     \
    X(munk)                  \
    X(munk_soft)             \
    X(munk_in_turn)          \
    X(munk_subset)           \
    X(munk_subset_soft)      \
    X(m3)                    \
    X(m3_soft)               \
    X(m3_bias)               \
    X(kernel_adatron)        \
    X(kernel_adatron_soft)

#define DECLARE(name) extern const struct solver solver_##name;
SOLVERS(DECLARE)

#define ADDRESS(name) &solver_##name,
static const struct solver *const registry[] = {SOLVERS(ADDRESS) NULL};

static const char *const formulation_names[] = {
    [FORMULATION_NEAREST_POINTS] = "nearest points of hulls",
    [FORMULATION_C_SVM] = "C-SVM dual",
    [FORMULATION_SQUARE_SVM] = "2-SVM dual",
    [FORMULATION_MINIMUM_NORM] = "minimum norm",
    [FORMULATION_NO_BIAS_HARD_MARGIN] = "hard-margin no-bias dual",
    [FORMULATION_NO_BIAS_SVM] = "SVM dual without bias",
};
_Static_assert(sizeof formulation_names / sizeof *formulation_names == FORMULATION_COUNT, "one name each");

const char *formulation_name(enum formulation formulation)
{
    return formulation_names[formulation];
}

double solver_ridge(const struct solver *solver, const struct problem *problem)
{
    return solver->square_penalty ? 1 / problem->parameters.value[PARAMETER_C] : 0;
}

const struct solver *const *solvers_all(void)
{
    return registry;
}

const struct solver *solver_find(const char *name)
{
    const struct solver *const *at = registry;
    while (*at && strcmp((*at)->name, name) != 0)
        at++;
    return *at;
}
