/*
 * The rule behind `--solver auto`. It rests on the CPU time of the whole process `hullbench solve --jobs 1` up to a
 * relative duality gap of 1e-3 (tests/bench/measure_auto.py), on a loaded machine, as medians of at least three
 * interleaved rounds.
 *
 * C-SVC, kernels of low rank. low-rank-interior-point takes some 15 iterations of N r^2 / 2 multiplications, whatever
 * C and the sizes of the features are, on which the pair methods depend most. The rule was made on 69 problems of
 * `--low-rank`, N = 250 to 4000, C = 0.01 to 1000 (seeds 1 and 2). Its ratios to the solver that was taken before, on
 * the 39 held-out problems of other shapes (fields, onehot, correlated, rings; seed 4) for which it takes it: 0.78 in
 * the geometric mean of the 30 that both solve, 1.40 at most (0.014 s for 0.010 s), 5 above 1.1. The other 9 the solver
 * before did not finish in 2 s; low-rank-interior-point took 0.02 to 0.19 s. An earlier draw of these shapes (seed 3)
 * had shown a ratio of 15, on equal rows that all became support vectors, which led to step 4 of low_rank_point.c. With
 * 20000 rows, 20 and 90 features and C = 0.01 to 100 it took 0.34 to 2.2 s, packed-smo 1.05 to over 12 s.
 *
 * C-SVC, other kernels. A step of overshooting-smo is cheap. A step of packed-smo costs more, but conjugate directions
 * save most steps if few directions matter, and packing saves most of each step if there are many rows. So the rule
 * counts dimensions of the kernel's feature space. Times are relative to the fastest of the three solvers, on problems
 * that take it at least 0.03 s; N = 1000 to 8000, C = 0.1 to 1000. Each solver has the geometric mean, the largest
 * ratio, and the number of ratios within 1.3:
 *
 *                                          problems      packed-smo       overshooting-smo        1-smo
 *     linear, polynomial, 50 or more          28       1.36  4.34  18      1.04  1.34  27      1.19  2.20  21
 *     rbf, fewer than 10 features              5       1.00  1.00   5      1.29  1.90   3      2.13  2.92   0
 *     rbf, 10 features or more                36       1.35  2.59  19      1.09  2.06  32      1.17  2.07  28
 *
 * Runs that were stopped, after twice the fastest time plus 1 s or after 1.6 to 4 s, count for neither mean nor largest
 * ratio: six in all. Above 8000 rows the kernel matrix does not fit into the default memory, and packed-smo leads: with
 * rbf, N = 20000, C = 0.01 to 100, it took 1.13 times the time of the fastest of four solvers in the geometric mean,
 * 1.39 at most; second-order-smo took 1.42 and 3.18 times. docs/own-data.md has problems that the rule was not made
 * from.
 *
 * nu-SVC. Relative gap 1e-3, one round on a loaded machine, user time, 19 problems of N = 200 to 20000 and nu = 0.005
 * to 0.5: packed-clip-mdm took 0.11 to 0.94 times the time of cycle-clip-mdm on the nine where that needs more than
 * 10000 iterations, up to 8.8 s, and 0.9 to 1.6 times on the others, at most 1.7 s (5 ms more with 200 rows).
 * cycle-clip-mdm, which does not shrink, took 1.02 times the time of the
 * faster of itself and minkowski-clip-mdm in the geometric mean of 47 problems, 1.66 at most.
 */
#include "harness/solve/solve_options.h"

#include <math.h>

#include "harness/evaluate/stopping.h"

/* Break-even of packed-smo and overshooting-smo: dimensions of the feature space for linear and polynomial kernels;
 * features for rbf, whose feature space has infinitely many dimensions. */
static const double many_dimensions = 50;
static const size_t many_features_of_rbf = 10;
/* Number of rows of the kernel matrix, 8 N bytes each, that fit into the default 512 MB. */
static const size_t rows_in_memory = 8000;
/* Up to this rank of the kernel matrix, low-rank-interior-point; for a large C and many rows, up to the other. */
static const double max_rank = 100, max_rank_of_large_c = 300, large_c = 10, rows_per_rank = 4;

/* The dimensions of the feature space, up to `most`. The monomials of degree up to `degree` span that of a polynomial
 * kernel with an offset. Their number is (features + degree)! / (features! degree!). Other kernels were not
 * measured. */
static double dimensions_of(const struct problem_shape *shape, double most)
{
    const double features = (double)shape->features;
    double count = 1;
    if (shape->kernel == KERNEL_LINEAR)
        return fmin(features, most);
    if (shape->kernel == KERNEL_POLYNOMIAL)
        for (unsigned k = 1; features > 0 && k <= shape->degree && count < most; k++)
            count *= (features + k) / k;
    return fmin(count, most);
}

static int has_many_dimensions(const struct problem_shape *shape)
{
    return dimensions_of(shape, many_dimensions) >= many_dimensions ||
           (shape->kernel == KERNEL_RBF && shape->features >= many_features_of_rbf);
}

/* The largest rank of the kernel matrix, without the constant monomial, if low-rank-interior-point is to be taken;
 * else 0. */
static size_t low_rank(const struct problem_shape *shape)
{
    const int is_linear = shape->kernel == KERNEL_LINEAR;
    const double rank = dimensions_of(shape, 2 * max_rank_of_large_c) - !is_linear;
    const int is_low = rank >= 1 && (rank <= max_rank || (rank <= max_rank_of_large_c && shape->c >= large_c &&
                                                         (double)shape->rows >= rows_per_rank * rank));
    if (!is_low || (!is_linear && !(shape->kernel == KERNEL_POLYNOMIAL && shape->offset >= 0)) ||
        (shape->rule && !stop_rule_fits(stop_rule_find(shape->rule), solver_find("low-rank-interior-point"))))
        return 0;
    return (size_t)rank;
}

struct solver_choice choose_solver(const struct problem_shape *shape)
{
    if (shape->is_nu_svc && shape->without_shrinking)
        return (struct solver_choice){"cycle-clip-mdm", "it does not shrink (-h 0)", 0};
    if (shape->is_nu_svc)
        return (struct solver_choice){"packed-clip-mdm", "conjugate steps, on the rows that are still active", 0};
    const size_t rank = low_rank(shape);
    if (rank > 0)
        return (struct solver_choice){"low-rank-interior-point",
                                      "interior-point steps on a factor, for a kernel matrix of low rank", rank};
    if (has_many_dimensions(shape) && shape->rows <= rows_in_memory)
        return (struct solver_choice){
            "overshooting-smo", "cheap iterations, for a kernel of many dimensions and rows that fit in memory", 0};
    if (shape->without_shrinking)
        return (struct solver_choice){"second-order-smo", "it does not shrink (-h 0)", 0};
    if (shape->rows > rows_in_memory)
        return (struct solver_choice){"packed-smo", "it packs the rows that are still active, for many rows", 0};
    return (struct solver_choice){"packed-smo", "conjugate steps, for a kernel of few dimensions", 0};
}
