/*
 * Degenerate inputs for every registered solver. The unit runs them like `hullbench run`, and the tests check the
 * values of a record. Each run ends within a stated distance of an optimum computed with 113 bits
 * (tests/exact_optimum.h), or is not `converged`.
 *
 * The distance. F is convex, so F(alpha) - F(x) <= g . (alpha - x) for every feasible point x, where g is the gradient
 * at alpha. With the reference's optimum as x, and eps the tolerance, each rule (harness/evaluate/stopping.c) bounds
 * the right-hand side:
 *
 *   nearest points   g . (alpha - x) <= g_+ + g_-, g_s = s W.W_s - s W.X^_s, because class s of x lies in the reduced
 *                    hull. So:
 *                      rch-gap-both   2 eps |W|          gap-sum-w2   eps |W|^2          gap-max-w2   2 eps |W|^2
 *                    Delta is at least as large as either gap (harness/evaluate/recheck.c):
 *                      delta          4 eps              delta-w2     2 eps |W|^2        delta-2w2    4 eps |W|^2
 *                    rch-gap and rch-gap-updated check the class to be updated, which a record does not name. The
 *                    smaller of g_+ and g_- is at most eps |W|; the distance has no bound. A class whose reduced hull
 *                    is one point is never updated.
 *   minimum norm     one gap: rch-gap and rch-gap-both eps |W|, delta 2 eps, delta-2w2 2 eps |W|^2, otherwise
 *                    eps |W|^2
 *   with a bias      v = F_low - F_up and b = -(F_low + F_up) / 2 give y_j (F_j + b) <= v / 2 where alpha_j > 0, and >=
 *                    -v / 2 where alpha_j < C; y_j F_j is g_j. So g . (alpha - x) = sum y_j (F_j + b) (alpha_j - x_j) -
 *                    b sum y_j alpha_j <= v / 2 sum |alpha_j - x_j| + |b| |sum y_j alpha_j|. kkt means v <= eps; delta
 *                    and kkt-relaxed, which holds at some bias, mean v <= 2 eps.
 *   without bias     v is the largest min(|g_j|, worth_j d_j), d_j the distance from alpha_j to the bound that g_j
 *                    leads to. Coordinate j adds at most |g_j| |alpha_j - x_j| where |g_j| <= v, else
 *                    |g_j| v / worth_j. kkt, delta and kkt-relaxed bound v as above. gap-max-w2 and gap-sum-w2 bound
 *                    the duality gap, which is at least F(alpha) - F(x), by eps |W|^2.
 *
 * dual-change bounds no distance. A run with one iteration less gives the previous multipliers, and the change must be
 * at most what the rule allows. No run meets `iterations`. Under a kernel that is not positive semidefinite F may have
 * many minima, so there is no reference: the rule, which is the optimality condition, must hold at the multipliers, and
 * |W|^2 must not be negative.
 *
 * With HULLBENCH_TESTS=all, each solver runs on each input with each combination of parameters and rule. Otherwise it
 * runs on each input with every 31st combination, or at least one, and the first one moves on from input to input.
 *
 * Runs on data that are neither scaled nor shifted do not fail. Every value of a record that has a rounding bound
 * (harness/evaluate/rounding.h) is within it, too.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/multiplicative/nonnegative.h"
#include "harness/base/die.h"
#include "harness/run/unit.h"
#include "solvers/registry.h"
#include "tests/all_tests.h"
#include "tests/exact_optimum.h"
#include "tests/tested_solvers.h"

enum { PATTERNS = 10, MAX_DIMS = 2, BUDGET = 600, CACHE = 256, LISTED = 20, QUICK_STEP = 31 };

/* ---- the problems ---- */

struct sample_set {
    const char *name;
    size_t n, dims;
    const char *labels; /* + and - */
    double x[PATTERNS * MAX_DIMS];
};

