/*
 * The rule svm-gap. Plain loops over patterns, on grids and at every kink, search for P, D and the best bias and scale;
 * solvers of different formulations of one SVM are compared at their optimum; and the end of a run is compared with the
 * schedule of checks.
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
#include "harness/evaluate/recheck.h"
#include "harness/evaluate/rounding.h"
#include "harness/evaluate/solve.h"
#include "tests/geometry.h"

static const struct kernel rbf = {.type = KERNEL_RBF, .width = 2}, linear = {.type = KERNEL_LINEAR};

/* Returns svm_gap of the multipliers, with f as the judge computes it. */
static struct svm_gap gap_of(struct geometry *g, enum formulation formulation, const double *alpha)
{
    double *f = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    struct svm_gap gap;
    assert_true(f && scratch);
    const struct judging judging = {&g->problem, formulation, g->gram, alpha, 0, f, scratch};
    products_with_patterns(&judging);
    const struct product_rounding rounding = rounding_of_products(&judging);
    svm_gap(&judging, &rounding, &gap);
    free(f);
    free(scratch);
    return gap;
}

/* ---- plain loops ---- */

/* A point of an SVM: kernel values without a ridge. */
struct plain {
    size_t n;
    const struct geometry *g;
    const double *alpha;
    double f[MAX_GEOMETRY], w2, sum, largest, squares;
};

static void open_plain(struct plain *plain, struct geometry *g, const double *alpha, double added2)
{
    *plain = (struct plain){.n = g->n, .g = g, .alpha = alpha};
    for (size_t j = 0; j < g->n; j++) {
        const double *row = gram_row(g->gram, j);
        for (size_t i = 0; i < g->n; i++)
            plain->f[j] += alpha[i] * g->y[i] * (row[i] - (i == j ? gram_ridge(g->gram) : 0) + added2);
        plain->sum += alpha[j];
        plain->squares += alpha[j] * alpha[j];
        plain->largest = fmax(plain->largest, alpha[j]);
    }
    for (size_t j = 0; j < g->n; j++)
        plain->w2 += alpha[j] * g->y[j] * plain->f[j];
}

static double loss_at(const struct plain *plain, double t, double b, int power)
{
    double loss = 0;
    for (size_t j = 0; j < plain->n; j++)
        loss += pow(fmax(0, 1 - plain->g->y[j] * (t * plain->f[j] + b)), power);
    return loss;
}

/* The smallest loss over b: at a kink for a linear penalty; by ternary search for a square one. */
static double least_loss(const struct plain *plain, double t, int power)
{
    double least = HUGE_VAL, low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t j = 0; j < plain->n; j++) {
        double kink = plain->g->y[j] - t * plain->f[j];
        least = fmin(least, loss_at(plain, t, kink, power));
        low = fmin(low, kink);
        high = fmax(high, kink);
    }
    for (int step = 0; power == 2 && step < 200; step++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (loss_at(plain, t, a, power) < loss_at(plain, t, b, power))
            high = b;
        else
            low = a;
    }
    return power == 2 ? fmin(least, loss_at(plain, t, low, power)) : least;
}

/* The largest D over scales up to the limit, by ternary search, and its scale. */
static double best_dual(const struct plain *plain, double ridge, double limit, double *scale)
{
    double q = plain->w2 + ridge * plain->squares, low = 0, high = fmin(limit, 4 * plain->sum / q);
    for (int step = 0; step < 200; step++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (a * plain->sum - 0.5 * a * a * q < b * plain->sum - 0.5 * b * b * q)
            low = a;
        else
            high = b;
    }
    *scale = high;
    return high * plain->sum - 0.5 * high * high * q;
}

static double next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Weights that sum to `total` in each class: some 0, some equal and at the upper bound. */
static void random_weights(const struct geometry *g, uint64_t *seed, double total, double *alpha)
{
    double sum[2] = {0, 0};
    for (size_t j = 0; j < g->n; j++) {
        double u = next_random(seed);
        alpha[j] = u < 0.3 ? 0 : u < 0.6 ? 1 : next_random(seed);
        sum[g->y[j] < 0] += alpha[j];
    }
    for (size_t j = 0; j < g->n; j++)
        alpha[j] *= total / sum[g->y[j] < 0];
}

