/* A plain MinOver, see minover_steps.h. */
#include "tests/minover_steps.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double space_dot(const double *a, const double *b)
{
    double sum = 0;
    for (size_t d = 0; d <= MINOVER_DIMS; d++)
        sum += a[d] * b[d];
    return sum;
}

void space_write_out(const struct geometry *g, size_t k, struct space *space)
{
    *space = (struct space){.n = g->n, .k = k};
    for (size_t j = 0; j < g->n; j++) {
        for (size_t d = 0; d < g->dims; d++)
            space->z[j][d] = g->y[j] * g->x[j * g->dims + d];
        space->z[j][MINOVER_DIMS] = g->y[j] * parameter_get(&g->problem.parameters, &parameter_added);
    }
}

void open_separable(struct geometry *g, size_t n, unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double x[MAX_GEOMETRY * MINOVER_DIMS];
    signed char y[MAX_GEOMETRY];
    gsl_rng_set(rng, seed);
    for (size_t j = 0; j < n;) {
        double *at = x + j * MINOVER_DIMS;
        for (size_t d = 0; d < MINOVER_DIMS; d++)
            at[d] = floor(16 * gsl_ran_gaussian_ratio_method(rng, 1) + 0.5) / 8;
        double side = at[0] + 0.5 * at[1] - 0.25 * at[2] + 0.5;
        y[j] = side > 0 ? 1 : -1;
        j += fabs(side) >= 0.75 && (j > 1 || y[j] == (j ? -1 : 1)); /* both classes occur */
    }
    geometry_open(g, n, MINOVER_DIMS, x, y, &(struct kernel){.type = KERNEL_LINEAR});
    gsl_rng_free(rng);
}

void set_soft(struct geometry *g, size_t k, enum forgetting forgetting)
{
    parameter_set(&g->problem.parameters, &parameter_nu, (double)k / (double)g->n);
    parameter_set(&g->problem.parameters, &parameter_forgetting, forgetting);
}

void sort_by(const double *value, double sign, size_t *order, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0; k--) {
            double a = sign * value[order[k - 1]], b = sign * value[order[k]];
            if (a < b || (a == b && order[k - 1] < order[k]))
                break;
            size_t kept = order[k];
            order[k] = order[k - 1];
            order[k - 1] = kept;
        }
}

void space_margins(const struct space *space, const double *v, double *u)
{
    for (size_t j = 0; j < space->n; j++)
        u[j] = space_dot(v, space->z[j]);
}

double space_smallest_mean(const struct space *space, const double *v)
{
    double u[MAX_GEOMETRY], sum = 0;
    size_t order[MAX_GEOMETRY];
    space_margins(space, v, u);
    for (size_t j = 0; j < space->n; j++)
        order[j] = j;
    sort_by(u, 1, order, space->n);
    for (size_t i = 0; i < space->k; i++)
        sum += u[order[i]];
    return sum / (double)space->k;
}

double space_radius(const struct space *space)
{
    double norm[MAX_GEOMETRY], sum = 0;
    size_t order[MAX_GEOMETRY];
    for (size_t j = 0; j < space->n; j++) {
        norm[j] = sqrt(space_dot(space->z[j], space->z[j]));
        order[j] = j;
    }
    sort_by(norm, -1, order, space->n);
    for (size_t i = 0; i < space->k; i++)
        sum += norm[order[i]];
    return sum / (double)space->k;
}

static void learn(struct steps *steps, size_t j, int times)
{
    steps->n[j] += times;
    for (size_t d = 0; d <= MINOVER_DIMS; d++)
        steps->v[d] += times * steps->space->z[j][d];
}

double steps_to_forget(const struct steps *steps, const double *u, size_t *out)
{
    size_t order[MAX_GEOMETRY], kept = 0;
    double sum = 0;
    for (size_t j = 0; j < steps->space->n; j++)
        order[j] = j;
    sort_by(u, -1, order, steps->space->n);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < steps->space->n && kept < steps->space->k; i++) {
            int first = steps->forgetting == FORGETTING_EQUIVALENT && steps->n[order[i]] == steps->t;
            if (steps->n[order[i]] > 0 && first == !pass) {
                out[kept++] = order[i];
                sum += u[order[i]];
            }
        }
    if (kept != steps->space->k)
        abort();
    return sum;
}

void steps_go_on(struct steps *steps)
{
    const struct space *space = steps->space;
    double u[MAX_GEOMETRY], low = 0, size = (double)space->k, r = space_radius(space);
    size_t order[MAX_GEOMETRY], old[MAX_GEOMETRY];
    int forgets = 0;
    space_margins(space, steps->v, u);
    for (size_t j = 0; j < space->n; j++)
        order[j] = j;
    sort_by(u, 1, order, space->n);
    for (size_t i = 0; i < space->k; i++)
        low += u[order[i]];
    if (steps->t > 0 && steps->forgetting != FORGETTING_NO) /* v . zbar_O - v . zbar_A >= 4 R_K^2 */
        forgets = (steps_to_forget(steps, u, old) - low) / size / size >= 4 * r * r;
    for (size_t i = 0; i < space->k; i++) {
        learn(steps, order[i], forgets ? 2 : 1);
        if (forgets)
            learn(steps, old[i], -1);
    }
    steps->t++;
    steps->forgotten_steps += forgets;
}

/* The most violating pair (L, U) in the reduced hull alpha <= 1/K. Returns the violation. */
static double worst_pair(const struct space *space, const double *alpha, const double *w, size_t *low, size_t *high)
{
    double min = HUGE_VAL, max = -HUGE_VAL, bound = 1 / (double)space->k;
    for (size_t j = 0; j < space->n; j++) {
        double u = space_dot(w, space->z[j]);
        if (alpha[j] < bound && u < min) {
            min = u;
            *low = j;
        }
        if (alpha[j] > 0 && u > max) {
            max = u;
            *high = j;
        }
    }
    return max - min;
}

/* Smallest norm over the reduced hull, by moving weight between pairs. With W in it and E = E(W):
 * E / |W| <= d_K <= |W|. */
struct largest largest_margin(const struct space *space)
{
    double alpha[MAX_GEOMETRY] = {0}, w[MINOVER_DIMS + 1] = {0}, bound = 1 / (double)space->k;
    for (size_t j = 0; j < space->k; j++) {
        alpha[j] = bound;
        for (size_t d = 0; d <= MINOVER_DIMS; d++)
            w[d] += bound * space->z[j][d];
    }
    for (int iteration = 0; iteration < 200000; iteration++) {
        size_t low = 0, high = 0;
        double delta = worst_pair(space, alpha, w, &low, &high), direction[MINOVER_DIMS + 1];
        if (!(delta > 1e-14 * space_dot(w, w)))
            break;
        for (size_t d = 0; d <= MINOVER_DIMS; d++)
            direction[d] = space->z[low][d] - space->z[high][d];
        double length = fmin(fmin(bound - alpha[low], alpha[high]), delta / space_dot(direction, direction));
        alpha[low] = length == bound - alpha[low] ? bound : alpha[low] + length;
        alpha[high] -= length;
        for (size_t d = 0; d <= MINOVER_DIMS; d++)
            w[d] += length * direction[d];
    }
    struct largest found = {.high = sqrt(space_dot(w, w))};
    found.low = space_smallest_mean(space, w) / found.high;
    for (size_t d = 0; d <= MINOVER_DIMS; d++)
        found.v[d] = w[d] / found.high;
    if (!(found.low > 0 && found.high - found.low <= 1e-9 * found.high))
        abort();
    return found;
}
