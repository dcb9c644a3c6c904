/*
 * Section 6 of Potluru et al. (2008): at the solution an update multiplies the coefficient of a pattern that is no
 * support vector by
 *
 *   gamma_i <= 1 / (1 + (d_i - d) d / (2 l_i l))    m3, eq. 10
 *   gamma_i <= 1 / (1 + (d_i - d) d / (l_i l))      munk, eq. 11
 *
 * where d_i is the pattern's distance from the plane, d the margin, l_i its distance from the origin, and l the largest
 * of these. The factor is computed from the solution and from the solvers' own last sweeps. Contributions of dying
 * coefficients are omitted from sums if they would change nothing.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "solvers/multiplicative/nonnegative.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"

static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

/* The hard-margin solution with the quantities in the bounds. */
struct solved {
    double *alpha, *margin; /* y_j f_j */
    double norm2, longest;  /* |w|^2, largest l_i */
};

static void solve_exactly(struct geometry *g, struct solved *solved)
{
    const struct solver *adatron = solver_find("kernel-adatron");
    struct solution solution;
    struct judgement judgement;
    struct solve_request request = {.solver = adatron,
                                    .problem = &g->problem,
                                    .oracle = g->oracle,
                                    .stop = {STOP_GAP_MAX_NORM2, 1e-11},
                                    .budget = {.iterations = 2000000}};
    double *scratch = simd_doubles(g->n);
    solved->alpha = simd_doubles(g->n);
    solved->margin = simd_doubles(g->n);
    assert_int_equal(solve(&request, solved->alpha, &solution, NULL), STATUS_OK);
    assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
    judge(&(struct judging){&g->problem, adatron->formulation, g->gram, solved->alpha, 1e-6, solved->margin, scratch},
          &judgement);
    free(scratch);
    solved->norm2 = solved->longest = 0;
    for (size_t j = 0; j < g->n; j++) {
        solved->margin[j] *= g->y[j];
        solved->norm2 += solved->alpha[j] * solved->margin[j];
        solved->longest = fmax(solved->longest, sqrt(gram_row(g->gram, j)[j]));
    }
}

/* (d_i - d) d / (l_i l), d_i = y f / |w|, d = 1 / |w| */
static double exponent(struct geometry *g, const struct solved *solved, size_t i)
{
    double length = sqrt(gram_row(g->gram, i)[i]);
    return (solved->margin[i] - 1) / solved->norm2 / (length * solved->longest);
}

/* The factor by which an update multiplies alpha_i at the solution. */
static double factor_at(struct geometry *g, const struct solved *solved, size_t i, int m3)
{
    double own = 0, other = 0;
    const double *row = gram_row(g->gram, i);
    for (size_t j = 0; j < g->n; j++)
        *(g->y[j] == g->y[i] ? &own : &other) += solved->alpha[j] * row[j];
    return m3 ? (1 + sqrt(1 + 4 * own * other)) / (2 * own) : (other + 1) / own;
}

static void check_decay(struct geometry *g, const char *set, const char *name, int sweeps)
{
    struct solved solved;
    int m3 = strcmp(name, "m3") == 0, count = 0, compared = 0;
    double closest = 0, *before = simd_doubles(g->n), *after = simd_doubles(g->n), sum = 0, bounds = 0;
    solve_exactly(g, &solved);
    void *state = geometry_start(g, solver_find(name));
    for (int k = 1; k < sweeps; k++)
        solver_find(name)->update(state, g->oracle);
    solver_find(name)->alpha(state, before);
    solver_find(name)->update(state, g->oracle);
    solver_find(name)->alpha(state, after);
    for (size_t i = 0; i < g->n; i++) {
        if (solved.alpha[i] > 0 || !(solved.margin[i] > 1 + 1e-4)) /* the solution itself is accurate to about 1e-6 */
            continue;
        double bound = 1 / (1 + (m3 ? 0.5 : 1) * exponent(g, &solved, i)); /* eqs. 10 and 11 */
        double gamma = factor_at(g, &solved, i, m3);
        if (!(gamma <= bound * (1 + 1e-5)))
            fail_msg("%s, %s: coefficient %zu is multiplied by %.9g, above the bound %.9g", set, name, i, gamma, bound);
        closest = fmax(closest, log(bound) / log(gamma));
        sum += gamma;
        bounds += bound;
        count++;
        if (before[i] > 0x1p-490) { /* above the smallest value that the solver keeps */
            double measured = after[i] / before[i];
            if (!(fabs(measured - gamma) < 1e-3)) /* the other coefficients have not fully converged */
                fail_msg("%s, %s: coefficient %zu was multiplied by %.9g, at the solution by %.9g", set, name, i,
                         measured, gamma);
            compared++;
        }
    }
    print_message(
        "%s, %s: %d coefficients die; mean factor %.4f, mean bound %.4f; log bound / log factor at most %.3f; "
        "%d still above 2^-490 after %d sweeps\n",
        set, name, count, sum / count, bounds / count, closest, compared, sweeps);
    assert_true(count > 0 && compared > 0);
    free(state), free(before), free(after), free(solved.alpha), free(solved.margin);
}

