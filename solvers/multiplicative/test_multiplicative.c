/*
 * MUNK, M3 and the kernel adatron against their equations over full matrices, the properties claimed for every sweep,
 * and their common solution.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/multiplicative/nonnegative.h"
#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

static const char *const all[] = {"munk", "munk-soft", "munk-in-turn",   "munk-subset",        "munk-subset-soft",
                                  "m3",   "m3-soft",   "kernel-adatron", "kernel-adatron-soft"};
enum { ALL = sizeof all / sizeof *all };

/* ---- the plain equations ---- */

enum { N = 14, DIMS = 3 };

struct written_out {
    double a[N][N]; /* y_i y_j k_ij, from the patterns themselves */
    double alpha[N];
    signed char y[N];
};

static void write_out(struct written_out *out, const struct geometry *g, const struct kernel *kernel)
{
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double distance2 = 0, product = 0;
            for (size_t d = 0; d < DIMS; d++) {
                double p = g->x[i * DIMS + d], q = g->x[j * DIMS + d];
                distance2 += (p - q) * (p - q);
                product += p * q;
            }
            double k = kernel->type == KERNEL_LINEAR ? product : exp(-distance2 / 4);
            out->a[i][j] = g->y[i] * g->y[j] * k;
        }
    memcpy(out->y, g->y, N);
}

static double slope(const struct written_out *out, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < N; j++)
        sum += out->a[i][j] * out->alpha[j];
    return sum - 1;
}

/* (A+ alpha)_i and (A- alpha)_i */
static void split(const struct written_out *out, size_t i, double *plus, double *minus)
{
    *plus = *minus = 0;
    for (size_t j = 0; j < N; j++)
        *(out->a[i][j] > 0 ? plus : minus) += fabs(out->a[i][j]) * out->alpha[j];
}

static void munk_sweep(struct written_out *out, double c, int in_turn)
{
    double next[N] = {0}, plus, minus;
    for (int class = 1; class >= -1; class -= 2) {
        for (size_t i = 0; i < N; i++) {
            split(out, i, &plus, &minus);
            if (out->y[i] == class)
                next[i] = fmin(c, out->alpha[i] * (minus + 1) / plus); /* eqs. 7 and 8 */
        }
        for (size_t i = 0; i < N && in_turn; i++)
            if (out->y[i] == class)
                out->alpha[i] = next[i];
    }
    memcpy(out->alpha, next, sizeof next);
}

static void m3_sweep(struct written_out *out, double c)
{
    double next[N], plus, minus;
    for (size_t i = 0; i < N; i++) {
        split(out, i, &plus, &minus);
        next[i] = fmin(c, out->alpha[i] * (1 + sqrt(1 + 4 * plus * minus)) / (2 * plus));
    }
    memcpy(out->alpha, next, sizeof next);
}

static void adatron_sweep(struct written_out *out, double c, double step)
{
    for (size_t i = 0; i < N; i++)
        out->alpha[i] = fmin(c, fmax(0, out->alpha[i] - step / out->a[i][i] * slope(out, i)));
}

static void sweep(struct written_out *out, const char *name, double c, double step)
{
    if (strncmp(name, "munk", 4) == 0)
        munk_sweep(out, c, strcmp(name, "munk-in-turn") == 0);
    else if (name[0] == 'm')
        m3_sweep(out, c);
    else
        adatron_sweep(out, c, step);
}

static void follow(struct geometry *g, const struct kernel *kernel, const char *name)
{
    const struct solver *solver = solver_find(name);
    double alpha[N], c = strstr(name, "-soft") ? 0.8 : HUGE_VAL, step = 1.5;
    struct written_out out;
    struct progress progress = {.need_objective = 1};
    write_out(&out, g, kernel);
    parameter_set(&g->problem.parameters, &parameter_c, c);
    parameter_set(&g->problem.parameters, &parameter_step, step);
    void *state = geometry_start(g, solver);
    for (size_t i = 0; i < N; i++)
        out.alpha[i] = fmin(1 / out.a[i][i], c);
    for (int k = 0; k < 20; k++) {
        solver->alpha(state, alpha);
        for (size_t i = 0; i < N; i++) /* 20 sweeps of sums of 14 terms; the factors are accurate to the last digits */
            if (!(fabs(alpha[i] - out.alpha[i]) <= 1e-12 * (1 + fabs(out.alpha[i]))))
                fail_msg("%s: alpha %zu is %.17g after %d sweeps, written out %.17g", name, i, alpha[i], k,
                         out.alpha[i]);
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
        solver->update(state, g->oracle);
        sweep(&out, name, c, step);
    }
    free(state);
}