static const struct sample_set sets[] = {
    {"apart", 6, 2, "+++---", {1, 2, 2, 1.5, 1.2, 0.3, -1, -0.4, -2, 0.7, -0.5, -2}},
    {"overlapping", 8, 2, "++++----", {1, 0.3, -0.5, 1, 0.2, -0.7, 1.5, 1.1, 0.4, 0.1, -1, -0.6, 0.9, -0.2, -0.3, 1.4}},
    {"a zero row", 6, 2, "+++---", {1, 2, 0, 0, 1.5, 0.5, -1, -1, -2, 0.25, -0.75, -1.5}},
    {"a zero row in each class", 6, 2, "+++---", {1, 2, 0, 0, 1.5, 0.5, 0, 0, -2, 0.25, -0.75, -1.5}},
    {"all zero", 4, 1, "++--", {0, 0, 0, 0}},
    {"one of +, at the side", 7, 2, "+------", {3, 1, 0, 0, 1, 0, 0, 1, 1, 1, -1, 0.5, 0.5, -1}},
    {"one of +, in the middle", 7, 2, "+------", {0.2, 0.3, 1, 0, 0, 1, 1, 1, -1, 0.5, 0.5, -1, -0.7, -0.2}},
    {"one of -", 6, 2, "+++++-", {1, 0.25, 0, 1, 1, 1, -1, 0.5, 0.5, -1, 2.5, -1.5}},
    {"one of each", 2, 2, "+-", {1, 2, -2, -2}},
    {"one of each, alike", 2, 1, "+-", {1, 1}},
    {"one of each, one of them zero", 2, 1, "+-", {0, 3}},
    {"all alike", 6, 2, "+++---", {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}},
    {"all alike, one of +", 5, 1, "+----", {0.3, 0.3, 0.3, 0.3, 0.3}},
    {"the classes alike", 6, 2, "+++---", {1, 2, -1, 0.5, 0.25, -1, 1, 2, -1, 0.5, 0.25, -1}},
    {"duplicates", 8, 2, "++++----", {1, 1, 1, 1, 2, 1, 2, 1, -1, 0, -1, 0, -1, 0, 1, 1}},
    {"touching at a corner", 6, 2, "+++---", {0, 0, 1, 1, 1, -1, 0, 0, -1, 1, -2, -1}},
    {"touching along an edge", 8, 2, "++++----", {0, 0, 0, 1, 1, 0, 1, 1, 0, 0.25, 0, 1.5, -1, 0, -1, 1}},
    {"a corner on an edge", 5, 2, "++---", {0, 0, 1, 0.5, 0, 1, 0, -1, -1, 0}},
    {"one hull in the other", 8, 2, "++++----", {2, 2, 2, -2, -2, 2, -2, -2, 0.5, 0, 0, 0.5, -0.5, 0, 0, -0.5}},
    {"on a line", 6, 1, "+-+-+-", {1, 2, 3, 4, 5, 6}},
    {"opposite", 4, 2, "++--", {1, 0.5, -1, -0.5, 0.3, 2, -0.3, -2}},
    {"binary", 9, 2, "+--++-+--", {1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1}},
    {"binary, more of +", 7, 2, "+--+++-", {1, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1}},
    {"three levels, tied", 9, 1, "+-+-+--+-", {0, 0, 1, 1, 2, 2, 0, 1, 2}},
    {"categories", 8, 2, "++-+--+-", {1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0}},
    {"unequal columns", 6, 2, "+++---", {1e3, 1, 1e3, 2, -1e3, 1, 1e3, -1, -1e3, -2, 1e3, -1.5}},
};

/* Each set is used unchanged; some are also scaled and shifted. */
struct change {
    const char *name;
    double scale, offset;
};
static const struct change changes[] = {
    {"", 1, 0},
    {" times 1e-70", 1e-70, 0},
    {" times 1e70", 1e70, 0},
    {" times 1e-160", 1e-160, 0}, /* inner products of 1e-320: a few bits */
    {" times 1e99", 1e99, 0},     /* about the largest values that the data readers accept */
    {" plus 1e3", 1, 1e3},
    {" plus 1e8", 1, 1e8},
};
static const size_t changed_sets[] = {0, 1, 2, 7, 13, 15}; /* indices into `sets` */

static const struct kernel kernels[] = {
    {.type = KERNEL_LINEAR},
    {.type = KERNEL_RBF, .width = 2},
    {.type = KERNEL_POLYNOMIAL, .scale = 0.5, .offset = 1, .degree = 2},
    {.type = KERNEL_POLYNOMIAL, .scale = 1, .offset = 0, .degree = 3},
};

/* Square tables of a precomputed kernel, none of them positive semidefinite. */
static const struct sample_set tables[] = {
    {"a negative diagonal", 4, 4, "++--", {-1, 0.5, 0.2, 0, 0.5, 1, 0, 0.3, 0.2, 0, 1, -0.4, 0, 0.3, -0.4, 2}},
    {"zero diagonal", 4, 4, "+-+-", {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, -1, 0, 1, -1, 0}},
    {"one negative eigenvalue", 4, 4, "++--", {1, 2, 0.1, 0.3, 2, 1, 0.2, 0, 0.1, 0.2, 1, 0.5, 0.3, 0, 0.5, 1}},
    {"negative definite", 4, 4, "+--+", {-2, 0, 0, 0, 0, -1, 0, 0, 0, 0, -3, 0, 0, 0, 0, -1}},
    {"two patterns", 2, 2, "+-", {1, 3, 3, 1}},
};

struct input {
    char name[64];
    size_t n, dims, rows[PATTERNS];
    double x[PATTERNS * MAX_DIMS];
    signed char y[PATTERNS];
    struct kernel kernel;
    int convex, plain; /* convex: the kernel is positive semidefinite; plain: the data are neither scaled nor shifted */
    int overflows;     /* a kernel value exceeds the range of doubles */
    quad k[MAX_QP][MAX_QP];
    struct dataset dataset;
    struct split split;
    struct pool *pool; /* of the unit */
    struct split_session *unit;
    struct reference *references;
    size_t n_references;
};

