/*
 * Frank-Wolfe with swap steps for nearest points of (mu-reduced) hulls: of the direction toward F and the pair of F and
 * A (frank_wolfe.h), it takes the one whose step lowers |W| more. The step of gap g along d lowers 1/2 |W|^2 by
 * lambda g - 1/2 lambda^2 |d|^2, lambda = min(g / |d|^2, largest step).
 *
 * Nanculef, Frandi, Sartori and Allende (2014), "SWAP" with first-order choice of both patterns. If both gain the same,
 * it swaps, as in the authors' program (github.com/efrandi/FW-SVMs, SWAPFW). They have one simplex; here the class with
 * the larger gap of the pair moves, as in mdm, class -1 on a tie. The extension to reduced hulls, with A of the
 * smallest face, is our own.
 *
 * On full hulls it is the better of a step of gsk and one of mdm. The comparison needs the row of F and |A|^2; a swap
 * also requests the row of A. On full hulls these are N + 1 and 2N + 1 kernel operations.
 */
#include "solvers/frank_wolfe/frank_wolfe.h"

struct swap_fw {
    struct frank_wolfe fw;
    int class_index;
};

static size_t state_size(const struct problem *problem)
{
    return fw_state_size(sizeof(struct swap_fw), problem);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    return fw_start(state, sizeof(struct swap_fw), problem, oracle);
}

static enum status select(void *state, struct progress *progress)
{
    struct swap_fw *swap = state;
    fw_find_vertices(&swap->fw, progress);
    for (int c = 0; c < 2; c++)
        fw_set_direction(&swap->fw, c, FW_PAIR);
    fw_choose_classes(&swap->fw, progress);
    swap->class_index = class_index(progress->updated_class);
    return STATUS_OK;
}

/* The decrease of 1/2 |W|^2 by the step along a direction. */
static double gain(double gap, double length2, double max_step)
{
    double step = hull_step(gap, length2, max_step);
    return step * (gap - 0.5 * step * length2);
}

/* Whether the step toward F gains more, given F's products with the patterns. */
static int toward_is_better(struct swap_fw *swap, const double *row, struct oracle *oracle)
{
    const struct frank_wolfe *fw = &swap->fw;
    int c = swap->class_index;
    const struct fw_direction *pair = &fw->direction[c];
    const struct hull_point *toward = &fw->toward[c].point, *away = &fw->away[c].point;
    double norm2 = hull_along(toward, row), own = c ? fw->hull.norms.b : fw->hull.norms.a;
    double toward_length2 = own - 2 * hull_along(toward, fw->hull.products[c]) + norm2;
    double pair_length2 = norm2 - 2 * hull_along(away, row) + oracle_hull_point_norm2(oracle, away);
    return gain(fw->gap[c], toward_length2, 1) > gain(pair->gap, pair_length2, pair->max_step);
}

static enum status update(void *state, struct oracle *oracle)
{
    struct swap_fw *swap = state;
    struct frank_wolfe *fw = &swap->fw;
    int c = swap->class_index;
    const struct hull *hull = &fw->hull;
    double *row = fw->direction[c].row, *away_row = fw->direction[1 - c].row;
    if (!(fw->direction[c].gap > 0))
        return STATUS_STALLED;
    oracle_hull_point_row(oracle, &fw->toward[c].point, row);
    if (!fw->has_away[c] || toward_is_better(swap, row, oracle)) {
        fw_set_direction(fw, c, FW_TOWARD);
        hull->simd->axpy(hull->n_padded, -1, hull->products[c], row);
    } else {
        oracle_hull_point_row(oracle, &fw->away[c].point, away_row);
        hull->simd->axpy(hull->n_padded, -1, away_row, row);
    }
    return fw_move(fw);
}

extern const struct solver solver_swap_fw;
const struct solver solver_swap_fw = {
    .name = "swap-fw",
    .title = "Frank-Wolfe with swap steps, reduced hulls",
    .reference = "Nanculef, Frandi, Sartori and Allende 2014, SWAP",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu),
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .at_most = 1, .rows_point = 2, .norms_point = 1}, /* of a swap */
    .is_monotone = 1,
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