/* A plain iteration of munk-subset without a bound: the q patterns of the largest violation enter, are swept until the
 * violation is a tenth, and leave. Products are summed again for every coefficient. */
static double way_to_best(const struct written_out *out, size_t i)
{
    return fmin(slope(out, i), out->a[i][i] * out->alpha[i]);
}

static double worst_of(const struct written_out *out, const size_t *set, size_t count)
{
    double worst = 0;
    for (size_t b = 0; b < count; b++)
        worst = fmax(worst, fabs(way_to_best(out, set[b])));
    return worst;
}

static size_t choose(const struct written_out *out, size_t q, size_t *set)
{
    size_t count = 0;
    int taken[N] = {0};
    while (count < q) {
        size_t max = N;
        for (size_t i = 0; i < N; i++)
            if (!taken[i] && fabs(way_to_best(out, i)) > 0 &&
                (max == N || fabs(way_to_best(out, i)) > fabs(way_to_best(out, max))))
                max = i;
        if (max == N)
            break;
        taken[max] = 1;
        set[count++] = max;
    }
    return count;
}

static void subset_iteration(struct written_out *out, size_t q)
{
    size_t set[N], count = choose(out, q, set);
    double goal = 0.1 * worst_of(out, set, count), entering[N] = {0}, plus, minus;
    for (size_t b = 0; b < count; b++)
        if (!(out->alpha[set[b]] > 0))
            entering[b] = fmax(0, -slope(out, set[b])) / out->a[set[b]][set[b]] / (double)count;
    for (size_t b = 0; b < count; b++)
        out->alpha[set[b]] += entering[b];
    for (int k = 0; k < 50 && worst_of(out, set, count) > goal; k++)
        for (size_t b = 0; b < count; b++) {
            split(out, set[b], &plus, &minus);
            out->alpha[set[b]] *= (minus + 1) / plus;
        }
    for (size_t b = 0; b < count; b++)
        if (out->alpha[set[b]] - slope(out, set[b]) / out->a[set[b]][set[b]] <= 0)
            out->alpha[set[b]] = 0;
}

static void subset_iterations_are_those_written_out(void **test_state)
{
    (void)test_state;
    const struct solver *solver = solver_find("munk-subset");
    for (unsigned long seed = 1; seed <= 5; seed++)
        for (size_t q = 2; q <= 6; q += 2) {
            struct geometry g;
            struct written_out out = {.y = {0}};
            struct progress progress = {.need_objective = 1};
            double alpha[N];
            geometry_random(&g, N, DIMS, 0.7, seed, &rbf);
            parameter_set(&g.problem.parameters, &parameter_q, (double)q);
            write_out(&out, &g, &rbf);
            void *state = geometry_start(&g, solver);
            for (int k = 0; k < 12; k++) {
                assert_int_equal(solver->select(state, &progress), STATUS_OK);
                assert_int_equal(solver->update(state, g.oracle), STATUS_OK);
                subset_iteration(&out, q);
                solver->alpha(state, alpha);
                for (size_t i = 0; i < N; i++) /* some hundred sweeps of sums of 14 terms */
                    if (!(fabs(alpha[i] - out.alpha[i]) <= 1e-11 * (1 + fabs(out.alpha[i]))))
                        fail_msg("seed %lu, q %zu: alpha %zu is %.17g after iteration %d, written out %.17g", seed, q,
                                 i, alpha[i], k, out.alpha[i]);
            }
            free(state);
            geometry_close(&g);
        }
}