static void assert_near(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * (fabs(a) + fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

/* P at every kink for the scale of D; with a linear penalty svm_gap's P is at most that. Any other plane's P is at
 * least D. */
static void p_and_d_are_those_of_plain_loops(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (size_t trial = 0; trial < 24; trial++) {
        struct geometry g;
        double alpha[MAX_GEOMETRY], t = 0, c = trial % 3 == 0 ? 0.5 : trial % 3 == 1 ? 20 : 1000;
        int square = trial % 2;
        geometry_random(&g, 7 + 2 * trial, 3, 0.7, trial + 1, &rbf);
        random_weights(&g, &seed, trial % 4 < 2 ? 1 : 5, alpha);
        parameter_set(&g.problem.parameters, &parameter_c, c);
        oracle_set_ridge(g.oracle, square ? 1 / c : 0);
        struct plain plain;
        open_plain(&plain, &g, alpha, 0);
        double dual = best_dual(&plain, square ? 1 / c : 0, square ? HUGE_VAL : c / plain.largest, &t);
        double primal = 0.5 * t * t * plain.w2 + (square ? 0.5 * c : c) * least_loss(&plain, t, square ? 2 : 1);
        struct svm_gap gap = gap_of(&g, square ? FORMULATION_SQUARE_SVM : FORMULATION_C_SVM, alpha);
        assert_near(gap.dual, dual, 1e-12);
        assert_true(gap.gap > 0 && gap.gap_rounding > 0 && gap.gap_rounding < 1e-9 * gap.gap);
        if (square)
            assert_near(gap.dual + gap.gap, primal, 1e-6);
        else
            assert_true(gap.dual + gap.gap <= primal * (1 + 1e-6));
        for (int k = 1; k < 30 && !square; k++) { /* no plane along W is below D */
            double at = t * k / 15;
            assert_true(0.5 * at * at * plain.w2 + c * least_loss(&plain, at, 1) >= gap.dual * (1 - 1e-12));
        }
        enum formulation hulls = FORMULATION_NEAREST_POINTS;
        struct svm_gap same = gap_of(&g, hulls, alpha);
        assert_true(same.gap == gap.gap && same.dual == gap.dual);
        geometry_close(&g);
    }
}

/* The largest margin of the plane along W: over all biases halfway between two patterns, or with bias 0. */
static double best_margin(const struct plain *plain, int has_bias)
{
    double best = -HUGE_VAL;
    for (size_t a = 0; a < plain->n; a++)
        for (size_t b = 0; b < plain->n; b++) {
            double bias = has_bias ? -0.5 * (plain->f[a] + plain->f[b]) : 0, margin = HUGE_VAL;
            for (size_t j = 0; j < plain->n; j++)
                margin = fmin(margin, plain->g->y[j] * (plain->f[j] + bias));
            best = fmax(best, margin);
        }
    return best;
}

static void hard_margins_are_those_of_plain_loops(void **state)
{
    (void)state;
    static const enum formulation formulations[] = {FORMULATION_NEAREST_POINTS, FORMULATION_MINIMUM_NORM,
                                                    FORMULATION_NO_BIAS_HARD_MARGIN};
    uint64_t seed = 9;
    size_t separated = 0, not_separated = 0;
    for (size_t trial = 0; trial < 30; trial++) {
        enum formulation formulation = formulations[trial % 3];
        double alpha[MAX_GEOMETRY], added2 = formulation == FORMULATION_MINIMUM_NORM ? 1 : 0;
        struct geometry g;
        struct plain plain;
        geometry_random(&g, 8 + trial / 2, 2, trial % 2 ? 5 : 0.5, trial + 1, &linear);
        random_weights(&g, &seed, 1, alpha);
        if (formulation != FORMULATION_NEAREST_POINTS)
            for (size_t j = 0; j < g.n; j++)
                alpha[j] *= g.y[j] > 0 ? 0.7 : 0.3;
        open_plain(&plain, &g, alpha, added2);
        double margin = best_margin(&plain, formulation == FORMULATION_NEAREST_POINTS);
        struct svm_gap gap = gap_of(&g, formulation, alpha);
        assert_near(gap.dual, 0.5 * plain.sum * plain.sum / plain.w2, 1e-12);
        separated += margin > 0;
        not_separated += !(margin > 0);
        if (margin > 0)
            assert_near(gap.dual + gap.gap, 0.5 * plain.w2 / (margin * margin), 1e-10);
        else
            assert_true(isinf(gap.gap));
        geometry_close(&g);
    }
    assert_true(separated > 5 && not_separated > 5);
}

/* Without bias: the SVM dual at C, and the minimum norm under a square penalty. */
static void losses_without_bias_are_those_of_plain_loops(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (size_t trial = 0; trial < 20; trial++) {
        int square = trial % 2;
        double alpha[MAX_GEOMETRY], c = trial % 4 < 2 ? 0.5 : 50, t = 0;
        struct geometry g;
        struct plain plain;
        geometry_random(&g, 10 + trial, 2, 0.7, trial + 1, &rbf);
        random_weights(&g, &seed, 1, alpha);
        for (size_t j = 0; j < g.n; j++)
            alpha[j] *= g.y[j] > 0 ? 0.7 : 0.3;
        parameter_set(&g.problem.parameters, &parameter_c, c);
        oracle_set_ridge(g.oracle, square ? 1 / c : 0);
        open_plain(&plain, &g, alpha, square);
        double dual = best_dual(&plain, square ? 1 / c : 0, square ? HUGE_VAL : c / plain.largest, &t);
        double primal = 0.5 * t * t * plain.w2 + (square ? 0.5 * c : c) * loss_at(&plain, t, 0, square ? 2 : 1);
        struct svm_gap gap = gap_of(&g, square ? FORMULATION_MINIMUM_NORM : FORMULATION_NO_BIAS_SVM, alpha);
        assert_near(gap.dual, dual, 1e-12);
        assert_near(gap.dual + gap.gap, primal, 1e-6);
        geometry_close(&g);
    }
}

/* The rounding bound holds: the values for one problem with kernel values that are off by as much as the bound
 * allows. */
static void rounding_of_kernel_values_stays_within_the_bound(void **state)
{
    (void)state;
    for (size_t trial = 0; trial < 20; trial++) {
        struct geometry g;
        double alpha[MAX_GEOMETRY], f[MAX_GEOMETRY];
        uint64_t seed = trial + 1;
        geometry_random(&g, 40, 3, 0.7, trial + 1, &rbf);
        random_weights(&g, &seed, 1, alpha);
        parameter_set(&g.problem.parameters, &parameter_c, trial % 2 ? 1000 : 1);
        oracle_set_ridge(g.oracle, trial % 4 < 2 ? 0 : 1e-3);
        double *products = simd_doubles(g.n), *scratch = simd_doubles(g.n);
        assert_true(products && scratch);
        products_with_patterns(&(struct judging){&g.problem, 0, g.gram, alpha, 0, products, scratch});
        struct svm_gap as_is = gap_of(&g, FORMULATION_NEAREST_POINTS, alpha), moved;
        const struct product_rounding rounding = rounding_of_products(&(struct judging){&g.problem, FORMULATION_C_SVM,
                                                                      g.gram, alpha, 0, NULL, NULL});
        for (size_t j = 0; j < g.n; j++)
            f[j] = products[j] + (2 * next_random(&seed) - 1) * rounding_of_product(&rounding, j);
        svm_gap(&(struct judging){&g.problem, FORMULATION_NEAREST_POINTS, g.gram, alpha, 0, f, scratch}, NULL, &moved);
        assert_true(fabs(moved.dual - as_is.dual) <= as_is.dual_rounding);
        assert_true(fabs(moved.gap - as_is.gap) <= as_is.gap_rounding + as_is.dual_rounding);
        free(products);
        free(scratch);
        geometry_close(&g);
    }
}

/* svm_gap of multipliers with given f, each of which may be off by `off`; C = 2^20. */
static struct svm_gap gap_with_bound(enum formulation formulation, size_t n, const signed char *y, const double *alpha,
                                     const double *f, double off)
{
    const double any[] = {1, 2, 3};
    double scratch[3], given[3];
    struct geometry g;
    struct svm_gap gap;
    memcpy(given, f, n * sizeof *f);
    geometry_open(&g, n, 1, any, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 0x1p20);
    const struct product_rounding products = {.gram = g.gram, .terms = (double)n, .absolute = off};
    svm_gap(&(struct judging){&g.problem, formulation, g.gram, alpha, 0, given, scratch}, &products, &gap);
    geometry_close(&g);
    return gap;
}

/* Patterns that rounding may move into the margin cost C, but only alpha with a plane 1 + 4 off times as large; all
 * terms of P - D at that plane by hand. */
static void patterns_on_the_margin_do_not_cost_c(void **state)
{
    (void)state;
    static const signed char y[] = {1, -1}, same[] = {1, 1, 1};
    static const double offs[] = {1e-9, 1e-3, 0.24, 0.26};
    static const double quarter[] = {0.25, 0.25}, at_margin[] = {1.5, 0.5}; /* t = 2: b = -2, |t w| = 1 */
    for (size_t k = 0; k < 4; k++) {
        const double off = offs[k], apart = 4 * off;
        struct svm_gap gap = gap_with_bound(FORMULATION_C_SVM, 2, y, quarter, at_margin, off / 2);
        assert_true(gap.gap == 0);
        double bound = apart < 1 ? apart + 0.5 * apart * apart * (1 + off) + (1 + apart) * off
                                 : 2 * (0x1p20 - 0.5) * off;
        assert_near(gap.gap_rounding, rounding_bound(bound), 1e-5);
    }
    /* without bias, one beyond the margin, one inside with alpha = C, so that P - D = 0.125 */
    static const double alpha[] = {0.5, 0.125, 0x1p20}, f[] = {1, 2, 1 - 0x1p-22};
    const double off = 0x1p-30;
    struct svm_gap gap = gap_with_bound(FORMULATION_NO_BIAS_SVM, 3, same, alpha, f, off);
    assert_true(gap.gap == 0.125);
    double beyond = 4 * off, more = 0.5 * beyond + 0.125 * 2 * beyond + 0.5 * 0x1p20 * beyond * beyond;
    assert_near(gap.gap_rounding, rounding_bound(more + 0.625 * off), 1e-5);
}

/* Multiplying all alpha by a number changes only rounding, whatever the penalty. */
static void the_scale_of_alpha_does_not_matter(void **state)
{
    (void)state;
    uint64_t seed = 5;
    static const double factors[] = {1e-6, 0.3, 17, 1e7};
    for (size_t trial = 0; trial < 12; trial++) {
        struct geometry g;
        double alpha[MAX_GEOMETRY], scaled[MAX_GEOMETRY];
        int penalty = (int)(trial % 3);
        geometry_random(&g, 30, 2, penalty == 2 ? 6 : 0.7, trial + 1, penalty == 2 ? &linear : &rbf);
        random_weights(&g, &seed, 1, alpha);
        if (penalty < 2)
            parameter_set(&g.problem.parameters, &parameter_c, 10);
        oracle_set_ridge(g.oracle, penalty == 1 ? 0.1 : 0);
        struct svm_gap gap = gap_of(&g, FORMULATION_NEAREST_POINTS, alpha);
        assert_true(gap.dual > 0 && gap.gap > 0);
        for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
            for (size_t j = 0; j < g.n; j++)
                scaled[j] = factors[k] * alpha[j];
            struct svm_gap other = gap_of(&g, FORMULATION_NEAREST_POINTS, scaled);
            assert_near(gap.dual, other.dual, 1e-12);
            if (isfinite(gap.gap) || isfinite(other.gap))
                assert_near(gap.gap, other.gap, 1e-10);
        }
        geometry_close(&g);
    }
}

/* The gap of all pattern values times 2^k and C times 4^-k, which P and D follow. */
static struct svm_gap gap_times(const struct geometry *g, enum formulation formulation, const double *alpha, double c,
                                int k)
{
    struct geometry scaled;
    double x[MAX_GEOMETRY];
    for (size_t i = 0; i < g->n * g->dims; i++)
        x[i] = ldexp(g->x[i], k);
    geometry_open(&scaled, g->n, g->dims, x, g->y, &linear);
    parameter_set(&scaled.problem.parameters, &parameter_c, ldexp(c, -2 * k));
    oracle_set_ridge(scaled.oracle, formulation == FORMULATION_SQUARE_SVM ? ldexp(1 / c, 2 * k) : 0);
    struct svm_gap gap = gap_of(&scaled, formulation, alpha);
    geometry_close(&scaled);
    return (struct svm_gap){ldexp(gap.gap, 2 * k), ldexp(gap.dual, 2 * k), ldexp(gap.gap_rounding, 2 * k),
                            ldexp(gap.dual_rounding, 2 * k)};
}

/* Where squares of kernel values overflow or underflow, the bits are those of values near 1. */
static void the_size_of_the_patterns_changes_no_bit(void **state)
{
    (void)state;
    static const enum formulation formulations[] = {FORMULATION_NEAREST_POINTS, FORMULATION_NO_BIAS_HARD_MARGIN,
                                                    FORMULATION_C_SVM, FORMULATION_SQUARE_SVM};
    uint64_t seed = 21;
    for (size_t trial = 0; trial < 16; trial++) {
        enum formulation formulation = formulations[trial % 4];
        double alpha[MAX_GEOMETRY], c = formulation == FORMULATION_NEAREST_POINTS ? (double)NAN : 8;
        struct geometry g;
        geometry_random(&g, 12, 2, 6, trial + 1, &linear);
        random_weights(&g, &seed, 1, alpha);
        struct svm_gap gap = gap_times(&g, formulation, alpha, c, 0);
        assert_true(isfinite(gap.gap) && gap.gap > 0 && gap.dual > 0);
        for (int k = -260; k <= 260; k += 40) {
            struct svm_gap other = gap_times(&g, formulation, alpha, c, k);
            assert_true(other.gap == gap.gap && other.dual == gap.dual);
            assert_true(fabs(other.gap_rounding - gap.gap_rounding) <= 1e-6 * gap.gap_rounding);
            assert_true(fabs(other.dual_rounding - gap.dual_rounding) <= 1e-6 * gap.dual_rounding);
        }
        geometry_close(&g);
    }
}

/* ---- runs ---- */

struct run {
    enum status status;
    struct solution solution;
    struct svm_gap gap;
    struct judgement judged;
    uint64_t operations;
    struct error error;
    double alpha[MAX_GEOMETRY];
};

static void run(struct run *out, struct geometry *g, const char *name, enum stop_rule rule, double tolerance,
                uint64_t iterations)
{
    const struct solver *solver = solver_find(name);
    assert_non_null(solver);
    const struct solve_request request = {.solver = solver,
                                          .problem = &g->problem,
                                          .oracle = g->oracle,
                                          .patterns = &g->points,
                                          .kernel = gram_kernel(g->gram),
                                          .stop = {rule, tolerance},
                                          .budget = {.iterations = iterations}};
    memset(out, 0, sizeof *out);
    out->status = solve(&request, out->alpha, &out->solution, &out->error);
    if (out->status != STATUS_OK)
        return;
    double *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    assert_true(products && scratch);
    const struct judging judging = {&g->problem, solver->formulation, g->gram, out->alpha, 1e-6, products, scratch};
    judge(&judging, &out->judged);
    const struct product_rounding rounding = rounding_of_products(&judging);
    svm_gap(&judging, &rounding, &out->judged.svm);
    free(products);
    free(scratch);
    out->gap = out->judged.svm;
    out->operations = oracle_operations(g->oracle, PHASE_ITERATIONS);
}

static const uint64_t many = 100000;

static void run_to_gap(struct run *out, struct geometry *g, const char *name, double tolerance)
{
    run(out, g, name, STOP_SVM_GAP, tolerance, many);
    assert_int_equal(out->status, STATUS_OK);
    if (out->solution.outcome != OUTCOME_CONVERGED)
        fail_msg("%s: %s", name, outcome_name(out->solution.outcome));
    assert_true(svm_gap_is_within(&out->gap, tolerance));
}

/* SMO solvers at C, and hull solvers at the mu that eq. 19 gives for this C. All have the D of the same SVM. */
static void c_svm_and_reduced_hulls_have_one_optimum(void **state)
{
    (void)state;
    static const char *const duals[] = {"1-smo", "second-order-smo", "conjugate-smo", "svm-light", "keerthi-1"};
    static const char *const hulls[] = {"clip-mdm", "second-order-clip-mdm", "cycle-clip-mdm"};
    static const double penalties[] = {0.3, 10, 100};
    for (size_t p = 0; p < 3; p++) {
        struct geometry g;
        struct run first, other;
        geometry_random(&g, 60, 2, 0.7, p + 1, &rbf);
        parameter_set(&g.problem.parameters, &parameter_c, penalties[p]);
        run_to_gap(&first, &g, "packed-smo", 1e-12);
        for (size_t s = 0; s < sizeof duals / sizeof *duals; s++) {
            run_to_gap(&other, &g, duals[s], 1e-10);
            assert_near(first.gap.dual, other.gap.dual, 1e-9);
        }
        double sum = 0;
        for (size_t j = 0; j < g.n; j++)
            sum += first.alpha[j];
        parameter_set(&g.problem.parameters, &parameter_mu, 2 * penalties[p] / sum);
        for (size_t s = 0; s < sizeof hulls / sizeof *hulls; s++) {
            run_to_gap(&other, &g, hulls[s], 1e-10);
            assert_near(first.gap.dual, other.gap.dual, 1e-9);
        }
        geometry_close(&g);
    }
}

static void square_penalties_have_one_optimum(void **state)
{
    (void)state;
    static const char *const names[] = {"2-smo", "second-order-2-smo", "conjugate-2-smo", "ch-mdm",
                                        "second-order-ch-mdm"};
    static const double penalties[] = {0.3, 10, 1000};
    for (size_t p = 0; p < 3; p++) {
        struct geometry g;
        struct run first, other;
        geometry_random(&g, 60, 2, 0.7, p + 1, &rbf);
        parameter_set(&g.problem.parameters, &parameter_c, penalties[p]);
        run_to_gap(&first, &g, names[0], 1e-11);
        for (size_t s = 1; s < sizeof names / sizeof *names; s++) {
            run_to_gap(&other, &g, names[s], 1e-10);
            assert_near(first.gap.dual, other.gap.dual, 1e-9);
        }
        geometry_close(&g);
    }
}

/* Two patterns, with alpha and both values known: x = +-a, W = x+ - x-, D = 2 / |W|^2, reached at the start. */
static void two_patterns_are_solved_by_their_start(void **state)
{
    (void)state;
    static const double x[] = {2, 0, -1, 0};
    static const signed char y[] = {1, -1};
    struct geometry g;
    struct run out;
    geometry_open(&g, 2, 2, x, y, &linear);
    run(&out, &g, "mdm", STOP_SVM_GAP, 1e-12, 10);
    assert_int_equal(out.solution.outcome, OUTCOME_CONVERGED);
    assert_int_equal(out.solution.iterations, 0);
    assert_near(out.gap.dual, 2.0 / 9, 1e-15);
    assert_true(fabs(out.gap.gap) <= 1e-15);
    geometry_close(&g);
}

/* Pairs of solvers of the hard-margin dual, of the SVM without bias and of the minimum norm each reach the same D. */
static void duals_without_bias_have_one_optimum(void **state)
{
    (void)state;
    struct geometry g;
    struct run one, other;
    geometry_random(&g, 40, 2, 3, 1, &rbf);
    run_to_gap(&one, &g, "kernel-adatron", 1e-10);
    run_to_gap(&other, &g, "munk-subset", 1e-10);
    assert_near(one.gap.dual, other.gap.dual, 1e-9);
    parameter_set(&g.problem.parameters, &parameter_c, 2);
    run_to_gap(&one, &g, "kernel-adatron-soft", 1e-10);
    run_to_gap(&other, &g, "munk-subset-soft", 1e-10);
    assert_near(one.gap.dual, other.gap.dual, 1e-9);
    run_to_gap(&one, &g, "unary-mdm", 1e-10);
    run_to_gap(&other, &g, "accelerated-mdm", 1e-10);
    assert_near(one.gap.dual, other.gap.dual, 1e-9);
    geometry_close(&g);
}

/* The first scheduled iteration with a small enough gap, found by running to every number of iterations. Only
 * iterations are counted. */
static void runs_end_where_the_schedule_first_finds_the_gap(void **state)
{
    (void)state;
    static const char *const names[] = {"1-smo", "2-smo", "ch-mdm", "unary-mdm", "mdm", "kernel-adatron-soft"};
    for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
        struct geometry g;
        struct run met, at;
        uint64_t iteration = 1; /* a budget of 0 means none; the start does not have the gap, see below */
        int linear_hulls = strcmp(names[s], "mdm") == 0;
        geometry_random(&g, 60, 2, linear_hulls ? 4 : 1, 2, linear_hulls ? &linear : &rbf);
        if (!linear_hulls)
            parameter_set(&g.problem.parameters, &parameter_c, 30);
        run_to_gap(&met, &g, names[s], 1e-4);
        assert_true(met.solution.iterations > 0);
        for (;; iteration = iteration < 20 ? iteration + 1 : iteration + iteration / 20) {
            run(&at, &g, names[s], STOP_ITERATIONS, 0, iteration);
            if (svm_gap_is_within(&at.gap, 1e-4) || iteration >= met.solution.iterations)
                break;
        }
        assert_int_equal(iteration, met.solution.iterations);
        assert_int_equal(at.operations, met.operations);
        assert_memory_equal(at.alpha, met.alpha, g.n * sizeof(double));
        geometry_close(&g);
    }
}

