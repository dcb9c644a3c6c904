/*
 * Variants of GSK on mu-reduced hulls that papers might mean by "Minkowski", for docs/study-minkowski.md. Compile this
 * plugin in the root of the source tree:
 *     cc -std=c11 -O2 -ffp-contract=off -fPIC -shared -I. docs/examples/gsk_forms.c -o gsk_forms.so
 *
 * Let X^_s be the extreme points of Lopez, Barbero and Dorronsoro (2011), Section 3, and Z_s = X^_s - W_s. The point
 * W = W+ - W- moves to W + lambda+ Z+ - lambda- Z-, lambda in [0, 1], and |W|^2 is minimised over
 *   gsk-from-first            lambda of the class with the larger gap
 *   minkowski-gsk-from-first  a common lambda+ = lambda-
 *   two-length-gsk            lambda+ and lambda- independently
 * The first two start at mu (X_1 + ... + X_K) + sigma X_(K+1), the first patterns of each class; otherwise they equal
 * mu-gsk and minkowski-mu-gsk. The third starts at the barycentres, as those solvers do. All three count kernel
 * operations as those solvers do.
 */
#include <math.h>

#include "solvers/plugin.h"

struct forms {
    struct hull hull; /* first, so that hull_alpha and hull_gap_of_state accept the state */
    double *row[2];   /* X^_s . X_j */
    struct hull_point vertex[2];
    size_t *indices[2]; /* patterns of the vertices */
    struct hull_norms norms;
    double gap[2]; /* -s W . Z_s */
    int class;     /* class to move next; 0: both */
};

static size_t state_size(const struct problem *problem)
{
    return hull_state_size(sizeof(struct forms), 4, problem->n);
}

static enum status start_at_barycentres(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct forms *forms = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *forms);
    double bound = parameter_get(&problem->parameters, &parameter_mu);
    enum status status = hull_start(&forms->hull, &arena, problem, bound, oracle);
    for (int c = 0; c < 2; c++) {
        forms->row[c] = arena_doubles(&arena, problem->n);
        forms->indices[c] = arena_take(&arena, problem->n * sizeof *forms->indices[c]);
    }
    return status;
}

static enum status start_at_first(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct forms *forms = state;
    struct hull *hull = &forms->hull;
    enum status status = start_at_barycentres(state, problem, oracle);
    for (int c = 0; status == STATUS_OK && c < 2; c++) {
        struct hull_point first = {hull->members[c], hull->n_full_weights, hull->mu, 0, hull->rest_weight};
        first.last = hull->rest_weight > 0 ? hull->members[c][hull->n_full_weights] : 0;
        for (size_t k = 0; k < hull->count[c]; k++) {
            double weight = k < hull->n_full_weights ? hull->mu : k == hull->n_full_weights ? hull->rest_weight : 0;
            hull_set_weight(hull, hull->members[c][k], weight);
        }
        oracle_hull_point_row(oracle, &first, hull->products[c]);
    }
    return status;
}

static enum status select_form(void *state, struct progress *progress, int one_class)
{
    struct forms *forms = state;
    forms->norms = hull_norms(&forms->hull);
    for (int c = 0; c < 2; c++) {
        int class = c ? -1 : 1;
        double value;
        forms->vertex[c] = hull_extreme_point(&forms->hull, class, forms->indices[c], &value);
        forms->gap[c] = hull_own_value(&forms->norms, class) - value;
        progress->class_gap[c] = forms->gap[c];
    }
    hull_fill_progress(&forms->norms, progress);
    forms->class = !one_class ? 0 : forms->gap[0] > forms->gap[1] ? 1 : -1;
    progress->updated_class = forms->class;
    progress->delta = one_class ? fmax(forms->gap[0], forms->gap[1]) : forms->gap[0] + forms->gap[1];
    return STATUS_OK;
}

static enum status select_one(void *state, struct progress *progress)
{
    return select_form(state, progress, 1);
}

static enum status select_both(void *state, struct progress *progress)
{
    return select_form(state, progress, 0);
}

/* |W|^2 after moving by l+ and l-: W2 - 2 (gap+ l+ + gap- l-) + |Z+|^2 l+^2 + |Z-|^2 l-^2 - 2 Z+ . Z- l+ l- */
struct square {
    double gap[2], length2[2], across;
};

