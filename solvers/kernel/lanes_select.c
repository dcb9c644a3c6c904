/* Choosing a vector width at run time. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/lanes.h"

extern const struct lanes lanes_generic;
#if defined(__x86_64__)
extern const struct lanes lanes_avx2, lanes_avx512;
#endif

const struct lanes *lanes_select(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    int wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    if (wide && (!name || strcmp(name, "avx512") == 0))
        return &lanes_avx512;
    if (__builtin_cpu_supports("avx2") && (!name || strcmp(name, "avx2") == 0))
        return &lanes_avx2;
#endif
    return !name || strcmp(name, "generic") == 0 ? &lanes_generic : NULL;
}

double *lanes_room(size_t count)
{
    size_t padded = lanes_padded(count ? count : 1);
    if (padded < count || padded > SIZE_MAX / sizeof(double))
        return NULL;
    return aligned_alloc(LANES_ALIGNMENT, padded * sizeof(double));
}

double *lanes_doubles(size_t count)
{
    double *doubles = lanes_room(count);
    if (doubles)
        memset(doubles, 0, lanes_padded(count ? count : 1) * sizeof(double));
    return doubles;
}
