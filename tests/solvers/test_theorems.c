/*
 * The theorems of Lopez (2008), Chapter 4, on the states that ch-mdm passes through, and the equivalence of the 2-SVM
 * dual and the nearest point problem, over random problems and real splits.
 *
 * All inner products are those of K + I/C, taken from the kernel matrix entry by entry. W = W+ - W-, v_k = (K
 * alpha)_k = y_k W . X_k.
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

#include "harness/evaluate/judge.h"
#include "harness/evaluate/solve.h"
#include "solvers/decomposition/box.h"
#include "solvers/hull/hull.h"
#include "tests/all_tests.h"
#include "tests/geometry.h"

/* ---- a state of ch-mdm, evaluated by plain sums ---- */

struct seen {
    double before[MAX_GEOMETRY], after[MAX_GEOMETRY]; /* multipliers */
    double v[MAX_GEOMETRY];                            /* y_k W . X_k */
    double norm2;
    struct progress progress;
    size_t low, high; /* the patterns that gained and lost weight; n, n if rounding lost the step */
    double size;      /* the largest |D_k| + |E_k|: rounding is relative to it */
};

/* For sums of up to MAX_GEOMETRY products, and products updated some hundred times, both relative to `size`. */
static double rounding_of(const struct seen *seen)
{
    return 1e-13 * seen->size;
}

static void weigh(const struct geometry *g, struct seen *seen)
{
    seen->norm2 = seen->size = 0;
    for (size_t k = 0; k < g->n; k++) {
        double of_class[2] = {0, 0};
        const double *row = gram_row(g->gram, k);
        for (size_t j = 0; j < g->n; j++)
            of_class[g->y[j] < 0] += seen->before[j] * row[j];
        seen->v[k] = g->y[k] * (of_class[0] - of_class[1]);
        seen->norm2 += seen->before[k] * seen->v[k];
        seen->size = fmax(seen->size, fabs(of_class[0]) + fabs(of_class[1]));
    }
}

static void find_pair(size_t n, struct seen *seen)
{
    seen->low = seen->high = n;
    for (size_t k = 0; k < n; k++) {
        if (seen->after[k] > seen->before[k])
            seen->low = k;
        if (seen->after[k] < seen->before[k])
            seen->high = k;
    }
    if (seen->low == n || seen->high == n)
        seen->low = seen->high = n;
}

/* Calls check for each of the first `max` iterations of ch-mdm, after its select and before its update, with the
 * result of the update. `state` begins with the struct hull before the update. */
static void follow(struct geometry *g, enum class_choice choice, int max,
                   void (*check)(struct geometry *g, const struct hull *hull, const struct seen *seen))
{
    const struct solver *solver = solver_find("ch-mdm");
    parameter_set(&g->problem.parameters, &parameter_class, choice);
    struct seen *seen = calloc(1, sizeof *seen);
    /* two identical runs, one update apart */
    void *ahead = geometry_start(g, solver), *behind = geometry_start(g, solver);
    assert_non_null(seen);
    for (int k = 0; k < max; k++) {
        struct progress again = {.need_objective = 1};
        seen->progress = (struct progress){.need_objective = 1};
        assert_int_equal(solver->select(ahead, &seen->progress), STATUS_OK);
        solver->alpha(ahead, seen->before);
        if (solver->update(ahead, g->oracle) != STATUS_OK)
            break;
        solver->alpha(ahead, seen->after);
        weigh(g, seen);
        find_pair(g->n, seen);
        if (seen->progress.delta <= rounding_of(seen))
            break; /* only rounding is left to gain */
        check(g, behind, seen);
        solver->select(behind, &again);
        solver->update(behind, g->oracle);
    }
    free(ahead), free(behind), free(seen);
}

/* ---- Theorem 2 ---- */