static struct square square_of(const struct forms *forms, struct oracle *oracle)
{
    struct square square = {.gap = {forms->gap[0], forms->gap[1]}};
    const double own[2] = {forms->norms.a, forms->norms.b};
    for (int c = 0; c < 2; c++)
        square.length2[c] = own[c] - 2 * hull_along(&forms->vertex[c], forms->hull.products[c]) +
                            oracle_hull_point_norm2(oracle, &forms->vertex[c]);
    square.across = hull_along(&forms->vertex[1], forms->row[0]) -
                    hull_along(&forms->vertex[0], forms->hull.products[1]) -
                    hull_along(&forms->vertex[1], forms->hull.products[0]) + forms->norms.c;
    return square;
}

static double change(const struct square *square, const double *lambda)
{
    double sum = -2 * lambda[0] * lambda[1] * square->across;
    for (int c = 0; c < 2; c++)
        sum += lambda[c] * (lambda[c] * square->length2[c] - 2 * square->gap[c]);
    return sum;
}

/* The minimiser over [0, 1]^2: the stationary point if it lies inside, else the best point of the four edges. */
static void minimise(const struct square *square, double *lambda)
{
    const double *q = square->length2, *g = square->gap, r = square->across, determinant = q[0] * q[1] - r * r;
    if (determinant > 0) {
        lambda[0] = (g[0] * q[1] + g[1] * r) / determinant;
        lambda[1] = (g[1] * q[0] + g[0] * r) / determinant;
        if (lambda[0] >= 0 && lambda[0] <= 1 && lambda[1] >= 0 && lambda[1] <= 1)
            return;
    }
    double best = INFINITY;
    for (int edge = 0; edge < 4; edge++) {
        double at[2];
        int fixed = edge % 2, free = 1 - fixed;
        at[fixed] = edge / 2;
        at[free] = q[free] > 0 ? fmin(fmax((g[free] + r * at[fixed]) / q[free], 0), 1) : 1;
        if (change(square, at) < best) {
            best = change(square, at);
            lambda[0] = at[0];
            lambda[1] = at[1];
        }
    }
}

static enum status update_one(void *state, struct oracle *oracle)
{
    struct forms *forms = state;
    int c = class_index(forms->class);
    const struct hull_point *vertex = &forms->vertex[c];
    if (!(forms->gap[c] > 0))
        return STATUS_STALLED;
    oracle_hull_point_row(oracle, vertex, forms->row[c]);
    oracle_count_norm2(oracle, &forms->vertex[1 - c]);
    double own = c ? forms->norms.b : forms->norms.a;
    double length2 = own - 2 * hull_along(vertex, forms->hull.products[c]) + oracle_hull_point_norm2(oracle, vertex);
    hull_blend(&forms->hull, c, &forms->vertex[c], forms->row[c], hull_step(forms->gap[c], length2, 1));
    return STATUS_OK;
}

static enum status update_both(void *state, struct oracle *oracle, int two_lengths)
{
    struct forms *forms = state;
    double gap = forms->gap[0] + forms->gap[1], lambda[2] = {0, 0};
    if (!(gap > 0))
        return STATUS_STALLED;
    for (int c = 0; c < 2; c++)
        oracle_hull_point_row(oracle, &forms->vertex[c], forms->row[c]);
    struct square square = square_of(forms, oracle);
    if (two_lengths)
        minimise(&square, lambda);
    else
        lambda[0] = lambda[1] = hull_step(gap, square.length2[0] + square.length2[1] - 2 * square.across, 1);
    for (int c = 0; c < 2; c++)
        hull_blend(&forms->hull, c, &forms->vertex[c], forms->row[c], lambda[c]);
    return STATUS_OK;
}

static enum status update_one_length(void *state, struct oracle *oracle)
{
    return update_both(state, oracle, 0);
}

static enum status update_two_lengths(void *state, struct oracle *oracle)
{
    return update_both(state, oracle, 1);
}

#define FORM                                                                                      \
    .reference = "docs/study-minkowski.md", HULL_SOLVER, .parameters = PARAMETERS(&parameter_mu), \
    .state_size = state_size

static const struct solver gsk_from_first = {
    .name = "gsk-from-first",
    .title = "mu-gsk from the first patterns of each class",
    FORM,
    .init = start_at_first,
    .select = select_one,
    .update = update_one,
};

static const struct solver minkowski_gsk_from_first = {
    .name = "minkowski-gsk-from-first",
    .title = "minkowski-mu-gsk from the first patterns of each class",
    FORM,
    .init = start_at_first,
    .select = select_both,
    .update = update_one_length,
};

static const struct solver two_length_gsk = {
    .name = "two-length-gsk",
    .title = "GSK on mu-reduced hulls moving both points, each by its own length",
    FORM,
    .init = start_at_barycentres,
    .select = select_both,
    .update = update_two_lengths,
};

HULLBENCH_PLUGIN(&gsk_from_first, &minkowski_gsk_from_first, &two_length_gsk);
