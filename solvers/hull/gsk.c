/*
 * GSK: move one hull's point towards the extreme point that promises most, or (Minkowski) both at once.
 *
 *   gsk               nearest points of convex hulls. Lopez, Barbero and Dorronsoro (2011), Section 2.1, eqs. (3), (4)
 *   mu-gsk            on mu-reduced hulls: the extreme point X^ = mu (X_1 + ... + X_K) + sigma X_(K+1), Section 3,
 *                     eq. (9); Mavroforakis and Theodoridis (2006), Tao, Wu and Wang (2004)
 *   minkowski-(mu-)gsk  the same step on the Minkowski difference of the hulls: W' = W + lambda (X^+ - X^- - W);
 *                     Mavroforakis, Sdralis and Theodoridis (2007)
 *
 * gsk is mu-gsk at mu = 1, where K = 1 and sigma = 0, so one routine serves both. Kernel operations of an iteration:
 * the rows of X^ (K + 1 of them, K when sigma = 0) and the norms of both extreme points, which the published counts
 * include.
 */
#include "solvers/hull/hull.h"

struct gsk {
    struct hull hull;
    double *row[2];                  /* X^ . X_j of the extreme points being moved to; n_padded */
    struct hull_point vertex[2];
    struct hull_norms norms;
    double gap[2];
    int class;                       /* +1 or -1: the class to be moved; 0: both */
};

static size_t state_size(const struct problem *problem)
{
    return hull_state_size(sizeof(struct gsk), 2, problem->n);
}

static enum status start(void *state, const struct problem *problem, struct oracle *oracle, double mu)
{
    struct gsk *gsk = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *gsk);
    enum status status = hull_start(&gsk->hull, &arena, problem, mu, oracle);
    for (int c = 0; c < 2; c++)
        gsk->row[c] = arena_doubles(&arena, problem->n);
    return status;
}

static enum status init_unreduced(void *state, const struct problem *problem, struct oracle *oracle)
{
    return start(state, problem, oracle, 1);
}

static enum status init_reduced(void *state, const struct problem *problem, struct oracle *oracle)
{
    return start(state, problem, oracle, problem->parameters.value[PARAMETER_MU]);
}

static void find_vertices(struct gsk *gsk, struct progress *progress)
{
    gsk->norms = hull_norms(&gsk->hull);
    for (int c = 0; c < 2; c++) {
        int class = c ? -1 : 1;
        double value;
        gsk->vertex[c] = hull_extreme_point(&gsk->hull, class, &value);
        gsk->gap[c] = hull_own_value(&gsk->norms, class) - value; /* -y_L Delta_L of Section 2.1 */
        progress->class_gap[c] = gsk->gap[c];
    }
    hull_fill_progress(&gsk->norms, progress);
}

static enum status select_one(void *state, struct progress *progress)
{
    struct gsk *gsk = state;
    find_vertices(gsk, progress);
    gsk->class = gsk->gap[0] > gsk->gap[1] ? 1 : -1;
    progress->updated_class = gsk->class;
    progress->delta = gsk->gap[class_index(gsk->class)];
    return STATUS_OK;
}

static enum status select_both(void *state, struct progress *progress)
{
    struct gsk *gsk = state;
    find_vertices(gsk, progress);
    gsk->class = 0;
    progress->updated_class = 0;
    progress->delta = gsk->gap[0] + gsk->gap[1];
    return STATUS_OK;
}

/* sum of the vertex's weights times x: X^ . Z for a Z whose products with the patterns are x. */
static double along(const struct hull_point *vertex, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < vertex->count; k++)
        sum += x[vertex->indices[k]];
    double rest = vertex->last_weight != 0 ? vertex->last_weight * x[vertex->last] : 0;
    return vertex->weight * sum + rest;
}

/* (1 - lambda) mu + lambda mu may round to just above mu. */
static void add_weight(struct hull *hull, double *weight, double amount)
{
    *weight += amount;
    if (*weight > hull->mu)
        *weight = hull->mu;
}

