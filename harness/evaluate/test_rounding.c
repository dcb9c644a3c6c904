/*
 * The error bounds of the judge's values against values computed in long double, with at least 11 more bits, from the
 * data and the multipliers by the definitions in judge.c, including kernel values and sums. Every formulation, every
 * kernel, data near the origin and far from it.
 */
#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/rounding.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"

enum { N = 30, DIMS = 4, FIGURES = 6 };

typedef long double wide;

static const char *const names[FIGURES] = {"objective",       "|W|^2",           "duality gap",
                                           "gap of class +1", "gap of class -1", "violation"};

/* A problem, its multipliers, and all exact values needed. */
struct world {
    struct geometry g;
    enum formulation formulation;
    int closely; /* nonzero: judged with close products */
    double c, mu, ridge, alpha[N];
    wide k[N][N], f[N];
};

/* ---- the problem ---- */

static wide power(wide x, unsigned degree)
{
    wide result = 1;
    for (unsigned d = 0; d < degree; d++)
        result *= x;
    return result;
}

static wide kernel_value(const struct world *world, const struct kernel *kernel, size_t i, size_t j)
{
    const double *a = world->g.x + i * world->g.dims, *b = world->g.x + j * world->g.dims;
    wide product = 0, distance = 0;
    if (kernel->type == KERNEL_PRECOMPUTED)
        return a[j];
    for (size_t d = 0; d < world->g.dims; d++) {
        product += (wide)a[d] * b[d];
        distance += ((wide)a[d] - b[d]) * ((wide)a[d] - b[d]);
    }
    return kernel->type == KERNEL_RBF      ? expl(-distance / kernel->width)
           : kernel->type == KERNEL_LINEAR ? product
                                           : power(kernel->scale * product + kernel->offset, kernel->degree);
}

/* Some multipliers are 0, some at the bound. In hulls each class sums to about 1, in minimum-norm problems all do
 * together. */
static void draw_multipliers(struct world *world, gsl_rng *rng, double bound)
{
    double sum[2] = {0, 0};
    for (size_t i = 0; i < N; i++) {
        double u = gsl_rng_uniform(rng);
        world->alpha[i] = u < 0.3                      ? 0
                          : u < 0.4 && isfinite(bound) ? bound
                                                       : gsl_rng_uniform(rng) * fmin(bound, world->c);
        sum[world->g.y[i] < 0] += world->alpha[i];
    }
    if (world->formulation != FORMULATION_NEAREST_POINTS && world->formulation != FORMULATION_MINIMUM_NORM)
        return;
    if (world->formulation == FORMULATION_MINIMUM_NORM)
        sum[0] = sum[1] = sum[0] + sum[1];
    for (size_t i = 0; i < N; i++)
        world->alpha[i] /= sum[world->g.y[i] < 0];
}

static void open_world(struct world *world, enum formulation formulation, const struct kernel *kernel, double offset,
                       unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    size_t dims = kernel->type == KERNEL_PRECOMPUTED ? N : DIMS;
    double *x = malloc(N * dims * sizeof *x);
    signed char y[N];
    assert_non_null(x);
    for (size_t i = 0; i < N; i++) {
        y[i] = i % 3 == 0 ? 1 : -1;
        for (size_t d = 0; d < dims; d++)
            x[i * dims + d] = kernel->type == KERNEL_PRECOMPUTED && d < i ? x[d * dims + i]
                                                                          : offset + 2 * gsl_rng_uniform(rng) - 1;
    }
    memset(world, 0, sizeof *world);
    geometry_open(&world->g, N, dims, x, y, kernel);
    free(x);
    world->formulation = formulation;
    world->c = pow(10, 3 * gsl_rng_uniform(rng));
    world->mu = 0.31;
    world->ridge = formulation == FORMULATION_SQUARE_SVM || formulation == FORMULATION_MINIMUM_NORM ? 1 / world->c : 0;
    struct parameters *parameters = &world->g.problem.parameters;
    parameter_set(parameters, &parameter_c, world->c);
    parameter_set(parameters, &parameter_mu, world->mu);
    parameter_set(parameters, &parameter_nu, (double)NAN);
    parameter_set(parameters, &parameter_added, 1.25);
    parameter_set(parameters, &parameter_forgetting, FORGETTING_EQUIVALENT);
    gram_set_ridge(world->g.gram, world->ridge);
    int boxed = formulation == FORMULATION_C_SVM || formulation == FORMULATION_NO_BIAS_SVM;
    draw_multipliers(world, rng, boxed ? world->c : HUGE_VAL);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            world->k[i][j] = kernel_value(world, kernel, i, j) + (i == j && world->ridge > 0 ? 1 / (wide)world->c : 0);
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < N; i++)
            world->f[j] += (wide)world->alpha[i] * y[i] * world->k[i][j];
    gsl_rng_free(rng);
}