struct reference {
    struct exact_problem exact;
    struct exact_optimum optimum;
};

static void open_input(struct input *input, const struct sample_set *set, const struct change *change,
                       const struct kernel *kernel)
{
    *input = (struct input){.n = set->n, .dims = set->dims, .kernel = *kernel};
    input->convex = kernel->type != KERNEL_PRECOMPUTED;
    input->plain = input->convex && change->scale == 1 && change->offset == 0;
    snprintf(input->name, sizeof input->name, "%s%s", set->name, change->name);
    for (size_t i = 0; i < set->n; i++) {
        input->rows[i] = i;
        input->y[i] = set->labels[i] == '+' ? 1 : -1;
    }
    for (size_t i = 0; i < set->n * set->dims; i++)
        input->x[i] = change->scale * set->x[i] + change->offset;
    for (size_t i = 0; i < set->n; i++)
        for (size_t j = 0; j < set->n; j++)
            input->k[i][j] = exact_kernel(kernel, set->dims, input->x + i * set->dims, input->x + j * set->dims, j);
    for (size_t i = 0; i < set->n; i++)
        input->overflows |= quad_abs(input->k[i][i]) > (quad)DBL_MAX;
    input->split =
        (struct split){.number = 1, .n_train = set->n, .n_test = 2, .train = input->rows, .test = input->rows};
    input->dataset = (struct dataset){.name = input->name,
                                      .patterns = {.rows = set->n, .dims = set->dims, .values = input->x},
                                      .y = input->y,
                                      .n_splits = 1,
                                      .splits = &input->split};
    input->references = calloc(CACHE, sizeof *input->references);
    assert_non_null(input->references);
    input->pool = pool_new();
    input->unit = unit_open(input->pool, simd_select(NULL), &input->dataset, 0, kernel->type, 1 << 20, 0);
}

static void close_input(struct input *input)
{
    pool_free(input->pool);
    free(input->references);
}

/* ---- findings ---- */

enum { CHOICES = 4 };

struct findings {
    size_t runs, converged, wrong;
    size_t inputs, combinations, step; /* of the solver so far; step 0: only count them */
    size_t solver; /* its index in the registry */
    size_t converged_by[MAX_SOLVERS][STOP_RULES];
    size_t converged_with[MAX_SOLVERS][MAX_PARAMETERS][CHOICES];
};

/* A run and all that is known of it. */
struct run {
    struct input *input;
    const struct solver *solver;
    struct problem problem;
    struct stop stop;
    struct job_result result;
    const double *alpha;
    struct reference *reference; /* NULL: none */
    struct exact_problem exact;
    struct exact_figures figures;
    struct findings *findings;
};

/* Prints in one line what is wrong with a run. */
static void wrong(const struct run *run, const char *what, quad is, quad allowed)
{
    const struct kernel *kernel = &run->input->kernel;
    if (run->findings->wrong++ >= LISTED)
        return;
    fprintf(stderr, "%s, %s %u, %s %s %g", run->input->name, kernel_family_of(kernel)->name, kernel->degree,
            run->solver->name, stop_rule_name(run->stop.rule), run->stop.tolerance);
    for (size_t p = 0; p < solver_count_parameters(run->solver); p++)
        fprintf(stderr, " %s=%.17g", run->solver->parameters[p]->name,
                parameter_get(&run->problem.parameters, run->solver->parameters[p]));
    fprintf(stderr, ": %s after %llu: %s: %g, allowed %g\n", outcome_name(run->result.solution.outcome),
            (unsigned long long)run->result.solution.iterations, what, (double)is, (double)allowed);
}

static void at_most(const struct run *run, const char *what, quad is, quad allowed)
{
    if (!(is <= allowed))
        wrong(run, what, is, allowed);
}

/* ---- the meaning of the rules ---- */

static int is_hull(const struct run *run)
{
    return run->solver->formulation == FORMULATION_NEAREST_POINTS ||
           run->solver->formulation == FORMULATION_MINIMUM_NORM;
}

static int has_bias(const struct run *run)
{
    return run->solver->formulation == FORMULATION_C_SVM || run->solver->formulation == FORMULATION_SQUARE_SVM;
}

/* Limit of each gap or, for gap-sum-w2, of their sum. */
static quad gap_limit(const struct run *run)
{
    quad eps = run->stop.tolerance, norm2 = quad_max(0, run->figures.norm2);
    switch (run->stop.rule) {
    case STOP_RCH_GAP:
    case STOP_RCH_GAP_UPDATED:
    case STOP_RCH_GAP_BOTH:
        return eps * quad_sqrt(norm2);
    case STOP_DELTA:
        return 2 * eps;
    case STOP_DELTA_2NORM2:
        return 2 * eps * norm2;
    default:
        return eps * norm2;
    }
}

