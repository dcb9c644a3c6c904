/*
 * Frank-Wolfe with away steps for nearest points of (mu-reduced) hulls: W_s' = W_s + lambda (F - W_s) or
 * W_s + lambda (W_s - A), whichever has the larger gap; lambda = min(gap / |d|^2, largest step).
 *
 * Guelat and Marcotte (1986), with A of the smallest face that contains alpha; on full hulls also Lacoste-Julien and
 * Jaggi (2015), Algorithm 1 (frank_wolfe.h). If the gaps are equal, the step goes toward F. Frank-Wolfe methods do not
 * know classes. `classes` selects whether an iteration takes the best of the four directions and moves that class
 * alone, or moves both classes by a common step, toward both F or away from both A, as the papers would on the product
 * of both polytopes.
 *
 * Without the away steps it is mu-gsk, or minkowski-mu-gsk with both classes. An iteration requests the rows of F or of
 * A: (K + 1) N kernel operations per class, K N if sigma = 0. An away step of the largest length, a drop step, counts
 * as an iteration like any other.
 */
#include <math.h>

#include "solvers/frank_wolfe/frank_wolfe.h"

static size_t state_size(const struct problem *problem)
{
    return fw_state_size(sizeof(struct frank_wolfe), problem);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    return fw_start(state, sizeof(struct frank_wolfe), problem, oracle);
}

/* The gap of the away directions of the classes in `among`; -INFINITY if they must not be chosen (frank_wolfe.h). Only
 * the classes that would move limit the step (fw_choose_classes). */
static double away_gap(struct frank_wolfe *fw, const int *among)
{
    double gap = 0, max_step = INFINITY;
    for (int c = 0; c < 2; c++)
        if (among[c]) {
            double own = fw_set_direction(fw, c, FW_AWAY);
            gap += own;
            if (own > 0)
                max_step = fmin(max_step, fw->direction[c].max_step);
        }
    return max_step < 1 ? gap : -INFINITY;
}

/* Sets the better of both kinds of directions, the same kind for all classes in `among`. */
static void set_better(struct frank_wolfe *fw, const int *among)
{
    double toward = (among[0] ? fw->gap[0] : 0) + (among[1] ? fw->gap[1] : 0);
    if (away_gap(fw, among) > toward)
        return;
    for (int c = 0; c < 2; c++)
        if (among[c])
            fw_set_direction(fw, c, FW_TOWARD);
}

static enum status select(void *state, struct progress *progress)
{
    static const int one[2][2] = {{1, 0}, {0, 1}}, both[2] = {1, 1};
    struct frank_wolfe *fw = state;
    fw_find_vertices(fw, progress);
    if (fw->moves_both)
        set_better(fw, both);
    for (int c = 0; c < 2 && !fw->moves_both; c++)
        set_better(fw, one[c]);
    fw_choose_classes(fw, progress);
    progress->delta = fw->moves_both ? fw->gap[0] + fw->gap[1] : fmax(fw->gap[0], fw->gap[1]);
    progress->updated_class = 0; /* the class with the larger gap away need not have the larger Frank-Wolfe gap */
    return STATUS_OK;
}

static const struct kernel_cost both_classes[] = {{.is_stated = 1, .rows_point = 2}, {0}};

extern const struct solver solver_away_fw;
const struct solver solver_away_fw = {
    .name = "away-fw",
    .title = "Frank-Wolfe with away steps, reduced hulls",
    .reference = "Guelat and Marcotte 1986; Lacoste-Julien and Jaggi 2015, Algorithm 1",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu, &parameter_classes),
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .rows_point = 1},
    .further_iteration_costs = both_classes,
    .is_monotone = 1,
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = fw_update,
};
