/*
 * MDM: move weight within a class from its worst pattern U to its best pattern L, in one class or (Minkowski) in both.
 *
 *   mdm        nearest points of convex hulls: W' = W + lambda y (X_L - X_U), lambda = min(Delta / |X_L - X_U|^2,
 *              1 - alpha_L, alpha_U). Lopez, Barbero and Dorronsoro (2011), Section 2.2, eqs. (5) to (7)
 *   clip-mdm   on mu-reduced hulls: L among alpha < mu, lambda clipped to mu - alpha_L and alpha_U. Section 4.1,
 *              eqs. (13) and (14)
 *   ch-mdm     mdm of the kernel K + I/C, started at the first pattern of each class, with a choice of the class: by
 *              the larger Delta; that of the pattern with the smallest margin m; that of the support vector with the
 *              largest m, where |W| m_j = |W|^2 + v_j - s W . W_s. Lopez (2008), Algorithm 1 and Section 4.1.2
 *   minkowski-(clip-)mdm  all four patterns L+-, U+- with one lambda, the minimiser of |W + lambda d|^2 for
 *              d = (X_L+ - X_U+) - (X_L- - X_U-), clipped by both classes. Named at the end of Section 2.2
 *
 * mdm is clip-mdm at mu = 1. An iteration requests the rows of the patterns that move: 2N kernel operations, 4N for
 * both classes.
 */
#include <math.h>

#include "solvers/hull/hull.h"

const struct parameter parameter_class = {
    .name = "class",
    .meaning = "update the class with the larger Delta (largest-delta), of the pattern with the smallest margin (low), "
               "or of the support vector with the largest margin (high)",
    .type = PARAMETER_CHOICE, .choices = (const char *const[]){"largest-delta", "low", "high", NULL},
    .fallback = CLASS_LARGEST_DELTA};

struct mdm {
    struct hull hull;
    struct hull_pair pair[2];
    int moves[2]; /* which classes the next update moves */
    enum class_choice class_choice;
};

static size_t state_size(const struct problem *problem)
{
    return hull_state_size(sizeof(struct mdm), 0, problem->n);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct mdm *mdm = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *mdm);
    return hull_start(&mdm->hull, &arena, problem, hull_mu(problem), oracle);
}

static enum status init_square(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct mdm *mdm = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *mdm);
    mdm->class_choice = (enum class_choice)parameter_get(&problem->parameters, &parameter_class);
    return hull_start_at_first_pair(&mdm->hull, &arena, problem, oracle);
}

static void find_pairs(struct mdm *mdm)
{
    hull_find_pairs(&mdm->hull);
    mdm->pair[0] = mdm->hull.pair[0];
    mdm->pair[1] = mdm->hull.pair[1];
}

static void choose_class(struct mdm *mdm, int c, struct progress *progress)
{
    mdm->moves[c] = 1;
    mdm->moves[1 - c] = 0;
    hull_fill_for_pair(&mdm->hull, c ? -1 : 1, &mdm->pair[c], progress);
}

static enum status select_one(void *state, struct progress *progress)
{
    struct mdm *mdm = state;
    find_pairs(mdm);
    choose_class(mdm, mdm->pair[0].delta > mdm->pair[1].delta ? 0 : 1,
                 progress); /* |Delta+| > Delta-: the positive class */
    return STATUS_OK;
}

/* The score of class c under the choice of the class; the class with the larger score is updated (Algorithm 1, line 7,
 * and Section 4.1.2). The score is -infinity for a class without a pair that gains (a single sample has all the weight,
 * and no other can take it), because L and U are then meaningless. */
static double class_score(const struct mdm *mdm, const struct hull_norms *norms, int c)
{
    int class = c ? -1 : 1;
    double own = hull_own_value(norms, class);
    if (!(mdm->pair[c].delta > 0))
        return -INFINITY;
    if (mdm->class_choice == CLASS_OF_LOW)
        return own - class * hull_projection(&mdm->hull, mdm->pair[c].low);
    if (mdm->class_choice == CLASS_OF_HIGH)
        return class * hull_projection(&mdm->hull, mdm->pair[c].high) - own;
    return mdm->pair[c].delta;
}

static enum status select_square(void *state, struct progress *progress)
{
    struct mdm *mdm = state;
    struct hull_norms norms = hull_norms(&mdm->hull);
    find_pairs(mdm);
    choose_class(mdm, class_score(mdm, &norms, 0) >= class_score(mdm, &norms, 1) ? 0 : 1, progress);
    progress->delta = fmax(mdm->pair[0].delta, mdm->pair[1].delta); /* the remaining violation, whichever class is
                                                                     * updated */
    if (mdm->class_choice == CLASS_OF_HIGH) /* the class with the lower score may have the larger gap */
        progress->updated_class = 0;
    return STATUS_OK;
}

static enum status select_both(void *state, struct progress *progress)
{
    struct mdm *mdm = state;
    struct hull_norms norms = hull_norms(&mdm->hull);
    hull_fill_progress(&norms, progress);
    find_pairs(mdm);
    progress->updated_class = 0;
    progress->delta = 0;
    for (int c = 0; c < 2; c++) {
        mdm->moves[c] = mdm->pair[c].delta > 0;
        progress->delta += fmax(mdm->pair[c].delta, 0);
    }
    return STATUS_OK;
}

