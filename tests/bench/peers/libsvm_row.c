/*
 * The loop of the control, see libsvm_rows.h, as an ordinary engineer would write it. It is compiled with -O3
 * -march=native -ffast-math, so that the compiler vectorises it and takes exp from libmvec. Arithmetic is in double and
 * the value is stored in single precision, both as in LIBSVM. Blocks of columns stay in the L1 cache.
 */
#include <math.h>

#include "tests/bench/peers/libsvm_rows.h"

enum { BLOCK = 512 };

void libsvm_rows_row(size_t i, size_t first, size_t n, size_t dims, const double *restrict x, size_t stride,
                     double gamma, const signed char *restrict y, float *restrict row)
{
    double distance[BLOCK];
    for (size_t start = first; start < n; start += BLOCK) {
        size_t length = n - start < BLOCK ? n - start : BLOCK;
        for (size_t j = 0; j < length; j++)
            distance[j] = 0;
        for (size_t d = 0; d < dims; d++) {
            const double *column = x + d * stride;
            double own = column[i];
            for (size_t j = 0; j < length; j++) {
                double difference = own - column[start + j];
                distance[j] += difference * difference;
            }
        }
        for (size_t j = 0; j < length; j++)
            row[start + j] = (float)(y[i] * y[start + j] * exp(-gamma * distance[j]));
    }
}