/* ---- exact values ---- */

static int ascending(const void *a, const void *b)
{
    wide x = *(const wide *)a, y = *(const wide *)b;
    return (x > y) - (x < y);
}

static wide mixture(wide *v, size_t count, double mu)
{
    wide left = 1, sum = 0;
    qsort(v, count, sizeof *v, ascending);
    for (size_t k = 0; k < count && left > 0; k++) {
        wide weight = left < mu ? left : mu;
        sum += weight * v[k];
        left -= weight;
    }
    return sum;
}

static void exact_hulls(const struct world *world, wide *figures)
{
    wide violation = 0;
    for (int c = 0; c < 2; c++) {
        int class = c ? -1 : 1;
        wide v[N], own = 0, high = -HUGE_VALL, low = HUGE_VALL;
        size_t count = 0;
        for (size_t j = 0; j < N; j++) {
            if (world->g.y[j] != class)
                continue;
            v[count] = class * world->f[j];
            own += world->alpha[j] * v[count];
            high = world->alpha[j] > 0 ? fmaxl(high, v[count]) : high;
            low = world->alpha[j] < world->mu ? fminl(low, v[count]) : low;
            count++;
        }
        figures[3 + c] = own - mixture(v, count, world->mu);
        figures[1] += own;
        violation = fmaxl(violation, high - low);
    }
    figures[0] = figures[1] / 2;
    figures[2] = figures[3] + figures[4];
    figures[5] = violation;
}

static void exact_minimum_norm(const struct world *world, wide *figures)
{
    wide u[N], bias = 0, high = -HUGE_VALL, low = HUGE_VALL;
    double added = parameter_get(&world->g.problem.parameters, &parameter_added);
    for (size_t j = 0; j < N; j++)
        bias += (wide)added * added * world->alpha[j] * world->g.y[j];
    for (size_t j = 0; j < N; j++) {
        u[j] = world->g.y[j] * (world->f[j] + bias);
        figures[1] += world->alpha[j] * u[j];
        high = world->alpha[j] > 0 ? fmaxl(high, u[j]) : high;
        low = fminl(low, u[j]);
    }
    figures[0] = figures[1] / 2;
    figures[2] = figures[1] - low;
    figures[5] = high - low;
}

static wide violation_without_bias(const struct world *world, size_t j, wide slope)
{
    wide c = world->formulation == FORMULATION_NO_BIAS_SVM ? world->c : HUGE_VALL, alpha = world->alpha[j],
         k = world->k[j][j];
    if (!(k > 0))
        return (slope < 0 && alpha < c) || (slope > 0 && alpha > 0) ? fabsl(slope) : 0;
    wide worth = fmaxl(k, 1 / c);
    return slope < 0 ? fminl(-slope, (c - alpha) * worth) : fminl(slope, alpha * worth);
}

static void exact_without_bias(const struct world *world, wide *figures)
{
    wide sum = 0, slack = 0, margin = HUGE_VALL;
    for (size_t j = 0; j < N; j++) {
        wide yf = world->g.y[j] * world->f[j];
        sum += world->alpha[j];
        figures[1] += world->alpha[j] * yf;
        slack += fmaxl(0, 1 - yf);
        margin = fminl(margin, yf);
        figures[5] = fmaxl(figures[5], violation_without_bias(world, j, yf - 1));
    }
    figures[0] = sum - figures[1] / 2;
    figures[2] = world->formulation == FORMULATION_NO_BIAS_SVM ? figures[1] + world->c * slack - sum
                 : margin > 0                                  ? figures[1] / (2 * margin * margin) - figures[0]
                                                               : HUGE_VALL;
}

