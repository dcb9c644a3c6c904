/*
 * Every registered solver on problems with known answers, judged by recomputation: feasibility, weak duality, a
 * monotone objective, kernel operations against the count in each algorithm's description, and the two figures of
 * Lopez, Barbero and Dorronsoro (2011) in which mu-MDM and clipped GSK get stuck.
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
#include "solvers/hull/hull.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"
#include "tests/tested_solvers.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

struct answer {
    struct solution solution;
    struct judgement judgement;
    double *alpha;
    uint64_t setup, iterations; /* kernel operations */
};

static struct answer solve_it(struct geometry *g, const struct solver *solver, enum stop_rule rule, double tolerance,
                              uint64_t max)
{
    struct answer answer = {.alpha = simd_doubles(g->n)};
    struct solve_request request = {.solver = solver,
                                    .problem = &g->problem,
                                    .oracle = g->oracle,
                                    .stop = {rule, tolerance},
                                    .budget = {.iterations = max}};
    double *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    assert_int_equal(solve(&request, answer.alpha, &answer.solution, NULL), STATUS_OK);
    judge(&(struct judging){&g->problem, solver->formulation, g->gram, answer.alpha, 1e-6, products, scratch},
          &answer.judgement);
    answer.setup = oracle_operations(g->oracle, PHASE_SETUP);
    answer.iterations = oracle_operations(g->oracle, PHASE_ITERATIONS);
    free(products);
    free(scratch);
    return answer;
}

static int has_no_bias(const struct solver *solver)
{
    return solver->formulation == FORMULATION_NO_BIAS_SVM || solver->formulation == FORMULATION_NO_BIAS_HARD_MARGIN;
}

static int is_svm(const struct solver *solver)
{
    return solver->formulation == FORMULATION_C_SVM || solver->formulation == FORMULATION_SQUARE_SVM ||
           has_no_bias(solver);
}

/* Optima of one problem in every formulation: 1/2 |W|^2 of the hulls, and of those of K + I/C; the two duals; 1/2 |W|^2
 * of the minimum norm with K + I/C. */
struct optima {
    double hulls, square_hulls, c_svm, square_svm, minimum_norm, no_bias, no_bias_hard;
};

static double optimum(const struct optima *optima, const struct solver *solver)
{
    switch (solver->formulation) {
    case FORMULATION_C_SVM:
        return optima->c_svm;
    case FORMULATION_SQUARE_SVM:
        return optima->square_svm;
    case FORMULATION_MINIMUM_NORM:
        return solver->square_penalty ? optima->minimum_norm : 0; /* without a penalty only used if the hulls meet */
    case FORMULATION_NO_BIAS_SVM:
        return optima->no_bias;
    case FORMULATION_NO_BIAS_HARD_MARGIN:
        return optima->no_bias_hard;
    default:
        return solver->square_penalty ? optima->square_hulls : optima->hulls;
    }
}

/* The objective is on the correct side of the optimum, within the duality gap. */
static void check_bracket(const struct solver *solver, const struct answer *answer, double exact)
{
    double above = is_svm(solver) ? exact - answer->judgement.objective : answer->judgement.objective - exact;
    if (!(above >= -1e-12 &&
          above <= answer->judgement.duality_gap + 1e-12)) /* rounding of sums of a few terms of order one */
        fail_msg("%s: %.17g and a gap of %g do not enclose %.17g", solver->name, answer->judgement.objective,
                 answer->judgement.duality_gap, exact);
}

/* Feasible and weakly dual, whatever the outcome. */
static void check_sound(const struct solver *solver, const struct answer *answer)
{
    const struct judgement *judged = &answer->judgement;
    if (!(judged->feasibility <= 1e-12)) /* rounding of at most some 10^4 updates of numbers below one */
        fail_msg("%s: constraint violated by %g", solver->name, judged->feasibility);
    if (!(judged->duality_gap >= -1e-11 * fmax(1, fabs(judged->objective))))
        fail_msg("%s: duality gap %g below zero", solver->name, judged->duality_gap);
    assert_int_not_equal(answer->solution.outcome, OUTCOME_FAILED);
}

