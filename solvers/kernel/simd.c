/*
 * Element-wise loops and one fixed-order sum, compiled once per vector width (LANES_NAME and the instruction set come
 * from the Makefile).
 *
 * exp: with n = round(x / ln 2), x = n ln 2 + r and |r| <= ln 2 / 2. ln 2 is split into a head with 21 zero low bits,
 * so n * head is exact for |n| < 2^20, and a tail. exp(r) = 1 + (r + r^2 q(r)), where q is the Taylor series up to the
 * term r^13 / 13! (relative remainder below 5e-18), summed from the smallest term. The result is scaled by 2^n in the
 * exponent field. The error stays below 1 ulp without fused operations, so every processor gives the same bits.
 */
#include "solvers/kernel/simd.h"

#include "solvers/kernel/simd_search.h"

/* `count` vectors from column j on, kept in registers over all features. */
INLINE void distances_block(size_t j, size_t dims, const double *point, const double *columns, size_t stride,
                            double *out, const size_t count)
{
    vec sum[8];
UNROLL
    for (size_t k = 0; k < count; k++)
        sum[k] = (vec){0};
    for (size_t d = 0; d < dims; d++)
UNROLL
        for (size_t k = 0; k < count; k++) {
            vec difference = all(point[d]) - get(columns + d * stride + j + k * WIDTH);
            sum[k] += difference * difference;
        }
UNROLL
    for (size_t k = 0; k < count; k++)
        put(out + j + k * WIDTH, sum[k]);
}

static void squared_distances(size_t n, size_t dims, const double *point, const double *columns, size_t stride,
                              double *out)
{
    size_t j = 0;
    for (; j + BLOCK * WIDTH <= n; j += BLOCK * WIDTH)
        distances_block(j, dims, point, columns, stride, out, BLOCK);
    for (; j < n; j += SIMD_LANES)
        distances_block(j, dims, point, columns, stride, out, SIMD_LANES / WIDTH);
}

INLINE void products_block(size_t j, size_t dims, const double *point, const double *columns, size_t stride,
                           double *out, const size_t count)
{
    vec sum[8];
UNROLL
    for (size_t k = 0; k < count; k++)
        sum[k] = (vec){0};
    for (size_t d = 0; d < dims; d++)
UNROLL
        for (size_t k = 0; k < count; k++)
            sum[k] += all(point[d]) * get(columns + d * stride + j + k * WIDTH);
UNROLL
    for (size_t k = 0; k < count; k++)
        put(out + j + k * WIDTH, sum[k]);
}

static void dot_products(size_t n, size_t dims, const double *point, const double *columns, size_t stride, double *out)
{
    size_t j = 0;
    for (; j + BLOCK * WIDTH <= n; j += BLOCK * WIDTH)
        products_block(j, dims, point, columns, stride, out, BLOCK);
    for (; j < n; j += SIMD_LANES)
        products_block(j, dims, point, columns, stride, out, SIMD_LANES / WIDTH);
}

/* 1/k! for k = 2 .. 13 */
enum { TERMS = 12 };
static const double inverse_factorial[TERMS] = {
    1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
    1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
};

/* The rest of a row in one step: separate sums would each wait for their additions. */
#define FEWER_THAN_8(count, BLOCK_OF) \
    switch (count) {                  \
    case 1: BLOCK_OF(1); break;       \
    case 2: BLOCK_OF(2); break;       \
    case 3: BLOCK_OF(3); break;       \
    case 4: BLOCK_OF(4); break;       \
    case 5: BLOCK_OF(5); break;       \
    case 6: BLOCK_OF(6); break;       \
    case 7: BLOCK_OF(7); break;       \
    default: break;                   \
    }

/* `count` vectors side by side, since each operation on a vector waits for the previous one. The loop over the terms is
 * not unrolled: otherwise the compiler finishes one vector's terms before it starts the next. */
INLINE void exp_block(const double *in, double width, double *out, const size_t count)
{
    const double to_integer = 0x1.8p52; /* adding it leaves round(x) in the low bits */
    const double ln2_head = 0x1.62e42feep-1, ln2_tail = 0x1.a39ef35793c76p-33;
    vec x[8], shifted[8], r[8], lost[8], q[8];
UNROLL
    for (size_t k = 0; k < count; k++) {
        x[k] = get(in + k * WIDTH) / all(-width);
        shifted[k] = x[k] * all(0x1.71547652b82fep0) + all(to_integer);
        vec whole = shifted[k] - all(to_integer);
        vec head = x[k] - whole * all(ln2_head);
        vec tail = whole * all(ln2_tail);
        r[k] = head - tail;
        lost[k] = (head - r[k]) - tail; /* the part of r lost to rounding */
        q[k] = all(inverse_factorial[TERMS - 1]);
    }
    for (int i = TERMS - 2; i >= 0; i--)
UNROLL
        for (size_t k = 0; k < count; k++)
            q[k] = q[k] * r[k] + all(inverse_factorial[i]);
UNROLL
    for (size_t k = 0; k < count; k++) {
        vec result = all(1.0) + (r[k] + (r[k] * r[k] * q[k] + lost[k]));
        vec_words scaled = (vec_words)result + ((vec_words)shifted[k] << 52);
        put(out + k * WIDTH, (vec)(scaled & (vec_words)(x[k] >= all(-708.0)))); /* also 0 if x is NaN */
    }
}

