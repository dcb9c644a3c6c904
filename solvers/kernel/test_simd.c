/* The loops against three-line references, and against each other at all widths that this processor runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "solvers/kernel/simd.h"

static const char *const widths[] = {"generic", "avx2", "avx512"};

static void fill(gsl_rng *rng, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 2 * gsl_rng_uniform(rng) - 1;
}

static void every_width_gives_the_bits_of_the_plain_loops(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t w = 0; w < 3; w++) {
        const struct simd *simd = simd_select(widths[w]);
        if (!simd)
            continue;
        for (size_t n = 8; n <= 200; n += 8) {
            enum { DIMS = 5 };
            double *x = simd_doubles(n), *y = simd_doubles(n), *out = simd_doubles(n), *m = simd_doubles(DIMS * n);
            fill(rng, n, x);
            fill(rng, n, y);
            fill(rng, DIMS * n, m);
            simd->squared_distances(n, DIMS, x, m, n, out);
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t d = 0; d < DIMS; d++)
                    sum += (x[d] - m[d * n + j]) * (x[d] - m[d * n + j]);
                assert_true(out[j] == sum);
            }
            simd->dot_products(n, DIMS, x, m, n, out);
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t d = 0; d < DIMS; d++)
                    sum += x[d] * m[d * n + j];
                assert_true(out[j] == sum);
            }
            const double *rows[DIMS];
            for (size_t d = 0; d < DIMS; d++)
                rows[d] = m + d * n;
            simd->row_sum(n, rows, DIMS, out);
            for (size_t j = 0; j < n; j++)
                assert_true(out[j] == (((m[j] + m[n + j]) + m[2 * n + j]) + m[3 * n + j]) + m[4 * n + j]);
            memcpy(out, y, n * sizeof *y);
            simd->add_rows(n, rows, x, DIMS, out);
            for (size_t j = 0; j < n; j++) {
                double sum = y[j];
                for (size_t d = 0; d < DIMS; d++)
                    sum += x[d] * rows[d][j];
                assert_true(out[j] == sum);
            }
            memcpy(out, y, n * sizeof *y);
            simd->axpy(n, 0.3, x, out);
            simd->add_difference(n, 0.7, x, m, out);
            simd->blend(n, 0.9, 0.1, x, out);
            simd->scale(n, 1.1, out);
            simd->add(n, -0.4, out);
            for (size_t j = 0; j < n; j++) {
                double value = y[j] + 0.3 * x[j];
                value += 0.7 * (x[j] - m[j]);
                value = 1.1 * (0.9 * value + 0.1 * x[j]);
                value += -0.4;
                assert_true(out[j] == value);
            }
            double s[8] = {0};
            for (size_t j = 0; j < n; j++)
                s[j % 8] += x[j] * y[j];
            assert_true(simd->dot(n, x, y) == ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])));
            free(x), free(y), free(out), free(m);
        }
    }
    gsl_rng_free(rng);
}

/* ---- searches ---- */

/* Values with many ties, some infinite or NaN. */
static void fill_with_ties(gsl_rng *rng, size_t n, double *y)
{
    const double odd[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0};
    int many = gsl_rng_uniform(rng) < 0.3;
    for (size_t j = 0; j < n; j++)
        y[j] = gsl_rng_uniform(rng) < (many ? 0.5 : 0.01) ? odd[gsl_rng_uniform_int(rng, 5)]
                                                          : (double)gsl_rng_uniform_int(rng, 9) - 4;
}

static void assert_same_extremes(const struct argminmax *a, const struct argminmax *b)
{
    assert_int_equal(a->min_at, b->min_at);
    assert_int_equal(a->max_at, b->max_at);
    assert_true(a->min == b->min && a->max == b->max);
    assert_true(!signbit(a->min) == !signbit(b->min) && !signbit(a->max) == !signbit(b->max));
}

enum { SEARCHES = 3000, LONGEST = 300 };