/* W_s' = (1 - lambda) W_s + lambda X^_s */
static void blend_class(struct gsk *gsk, int c, double lambda)
{
    struct hull *hull = &gsk->hull;
    const struct hull_point *vertex = &gsk->vertex[c];
    double *weights = hull->weights[c];
    hull->simd->blend(hull->n_padded, 1 - lambda, lambda, gsk->row[c], hull->products[c]);
    hull->simd->scale(hull->n_padded, 1 - lambda, weights);
    for (size_t k = 0; k < vertex->count; k++)
        add_weight(hull, &weights[vertex->indices[k]], lambda * vertex->weight);
    if (vertex->last_weight != 0)
        add_weight(hull, &weights[vertex->last], lambda * vertex->last_weight);
}

static enum status update_one(void *state, struct oracle *oracle)
{
    struct gsk *gsk = state;
    int c = class_index(gsk->class);
    const struct hull_point *vertex = &gsk->vertex[c];
    if (!(gsk->gap[c] > 0))
        return STATUS_STALLED;
    oracle_hull_point_row(oracle, vertex, gsk->row[c]);
    oracle_count_norm2(oracle, &gsk->vertex[1 - c]); /* the description has it of both classes */
    double own = c ? gsk->norms.b : gsk->norms.a, norm2 = oracle_hull_point_norm2(oracle, vertex);
    double length2 = own - 2 * along(vertex, gsk->hull.products[c]) + norm2; /* |W_s - X^_s|^2 */
    blend_class(gsk, c, hull_step(gsk->gap[c], length2, 1));                     /* eq. (9) */
    return STATUS_OK;
}

static enum status update_both(void *state, struct oracle *oracle)
{
    struct gsk *gsk = state;
    const struct hull *hull = &gsk->hull;
    double gap = gsk->gap[0] + gsk->gap[1];
    if (!(gap > 0))
        return STATUS_STALLED;
    double norm2 = 0; /* |X^+ - X^-|^2 */
    for (int c = 0; c < 2; c++) {
        oracle_hull_point_row(oracle, &gsk->vertex[c], gsk->row[c]);
        norm2 += oracle_hull_point_norm2(oracle, &gsk->vertex[c]);
    }
    norm2 -= 2 * along(&gsk->vertex[1], gsk->row[0]);
    double product = 0; /* W . (X^+ - X^-) */
    for (int c = 0; c < 2; c++) {
        double own = along(&gsk->vertex[c], hull->products[0]) - along(&gsk->vertex[c], hull->products[1]);
        product += c ? -own : own;
    }
    double length2 = hull_norm2(&gsk->norms) - 2 * product + norm2;
    double lambda = hull_step(gap, length2, 1);
    for (int c = 0; c < 2; c++)
        blend_class(gsk, c, lambda);
    return STATUS_OK;
}

extern const struct solver solver_gsk, solver_mu_gsk, solver_minkowski_gsk, solver_minkowski_mu_gsk;

const struct solver solver_gsk = {
    .name = "gsk",
    .title = "Gilbert-Schlesinger-Kozinec, nearest points of convex hulls",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Section 2.1, eqs. 3 and 4",
    HULL_SOLVER,
    .state_size = state_size,
    .init = init_unreduced,
    .select = select_one,
    .update = update_one,
};

const struct solver solver_mu_gsk = {
    .name = "mu-gsk",
    .title = "GSK on mu-reduced convex hulls",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Section 3, eq. 9; Mavroforakis and Theodoridis 2006",
    HULL_SOLVER_STOPPED_BY(HULL_STOPS | 1u << STOP_RCH_GAP_UPDATED),
    .parameters = 1u << PARAMETER_MU,
    .state_size = state_size,
    .init = init_reduced,
    .select = select_one,
    .update = update_one,
};

const struct solver solver_minkowski_gsk = {
    .name = "minkowski-gsk",
    .title = "GSK moving both hulls' points at once",
    .reference = "Mavroforakis, Sdralis and Theodoridis 2007; Lopez, Barbero and Dorronsoro 2011, Section 2.1",
    HULL_SOLVER,
    .state_size = state_size,
    .init = init_unreduced,
    .select = select_both,
    .update = update_both,
};

const struct solver solver_minkowski_mu_gsk = {
    .name = "minkowski-mu-gsk",
    .title = "GSK on mu-reduced hulls moving both points at once",
    .reference = "Mavroforakis, Sdralis and Theodoridis 2007; Lopez, Barbero and Dorronsoro 2011, Section 3",
    HULL_SOLVER,
    .parameters = 1u << PARAMETER_MU,
    .state_size = state_size,
    .init = init_reduced,
    .select = select_both,
    .update = update_both,
};