/* 1-smo's point for the multipliers scale * alpha, without an upper bound; 1-smo accepts any C. */
static void put_into_box(const struct geometry *g, const struct hull *hull, double scale, void *block, struct box *box)
{
    struct arena arena = {.block = block};
    box_layout(box, &arena, g->n);
    box->simd = g->simd;
    box->y = g->y;
    box->c = 1e12;
    for (size_t k = 0; k < g->n; k++) {
        box->alpha[k] = scale * (hull->weights[0][k] + hull->weights[1][k]);
        box->signed_alpha[k] = g->y[k] * box->alpha[k];
        box->f[k] = scale * hull_projection(hull, k) - g->y[k];
    }
}

/* Among the patterns of one class, 1-smo's choice scores the same as ch-mdm's, and on ch-mdm's patterns it makes the
 * same step. */
static void compare_steps(const struct geometry *g, const struct hull *hull, const struct seen *seen, double scale)
{
    struct arena measure = {0};
    struct box box;
    box_layout(&box, &measure, g->n);
    double *block = simd_doubles(measure.used / sizeof(double));
    assert_non_null(block);
    put_into_box(g, hull, scale, block, &box);
    int class = g->y[seen->low];
    size_t up = class > 0 ? seen->low : seen->high, low = class > 0 ? seen->high : seen->low;
    struct box_pair pair = {up, low, box.f[up], box.f[low]}, restricted = BOX_NO_PAIR;
    double largest = 1;
    for (size_t k = 0; k < g->n; k++) {
        largest = fmax(largest, fabs(box.f[k]));
        if (g->y[k] == class)
            box_consider(&box, k, &restricted);
    }
    /* F is rounded once by the scale and once by - y. So patterns whose F differ by one unit in the last place of the
     * largest F may be exchanged, and Delta has an error of three such units including its own rounding, which the step
     * divides by |X_L - X_U|^2. */
    double unit = DBL_EPSILON * largest;
    assert_true(restricted.f_up >= pair.f_up - unit && restricted.f_up <= pair.f_up);
    assert_true(restricted.f_low <= pair.f_low + unit && restricted.f_low >= pair.f_low);
    const double *row_up = gram_row(g->gram, up), *row_low = gram_row(g->gram, low);
    double length2 = box_curvature(&pair, row_up, row_low);
    double both = box.alpha[seen->low] + box.alpha[seen->high]; /* the multipliers are sums of parts of this number */
    box_move_pair(&box, &pair, box_pair_step(&box, &pair, length2));
    for (size_t k = 0; k < g->n; k++) {
        double apart = fabs(box.alpha[k] - scale * seen->after[k]);
        if (k == seen->low || k == seen->high)
            assert_true(apart <= 3 * unit / length2 + 2 * DBL_EPSILON * both);
        else
            assert_true(apart <= DBL_EPSILON * box.alpha[k]);
    }
    free(block);
}

static void check_theorem_2(struct geometry *g, const struct hull *hull, const struct seen *seen)
{
    if (seen->low == g->n)
        return;
    compare_steps(g, hull, seen, 1);
    compare_steps(g, hull, seen, 2 / seen->norm2); /* the scale at which the hulls' optimum is that of the SVM */
}

static void theorem_2_smo_on_a_pair_of_one_class_steps_as_ch_mdm(struct geometry *g)
{
    for (int choice = CLASS_LARGEST_DELTA; choice <= CLASS_OF_HIGH; choice++)
        follow(g, (enum class_choice)choice, 150, check_theorem_2);
}

/* ---- Theorem 3 ---- */