/* If a budget ends the run between two checks, a check follows. */
static void a_budget_ends_with_a_look(void **state)
{
    (void)state;
    struct geometry g;
    struct run met, cut;
    size_t seen[2] = {0, 0};
    geometry_random(&g, 80, 2, 0.7, 2, &rbf);
    parameter_set(&g.problem.parameters, &parameter_c, 30);
    run_to_gap(&met, &g, "1-smo", 1e-3);
    for (uint64_t left = met.solution.iterations / 10; left > 0; left--) {
        run(&cut, &g, "1-smo", STOP_SVM_GAP, 1e-3, met.solution.iterations - left);
        int is_met = svm_gap_is_within(&cut.gap, 1e-3);
        seen[is_met]++;
        assert_int_equal(cut.solution.outcome, is_met ? OUTCOME_CONVERGED : OUTCOME_ITERATION_LIMIT);
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
    geometry_close(&g);
}

/* Rounding leaves a |w|^2 below 0, and the planes of P and D may be 1e9 apart. */
static void a_norm_rounded_below_zero_ends_no_run(void **state)
{
    (void)state;
    static const double x[] = {-0.1, 0.5, 0.1, 0.5, 0.1, 0.1}; /* tied on a line */
    size_t below = 0;
    for (unsigned labels = 1; labels < 63; labels++) {
        signed char y[6];
        struct geometry g;
        struct run out, reference;
        for (size_t i = 0; i < 6; i++)
            y[i] = labels >> i & 1 ? 1 : -1;
        geometry_open(&g, 6, 1, x, y, &linear);
        parameter_set(&g.problem.parameters, &parameter_c, 100);
        run(&reference, &g, "second-order-smo", STOP_KKT, 1e-9, 100000);
        run(&out, &g, "1-smo", STOP_SVM_GAP, 1e-3, 100000);
        assert_int_equal(out.solution.outcome, OUTCOME_CONVERGED);
        assert_near(out.gap.dual, reference.judged.objective, 1e-3);
        assert_true(out.gap.gap >= 0);
        below += out.solution.iterations > 0;
        geometry_close(&g);
    }
    assert_true(below > 30);
}

static void mu_alone_is_refused(void **state)
{
    (void)state;
    struct geometry g;
    struct run out;
    geometry_random(&g, 20, 2, 0.7, 1, &rbf);
    parameter_set(&g.problem.parameters, &parameter_mu, 0.2);
    run(&out, &g, "clip-mdm", STOP_SVM_GAP, 1e-3, many);
    assert_int_equal(out.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(out.error.message, "svm-gap needs the C that mu belongs to"));
    geometry_close(&g);
}

static void nothing_is_met_without_a_positive_dual_value(void **state)
{
    (void)state;
    const double bad[] = {0, -1, HUGE_VAL, (double)NAN};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_false(svm_gap_is_within(&(struct svm_gap){.gap = 0, .dual = bad[k]}, 1));
        assert_false(svm_gap_is_within(&(struct svm_gap){.gap = -1, .dual = bad[k]}, 1));
    }
    assert_false(svm_gap_is_within(&(struct svm_gap){.gap = (double)NAN, .dual = 1}, 1));
    assert_false(svm_gap_is_within(&(struct svm_gap){.gap = HUGE_VAL, .dual = 1}, 1));
    assert_true(svm_gap_is_within(&(struct svm_gap){.gap = 0.5, .dual = 1}, 0.5));
    struct geometry g;
    double alpha[MAX_GEOMETRY] = {0};
    geometry_random(&g, 9, 2, 0.7, 1, &rbf);
    parameter_set(&g.problem.parameters, &parameter_c, 1);
    struct svm_gap gap = gap_of(&g, FORMULATION_C_SVM, alpha);
    assert_false(svm_gap_is_within(&gap, 1e300));
    geometry_close(&g);
}

