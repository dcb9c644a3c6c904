/* Removal and return of patterns, on points whose F is set by hand or computed from the patterns, and the counts of
 * both. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/decomposition/shrinking.h"
#include "tests/geometry.h"

enum { N = 8 };
static const double c = 2;

struct fixture {
    struct geometry g;
    struct box box;
    struct shrink shrink;
    void *block;
};

static void layout(struct fixture *f, struct arena *arena)
{
    box_layout(&f->box, arena, N);
    shrink_layout(&f->shrink, arena, N);
}

/* Patterns with alternating labels +1 and -1; alpha = 0. */
static void open_fixture(struct fixture *f, size_t after)
{
    const struct kernel linear = {.type = KERNEL_LINEAR};
    const double x[] = {1, 3, -2, 0.5, 2, -1, 4, -3};
    const signed char y[] = {1, -1, 1, -1, 1, -1, 1, -1};
    struct arena arena = {0};
    geometry_open(&f->g, N, 1, x, y, &linear);
    parameter_set(&f->g.problem.parameters, &parameter_shrink_after, (double)after);
    layout(f, &arena);
    f->block = simd_doubles(arena.used / sizeof(double) + 1);
    assert_non_null(f->block);
    arena = (struct arena){.block = f->block};
    layout(f, &arena);
    box_start(&f->box, &f->g.problem, c, START_ZERO, f->g.oracle);
    shrink_start(&f->shrink, &f->g.problem);
    oracle_reset(f->g.oracle);
    oracle_set_phase(f->g.oracle, PHASE_ITERATIONS);
}

static void close_fixture(struct fixture *f)
{
    geometry_close(&f->g);
    free(f->block);
}

static uint64_t asked(const struct fixture *f)
{
    return oracle_operations(f->g.oracle, PHASE_ITERATIONS);
}

static void assert_active(const struct fixture *f, size_t count, const size_t *active)
{
    assert_int_equal(f->shrink.count, count);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(f->shrink.active[k], active[k]);
}

/* lambda = y F at bias 0 if alpha = 0, -y F if alpha = C; 0.5 is the largest violation. */
static void only_multipliers_estimated_above_the_error_count(void **state)
{
    (void)state;
    static const double alpha[N] = {0, 0, 0, 0, 2, 2, 2, 1},
                        times_y[N] = {0.75, 0.5, 0.25, -0.75, -0.75, -0.5, -0.25, 0.75};
    static const size_t others[] = {1, 2, 3, 5, 6, 7};
    struct fixture f;
    open_fixture(&f, 1);
    for (size_t i = 0; i < N; i++) {
        box_set(&f.box, i, alpha[i]);
        f.box.f[i] = f.box.y[i] * times_y[i];
    }
    shrink_count(&f.shrink, &f.box, 0, 0.5);
    assert_int_equal(f.shrink.due, 2);
    shrink_remove(&f.shrink, &f.box, NULL);
    assert_active(&f, 6, others);
    close_fixture(&f);
}

static void a_pattern_leaves_after_as_many_iterations_in_a_row_as_asked_for(void **state)
{
    (void)state;
    const size_t after = 3;
    static const size_t others[] = {1, 2, 3, 4, 5, 6, 7};
    struct fixture f;
    open_fixture(&f, after);
    for (size_t i = 0; i < N; i++)
        f.box.f[i] = 0;
    for (int round = 0; round < 2; round++) {
        for (size_t k = 1; k < after; k++) {
            f.box.f[0] = 1;
            shrink_count(&f.shrink, &f.box, 0, 0.5);
            shrink_remove(&f.shrink, &f.box, NULL);
            assert_int_equal(f.shrink.count, N);
        }
        if (round == 0) { /* starts again */
            f.box.f[0] = 0.5;
            shrink_count(&f.shrink, &f.box, 0, 0.5);
        }
    }
    f.box.f[0] = 1;
    shrink_count(&f.shrink, &f.box, 0, 0.5);
    shrink_remove(&f.shrink, &f.box, NULL);
    assert_active(&f, 7, others);
    close_fixture(&f);
}