static void sweeps_are_those_of_the_equations(void **test_state)
{
    (void)test_state;
    for (unsigned long seed = 1; seed <= 3; seed++)
        for (int k = 0; k < ALL; k++) {
            struct geometry g;
            if (strncmp(all[k], "munk-subset", 11) == 0)
                continue;
            geometry_random(&g, N, DIMS, 0.7, seed, &rbf);
            follow(&g, &rbf, all[k]);
            geometry_close(&g);
            if (strncmp(all[k], "munk", 4) == 0)
                continue;
            geometry_random(&g, N, DIMS, 1.5, seed, &linear); /* values of both signs */
            follow(&g, &linear, all[k]);
            geometry_close(&g);
        }
}

/* ---- properties of every sweep ---- */

static int never_grows(struct geometry *g, const char *name, int max)
{
    const struct solver *solver = solver_find(name);
    double previous = HUGE_VAL;
    int k = 0;
    void *state = geometry_start(g, solver);
    for (; k < max; k++) {
        struct progress progress = {.need_objective = 1};
        solver->select(state, &progress);
        /* 1/2 |W|^2 and sum alpha have the magnitude of `scale`; each is a sum of at most some hundred terms */
        double scale = fmax(1, progress.norm2);
        if (!(progress.objective <= previous + 1e-13 * scale))
            fail_msg("%s: S grew from %.17g to %.17g in sweep %d", name, previous, progress.objective, k);
        previous = progress.objective;
        if (solver->update(state, g->oracle) != STATUS_OK)
            break;
    }
    free(state);
    return k;
}

static void the_objective_falls_in_every_sweep(void **test_state)
{
    (void)test_state;
    for (unsigned long seed = 1; seed <= 3; seed++)
        for (int k = 0; k < ALL; k++)
            for (int c = 0; c < 3; c++) {
                struct geometry g;
                geometry_random(&g, 60, 3, 0.7, seed, &rbf);
                parameter_set(&g.problem.parameters, &parameter_c, c == 0 ? 0.01 : c == 1 ? 1 : 100);
                parameter_set(&g.problem.parameters, &parameter_step, c == 0 ? 0.3 : c == 1 ? 1 : 1.8);
                never_grows(&g, all[k], 3000);
                geometry_close(&g);
            }
}

static void the_objective_falls_in_every_sweep_on_real_data(void **test_state)
{
    (void)test_state;
    const char *const sets[] = {"wisconsin", "sonar"};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < ALL; k++) {
            struct geometry g;
            const struct kernel kernel = {.type = KERNEL_RBF, .width = 18};
            if (geometry_split(&g, sets[s], &kernel) != STATUS_OK)
                skip_for(no_data);
            parameter_set(&g.problem.parameters, &parameter_c, 10);
            assert_true(never_grows(&g, all[k], 200) > 10);
            geometry_close(&g);
        }
}

static enum status solve_for(struct geometry *g, const char *name, enum stop_rule rule, double tolerance, uint64_t max,
                             double *alpha, struct solution *solution, struct error *error)
{
    struct solve_request request = {.solver = solver_find(name),
                                    .problem = &g->problem,
                                    .oracle = g->oracle,
                                    .stop = {rule, tolerance},
                                    .budget = {.iterations = max}};
    return solve(&request, alpha, solution, error);
}

static void a_kernel_value_below_zero_is_an_error_that_names_the_pair_for_munk_only(void **test_state)
{
    (void)test_state;
    const double x[] = {1, 0, 2, 1, 0, 1, -1, 3}; /* only patterns 1 and 4 have a negative product, -1 */
    const signed char y[] = {1, 1, -1, -1};
    for (int k = 0; k < ALL; k++) {
        struct geometry g;
        struct error error = {.status = STATUS_OK};
        struct solution solution;
        double *alpha = simd_doubles(4);
        geometry_open(&g, 4, 2, x, y, &linear);
        parameter_set(&g.problem.parameters, &parameter_c, 2);
        enum status status = solve_for(&g, all[k], STOP_KKT, 1e-3, 2000, alpha, &solution, &error);
        if (strncmp(all[k], "munk", 4) == 0) {
            assert_int_equal(status, STATUS_BAD_INPUT);
            assert_non_null(strstr(error.message, all[k]));
            assert_non_null(strstr(error.message, "training patterns 1 and 4 is -1"));
            assert_int_equal(solve_for(&g, all[k], STOP_KKT, 1e-3, 2000, alpha, &solution, NULL), STATUS_BAD_INPUT);
        } else {
            assert_int_equal(status, STATUS_OK);
            assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
        }
        free(alpha);
        geometry_close(&g);
    }
}

