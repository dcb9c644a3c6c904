/*
 * Conjugate directions of hulls, with each step checked against the kernel matrix: they are conjugate, their products
 * are those of their patterns, W has no slope along them, the chosen pattern is the best of an exhaustive search, and
 * there are no more directions than the free multipliers allow.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/hull/directions.h"
#include "tests/geometry.h"

enum { N = 90 };
static const struct kernel linear = {.type = KERNEL_LINEAR};
static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

struct run {
    struct geometry g;
    struct hull hull;
    struct directions directions;
    void *block;
    size_t clipped, free; /* steps that ended at a bound; others */
};

static void run_open_of(struct run *run, size_t n, size_t most, double mu, unsigned long seed,
                        const struct kernel *kernel)
{
    struct arena arena = {0};
    memset(run, 0, sizeof *run);
    geometry_random(&run->g, n, 3, 0.8, seed, kernel);
    hull_layout(&run->hull, &arena, n);
    directions_layout(&run->directions, &arena, n, most);
    run->block = simd_doubles(arena.used / sizeof(double));
    arena = (struct arena){.block = run->block};
    assert_int_equal(hull_start_at_few(&run->hull, &arena, &run->g.problem, mu, run->g.oracle), STATUS_OK);
    directions_layout(&run->directions, &arena, n, most);
    oracle_diagonal(run->g.oracle, run->directions.diagonal);
    hull_join(&run->hull);
}

static void run_open(struct run *run, size_t most, double mu, unsigned long seed, const struct kernel *kernel)
{
    run_open_of(run, N, most, mu, seed, kernel);
}

static void run_close(struct run *run)
{
    geometry_close(&run->g);
    free(run->block);
}

static double kernel_at(const struct run *run, size_t i, size_t j)
{
    return gram_row(run->g.gram, i)[j];
}

/* The pair of a step: L of the class with the larger Delta, and the chosen U. Returns 0 at the optimum. */
static int choose(struct run *run, int *class, struct hull_pair *pair)
{
    hull_find_pairs(&run->hull);
    *class = run->hull.pair[0].delta > run->hull.pair[1].delta ? 1 : -1;
    *pair = run->hull.pair[class_index(*class)];
    if (!(pair->delta > 1e-10))
        return 0;
    const double *row = oracle_row(run->g.oracle, pair->low);
    pair->high = directions_choose_high(&run->directions, &run->hull, *class, pair, row);
    return 1;
}

/* Returns 0 if no step is possible. */
static int move(struct run *run, int class, const struct hull_pair *pair)
{
    const double *low = gram_row(run->g.gram, pair->low), *high = gram_row(run->g.gram, pair->high);
    size_t before = run->directions.count;
    directions_turn(&run->directions, &run->hull, class, pair, low, high);
    if (!directions_step(&run->directions, &run->hull))
        return 0;
    int kept = run->directions.count > before || (before && before == run->directions.most);
    run->free += kept != 0;
    run->clipped += !kept;
    return 1;
}

/* y_i p_i of all patterns */
static void signed_weights(const struct run *run, const struct direction *direction, double *weights)
{
    memset(weights, 0, run->g.n * sizeof *weights);
    for (size_t h = 0; h < direction->size; h++) {
        size_t i = run->directions.indices[h];
        weights[i] = run->g.y[i] * direction->p[h];
    }
}

/* P . X_j from the matrix */
static double product_of(const struct run *run, const double *weights, size_t j)
{
    double sum = 0;
    for (size_t i = 0; i < run->g.n; i++)
        sum += weights[i] * kernel_at(run, i, j);
    return sum;
}

static double inner(const struct run *run, const double *a, const double *b)
{
    double sum = 0;
    for (size_t j = 0; j < run->g.n; j++)
        sum += b[j] * product_of(run, a, j);
    return sum;
}