/* A random size; half of them at the ends of vectors, of bytes of sets and of spans. */
static size_t draw_size(gsl_rng *rng)
{
    static const size_t ends[] = {0, 1, 7, 8, 9, 63, 64, 65, 71, 127, 128, 129, 192, 256, 257};
    return gsl_rng_uniform(rng) < 0.5 ? ends[gsl_rng_uniform_int(rng, sizeof ends / sizeof *ends)]
                                      : 1 + gsl_rng_uniform_int(rng, LONGEST);
}

/* The fraction of the elements that is in a set. */
static double draw_share(gsl_rng *rng)
{
    static const double shares[] = {0, 0.01, 0.3, 1};
    return shares[gsl_rng_uniform_int(rng, 4)];
}


/* A set with about a given fraction of n elements and no padding. */
static unsigned char *draw_set(gsl_rng *rng, size_t n, double share)
{
    unsigned char *set = calloc(simd_set_bytes(n) + 1, 1);
    assert_non_null(set);
    for (size_t j = 0; j < n; j++)
        simd_set_put(set, j, gsl_rng_uniform(rng) < share);
    return set;
}

/* The minimum of the list over the set eligible[0], the maximum over eligible[1]. */
static struct argminmax plain_extremes(size_t n, const unsigned char *const *eligible, const double *list)
{
    struct argminmax out = {0, 0, INFINITY, -INFINITY};
    for (size_t j = 0; j < n; j++) {
        if (simd_set_has(eligible[0], j) && list[j] < out.min)
            out.min = list[j], out.min_at = j;
        if (simd_set_has(eligible[1], j) && list[j] > out.max)
            out.max = list[j], out.max_at = j;
    }
    return out;
}

/* The searches over x - y; changes x and y. */
static void check_differences(const struct simd *simd, gsl_rng *rng, size_t n, const double *p, const double *q,
                              double *x, double *y)
{
    size_t padded = simd_padded(n);
    unsigned char *eligible[4];
    struct argminmax both[2], plain;
    double list[LONGEST];
    for (size_t s = 0; s < 4; s++)
        eligible[s] = draw_set(rng, n, draw_share(rng));
    for (int t = 0; t < 3; t++) {
        double before[2] = {x[n / 2], y[n / 2]}, moved = 0.4 * (p[n / 2] - q[n / 2]);
        if (t == 0)
            simd->difference_argminmax(padded, x, y, (const unsigned char *const *)eligible, both);
        else
            simd->move_difference_argminmax(padded, 0.4, p, q, t == 2, x, y, (const unsigned char *const *)eligible,
                                            both);
        assert_true(n == 0 || x[n / 2] == (t == 1 ? before[0] + moved : before[0]) || isnan(before[0]));
        assert_true(n == 0 || y[n / 2] == (t == 2 ? before[1] + moved : before[1]) || isnan(before[1]));
        for (size_t j = 0; j < n; j++)
            list[j] = x[j] - y[j];
        for (size_t s = 0; s < 2; s++) {
            plain = plain_extremes(n, (const unsigned char *const *)eligible + 2 * s, list);
            assert_same_extremes(&both[s], &plain);
        }
    }
    for (size_t s = 0; s < 4; s++)
        free(eligible[s]);
}

/* The operations on x - y that an extreme point needs. */
static void check_below_and_dots(const struct simd *simd, gsl_rng *rng, size_t n, const double *p, const double *q,
                                 const double *x, const double *y)
{
    size_t padded = simd_padded(n), found[LONGEST + SIMD_LANES], count = 0;
    double *out = simd_doubles(padded), sums[3], key[LONGEST + SIMD_LANES];
    unsigned char *set = draw_set(rng, n, 0.6);
    size_t few = simd->differences_below(padded, -1, x, y, set, 0.25, out, found, key);
    for (size_t j = 0; j < padded; j++) {
        assert_true(out[j] == -(x[j] - y[j]));
        if (simd_set_has(set, j) && out[j] <= 0.25) {
            assert_int_equal(found[count], j);
            assert_memory_equal(&key[count++], &out[j], sizeof *key);
        }
    }
    assert_int_equal(count, few);
    simd->dots(padded, p, q, x, y, sums);
    assert_true(sums[0] == simd->dot(padded, p, x) && sums[1] == simd->dot(padded, q, y) &&
                sums[2] == simd->dot(padded, p, y));
    free(set), free(out);
}