static void exp_negative(size_t n, const double *in, double width, double *out)
{
    size_t j = 0;
    for (; j + 8 * WIDTH <= n; j += 8 * WIDTH)
        exp_block(in + j, width, out + j, 8);
#define EXP(count) exp_block(in + j, width, out + j, count)
    FEWER_THAN_8((n - j) / WIDTH, EXP);
#undef EXP
}

/* One block of `count` vectors from column j on, kept in registers over all rows. */
INLINE void row_sum_block(size_t j, const double *const *rows, size_t m, double *out, const size_t count)
{
    vec sum[8];
UNROLL
    for (size_t k = 0; k < count; k++)
        sum[k] = (vec){0};
    for (size_t i = 0; i < m; i++)
UNROLL
        for (size_t k = 0; k < count; k++)
            sum[k] += get(rows[i] + j + k * WIDTH);
UNROLL
    for (size_t k = 0; k < count; k++)
        put(out + j + k * WIDTH, sum[k]);
}

static void row_sum(size_t n, const double *const *rows, size_t m, double *out)
{
    size_t j = 0;
    for (; j + 8 * WIDTH <= n; j += 8 * WIDTH)
        row_sum_block(j, rows, m, out, 8);
#define ROW_SUM(count) row_sum_block(j, rows, m, out, count)
    FEWER_THAN_8((n - j) / WIDTH, ROW_SUM);
#undef ROW_SUM
}

INLINE void add_rows_block(size_t j, const double *const *rows, const double *weights, size_t m, double *out,
                           const size_t count)
{
    vec sum[8];
UNROLL
    for (size_t k = 0; k < count; k++)
        sum[k] = get(out + j + k * WIDTH);
    for (size_t i = 0; i < m; i++)
UNROLL
        for (size_t k = 0; k < count; k++)
            sum[k] += all(weights[i]) * get(rows[i] + j + k * WIDTH);
UNROLL
    for (size_t k = 0; k < count; k++)
        put(out + j + k * WIDTH, sum[k]);
}

static void add_rows(size_t n, const double *const *rows, const double *weights, size_t m, double *out)
{
    size_t j = 0;
    for (; j + 8 * WIDTH <= n; j += 8 * WIDTH)
        add_rows_block(j, rows, weights, m, out, 8);
#define ADD_ROWS(count) add_rows_block(j, rows, weights, m, out, count)
    FEWER_THAN_8((n - j) / WIDTH, ADD_ROWS);
#undef ADD_ROWS
}

static void axpy(size_t n, double a, const double *x, double *y)
{
    for (size_t j = 0; j < n; j += WIDTH)
        put(y + j, get(y + j) + all(a) * get(x + j));
}

static void add_difference(size_t n, double a, const double *p, const double *q, double *y)
{
    for (size_t j = 0; j < n; j += WIDTH)
        put(y + j, get(y + j) + all(a) * (get(p + j) - get(q + j)));
}

static void blend(size_t n, double keep, double a, const double *x, double *y)
{
    for (size_t j = 0; j < n; j += WIDTH)
        put(y + j, all(keep) * get(y + j) + all(a) * get(x + j));
}

static void add(size_t n, double a, double *y)
{
    for (size_t j = 0; j < n; j += WIDTH)
        put(y + j, get(y + j) + all(a));
}

static void scale(size_t n, double a, double *y)
{
    for (size_t j = 0; j < n; j += WIDTH)
        put(y + j, all(a) * get(y + j));
}

INLINE void add_to_eight(const double *x, double a, vec *out)
{
UNROLL
    for (size_t v = 0; v < SIMD_LANES / WIDTH; v++)
        out[v] = get_any(x + v * WIDTH) + all(a);
}

/* Behind a changed term, sums mostly change by the same amount, `shift`. So old + shift is tried for eight sums at
 * once. They are right if each has the bits of the sum before it plus its term. Otherwise seven are added one by one,
 * and the next one shows the new shift. */
static double prefix_sums(size_t count, size_t known, const double *terms, double *sums)
{
    double last = known > 0 ? sums[known - 1] : 0;
    for (size_t k = known; k < count;) {
        double sum = last + terms[k], shift = sum - sums[k];
        vec before[SIMD_LANES / WIDTH], sums_now[SIMD_LANES / WIDTH], next[SIMD_LANES / WIDTH];
        add_to_eight(sums + k, shift, before);
        int is_shifted = before[0][0] == sum;
        sums[k++] = sum;
        while (is_shifted && k < count) {
            unsigned same = 0, needed = (1u << SIMD_LANES) - 1;
            if (count - k < SIMD_LANES)
                needed = (1u << (count - k)) - 1;
            add_to_eight(sums + k, shift, sums_now);
            add_to_eight(sums + k + SIMD_LANES - 1, shift, next); /* read before they are overwritten */
UNROLL
            for (size_t v = 0; v < SIMD_LANES / WIDTH; v++)
                same |= BITS(SAME_BITS(before[v] + get_any(terms + k + v * WIDTH), sums_now[v])) << v * WIDTH;
            if ((same & needed) != needed)
                break;
UNROLL
            for (size_t v = 0; v < SIMD_LANES / WIDTH; v++) {
                put_any(sums + k + v * WIDTH, sums_now[v]);
                before[v] = next[v];
            }
            k += SIMD_LANES;
        }
        last = sums[(k < count ? k : count) - 1];
        for (size_t end = k + SIMD_LANES - 1; k < count && k < end; k++)
            sums[k] = last += terms[k];
    }
    return last;
}

