/*
 * Element-wise loops, one fixed-shape sum and searches, compiled once per vector width (LANES_NAME and the instruction set come
 * from the Makefile).
 *
 * exp: with n = round(x / ln 2), x = n ln 2 + r and |r| <= ln 2 / 2. ln 2 is split into a head with 21 zero low bits, so
 * n * head is exact for |n| < 2^20, and a tail. exp(r) = 1 + (r + r^2 q(r)), q the Taylor series to the term r^13 / 13!
 * (remainder below 5e-18 relative), summed from the smallest term; the result is scaled by 2^n in the exponent field. The
 * error stays below 1 ulp without fused operations, so every processor gets the same bits.
 *
 * Searches have one answer, as ties go to the lowest index, whatever the order in which elements are looked at. They are
 * fused with the update whose result they search, and do without branches; that for a partner divides only where the
 * quotient may be the largest so far.
 */
#include "solvers/kernel/lanes.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

/* Before a loop of a constant number of turns, so that what it works on stays in registers. */
#define UNROLL _Pragma("GCC unroll 16")
/* Vectors that a loop keeps in registers at once. */
enum { BLOCK = 4 };

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

/* Which lanes a comparison holds in, and what is done by it. */
#if defined(__AVX512F__)
typedef __mmask8 mask;
#define LESS(a, b) _mm512_cmp_pd_mask((__m512d)(a), (__m512d)(b), _CMP_LT_OQ)
#define AT_MOST(a, b) _mm512_cmp_pd_mask((__m512d)(a), (__m512d)(b), _CMP_LE_OQ)
#define CHOOSE(mask, a, b) ((vec)_mm512_mask_blend_pd(mask, (__m512d)(b), (__m512d)(a)))
#define BITS(mask) ((unsigned)(mask))
#elif defined(__AVX2__)
typedef vec_bits mask;
#define LESS(a, b) ((a) < (b))
#define AT_MOST(a, b) ((a) <= (b))
#define CHOOSE(mask, a, b) ((vec)_mm256_blendv_pd((__m256d)(b), (__m256d)(a), (__m256d)(mask)))
#define BITS(mask) ((unsigned)_mm256_movemask_pd((__m256d)(mask)))
#else
typedef vec_bits mask;
#define LESS(a, b) ((a) < (b))
#define AT_MOST(a, b) ((a) <= (b))
#define CHOOSE(mask, a, b) ((vec)(((vec_bits)(a) & (mask)) | ((vec_bits)(b) & ~(mask))))
#if defined(__x86_64__)
#define BITS(mask) ((unsigned)_mm_movemask_pd((__m128d)(mask)))
#else
#define BITS(mask) ((unsigned)(((mask)[0] & 1) | ((mask)[1] & 2)))
#endif
#endif

/* `count` vectors from column j on, kept in registers over all features. */
INLINE void distances_block(size_t j, size_t dims, const double *point, const double *columns, size_t stride, double *out,
                            const size_t count)
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
    for (; j < n; j += LANES)
        distances_block(j, dims, point, columns, stride, out, LANES / WIDTH);
}

INLINE void products_block(size_t j, size_t dims, const double *point, const double *columns, size_t stride, double *out,
                           const size_t count)
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
    for (; j < n; j += LANES)
        products_block(j, dims, point, columns, stride, out, LANES / WIDTH);
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
UNROLL
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

/* ---- searches ---- */

/* The extremes of each lane so far; where they are is kept as doubles, exact up to 2^53. */
struct watch {
    vec least, most, least_at, most_at;
};

INLINE struct watch watch_nothing(void)
{
    return (struct watch){all(INFINITY), all(-INFINITY), all(0), all(0)};
}

INLINE void watch_also(struct watch *watch, vec y, vec side, vec at)
{
    mask lower = LESS(y, watch->least) & AT_MOST(all(0), side);
    mask higher = LESS(watch->most, y) & AT_MOST(side, all(0));
    watch->least = CHOOSE(lower, y, watch->least);
    watch->most = CHOOSE(higher, y, watch->most);
    watch->least_at = CHOOSE(lower, at, watch->least_at);
    watch->most_at = CHOOSE(higher, at, watch->most_at);
}

/* The extremes over all lanes. A lane that has none stands at an infinity. */
INLINE void watch_end(const struct watch *watches, size_t count, struct lanes_extremes *out)
{
    *out = (struct lanes_extremes){0, 0, INFINITY, -INFINITY};
    for (size_t w = 0; w < count; w++)
        for (size_t k = 0; k < WIDTH; k++) {
            const struct watch *watch = &watches[w];
            double least = watch->least[k], most = watch->most[k];
            size_t least_at = (size_t)watch->least_at[k], most_at = (size_t)watch->most_at[k];
            if (least < out->least || (least == out->least && least < INFINITY && least_at < out->least_at)) {
                out->least = least;
                out->least_at = least_at;
            }
            if (most > out->most || (most == out->most && most > -INFINITY && most_at < out->most_at)) {
                out->most = most;
                out->most_at = most_at;
            }
        }
}