static void coefficients_die_at_least_as_fast_as_bounds_10_and_11(void **test_state)
{
    (void)test_state;
    for (unsigned long seed = 1; seed <= 3; seed++)
        for (int k = 0; k < 2; k++) {
            struct geometry g;
            geometry_random(&g, 60, 3, 1, seed, &rbf);
            check_decay(&g, "random", k ? "munk" : "m3", 20000);
            geometry_close(&g);
        }
}

static void bounds_10_and_11_hold_on_real_data(void **test_state)
{
    (void)test_state;
    const struct {
        const char *name;
        struct kernel kernel;
    } sets[] = {{"wisconsin", {.type = KERNEL_RBF, .width = 2}}, {"sonar", {.type = KERNEL_RBF, .width = 60}}};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 2; k++) {
            struct geometry g;
            if (geometry_split(&g, sets[s].name, &sets[s].kernel) != STATUS_OK)
                skip_for(no_data);
            check_decay(&g, sets[s].name, k ? "munk" : "m3", 4000);
            geometry_close(&g);
        }
}

/* The contribution of a class, with every row added. */
static void sum_every_row(struct geometry *g, const struct nonnegative *state, size_t side, double *sum)
{
    for (size_t j = 0; j < g->n; j++) {
        sum[j] = 0;
        for (size_t i = 0; i < g->n; i++)
            if (nonnegative_side(state, i) == side)
                sum[j] += state->alpha[i] * gram_row(g->gram, i)[j];
    }
}

/* Multipliers that decrease over many powers of 2, from `first` on, in a special order, some of them 0. */
static void spread(struct nonnegative *state, int powers, int first)
{
    for (size_t i = 0; i < state->n; i++) {
        int power = (int)(i * 37 % 101) * powers / 101;
        state->alpha[i] = i % 23 == 5 ? 0 : (1 + (double)(i % 7) / 7) * ldexp(1, first - power);
    }
}

/* Gaussians, and squares of inner products, some of them almost 0. */
static void rows_left_out_of_a_sum_would_not_have_changed_it(void **state)
{
    (void)state;
    static const struct kernel kernels[] = {
        {.type = KERNEL_RBF, .width = 4},
        {.type = KERNEL_RBF, .width = 0.01},
        {.type = KERNEL_POLYNOMIAL, .degree = 2, .scale = 1},
        {.type = KERNEL_POLYNOMIAL, .degree = 4, .offset = 1, .scale = 1},
    };
    static const int powers[] = {0, 40, 52, 53, 54, 55, 56, 60, 120, 500};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct geometry g;
        double expected[300];
        geometry_random(&g, 300, 2, 1, 4, &kernels[k]);
        struct nonnegative *at = geometry_start(&g, solver_find("munk"));
        for (size_t p = 0; p < 2 * (sizeof powers / sizeof *powers); p++)
            for (size_t side = 0; side < 2; side++) {
                size_t rows = 0;
                spread(at, powers[p / 2], p % 2 ? 0 : -450);
                for (size_t i = 0; i < g.n; i++)
                    rows += nonnegative_side(at, i) == side;
                uint64_t before = oracle_operations(g.oracle, PHASE_ITERATIONS);
                nonnegative_sum_class(at, side, g.oracle);
                assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS) - before, rows * g.n);
                sum_every_row(&g, at, side, expected);
                assert_memory_equal(at->products[side], expected, g.n * sizeof *expected);
            }
        free(at);
        geometry_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_die_at_least_as_fast_as_bounds_10_and_11),
        cmocka_unit_test(bounds_10_and_11_hold_on_real_data),
        cmocka_unit_test(rows_left_out_of_a_sum_would_not_have_changed_it),
    };
    return cmocka_run_group_tests_name("decay", tests, NULL, NULL);
}