/* Problem (4.3.4) over directions of two nonzero components: d_i = 1, d_j = -1 with y_i = y_j, and alpha_j > 0. */
static void check_theorem_3(struct geometry *g, const struct hull *hull, const struct seen *seen)
{
    double min = HUGE_VAL;
    (void)hull;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            if (i != j && g->y[i] == g->y[j] && seen->before[j] > 0)
                min = fmin(min, seen->v[i] - seen->v[j]);
    assert_true(fabs(seen->progress.delta + min) <= rounding_of(seen));
    if (seen->low == g->n)
        return;
    assert_int_equal(g->y[seen->low], g->y[seen->high]);
    assert_true(seen->before[seen->high] > 0);
    assert_true(seen->v[seen->low] - seen->v[seen->high] <= min + rounding_of(seen));
    double gained = 0;
    for (size_t k = 0; k < g->n; k++) { /* the update moves only along d */
        gained += seen->after[k] - seen->before[k];
        assert_true(k == seen->low || k == seen->high || seen->after[k] == seen->before[k]);
    }
    assert_true(fabs(gained) <= 2 * DBL_EPSILON); /* one rounding of a number up to one for each of the two */
}

static void theorem_3_ch_mdm_takes_the_steepest_pair(struct geometry *g)
{
    follow(g, CLASS_LARGEST_DELTA, 150, check_theorem_3);
}

/* ---- the choice of the class, Section 4.1.2 ---- */

/* Margins by eqs. (4.1.1) and (4.1.2): |W| m(X_i) = (W_s - W_-s) . (X_i - W_-s). */
static void margins(const struct geometry *g, const struct seen *seen, double *m)
{
    double of_other[2] = {0, 0}; /* (W_s - W_-s) . W_-s for s = 1 and -1 */
    for (size_t k = 0; k < g->n; k++)
        of_other[g->y[k] > 0] += seen->before[k] * -seen->v[k];
    for (size_t k = 0; k < g->n; k++)
        m[k] = (seen->v[k] - of_other[g->y[k] < 0]) / sqrt(seen->norm2);
}

struct extremes {
    double min[2], max[2]; /* per class: min m, max m over alpha > 0 */
};

static struct extremes extremes_of(const struct geometry *g, const struct seen *seen, const double *m)
{
    struct extremes found = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (size_t k = 0; k < g->n; k++) {
        int c = g->y[k] < 0;
        found.min[c] = fmin(found.min[c], m[k]);
        if (seen->before[k] > 0)
            found.max[c] = fmax(found.max[c], m[k]);
    }
    return found;
}

/* The class to update is the one with the larger `claim`; either if they are equal up to rounding. */
static void check_choice(const struct geometry *g, const struct seen *seen, enum class_choice choice)
{
    double m[MAX_GEOMETRY], norm = sqrt(seen->norm2), rounding = rounding_of(seen);
    margins(g, seen, m);
    struct extremes found = extremes_of(g, seen, m);
    double claim[2], delta[2];
    for (int c = 0; c < 2; c++) {
        delta[c] = norm * (found.max[c] - found.min[c]); /* eq. (4.1.3) */
        claim[c] = choice == CLASS_OF_LOW    ? -norm * found.min[c]
                   : choice == CLASS_OF_HIGH ? norm * found.max[c]
                                             : delta[c];
    }
    int moved = seen->low == g->n ? 0 : g->y[seen->low], class = seen->progress.updated_class;
    assert_true((class == 0) == (choice == CLASS_OF_HIGH)); /* its claim gives no information on the other class's
                                                             * gap */
    if (class == 0)
        class = moved;
    if (class == 0)
        return;
    int updated = class < 0;
    assert_true(claim[updated] >= claim[1 - updated] - 2 * rounding);
    /* of both classes, whichever moves */
    assert_true(fabs(seen->progress.delta - fmax(delta[0], delta[1])) <= 2 * rounding);
    if (seen->low == g->n)
        return;
    assert_true(g->y[seen->low] == class && g->y[seen->high] == class);
    assert_true(norm * m[seen->low] <= norm * found.min[updated] + 2 * rounding);
    assert_true(norm * m[seen->high] >= norm * found.max[updated] - 2 * rounding);
}

#define CHECK_OF_CHOICE(name, choice)                                                                \
    static void name(struct geometry *g, const struct hull *hull, const struct seen *seen)           \
    {                                                                                                \
        (void)hull;                                                                                  \
        check_choice(g, seen, choice);                                                               \
    }