static quad violation_limit(const struct run *run)
{
    return (run->stop.rule == STOP_KKT ? 1 : 2) * (quad)run->stop.tolerance;
}

static int bounds_a_gap(enum stop_rule rule)
{
    return rule == STOP_GAP_SUM_NORM2 || rule == STOP_GAP_MAX_NORM2 || rule == STOP_RCH_GAP ||
           rule == STOP_RCH_GAP_BOTH;
}

/* Whether the class's reduced hull is more than a point. */
static int can_move(const struct run *run, int class)
{
    quad count = 0;
    for (size_t j = 0; j < run->exact.n; j++)
        count += run->exact.y[j] == class;
    return count > 1 && count * run->exact.upper > 1;
}

static int sees_one_class(enum stop_rule rule)
{
    return rule == STOP_RCH_GAP || rule == STOP_RCH_GAP_UPDATED;
}

static void check_hull_rule(const struct run *run)
{
    const quad *gap = run->figures.gap, limit = gap_limit(run) * (1 + (quad)1e-6);
    if (run->solver->formulation == FORMULATION_MINIMUM_NORM)
        at_most(run, "gap", gap[0], limit);
    else if (sees_one_class(run->stop.rule))
        at_most(run, "smaller gap",
                !can_move(run, 1)    ? gap[1]
                : !can_move(run, -1) ? gap[0]
                                     : quad_min(gap[0], gap[1]),
                limit);
    else if (run->stop.rule == STOP_GAP_SUM_NORM2)
        at_most(run, "sum of gaps", gap[0] + gap[1], limit);
    else
        at_most(run, "larger gap", quad_max(gap[0], gap[1]), limit);
}

/* Checks the rule at the multipliers, with 113 bits. */
static void check_rule(const struct run *run)
{
    if (is_hull(run))
        check_hull_rule(run);
    else if (!bounds_a_gap(run->stop.rule))
        at_most(run, "violation", run->figures.violation, violation_limit(run) * (1 + (quad)1e-6));
}

/* ---- the distance ---- */

static quad hull_distance(const struct run *run)
{
    if (run->solver->formulation == FORMULATION_MINIMUM_NORM || run->stop.rule == STOP_GAP_SUM_NORM2)
        return gap_limit(run);
    return sees_one_class(run->stop.rule) ? (quad)HUGE_VAL : 2 * gap_limit(run);
}

static quad distance_with_bias(const struct run *run)
{
    quad moved = 0;
    for (size_t j = 0; j < run->exact.n; j++)
        moved += quad_abs(run->alpha[j] - run->reference->optimum.x[j]);
    return violation_limit(run) / 2 * moved + quad_abs(run->figures.middle) * run->figures.balance;
}

static quad distance_without_bias(const struct run *run)
{
    quad limit = violation_limit(run), sum = 0;
    if (bounds_a_gap(run->stop.rule))
        return gap_limit(run);
    for (size_t j = 0; j < run->exact.n; j++) {
        quad slope = quad_abs(run->figures.gradient[j]), worth = exact_worth(&run->exact, j);
        sum += slope <= limit || worth <= 0
                   ? quad_min(slope, limit) * quad_abs(run->alpha[j] - run->reference->optimum.x[j])
                   : slope * limit / worth;
    }
    return sum;
}

/* The accuracy of the reference and of the objective at the multipliers. */
static quad precision_of(const struct run *run)
{
    const struct exact_optimum *optimum = &run->reference->optimum;
    return 2 * quad_abs(optimum->max - optimum->min) + (quad)1e-20 * optimum->unit + run->figures.rounding;
}

static void check_distance(const struct run *run)
{
    const struct exact_optimum *optimum = &run->reference->optimum;
    quad distance = is_hull(run)    ? hull_distance(run)
                    : has_bias(run) ? distance_with_bias(run)
                                    : distance_without_bias(run);
    quad slack = distance * (quad)1e-6 + precision_of(run), f = run->figures.objective;
    quad written = (is_hull(run) ? 1 : -1) * (quad)run->result.judgement.objective;
    if (optimum->unbounded) {
        wrong(run, "there is no optimum", f, 0);
        return;
    }
    at_most(run, "above the optimum by", f - optimum->max, distance + slack);
    at_most(run, "the record's objective above the optimum by", written - optimum->max,
            distance + slack + run->result.judgement.rounding.objective);
}

/* ---- a run ---- */

static int all_finite(const struct run *run)
{
    const struct judgement *judged = &run->result.judgement;
    for (size_t j = 0; j < run->problem.n; j++)
        if (!isfinite(run->alpha[j]))
            return 0;
    return isfinite(judged->objective) && isfinite(judged->norm2) && isfinite(judged->bias);
}

static int same_problem(const struct exact_problem *a, const struct exact_problem *b)
{
    int same_c = a->c == b->c || (isnan((double)a->c) && isnan((double)b->c));
    return a->formulation == b->formulation && a->upper == b->upper && same_c &&
           a->q[0][0] == b->q[0][0] && a->q[1][1] == b->q[1][1];
}