INLINE vec first_indices(void)
{
    vec at;
    for (size_t k = 0; k < WIDTH; k++)
        at[k] = (double)k;
    return at;
}

/* Calls NEXT(j), which makes and returns the new vector of y from element j on, for all of them, watching in STREAMS
 * independent watches. */
#define STREAMS 2
#define WATCH_ALL(NEXT)                                                                       struct watch watches[STREAMS] = {watch_nothing(), watch_nothing()};                       vec at = first_indices();                                                                 size_t j = 0;                                                                             for (; j + STREAMS * WIDTH <= n; j += STREAMS * WIDTH)                                        for (size_t w = 0; w < STREAMS; w++) {                                                        watch_also(&watches[w], NEXT(j + w * WIDTH), get(side + j + w * WIDTH), at);              at += all(WIDTH);                                                                     }                                                                                     for (; j < n; j += WIDTH) {                                                                   watch_also(&watches[0], NEXT(j), get(side + j), at);                                      at += all(WIDTH);                                                                     }                                                                                         watch_end(watches, STREAMS, out)

static void extremes(size_t n, const double *side, const double *y, struct lanes_extremes *out)
{
#define NEXT(j) get(y + (j))
    WATCH_ALL(NEXT);
#undef NEXT
}

INLINE vec put_and_return(double *p, vec v)
{
    put(p, v);
    return v;
}

static void add_difference_extremes(size_t n, double a, const double *p, const double *q, const double *side, double *y,
                                    struct lanes_extremes *out)
{
#define NEXT(j) put_and_return(y + (j), get(y + (j)) + all(a) * (get(p + (j)) - get(q + (j))))
    WATCH_ALL(NEXT);
#undef NEXT
}

INLINE vec turn(size_t j, double keep, const double *p, const double *q, double *d)
{
    return put_and_return(d + j, all(keep) * get(d + j) + (get(p + j) - get(q + j)));
}

static void turn_extremes(size_t n, double keep, double a, const double *p, const double *q, const double *side, double *d,
                          double *y, struct lanes_extremes *out)
{
#define NEXT(j) put_and_return(y + (j), get(y + (j)) + all(a) * turn(j, keep, p, q, d))
    WATCH_ALL(NEXT);
#undef NEXT
}

static double partner_gain(const struct partner *partner, size_t j)
{
    double delta = partner->f[j] - partner->f_first;
    if (!(delta > 0 && partner->side[j] <= 0))
        return 0;
    double curvature = (partner->diagonal_first - partner->row[j]) + (partner->diagonal[j] - partner->row[j]);
    if (partner->q) {
        double along = partner->q_first - partner->q[j], lost = along * along * partner->scale;
        curvature = lost < (1 - PARTNER_LEAST_LEFT) * curvature ? curvature - lost : curvature;
    }
    return delta * delta / (curvature > 0 ? curvature : PARTNER_LEAST_CURVATURE);
}

/* Lanes from j on whose gain may be as large as the one that `limit` is a little below. delta^2 >= limit curvature is asked
 * instead of a quotient; what is added guards products below the least normal double. */
INLINE unsigned partner_candidates(const struct partner *partner, size_t j, double limit, const int conjugate)
{
    vec row = get(partner->row + j), delta = get(partner->f + j) - all(partner->f_first);
    vec curvature = (all(partner->diagonal_first) - row) + (get(partner->diagonal + j) - row);
    if (conjugate) {
        vec along = all(partner->q_first) - get(partner->q + j), lost = along * along * all(partner->scale);
        curvature = CHOOSE(LESS(lost, all(1 - PARTNER_LEAST_LEFT) * curvature), curvature - lost, curvature);
    }
    curvature = CHOOSE(LESS(all(0), curvature), curvature, all(PARTNER_LEAST_CURVATURE));
    mask may = LESS(all(0), delta) & AT_MOST(get(partner->side + j), all(0));
    return BITS(may & AT_MOST(all(limit) * curvature, delta * delta + all(1e-300)));
}

INLINE size_t partner_search(size_t n, const struct partner *partner, const int conjugate)
{
    const double little = 0x1p-50; /* more than the rounding of two products and a quotient */
    size_t best = partner->guess;
    double most = partner_gain(partner, best);
    most = most > 0 ? most : 0;
    for (size_t j = 0; j < n; j += WIDTH) {
        unsigned lanes = partner_candidates(partner, j, fmin(most, DBL_MAX) * (1 - little), conjugate);
        for (size_t k = j; lanes; k++, lanes >>= 1) {
            double gain = lanes & 1 ? partner_gain(partner, k) : 0;
            if (gain > most || (gain == most && gain > 0 && k < best)) {
                most = gain;
                best = k;
            }
        }
    }
    return best;
}

static size_t best_partner(size_t n, const struct partner *partner)
{
    return partner->q ? partner_search(n, partner, 1) : partner_search(n, partner, 0);
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
    .extremes = extremes,
    .add_difference_extremes = add_difference_extremes,
    .turn_extremes = turn_extremes,
    .best_partner = best_partner,
};