/* The patterns below their bound, and the largest value of one above 0; values with ties, zeros of both signs. */
static void check_free(const struct simd *simd, gsl_rng *rng, size_t n)
{
    size_t padded = simd_padded(n), found[LONGEST + SIMD_LANES], count = 0, high = LONGEST, expected = LONGEST;
    double *x = simd_doubles(padded), *y = simd_doubles(padded), *weights = simd_doubles(padded);
    double *out = simd_doubles(padded), key[LONGEST + SIMD_LANES], largest = -INFINITY;
    const double bound = gsl_rng_uniform(rng) < 0.5 ? 0.5 : 0x1p-1074, sign = gsl_rng_uniform(rng) < 0.5 ? 1 : -1;
    const double odd[] = {0x1p-1074, 0x1p1000, -0x1p1000, -INFINITY * sign, -0.0};
    unsigned char *set = draw_set(rng, n, draw_share(rng));
    int ties = gsl_rng_uniform(rng) < 0.5;
    for (size_t j = 0; j < n; j++) {
        x[j] = ties ? (double)gsl_rng_uniform_int(rng, 3) - 1 : gsl_rng_uniform(rng);
        x[j] = gsl_rng_uniform(rng) < 0.1 ? odd[gsl_rng_uniform_int(rng, 5)] : x[j];
        y[j] = ties ? 0 : gsl_rng_uniform(rng);
        weights[j] = simd_set_has(set, j) ? bound * (double)gsl_rng_uniform_int(rng, 4) / 2 : 0;
    }
    size_t few = simd->differences_free(padded, sign, x, y, set, weights, bound, out, found, key, &high);
    for (size_t j = 0; j < n; j++) {
        double v = sign * (x[j] - y[j]);
        assert_memory_equal(&out[j], &v, sizeof v);
        if (simd_set_has(set, j) && weights[j] < bound) {
            assert_int_equal(found[count], j);
            assert_memory_equal(&key[count++], &v, sizeof v);
        }
        if (weights[j] > 0 && v > largest) {
            largest = v;
            expected = j;
        }
    }
    assert_int_equal(count, few);
    assert_int_equal(high, expected);
    free(x), free(y), free(weights), free(out), free(set);
}

/* A blend with its search and sums, against the separate loops. */
static void check_blend(const struct simd *simd, gsl_rng *rng, size_t n, const double *p)
{
    size_t padded = simd_padded(n), bytes = padded * sizeof(double), low = n ? gsl_rng_uniform_int(rng, n) : 0;
    const double sizes[] = {1, 1e150, 1e-160, 0x1p-1060}, size = sizes[gsl_rng_uniform_int(rng, 4)];
    double *list[4], *expected[4], *difference = simd_doubles(padded), sums[3];
    unsigned char *sets[2] = {draw_set(rng, n, draw_share(rng)), draw_set(rng, n, draw_share(rng))};
    const unsigned char *const *eligible = (const unsigned char *const *)sets;
    int moves = gsl_rng_uniform(rng) < 0.5, ties = gsl_rng_uniform(rng) < 0.5;
    struct argminmax found, plain;
    for (size_t k = 0; k < 4; k++) {
        list[k] = simd_doubles(padded);
        expected[k] = simd_doubles(padded);
        for (size_t j = 0; j < n; j++)
            list[k][j] = size * (ties ? (double)gsl_rng_uniform_int(rng, 5) - 2 : gsl_rng_uniform(rng));
        memcpy(expected[k], list[k], bytes);
    }
    struct blend_step blend = {.moves = moves, .keep = 0.25, .a = size, .weight_low = 0.75 * size, .low = low, .p = p,
                               .weights = {list[0], list[1]}, .products = {list[2], list[3]}};
    simd->blend_difference_argminmax(padded, &blend, eligible, &found);
    simd->scale(padded, 0.25, expected[moves]);
    if (n > 0)
        expected[moves][low] = 0.75 * size;
    simd->blend(padded, 0.25, size, p, expected[2 + moves]);
    for (size_t k = 0; k < 4; k++)
        assert_memory_equal(list[k], expected[k], bytes);
    for (size_t j = 0; j < n; j++)
        difference[j] = expected[2][j] - expected[3][j];
    plain = plain_extremes(n, eligible, difference);
    assert_same_extremes(&found, &plain);
    simd->dots(padded, expected[0], expected[1], expected[2], expected[3], sums);
    assert_memory_equal(&blend.moved, &sums[moves], sizeof *sums);
    assert_memory_equal(&blend.cross, &sums[2], sizeof *sums);
    for (size_t k = 0; k < 4; k++)
        free(list[k]), free(expected[k]);
    free(difference), free(sets[0]), free(sets[1]);
}

