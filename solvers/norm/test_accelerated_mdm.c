/*
 * accelerated-mdm against its definition: every update is repeated with a list of all earlier ones, from the
 * multipliers and the matrix Q of the products z_i . z_j. After an unclipped step, L and U have equal values, so
 * rounding decides which pair is next. The test therefore reads the pair, or the cycle, from the multipliers that
 * changed; it must be extreme up to rounding.
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

enum { N = 40, MAX = 4000 };

static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

struct done {
    size_t low, high;
    double lambda;
};

/* The problem, its point, and the pair updates since the last cycle. */
struct follower {
    double q[N][N], alpha[N], u[N];
    struct done done[MAX];
    size_t count, history, cycles, uphill;
    double rounding;
};

static void open_follower(struct follower *follower, struct geometry *g, size_t history)
{
    memset(follower, 0, sizeof *follower);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) /* the gram includes the solver's ridge */
            follower->q[i][j] = g->y[i] * g->y[j] * (gram_row(g->gram, i)[j] + 1);
        follower->rounding = fmax(follower->rounding, 1e-13 * follower->q[i][i]);
    }
    follower->alpha[0] = 1;
    follower->history = history;
}

/* u_j = W . z_j; returns |W|^2. */
static double place(struct follower *follower)
{
    double norm2 = 0;
    for (size_t j = 0; j < N; j++) {
        follower->u[j] = 0;
        for (size_t i = 0; i < N; i++)
            follower->u[j] += follower->alpha[i] * follower->q[i][j];
        norm2 += follower->alpha[j] * follower->u[j];
    }
    return norm2;
}

static int is_extreme(const struct follower *follower, size_t low, size_t high)
{
    int extreme = follower->alpha[high] > 0;
    for (size_t j = 0; j < N; j++)
        extreme = extreme && follower->u[low] <= follower->u[j] + follower->rounding &&
                  (!(follower->alpha[j] > 0) || follower->u[high] >= follower->u[j] - follower->rounding);
    return extreme;
}

/* V of the last k updates: mu, the number of patterns in it, and the step along it; 0 if no step is possible, negative
 * if V goes uphill although one is. */
static double step_along(const struct follower *follower, size_t k, double *mu, size_t *members)
{
    double slope = 0, norm2 = 0, max = HUGE_VAL;
    memset(mu, 0, N * sizeof *mu);
    *members = 0;
    for (size_t j = 1; j <= k; j++) {
        const struct done *one = &follower->done[follower->count - j];
        mu[one->low] += one->lambda;
        mu[one->high] -= one->lambda;
    }
    for (size_t i = 0; i < N; i++) {
        *members += mu[i] != 0;
        slope -= mu[i] * follower->u[i];
        if (mu[i] != 0)
            max = fmin(max, (mu[i] > 0 ? 1 - follower->alpha[i] : follower->alpha[i]) / fabs(mu[i]));
        for (size_t j = 0; j < N; j++)
            norm2 += mu[i] * mu[j] * follower->q[i][j];
    }
    return max > 0 && norm2 > 0 ? fmin(slope / norm2, max) : 0;
}

/* The latest repetition of the pair within the history; 0 if none. */
static size_t repeated(const struct follower *follower, size_t low, size_t high)
{
    for (size_t k = 1; k <= follower->history && k <= follower->count; k++)
        if (follower->done[follower->count - k].low == low && follower->done[follower->count - k].high == high)
            return k;
    return 0;
}

static int changed_by(const struct follower *follower, const double *after, const double *mu, double step)
{
    const double rounding = 1e-9; /* relative error of a step: slope and |V|^2 are sums of terms that cancel */
    double largest = 0;
    int same = 1;
    for (size_t i = 0; i < N; i++)
        largest = fmax(largest, fabs(step * mu[i]));
    for (size_t i = 0; i < N; i++)
        same = same && fabs(after[i] - follower->alpha[i] - step * mu[i]) <= rounding * largest + 1e-15;
    return same;
}

/* Whether the update was a step along the V of a repeated extreme pair; sets the operations that it must cost. */
static int was_cycle(struct follower *follower, const double *after, uint64_t *cost)
{
    for (size_t k = 1; k <= follower->history && k <= follower->count; k++) {
        const struct done *first = &follower->done[follower->count - k];
        double mu[N];
        size_t members;
        if (!is_extreme(follower, first->low, first->high) || repeated(follower, first->low, first->high) != k)
            continue;
        double step = step_along(follower, k, mu, &members);
        if (step > 0 && changed_by(follower, after, mu, step)) {
            *cost = members * N + members * (members + 1) / 2;
            follower->count = 0;
            follower->cycles++;
            return 1;
        }
    }
    return 0;
}

