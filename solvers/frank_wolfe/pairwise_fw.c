/*
 * Frank-Wolfe with pairwise steps for nearest points of (mu-reduced) hulls: move weight from the away vertex A to the
 * Frank-Wolfe vertex F of a class, W_s' = W_s + lambda (F - A), lambda = min((v_A - v_F) / |F - A|^2, largest step).
 *
 * Lacoste-Julien and Jaggi (2015), Algorithm 2. On reduced hulls A is that of the smallest face, as in Garber and Meshi
 * (2016), with the step found by line search (frank_wolfe.h). Frank-Wolfe methods do not know classes. `classes`
 * selects whether an iteration moves the class with the larger gap v_A - v_F, or both by a common step, as the papers
 * would on the product of both polytopes.
 *
 * Lacoste-Julien and Jaggi note that on the simplex this is the algorithm of Mitchell, Dem'yanov and Malozemov. Here,
 * on full hulls, F - A = X_L - X_U, and pairwise-fw is mdm with `classes` one and minkowski-mdm with both. On reduced
 * hulls it is not clip-mdm: a step moves all patterns in which F and A differ by a common length.
 */
#include "solvers/frank_wolfe/frank_wolfe.h"

static size_t state_size(const struct problem *problem)
{
    return fw_state_size(sizeof(struct frank_wolfe), problem);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    return fw_start(state, sizeof(struct frank_wolfe), problem, oracle);
}

static enum status select(void *state, struct progress *progress)
{
    struct frank_wolfe *fw = state;
    fw_find_vertices(fw, progress);
    for (int c = 0; c < 2; c++)
        fw_set_direction(fw, c, FW_PAIR);
    fw_choose_classes(fw, progress);
    return STATUS_OK;
}

static const struct kernel_cost both_classes[] = {{.is_stated = 1, .at_most = 1, .rows_point = 4}, {0}};

extern const struct solver solver_pairwise_fw;
const struct solver solver_pairwise_fw = {
    .name = "pairwise-fw",
    .title = "Frank-Wolfe with pairwise steps, reduced hulls",
    .reference = "Lacoste-Julien and Jaggi 2015, Algorithm 2; on reduced hulls Garber and Meshi 2016",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu, &parameter_classes),
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .at_most = 1, .rows_point = 2},
    .further_iteration_costs = both_classes,
    .is_monotone = 1,
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = fw_update,
};
