/*
 * SMO with the first modification of Keerthi, Shevade, Bhattacharyya and Murthy (2001), "Improvements to Platt's SMO
 * algorithm for SVM classifier design"; Lopez (2008), Section 4.2.1.
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 * It uses Platt's passes (passes.c) but no bias. With F_i = W . X_i - y_i, the point is optimal if b_low <= b_up, where
 * b_low is the largest F where y alpha may decrease and b_up the smallest where it may increase. F is kept for the
 * patterns between their bounds (I_0). b_low, b_up and their patterns i_low, i_up are taken over I_0, the last moved
 * pair and the patterns examined since. An examined pattern i2 is moved together with i_up or i_low, whichever violates
 * more with it, if the violation exceeds 2 tol. A pass over I_0 ends at once, as if it had changed nothing, when
 * b_low <= b_up + 2 tol. In a pass over all patterns that moves nothing, b_low and b_up become those of all patterns;
 * Delta = b_low - b_up is then given to the rules `delta` and `kkt-relaxed`. If it exceeds 2 tol, the run has stalled,
 * since no pair would move far enough.
 *
 * tol, eps and the costs are those of platt-smo: one operation per support vector for an F that is not kept, 3 for
 * trying a pair, 2 per step for each other pattern of I_0.
 */
#include "solvers/decomposition/passes.h"

struct keerthi {
    struct passes passes;    /* first, and begins with the box, so that passes_gap and box_alpha accept the state */
    struct box_pair known; /* i_up, i_low and b_up, b_low */
};

static size_t state_size(const struct problem *problem)
{
    return passes_state_size(sizeof(struct keerthi), problem->n);
}

/* i_up and i_low are the first patterns of the classes: F = -y at alpha = 0. */
static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct keerthi *keerthi = state;
    struct box_pair none = BOX_NO_PAIR;
    passes_start(&keerthi->passes, sizeof *keerthi, problem, oracle);
    keerthi->known = none;
    for (size_t i = 0; i < problem->n; i++)
        box_consider(&keerthi->passes.box, i, &keerthi->known);
    return STATUS_OK;
}

static double known_delta(const struct keerthi *keerthi)
{
    return keerthi->known.f_low - keerthi->known.f_up;
}

/* Keerthi's examineExample. Nonzero if a pair has been found. */
static int examine(struct keerthi *keerthi, size_t i2)
{
    struct passes *passes = &keerthi->passes;
    struct box *box = &passes->box;
    if (!box_is_free(box, i2)) {
        box->f[i2] = passes_output(passes, i2) - box->y[i2];
        box_consider(box, i2, &keerthi->known);
    }
    const struct box_pair *known = &keerthi->known;
    double with_low = box_may_grow(box, i2) ? known->f_low - box->f[i2] : -INFINITY;
    double with_up = box_may_shrink(box, i2) ? box->f[i2] - known->f_up : -INFINITY;
    if (!(fmax(with_low, with_up) > 2 * passes->tolerance))
        return 0;
    size_t i1 = with_low > with_up ? known->low : known->up;
    return passes_try(passes, i1, with_low > with_up ? known->f_low : known->f_up, i2, box->f[i2]);
}

/* Runs the loops. Nonzero if a pair has been found; zero at the end. */
static int find_pair(struct keerthi *keerthi)
{
    struct passes *passes = &keerthi->passes;
    while (!passes->ended) {
        int pass_is_over = !passes->full_pass && known_delta(keerthi) <= 2 * passes->tolerance;
        if (pass_is_over)
            passes->changed = 0;
        size_t i2 = pass_is_over ? passes->box.n : passes_next(passes);
        if (i2 == passes->box.n)
            passes_turn(passes);
        else if (examine(keerthi, i2))
            return 1;
    }
    return 0;
}

static enum status select(void *state, struct progress *progress)
{
    struct keerthi *keerthi = state;
    int found = find_pair(keerthi);
    passes_fill_progress(&keerthi->passes, progress);
    progress->delta = found ? INFINITY : known_delta(keerthi);
    progress->violation = 0.5 * progress->delta; /* at the bias midway between the thresholds */
    return found || progress->violation <= keerthi->passes.tolerance ? STATUS_OK : STATUS_STALLED;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct keerthi *keerthi = state;
    struct passes *passes = &keerthi->passes;
    struct box_pair known = BOX_NO_PAIR;
    if (passes->ended)
        return STATUS_STALLED;
    passes_step(passes, oracle);
    for (size_t i = 0; i < passes->box.n; i++)
        if (i == passes->pair.up || i == passes->pair.low || box_is_free(&passes->box, i))
            box_consider(&passes->box, i, &known);
    keerthi->known = known;
    return STATUS_OK;
}

extern const struct solver solver_keerthi_one;

const struct solver solver_keerthi_one = {
    .name = "keerthi-1",
    .title = "SMO with Keerthi et al.'s first modification",
    .reference = "Keerthi et al. 2001, modification 1; Lopez 2008, Section 4.2.1",
    .formulation = FORMULATION_C_SVM,
    .parameters = PARAMETERS(&parameter_c),
    .stops = 1u << STOP_DELTA | 1u << STOP_KKT_RELAXED | 1u << STOP_ITERATIONS,
    .setup_cost = {.is_stated = 1},
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = passes_gap,
    .alpha = box_alpha,
    .tighten = passes_tighten,
};
