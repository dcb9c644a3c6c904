/*
 * Shared by the sources that are compiled once per vector width: vectors of WIDTH doubles, masks, and the names of a
 * width's routines. LANES_NAME and the instruction set come from the Makefile.
 */
#ifndef HULLBENCH_SIMD_VECTOR_H
#define HULLBENCH_SIMD_VECTOR_H

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
typedef uint64_t vec_words __attribute__((vector_size(8 * WIDTH), may_alias)); /* for sums that may overflow */

/* Unrolls the following loop of constant length, so that its data stay in registers. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
/* Vectors that a loop keeps in registers at once. */
enum { BLOCK = 4 };

INLINE vec get(const double *p)
{
    return *(const vec *)(const void *)p;
}

/* The same for p on any boundary. */
typedef double unaligned_vec __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

INLINE vec get_any(const double *p)
{
    return *(const unaligned_vec *)(const void *)p;
}

typedef int64_t unaligned_bits __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

INLINE vec_bits get_any_bits(const void *p)
{
    return *(const unaligned_bits *)p;
}

INLINE void put_any(double *p, vec v)
{
    *(unaligned_vec *)(void *)p = v;
}

INLINE void put(double *p, vec v)
{
    *(vec *)(void *)p = v;
}

INLINE vec all(double a)
{
    return a - (vec){0};
}

/* The lanes for which a comparison holds, and operations on them. */
#if defined(__AVX512F__)
typedef __mmask8 mask;
#define LESS(a, b) _mm512_cmp_pd_mask((__m512d)(a), (__m512d)(b), _CMP_LT_OQ)
#define LESS_EQUAL(a, b) _mm512_cmp_pd_mask((__m512d)(a), (__m512d)(b), _CMP_LE_OQ)
#define EQUAL(a, b) _mm512_cmp_pd_mask((__m512d)(a), (__m512d)(b), _CMP_EQ_OQ)
#define SAME_BITS(a, b) _mm512_cmpeq_epi64_mask((__m512i)(a), (__m512i)(b))
#define BELOW(a, b) _mm512_cmplt_epi64_mask((__m512i)(a), (__m512i)(b))
#define CHOOSE(mask, a, b) ((vec)_mm512_mask_blend_pd(mask, (__m512d)(b), (__m512d)(a)))
#define NEGATE_IN(mask, a) ((vec)_mm512_mask_xor_pd((__m512d)(a), mask, (__m512d)(a), _mm512_set1_pd(-0.0)))
#define BITS(mask) ((unsigned)(mask))
#define MIN_IN(mask, a, b) ((vec)_mm512_mask_min_pd((__m512d)(b), mask, (__m512d)(a), (__m512d)(b)))
#define MAX_IN(mask, a, b) ((vec)_mm512_mask_max_pd((__m512d)(b), mask, (__m512d)(a), (__m512d)(b)))
#elif defined(__AVX2__)
typedef vec_bits mask;
#define LESS(a, b) ((a) < (b))
#define LESS_EQUAL(a, b) ((a) <= (b))
#define EQUAL(a, b) ((a) == (b))
#define SAME_BITS(a, b) ((vec_bits)(a) == (vec_bits)(b))
#define BELOW(a, b) ((a) < (b))
#define CHOOSE(mask, a, b) ((vec)_mm256_blendv_pd((__m256d)(b), (__m256d)(a), (__m256d)(mask)))
#define BITS(mask) ((unsigned)_mm256_movemask_pd((__m256d)(mask)))
#else
typedef vec_bits mask;
#define LESS(a, b) ((a) < (b))
#define LESS_EQUAL(a, b) ((a) <= (b))
#define EQUAL(a, b) ((a) == (b))
#define SAME_BITS(a, b) ((vec_bits)(a) == (vec_bits)(b))
#define BELOW(a, b) ((a) < (b))
#define CHOOSE(mask, a, b) ((vec)(((vec_bits)(a) & (mask)) | ((vec_bits)(b) & ~(mask))))
#if defined(__x86_64__)
#define BITS(mask) ((unsigned)_mm_movemask_pd((__m128d)(mask)))
#else
#define BITS(mask) ((unsigned)(((mask)[0] & 1) | ((mask)[1] & 2)))
#endif
#endif

#if !defined(__AVX512F__)
#define NEGATE_IN(mask, a) CHOOSE(mask, -(a), a)
#endif

/* a where it is less (greater) than b and the mask is set, else b; b where a is NaN. b must not be NaN. */
#if !defined(__AVX512F__)
#if defined(__AVX2__)
#define MIN_OF(a, b) ((vec)_mm256_min_pd((__m256d)(a), (__m256d)(b)))
#define MAX_OF(a, b) ((vec)_mm256_max_pd((__m256d)(a), (__m256d)(b)))
#elif defined(__x86_64__)
#define MIN_OF(a, b) ((vec)_mm_min_pd((__m128d)(a), (__m128d)(b)))
#define MAX_OF(a, b) ((vec)_mm_max_pd((__m128d)(a), (__m128d)(b)))
#else
#define MIN_OF(a, b) CHOOSE(LESS(a, b), a, b)
#define MAX_OF(a, b) CHOOSE(LESS(b, a), a, b)
#endif
#define MIN_IN(mask, a, b) MIN_OF(CHOOSE(mask, a, all((double)INFINITY)), b)
#define MAX_IN(mask, a, b) MAX_OF(CHOOSE(mask, a, all(-(double)INFINITY)), b)
#endif

/* The minimum (the maximum) over all lanes, none of them NaN. */
#if defined(__AVX512F__)
#define MIN_LANE(v) _mm512_reduce_min_pd((__m512d)(v))
#define MAX_LANE(v) _mm512_reduce_max_pd((__m512d)(v))
#else
INLINE double min_lane(vec v)
{
    double min = v[0];
UNROLL
    for (size_t k = 1; k < WIDTH; k++)
        min = v[k] < min ? v[k] : min;
    return min;
}
#define MIN_LANE(v) min_lane(v)
#define MAX_LANE(v) (-min_lane(-(v)))
#endif

#if !defined(__AVX512F__)
#if WIDTH == 4
#define MASKS(a, b) {0, 0, a, b}, {-1, 0, a, b}, {0, -1, a, b}, {-1, -1, a, b}
static const vec_bits masks_of_bits[16] = {MASKS(0, 0), MASKS(-1, 0), MASKS(0, -1), MASKS(-1, -1)};
#else
static const vec_bits masks_of_bits[4] = {{0, 0}, {-1, 0}, {0, -1}, {-1, -1}};
#endif
#endif

/* Adds up the eight partial sums. */
INLINE double sum_of_lanes(const vec *sum)
{
    double s[SIMD_LANES];
    for (size_t i = 0; i < SIMD_LANES; i++)
        s[i] = sum[i / WIDTH][i % WIDTH];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* The lanes, from element j on, whose elements are in a set; element j is bit j % 8 of byte j / 8. */
INLINE mask members_from(const unsigned char *set, size_t j)
{
#if defined(__AVX512F__)
    mask members; /* loads straight from memory: gcc would go through a general register, at the cost of a vector
                   * operation */
    __asm__("kmovb %1, %0" : "=k"(members) : "m"(set[j / 8]));
    return members;
#else
    return masks_of_bits[set[j / 8] >> j % 8 & ((1 << WIDTH) - 1)];
#endif
}

/* The name of a routine for this width: NAME_avx2 etc. */
#define OF_WIDTH(name) PASTE(name##_, LANES_NAME)

#endif