/* A pattern at the origin has zero row and diagonal: with a bound its coefficient is C, without one no optimum
 * exists. */
static void patterns_of_zero_length_do_no_harm(void **test_state)
{
    (void)test_state;
    const double x[] = {0, 0, 2, 1, 0, 0, 1, 3};
    const signed char y[] = {1, 1, -1, -1};
    for (int k = 0; k < ALL; k++) {
        struct geometry g;
        struct solution solution;
        double alpha[SIMD_LANES];
        geometry_open(&g, 4, 2, x, y, &linear);
        parameter_set(&g.problem.parameters, &parameter_c, 7);
        assert_int_equal(solve_for(&g, all[k], STOP_KKT, 1e-9, 3000, alpha, &solution, NULL), STATUS_OK);
        for (int i = 0; i < 4; i++)
            assert_true(isfinite(alpha[i]) && alpha[i] >= 0);
        if (strstr(all[k], "-soft")) {
            assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
            assert_true(alpha[0] == 7 && alpha[2] == 7);
        } else
            assert_int_not_equal(solution.outcome, OUTCOME_CONVERGED);
        geometry_close(&g);
    }
}

/* k_jj = 1e-320 is nonzero, but 1 / k_jj is infinite. */
static void patterns_of_next_to_no_length_start_finite(void **test_state)
{
    (void)test_state;
    const double x[] = {1e-160, 0, 2, 1, 0, 1e-160, 1, 3};
    const signed char y[] = {1, 1, -1, -1};
    for (int k = 0; k < ALL; k++) {
        struct geometry g;
        struct progress progress = {.need_objective = 1};
        double alpha[SIMD_LANES];
        geometry_open(&g, 4, 2, x, y, &linear);
        assert_true(gram_row(g.gram, 0)[0] > 0 && isinf(1 / gram_row(g.gram, 0)[0]));
        parameter_set(&g.problem.parameters, &parameter_c, 7);
        void *state = geometry_start(&g, solver_find(all[k]));
        for (int sweeps = 0; sweeps < 20; sweeps++) {
            solver_find(all[k])->alpha(state, alpha);
            for (int i = 0; i < 4; i++)
                assert_true(isfinite(alpha[i]) && alpha[i] >= 0);
            solver_find(all[k])->select(state, &progress);
            assert_true(isfinite(progress.objective));
            solver_find(all[k])->update(state, g.oracle);
        }
        free(state);
        geometry_close(&g);
    }
}

static void dying_coefficients_never_become_denormal_or_nan(void **test_state)
{
    (void)test_state;
    const char *const names[] = {"munk", "munk-soft", "munk-in-turn", "m3", "m3-soft"};
    for (int k = 0; k < 5; k++) {
        struct geometry g;
        double alpha[56], min = HUGE_VAL;
        struct progress progress = {0};
        geometry_random(&g, 50, 2, 4, 3, &rbf); /* far apart: most patterns are no support vectors */
        parameter_set(&g.problem.parameters, &parameter_c, 5);
        void *state = geometry_start(&g, solver_find(names[k]));
        for (int sweeps = 0; sweeps < 20000; sweeps++)
            solver_find(names[k])->update(state, g.oracle);
        solver_find(names[k])->alpha(state, alpha);
        for (int i = 0; i < 50; i++) {
            assert_true(isfinite(alpha[i]) && alpha[i] >= DBL_MIN);
            min = fmin(min, alpha[i]);
        }
        assert_true(min < 1e-150); /* some coefficients did die */
        assert_int_equal(solver_find(names[k])->select(state, &progress), STATUS_OK);
        assert_true(progress.delta < 1e-6);
        free(state);
        geometry_close(&g);
    }
}

/* ---- one solution ---- */

