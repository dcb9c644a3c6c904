/* Selection of the vector width at run time. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/simd.h"

extern const struct simd simd_generic;
#if defined(__x86_64__)
extern const struct simd simd_avx2, simd_avx512;
#endif

const struct simd *simd_select(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    int wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    if (wide && (!name || strcmp(name, "avx512") == 0))
        return &simd_avx512;
    if (__builtin_cpu_supports("avx2") && (!name || strcmp(name, "avx2") == 0))
        return &simd_avx2;
#endif
    return !name || strcmp(name, "generic") == 0 ? &simd_generic : NULL;
}

double *simd_alloc(size_t count)
{
    size_t padded = simd_padded(count ? count : 1);
    if (padded < count || padded > SIZE_MAX / sizeof(double))
        return NULL;
    return aligned_alloc(SIMD_ALIGNMENT, padded * sizeof(double));
}

double *simd_doubles(size_t count)
{
    double *doubles = simd_alloc(count);
    if (doubles)
        memset(doubles, 0, simd_padded(count ? count : 1) * sizeof(double));
    return doubles;
}