CHECK_OF_CHOICE(check_largest_delta, CLASS_LARGEST_DELTA)
CHECK_OF_CHOICE(check_class_of_low, CLASS_OF_LOW)
CHECK_OF_CHOICE(check_class_of_high, CLASS_OF_HIGH)

/* ---- solving to convergence ---- */

struct solved {
    double *alpha;
    struct judgement judged;
};

static struct solved solve_to(struct geometry *g, const char *name, enum stop_rule rule, double tolerance)
{
    const struct solver *solver = solver_find(name);
    struct solved out = {.alpha = simd_doubles(g->n)};
    struct solution solution;
    double *products = simd_doubles(g->n), *scratch = simd_doubles(g->n);
    assert_true(out.alpha && products && scratch);
    struct solve_request request = {.solver = solver,
                                    .problem = &g->problem,
                                    .oracle = g->oracle,
                                    .stop = {rule, tolerance},
                                    .budget = {.iterations = 5000000}};
    assert_int_equal(solve(&request, out.alpha, &solution, NULL), STATUS_OK);
    if (solution.outcome != OUTCOME_CONVERGED)
        fail_msg("%s ended as %s after %lu iterations", name, outcome_name(solution.outcome),
                 (unsigned long)solution.iterations);
    judge(&(struct judging){&g->problem, solver->formulation, g->gram, out.alpha, 1e-6, products, scratch},
          &out.judged);
    free(products), free(scratch);
    return out;
}

/*
 * The distance of multipliers with KKT violation delta from the optimal ones, in the Euclidean norm. For Q = (y y' o
 * K) + I/C and e = alpha - alpha*, optimality of alpha* and the violation give e' Q e <= delta/2 |e|_1 <= delta/2
 * sqrt(n) |e|; Q >= I/C, so |e| <= C sqrt(n) delta / 2. This holds for the hulls (the violation is that of each class)
 * and for the 2-SVM.
 */
static double distance_bound(const struct geometry *g, double violation)
{
    return 0.5 * parameter_get(&g->problem.parameters, &parameter_c) * sqrt((double)g->n) * violation;
}

static double length_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* |sum x_i y_i X_i|, with the ridge that the last solver has left in the matrix. */
static double norm_of(const struct geometry *g, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            sum += x[i] * x[j] * g->y[i] * g->y[j] * gram_row(g->gram, i)[j];
    return sqrt(fmax(0, sum));
}

/* The tolerance for which the bound on the hulls' multipliers is 2.5e-9 of their length, which is at least
 * 2 / sqrt(n). */
static double hull_tolerance(const struct geometry *g)
{
    return 0.5 * 1e-8 / (parameter_get(&g->problem.parameters, &parameter_c) * (double)g->n);
}

/* The choices `largest-delta` and `low` end at the same point; `high` need not (see below). */
static void choices_of_the_class_are_those_of_section_4_1_2(struct geometry *g)
{
    follow(g, CLASS_LARGEST_DELTA, 150, check_largest_delta);
    follow(g, CLASS_OF_LOW, 150, check_class_of_low);
    follow(g, CLASS_OF_HIGH, 150, check_class_of_high);
    struct solved solved[2];
    for (int choice = CLASS_LARGEST_DELTA; choice <= CLASS_OF_LOW; choice++) {
        parameter_set(&g->problem.parameters, &parameter_class, choice);
        solved[choice] = solve_to(g, "ch-mdm", STOP_GAP_SUM_NORM2, 1e-10);
    }
    double *apart = simd_doubles(g->n);
    assert_non_null(apart);
    for (size_t i = 0; i < g->n; i++)
        apart[i] = solved[0].alpha[i] - solved[1].alpha[i];
    assert_true(length_of(apart, g->n) <=
                distance_bound(g, solved[0].judged.kkt_violation + solved[1].judged.kkt_violation));
    /* gaps of 1e-10 |W|^2, in an objective of half |W|^2 */
    assert_true(fabs(solved[0].judged.objective / solved[1].judged.objective - 1) <= 2e-10);
    free(solved[0].alpha), free(solved[1].alpha), free(apart);
    parameter_set(&g->problem.parameters, &parameter_class, CLASS_LARGEST_DELTA);
}