static void two_points_are_solved_at_once(void **state)
{
    (void)state;
    const double x[] = {1, 2, -2, -2};
    const signed char y[] = {1, -1};
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        if ((*at)->stays_positive || (*at)->counts_steps)
            continue;
        struct geometry g;
        geometry_open(&g, 2, 2, x, y, &linear);
        parameter_set(&g.problem.parameters, &parameter_c, 10);
        struct answer answer = solve_it(&g, *at, geometry_rule(*at), 1e-9, 100);
        check_sound(*at, &answer);
        assert_int_equal(answer.solution.outcome, OUTCOME_CONVERGED);
        /* hulls: 1/2 |W|^2 = 1/2 5^2, where I/C adds 2 C^-1 to |W|^2; C-SVM: margin 2/|w| = 5, dual objective
         * 1/2 |w|^2 = 0.08; 2-SVM: max 2a - 1/2 (25 + 0.2) a^2; minimum norm: Q = {6.1, 5; 5, 9.1},
         * |W|^2 = det Q / (6.1 + 9.1 - 10); without bias A = {5, 6; 6, 8}, alpha = (1/5, 0) */
        const struct optima exact = {12.5, 12.6, 0.08, 2 / 25.2, 0.5 * (6.1 * 9.1 - 25) / 5.2, 0.1, 0.1};
        assert_true(fabs(answer.judgement.objective - optimum(&exact, *at)) < 1e-12);
        free(answer.alpha);
        geometry_close(&g);
    }
}

static void two_squares_are_one_unit_apart(void **state)
{
    (void)state;
    const double x[] = {0, 0, 0, 1, 1, 0, 1, 1, 2, 0.5, 3, 0, 3, 1, 4, 0.5};
    const signed char y[] = {1, 1, 1, 1, -1, -1, -1, -1};
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        if ((*at)->formulation != FORMULATION_NEAREST_POINTS)
            continue;
        struct geometry g;
        geometry_open(&g, 8, 2, x, y, &linear);
        parameter_set(&g.problem.parameters, &parameter_c, 1e12); /* adds at most 2 C^-1 to |W|^2 */
        struct answer answer = solve_it(&g, *at, geometry_rule(*at), 1e-4, 100000);
        check_sound(*at, &answer);
        assert_int_equal(answer.solution.outcome, OUTCOME_CONVERGED);
        /* the gap bounds the amount by which 1/2 |W|^2 exceeds 1/2: both class gaps are within 1e-4 |W| */
        assert_true(answer.judgement.objective >= 0.5 - 1e-12);
        assert_true(answer.judgement.objective <= 0.5 + 2.1e-4);
        assert_true(answer.judgement.duality_gap <= 2.1e-4);
        free(answer.alpha);
        geometry_close(&g);
    }
}

static void duplicates_and_touching_hulls_end_without_a_crash(void **state)
{
    (void)state;
    const double same[] = {1, 1, 1, 1, 1, 1, 1, 1};
    const double touching[] = {0, 0, 0, 2, 0, 0, 2, 0};
    const signed char y[] = {1, 1, -1, -1};
    /* For C = 1. All patterns equal: alpha is constant in each class (or over all). Touching hulls, where t is the
     * multiplier of (0, 2) and of (2, 0), and the rest of each class is on the origin: |W|^2 = 8 t^2 + 2 t^2 + 2
     * (1 - t)^2, t = 1/6. The SVMs' duals separate into one term per multiplier, 2 a - a^2 (at most 2 for the 1-SVM)
     * and 2 t - (4 + 1) t^2 (2 t - 4 t^2). The minimum norm has 8 t^2 + 2 t^2 + 2 (1/2 - t)^2, t = 1/12. Without bias,
     * the optima of the 1-SVM; there are none with a hard margin. */
    const struct optima exact[] = {{0, 0.5, 4, 2, 0.125, 4, HUGE_VAL},
                                   {0, 5.0 / 6, 2.25, 1.2, 5.0 / 24, 2.25, HUGE_VAL}};
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (int k = 0; k < 2; k++) {
            struct geometry g;
            geometry_open(&g, 4, 2, k ? touching : same, y, &linear);
            parameter_set(&g.problem.parameters, &parameter_c, 1);
            struct answer answer = solve_it(&g, *at, geometry_rule(*at), 1e-6, 3000);
            check_sound(*at, &answer);
            check_bracket(*at, &answer, optimum(&exact[k], *at));
            if ((*at)->formulation == FORMULATION_NEAREST_POINTS && !(*at)->square_penalty)
                assert_true(answer.judgement.objective <= (k ? 1e-2 : 0)); /* the nearest points coincide */
            free(answer.alpha);
            geometry_close(&g);
        }
}