static void exact_with_bias(const struct world *world, wide *figures)
{
    int square = world->formulation == FORMULATION_SQUARE_SVM;
    wide c = square ? HUGE_VALL : world->c, up = HUGE_VALL, low = -HUGE_VALL, sum = 0, slack = 0, plain = 0;
    for (size_t j = 0; j < N; j++) {
        int y = world->g.y[j];
        wide at = world->f[j] - y, alpha = world->alpha[j];
        up = (y > 0 ? alpha < c : alpha > 0) ? fminl(up, at) : up;
        low = (y > 0 ? alpha > 0 : alpha < c) ? fmaxl(low, at) : low;
        sum += alpha;
        figures[1] += alpha * y * world->f[j];
    }
    wide bias = -(up + low) / 2;
    for (size_t j = 0; j < N; j++) {
        int y = world->g.y[j];
        wide of_w = world->f[j] - (square ? world->alpha[j] * y / (wide)world->c : 0),
             xi = fmaxl(0, 1 - y * (of_w + bias));
        slack += square ? xi * xi / 2 : xi;
        plain += world->alpha[j] * y * of_w;
    }
    figures[0] = sum - figures[1] / 2;
    figures[2] = (square ? plain / 2 : figures[1] / 2) + world->c * slack - figures[0];
    figures[5] = fmaxl(0, low - up);
}

static void exact_figures(const struct world *world, wide *figures)
{
    memset(figures, 0, FIGURES * sizeof *figures);
    switch (world->formulation) {
    case FORMULATION_NEAREST_POINTS:
        exact_hulls(world, figures);
        break;
    case FORMULATION_MINIMUM_NORM:
        exact_minimum_norm(world, figures);
        break;
    case FORMULATION_C_SVM:
    case FORMULATION_SQUARE_SVM:
        exact_with_bias(world, figures);
        break;
    default:
        exact_without_bias(world, figures);
    }
}

/* ---- comparison ---- */

struct totals {
    double error[FIGURES], bound[FIGURES];
};

static void judge_world(struct world *world, double *figures, double *bounds)
{
    struct judgement found;
    double *alpha = simd_doubles(N), *products = simd_doubles(N), scratch[N];
    memcpy(alpha, world->alpha, sizeof world->alpha);
    judge(&(struct judging){&world->g.problem, world->formulation, world->g.gram, alpha, 1e-6, products, scratch},
          &found);
    if (world->closely)
        assert_true(judge_closely(&(struct judging){&world->g.problem, world->formulation, world->g.gram, alpha, 1e-6,
                                  products, scratch}, 0, &found));
    const double figure[FIGURES] = {found.objective,    found.norm2,        found.duality_gap,
                                    found.class_gap[0], found.class_gap[1], found.kkt_violation};
    const double bound[FIGURES] = {found.rounding.objective,    found.rounding.norm2,
                                   found.rounding.duality_gap,  found.rounding.class_gap[0],
                                   found.rounding.class_gap[1], found.rounding.kkt_violation};
    memcpy(figures, figure, sizeof figure);
    memcpy(bounds, bound, sizeof bound);
    free(alpha), free(products);
}

/* Exact values are known to 2^-11 of double precision. */
static void compare(struct world *world, struct totals *totals)
{
    wide exact[FIGURES];
    double figure[FIGURES], bound[FIGURES];
    exact_figures(world, exact);
    judge_world(world, figure, bound);
    for (int k = 0; k < FIGURES; k++) {
        if (isnan(figure[k]) || isinf(bound[k]) || (isinf(figure[k]) && isinf(exact[k])))
            continue; /* only hulls have class gaps; a hard margin that does not separate has no gap */
        double error = (double)fabsl(figure[k] - exact[k]);
        if (!(error <= bound[k] * (1 + 0x1p-11)))
            fail_msg("formulation %d, kernel %d: %s is %.17g, exactly %.17Lg, which is %g apart; bound %g",
                     (int)world->formulation, (int)gram_kernel(world->g.gram)->type, names[k], figure[k], exact[k],
                     error, bound[k]);
        totals->error[k] +=
            fmax(error, 0.5 * DBL_EPSILON * fabs(figure[k])); /* no value is more exact than its last place */
        totals->bound[k] += bound[k];
    }
}

