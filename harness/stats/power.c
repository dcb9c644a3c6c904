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

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdlib.h>

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

static double solve(gsl_root_fsolver *solver, struct noncentral_t *t)
{
    gsl_function function = {lacking_power, t};
    double high = 4;
    while (lacking_power(high, t) < 0)
        high *= 2;
    gsl_root_fsolver_set(solver, &function, 0, high);
    for (int step = 0; step < 100; step++)
        if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS ||
            gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver), 0, 1e-13) ==
                GSL_SUCCESS)
            break;
    return gsl_root_fsolver_root(solver);
}

static enum status find_lambda(double degrees, double alpha, double power, double *lambda, struct error *error)
{
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(POINTS);
    struct noncentral_t t = {degrees, gsl_cdf_tdist_Qinv(alpha / 2, degrees), 0, power, rule, 0, 0, {0}};
    int there = solver && rule;
    if (there)
        *lambda = solve(solver, &t);
    gsl_integration_glfixed_table_free(rule);
    gsl_root_fsolver_free(solver);
    return there ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "power of a test: out of memory");
}

static enum status check(double sd, double overlap, double alpha, double power, struct error *error)
{
    if (!(sd >= 0 && isfinite(sd)))
        return error_set(error, STATUS_BAD_INPUT, "power of a test: a standard deviation of %g", sd);
    if (!(overlap >= 0 && isfinite(overlap)))
        return error_set(error, STATUS_BAD_INPUT, "power of a test: an overlap of %g, not 0 or more", overlap);
    if (!(alpha > 0 && alpha < power && power < 1))
        return error_set(error, STATUS_BAD_INPUT,
                         "power of a test: level %g and power %g; 0 < level < power < 1 is needed", alpha, power);
    return STATUS_OK;
}

enum status power_t(double sd, size_t n, double overlap, double alpha, double power, double *difference,
                    struct error *error)
{
    double lambda = 0;
    enum status status = check(sd, overlap, alpha, power, error);
    *difference = (double)INFINITY;
    if (status != STATUS_OK || n < 2)
        return status;
    status = find_lambda((double)n - 1, alpha, power, &lambda, error);
    *difference = lambda * sd * sqrt(1 / (double)n + overlap);
    return status;
}

/* The largest P(V <= v or V >= n(n+1)/2 - v) up to alpha, 0 if there is none; alpha if n is beyond EXACT_MAX_RANKS. */
static enum status reached_level(size_t n, double alpha, double *level, struct error *error)
{
    size_t ranks[EXACT_MAX_RANKS], half = n * (n + 1) / 4;
    *level = alpha;
    if (n > EXACT_MAX_RANKS)
        return STATUS_OK;
    for (size_t i = 0; i < n; i++)
        ranks[i] = i + 1;
    double *counts = rank_null_subsets(ranks, n, half);
    if (!counts)
        return error_set(error, STATUS_NO_MEMORY, "power of a signed-rank test: out of memory for %zu ranks", n);
    double below = 0;
    *level = 0;
    for (size_t v = 0; v <= half; v++) {
        below += ldexp(counts[v], 1 - (int)n);
        if (below > alpha)
            break;
        *level = below;
    }
    free(counts);
    return STATUS_OK;
}

enum status power_signed_rank(double sd, size_t n, double alpha, double power, double *difference,
                              struct error *error)
{
    double lambda = 0, level = 0, like = 3 * (double)n / M_PI;
    enum status status = check(sd, 0, alpha, power, error);
    *difference = (double)INFINITY;
    if (status == STATUS_OK)
        status = reached_level(n, alpha, &level, error);
    if (status != STATUS_OK || level == 0 || !(like > 1))
        return status;
    status = find_lambda(like - 1, level, power, &lambda, error);
    *difference = lambda * sd / sqrt(like);
    return status;
}