/* Each entry of a list compared with one of them or another. */
static void check_marks(const struct simd *simd, gsl_rng *rng, size_t n)
{
    double key[LONGEST + 1];
    size_t order[LONGEST + 1], expected = 0;
    uint64_t bits[LONGEST / 64 + 2];
    for (size_t i = 0; i <= n; i++) {
        order[i] = gsl_rng_uniform_int(rng, 400);
        key[i] = gsl_rng_uniform(rng);
    }
    if (gsl_rng_uniform(rng) < 0.7)
        fill_with_ties(rng, n + 1, key);
    bits[(n + 63) / 64] = 77;
    size_t pivot = gsl_rng_uniform_int(rng, n + 1);
    size_t count = simd->mark_before(n, key, order, key[pivot], order[pivot], bits);
    for (size_t i = 0; i < (n + 63) / 64 * 64; i++) {
        int before = i < n && (key[i] < key[pivot] || (key[i] == key[pivot] && order[i] < order[pivot]));
        assert_int_equal(bits[i / 64] >> i % 64 & 1, before);
        expected += (size_t)before;
    }
    assert_int_equal(count, expected);
    assert_int_equal(bits[(n + 63) / 64], 77);
}

/* The searches over one list, after each of the updates; z and e are for the reference loops. */
static void check_searches(const struct simd *simd, gsl_rng *rng, size_t n, const double *p, const double *q,
                           double *d, double *y, double *e, double *z)
{
    size_t padded = simd_padded(n), bytes = padded * sizeof(double);
    unsigned char *sets[2] = {draw_set(rng, n, draw_share(rng)), draw_set(rng, n, draw_share(rng))};
    const unsigned char *const *eligible = (const unsigned char *const *)sets;
    struct argminmax found, plain = plain_extremes(n, eligible, y);
    simd->argminmax(padded, eligible, y, &found);
    assert_same_extremes(&found, &plain);
    unsigned char *negative = draw_set(rng, n, draw_share(rng));
    for (size_t j = 0; j < padded; j++)
        z[j] = (simd_set_has(negative, j) ? -1 : 1) * (y[j] + 0.5);
    simd->signed_argminmax(padded, eligible, negative, y, 0.5, &found);
    plain = plain_extremes(n, eligible, z);
    assert_same_extremes(&found, &plain);
    memcpy(z, y, bytes);
    simd->add_difference(padded, 0.3, p, q, z);
    simd->add_difference_argminmax(padded, 0.3, p, q, eligible, y, &found);
    plain = plain_extremes(n, eligible, z);
    assert_memory_equal(y, z, bytes);
    assert_same_extremes(&found, &plain);
    for (int add_both = 0; add_both < 2; add_both++) {
        if (add_both) {
            simd->axpy(padded, -0.2, p, z);
            simd->axpy(padded, -0.2, q, z);
        } else
            simd->add_difference(padded, -0.2, p, q, z);
        simd->move_signed_argminmax(padded, -0.2, p, q, add_both, eligible, negative, y, 0.5, &found);
        for (size_t j = 0; j < padded; j++)
            e[j] = (simd_set_has(negative, j) ? -1 : 1) * (z[j] + 0.5);
        plain = plain_extremes(n, eligible, e);
        assert_memory_equal(y, z, bytes);
        assert_same_extremes(&found, &plain);
    }
    memcpy(e, d, bytes);
    simd->scale(padded, -0.6, e);
    simd->add_difference(padded, 1, p, q, e);
    simd->axpy(padded, 0.2, e, z);
    simd->turn_argminmax(padded, -0.6, 0.2, p, q, eligible, d, y, &found);
    plain = plain_extremes(n, eligible, z);
    assert_memory_equal(d, e, bytes);
    assert_memory_equal(y, z, bytes);
    assert_same_extremes(&found, &plain);
    unsigned char *four[4] = {sets[0], sets[1], draw_set(rng, n, draw_share(rng)), draw_set(rng, n, draw_share(rng))};
    struct argminmax both[2];
    simd->scale(padded, 0.7, e);
    simd->add_difference(padded, 1, p, q, e);
    simd->axpy(padded, -0.3, e, z);
    simd->turn_argminmax_twice(padded, 0.7, -0.3, p, q, (const unsigned char *const *)four, d, y, both);
    assert_memory_equal(d, e, bytes);
    assert_memory_equal(y, z, bytes);
    for (size_t s = 0; s < 2; s++) {
        plain = plain_extremes(n, (const unsigned char *const *)four + 2 * s, z);
        assert_same_extremes(&both[s], &plain);
    }
    for (size_t s = 0; s < 4; s++)
        free(four[s]);
    free(negative);
}