/*
 * The second choice of Section 4.1.2 can keep updating the same class forever. A class of one support vector has
 * m(X_U) = |W|; in the other class m(X_U) > |W| until it is optimal, which here happens only in the limit. The first
 * negative pattern is not replaced by the second, which is nearer by 0.8, before m(X_U) - |W| is lost in rounding.
 */
static void the_class_of_the_greatest_margin_can_be_the_same_for_ever(void **state)
{
    (void)state;
    const double x[] = {1, 1, 1, -1.3, 1.1, 0.2, 1.05, 0.6, -1, 0, -0.2, 0};
    const signed char y[] = {1, 1, 1, 1, -1, -1};
    const struct kernel linear = {.type = KERNEL_LINEAR};
    const struct solver *solver = solver_find("ch-mdm");
    struct geometry g;
    struct progress progress;
    double alpha[6];
    geometry_open(&g, 6, 2, x, y, &linear);
    parameter_set(&g.problem.parameters, &parameter_c, 1);
    parameter_set(&g.problem.parameters, &parameter_class, CLASS_OF_HIGH);
    void *solver_state = geometry_start(&g, solver);
    for (int k = 0; k < 40; k++) {
        progress = (struct progress){.need_objective = 1};
        solver->select(solver_state, &progress);
        assert_int_equal(progress.updated_class, 0);
        assert_int_equal(solver->update(solver_state, g.oracle), STATUS_OK);
        solver->alpha(solver_state, alpha);
        assert_true(alpha[4] == 1 && alpha[5] == 0);
    }
    assert_true(solver->gap(solver_state, 1) > 0 && solver->gap(solver_state, 1) < 1e-8 &&
                solver->gap(solver_state, -1) > 2.6);
    free(solver_state);
    parameter_set(&g.problem.parameters, &parameter_class, CLASS_OF_LOW);
    struct solved low = solve_to(&g, "ch-mdm", STOP_GAP_SUM_NORM2, 1e-10);
    assert_true(low.judged.objective < 0.52 * 0.5 * progress.norm2); /* the optimum is half of it */
    free(low.alpha);
    geometry_close(&g);
}

/*
 * Section 2.5.1: alpha_hull = 2 alpha / S with S = sum alpha, W_hull = 2 W / S, and 1/2 |W_hull|^2 = 1 / D for the dual
 * optimum D = S / 2. The scaling error is at most 2/S (1 + sqrt(n)) times the error in alpha, as |S - S*| <= sqrt(n)
 * |alpha - alpha*|.
 */
static void the_2_svm_and_the_hulls_have_the_same_solution(struct geometry *g)
{
    const double wanted = 1e-8;
    struct solved svm = solve_to(g, "2-smo", STOP_KKT, 1e-12);
    struct solved hull = solve_to(g, "ch-mdm", STOP_DELTA, hull_tolerance(g));
    double sum = 0, *apart = simd_doubles(g->n), n = (double)g->n;
    assert_non_null(apart);
    for (size_t i = 0; i < g->n; i++)
        sum += svm.alpha[i];
    for (size_t i = 0; i < g->n; i++)
        apart[i] = hull.alpha[i] - 2 * svm.alpha[i] / sum;
    double bound = distance_bound(g, hull.judged.kkt_violation) +
                   2 / sum * (1 + sqrt(n)) * distance_bound(g, svm.judged.kkt_violation);
    double length = length_of(hull.alpha, g->n), norm2 = 2 * hull.judged.objective;
    assert_true(bound <= wanted * length); /* so the following bounds follow from the stopping rules */
    assert_true(length_of(apart, g->n) <= bound);
    assert_true(norm_of(g, apart) <= wanted * sqrt(norm2));
    assert_true(fabs(hull.judged.objective * svm.judged.objective - 1) <= wanted);
    assert_true(fabs(sum / (2 * svm.judged.objective) - 1) <= wanted);
    double bias = 2 * hull.judged.bias / norm2; /* W . X + b in the scale of the SVM */
    assert_true(fabs(bias - svm.judged.bias) <= wanted * fmax(1, fabs(bias)));
    free(svm.alpha), free(hull.alpha), free(apart);
}