/* The optimum of the run's problem, computed once. */
static struct reference *reference_of(const struct run *run)
{
    struct input *input = run->input;
    for (size_t r = 0; r < input->n_references; r++)
        if (same_problem(&input->references[r].exact, &run->exact))
            return &input->references[r];
    assert_true(input->n_references < CACHE);
    struct reference *reference = &input->references[input->n_references++];
    reference->exact = run->exact;
    if (!exact_optimum_find(&run->exact, &reference->optimum))
        wrong(run, "the reference does not enclose its optimum", reference->optimum.max - reference->optimum.min,
              reference->optimum.max);
    return reference;
}

struct running {
    struct split_session *unit;
    const struct config *config;
    const struct job *job;
    struct job_result *result;
};

static void run_job(void *data)
{
    const struct running *running = data;
    unit_run_job(running->unit, running->config, running->job, NULL, NULL, running->result);
}

static enum status run_it(struct run *run, uint64_t iterations, struct job_result *result)
{
    struct config_solver entry = {
        .solver = run->solver, .stop_rule = run->stop.rule, .budget = {.iterations = iterations}};
    struct config config = {.solvers = &entry, .n_solvers = 1, .support_threshold = 1e-6};
    struct job job = {.kernel = run->input->kernel, .parameters = run->problem.parameters, .stop = run->stop};
    struct running running = {run->input->unit, &config, &job, result};
    enum status status = attempt(run_job, &running, NULL);
    run->alpha = session_alpha(run->input->unit->session);
    return status;
}

/* |D - D'| <= eps |D|, where D' is that of one iteration less. */
static void check_change(struct run *run)
{
    struct exact_figures last = run->figures, before;
    struct job_result result;
    if (run->result.solution.iterations < 2)
        return;
    assert_int_equal(run_it(run, run->result.solution.iterations - 1, &result), STATUS_OK);
    exact_figures_of(&run->exact, run->alpha, &before);
    at_most(run, "change of the objective", quad_abs(last.objective - before.objective),
            run->stop.tolerance * quad_max(quad_abs(before.objective), quad_abs(last.objective)) * (quad)1.01 +
                /* the drift of sums that harness/evaluate/recheck.c allows */
                2 * (quad)run->result.judgement.rounding.objective);
}

static void within(const struct run *run, const char *what, quad written, quad exact, double bound)
{
    at_most(run, what, quad_abs(written - exact), bound + run->figures.rounding);
}

/* Checks the record's values against their rounding bounds. */
static void check_figures(const struct run *run)
{
    const struct judgement *judged = &run->result.judgement;
    const struct exact_figures *exact = &run->figures;
    quad sign = is_hull(run) ? 1 : -1;
    const struct stopping_figures *bound = &judged->rounding;
    within(run, "objective off by", sign * judged->objective, exact->objective, bound->objective);
    within(run, "|W|^2 off by", judged->norm2, exact->norm2, bound->norm2);
    if (!is_hull(run))
        within(run, "violation off by", judged->kkt_violation, exact->violation, bound->kkt_violation);
    for (int c = 0; c < 2 && run->solver->formulation == FORMULATION_NEAREST_POINTS; c++)
        within(run, "gap off by", judged->class_gap[c], exact->gap[c], bound->class_gap[c]);
    if (run->solver->formulation == FORMULATION_MINIMUM_NORM && !isnan(judged->duality_gap))
        within(run, "gap off by", judged->duality_gap, exact->gap[0], bound->duality_gap);
}

/* As far as the record's own value allows (harness/evaluate/judge.h). */
static void check_constraints(const struct run *run)
{
    quad sum = 0, scale = 1;
    for (size_t j = 0; j < run->exact.n; j++)
        sum += run->alpha[j];
    if (run->solver->formulation == FORMULATION_SQUARE_SVM)
        scale = quad_max(1, sum);
    else if (run->solver->formulation == FORMULATION_C_SVM || run->solver->formulation == FORMULATION_NO_BIAS_SVM)
        scale = run->exact.upper;
    at_most(run, "outside its bounds by", run->figures.outside, (quad)1e-9 * scale);
    at_most(run, "off balance by", run->figures.balance, (quad)1e-9 * scale);
}

static void check_converged(struct run *run)
{
    if (!all_finite(run)) {
        wrong(run, "a figure is not finite", 0, 0);
        return;
    }
    exact_figures_of(&run->exact, run->alpha, &run->figures);
    at_most(run, "|W|^2 below zero by", -run->figures.norm2, run->figures.rounding);
    check_figures(run);
    check_constraints(run);
    if (run->stop.rule == STOP_DUAL_CHANGE) {
        check_change(run);
        return;
    }
    check_rule(run);
    if (!run->input->convex)
        return;
    if (run->input->overflows) {
        wrong(run, "a kernel value is not finite", 0, 0);
        return;
    }
    run->reference = reference_of(run);
    check_distance(run);
    if (!run->reference->optimum.unbounded)
        at_most(run, "below the optimum by",
                exact_lower_bound(&run->exact, &run->reference->optimum, run->alpha) - run->figures.objective,
                precision_of(run));
}