/* 1/2 |W|^2 (minus sum alpha for the SVMs' duals) never increases. */
static void check_monotone(struct geometry *g, const struct solver *solver)
{
    void *solver_state = geometry_start(g, solver);
    double previous = HUGE_VAL;
    for (int k = 0; k < 400; k++) {
        struct progress progress = {.need_objective = 1};
        if (solver->select(solver_state, &progress) != STATUS_OK)
            break;
        if (!(progress.objective <= previous + 1e-13 * fmax(1, fabs(previous))))
            fail_msg("%s: objective grew from %.17g to %.17g at iteration %d", solver->name, previous,
                     progress.objective, k);
        previous = progress.objective;
        if (solver->update(solver_state, g->oracle) != STATUS_OK)
            break;
    }
    free(solver_state);
}

static void the_objective_never_grows(void **state)
{
    (void)state;
    const double mus[] = {1, 0.31, 0.125, 0.0625};
    size_t stated = 0;
    for (const struct solver *const *at = tested_solvers(); *at; at++) {
        stated += (*at)->is_monotone != 0;
        assert_false((*at)->is_monotone && (*at)->counts_steps);
        for (size_t m = 0; m < 4 && (*at)->is_monotone; m++)
            for (unsigned long seed = 1; seed <= 3; seed++) {
                struct geometry g;
                if (!all_tests() && seed != 1 + m % 3)
                    continue;
                geometry_random(&g, 80, 3, 0.7, seed, &rbf);
                parameter_set(&g.problem.parameters, &parameter_mu, mus[m]);
                parameter_set(&g.problem.parameters, &parameter_c, 1 / mus[m]);
                check_monotone(&g, *at);
                parameter_set(&g.problem.parameters, &parameter_selection, SELECTION_FREE);
                if (solver_reads(*at, &parameter_selection))
                    check_monotone(&g, *at);
                geometry_close(&g);
            }
    }
    assert_true(stated > 0);
}

/* The values that a solver reports during a run, against the judge's values for the multipliers. */
static void check_own_figures(struct geometry *g, const struct solver *solver)
{
    double *alpha = simd_doubles(g->n), *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    void *solver_state = geometry_start(g, solver);
    for (int k = 0; k < 60; k++) {
        struct progress progress = {.need_objective = 1};
        struct judgement judged;
        if (solver->select(solver_state, &progress) != STATUS_OK)
            break;
        solver->alpha(solver_state, alpha);
        judge(&(struct judging){&g->problem, solver->formulation, g->gram, alpha, 1e-6, products, scratch}, &judged);
        double objective = is_svm(solver) ? -progress.objective : progress.objective,
               gap = solver->gap(solver_state, 0);
        double size = fmax(1, fabs(objective) + judged.duality_gap); /* sums of some 100 terms after 60 updates */
        if (!(fabs(objective - judged.objective) <= 1e-12 * size &&
              (isnan(gap) || fabs(gap - judged.duality_gap) <= 1e-11 * size)))
            fail_msg("%s: objective %.17g and gap %.17g, judged %.17g and %.17g at iteration %d", solver->name,
                     objective, gap, judged.objective, judged.duality_gap, k);
        if (solver->update(solver_state, g->oracle) != STATUS_OK)
            break;
    }
    free(solver_state), free(alpha), free(products), free(scratch);
}

static void what_a_solver_says_of_its_state_is_what_the_judge_finds(void **state)
{
    (void)state;
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (unsigned long seed = 1; seed <= 3; seed++) {
            struct geometry g;
            geometry_random(&g, 80, 3, 0.7, seed, &rbf);
            parameter_set(&g.problem.parameters, &parameter_mu, solver_reads(*at, &parameter_mu) ? 0.125 : 1);
            parameter_set(&g.problem.parameters, &parameter_c, 6);
            check_own_figures(&g, *at);
            geometry_close(&g);
        }
}