/* y_j f_j of every pattern, and the duality gap. */
static double judged(struct geometry *g, const char *name, const double *alpha, double *products,
                     struct judgement *judgement)
{
    double *scratch = simd_doubles(g->n);
    judge(&(struct judging){&g->problem, solver_find(name)->formulation, g->gram, alpha, 1e-6, products, scratch},
          judgement);
    free(scratch);
    return judgement->duality_gap;
}

/* D(alpha) <= D* - 1/2 |W - W*|^2, so two states are at most sqrt(2 gap_1) + sqrt(2 gap_2) apart, and so are the
 * decision values of any pattern times its length, here 1. */
static void all_algorithms_agree_at_convergence(void **test_state)
{
    (void)test_state;
    const size_t n = all_tests() ? 40 : 24;
    for (unsigned long seed = 1; seed <= (all_tests() ? 3 : 1); seed++)
        for (int soft = 0; soft < 2; soft++) {
            double *first = NULL, first_gap = 0, objective = 0;
            for (int k = 0; k < ALL; k++) {
                if ((strstr(all[k], "-soft") != NULL) != soft)
                    continue;
                struct geometry g;
                struct solution solution;
                struct judgement judgement;
                double *alpha = simd_doubles(n), *products = simd_doubles(n);
                geometry_random(&g, n, 3, 0.7, seed, &rbf);
                parameter_set(&g.problem.parameters, &parameter_c, 2);
                solve_for(&g, all[k], STOP_GAP_MAX_NORM2, 1e-8, 2000000, alpha, &solution, NULL);
                assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
                double gap = judged(&g, all[k], alpha, products, &judgement);
                assert_true(gap >= -1e-12 * judgement.objective &&
                            gap <= 2.1e-8 * judgement.objective); /* |W|^2 <= 2 D at such a point */
                if (!first) {
                    first = products;
                    first_gap = gap;
                    objective = judgement.objective;
                } else {
                    double apart = sqrt(2 * fmax(first_gap, 0)) + sqrt(2 * fmax(gap, 0)) + 1e-12;
                    for (size_t j = 0; j < n; j++)
                        assert_true(fabs(products[j] - first[j]) <= apart);
                    assert_true(fabs(judgement.objective - objective) <= fmax(first_gap, gap) + 1e-12);
                    free(products);
                }
                free(alpha);
                geometry_close(&g);
            }
            free(first);
        }
}

/* A = {k, 0.2, 0; 0.2, 0.01, -1; 0, -1, 0.1} and C = 10. At alpha = (0, 10, 10) the slopes are 1, -10.9 and -10 for
 * every k: each multiplier is at the bound that its slope leads to. */
static void the_adatron_follows_a_slope_to_0_without_a_positive_diagonal_value(void **test_state)
{
    (void)test_state;
    const struct kernel table = {.type = KERNEL_PRECOMPUTED};
    const double values[] = {0, -0.0, -0.05};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const double x[] = {values[i], 0.2, 0, 0.2, 0.01, 1, 0, 1, 0.1};
        const signed char y[] = {1, 1, -1};
        struct geometry g;
        struct solution solution;
        double alpha[SIMD_LANES];
        geometry_open(&g, 3, 3, x, y, &table);
        parameter_set(&g.problem.parameters, &parameter_c, 10);
        solve_for(&g, "kernel-adatron-soft", STOP_KKT, 1e-9, 3000, alpha, &solution, NULL);
        assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
        assert_true(alpha[0] == 0 && alpha[1] == 10 && alpha[2] == 10);
        geometry_close(&g);
    }
}