static void note_convergence(const struct run *run)
{
    struct findings *findings = run->findings;
    findings->converged++;
    findings->converged_by[findings->solver][run->stop.rule]++;
    for (size_t p = 0; p < solver_count_parameters(run->solver); p++) {
        const struct parameter *parameter = run->solver->parameters[p];
        if (parameter_words(parameter))
            findings->converged_with[findings->solver][p]
                                    [(size_t)parameter_get(&run->problem.parameters, parameter)]++;
    }
}

static void check_run(struct input *input, const struct solver *solver, const struct parameters *parameters,
                      struct stop stop, struct findings *findings)
{
    struct run run = {.input = input, .solver = solver, .stop = stop, .findings = findings};
    run.problem = (struct problem){.n = input->n, .y = input->y, .parameters = *parameters};
    findings->runs++;
    enum status status = run_it(&run, BUDGET, &run.result);
    if (status != STATUS_OK) { /* refused: no record */
        if (status != STATUS_BAD_INPUT)
            wrong(&run, "the run did not start", (quad)status, (quad)STATUS_BAD_INPUT);
        return;
    }
    if (run.result.solution.outcome != OUTCOME_FAILED && !all_finite(&run))
        wrong(&run, "not failed, and a figure is not finite", 0, 0);
    if (run.result.solution.outcome == OUTCOME_FAILED && input->plain)
        wrong(&run, run.result.solution.reason, 0, 0);
    if (run.result.solution.outcome != OUTCOME_CONVERGED)
        return;
    note_convergence(&run);
    exact_problem_set(&run.exact, solver, &run.problem, input->k);
    check_converged(&run);
}

/* ---- all values of all parameters ---- */

enum { VALUES = 6 };

static size_t values_of(const struct input *input, const struct parameter *parameter, double *values)
{
    const char *const *words = parameter_words(parameter);
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < input->n; i++)
        count[input->y[i] < 0]++;
    double min = 1 / fmin((double)count[0], (double)count[1]);
    size_t n = 0;
    if (words)
        for (; words[n]; n++)
            values[n] = (double)n;
    else if (parameter == &parameter_mu) {
        const double mus[] = {min, nextafter(min, 2), 1.001 * min, 0.5 * (min + 1), 1};
        for (size_t m = 0; m < sizeof mus / sizeof *mus; m++)
            if (mus[m] <= 1 && (n == 0 || mus[m] != values[n - 1]))
                values[n++] = mus[m];
    } else if (parameter == &parameter_c) {
        values[n++] = 0.01, values[n++] = 1, values[n++] = 1e5, values[n++] = 1e12;
    } else if (parameter == &parameter_nu) {
        values[n++] = 1e-9, values[n++] = 0.5, values[n++] = 1;
    } else if (parameter == &parameter_added) {
        values[n++] = 0, values[n++] = 1, values[n++] = -30;
    } else if (parameter == &parameter_step) {
        values[n++] = 1, values[n++] = 0.25, values[n++] = 1.9;
    } else if (parameter == &parameter_q) {
        values[n++] = 2, values[n++] = parameter->fallback;
    } else if (parameter == &parameter_history) {
        values[n++] = 0, values[n++] = parameter->fallback;
    } else
        values[n++] = parameter->fallback;
    return n;
}

/* Counts a combination; returns whether it is to be run. */
static int is_chosen(struct findings *findings)
{
    size_t at = findings->combinations++;
    return findings->step > 0 && at % findings->step == findings->inputs % findings->step;
}

/* Calls check_run with every value of every parameter from `p` on, and every rule. */
static void each_value(struct input *input, const struct solver *solver, size_t p, struct parameters *parameters,
                       struct findings *findings)
{
    const double tolerances[] = {1e-4, 1e-6, 1e-9}; /* used in turn */
    double values[VALUES];
    if (p == solver_count_parameters(solver)) {
        for (unsigned rule = 0; rule < STOP_RULES; rule++)
            if (solver->stops >> rule & 1 && rule != STOP_ITERATIONS && is_chosen(findings))
                check_run(input, solver, parameters,
                          (struct stop){(enum stop_rule)rule, tolerances[findings->runs % 3]}, findings);
        return;
    }
    size_t count = values_of(input, solver->parameters[p], values);
    for (size_t v = 0; v < count; v++) {
        parameter_set(parameters, solver->parameters[p], values[v]);
        each_value(input, solver, p + 1, parameters, findings);
    }
}

/* Every findings->step-th combination; 0 counts them. */
static void try_solver(struct input *input, size_t s, struct findings *findings)
{
    const struct solver *solver = tested_solvers()[s];
    struct parameters parameters;
    parameters = (struct parameters){0};
    if (!solver_reads(solver, &parameter_mu))
        parameter_set(&parameters, &parameter_mu, 1); /* as the unit does */
    findings->solver = s;
    findings->combinations = 0;
    each_value(input, solver, 0, &parameters, findings);
}