/* |d|^2 for the direction of the moving classes, from the rows of L and U in each. */
static double length2(const struct mdm *mdm, const double *low[2], const double *high[2])
{
    double sum = 0;
    for (int c = 0; c < 2; c++) {
        size_t l = mdm->pair[c].low, u = mdm->pair[c].high;
        if (mdm->moves[c])
            sum += (low[c][l] - low[c][u]) + (high[c][u] - high[c][l]); /* |X_L - X_U|^2 */
    }
    if (mdm->moves[0] && mdm->moves[1]) {
        size_t l = mdm->pair[1].low, u = mdm->pair[1].high;
        sum -= 2 * ((low[0][l] - low[0][u]) - (high[0][l] - high[0][u]));
    }
    return sum;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct mdm *mdm = state;
    struct hull *hull = &mdm->hull;
    const double *low[2] = {NULL, NULL}, *high[2] = {NULL, NULL};
    double delta = 0, max_step = INFINITY;
    for (int c = 0; c < 2; c++) {
        if (!mdm->moves[c] || !(mdm->pair[c].delta > 0))
            continue;
        low[c] = oracle_row(oracle, mdm->pair[c].low);
        high[c] = oracle_row(oracle, mdm->pair[c].high);
        delta += mdm->pair[c].delta;
        max_step = fmin(max_step, hull_pair_max_step(hull, c ? -1 : 1, &mdm->pair[c]));
    }
    if (!(delta > 0))
        return STATUS_STALLED; /* every class's KKT condition b_U <= b_L holds: optimal */
    double squared = length2(mdm, low, high);
    if (!mdm->moves[0] || !mdm->moves[1]) { /* eq. (14); at mu = 1 the clipping after eq. (7) */
        int c = mdm->moves[0] ? 0 : 1;
        return hull_step_pair(hull, c ? -1 : 1, &mdm->pair[c], squared, low[c], high[c]) > 0 ? STATUS_OK
                                                                                             : STATUS_STALLED;
    }
    double lambda = hull_step(delta, squared, max_step);
    if (!(lambda > 0))
        return STATUS_STALLED;
    for (int c = 0; c < 2; c++) {
        hull->simd->add_difference(hull->n_padded, lambda, low[c], high[c], hull->products[c]);
        hull_move_pair(hull, c ? -1 : 1, &mdm->pair[c], lambda);
    }
    return STATUS_OK;
}

/* Only one class still has a pair. */
static const struct kernel_cost one_class[] = {{.is_stated = 1, .n = 2}, {0}};

/* A class of one support vector may never be moved (docs/solvers.md). */
static int may_miss_optimum(const struct parameters *parameters)
{
    return parameter_get(parameters, &parameter_class) == CLASS_OF_HIGH;
}

extern const struct solver solver_mdm, solver_ch_mdm, solver_clip_mdm, solver_minkowski_mdm, solver_minkowski_clip_mdm;

const struct solver solver_mdm = {
    .name = "mdm",
    .title = "Mitchell-Dem'yanov-Malozemov on convex hulls",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Section 2.2, eqs. 5 to 7",
    HULL_SOLVER,
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .n = 2},
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select_one,
    .update = update,
};

const struct solver solver_ch_mdm = {
    .name = "ch-mdm",
    .title = "MDM on convex hulls under a square penalty",
    .reference = "Lopez 2008, Algorithm 1 and Section 4.1",
    HULL_SOLVER,
    .square_penalty = 1,
    .parameters = PARAMETERS(&parameter_c, &parameter_class),
    .setup_cost = {.is_stated = 1, .n = 2},
    .iteration_cost = {.is_stated = 1, .n = 2},
    .is_monotone = 1,
    .may_miss_optimum = may_miss_optimum,
    .state_size = state_size,
    .init = init_square,
    .select = select_square,
    .update = update,
};

const struct solver solver_clip_mdm = {
    .name = "clip-mdm",
    .title = "MDM with multipliers clipped at mu",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Section 4.1, eqs. 13 and 14",
    HULL_SOLVER_STOPPED_BY(HULL_STOPS | 1u << STOP_RCH_GAP_UPDATED),
    .parameters = PARAMETERS(&parameter_mu),
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .n = 2},
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select_one,
    .update = update,
};

const struct solver solver_minkowski_mdm = {
    .name = "minkowski-mdm",
    .title = "MDM moving a pair of each class at once",
    .reference = "Lopez, Barbero and Dorronsoro 2011, end of Section 2.2",
    HULL_SOLVER,
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .n = 4},
    .further_iteration_costs = one_class,
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select_both,
    .update = update,
};

const struct solver solver_minkowski_clip_mdm = {
    .name = "minkowski-clip-mdm",
    .title = "clip-mdm moving a pair of each class at once",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Sections 2.2 and 4.1",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu),
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .n = 4},
    .further_iteration_costs = one_class,
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select_both,
    .update = update,
};
