/*
 * Which solver `--solver auto` takes. Processor time of the whole process `hullbench solve --jobs 1` on drawn files
 * (tests/bench/measure_auto.py), until the relative duality gap is 1e-3, in units of the fastest of these solvers;
 * medians of up to three rounds in turn on a loaded machine:
 *
 *                                              packed-smo  packed-second-  second-order-  1-smo
 *                                                          order-smo       smo
 *     rbf, N = 2000, 5 shapes, C = 0.01 .. 100    1.09        1.13            1.10        1.09   geometric mean
 *     rbf, N = 20000, 3 shapes, C = 0.01 .. 100   1.16        1.13            1.45        1.48
 *     linear, 10 features, N = 2000, C = 10       1.00        2.38            1.82        1.94
 *     linear, 10 features, N = 2000, C = 100      1.00        6.23            6.60        6.51
 *     linear, 20 features, N = 2000, C = 100      1.00        1.83            3.15        2.55
 *     linear, 300 features, N = 2000, C = 10      1.76        1.24            1.23        1.00
 *     linear, 300 features, N = 2000, C = 100     3.40        1.88            1.54        1.00
 *
 * So packed-smo is near the best with rbf kernels, and ahead of the others with a linear kernel of few features, where
 * iterations are many and conjugate steps save most of them. They save none with a linear kernel of many features:
 * there 1-smo's cheap iterations win, as long as the kernel matrix is in memory. svm-light and conjugate-smo were up
 * to 31 and 13 times slower than the best at 5000 patterns, and never the fastest there.
 *
 * The nu-SVC, hulls with mu = 2 / (nu N), rbf and linear, N = 2000, three values of nu, the rule gap-sum-w2 at 1e-3:
 * cycle-clip-mdm took 1.00 to 1.46 times the time of the fastest, minkowski-clip-mdm 1.00 to 1.69,
 * second-order-clip-mdm 1.15 to 2.70. mu-gsk is 1.2 to 1.5 times as fast as cycle-clip-mdm where nu is large, and up to
 * 60 times as slow where it is small.
 */
#include "harness/evaluate/choose_solver.h"

/* A linear kernel of 22 features is of the first kind above, of 200 and 300 of the second; between them lies this. */
static const size_t many_features = 100;
/* Rows of kernel values, 8 N bytes each, that fit into the default 512 MB. */
static const size_t rows_in_memory = 8000;

struct solver_choice choose_solver(const struct problem_shape *shape)
{
    const int is_wide = shape->kernel == KERNEL_LINEAR && shape->features >= many_features;
    if (shape->is_nu_svc)
        return (struct solver_choice){"cycle-clip-mdm",
                                      "of the solvers of reduced hulls the fastest, or within half of it"};
    if (is_wide && shape->rows <= rows_in_memory)
        return (struct solver_choice){"1-smo", "fastest with a linear kernel of 100 features or more, up to 8000 rows"};
    if (shape->without_shrinking)
        return (struct solver_choice){"second-order-smo", "fastest of those that do not shrink (-h 0)"};
    if (shape->kernel == KERNEL_LINEAR)
        return (struct solver_choice){"packed-smo", "fastest with a linear kernel of few features or many rows"};
    return (struct solver_choice){"packed-smo", "within a third of the fastest"};
}