static void each_solver(struct input *input, struct findings *findings)
{
    const struct solver *const *all = tested_solvers();
    for (size_t s = 0; all[s]; s++) {
        findings->step = 0;
        try_solver(input, s, findings);
        findings->step = all_tests() ? 1 : findings->combinations < QUICK_STEP ? findings->combinations : QUICK_STEP;
        try_solver(input, s, findings);
    }
    findings->inputs++;
}

static void report(const char *what, const struct findings *findings)
{
    printf("%s: %zu runs, %zu converged\n", what, findings->runs, findings->converged);
    if (findings->wrong)
        fail_msg("%s: %zu figures are wrong in %zu runs", what, findings->wrong, findings->runs);
}

static int misses(const struct findings *findings, size_t s, char what[128])
{
    const struct solver *solver = tested_solvers()[s];
    for (unsigned rule = 0; rule < STOP_RULES; rule++)
        if (solver->stops >> rule & 1 && rule != STOP_ITERATIONS && findings->converged_by[s][rule] == 0)
            return snprintf(what, 128, "by %s", stop_rule_name((enum stop_rule)rule));
    for (size_t p = 0; p < solver_count_parameters(solver); p++) {
        const char *const *words = parameter_words(solver->parameters[p]);
        for (size_t v = 0; words && words[v]; v++)
            if (findings->converged_with[s][p][v] == 0)
                return snprintf(what, 128, "with %s=%s", solver->parameters[p]->name, words[v]);
    }
    return 0;
}

/* Otherwise a solver that never converges would pass. */
static void check_that_each_solver_converges_somewhere(const struct findings *findings)
{
    const struct solver *const *all = tested_solvers();
    char what[128];
    for (size_t s = 0; all[s]; s++)
        if (misses(findings, s, what))
            fail_msg("%s never converged %s", all[s]->name, what);
}

static void check_input(const struct sample_set *set, const struct change *change, const struct kernel *kernel,
                        struct findings *findings)
{
    struct input *input = malloc(sizeof *input);
    assert_non_null(input);
    open_input(input, set, change, kernel);
    each_solver(input, findings);
    close_input(input);
    free(input);
}

/* Runs the solvers that have not yet converged by every rule, with every combination. */
static void check_input_again(const struct sample_set *set, const struct kernel *kernel, struct findings *findings)
{
    const struct solver *const *all = tested_solvers();
    struct input *input = NULL;
    char what[128];
    for (size_t s = 0; all[s]; s++) {
        if (!misses(findings, s, what))
            continue;
        if (!input) {
            input = malloc(sizeof *input);
            assert_non_null(input);
            open_input(input, set, &changes[0], kernel);
        }
        findings->step = 1;
        try_solver(input, s, findings);
    }
    if (input)
        close_input(input);
    free(input);
}

/* ---- the reference ---- */

static void find_optimum(const struct sample_set *set, const char *solver, double mu, struct exact_optimum *optimum)
{
    struct exact_problem *exact = malloc(sizeof *exact);
    struct input *input = malloc(sizeof *input);
    struct problem problem = {.n = set->n};
    assert_true(exact && input);
    open_input(input, set, &changes[0], &kernels[0]);
    problem.parameters = (struct parameters){0};
    problem.y = input->y;
    parameter_set(&problem.parameters, &parameter_mu, mu);
    parameter_set(&problem.parameters, &parameter_c, 10);
    parameter_set(&problem.parameters, &parameter_added, 0);
    exact_problem_set(exact, solver_find(solver), &problem, input->k);
    assert_true(exact_optimum_find(exact, optimum));
    close_input(input);
    free(input);
    free(exact);
}

static void the_reference_finds_optima_that_are_known(void **state)
{
    static const struct sample_set pair = {"a pair", 2, 2, "+-", {1, 2, -2, -2}};
    static const struct sample_set squares = {
        "squares", 8, 2, "++++----", {0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 3, 0, 3, 1}};
    static const struct sample_set origin = {"the origin", 3, 1, "+--", {1, 0, -1}};
    struct exact_optimum optimum;
    (void)state;
    find_optimum(&pair, "mdm", 1, &optimum); /* 1/2 5^2 */
    assert_true(quad_abs(optimum.max - (quad)25 / 2) < (quad)1e-24);
    find_optimum(&pair, "1-smo", 1, &optimum); /* -2 / 5^2 */
    assert_true(quad_abs(optimum.max + (quad)2 / 25) < (quad)1e-24);
    find_optimum(&pair, "2-smo", 1, &optimum); /* -2 / (5^2 + 2/C) */
    assert_true(quad_abs(optimum.max + 2 / ((quad)25 + (quad)1 / 5)) < (quad)1e-24);
    find_optimum(&pair, "m3", 1, &optimum); /* K = {5, 6; 6, 8}: alpha = (1/5, 0) */
    assert_true(quad_abs(optimum.max + (quad)1 / 10) < (quad)1e-24);
    find_optimum(&squares, "clip-mdm", 1, &optimum); /* one unit apart */
    assert_true(quad_abs(optimum.max - (quad)1 / 2) < (quad)1e-20);
    find_optimum(&squares, "clip-mdm", 0.25, &optimum); /* the means, two units apart */
    assert_true(quad_abs(optimum.max - 2) < (quad)1e-18);
    find_optimum(&origin, "m3", 1, &optimum); /* y x = 0 is never 1 */
    assert_true(optimum.unbounded);
    find_optimum(&origin, "m3-soft", 1,
                 &optimum); /* both others: a - a^2/2 at 1/2 each, together 1/2; the zero row: C */
    assert_true(quad_abs(optimum.max + (quad)21 / 2) < (quad)1e-18);
}