/* A pattern whose k_jj is 0 need not be at the origin if the kernel is a table: its slope may have either sign. */
static void without_a_diagonal_value_only_a_slope_that_can_be_followed_is_a_violation(void **test_state)
{
    (void)test_state;
    static const struct {
        double own, alpha, violation; /* y f and so slope + 1; for C = 5 */
    } cases[] = {{3, 5, 2}, {3, 0.1, 2}, {3, 0, 0}, {0.5, 0, 0.5}, {0.5, 4.9, 0.5}, {0.5, 5, 0}, {1, 0, 0}, {1, 2, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const signed char y[] = {1};
        double own = cases[k].own + 0.25, other = 0.25, diagonal = 0, alpha = cases[k].alpha;
        const struct nonnegative state = {
            .n = 1, .y = y, .limit = 5, .alpha = &alpha, .diagonal = &diagonal, .products = {&own, &other}};
        assert_true(nonnegative_violation(&state, 0) == cases[k].violation);
    }
}

/* Two patterns, A = {5, 6; 6, 8}: alpha = (1/5, 0). */
static void two_points_have_the_solution_found_by_hand(void **test_state)
{
    (void)test_state;
    const double x[] = {1, 2, -2, -2};
    const signed char y[] = {1, -1};
    const char *const names[] = {"m3", "m3-soft", "kernel-adatron", "kernel-adatron-soft"};
    for (int k = 0; k < 4; k++) {
        struct geometry g;
        struct solution solution;
        double alpha[SIMD_LANES];
        geometry_open(&g, 2, 2, x, y, &linear);
        parameter_set(&g.problem.parameters, &parameter_c, 10);
        solve_for(&g, names[k], STOP_KKT, 1e-13, 10000, alpha, &solution, NULL);
        assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
        assert_true(fabs(alpha[0] - 0.2) < 1e-12 && fabs(alpha[1]) < 1e-12);
        geometry_close(&g);
    }
}

static void m3_with_a_bias_solves_the_c_svm(void **test_state)
{
    (void)test_state;
    const size_t n = all_tests() ? 50 : 30;
    const unsigned long seeds[] = {1, 3, 4}; /* seed 2, linear, is degenerate and takes too long */
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 2; k++) {
            struct geometry g;
            struct solution solution;
            struct judgement m3, smo;
            if (!all_tests() && s != (k ? 1 : 0))
                continue;
            double *alpha = simd_doubles(n), *products = simd_doubles(n);
            geometry_random(&g, n, 3, 0.7, seeds[s], k ? &linear : &rbf);
            parameter_set(&g.problem.parameters, &parameter_c, 2);
            solve_for(&g, "m3-bias", STOP_KKT, 1e-9, 1000000, alpha, &solution, NULL);
            assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
            judged(&g, "m3-bias", alpha, products, &m3);
            solve_for(&g, "1-smo", STOP_KKT, 1e-11, 1000000, alpha, &solution, NULL);
            judged(&g, "1-smo", alpha, products, &smo);
            assert_true(m3.feasibility <= 1e-12);
            /* coefficients of at most C = 2 with errors of up to 1e-9 in the units of y f */
            assert_true(fabs(m3.objective - smo.objective) <= 1e-6);
            assert_true(fabs(m3.bias - smo.bias) <= 1e-5);
            free(alpha), free(products);
            geometry_close(&g);
        }
}

/* One pattern against five: at C = 1 no coefficient of the larger class is between its bounds and could be lowered. */
static void m3_with_a_bias_hands_out_no_dead_coefficients_of_a_class_of_one(void **test_state)
{
    (void)test_state;
    const double x[] = {1, 2, 0, 1, 3, 1, 1, 5, 2, 2, 0.5, 0.7};
    const signed char y[] = {1, -1, -1, -1, -1, -1};
    const struct kernel narrow = {.type = KERNEL_RBF, .width = 2};
    for (double c = 0.1; c < 1000; c *= 10) {
        struct geometry g;
        struct solution solution;
        struct judgement m3, smo;
        double *alpha = simd_doubles(6), *products = simd_doubles(6);
        geometry_open(&g, 6, 2, x, y, &narrow);
        parameter_set(&g.problem.parameters, &parameter_c, c);
        solve_for(&g, "m3-bias", STOP_KKT, 1e-6, 100000, alpha, &solution, NULL);
        assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
        double gap = judged(&g, "m3-bias", alpha, products, &m3);
        solve_for(&g, "1-smo", STOP_KKT, 1e-9, 100000, alpha, &solution, NULL);
        judged(&g, "1-smo", alpha, products, &smo);
        /* the returned point may violate by slightly more than the state; each of 6 slopes contributes at most C times
         * it */
        assert_true(m3.kkt_violation <= 2e-6 && gap <= 6 * c * 2e-6 && m3.feasibility <= 1e-15);
        assert_true(fabs(m3.bias - smo.bias) <= 2e-6);
        free(alpha), free(products);
        geometry_close(&g);
    }
}

