/*
 * With z the largest of the k values, all others lie within q of it with probability
 * ((Phi(z) - Phi(z-q)) / Phi(z))^(k-1), and so
 * P(range > q) = k int phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)) dz. The difference is computed as
 * Phi(z)^(k-1) (1 - (1 - Phi(z-q)/Phi(z))^(k-1)) by expm1 and log1p, which avoids cancellation in both tails. The
 * integrand is smooth and falls off like a normal density below 0 and above q, so the Gauss-Legendre rule on short
 * panels is exact to rounding.
 */
#include "harness/stats/studentized_range.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_roots.h>
#include <math.h>

enum { POINTS = 32 };
static const double panel = 2, beyond = 10; /* phi(10) is 1e-22 of phi(0) */

struct range {
    double q, alpha;
    size_t k;
};

static double density(double z, void *parameters)
{
    const struct range *range = parameters;
    double others = (double)range->k - 1, below = gsl_cdf_ugaussian_P(z);
    double outside = gsl_cdf_ugaussian_P(z - range->q) / below;
    return gsl_ran_ugaussian_pdf(z) * pow(below, others) * -expm1(others * log1p(-outside));
}

static double upper(struct range *range, const gsl_integration_glfixed_table *rule)
{
    const gsl_function function = {density, range};
    double sum = 0, end = range->q + beyond;
    for (double z = -beyond; z < end; z += panel)
        sum += gsl_integration_glfixed(&function, z, fmin(z + panel, end), rule);
    return fmin(1, (double)range->k * sum);
}

double studentized_range_upper(double q, size_t k)
{
    struct range range = {.q = q, .k = k};
    if (!(q > 0) || k < 2)
        return q <= 0;
    if (q > 60) /* e^(-q^2/4) is 1e-391 */
        return 0;
    gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(POINTS);
    double p = rule ? upper(&range, rule) : (double)NAN;
    gsl_integration_glfixed_table_free(rule);
    return p;
}

struct search {
    struct range range;
    const gsl_integration_glfixed_table *rule;
};

/* Decreases through zero. */
static double too_likely(double q, void *parameters)
{
    struct search *search = parameters;
    search->range.q = q;
    return log(upper(&search->range, search->rule) / search->range.alpha);
}

/* Brent's method, from a bracket to full precision. */
static double solve(gsl_root_fsolver *solver, struct search *search)
{
    gsl_function function = {too_likely, search};
    double high = 1;
    while (too_likely(high, search) > 0)
        high *= 2;
    gsl_root_fsolver_set(solver, &function, 0, high);
    for (int step = 0; step < 200; step++)
        if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS ||
            gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver), 0, 1e-14) ==
                GSL_SUCCESS)
            break;
    return gsl_root_fsolver_root(solver);
}

enum status studentized_range_quantile(double alpha, size_t k, double *q, struct error *error)
{
    if (k < 2 || !(alpha > 1e-300 && alpha < 1))
        return error_set(
            error, STATUS_BAD_INPUT,
            "studentised range: %zu values and a chance of %g; two or more are needed, and one between 0 and 1", k,
            alpha);
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(POINTS);
    struct search search = {{.alpha = alpha, .k = k}, rule};
    int there = solver && rule;
    if (there)
        *q = solve(solver, &search);
    gsl_integration_glfixed_table_free(rule);
    gsl_root_fsolver_free(solver);
    return there ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "studentised range: out of memory");
}
