/*
 * SVM-Light whose clipped steps leave a multiplier 1e-12 above its lower bound instead of on it, for
 * docs/deviations.md. Compile this plugin in the root of the source tree:
 *     cc -std=c11 -O2 -ffp-contract=off -fPIC -shared -I. docs/examples/svm_light_bounds.c -o svm_light_bounds.so
 *
 * Built-in svm-light puts a multiplier that a step brings to its bound exactly on it. Another program may miss the
 * bound by rounding errors, and then counts the pattern as a support vector if it counts all alpha > 0. The runs are
 * those of the built-in solver; only the reported multipliers of patterns that have left the bound and returned to it
 * differ. So with "support_vector_threshold": 0 the number of support vectors is the largest that this can explain.
 */
#include <string.h>

#include "solvers/plugin.h"

static const double left_over = 1e-12;

/* The state of the built-in solver follows, at a multiple of `alignment`. It begins with a struct box. */
struct bounds {
    const struct solver *built_in;
    unsigned char *was_positive; /* n, behind that state */
};
enum { alignment = 64 };

static void *inner(const void *state)
{
    return (char *)(uintptr_t)state + alignment;
}

static size_t inner_size(const struct problem *problem)
{
    const size_t size = solver_find("svm-light")->state_size(problem);
    return (size + alignment - 1) / alignment * alignment;
}

static size_t state_size(const struct problem *problem)
{
    return alignment + inner_size(problem) + problem->n;
}

static void note(const struct bounds *bounds)
{
    const struct box *box = inner(bounds);
    for (size_t i = 0; i < box->n; i++)
        bounds->was_positive[i] |= box->alpha[i] > 0;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct bounds *bounds = state;
    bounds->built_in = solver_find("svm-light");
    bounds->was_positive = (unsigned char *)state + alignment + inner_size(problem);
    return bounds->built_in->init(inner(state), problem, oracle);
}

static enum status select(void *state, struct progress *progress)
{
    const struct bounds *bounds = state;
    return bounds->built_in->select(inner(state), progress);
}

static enum status update(void *state, struct oracle *oracle)
{
    const struct bounds *bounds = state;
    const enum status status = bounds->built_in->update(inner(state), oracle);
    note(bounds);
    return status;
}

static double gap(const void *state, int label)
{
    const struct bounds *bounds = state;
    return bounds->built_in->gap(inner(state), label);
}

static void alpha(const void *state, double *values)
{
    const struct bounds *bounds = state;
    const struct box *box = inner(state);
    for (size_t i = 0; i < box->n; i++)
        values[i] = box->alpha[i] == 0 && bounds->was_positive[i] ? left_over : box->alpha[i];
}

static void tighten(void *state, double tolerance)
{
    const struct bounds *bounds = state;
    bounds->built_in->tighten(inner(state), tolerance);
}

static const struct solver svm_light_bounds = {
    .name = "svm-light-bounds",
    .title = "svm-light with multipliers left just above the lower bound",
    .reference = "Joachims 1999; Lopez 2008, Section 3.1.2",
    .formulation = FORMULATION_C_SVM,
    .parameters = PARAMETERS(&parameter_c, &parameter_q, &parameter_shrinking),
    .stops = 1u << STOP_KKT_RELAXED,
    .default_stop = {STOP_KKT_RELAXED, 1e-3},
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = gap,
    .alpha = alpha,
    .tighten = tighten,
};

HULLBENCH_PLUGIN(&svm_light_bounds);