/* Includes seeds 13, 17 and 25: X^ of the patterns below their bound may be worse than every pattern with weight. */
static void mu_mdm_with_free_choice_never_leaves_the_hull(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 60; seed++) {
        struct geometry g;
        geometry_random(&g, 12, 2, 0.6, seed, &rbf);
        parameter_set(&g.problem.parameters, &parameter_mu, 0.4);
        parameter_set(&g.problem.parameters, &parameter_selection, SELECTION_FREE);
        struct answer answer = solve_it(&g, solver_find("mu-mdm"), STOP_RCH_GAP_BOTH, 1e-5, 20000);
        check_sound(solver_find("mu-mdm"), &answer);
        free(answer.alpha);
        geometry_close(&g);
    }
}

/* The cost of an iteration or the set-up according to the solver's struct; no cycle is broken. */
static uint64_t operations_of(const struct kernel_cost *cost, const struct solver *solver, uint64_t n, double mu)
{
    int reduced = solver_reads(solver, &parameter_mu);
    uint64_t q = 10, k = reduced ? (uint64_t)floor(1 / mu + 1e-9) : 1;
    uint64_t rest = reduced && 1 - (double)k * mu > 1e-9;
    return cost->n2 * n * n + cost->n * n + cost->constant + cost->rows_q * q * n + cost->rows_nu * n +
           cost->rows_point * (k + rest) * n + cost->norms_point * (k * k + rest * (k + 1));
}

static void kernel_operations_are_those_of_the_description(void **state)
{
    (void)state;
    const double mus[] = {1, 0.31, 0.125};
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (size_t m = 0; m < 3; m++) {
            struct geometry g;
            geometry_random(&g, 60, 3, 0.7, 11, &rbf);
            parameter_set(&g.problem.parameters, &parameter_mu, mus[m]);
            parameter_set(&g.problem.parameters, &parameter_c, 5);
            struct answer answer = solve_it(&g, *at, STOP_ITERATIONS, 0, 3);
            uint64_t expected = answer.solution.iterations * operations_of(&(*at)->iteration_cost, *at, 60, mus[m]);
            int fewer = (*at)->iteration_cost.at_most && answer.iterations < expected;
            assert_true(answer.solution.iterations > 0);
            /* Minkowski MDM moves only one class, at half the cost, once the other is optimal: not within three
             * iterations here */
            if ((*at)->iteration_cost.is_stated && answer.iterations != expected && !fewer)
                fail_msg("%s at mu %g: %lu operations in %lu iterations, expected %lu", (*at)->name, mus[m],
                         (unsigned long)answer.iterations, (unsigned long)answer.solution.iterations,
                         (unsigned long)expected);
            if ((*at)->setup_cost.is_stated)
                assert_int_equal(answer.setup, operations_of(&(*at)->setup_cost, *at, 60, mus[m]));
            free(answer.alpha);
            geometry_close(&g);
        }
}

static void all_reduced_hull_solvers_find_the_same_optimum(void **state)
{
    (void)state;
    const double mus[] = {0.9, 0.2, 0.07};
    for (size_t m = 0; m < 3; m++)
        for (unsigned long seed = 1; seed <= 4; seed++) {
            double best = HUGE_VAL;
            for (const struct solver *const *at = tested_solvers(); *at; at++) {
                if (!solver_reads(*at, &parameter_mu) || (*at)->may_stall)
                    continue;
                struct geometry g;
                geometry_random(&g, 70, 3, 1, seed, &rbf);
                parameter_set(&g.problem.parameters, &parameter_mu, mus[m]);
                double tolerance = (*at)->converges_slowly ? 1e-3 : 1e-10;
                struct answer answer = solve_it(&g, *at, geometry_rule(*at), tolerance, 2000000);
                check_sound(*at, &answer);
                assert_int_equal(answer.solution.outcome, OUTCOME_CONVERGED);
                /* the objective exceeds the optimum by at most the duality gap, so the intervals of all solvers
                 * intersect */
                double lower = answer.judgement.objective - answer.judgement.duality_gap - 1e-12;
                if (best < HUGE_VAL && !(lower <= best))
                    fail_msg("%s: optimum above %.12g, another solver reached %.12g", (*at)->name, lower, best);
                best = fmin(best, answer.judgement.objective);
                free(answer.alpha);
                geometry_close(&g);
            }
        }
}