static void check_directions(const struct run *run)
{
    const struct directions *directions = &run->directions;
    double w[N], a[N], b[N];
    for (size_t i = 0; i < run->g.n; i++)
        w[i] = run->g.y[i] * run->hull.weights[class_index(run->g.y[i])][i];
    double length = sqrt(inner(run, w, w));
    for (size_t k = 0; k < directions->count; k++) {
        const struct direction *direction = &directions->kept[k];
        double sums[2] = {0, 0};
        signed_weights(run, direction, a);
        for (size_t i = 0; i < run->g.n; i++)
            sums[class_index(run->g.y[i])] += a[i];
        assert_true(fabs(sums[0]) <= 1e-9 && fabs(sums[1]) <= 1e-9);
        /* |P|^2 is kept only above 1e-8 |D|^2, so that at most half of the digits are lost */
        double own = inner(run, a, a);
        assert_true(fabs(own - direction->norm2) <= 1e-6 * own);
        assert_true(direction->scale == 1 / direction->norm2);
        assert_true(fabs(inner(run, w, a)) <= 1e-7 * length * sqrt(own));
        for (size_t j = 0; j < run->g.n; j++)
            assert_true(fabs(product_of(run, a, j) - direction->q[j]) <= 1e-10);
        for (size_t l = 0; l < k; l++) {
            signed_weights(run, &directions->kept[l], b);
            assert_true(fabs(inner(run, a, b)) <= 1e-6 * sqrt(own * directions->kept[l].norm2));
            assert_true(directions->kept[l].size <= direction->size);
        }
    }
    for (size_t j = 0; j < run->g.n; j++)
        assert_true(fabs(product_of(run, w, j) - hull_projection(&run->hull, j)) <= 1e-10);
    for (size_t h = 0; h < directions->members; h++) {
        double alpha = run->hull.weights[class_index(run->g.y[directions->indices[h]])][directions->indices[h]];
        assert_true(alpha == directions->alpha[h] && directions->place[directions->indices[h]] == h + 1);
        assert_true(alpha > 0 && alpha < run->hull.mu);
    }
}

static void kept_directions_are_conjugate_and_w_has_no_slope_along_them(void **state)
{
    (void)state;
    static const size_t most[] = {0, 1, 2, 7, 8, 40};
    for (size_t m = 0; m < sizeof most / sizeof *most; m++) {
        struct run run;
        int class;
        struct hull_pair pair;
        run_open(&run, most[m], 0.08, 2 + m, &rbf);
        for (int k = 0; k < 300 && choose(&run, &class, &pair) && move(&run, class, &pair); k++) {
            assert_true(run.directions.count <= most[m]);
            check_directions(&run);
        }
        assert_true(run.clipped > 10 && (most[m] == 0 || run.free > 20));
        run_close(&run);
    }
}

/* With nearly orthogonal patterns W weighs all of them, so the directions come to move all, whole vectors of 8. */
static void directions_may_move_all_patterns(void **state)
{
    (void)state;
    static const struct kernel narrow = {.type = KERNEL_RBF, .width = 0.5};
    for (size_t n = 8; n <= 16; n += 8) {
        struct run run;
        int class;
        struct hull_pair pair;
        size_t of_all = 0;
        run_open_of(&run, n, 40, 0.9, 1, &narrow);
        for (int k = 0; k < 100 && choose(&run, &class, &pair) && move(&run, class, &pair); k++) {
            check_directions(&run);
            of_all += run.directions.members == n;
        }
        assert_true(of_all > 1);
        run_close(&run);
    }
}

/* 2 (v_U - v_L)^2 / |P|^2 with P made from the matrix alone */
static double gain_of(const struct run *run, int class, size_t low, size_t high)
{
    const struct directions *directions = &run->directions;
    double d[N] = {0}, p[N], length2, lost = 0;
    d[low] = class, d[high] = -class;
    length2 = inner(run, d, d);
    for (size_t k = 0; k < directions->count; k++) {
        signed_weights(run, &directions->kept[k], p);
        double along = inner(run, d, p);
        lost += along * along / inner(run, p, p);
    }
    double delta = class * (hull_projection(&run->hull, high) - hull_projection(&run->hull, low));
    return delta > 0 ? delta * delta / (lost < (1 - SECOND_INDEX_MIN_LEFT) * length2 ? length2 - lost : length2) : 0;
}

