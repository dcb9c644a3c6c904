/*
 * Sums of ranks, of subsets: item by item, N(v) <- N(v) + N(v - w), the coefficients of prod (1 + q^w).
 *
 * Subsets of m: let N(i, u) be the number of ways to take i of the first k items with a sum u above that of the i
 * smallest. Taking item k + 1 as well gives i + 1 items and adds w(k+1) - w(i+1) >= 0 to u, since the items ascend;
 * leaving it changes nothing. So u never decreases, and values beyond the limit can be dropped. It never exceeds the
 * sum of the last i of the k minus that of the first i.
 *
 * All terms are positive, so there is no cancellation, and past 2^53 each sum has a few rounding errors. The tail on
 * the side of the sum is counted; the other is the total minus the part beyond the sum, which is never small.
 *
 * Studentised range. With z the largest of the k values, all others lie within q of it with probability
 * ((Phi(z) - Phi(z-q)) / Phi(z))^(k-1), and so
 * P(range > q) = k int phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)) dz. The difference is computed as
 * Phi(z)^(k-1) (1 - (1 - Phi(z-q)/Phi(z))^(k-1)) by expm1 and log1p, which avoids cancellation in both tails. The
 * integrand is smooth and falls off like a normal density below 0 and above q, so the Gauss-Legendre rule on short
 * panels is exact to rounding.
 *
 * Noncentral t. With Z normal and nu S^2 chi-squared with nu degrees of freedom, (Z + lambda) / S is Student's t with
 * noncentrality lambda. The test rejects 0 if |Z + lambda| > c S, c being the upper alpha/2 quantile of t. This has
 * probability
 *     int over u > 0 of (phi(u - lambda) + phi(u + lambda)) F(nu u^2 / c^2) du,   F the distribution of chi-squared.
 * The integrand is smooth, too. lambda is the root of probability = power. nu need not be an integer.
 */
#include "harness/stats/distributions.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* GSL returns NULL when out of memory. */
static void *checked(void *made)
{
    if (!made)
        out_of_memory();
    return made;
}

static void release_generator(void *rng)
{
    gsl_rng_free(rng);
}

gsl_rng *random_numbers(struct pool *pool, unsigned long seed)
{
    gsl_rng *rng = checked(gsl_rng_alloc(gsl_rng_mt19937));
    gsl_rng_set(rng, seed);
    pool_keep(pool, release_generator, rng);
    return rng;
}

double tail_p(enum tail tail, double lower, double upper)
{
    const double smaller = lower < upper ? lower : upper;
    if (tail == TAIL_TWO_SIDED)
        return 2 * smaller < 1 ? 2 * smaller : 1;
    return tail == TAIL_GREATER ? upper : lower;
}

/* ---- sums of ranks ---- */

double *rank_null_subsets(const size_t *weights, size_t n, size_t limit)
{
    double *count = xcalloc(limit + 1, sizeof *count);
    count[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t v = limit; v >= weights[i]; v--)
            count[v] += count[v - weights[i]];
    return count;
}

double *rank_null_signs(size_t n, size_t limit)
{
    size_t ranks[EXACT_MAX_RANKS];
    assert(n <= EXACT_MAX_RANKS);
    for (size_t i = 0; i < n; i++)
        ranks[i] = i + 1;
    return rank_null_subsets(ranks, n, limit);
}

/* For u = 0 ... limit, the number of the C(n, m) subsets of m of the n ascending weights whose sum exceeds that of the
 * first m by u; freed by the caller. */
static double *count_choices(const size_t *weights, size_t n, size_t m, size_t limit)
{
    size_t width = limit + 1;
    double *count = xcalloc((m + 1) * width, sizeof *count);
    size_t *sum = xcalloc(n + 1, sizeof *sum); /* of the first k weights */
    for (size_t k = 0; k < n; k++)
        sum[k + 1] = sum[k] + weights[k];
    count[0] = 1;
    for (size_t k = 0; k < n; k++) {
        size_t rest = n - k - 1, min = m > rest ? m - rest : 1; /* with fewer, m can no longer be reached */
        for (size_t i = k + 1 < m ? k + 1 : m; i >= min && i > 0; i--) {
            const double *restrict fewer = count + (i - 1) * width;
            double *restrict more = count + i * width;
            const size_t rise = weights[k] - weights[i - 1], max_sum = sum[k] - sum[k - i + 1] - sum[i - 1];
            for (size_t u = 0; u <= max_sum && u + rise <= limit; u++)
                more[u + rise] += fewer[u];
        }
    }
    memmove(count, count + m * width, width * sizeof *count);
    free(sum);
    return count;
}

/* `mirrored` if the value stands for the sum that is as far from the other end. Frees the counts. */
static struct tails tails_of(double *count, size_t value, double all, int mirrored)
{
    double below = 0;
    for (size_t v = 0; v < value; v++)
        below += count[v];
    double lower = (below + count[value]) / all, upper = (all - below) / all;
    free(count);
    return mirrored ? (struct tails){upper, lower} : (struct tails){lower, upper};
}