static const struct kernel kernels[] = {
    {.type = KERNEL_LINEAR},
    {.type = KERNEL_RBF, .width = 3},
    {.type = KERNEL_POLYNOMIAL, .scale = 0.5, .offset = 1, .degree = 3},
    {.type = KERNEL_POLYNOMIAL, .scale = -1.5, .offset = 0.3, .degree = 2},
    {.type = KERNEL_PRECOMPUTED},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* A bound assumes the worst of some 30 roundings in each of 30 products of 4 features, and norms in place of inner
 * products. Actual errors grow like a square root, which gives a factor of some 100, and a cubic kernel has seven times
 * the roundings. */
static const double vacuous = 2000;

static void compare_at(double offset, int sharp)
{
    for (int f = 0; f < FORMULATION_COUNT; f++)
        for (size_t k = 0; k < KERNELS; k++) {
            struct totals totals = {{0}, {0}};
            for (unsigned long seed = 1; seed <= 40; seed++) {
                struct world world;
                open_world(&world, (enum formulation)f, &kernels[k], offset, seed);
                compare(&world, &totals);
                geometry_close(&world.g);
            }
            for (int figure = 0; figure < FIGURES; figure++)
                if (sharp && totals.bound[figure] > vacuous * totals.error[figure])
                    fail_msg("formulation %d, kernel %zu: the bound of the %s is %g times its error", f, k,
                             names[figure], totals.bound[figure] / totals.error[figure]);
        }
}

static void no_figure_is_further_from_the_exact_one_than_its_bound(void **state)
{
    (void)state;
    compare_at(0, !under_valgrind());
}

static int is_in_reduced_hulls(const struct world *world)
{
    double sum[2] = {0, 0}, outside = 0;
    for (int i = 0; i < N; i++) {
        sum[world->g.problem.y[i] < 0] += world->alpha[i];
        outside += fmax(0, fmax(-world->alpha[i], world->alpha[i] - world->mu));
    }
    return fabs(sum[0] - 1) < 1e-12 && fabs(sum[1] - 1) < 1e-12 && outside < 1e-12;
}

/* Far from the origin that of the violation is far smaller if the constraints hold. The multipliers of SVM duals here
 * are not balanced, so the patterns minus their mean are another problem. */
static void close_judgements_keep_smaller_bounds(void **state)
{
    (void)state;
    for (int f = 0; f < FORMULATION_COUNT; f++)
        for (size_t k = 0; k < KERNELS; k++)
            for (unsigned long seed = 1; seed <= 20; seed++) {
                struct world world;
                struct totals totals = {{0}, {0}};
                double figure[FIGURES], first[FIGURES], bound[FIGURES];
                int is_dual = f == FORMULATION_C_SVM || f == FORMULATION_SQUARE_SVM;
                open_world(&world, (enum formulation)f, &kernels[k], seed % 2 ? 0 : 30, seed);
                judge_world(&world, figure, first);
                world.closely = 1;
                judge_world(&world, figure, bound);
                if (!is_dual || kernels[k].type != KERNEL_LINEAR)
                    compare(&world, &totals);
                if (f == FORMULATION_NEAREST_POINTS && kernels[k].type == KERNEL_LINEAR && seed % 2 == 0)
                    assert_true(bound[5] < 0.1 * first[5] || !is_in_reduced_hulls(&world));
                geometry_close(&world.g);
            }
}

static void the_drift_of_sums_grows_like_a_root(void **state)
{
    (void)state;
    const struct meeting meeting = {.start = 3, .drift = 2};
    assert_true(rounding_of_sums(&meeting, 0) == 3);
    assert_true(rounding_of_sums(&meeting, 16) == 11);
    assert_true(rounding_of_sums_at_most(&meeting, 2) == 259);
}

static void nor_is_it_where_the_data_are_far_from_the_origin(void **state)
{
    (void)state;
    for (double offset = 1e2; offset <= 1e10; offset *= 100)
        compare_at(offset, 0);
}

/* Bounds of |W|^2 grow with the square of the offset for a linear kernel, and not at all for a Gaussian. */
static void distances_do_not_mind_an_offset(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        double figure[FIGURES], near[FIGURES], far[FIGURES];
        struct world world;
        open_world(&world, FORMULATION_NEAREST_POINTS, &kernels[k], 0, 1);
        judge_world(&world, figure, near);
        geometry_close(&world.g);
        open_world(&world, FORMULATION_NEAREST_POINTS, &kernels[k], 1e4, 1);
        judge_world(&world, figure, far);
        geometry_close(&world.g);
        double growth = far[1] / near[1];
        assert_true(kernels[k].type == KERNEL_RBF ? growth > 0.9 && growth < 1.1 : growth > 1e7 && growth < 1e10);
    }
}