/* Otherwise it must be MDM's update of an extreme pair, which must not be repeated unless its V admits no step. */
static void check_pair(struct follower *follower, const double *after, uint64_t *cost)
{
    size_t low = N, high = N, members;
    double mu[N];
    for (size_t i = 0; i < N; i++) {
        low = after[i] > follower->alpha[i] ? i : low;
        high = after[i] < follower->alpha[i] ? i : high;
    }
    assert_true(low < N && high < N && is_extreme(follower, low, high));
    double d2 = follower->q[low][low] + follower->q[high][high] - 2 * follower->q[low][high];
    double step = fmin(follower->alpha[high], (follower->u[high] - follower->u[low]) / d2);
    memset(mu, 0, sizeof mu);
    mu[low] = 1;
    mu[high] = -1;
    assert_true(changed_by(follower, after, mu, step));
    size_t k = repeated(follower, low, high);
    *cost = 2 * N + 3;
    if (k > 0) { /* descends by rounding at most */
        double refused = step_along(follower, k, mu, &members);
        assert_true(refused <= 1e-9);
        follower->uphill += refused < -1e-6;
    }
    assert_true(follower->count < MAX);
    follower->done[follower->count++] = (struct done){low, high, after[low] - follower->alpha[low]};
}

static struct followed {
    size_t cycles, uphill; /* updates along a V; repeated pairs whose V goes uphill */
} follow(const struct kernel *kernel, unsigned long seed, double c, size_t history)
{
    static struct follower follower;
    const struct solver *solver = solver_find("accelerated-mdm");
    struct geometry g;
    geometry_random(&g, N, 3, 0.5, seed, kernel);
    parameter_set(&g.problem.parameters, &parameter_c, c);
    parameter_set(&g.problem.parameters, &parameter_history, (double)history);
    void *state = geometry_start(&g, solver);
    open_follower(&follower, &g, history);
    double before = place(&follower);
    for (int iteration = 0; iteration < 500; iteration++) {
        double after[N], sum = 0;
        struct progress progress = {.need_objective = 1};
        uint64_t asked = oracle_operations(g.oracle, PHASE_ITERATIONS), cost = 0;
        assert_int_equal(solver->select(state, &progress), STATUS_OK);
        assert_true(fabs(progress.norm2 - before) <= 10 * follower.rounding);
        if (progress.delta <= 1e-6 * progress.norm2)
            break;
        assert_int_equal(solver->update(state, g.oracle), STATUS_OK);
        solver->alpha(state, after);
        if (!was_cycle(&follower, after, &cost))
            check_pair(&follower, after, &cost);
        assert_int_equal(oracle_operations(g.oracle, PHASE_ITERATIONS) - asked, cost);
        memcpy(follower.alpha, after, sizeof after);
        for (size_t i = 0; i < N; i++) {
            assert_true(after[i] >= 0 && after[i] <= 1);
            sum += after[i];
        }
        assert_true(fabs(sum - 1) <= 1e-13); /* each update adds some units in the last place of 1 */
        double norm2 = place(&follower);
        assert_true(norm2 <= before + follower.rounding);
        before = norm2;
    }
    free(state);
    geometry_close(&g);
    return (struct followed){follower.cycles, follower.uphill};
}

static void every_update_is_that_of_the_definition(void **state)
{
    (void)state;
    const size_t histories[] = {2, 5, 45};
    size_t cycles = 0, uphill = 0;
    for (unsigned long seed = 1; seed <= 4; seed++)
        for (size_t h = 0; h < 3; h++)
            for (double c = 0.01; c < 2000; c *= 10)
                for (int which = 0; which < 2; which++) {
                    struct followed followed = follow(which ? &linear : &rbf, seed, c, histories[h]);
                    cycles += followed.cycles;
                    uphill += followed.uphill;
                }
    if (!(cycles > 100 && uphill > 0))
        fail_msg("%zu cycles, %zu uphill", cycles, uphill);
}

/* Solves; returns the judged ½|W|² and fills in the solution, the multipliers and the operations of the iterations. */
static double solved(struct geometry *g, const char *name, double tolerance, double *alpha, struct solution *solution,
                     uint64_t *operations)
{
    const struct solver *solver = solver_find(name);
    double *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    struct judgement judged;
    struct solve_request request = {.solver = solver, .problem = &g->problem, .oracle = g->oracle,
                                    .stop = {STOP_DELTA_NORM2, tolerance}, .budget = {.iterations = 1000000}};
    assert_int_equal(solve(&request, alpha, solution, NULL), STATUS_OK);
    judge(&(struct judging){&g->problem, solver->formulation, g->gram, alpha, 1e-6, products, scratch}, &judged);
    assert_true(judged.feasibility <= 1e-12);
    *operations = oracle_operations(g->oracle, PHASE_ITERATIONS);
    free(products), free(scratch);
    return judged.objective;
}