static void whole_hull_solvers_are_the_reduced_ones_at_mu_one(void **state)
{
    (void)state;
    const char *const pairs[][2] = {{"gsk", "mu-gsk"},
                                    {"mdm", "clip-mdm"},
                                    {"minkowski-gsk", "minkowski-mu-gsk"},
                                    {"minkowski-mdm", "minkowski-clip-mdm"},
                                    {"mdm", "mu-mdm"},
                                    {"mdm", "pairwise-fw"}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        struct geometry g;
        geometry_random(&g, 50, 3, 1, 5, &rbf);
        struct answer a = solve_it(&g, solver_find(pairs[p][0]), STOP_RCH_GAP_BOTH, 1e-4, 500);
        struct answer b = solve_it(&g, solver_find(pairs[p][1]), STOP_RCH_GAP_BOTH, 1e-4, 500);
        assert_int_equal(a.solution.iterations, b.solution.iterations);
        for (size_t i = 0; i < 50; i++)
            assert_true(fabs(a.alpha[i] - b.alpha[i]) < 1e-12);
        free(a.alpha), free(b.alpha);
        geometry_close(&g);
    }
}

/* Sets weights on the positive class of a hull solver's state, which begins with a struct hull; linear kernel. */
static void place(struct geometry *g, void *solver_state, const double *weights, size_t count)
{
    struct hull *hull = solver_state;
    memset(hull->products[0], 0, g->n * sizeof(double));
    for (size_t i = 0; i < count; i++) {
        hull_set_weight(hull, i, weights[i]);
        for (size_t j = 0; j < g->n; j++)
            hull->products[0][j] += weights[i] * gram_row(g->gram, i)[j];
    }
}

/* Iterates from a given state until nothing moves or `max` updates are made; returns the status of the last call. */
static enum status go_on(struct geometry *g, const struct solver *solver, const double *weights, size_t count, int max,
                         double *norm2)
{
    void *solver_state = geometry_start(g, solver);
    enum status status = STATUS_OK;
    struct progress progress = {.need_objective = 1};
    place(g, solver_state, weights, count);
    for (int k = 0; k <= max; k++) {
        status = solver->select(solver_state, &progress);
        if (k == max || status != STATUS_OK)
            break;
        status = solver->update(solver_state, g->oracle);
        if (status != STATUS_OK)
            break;
    }
    *norm2 = progress.norm2;
    free(solver_state);
    return status;
}

/*
 * Fig. 1: mu = 1/2, the negative hull is the origin, W = 1/2 X_2 + 1/4 X_1 + 1/4 X_3. The direction 1/2 (X_1 + X_2) -
 * X_3 would take alpha_2 above mu. The optimum is (X_1 + X_2) / 2 = (0, 1).
 */
static void figure_1_mu_mdm_stalls_where_gsk_arrives_in_one_iteration(void **state)
{
    (void)state;
    const double x[] = {-1, 1, 1, 1, 0, 3, 0, 0, 0, 0}, at_figure[] = {0.25, 0.5, 0.25};
    const signed char y[] = {1, 1, 1, -1, -1};
    double norm2;
    struct geometry g;
    geometry_open(&g, 5, 2, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_mu, 0.5);
    assert_int_equal(go_on(&g, solver_find("mu-mdm"), at_figure, 3, 1000, &norm2), STATUS_STALLED);
    assert_true(fabs(norm2 - (0.25 * 0.25 + 1.5 * 1.5)) < 1e-15); /* at the starting point */
    assert_int_equal(go_on(&g, solver_find("mu-gsk"), at_figure, 3, 1, &norm2), STATUS_OK);
    assert_true(fabs(norm2 - 1) < 1e-15); /* the optimum, after one update */
    go_on(&g, solver_find("clip-mdm"), at_figure, 3, 1000, &norm2);
    assert_true(fabs(norm2 - 1) < 1e-12);
    parameter_set(&g.problem.parameters, &parameter_selection, SELECTION_FREE);
    go_on(&g, solver_find("mu-mdm"), at_figure, 3, 1000, &norm2);
    assert_true(fabs(norm2 - 1) < 1e-12); /* moving only patterns below their bound avoids the trap of the figure */
    geometry_close(&g);
}

/*
 * Fig. 2: mu = 1/2, the negative hull is the origin, W = 1/2 (X_1 + X_4) = (0, 2); X_2 and X_3 are level with W. The
 * optimum is 1/2 X_4 + 1/4 (X_2 + X_3) = (0, 3/2).
 */
