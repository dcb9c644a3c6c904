/* Values of F updated at looks, and the bound on the others, against F computed from the patterns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/decomposition/deferred_f.h"
#include "tests/geometry.h"

static const struct kernel kernels[] = {{.type = KERNEL_RBF, .width = 3}, {.type = KERNEL_LINEAR}};

static double next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0;
}

struct fixture {
    struct geometry g;
    struct deferred_f deferred;
    double *alpha; /* times y */
    unsigned char *wanted;
    void *block;
};

static void open_fixture(struct fixture *f, size_t n, size_t kept, const struct kernel *kernel)
{
    struct arena arena = {0};
    geometry_random(&f->g, n, 4, 1, 3, kernel);
    deferred_f_layout(&f->deferred, &arena, n, kept);
    f->block = simd_doubles(arena.used / sizeof(double) + 1);
    f->alpha = simd_doubles(n);
    f->wanted = calloc(n, 1);
    assert_true(f->block && f->alpha && f->wanted);
    arena = (struct arena){.block = f->block};
    f->deferred = (struct deferred_f){0};
    deferred_f_layout(&f->deferred, &arena, n, kept);
    double *diagonal = simd_doubles(n), *start = simd_doubles(n);
    oracle_diagonal(f->g.oracle, diagonal);
    for (size_t i = 0; i < n; i++)
        start[i] = -f->g.problem.y[i];
    deferred_f_start(&f->deferred, &f->g.problem, start, f->alpha, diagonal, f->g.oracle);
    free(diagonal), free(start);
}

static void close_fixture(struct fixture *f)
{
    geometry_close(&f->g);
    free(f->block), free(f->alpha), free(f->wanted);
}

static double true_f(struct fixture *f, size_t i)
{
    double sum = -f->g.problem.y[i];
    const double *row = gram_row(f->g.gram, i);
    for (size_t j = 0; j < f->g.n; j++)
        sum += f->alpha[j] * row[j];
    return sum;
}

/* Moves some of the patterns that the last look has seen, much at some looks and little at others. */
static void move_some(struct fixture *f, unsigned *seed, double size)
{
    for (size_t i = 0; i < f->g.n; i++) {
        double change = size * (next(seed) - 0.5);
        int moves = next(seed) < 0.3, to_zero = next(seed) < 0.2;
        if (moves && f->deferred.seen[i] == f->deferred.look)
            f->alpha[i] = to_zero ? 0 : f->alpha[i] + change;
    }
}

/* F of the seen patterns fits the multipliers; F of the others is within the bound, and some come near it. */
static void check(struct fixture *f, double *nearest)
{
    for (size_t i = 0; i < f->g.n; i++) {
        double change = fabs(true_f(f, i) - f->deferred.f[i]), bound = deferred_f_bound(&f->deferred, i);
        if (f->deferred.seen[i] == f->deferred.look) {
            assert_true(bound == 0);
            assert_true(change <= 1e-10); /* some thousand products of magnitude 10 */
        } else {
            assert_true(change <= bound + 1e-10);
            *nearest = fmax(*nearest, change / bound);
        }
    }
}

static void f_is_true_where_a_look_has_seen_it_and_within_the_bound_elsewhere(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 7, 8, 9, 63, 64, 65, 200};
    double nearest = 0;
    for (size_t t = 0; t < 2 * sizeof sizes / sizeof *sizes; t++) {
        struct fixture f;
        unsigned seed = (unsigned)t;
        open_fixture(&f, sizes[t / 2], 1 + t % 3, &kernels[t % 2]);
        for (size_t look = 1; look <= 40; look++) {
            double chance = look % 9 == 0 ? 0.9 : 0.1;
            move_some(&f, &seed, look % 4 == 0 ? 10 : 0.01);
            deferred_f_begin(&f.deferred, f.alpha);
            for (size_t i = 0; i < f.g.n; i++)
                f.wanted[i] = f.deferred.change[i] != 0 || next(&seed) < chance;
            deferred_f_update(&f.deferred, f.wanted);
            deferred_f_measure(&f.deferred);
            check(&f, &nearest);
        }
        close_fixture(&f);
    }
    assert_true(nearest > 0.5);
}

/* Three looks are kept. Each look sees the patterns below `wanted`; pattern 0 moves before each. */
static void a_look_costs_what_moved_since_a_pattern_was_seen(void **state)
{
    (void)state;
    enum { N = 40, LOOKS = 6 };
    const size_t wanted[LOOKS] = {20, 5, 5, 6, 21, N};
    const uint64_t expected[LOOKS] = {
        20 * 3,              /* 0, 1 and 2 have moved */
        5, 5, 5 + 1,         /* pattern 0 has moved; for pattern 5 since the first look */
        6 + 14 * 3 + 3,      /* for 6 to 19 the first look is not kept, and for 20 the start is not: 3 multipliers */
        21 + 19 * 3,
    };
    struct fixture f;
    open_fixture(&f, N, 3, &kernels[0]);
    for (size_t look = 0; look < LOOKS; look++) {
        f.alpha[0] += 1;
        if (look == 0)
            f.alpha[1] = f.alpha[2] = 1;
        for (size_t i = 0; i < N; i++)
            f.wanted[i] = i < wanted[look];
        oracle_reset(f.g.oracle);
        deferred_f_begin(&f.deferred, f.alpha);
        assert_int_equal(deferred_f_update(&f.deferred, f.wanted), wanted[look]);
        deferred_f_measure(&f.deferred);
        assert_int_equal(oracle_operations(f.g.oracle, PHASE_SETUP), expected[look]);
        assert_int_equal(deferred_f_update(&f.deferred, f.wanted), 0);
    }
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f_is_true_where_a_look_has_seen_it_and_within_the_bound_elsewhere),
        cmocka_unit_test(a_look_costs_what_moved_since_a_pattern_was_seen),
    };
    return cmocka_run_group_tests_name("deferred F", tests, NULL, NULL);
}