static void extremes_are_those_of_the_plain_loop_at_every_width(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *y = simd_doubles(LONGEST), *p = simd_doubles(LONGEST), *z = simd_doubles(LONGEST),
           *q = simd_doubles(LONGEST), *d = simd_doubles(LONGEST), *e = simd_doubles(LONGEST);
    for (int t = 0; t < SEARCHES; t++) {
        size_t n = draw_size(rng), padded = simd_padded(n);
        const struct simd *simd = simd_select(widths[t % 3]);
        if (!simd)
            continue;
        int ties = gsl_rng_uniform(rng) < 0.5;
        (ties ? fill_with_ties : fill)(rng, padded, y);
        fill(rng, padded, p);
        fill(rng, padded, q);
        fill(rng, padded, d);
        for (size_t j = 0; ties && j < padded; j++) { /* whole numbers, and zeros of both signs */
            p[j] = round(p[j]);
            q[j] = round(q[j]);
            d[j] = round(d[j]);
        }
        check_searches(simd, rng, n, p, q, d, y, e, z);
        for (size_t j = 0; ties && j < padded; j++) {
            y[j] = round(y[j]);
            d[j] = round(d[j]);
        }
        check_differences(simd, rng, n, p, q, y, d);
        fill(rng, padded, y);
        check_below_and_dots(simd, rng, n, p, q, y, d);
        check_free(simd, rng, n);
        check_blend(simd, rng, n, p);
        check_marks(simd, rng, n);
    }
    free(y), free(z), free(p), free(q), free(d), free(e);
    gsl_rng_free(rng);
}

/* The definition in the header, one element after the other. */
static size_t plain_partner(size_t n, const struct second_index *p)
{
    size_t best = p->hint;
    double max = 0;
    for (size_t j = 0; j < n; j++) {
        double delta = p->f[j] - p->f_first;
        if (!(delta > 0 && simd_set_has(p->eligible, j)))
            continue;
        double curvature = (p->diagonal_first - p->row[j]) + (p->diagonal[j] - p->row[j]);
        if (p->q) {
            double lost = (p->q_first - p->q[j]) * (p->q_first - p->q[j]) * p->scale;
            curvature = lost < (1 - SECOND_INDEX_MIN_LEFT) * curvature ? curvature - lost : curvature;
        }
        double gain = delta * delta / (curvature > 0 ? curvature : SECOND_INDEX_MIN_CURVATURE);
        if (gain > max)
            max = gain, best = j;
    }
    return best;
}

