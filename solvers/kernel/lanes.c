/*
 * Element-wise loops and one fixed-shape sum, compiled once per vector width (LANES_NAME and the instruction set come
 * from the Makefile).
 *
 * exp: with n = round(x / ln 2), x = n ln 2 + r and |r| <= ln 2 / 2. ln 2 is split into a head with 21 zero low bits, so
 * n * head is exact for |n| < 2^20, and a tail. exp(r) = 1 + (r + r^2 q(r)), q the Taylor series to the term r^13 / 13!
 * (remainder below 5e-18 relative), summed from the smallest term; the result is scaled by 2^n in the exponent field. The
 * error stays below 1 ulp without fused operations, so every processor gets the same bits.
 */
#include "solvers/kernel/lanes.h"

#include <stdint.h>

#if defined(__AVX512F__)
#define WIDTH 8
#elif defined(__AVX2__)
#define WIDTH 4
#else
#define WIDTH 2
#endif

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)
#define INLINE static inline __attribute__((always_inline))

typedef double vec __attribute__((vector_size(8 * WIDTH), may_alias));
typedef int64_t vec_bits __attribute__((vector_size(8 * WIDTH), may_alias));

INLINE vec get(const double *p)
{
    return *(const vec *)(const void *)p;
}

INLINE void put(double *p, vec v)
{
    *(vec *)(void *)p = v;
}

INLINE vec all(double a)
{
    return a - (vec){0};
}

static void squared_distances(size_t n, size_t dims, const double *point, const double *columns, size_t stride,
                              double *out)
{
    for (size_t j = 0; j < n; j += LANES) {
        vec sum[LANES / WIDTH] = {{0}};
        for (size_t d = 0; d < dims; d++)
            for (size_t k = 0; k < LANES / WIDTH; k++) {
                vec difference = all(point[d]) - get(columns + d * stride + j + k * WIDTH);
                sum[k] += difference * difference;
            }
        for (size_t k = 0; k < LANES / WIDTH; k++)
            put(out + j + k * WIDTH, sum[k]);
    }
}

static void dot_products(size_t n, size_t dims, const double *point, const double *columns, size_t stride, double *out)
{
    for (size_t j = 0; j < n; j += LANES) {
        vec sum[LANES / WIDTH] = {{0}};
        for (size_t d = 0; d < dims; d++)
            for (size_t k = 0; k < LANES / WIDTH; k++)
                sum[k] += all(point[d]) * get(columns + d * stride + j + k * WIDTH);
        for (size_t k = 0; k < LANES / WIDTH; k++)
            put(out + j + k * WIDTH, sum[k]);
    }
}

/* 1/k! for k = 2 .. 13 */
static const double inverse_factorial[] = {
    1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
    1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
};

INLINE vec exp_of(vec x)
{
    const double to_integer = 0x1.8p52;           /* adding it leaves round(x) in the low bits */
    const double ln2_head = 0x1.62e42feep-1, ln2_tail = 0x1.a39ef35793c76p-33;
    const vec lowest = all(-708.0);
    vec_bits keep = (vec_bits)(x >= lowest);
    x = (vec)(((vec_bits)x & keep) | ((vec_bits)lowest & ~keep));
    vec shifted = x * all(0x1.71547652b82fep0) + all(to_integer);
    vec whole = shifted - all(to_integer);
    vec head = x - whole * all(ln2_head);
    vec tail = whole * all(ln2_tail);
    vec r = head - tail;
    vec lost = (head - r) - tail; /* what rounding took from r */
    const int terms = sizeof inverse_factorial / sizeof *inverse_factorial;
    vec q = all(inverse_factorial[terms - 1]);
    for (int k = terms - 2; k >= 0; k--)
        q = q * r + all(inverse_factorial[k]);
    vec result = all(1.0) + (r + (r * r * q + lost));
    vec_bits scaled = (vec_bits)result + ((vec_bits)shifted << 52);
    return (vec)(scaled & keep);
}

static void exp_negative(size_t n, const double *in, double width, double *out)
{
    for (size_t j = 0; j < n; j += WIDTH)
        put(out + j, exp_of(-get(in + j) / all(width)));
}

/* One block of `count` vectors from column j on, kept in registers over all rows. */
INLINE void row_sum_block(size_t j, const double *const *rows, size_t m, double *out, const size_t count)
{
    vec sum[8];
    for (size_t k = 0; k < count; k++)
        sum[k] = (vec){0};
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < count; k++)
            sum[k] += get(rows[i] + j + k * WIDTH);
    for (size_t k = 0; k < count; k++)
        put(out + j + k * WIDTH, sum[k]);
}

static void row_sum(size_t n, const double *const *rows, size_t m, double *out)
{
    size_t j = 0;
    for (; j + 8 * WIDTH <= n; j += 8 * WIDTH)
        row_sum_block(j, rows, m, out, 8);
    for (; j < n; j += LANES)
        row_sum_block(j, rows, m, out, LANES / WIDTH);
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

static void scale(size_t n, double a, double *y)
{
    for (size_t j = 0; j < n; j += WIDTH)
        put(y + j, all(a) * get(y + j));
}

static double dot(size_t n, const double *x, const double *y)
{
    vec sum[LANES / WIDTH] = {{0}};
    for (size_t j = 0; j < n; j += LANES)
        for (size_t k = 0; k < LANES / WIDTH; k++)
            sum[k] += get(x + j + k * WIDTH) * get(y + j + k * WIDTH);
    double s[LANES];
    for (size_t i = 0; i < LANES; i++)
        s[i] = sum[i / WIDTH][i % WIDTH];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

extern const struct lanes PASTE(lanes_, LANES_NAME);
const struct lanes PASTE(lanes_, LANES_NAME) = {
    .name = TEXT(LANES_NAME),
    .squared_distances = squared_distances,
    .dot_products = dot_products,
    .exp_negative = exp_negative,
    .row_sum = row_sum,
    .axpy = axpy,
    .add_difference = add_difference,
    .blend = blend,
    .scale = scale,
    .dot = dot,
};
