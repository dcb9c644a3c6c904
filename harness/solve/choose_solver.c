/*
 * The rule behind `--solver auto`. It rests on the CPU time of the whole process `hullbench solve --jobs 1` up to a
 * relative duality gap of 1e-3 (tests/bench/measure_auto.py), on a loaded machine, as medians of at least three
 * interleaved rounds.
 *
 * C-SVC. A step of overshooting-smo is cheap. A step of packed-smo costs more, but conjugate directions save most steps
 * if few directions matter, and packing saves most of each step if there are many rows. So the rule counts dimensions
 * of the kernel's feature space. Times are relative to the fastest of the three solvers, on problems that take it at
 * least 0.03 s; N = 1000 to 8000, C = 0.1 to 1000. Each solver has the geometric mean, the largest ratio, and the
 * number of ratios within 1.3:
 *
 *                                          problems      packed-smo       overshooting-smo        1-smo
 *     linear, polynomial, fewer than 50       20       1.10  1.73  17      1.30  2.91  12      1.68  5.78   6
 *     linear, polynomial, 50 or more          28       1.36  4.34  18      1.04  1.34  27      1.19  2.20  21
 *     rbf, fewer than 10 features              5       1.00  1.00   5      1.29  1.90   3      2.13  2.92   0
 *     rbf, 10 features or more                36       1.35  2.59  19      1.09  2.06  32      1.17  2.07  28
 *
 * Runs that were stopped, after twice the fastest time plus 1 s or after 1.6 to 4 s, count for neither mean nor largest
 * ratio: six in all. Four more SMO variants led no group in the geometric mean by more than 1 %. Above 8000 rows the
 * kernel matrix does not fit into the default memory, and packed-smo leads: with rbf, N = 20000, C = 0.01 to 100, it
 * took 1.13 times the time of the fastest of four solvers in the geometric mean, and 1.39 at most. second-order-smo,
 * whose steps cost the same as those of overshooting-smo, took 1.42 and 3.18 times. docs/own-data.md has problems that
 * the rule was not made from.
 *
 * nu-SVC. Relative gap 1e-3, on a loaded machine, 16 problems of N = 200 to 20000 and nu = 0.01 to 0.6: packed-clip-mdm
 * took 0.11 to 1.0 times the time of cycle-clip-mdm where that needed more than 10000 steps (nu up to 0.2, and noisy
 * data at 0.5), and 0.9 to 1.35 times elsewhere. cycle-clip-mdm, which does not shrink, took 1.02 times the time of the
 * faster of itself and minkowski-clip-mdm in the geometric mean of 47 problems, 1.66 at most.
 */
#include "harness/solve/solve_options.h"

/* Break-even of packed-smo and overshooting-smo: dimensions of the feature space for linear and polynomial kernels;
 * features for rbf, whose feature space has infinitely many dimensions. */
static const double many_dimensions = 50;
static const size_t many_features_of_rbf = 10;
/* Number of rows of the kernel matrix, 8 N bytes each, that fit into the default 512 MB. */
static const size_t rows_in_memory = 8000;

/* The monomials of degree up to `degree` span the feature space of a polynomial kernel with an offset. Their number is
 * (features + degree)! / (features! degree!). Other kernels were not measured. */
static int has_many_dimensions(const struct problem_shape *shape)
{
    const double features = (double)shape->features;
    double count = 1;
    if (shape->kernel == KERNEL_LINEAR)
        return features >= many_dimensions;
    if (shape->kernel == KERNEL_POLYNOMIAL)
        for (unsigned k = 1; features > 0 && k <= shape->degree && count < many_dimensions; k++)
            count *= (features + k) / k;
    return count >= many_dimensions || (shape->kernel == KERNEL_RBF && shape->features >= many_features_of_rbf);
}

struct solver_choice choose_solver(const struct problem_shape *shape)
{
    if (shape->is_nu_svc && shape->without_shrinking)
        return (struct solver_choice){"cycle-clip-mdm", "it does not shrink (-h 0)"};
    if (shape->is_nu_svc)
        return (struct solver_choice){"packed-clip-mdm", "conjugate steps, on the rows that are still active"};
    if (has_many_dimensions(shape) && shape->rows <= rows_in_memory)
        return (struct solver_choice){"overshooting-smo",
                                      "cheap iterations, for a kernel of many dimensions and rows that fit in memory"};
    if (shape->without_shrinking)
        return (struct solver_choice){"second-order-smo", "it does not shrink (-h 0)"};
    if (shape->rows > rows_in_memory)
        return (struct solver_choice){"packed-smo", "it packs the rows that are still active, for many rows"};
    return (struct solver_choice){"packed-smo", "conjugate steps, for a kernel of few dimensions"};
}
