/* Functions shared by nearest-point solvers, against exact numbers: how the unit weight is split, and a class without a
 * choice. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/hull/hull.h"
#include "tests/geometry.h"

static const struct kernel linear = {.type = KERNEL_LINEAR};

/* mu = 1/n gives n weights of mu and no rest, also if 1/n is rounded (49) and if 1/mu comes out below n (93). For
 * mu = 1/(n - 1/4), between two such values, the rest is 1 - (n - 1) mu = 3/4 mu. */
static void the_unit_weight_is_split_as_exact_numbers_would_split_it(void **state)
{
    (void)state;
    enum { MAX = 120 };
    struct geometry g;
    double x[2 * MAX];
    signed char y[2 * MAX];
    for (size_t i = 0; i < 2 * MAX; i++) {
        x[i] = (double)i;
        y[i] = i % 2 ? 1 : -1;
    }
    geometry_open(&g, 2 * MAX, 1, x, y, &linear);
    void *block = simd_doubles(hull_state_size(0, 0, 2 * MAX) / sizeof(double) + 1);
    for (size_t n = 2; n <= MAX; n++) {
        struct arena arena = {.block = block}, again = {.block = block};
        struct hull hull;
        assert_int_equal(hull_start(&hull, &arena, &g.problem, 1 / (double)n, g.oracle), STATUS_OK);
        assert_int_equal(hull.n_full_weights, n);
        assert_true(hull.rest_weight == 0);
        for (int side = -1; side <= 1; side++) { /* within rounding of 1/n: the n weights sum to 1 nevertheless */
            struct arena near = {.block = block};
            double beside = fmin(1, (1 + side * 1e-14) / (double)n);
            assert_int_equal(hull_start(&hull, &near, &g.problem, beside, g.oracle), STATUS_OK);
            assert_int_equal(hull.n_full_weights, n);
            assert_true(hull.rest_weight == 0 && hull.mu == 1 / (double)n);
        }
        double mu = 1 / ((double)n - 0.25);
        assert_int_equal(hull_start(&hull, &again, &g.problem, mu, g.oracle), STATUS_OK);
        assert_int_equal(hull.n_full_weights, n - 1);
        assert_true(fabs(hull.rest_weight - 0.75 * mu) <= 1e-13); /* rounding of numbers up to 1 */
    }
    free(block);
    geometry_close(&g);
}

/* The first call of clip-gsk's select for patterns on a line, starting from the middles of the classes. */
static struct progress first_look(size_t n, const double *x, const signed char *y)
{
    struct geometry g;
    struct progress progress = {0};
    const struct solver *solver = solver_find("clip-gsk");
    geometry_open(&g, n, 1, x, y, &linear);
    void *state = geometry_start(&g, solver);
    assert_int_equal(solver->select(state, &progress), STATUS_OK);
    free(state);
    geometry_close(&g);
    return progress;
}

/* The single pattern of a class has the maximum weight, so nothing there can gain. */
static void a_class_in_which_nothing_can_gain_is_told_as_empty(void **state)
{
    (void)state;
    const double x[] = {-1, 2, 3, 7};
    for (int lone = -1; lone <= 1; lone += 2) {
        const signed char y[] = {(signed char)lone, (signed char)-lone, (signed char)-lone, (signed char)-lone};
        struct progress progress = first_look(4, x, y);
        assert_int_equal(progress.updated_class, -lone);
        assert_true(progress.class_stuck);
        assert_true(fabs(progress.delta - 10) <= 1e-14); /* W = 5: 5 (4 - 2); the mean of three is rounded */
    }
}

static void classes_that_can_both_gain_are_not_told_as_empty(void **state)
{
    (void)state;
    const signed char y[] = {-1, -1, 1, 1};
    for (double scale = 1; scale > 1e-3; scale /= 8) {
        const double x[] = {-3 * scale, -scale, scale, 3 * scale};
        struct progress progress = first_look(4, x, y);
        assert_false(progress.class_stuck);
        assert_true(progress.delta == 4 * scale * scale); /* W = 4 s: 4 s (2 s - s) */
    }
}

/* Two identical runs, in one of which the scratch of the search is overwritten between selection and step. */
static void what_extreme_points_are_searched_in_is_no_part_of_a_step(void **state)
{
    (void)state;
    static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};
    static const char *const names[] = {"gsk", "mu-gsk", "minkowski-mu-gsk", "mu-mdm", "clip-mdm"};
    for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
        const struct solver *solver = solver_find(names[s]);
        struct geometry g;
        struct progress progress = {0};
        double alpha[2][40];
        geometry_random(&g, 40, 3, 0.7, 3, &rbf);
        parameter_set(&g.problem.parameters, &parameter_mu, 0.13);
        void *states[2] = {geometry_start(&g, solver), geometry_start(&g, solver)};
        for (int turn = 0; turn < 30; turn++)
            for (int k = 0; k < 2; k++) {
                enum status status = solver->select(states[k], &progress);
                struct hull_search *search = ((struct hull *)states[k])->search;
                for (int c = 0; k == 1 && c < 2; c++) {
                    (void)hull_gap(states[k], c ? -1 : 1);
                    memset(search->vertex[c], 0, 40 * sizeof *search->vertex[c]);
                    memset(search->value, 0, 40 * sizeof *search->value);
                    memset(search->order, 0, 40 * sizeof *search->order);
                    memset(search->found, 0, 40 * sizeof *search->found);
                    search->vertex_count[c] = 0;
                }
                if (status == STATUS_OK)
                    (void)solver->update(states[k], g.oracle);
                solver->alpha(states[k], alpha[k]);
            }
        assert_memory_equal(alpha[0], alpha[1], sizeof alpha[0]);
        free(states[0]);
        free(states[1]);
        geometry_close(&g);
    }
}