/* The recheck: confirmed, not met, and hidden by rounding. */
static void the_recheck_compares_gap_limit_and_rounding(void **state)
{
    (void)state;
    static const struct {
        struct svm_gap gap;
        enum recheck verdict;
    } cases[] = {{{1e-3, 1, 1e-9, 1e-9}, RECHECK_BORNE_OUT},
                 {{1.001e-3, 1, 1e-9, 1e-9}, RECHECK_NOT_MET},
                 {{0.5e-3, 1, 2e-3, 1e-9}, RECHECK_CANNOT_TELL},
                 {{0.5e-3, 1, 1e-4, 0.99}, RECHECK_CANNOT_TELL},
                 {{0.1, -1, 1e-9, 1e-9}, RECHECK_NOT_MET},
                 {{HUGE_VAL, 1, 1e-9, 1e-9}, RECHECK_NOT_MET},
                 {{0.1, HUGE_VAL, 1e-9, 1e-9}, RECHECK_NOT_MET}};
    const struct stop stop = {STOP_SVM_GAP, 1e-3};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct judgement judgement = {.svm = cases[k].gap, .norm2 = 1};
        char reason[REASON_SIZE];
        assert_int_equal(recheck_rule(&stop, solver_find("1-smo"), 0, &judgement, reason),
                         cases[k].verdict);
        assert_int_equal(*reason != 0, cases[k].verdict != RECHECK_BORNE_OUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_and_d_are_those_of_plain_loops),
        cmocka_unit_test(hard_margins_are_those_of_plain_loops),
        cmocka_unit_test(losses_without_bias_are_those_of_plain_loops),
        cmocka_unit_test(rounding_of_kernel_values_stays_within_the_bound),
        cmocka_unit_test(patterns_on_the_margin_do_not_cost_c),
        cmocka_unit_test(the_scale_of_alpha_does_not_matter),
        cmocka_unit_test(the_size_of_the_patterns_changes_no_bit),
        cmocka_unit_test(c_svm_and_reduced_hulls_have_one_optimum),
        cmocka_unit_test(square_penalties_have_one_optimum),
        cmocka_unit_test(two_patterns_are_solved_by_their_start),
        cmocka_unit_test(duals_without_bias_have_one_optimum),
        cmocka_unit_test(runs_end_where_the_schedule_first_finds_the_gap),
        cmocka_unit_test(a_budget_ends_with_a_look),
        cmocka_unit_test(a_norm_rounded_below_zero_ends_no_run),
        cmocka_unit_test(mu_alone_is_refused),
        cmocka_unit_test(nothing_is_met_without_a_positive_dual_value),
        cmocka_unit_test(the_recheck_compares_gap_limit_and_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