static void figures_tell_a_point_that_is_no_optimum(void **state)
{
    struct exact_problem exact = {.formulation = FORMULATION_MINIMUM_NORM, .n = 2, .y = {1, 1}, .upper = 1};
    struct exact_optimum optimum;
    const double middle[] = {0.5, 0.5}, optimal[] = {0.8, 0.2};
    (void)state;
    exact.q[0][0] = 1, exact.q[1][1] = 4; /* alpha = (4/5, 1/5), 1/2 |W|^2 = 2/5 */
    assert_true(exact_optimum_find(&exact, &optimum));
    struct exact_figures figures;
    exact_figures_of(&exact, middle, &figures);
    assert_true(figures.objective - optimum.max > (quad)0.2 && figures.gap[0] > figures.objective - optimum.max);
    assert_true(exact_lower_bound(&exact, &optimum, middle) <= figures.objective);
    exact_figures_of(&exact, optimal, &figures);
    assert_true(quad_abs(figures.objective - optimum.max) < (quad)1e-16 && figures.gap[0] < (quad)1e-15);
}

static void the_functions_in_113_bits_keep_their_laws(void **state)
{
    (void)state;
    for (double x = 1e-300; x < 1e300; x *= 1e7) {
        quad root = quad_sqrt((quad)x * (quad)x / 3);
        assert_true(quad_abs(root * root * 3 / ((quad)x * (quad)x) - 1) < (quad)1e-32);
    }
    for (double x = 0.01; x < 4000; x *= 3) {
        quad whole = quad_exp_negative(-(quad)x), half = quad_exp_negative(-(quad)x / 2);
        assert_true(quad_abs(half * half / whole - 1) < (quad)1e-28);
        if (x < 700)
            assert_true(fabs((double)whole / exp(-x) - 1) < 1e-14);
    }
}

/* ---- the tests ---- */

static void every_solver_ends_near_the_optimum_or_is_not_converged(void **state)
{
    (void)state;
    struct findings findings = {0};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
            check_input(&sets[s], &changes[0], &kernels[k], &findings);
    report("sets as they are", &findings);
    /* Some solvers seldom converge by some rule: those that the selection left out are run with all combinations. */
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels && !all_tests(); k++)
            check_input_again(&sets[s], &kernels[k], &findings);
    report("with what was missed", &findings);
    check_that_each_solver_converges_somewhere(&findings);
}

static void every_solver_ends_near_the_optimum_at_all_scales_and_offsets_or_is_not_converged(void **state)
{
    (void)state;
    struct findings findings = {0};
    for (size_t s = 0; s < sizeof changed_sets / sizeof *changed_sets; s++)
        for (size_t c = 1; c < sizeof changes / sizeof *changes; c++)
            for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
                if (kernels[k].degree == 0 ||
                    changes[c].offset < 1e8) /* (1e16)^2 and more leaves too few of the 113 bits */
                    check_input(&sets[changed_sets[s]], &changes[c], &kernels[k], &findings);
    report("sets scaled and moved", &findings);
}

static void no_solver_converges_off_its_conditions_under_an_indefinite_kernel(void **state)
{
    (void)state;
    const struct kernel precomputed = {.type = KERNEL_PRECOMPUTED};
    struct findings findings = {0};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        check_input(&tables[t], &changes[0], &precomputed, &findings);
    report("indefinite kernels", &findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_functions_in_113_bits_keep_their_laws),
        cmocka_unit_test(the_reference_finds_optima_that_are_known),
        cmocka_unit_test(figures_tell_a_point_that_is_no_optimum),
        cmocka_unit_test(every_solver_ends_near_the_optimum_or_is_not_converged),
        cmocka_unit_test(every_solver_ends_near_the_optimum_at_all_scales_and_offsets_or_is_not_converged),
        cmocka_unit_test(no_solver_converges_off_its_conditions_under_an_indefinite_kernel),
    };
    return cmocka_run_group_tests_name("degenerate", tests, NULL, NULL);
}
