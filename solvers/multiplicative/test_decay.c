/*
 * Section 6 of Potluru et al. (2008): at the solution an update multiplies the coefficient of a pattern that is no
 * support vector by
 *
 *   gamma_i <= 1 / (1 + (d_i - d) d / (2 l_i l))    m3, eq. 10
 *   gamma_i <= 1 / (1 + (d_i - d) d / (l_i l))      munk, eq. 11
 *
 * d_i the pattern's distance from the plane, d the margin, l_i its distance from the origin, l the largest of these.
 * The factor is found from the solution and from the solvers' own last sweeps.
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
#include "tests/geometry.h"

static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

/* The hard-margin solution with what the bounds are made of. */
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
    judge(&g->problem, adatron->formulation, g->gram, solved->alpha, 1e-6, solved->margin, scratch, &judgement);
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

/* What one update multiplies alpha_i by at the solution. */
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
        if (solved.alpha[i] > 0 || !(solved.margin[i] > 1 + 1e-4)) /* the solution itself is good to some 1e-6 */
            continue;
        double bound = 1 / (1 + (m3 ? 0.5 : 1) * exponent(g, &solved, i)); /* eqs. 10 and 11 */
        double gamma = factor_at(g, &solved, i, m3);
        if (!(gamma <= bound * (1 + 1e-5)))
            fail_msg("%s, %s: coefficient %zu is multiplied by %.9g, above the bound %.9g", set, name, i, gamma, bound);
        closest = fmax(closest, log(bound) / log(gamma));
        sum += gamma;
        bounds += bound;
        count++;
        if (before[i] > 0x1p-490) { /* has not yet reached the least value that the solver keeps */
            double measured = after[i] / before[i];
            if (!(fabs(measured - gamma) < 1e-3)) /* the other coefficients have not quite converged */
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
                skip();
            check_decay(&g, sets[s].name, k ? "munk" : "m3", 4000);
            geometry_close(&g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_die_at_least_as_fast_as_bounds_10_and_11),
        cmocka_unit_test(bounds_10_and_11_hold_on_real_data),
    };
    return cmocka_run_group_tests_name("decay", tests, NULL, NULL);
}