struct tails null_tails_subsets(const size_t *weights, size_t n, size_t sum)
{
    size_t whole = 0;
    for (size_t i = 0; i < n; i++)
        whole += weights[i];
    int above = sum > whole - sum; /* the complement of a subset is as likely as the subset */
    size_t value = above ? whole - sum : sum;
    return tails_of(rank_null_subsets(weights, n, value), value, ldexp(1, (int)n), above);
}

struct tails null_tails_choices(const size_t *weights, size_t n, size_t m, size_t sum)
{
    size_t min = 0, max = 0, *turned = xcalloc(n, sizeof *turned);
    double all = 1; /* C(n, m), rounded */
    for (size_t i = 0; i < n; i++) {
        min += i < m ? weights[i] : 0;
        max += i < m ? weights[n - 1 - i] : 0;
        turned[i] = weights[n - 1] - weights[n - 1 - i];
    }
    for (size_t i = 1; i <= m; i++)
        all *= (double)(n - m + i) / (double)i;
    int above = sum - min > max - sum;
    size_t value = above ? max - sum : sum - min;
    double *count = count_choices(above ? turned : weights, n, m, value);
    free(turned);
    return tails_of(count, value, all, above);
}

/* ---- integrals ---- */

static gsl_integration_glfixed_table *gauss_legendre_rule(size_t points)
{
    return checked(gsl_integration_glfixed_table_alloc(points));
}

/* The zero of a function that has this sign at 0, by Brent's method to this relative width. `high`, doubled as often as
 * needed, is beyond it. */
static double find_root(double (*function)(double x, void *data), void *data, double sign, double high,
                        double tolerance)
{
    enum { STEPS = 200 };
    gsl_function wrapped = {function, data};
    gsl_root_fsolver *solver = checked(gsl_root_fsolver_alloc(gsl_root_fsolver_brent));
    while (sign * function(high, data) > 0)
        high *= 2;
    gsl_root_fsolver_set(solver, &wrapped, 0, high);
    for (int step = 0; step < STEPS; step++)
        if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS ||
            gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver), 0, tolerance) ==
                GSL_SUCCESS)
            break;
    double root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return root;
}

/* ---- the studentised range ---- */

struct range {
    double q, alpha;
    size_t k;
    gsl_integration_glfixed_table *rule;
};

static double range_density(double z, void *parameters)
{
    const struct range *range = parameters;
    double others = (double)range->k - 1, below = gsl_cdf_ugaussian_P(z);
    double outside = gsl_cdf_ugaussian_P(z - range->q) / below;
    return gsl_ran_ugaussian_pdf(z) * pow(below, others) * -expm1(others * log1p(-outside));
}

/* log(P(range > q) / alpha), which decreases through zero. */
static double too_likely(double q, void *parameters)
{
    const double panel = 2, beyond = 10; /* phi(10) is 1e-22 of phi(0) */
    struct range *range = parameters;
    const gsl_function function = {range_density, range};
    double sum = 0, end = q + beyond;
    range->q = q;
    for (double z = -beyond; z < end; z += panel)
        sum += gsl_integration_glfixed(&function, z, fmin(z + panel, end), range->rule);
    return log(fmax(DBL_MIN, fmin(1, (double)range->k * sum)) / range->alpha);
}

double studentized_range_quantile(double alpha, size_t k)
{
    assert(k >= 2 && alpha > 1e-300 && alpha < 1);
    struct range range = {.alpha = alpha, .k = k, .rule = gauss_legendre_rule(32)};
    double q = find_root(too_likely, &range, 1, 1, 1e-14);
    gsl_integration_glfixed_table_free(range.rule);
    return q;
}

/* ---- noncentral t ---- */

struct noncentral_t {
    double degrees, quantile, power, lambda;
    gsl_integration_glfixed_table *rule;
};

static double t_density(double u, void *parameters)
{
    const struct noncentral_t *t = parameters;
    const double ratio = u / t->quantile;
    return (gsl_ran_ugaussian_pdf(u - t->lambda) + gsl_ran_ugaussian_pdf(u + t->lambda)) *
           gsl_cdf_chisq_P(t->degrees * ratio * ratio, t->degrees);
}

static double lacking_power(double lambda, void *parameters)
{
    const double panel = 0.5, beyond = 9; /* phi(9) is 1e-18 */
    struct noncentral_t *t = parameters;
    const gsl_function function = {t_density, t};
    double sum = 0;
    t->lambda = lambda;
    for (double u = fmax(0, lambda - beyond); u < lambda + beyond; u += panel)
        sum += gsl_integration_glfixed(&function, u, u + panel, t->rule);
    return sum - t->power;
}

double noncentrality_detected(double degrees, double alpha, double power)
{
    struct noncentral_t t = {degrees, gsl_cdf_tdist_Qinv(alpha / 2, degrees), power, 0, gauss_legendre_rule(16)};
    double lambda = find_root(lacking_power, &t, -1, 4, 1e-13);
    gsl_integration_glfixed_table_free(t.rule);
    return lambda;
}