static void the_pattern_chosen_gains_most_along_the_conjugate_direction(void **state)
{
    (void)state;
    for (size_t most = 0; most < 6; most += 2) {
        struct run run;
        int class;
        struct hull_pair pair;
        size_t other = 0;
        run_open(&run, most, 0.08, 12 + most, &rbf);
        for (int k = 0; k < 60 && choose(&run, &class, &pair); k++) {
            double best = 0;
            for (size_t i = 0; i < N; i++)
                if (run.g.y[i] == class && run.hull.weights[class_index(class)][i] > 0)
                    best = fmax(best, gain_of(&run, class, pair.low, i));
            assert_true(run.g.y[pair.high] == class && run.hull.weights[class_index(class)][pair.high] > 0);
            assert_true(gain_of(&run, class, pair.low, pair.high) >= best * (1 - 1e-7));
            other += pair.high != run.hull.pair[class_index(class)].high;
            if (!move(&run, class, &pair))
                break;
        }
        assert_true(other > 5);
        run_close(&run);
    }
}

/* Conjugate directions are independent, and each class takes one off what its free multipliers allow: with one more
 * direction, its class sums would change. */
static void directions_are_no_more_than_the_free_multipliers_leave(void **state)
{
    (void)state;
    struct run run, short_run;
    int class;
    struct hull_pair pair;
    size_t steps[2] = {0, 0}, largest = 0;
    run_open(&run, N, 0.3, 3, &rbf);
    run_open(&short_run, 1, 0.3, 3, &rbf);
    for (; steps[0] < 5000 && choose(&run, &class, &pair) && move(&run, class, &pair); steps[0]++) {
        size_t classes[2] = {0, 0};
        for (size_t h = 0; h < run.directions.members; h++)
            classes[class_index(run.g.y[run.directions.indices[h]])] = 1;
        assert_true(run.directions.count <= run.directions.members - classes[0] - classes[1]);
        largest = run.directions.count > largest ? run.directions.count : largest;
    }
    while (steps[1] < 5000 && choose(&short_run, &class, &pair) && move(&short_run, class, &pair))
        steps[1]++;
    assert_true(largest > 8);
    assert_true(steps[0] < 5000 && 2 * steps[0] < steps[1]);
    run_close(&run), run_close(&short_run);
}

/* In three dimensions at most three directions can be conjugate; a fourth would be pure rounding. */
static void in_three_dimensions_there_are_three_at_most(void **state)
{
    (void)state;
    struct run run;
    int class;
    struct hull_pair pair;
    size_t largest = 0;
    run_open(&run, 20, 0.2, 4, &linear);
    for (int k = 0; k < 500 && choose(&run, &class, &pair) && move(&run, class, &pair); k++)
        largest = run.directions.count > largest ? run.directions.count : largest;
    assert_true(largest > 0 && largest <= 3);
    run_close(&run);
}

/* With none kept, each step is that of a pair, recomputed plainly. */
static void without_earlier_directions_a_step_is_that_of_the_pair(void **state)
{
    (void)state;
    struct run run;
    int class;
    struct hull_pair pair;
    size_t steps = 0;
    run_open(&run, 0, 0.08, 6, &rbf);
    for (; steps < 100 && choose(&run, &class, &pair); steps++) {
        double *alpha = run.hull.weights[class_index(class)], low = alpha[pair.low], high = alpha[pair.high];
        double delta = class * (hull_projection(&run.hull, pair.high) - hull_projection(&run.hull, pair.low));
        double length2 = 2 - 2 * kernel_at(&run, pair.low, pair.high);
        double expected = fmin(delta / length2, fmin(0.08 - low, high));
        assert_int_equal(move(&run, class, &pair), 1);
        assert_true(fabs(alpha[pair.low] - (low + expected)) <= 1e-14);
        assert_true(fabs(alpha[pair.high] - (high - expected)) <= 1e-14);
    }
    assert_true(steps > 50);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_directions_are_conjugate_and_w_has_no_slope_along_them),
        cmocka_unit_test(directions_may_move_all_patterns),
        cmocka_unit_test(the_pattern_chosen_gains_most_along_the_conjugate_direction),
        cmocka_unit_test(directions_are_no_more_than_the_free_multipliers_leave),
        cmocka_unit_test(in_three_dimensions_there_are_three_at_most),
        cmocka_unit_test(without_earlier_directions_a_step_is_that_of_the_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
