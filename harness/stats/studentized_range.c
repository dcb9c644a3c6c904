/*
 * With z the largest of the k values, all others lie within q of it with probability
 * ((Phi(z) - Phi(z-q)) / Phi(z))^(k-1), and so
 * P(range > q) = k int phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)) dz. The difference is computed as
 * Phi(z)^(k-1) (1 - (1 - Phi(z-q)/Phi(z))^(k-1)) by expm1 and log1p, which avoids cancellation in both tails. The
 * integrand is smooth and falls off like a normal density below 0 and above q, so the Gauss-Legendre rule on short
 * panels is exact to rounding.
 */
#include "harness/stats/studentized_range.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "harness/stats/numerics.h"

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
    gsl_integration_glfixed_table *rule = gauss_legendre_rule(POINTS);
    double p = upper(&range, rule);
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

double studentized_range_quantile(double alpha, size_t k)
{
    assert(k >= 2 && alpha > 1e-300 && alpha < 1);
    gsl_integration_glfixed_table *rule = gauss_legendre_rule(POINTS);
    struct search search = {{.alpha = alpha, .k = k}, rule};
    double high = 1;
    while (too_likely(high, &search) > 0)
        high *= 2;
    double q = find_root(too_likely, &search, 0, high, 1e-14);
    gsl_integration_glfixed_table_free(rule);
    return q;
}