/* With such a coarse tolerance most coefficients count as dead, and every way of compensating for them occurs. */
static void m3_with_a_bias_hands_out_feasible_multipliers_however_coarse_the_rule(void **test_state)
{
    (void)test_state;
    for (unsigned long seed = 1; seed <= (all_tests() ? 20 : 8); seed++)
        for (double c = 0.01; c < 1000; c *= 10)
            for (int k = 0; k < 4; k++) {
                const double tolerances[] = {0.01, 0.1, 0.5, 2};
                struct geometry g;
                struct solution solution;
                struct judgement found;
                double *alpha = simd_doubles(20), *products = simd_doubles(20);
                geometry_random(&g, 20, 3, 0.7, seed, &rbf);
                parameter_set(&g.problem.parameters, &parameter_c, c);
                solve_for(&g, "m3-bias", STOP_KKT, tolerances[k], 1000, alpha, &solution, NULL);
                judged(&g, "m3-bias", alpha, products, &found);
                assert_true(found.feasibility <= 1e-12 * fmax(1, 1 / c)); /* sums of 20 terms */
                free(alpha), free(products);
                geometry_close(&g);
            }
}

static void m3_with_a_bias_starts_inside_the_box(void **test_state)
{
    (void)test_state;
    for (double c = 1e-6; c < 10; c *= 10) {
        struct geometry g;
        struct judgement found;
        double *alpha = simd_doubles(50), *products = simd_doubles(50), sum = 0;
        geometry_random(&g, 50, 3, 0.7, 1, &rbf);
        parameter_set(&g.problem.parameters, &parameter_c, c);
        void *state = geometry_start(&g, solver_find("m3-bias"));
        solver_find("m3-bias")->alpha(state, alpha);
        judged(&g, "m3-bias", alpha, products, &found);
        for (int j = 0; j < 50; j++)
            sum += alpha[j];
        assert_true(sum > 0 && found.feasibility <= 1e-12);
        free(state), free(alpha), free(products);
        geometry_close(&g);
    }
}

/* ---- small C ---- */

/* For such small C, y f is at most 50 C, so all coefficients are C at the optimum. Each may fall short of it by the
 * tolerance times C, and then adds that times its slope, at most 1, to the gap. */
static void no_bound_is_so_small_that_the_start_passes_for_the_solution(void **test_state)
{
    (void)test_state;
    const char *const names[] = {"munk-soft", "munk-subset-soft", "m3-soft", "kernel-adatron-soft"};
    for (int k = 0; k < 4; k++)
        for (double c = 1e-9; c < 1e-2; c *= 10) {
            struct geometry g;
            struct solution solution;
            struct judgement found;
            double *alpha = simd_doubles(50), *products = simd_doubles(50);
            geometry_random(&g, 50, 3, 0.7, 1, &rbf);
            parameter_set(&g.problem.parameters, &parameter_c, c);
            solve_for(&g, names[k], STOP_KKT, 1e-5, 100000, alpha, &solution, NULL);
            assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
            double gap = judged(&g, names[k], alpha, products, &found);
            assert_true(gap <= 1e-5 * 50 * c && found.kkt_violation <= 1e-5);
            for (int j = 0; j < 50; j++)
                assert_true(alpha[j] >= (1 - 1e-5) * c);
            free(alpha), free(products);
            geometry_close(&g);
        }
}

static void m3_with_a_bias_solves_the_c_svm_for_a_small_bound(void **test_state)
{
    (void)test_state;
    for (double c = 1e-6; c < 1e-2; c *= 10) {
        struct geometry g;
        struct solution solution;
        struct judgement m3, smo;
        double *alpha = simd_doubles(50), *products = simd_doubles(50);
        geometry_random(&g, 50, 3, 0.7, 1, &rbf);
        parameter_set(&g.problem.parameters, &parameter_c, c);
        solve_for(&g, "m3-bias", STOP_KKT, 1e-5, 100000, alpha, &solution, NULL);
        assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
        double gap = judged(&g, "m3-bias", alpha, products, &m3);
        solve_for(&g, "1-smo", STOP_KKT, 1e-12, 100000, alpha, &solution, NULL);
        judged(&g, "1-smo", alpha, products, &smo);
        assert_true(gap <= 2e-5 * 50 * c && m3.kkt_violation <= 2e-5 && m3.feasibility <= 1e-12);
        assert_true(fabs(m3.bias - smo.bias) <= 2e-5);
        free(alpha), free(products);
        geometry_close(&g);
    }
}