/* The gaps that a selection reports, against gaps from recomputed norms. */
static size_t check_gaps(struct geometry *g, const struct solver *solver)
{
    struct hull *hull = geometry_start(g, solver);
    size_t bounds = 0;
    for (int turn = 0; turn < 400; turn++) {
        struct progress progress = {.class_gap = {(double)NAN, (double)NAN}};
        if (solver->select(hull, &progress) != STATUS_OK)
            break;
        hull->norms_state = NORMS_STALE;
        double gap[2] = {hull_gap(hull, 1), hull_gap(hull, -1)};
        for (int c = 0; c < 2; c++)
            assert_true(isnan(progress.class_gap[c]) || progress.class_gap[c] == gap[c]);
        assert_true(progress.gap_lower_bound <= gap[class_index(progress.updated_class)]);
        bounds += progress.gap_lower_bound > 0 || !isnan(progress.class_gap[0]);
        if (solver->update(hull, g->oracle) != STATUS_OK)
            break;
    }
    free(hull);
    return bounds;
}

static void gaps_and_bounds_of_gaps_told_by_a_choice_are_true(void **state)
{
    (void)state;
    static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};
    static const char *const names[] = {"clip-gsk", "mu-mdm", "mu-mdm", "mu-gsk", "minkowski-mu-gsk"};
    for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
        size_t bounds = 0;
        for (unsigned long seed = 1; seed <= 8; seed++) {
            struct geometry g;
            geometry_random(&g, 90, 3, 0.4, seed, &rbf);
            g.problem.tolerance = 1e-3;
            parameter_set(&g.problem.parameters, &parameter_mu, 0.07);
            parameter_set(&g.problem.parameters, &parameter_selection, s == 1 ? SELECTION_FREE : SELECTION_EXTREME);
            bounds += check_gaps(&g, solver_find(names[s]));
            geometry_close(&g);
        }
        assert_true(bounds >= 8);
    }
}

/* An update of clip-gsk finds norms and low patterns in its own pass: they are those of the multipliers. */
static void what_clip_gsk_finds_in_its_pass_is_what_the_state_gives(void **state)
{
    (void)state;
    const struct kernel rbf = {.type = KERNEL_RBF, .width = 2};
    const struct solver *solver = solver_find("clip-gsk");
    for (unsigned long seed = 1; seed <= 10; seed++) {
        struct geometry g;
        geometry_random(&g, 40 + 13 * seed, 3, 0.4, seed, &rbf);
        parameter_set(&g.problem.parameters, &parameter_mu, 0.11);
        struct hull *hull = geometry_start(&g, solver); /* the state begins with it */
        struct progress progress = {.need_objective = 1};
        for (int t = 0; t < 200 && solver->select(hull, &progress) == STATUS_OK; t++) {
            if (solver->update(hull, g.oracle) != STATUS_OK)
                break;
            oracle_expire_rows(g.oracle);
            struct hull_norms norms = hull_norms(hull), found = hull->norms;
            assert_memory_equal(&found, &norms, sizeof norms);
            assert_int_equal(solver->select(hull, &progress) == STATUS_OK, progress.delta > 0);
            double delta = 0;
            for (int c = 0; c < 2; c++) {
                struct hull_pair pair = hull_pair(hull, c ? -1 : 1);
                double own = hull_own_value(&norms, c ? -1 : 1);
                double v = (c ? -1 : 1) * hull_projection(hull, pair.low);
                delta = fmax(delta, own - v);
            }
            assert_true(progress.delta == delta);
            for (size_t j = 0; j < g.n; j++) {
                int c = class_index(g.y[j]);
                assert_int_equal(simd_set_has(hull->eligible[c ? 3 : 0], j), hull->weights[c][j] < hull->mu);
                assert_int_equal(simd_set_has(hull->eligible[c ? 2 : 1], j), hull->weights[c][j] > 0);
            }
        }
        free(hull);
        geometry_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_clip_gsk_finds_in_its_pass_is_what_the_state_gives),
        cmocka_unit_test(the_unit_weight_is_split_as_exact_numbers_would_split_it),
        cmocka_unit_test(a_class_in_which_nothing_can_gain_is_told_as_empty),
        cmocka_unit_test(classes_that_can_both_gain_are_not_told_as_empty),
        cmocka_unit_test(what_extreme_points_are_searched_in_is_no_part_of_a_step),
        cmocka_unit_test(gaps_and_bounds_of_gaps_told_by_a_choice_are_true),
    };
    return cmocka_run_group_tests_name("hull", tests, NULL, NULL);
}
