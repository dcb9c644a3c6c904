/*
 * GSK: move one hull's point towards its most promising extreme point, or (Minkowski) both at once.
 *
 *   gsk               nearest points of convex hulls. Lopez, Barbero and Dorronsoro (2011), Section 2.1, eqs. (3), (4)
 *   mu-gsk            on mu-reduced hulls: the extreme point X^ = mu (X_1 + ... + X_K) + sigma X_(K+1), Section 3,
 *                     eq. (9); Mavroforakis and Theodoridis (2006), Tao, Wu and Wang (2004)
 *   minkowski-(mu-)gsk  the same step on the Minkowski difference of the hulls: W' = W + lambda (X^+ - X^- - W);
 *                     Mavroforakis, Sdralis and Theodoridis (2007)
 *
 * gsk is mu-gsk at mu = 1, where K = 1 and sigma = 0, so one routine serves both. Kernel operations per iteration: the
 * rows of X^ (K + 1 of them, K if sigma = 0) and the norms of both extreme points, which the published counts include.
 */
#include "solvers/hull/hull.h"

struct gsk {
    struct hull hull;
    double *row[2];                  /* X^ . X_j of the target extreme points; n_padded */
    struct hull_point vertex[2];
    size_t *indices[2]; /* n each: patterns of the vertices */
    struct hull_norms norms;
    double gap[2];
    int class;                       /* +1 or -1: the class to move; 0: both */
};

static size_t state_size(const struct problem *problem)
{
    return hull_state_size(sizeof(struct gsk), 4, problem->n);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct gsk *gsk = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *gsk);
    enum status status = hull_start(&gsk->hull, &arena, problem, hull_mu(problem), oracle);
    for (int c = 0; c < 2; c++) {
        gsk->row[c] = arena_doubles(&arena, problem->n);
        gsk->indices[c] = arena_take(&arena, problem->n * sizeof *gsk->indices[c]);
    }
    return status;
}

static void find_vertices(struct gsk *gsk, struct progress *progress)
{
    gsk->norms = hull_norms(&gsk->hull);
    for (int c = 0; c < 2; c++) {
        int class = c ? -1 : 1;
        double value;
        gsk->vertex[c] = hull_extreme_point(&gsk->hull, class, gsk->indices[c], &value);
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

static enum status update_one(void *state, struct oracle *oracle)
{
    struct gsk *gsk = state;
    int c = class_index(gsk->class);
    const struct hull_point *vertex = &gsk->vertex[c];
    if (!(gsk->gap[c] > 0))
        return STATUS_STALLED;
    oracle_hull_point_row(oracle, vertex, gsk->row[c]);
    oracle_count_norm2(oracle, &gsk->vertex[1 - c]); /* the published description uses it for both classes */
    double own = c ? gsk->norms.b : gsk->norms.a, norm2 = oracle_hull_point_norm2(oracle, vertex);
    double length2 = own - 2 * hull_along(vertex, gsk->hull.products[c]) + norm2;                /* |W_s - X^_s|^2 */
    hull_blend(&gsk->hull, c, &gsk->vertex[c], gsk->row[c], hull_step(gsk->gap[c], length2, 1)); /* eq. (9) */
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
    norm2 -= 2 * hull_along(&gsk->vertex[1], gsk->row[0]);
    double product = 0; /* W . (X^+ - X^-) */
    for (int c = 0; c < 2; c++) {
        double own = hull_along(&gsk->vertex[c], hull->products[0]) - hull_along(&gsk->vertex[c], hull->products[1]);
        product += c ? -own : own;
    }
    double length2 = hull_norm2(&gsk->norms) - 2 * product + norm2;
    double lambda = hull_step(gap, length2, 1);
    for (int c = 0; c < 2; c++)
        hull_blend(&gsk->hull, c, &gsk->vertex[c], gsk->row[c], lambda);
    return STATUS_OK;
}

/* The members that all share. */
#define ALIKE                                                                                             \
    .setup_cost = {.is_stated = 1, .n2 = 1}, .is_monotone = 1, .converges_slowly = 1, .state_size = state_size, \
    .init = init

extern const struct solver solver_gsk, solver_mu_gsk, solver_minkowski_gsk, solver_minkowski_mu_gsk;

const struct solver solver_gsk = {
    .name = "gsk",
    .title = "Gilbert-Schlesinger-Kozinec on convex hulls",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Section 2.1, eqs. 3 and 4",
    HULL_SOLVER,
    .iteration_cost = {.is_stated = 1, .rows_point = 1, .norms_point = 2},
    .select = select_one,
    .update = update_one,
    ALIKE,
};

const struct solver solver_mu_gsk = {
    .name = "mu-gsk",
    .title = "GSK on mu-reduced convex hulls",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Section 3, eq. 9; Mavroforakis and Theodoridis 2006",
    HULL_SOLVER_STOPPED_BY(HULL_STOPS | 1u << STOP_RCH_GAP_UPDATED),
    .parameters = PARAMETERS(&parameter_mu),
    .iteration_cost = {.is_stated = 1, .rows_point = 1, .norms_point = 2},
    .select = select_one,
    .update = update_one,
    ALIKE,
};

const struct solver solver_minkowski_gsk = {
    .name = "minkowski-gsk",
    .title = "GSK moving both hulls' points at once",
    .reference = "Mavroforakis, Sdralis and Theodoridis 2007; Lopez, Barbero and Dorronsoro 2011, Section 2.1",
    HULL_SOLVER,
    .iteration_cost = {.is_stated = 1, .rows_point = 2, .norms_point = 2},
    .select = select_both,
    .update = update_both,
    ALIKE,
};

const struct solver solver_minkowski_mu_gsk = {
    .name = "minkowski-mu-gsk",
    .title = "GSK on mu-reduced hulls, both points at once",
    .reference = "Mavroforakis, Sdralis and Theodoridis 2007; Lopez, Barbero and Dorronsoro 2011, Section 3",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu),
    .iteration_cost = {.is_stated = 1, .rows_point = 2, .norms_point = 2},
    .select = select_both,
    .update = update_both,
    ALIKE,
};