static void a_figure_that_overflows_has_no_finite_bound(void **state)
{
    (void)state;
    for (int f = 0; f < FORMULATION_COUNT; f++) {
        double figure[FIGURES], bound[FIGURES];
        struct world world;
        open_world(&world, (enum formulation)f, &kernels[0], 1e170, 1);
        judge_world(&world, figure, bound);
        assert_true(isinf(bound[0]) && isinf(bound[1]) && isinf(bound[2]) && isinf(bound[5]));
        geometry_close(&world.g);
    }
}

static double own_value(double inner_product, const double *values)
{
    (void)values;
    return inner_product;
}

/* docs/plugins.md: the stated units of 2^-53, or 16 + 4d if none is stated. The sum of k roundings is at most
 * k u / (1 - k u), Higham 2002, Lemma 3.1; a ridge adds two more. */
static void a_kernel_of_a_plugin_has_the_error_it_states_or_the_usual_one(void **state)
{
    static const struct {
        double roundings, per_feature;
        size_t dims;
        double units;
    } cases[] = {{0, 0, 1, 20}, {0, 0, 3, 28}, {5, 0, 3, 5}, {0, 2, 3, 6}, {1, 0.5, 4, 3}};
    const double x[2 * 4] = {1, 2, 3, 4, 5, 6, 7, 8}, u = 0x1p-53;
    const signed char y[2] = {1, -1};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct kernel_family family = {.name = "own",
                                             .meaning = "m",
                                             .type = KERNEL_OF_PLUGIN,
                                             .of_inner_product = own_value,
                                             .roundings = cases[i].roundings,
                                             .roundings_per_feature = cases[i].per_feature};
        const struct kernel kernel = {.type = KERNEL_OF_PLUGIN, .family = &family};
        struct geometry g;
        geometry_open(&g, 2, cases[i].dims, x, y, &kernel);
        const double bound = cases[i].units * u / (1 - cases[i].units * u);
        const double few = 4 * DBL_EPSILON * bound; /* roundings of the bound itself */
        assert_true(fabs(rounding_of_kernel(g.gram).relative - bound) <= few);
        gram_set_ridge(g.gram, 0.5);
        assert_true(fabs(rounding_of_kernel(g.gram).relative - (bound + 2 * u)) <= few);
        geometry_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_figure_is_further_from_the_exact_one_than_its_bound),
        cmocka_unit_test(close_judgements_keep_smaller_bounds),
        cmocka_unit_test(the_drift_of_sums_grows_like_a_root),
        cmocka_unit_test(nor_is_it_where_the_data_are_far_from_the_origin),
        cmocka_unit_test(distances_do_not_mind_an_offset),
        cmocka_unit_test(a_figure_that_overflows_has_no_finite_bound),
        cmocka_unit_test(a_kernel_of_a_plugin_has_the_error_it_states_or_the_usual_one),
    };
    return cmocka_run_group_tests_name("rounding", tests, NULL, NULL);
}