static double f_from_patterns(const struct fixture *f, size_t i)
{
    double sum = -f->box.y[i];
    for (size_t j = 0; j < N; j++)
        sum += f->box.alpha[j] * f->box.y[j] * f->g.x[j] * f->g.x[i];
    return sum;
}

/* Support vectors 0 to 3; 4, 5 and 6 are inactive. All numbers are binary fractions, so F is exact in any order. */
static void rows_cost_what_takes_part_and_the_look_at_all_the_rest_of_each_support_vector(void **state)
{
    (void)state;
    static const double alpha[N] = {1, 2, 0.5, 0.25, 0, 0, 0, 0};
    struct fixture f;
    open_fixture(&f, 1);
    for (size_t i = 0; i < N; i++) {
        box_set(&f.box, i, alpha[i]);
        f.box.f[i] = i >= 4 && i <= 6 ? f.box.y[i] : 0;
    }
    shrink_row(&f.shrink, &f.box, f.g.oracle, 2);
    assert_int_equal(asked(&f), N);
    shrink_count(&f.shrink, &f.box, 0, 0.5);
    shrink_remove(&f.shrink, &f.box, NULL);
    assert_int_equal(f.shrink.count, N - 3);
    assert_int_equal(asked(&f), N);
    for (size_t i = 0; i < N; i++) {
        const double *row = shrink_row(&f.shrink, &f.box, f.g.oracle, i);
        assert_int_equal(asked(&f), N + (i + 1) * (N - 3));
        for (size_t k = 0; k < f.shrink.count; k++)
            assert_true(row[f.shrink.active[k]] == f.g.x[i] * f.g.x[f.shrink.active[k]]);
    }
    uint64_t before = asked(&f);
    shrink_check_all(&f.shrink, &f.box, 0, f.g.oracle);
    assert_int_equal(asked(&f) - before, 4 * 3);
    for (size_t i = 4; i <= 6; i++)
        assert_true(f.box.f[i] == f_from_patterns(&f, i));
    close_fixture(&f);
}

/* Only alpha_0 = 3/4 is nonzero, so the inactive patterns have F_4 = 1/2, F_5 = 1/4 and F_6 = 2. The thresholds are 0,
 * at pattern 0, and 1/4, at pattern 5, and the bias is -1/8. So 5 violates its condition and returns; 4 and 6 do not,
 * unless the end is near. */
static void only_what_violates_comes_back_before_the_end_is_near(void **state)
{
    (void)state;
    static const size_t without_4_and_6[] = {0, 1, 2, 3, 5, 7}, all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int near = 0; near <= 1; near++) {
        struct fixture f;
        open_fixture(&f, 1);
        for (size_t i = 0; i < N; i++) {
            box_set(&f.box, i, i ? 0 : 0.75);
            f.box.f[i] = i == 0 ? 0 : i >= 4 && i <= 6 ? f.box.y[i] : 0.25 * f.box.y[i];
        }
        shrink_count(&f.shrink, &f.box, 0, 0.5);
        shrink_remove(&f.shrink, &f.box, NULL);
        assert_int_equal(f.shrink.count, N - 3);
        shrink_check_all(&f.shrink, &f.box, near ? 0.25 : 0.125, f.g.oracle);
        assert_true(f.box.f[4] == 0.5 && f.box.f[5] == 0.25 && f.box.f[6] == 2);
        if (near)
            assert_active(&f, N, all);
        else
            assert_active(&f, N - 2, without_4_and_6);
        close_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_violates_comes_back_before_the_end_is_near),
        cmocka_unit_test(only_multipliers_estimated_above_the_error_count),
        cmocka_unit_test(a_pattern_leaves_after_as_many_iterations_in_a_row_as_asked_for),
        cmocka_unit_test(rows_cost_what_takes_part_and_the_look_at_all_the_rest_of_each_support_vector),
    };
    return cmocka_run_group_tests_name("shrinking", tests, NULL, NULL);
}