/* ---- the problems ---- */

static void on_random_problems(void (*check)(struct geometry *g))
{
    const struct kernel kernels[] = {{.type = KERNEL_RBF, .width = 4}, {.type = KERNEL_LINEAR}};
    const double penalties[] = {0.3, 5, 200};
    for (size_t k = 0; k < 2; k++)
        for (size_t c = 0; c < 3; c++)
            for (unsigned long seed = 1; seed <= 4; seed++) {
                struct geometry g;
                if (!all_tests() && (k + c + seed) % 2)
                    continue;
                geometry_random(&g, 40 + 10 * seed, 3, 0.6, seed, &kernels[k]);
                parameter_set(&g.problem.parameters, &parameter_c, penalties[c]);
                check(&g);
                geometry_close(&g);
            }
}

static void on_split(void (*check)(struct geometry *g), const char *name, double c, double width)
{
    const struct kernel kernel = {.type = KERNEL_RBF, .width = width};
    struct geometry g;
    enum status status = geometry_split(&g, name, &kernel);
    if (status == STATUS_NOT_FOUND)
        skip_for(no_data);
    assert_int_equal(status, STATUS_OK);
    parameter_set(&g.problem.parameters, &parameter_c, c);
    check(&g);
    geometry_close(&g);
}

/* C and sigma of the 2-SVM in Table 5.3.1 */
#define ON_DATA_SETS(X, check)                       \
    X(check, heart, "heart", 0.41, 77.39)            \
    X(check, diabetis, "diabetis", 34.72, 620.20)    \
    X(check, breast_cancer, "breast-cancer", 9.90, 62.48) \
    X(check, thyroid, "thyroid", 0.82, 1.00)         \
    X(check, banana, "banana", 2.60, 1.40)

#define DEFINE(check, set, name, c, width)           \
    static void check##_on_##set(void **state)       \
    {                                                \
        (void)state;                                 \
        on_split(check, name, c, width);             \
    }
#define LIST(check, set, name, c, width) cmocka_unit_test(check##_on_##set),

#define DEFINE_ALL(check)                            \
    ON_DATA_SETS(DEFINE, check)                      \
    static void check##_on_random_problems(void **state) \
    {                                                \
        (void)state;                                 \
        on_random_problems(check);                   \
    }
#define LIST_ALL(check) cmocka_unit_test(check##_on_random_problems), ON_DATA_SETS(LIST, check)

DEFINE_ALL(theorem_2_smo_on_a_pair_of_one_class_steps_as_ch_mdm)
DEFINE_ALL(theorem_3_ch_mdm_takes_the_steepest_pair)
DEFINE_ALL(choices_of_the_class_are_those_of_section_4_1_2)
DEFINE_ALL(the_2_svm_and_the_hulls_have_the_same_solution)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIST_ALL(theorem_2_smo_on_a_pair_of_one_class_steps_as_ch_mdm)
        LIST_ALL(theorem_3_ch_mdm_takes_the_steepest_pair)
        LIST_ALL(choices_of_the_class_are_those_of_section_4_1_2)
        cmocka_unit_test(the_class_of_the_greatest_margin_can_be_the_same_for_ever),
        LIST_ALL(the_2_svm_and_the_hulls_have_the_same_solution)
    };
    return cmocka_run_group_tests_name("theorems", tests, NULL, NULL);
}