/* ---- counts ---- */

static void the_adatron_asks_for_a_row_for_each_coefficient_that_changes(void **test_state)
{
    (void)test_state;
    struct geometry g;
    double before[64], after[64];
    const struct solver *solver = solver_find("kernel-adatron");
    geometry_random(&g, 60, 3, 0.7, 5, &rbf);
    void *state = geometry_start(&g, solver);
    uint64_t asked = 0;
    for (int k = 0; k < 30; k++) {
        size_t changed = 0;
        solver->alpha(state, before);
        solver->update(state, g.oracle);
        solver->alpha(state, after);
        for (int j = 0; j < 60; j++)
            changed += before[j] < after[j] || before[j] > after[j];
        asked += 60 * changed;
        assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS), asked);
    }
    free(state);
    geometry_close(&g);
}

static void a_subset_solver_sets_coefficients_to_zero_and_asks_for_its_set_only(void **test_state)
{
    (void)test_state;
    struct geometry g;
    struct solution solution;
    double *alpha = simd_doubles(200);
    int zeros = 0;
    geometry_random(&g, 200, 3, 1.5, 5, &rbf);
    parameter_set(&g.problem.parameters, &parameter_q, 6);
    parameter_set(&g.problem.parameters, &parameter_c, 10);
    solve_for(&g, "munk-subset-soft", STOP_KKT, 1e-6, 100000, alpha, &solution, NULL);
    assert_int_equal(solution.outcome, OUTCOME_CONVERGED);
    assert_true(oracle_operations(g.oracle, PHASE_ITERATIONS) <= solution.iterations * 6 * 200);
    for (int j = 0; j < 200; j++)
        zeros += alpha[j] == 0;
    assert_true(zeros > 50);
    free(alpha);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_are_those_of_the_equations),
        cmocka_unit_test(subset_iterations_are_those_written_out),
        cmocka_unit_test(the_objective_falls_in_every_sweep),
        cmocka_unit_test(the_objective_falls_in_every_sweep_on_real_data),
        cmocka_unit_test(a_kernel_value_below_zero_is_an_error_that_names_the_pair_for_munk_only),
        cmocka_unit_test(patterns_of_zero_length_do_no_harm),
        cmocka_unit_test(patterns_of_next_to_no_length_start_finite),
        cmocka_unit_test(dying_coefficients_never_become_denormal_or_nan),
        cmocka_unit_test(all_algorithms_agree_at_convergence),
        cmocka_unit_test(the_adatron_follows_a_slope_to_0_without_a_positive_diagonal_value),
        cmocka_unit_test(without_a_diagonal_value_only_a_slope_that_can_be_followed_is_a_violation),
        cmocka_unit_test(two_points_have_the_solution_found_by_hand),
        cmocka_unit_test(m3_with_a_bias_solves_the_c_svm),
        cmocka_unit_test(m3_with_a_bias_hands_out_no_dead_coefficients_of_a_class_of_one),
        cmocka_unit_test(m3_with_a_bias_hands_out_feasible_multipliers_however_coarse_the_rule),
        cmocka_unit_test(m3_with_a_bias_starts_inside_the_box),
        cmocka_unit_test(no_bound_is_so_small_that_the_start_passes_for_the_solution),
        cmocka_unit_test(m3_with_a_bias_solves_the_c_svm_for_a_small_bound),
        cmocka_unit_test(the_adatron_asks_for_a_row_for_each_coefficient_that_changes),
        cmocka_unit_test(a_subset_solver_sets_coefficients_to_zero_and_asks_for_its_set_only),
    };
    return cmocka_run_group_tests_name("multiplicative updates", tests, NULL, NULL);
}