static void the_best_partner_is_that_of_the_plain_loop_at_every_width(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *f = simd_doubles(LONGEST), *row = simd_doubles(LONGEST);
    double *diagonal = simd_doubles(LONGEST), *q = simd_doubles(LONGEST);
    const double sizes[] = {1, 1e-3, 1e150, 1e-158, 1e-300};
    for (int t = 0; t < SEARCHES; t++) {
        size_t n = draw_size(rng), padded = simd_padded(n);
        const struct simd *simd = simd_select(widths[t % 3]);
        double size = sizes[gsl_rng_uniform_int(rng, 5)];
        int ties = gsl_rng_uniform(rng) < 0.5;
        if (!simd)
            continue;
        fill_with_ties(rng, padded, f);
        fill(rng, padded, row);
        fill(rng, padded, q);
        unsigned char *set = draw_set(rng, n, draw_share(rng));
        for (size_t j = 0; j < padded; j++) {
            f[j] = ties ? size * f[j] : size * gsl_rng_uniform(rng);
            diagonal[j] = 1;
            row[j] = ties ? round(row[j]) : row[j];
        }
        struct second_index second_index = {.eligible = set,
                                            .f = f,
                                            .row = row,
                                            .diagonal = diagonal,
                                            .q = t % 2 ? q : NULL,
                                            .f_first = ties ? -4 * size : 0,
                                            .diagonal_first = gsl_rng_uniform(rng) < 0.2 ? -1 : 1,
                                            .q_first = 0.1,
                                            .scale = gsl_rng_uniform(rng) < 0.5 ? 2 : 0,
                                            .hint = n ? gsl_rng_uniform_int(rng, n) : 0};
        assert_int_equal(simd->select_second_index(padded, &second_index), plain_partner(n, &second_index));
        free(set);
    }
    free(f), free(row), free(diagonal), free(q);
    gsl_rng_free(rng);
}

/* The definition in the header, one element after the other. */
static size_t plain_exact_gain(size_t n, const struct exact_gains *g)
{
    size_t best = g->hint;
    double max = g->min_gain;
    for (size_t j = 0; j < n; j++) {
        int down = g->f[j] < g->f_first; /* direction of the first pattern */
        double to_max = g->alpha_max - g->alpha[j], delta = fabs(g->f[j] - g->f_first);
        double room = down == simd_set_has(g->positive, j) ? to_max : g->alpha[j];
        double max_step = fmin(room, down ? g->first_down : g->first_up);
        double curvature = fmax((g->diagonal_first - g->row[j]) + (g->diagonal[j] - g->row[j]), 0);
        double step = delta < max_step * curvature ? delta / curvature : max_step;
        double gain = step * (delta - 0.5 * step * curvature);
        if (simd_set_has(g->eligible[down ? 0 : 1], j) && gain > max)
            max = gain, best = j;
    }
    return best;
}

static void the_largest_exact_gain_is_that_of_the_plain_loop_at_every_width(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *f = simd_doubles(LONGEST), *row = simd_doubles(LONGEST);
    double *diagonal = simd_doubles(LONGEST), *alpha = simd_doubles(LONGEST);
    const double sizes[] = {1, 1e-3, 1e100, 1e-150, 1e-300};
    size_t found = 0, searches = 0; /* a processor without the wider vectors searches less often */
    for (int t = 0; t < SEARCHES; t++) {
        size_t n = draw_size(rng), padded = simd_padded(n);
        const struct simd *simd = simd_select(widths[t % 3]);
        double size = sizes[gsl_rng_uniform_int(rng, 5)], alpha_max = gsl_rng_uniform(rng) < 0.5 ? 1 : 100;
        int ties = gsl_rng_uniform(rng) < 0.5;
        if (!simd)
            continue;
        fill(rng, padded, row);
        unsigned char *sets[3];
        for (size_t s = 0; s < 3; s++)
            sets[s] = draw_set(rng, n, draw_share(rng));
        for (size_t j = 0; j < padded; j++) {
            double at = gsl_rng_uniform(rng);
            f[j] = j < n ? size * (ties ? (double)gsl_rng_uniform_int(rng, 9) - 4 : gsl_rng_uniform(rng) - 0.5) : 0;
            alpha[j] = j < n ? alpha_max * (ties ? round(2 * at) / 2 : at) : 0;
            diagonal[j] = 1;
            row[j] = ties ? round(row[j]) : row[j];
        }
        struct exact_gains gains = {.eligible = {sets[0], sets[1]},
                                    .positive = sets[2],
                                    .alpha = alpha,
                                    .f = f,
                                    .row = row,
                                    .diagonal = diagonal,
                                    .alpha_max = alpha_max,
                                    .f_first = ties ? size : 0.1 * size,
                                    .diagonal_first = gsl_rng_uniform(rng) < 0.2 ? -1 : 1,
                                    .first_up = alpha_max * gsl_rng_uniform(rng),
                                    .first_down = gsl_rng_uniform(rng) < 0.2 ? 0 : alpha_max * gsl_rng_uniform(rng),
                                    .min_gain = gsl_rng_uniform(rng) < 0.5 ? 0 : 0.05 * size,
                                    .hint = n ? gsl_rng_uniform_int(rng, n) : 0};
        size_t expected = plain_exact_gain(n, &gains);
        assert_int_equal(simd->select_exact_gain(padded, &gains), expected);
        found += expected != gains.hint;
        searches++;
        free(sets[0]), free(sets[1]), free(sets[2]);
    }
    assert_true(found > searches / 4);
    free(f), free(row), free(diagonal), free(alpha);
    gsl_rng_free(rng);
}