static void figure_2_clip_gsk_sticks_where_clip_mdm_goes_on(void **state)
{
    (void)state;
    const double x[] = {0, 3, -1, 2, 1, 2, 0, 1, 0, 0, 0, 0}, at_figure[] = {0.5, 0, 0, 0.5};
    const signed char y[] = {1, 1, 1, 1, -1, -1};
    double norm2;
    struct geometry g;
    geometry_open(&g, 6, 2, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_mu, 0.5);
    assert_int_equal(go_on(&g, solver_find("clip-gsk"), at_figure, 4, 1000, &norm2), STATUS_STALLED);
    assert_true(norm2 == 4);
    go_on(&g, solver_find("clip-mdm"), at_figure, 4, 1000, &norm2);
    assert_true(fabs(norm2 - 2.25) < 1e-12);
    /* From the barycentre clipped GSK gets stuck, too, and reports the gap it has reached. */
    struct answer clip = solve_it(&g, solver_find("clip-gsk"), STOP_RCH_GAP, 1e-9, 1000);
    assert_int_equal(clip.solution.outcome, OUTCOME_STALLED);
    assert_true(clip.judgement.duality_gap > 0.1);
    assert_true(clip.judgement.objective > 0.5 * 2.25 + 0.1);
    free(clip.alpha);
    geometry_close(&g);
}

static void a_stalled_mu_mdm_is_never_called_converged(void **state)
{
    (void)state;
    const enum stop_rule rules[] = {STOP_RCH_GAP_BOTH, STOP_DELTA, STOP_DELTA_NORM2};
    size_t stalled = 0;
    for (size_t r = 0; r < 3; r++)
        for (unsigned long seed = 1; seed <= 5; seed++) {
            struct geometry g;
            geometry_random(&g, 80, 3, 0.5, seed, &rbf);
            parameter_set(&g.problem.parameters, &parameter_mu, 0.06);
            struct answer answer = solve_it(&g, solver_find("mu-mdm"), rules[r], 1e-6, 100000);
            check_sound(solver_find("mu-mdm"), &answer);
            parameter_set(&g.problem.parameters, &parameter_selection, SELECTION_FREE);
            struct answer free_choice = solve_it(&g, solver_find("mu-mdm"), rules[r], 1e-6, 3000);
            check_sound(solver_find("mu-mdm"), &free_choice);
            free(free_choice.alpha);
            if (answer.judgement.duality_gap > 1e-4) {
                assert_int_equal(answer.solution.outcome, OUTCOME_STALLED);
                stalled++;
            }
            free(answer.alpha);
            geometry_close(&g);
        }
    assert_true(stalled >= 3); /* these problems do make it stall */
}

static void one_smo_meets_the_kkt_conditions_it_stops_at(void **state)
{
    (void)state;
    const double penalties[] = {0.1, 3, 1000};
    const struct solver *smo = solver_find("1-smo");
    for (size_t c = 0; c < 3; c++)
        for (int start = START_ZERO; start <= START_FIRST_PAIR; start++) {
            struct geometry g;
            geometry_random(&g, 90, 3, 0.5, 3, &rbf);
            parameter_set(&g.problem.parameters, &parameter_c, penalties[c]);
            parameter_set(&g.problem.parameters, &parameter_start, start);
            struct answer answer = solve_it(&g, smo, STOP_KKT, 1e-8, 1000000);
            check_sound(smo, &answer);
            assert_int_equal(answer.solution.outcome, OUTCOME_CONVERGED);
            assert_true(answer.judgement.kkt_violation <=
                        1.1e-8); /* the judge sums products in another order */
            /* at the optimum rho = |W|^2 + C sum xi equals sum alpha, so mu = 2C / rho by eq. (19) is 2C / sum alpha */
            double sum = 0;
            for (size_t i = 0; i < 90; i++)
                sum += answer.alpha[i];
            assert_true(fabs(answer.judgement.rch_mu * sum / (2 * penalties[c]) - 1) < 1e-6);
            free(answer.alpha);
            geometry_close(&g);
        }
}