static void without_history_it_is_unary_mdm_bit_for_bit(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 5; seed++)
        for (double c = 0.1; c < 2000; c *= 10) {
            struct geometry g;
            struct solution plain, accelerated;
            double a[N], b[N];
            uint64_t of_plain, of_accelerated;
            geometry_random(&g, N, 3, 0.5, seed, &rbf);
            parameter_set(&g.problem.parameters, &parameter_c, c);
            parameter_set(&g.problem.parameters, &parameter_history, 0);
            solved(&g, "unary-mdm", 1e-6, a, &plain, &of_plain);
            solved(&g, "accelerated-mdm", 1e-6, b, &accelerated, &of_accelerated);
            assert_memory_equal(a, b, sizeof a);
            assert_int_equal(plain.iterations, accelerated.iterations);
            assert_int_equal(of_plain, of_accelerated);
            geometry_close(&g);
        }
}

static void it_finds_the_optimum_of_unary_mdm(void **state)
{
    (void)state;
    const double tolerance = 1e-8; /* |W|² exceeds its minimum by at most Delta */
    for (unsigned long seed = 1; seed <= 5; seed++)
        for (double c = 0.1; c < 2e4; c *= 10)
            for (int history = 1; history <= 100; history *= 10) {
                struct geometry g;
                struct solution plain, accelerated;
                double a[N];
                uint64_t operations;
                geometry_random(&g, N, 3, 0.5, seed, &rbf);
                parameter_set(&g.problem.parameters, &parameter_c, c);
                parameter_set(&g.problem.parameters, &parameter_history, history);
                double first = solved(&g, "unary-mdm", tolerance, a, &plain, &operations);
                double second = solved(&g, "accelerated-mdm", tolerance, a, &accelerated, &operations);
                assert_int_equal(plain.outcome, OUTCOME_CONVERGED);
                assert_int_equal(accelerated.outcome, OUTCOME_CONVERGED);
                assert_true(fabs(first - second) <= 1.1 * tolerance * first);
                geometry_close(&g);
            }
}

/* The rhomboid of datasets/rhomboid.csv. The fifth z is the corner (10, 70), except that its bias coordinate is lower
 * by 2, which does not matter while the other products are in the thousands. */
static void on_the_rhomboid_a_handful_of_updates_does_for_the_zigzag(void **state)
{
    (void)state;
    const double x[] = {80, -50, 60, 10, -10, -70, 10, 70, 30, 10};
    const signed char y[] = {1, 1, -1, 1, 1};
    struct geometry g;
    struct solution plain, accelerated;
    double alpha[5];
    uint64_t of_plain, of_accelerated;
    geometry_open(&g, 5, 2, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 1e9);
    double first = solved(&g, "unary-mdm", 1e-3, alpha, &plain, &of_plain);
    double second = solved(&g, "accelerated-mdm", 1e-3, alpha, &accelerated, &of_accelerated);
    assert_true(plain.iterations >= 15 && accelerated.iterations <= 6);
    assert_int_equal(of_plain, plain.iterations * 13);
    /* one of the updates is along a V of three corners: 3 rows and 6 products */
    assert_int_equal(of_accelerated, (accelerated.iterations - 1) * 13 + 3 * 5 + 6);
    /* the corner (30, 10): |W|² = 900 + 100, plus 1 from the bias; the tolerance is 1e-3 of |W|² */
    assert_true(fabs(first - 500.5) <= 0.51 && fabs(second - 500.5) <= 0.51);
    geometry_close(&g);
}

/* Each pattern twice and almost no slack: sums of updates between equal points have no length. */
static void points_that_are_there_twice_do_not_stop_it(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 10; seed++) {
        struct geometry half, g;
        struct solution plain, accelerated;
        double alpha[N], x[N * 2];
        signed char y[N];
        uint64_t operations;
        geometry_random(&half, N / 2, 2, 2, seed, &linear);
        for (size_t i = 0; i < N; i++) {
            y[i] = half.y[i / 2];
            for (size_t d = 0; d < 2; d++)
                x[2 * i + d] = half.x[2 * (i / 2) + d];
        }
        geometry_open(&g, N, 2, x, y, &linear);
        parameter_set(&g.problem.parameters, &parameter_c, 1e300);
        double first = solved(&g, "unary-mdm", 1e-6, alpha, &plain, &operations);
        double second = solved(&g, "accelerated-mdm", 1e-6, alpha, &accelerated, &operations);
        for (size_t i = 0; i < N; i++)
            assert_true(alpha[i] >= 0 && alpha[i] <= 1);
        if (plain.outcome == OUTCOME_CONVERGED) {
            assert_int_equal(accelerated.outcome, OUTCOME_CONVERGED);
            assert_true(fabs(first - second) <= 1.1e-6 * first);
        }
        geometry_close(&half);
        geometry_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_update_is_that_of_the_definition),
        cmocka_unit_test(without_history_it_is_unary_mdm_bit_for_bit),
        cmocka_unit_test(it_finds_the_optimum_of_unary_mdm),
        cmocka_unit_test(on_the_rhomboid_a_handful_of_updates_does_for_the_zigzag),
        cmocka_unit_test(points_that_are_there_twice_do_not_stop_it),
    };
    return cmocka_run_group_tests_name("accelerated MDM", tests, NULL, NULL);
}