/* Element by element by the definition in the header, bitwise. */
static void check_lost_curvature(const struct simd *simd, size_t n, const struct lost_curvature *of, const double *out)
{
    for (size_t j = 0; j < n; j++) {
        double lost = 0, curvature = (of->diagonal_first - of->row[j]) + (of->diagonal[j] - of->row[j]);
        for (size_t k = 0; k < of->count; k++)
            lost += (of->q_first[k] - of->q[k][j]) * (of->q_first[k] - of->q[k][j]) * of->scale[k];
        double left = lost < (1 - SECOND_INDEX_MIN_LEFT) * curvature ? of->diagonal[j] - lost : of->diagonal[j];
        if (memcmp(&left, out + j, sizeof left) != 0)
            fail_msg("%s: %g instead of %g at %zu of %zu", simd->name, out[j], left, j, n);
    }
}

static void what_directions_take_is_that_of_the_plain_loop_at_every_width(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 7, 8, 9, 63, 64, 65, 130};
    enum { MOST = 9 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *row = simd_doubles(LONGEST), *diagonal = simd_doubles(LONGEST), *out = simd_doubles(LONGEST);
    double *q[MOST], q_first[MOST], scale[MOST];
    for (size_t k = 0; k < MOST; k++)
        q[k] = simd_doubles(LONGEST);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t count = 0; count <= MOST; count++)
            for (size_t w = 0; w < 3; w++) {
                size_t padded = simd_padded(sizes[s]);
                const struct simd *simd = simd_select(widths[w]);
                struct lost_curvature of = {.count = count, .q = (const double *const *)q, .q_first = q_first,
                                            .scale = scale, .row = row, .diagonal = diagonal, .diagonal_first = 1};
                if (!simd)
                    continue;
                fill(rng, padded, row);
                fill(rng, padded, diagonal);
                for (size_t k = 0; k < count; k++) {
                    fill(rng, padded, q[k]);
                    q_first[k] = gsl_rng_uniform(rng);
                    scale[k] = gsl_rng_uniform(rng) / (double)MOST;
                }
                for (size_t j = padded; j < LONGEST; j++)
                    out[j] = -3;
                simd->take_lost_curvature(padded, &of, out);
                check_lost_curvature(simd, padded, &of, out);
                for (size_t j = padded; j < LONGEST; j++)
                    assert_true(out[j] == -3); /* nothing is written behind the array */
                if (sizes[s] > 3 && count > 0) { /* an infinite loss counts as none; NaN is unspecified */
                    q[0][3] = INFINITY;
                    diagonal[2] = 1 + 2 * row[2] - 1; /* a curvature of 0 loses nothing */
                    simd->take_lost_curvature(padded, &of, out);
                    check_lost_curvature(simd, padded, &of, out);
                    assert_true(out[3] == diagonal[3]);
                }
            }
    for (size_t k = 0; k < MOST; k++)
        free(q[k]);
    free(row), free(diagonal), free(out);
    gsl_rng_free(rng);
}