/* Eq. (19): the C-SVM's solution, scaled by 2 / rho, is the nearest-point solution for mu = 2C / rho. */
static void the_c_svm_and_the_reduced_hulls_of_eq_19_have_the_same_solution(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 4; seed++) {
        struct geometry g;
        geometry_random(&g, 80, 3, 0.6, seed, &rbf);
        parameter_set(&g.problem.parameters, &parameter_c, 2);
        struct answer svm = solve_it(&g, solver_find("1-smo"), STOP_KKT, 1e-11, 1000000);
        double rho = 2 * 2 / svm.judgement.rch_mu;
        parameter_set(&g.problem.parameters, &parameter_mu, svm.judgement.rch_mu);
        struct answer hull = solve_it(&g, solver_find("clip-mdm"), STOP_RCH_GAP_BOTH, 1e-11, 1000000);
        for (size_t i = 0; i < 80; i++)
            assert_true(fabs(hull.alpha[i] - 2 * svm.alpha[i] / rho) < 1e-6);
        free(svm.alpha), free(hull.alpha);
        geometry_close(&g);
    }
}

static void budgets_end_a_run_where_they_say(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 60, 3, 0.5, 2, &rbf);
    parameter_set(&g.problem.parameters, &parameter_mu, 0.1);
    struct answer few = solve_it(&g, solver_find("clip-mdm"), STOP_RCH_GAP_BOTH, 1e-12, 7);
    assert_int_equal(few.solution.outcome, OUTCOME_ITERATION_LIMIT);
    assert_int_equal(few.solution.iterations, 7);
    struct solve_request request = {.solver = solver_find("clip-mdm"), .problem = &g.problem, .oracle = g.oracle,
                                    .stop = {STOP_RCH_GAP_BOTH, 1e-12}, .budget = {.kernel_operations = 1000}};
    struct solution solution;
    assert_int_equal(solve(&request, few.alpha, &solution, NULL), STATUS_OK);
    assert_int_equal(solution.outcome, OUTCOME_OPERATION_LIMIT);
    assert_int_equal(solution.iterations, 9); /* 120 per iteration: the first count of at least 1000 */
    volatile sig_atomic_t interrupted = 1;
    request.interrupted = &interrupted;
    assert_int_equal(solve(&request, few.alpha, &solution, NULL), STATUS_INTERRUPTED);
    free(few.alpha);
    geometry_close(&g);
}

static void a_mu_below_the_least_one_fails_instead_of_leaving_the_hull(void **state)
{
    (void)state;
    struct geometry g;
    geometry_random(&g, 20, 2, 1, 1, &rbf);
    parameter_set(&g.problem.parameters, &parameter_mu, 0.01);
    struct solution solution;
    double *alpha = simd_doubles(20);
    struct solve_request request = {.solver = solver_find("clip-mdm"), .problem = &g.problem, .oracle = g.oracle,
                                    .stop = {STOP_RCH_GAP, 1e-5}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    assert_int_equal(solution.outcome, OUTCOME_FAILED);
    free(alpha);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_points_are_solved_at_once),
        cmocka_unit_test(two_squares_are_one_unit_apart),
        cmocka_unit_test(duplicates_and_touching_hulls_end_without_a_crash),
        cmocka_unit_test(the_objective_never_grows),
        cmocka_unit_test(what_a_solver_says_of_its_state_is_what_the_judge_finds),
        cmocka_unit_test(mu_mdm_with_free_choice_never_leaves_the_hull),
        cmocka_unit_test(kernel_operations_are_those_of_the_description),
        cmocka_unit_test(all_reduced_hull_solvers_find_the_same_optimum),
        cmocka_unit_test(whole_hull_solvers_are_the_reduced_ones_at_mu_one),
        cmocka_unit_test(figure_1_mu_mdm_stalls_where_gsk_arrives_in_one_iteration),
        cmocka_unit_test(figure_2_clip_gsk_sticks_where_clip_mdm_goes_on),
        cmocka_unit_test(a_stalled_mu_mdm_is_never_called_converged),
        cmocka_unit_test(one_smo_meets_the_kkt_conditions_it_stops_at),
        cmocka_unit_test(the_c_svm_and_the_reduced_hulls_of_eq_19_have_the_same_solution),
        cmocka_unit_test(budgets_end_a_run_where_they_say),
        cmocka_unit_test(a_mu_below_the_least_one_fails_instead_of_leaving_the_hull),
    };
    return cmocka_run_group_tests_name("solvers", tests, NULL, NULL);
}
