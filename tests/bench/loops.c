/*
 * The loops in which all heavy work is done, against the memory bandwidth.
 *
 *   row-sum       the sum of kernel rows in mu-gsk against memcpy of the same bytes
 *   exp           the project's exp against libm's
 *   generic/best  the sum of rows and exp with the widest vectors of this processor against the portable code
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"

enum { ROWS = 64, LENGTH = 1024, PASSES = 20 };

struct loop {
    const struct simd *simd;
    double *matrix, *out;
};

static void sum_rows(void *context)
{
    const struct loop *loop = context;
    const double *rows[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = loop->matrix + i * LENGTH;
    for (int p = 0; p < PASSES; p++)
        loop->simd->row_sum(LENGTH, rows, ROWS, loop->out);
}

static void copy_rows(void *context)
{
    const struct loop *loop = context;
    for (int p = 0; p < PASSES; p++)
        for (size_t i = 0; i < ROWS; i++) {
            memcpy(loop->out, loop->matrix + i * LENGTH, LENGTH * sizeof(double));
            __asm__ volatile("" : : "r"(loop->out) : "memory");
        }
}

static void exps(void *context)
{
    const struct loop *loop = context;
    for (size_t i = 0; i < ROWS; i++)
        loop->simd->exp_negative(LENGTH, loop->matrix + i * LENGTH, 3, loop->out);
}

static void libm_exps(void *context)
{
    const struct loop *loop = context;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < LENGTH; j++)
            loop->out[j] = exp(-loop->matrix[i * LENGTH + j] / 3);
        __asm__ volatile("" : : "r"(loop->out) : "memory");
    }
}

static void compare(cJSON *list, const char *name, const char *other_name, struct runner ours, struct runner other)
{
    struct runner runners[2] = {ours, other};
    size_t rounds = bench_rounds(runners, 2, 1);
    struct ratio ratio = bench_ratio(runners[0].seconds, runners[1].seconds, rounds);
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddStringToObject(item, "against", other_name);
    cJSON_AddNumberToObject(item, "median", ratio.median);
    cJSON_AddNumberToObject(item, "least", ratio.min);
    cJSON_AddNumberToObject(item, "most", ratio.max);
    printf("  %-34s %-26s %7.2f (%.2f to %.2f)\n", name, other_name, ratio.median, ratio.min, ratio.max);
}

void bench_loops(struct bench *bench)
{
    double *matrix = simd_doubles(ROWS * LENGTH), *out = simd_doubles(LENGTH);
    if (!matrix || !out)
        exit(4);
    for (size_t i = 0; i < (size_t)ROWS * LENGTH; i++)
        matrix[i] = (double)(i % 997) / 100;
    struct loop best = {bench->best, matrix, out}, generic = {bench->generic, matrix, out};
    cJSON *list = cJSON_AddArrayToObject(bench->report, "loops");
    printf("\nloops (%s)\n  %-34s %-26s times faster\n", bench->best->name, "ours", "against");
    struct runner sum = {.work = sum_rows, .context = &best}, copy = {.work = copy_rows, .context = &best};
    struct runner fast = {.work = exps, .context = &best}, libm = {.work = libm_exps, .context = &best};
    struct runner portable_sum = {.work = sum_rows, .context = &generic};
    struct runner portable_exp = {.work = exps, .context = &generic};
    compare(list, "sum of 64 rows", "memcpy of the rows", sum, copy);
    compare(list, "exp", "libm's", fast, libm);
    compare(list, "sum of 64 rows, widest vectors", "portable code", sum, portable_sum);
    compare(list, "exp, widest vectors", "portable code", fast, portable_exp);
    free(matrix);
    free(out);
}
