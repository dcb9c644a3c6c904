/*
 * With scale = sd sqrt(1/n + overlap) and a true difference d, mean / scale is (Z + d/scale) / S, with Z normal and
 * nu S^2 chi-squared with nu = n - 1 degrees of freedom: Student's t with noncentrality lambda = d/scale. The test
 * rejects 0 if |Z + lambda| > c S, c being the upper alpha/2 quantile of t. This has probability
 *     int over u > 0 of (phi(u - lambda) + phi(u + lambda)) F(nu u^2 / c^2) du,   F the distribution of chi-squared.
 * The integrand is smooth and is integrated by Gauss-Legendre rules on short panels. lambda is the root of
 * probability = power. nu need not be an integer, as in 3n/pi - 1. F does not depend on lambda: up to lambda = 9, where
 * the panels begin at 0, it is computed once a node.
 */
#include "harness/stats/power.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "harness/stats/numerics.h"
#include "harness/stats/rank_null_distribution.h"

enum { POINTS = 16, KEPT = 1152 }; /* KEPT: the nodes of the panels from 0 to 18 */
static const double panel = 0.25, beyond = 9; /* phi(9) is 1e-18 */

struct noncentral_t {
    double degrees, quantile, lambda, power;
    const gsl_integration_glfixed_table *rule;
    size_t at;         /* the next node; KEPT if the panels do not begin at 0 */
    size_t known;      /* nodes in `kept` */
    double kept[KEPT]; /* F at the first nodes */
};

static double distribution(struct noncentral_t *t, double u)
{
    if (t->at < t->known)
        return t->kept[t->at++];
    double ratio = u / t->quantile, value = gsl_cdf_chisq_P(t->degrees * ratio * ratio, t->degrees);
    if (t->at < KEPT) {
        t->kept[t->at++] = value;
        t->known = t->at;
    }
    return value;
}

static double density(double u, void *parameters)
{
    struct noncentral_t *t = parameters;
    return (gsl_ran_ugaussian_pdf(u - t->lambda) + gsl_ran_ugaussian_pdf(u + t->lambda)) * distribution(t, u);
}

static double lacking_power(double lambda, void *parameters)
{
    struct noncentral_t *t = parameters;
    const gsl_function function = {density, t};
    double sum = 0;
    t->lambda = lambda;
    t->at = lambda <= beyond ? 0 : KEPT;
    for (double u = fmax(0, lambda - beyond); u < lambda + beyond; u += panel)
        sum += gsl_integration_glfixed(&function, u, u + panel, t->rule);
    return sum - t->power;
}

static double find_lambda(double degrees, double alpha, double power)
{
    gsl_integration_glfixed_table *rule = gauss_legendre_rule(POINTS);
    struct noncentral_t t = {degrees, gsl_cdf_tdist_Qinv(alpha / 2, degrees), 0, power, rule, 0, 0, {0}};
    double high = 4;
    while (lacking_power(high, &t) < 0)
        high *= 2;
    double lambda = find_root(lacking_power, &t, 0, high, 1e-13);
    gsl_integration_glfixed_table_free(rule);
    return lambda;
}

double power_t(double sd, size_t n, double overlap, double alpha, double power)
{
    assert(overlap >= 0 && isfinite(overlap) && alpha > 0 && alpha < power && power < 1);
    if (n < 2 || !isfinite(sd))
        return (double)INFINITY;
    return find_lambda((double)n - 1, alpha, power) * sd * sqrt(1 / (double)n + overlap);
}

/* The largest P(V <= v or V >= n(n+1)/2 - v) up to alpha, 0 if there is none; alpha if n is beyond EXACT_MAX_RANKS. */
static double reached_level(size_t n, double alpha)
{
    size_t ranks[EXACT_MAX_RANKS], half = n * (n + 1) / 4;
    if (n > EXACT_MAX_RANKS)
        return alpha;
    for (size_t i = 0; i < n; i++)
        ranks[i] = i + 1;
    double *counts = rank_null_subsets(ranks, n, half), below = 0, level = 0;
    for (size_t v = 0; v <= half; v++) {
        below += ldexp(counts[v], 1 - (int)n);
        if (below > alpha)
            break;
        level = below;
    }
    free(counts);
    return level;
}

double power_signed_rank(double sd, size_t n, double alpha, double power)
{
    assert(alpha > 0 && alpha < power && power < 1);
    double level = reached_level(n, alpha), like = 3 * (double)n / M_PI;
    if (level == 0 || !(like > 1) || !isfinite(sd))
        return (double)INFINITY;
    return find_lambda(like - 1, level, power) * sd / sqrt(like);
}