static double dot(size_t n, const double *x, const double *y)
{
    vec sum[SIMD_LANES / WIDTH] = {{0}};
    for (size_t j = 0; j < n; j += SIMD_LANES)
UNROLL
        for (size_t k = 0; k < SIMD_LANES / WIDTH; k++)
            sum[k] += get(x + j + k * WIDTH) * get(y + j + k * WIDTH);
    return sum_of_lanes(sum);
}

static void dots(size_t n, const double *v, const double *w, const double *x, const double *y, double *out)
{
    vec vx[SIMD_LANES / WIDTH] = {{0}}, wy[SIMD_LANES / WIDTH] = {{0}}, vy[SIMD_LANES / WIDTH] = {{0}};
    for (size_t j = 0; j < n; j += SIMD_LANES)
UNROLL
        for (size_t k = 0; k < SIMD_LANES / WIDTH; k++) {
            size_t at = j + k * WIDTH;
            vx[k] += get(v + at) * get(x + at);
            wy[k] += get(w + at) * get(y + at);
            vy[k] += get(v + at) * get(y + at);
        }
    out[0] = sum_of_lanes(vx);
    out[1] = sum_of_lanes(wy);
    out[2] = sum_of_lanes(vy);
}

/* As many sums as fit into the registers besides what they are made of. */
enum { TILE_ROWS = WIDTH == 8 ? 8 : 4, TILE_VECTORS = 2 };

static void subtract_products(size_t count, const double *a, const double *b, double *c)
{
    for (size_t first = 0; first < FACTOR_TILE; first += TILE_ROWS)
        for (size_t j = 0; j < FACTOR_TILE; j += TILE_VECTORS * WIDTH) {
            vec sum[TILE_ROWS][TILE_VECTORS];
UNROLL
            for (size_t r = 0; r < TILE_ROWS; r++)
UNROLL
                for (size_t v = 0; v < TILE_VECTORS; v++)
                    sum[r][v] = get(c + (first + r) * FACTOR_TILE + j + v * WIDTH);
            for (size_t k = 0; k < count; k++) {
                const vec low = get(b + k * FACTOR_TILE + j), high = get(b + k * FACTOR_TILE + j + WIDTH);
UNROLL
                for (size_t r = 0; r < TILE_ROWS; r++) {
                    const vec factor = all(a[k * FACTOR_TILE + first + r]);
                    sum[r][0] -= factor * low;
                    sum[r][1] -= factor * high;
                }
            }
UNROLL
            for (size_t r = 0; r < TILE_ROWS; r++)
UNROLL
                for (size_t v = 0; v < TILE_VECTORS; v++)
                    put(c + (first + r) * FACTOR_TILE + j + v * WIDTH, sum[r][v]);
        }
}

extern const struct simd OF_WIDTH(simd);
const struct simd OF_WIDTH(simd) = {
    .name = TEXT(LANES_NAME),
    .squared_distances = squared_distances,
    .dot_products = dot_products,
    .exp_negative = exp_negative,
    .row_sum = row_sum,
    .add_rows = add_rows,
    .axpy = axpy,
    .add_difference = add_difference,
    .blend = blend,
    .add = add,
    .scale = scale,
    .prefix_sums = prefix_sums,
    .subtract_products = subtract_products,
    .dot = dot,
    .argminmax = OF_WIDTH(argminmax),
    .add_difference_argminmax = OF_WIDTH(add_difference_argminmax),
    .turn_argminmax = OF_WIDTH(turn_argminmax),
    .turn_argminmax_twice = OF_WIDTH(turn_argminmax_twice),
    .signed_argminmax = OF_WIDTH(signed_argminmax),
    .move_signed_argminmax = OF_WIDTH(move_signed_argminmax),
    .difference_argminmax = OF_WIDTH(difference_argminmax),
    .move_difference_argminmax = OF_WIDTH(move_difference_argminmax),
    .differences_below = OF_WIDTH(differences_below),
    .differences_free = OF_WIDTH(differences_free),
    .mark_before = OF_WIDTH(mark_before),
    .blend_difference_argminmax = OF_WIDTH(blend_difference_argminmax),
    .dots = dots,
    .take_lost_curvature = OF_WIDTH(take_lost_curvature),
    .select_second_index = OF_WIDTH(select_second_index),
    .select_exact_gain = OF_WIDTH(select_exact_gain),
};