/* ---- prefix sums ---- */

/* Terms of one size, tied, denormal, extreme, or of all sizes. */
static double draw_term(gsl_rng *rng, int kind)
{
    const double extreme[] = {0x1p-1074, -0x1p-1074, 0x1p1000, -0x1p1000, 0.0, -0.0, 1, 0x1.fffffffffffffp-1};
    double at = 2 * gsl_rng_uniform(rng) - 1;
    switch (kind) {
    case 0: return at;
    case 1: return (double)gsl_rng_uniform_int(rng, 3) - 1;
    case 2: return at * 0x1p-1060;
    case 3: return extreme[gsl_rng_uniform_int(rng, 8)];
    default: return ldexp(at, (int)gsl_rng_uniform_int(rng, 80) - 40);
    }
}

/* What the sums held before: the sums of terms of which a few differ, or anything. */
static void fill_with_guesses(gsl_rng *rng, size_t n, const double *terms, int kind, double *sums)
{
    const double odd[] = {NAN, INFINITY, -INFINITY, -0.0, 0x1p-1074};
    size_t changed = gsl_rng_uniform_int(rng, n + 1), too = gsl_rng_uniform_int(rng, n + 1);
    double sum = 0, share = gsl_rng_uniform(rng) < 0.2 ? 0.3 : 0;
    for (size_t k = 0; k < n; k++) {
        sum += k == changed || k == too ? draw_term(rng, kind) : terms[k];
        sums[k] = gsl_rng_uniform(rng) < share ? odd[gsl_rng_uniform_int(rng, 5)] : sum;
    }
}

static void prefix_sums_have_the_bits_of_the_chain_at_every_width(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    enum { SIZE = LONGEST + PREFIX_SUMS_ROOM };
    double terms[SIZE], sums[SIZE + 1], chain[LONGEST] = {0};
    for (int t = 0; t < 4 * SEARCHES; t++) {
        size_t n = draw_size(rng), known = gsl_rng_uniform_int(rng, n + 1);
        int kind = (int)gsl_rng_uniform_int(rng, 5);
        double last = 0;
        for (size_t k = 0; k < SIZE; k++)
            terms[k] = draw_term(rng, kind);
        for (size_t k = 0; k <= SIZE; k++)
            sums[k] = NAN;
        sums[n + PREFIX_SUMS_ROOM] = -3;
        fill_with_guesses(rng, n, terms, kind, sums);
        for (size_t k = 0; k < n; k++)
            chain[k] = last += terms[k];
        memcpy(sums, chain, known * sizeof *sums);
        for (size_t w = 0; w < 3; w++) {
            double own[SIZE + 1];
            const struct simd *simd = simd_select(widths[w]);
            memcpy(own, sums, sizeof own);
            double found = simd ? simd->prefix_sums(n, known, terms, own) : last;
            if (simd)
                assert_memory_equal(own, chain, n * sizeof *own);
            assert_memory_equal(&found, &last, sizeof last);
            assert_true(own[n + PREFIX_SUMS_ROOM] == -3);
        }
    }
    gsl_rng_free(rng);
}

static void an_unknown_width_is_refused(void **state)
{
    (void)state;
    assert_null(simd_select("avx1024"));
    assert_non_null(simd_select("generic"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_gives_the_bits_of_the_plain_loops),
        cmocka_unit_test(extremes_are_those_of_the_plain_loop_at_every_width),
        cmocka_unit_test(the_best_partner_is_that_of_the_plain_loop_at_every_width),
        cmocka_unit_test(the_largest_exact_gain_is_that_of_the_plain_loop_at_every_width),
        cmocka_unit_test(what_directions_take_is_that_of_the_plain_loop_at_every_width),
        cmocka_unit_test(prefix_sums_have_the_bits_of_the_chain_at_every_width),
        cmocka_unit_test(an_unknown_width_is_refused),
    };
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
