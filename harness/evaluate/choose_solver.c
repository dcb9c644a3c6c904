/*
 * Which solver `--solver auto` takes. Processor time of the whole process `hullbench solve --jobs 1` on drawn files
 * (tests/bench/measure_auto.py), until the relative duality gap is 1e-3, in units of the fastest of these solvers;
 * medians of up to three rounds in turn on a loaded machine:
 *
 *                                              packed-smo  packed-second-  second-order-  1-smo
 *                                                          order-smo       smo
 *     rbf, N = 2000, 6 shapes, C = 0.01 .. 100    1.09        1.13            1.12        1.09   geometric mean
 *                                                 1.54        1.58            1.71        1.93   largest
 *     rbf, N = 20000, 4 shapes, C = 0.01 .. 100   1.13        1.12            1.42        > 1.7  geometric mean
 *                                                 1.39        1.41            3.18        7.28   largest
 *     linear, 10 features, N = 2000, C = 10       1.00        2.38            1.82        1.94
 *     linear, 10 features, N = 2000, C = 100      1.00        6.23            6.60        6.51
 *     linear, 20 features, N = 2000, C = 100      1.00        1.83            3.15        2.55
 *     linear, 200 features, N = 2000, C = 1       1.51        1.30            1.39        1.00
 *     linear, 300 features, N = 2000, C = 10      1.76        1.24            1.23        1.00
 *     linear, 300 features, N = 2000, C = 100     3.40        1.88            1.54        1.00
 *     linear, 300 features, N = 5000, C = 1       1.15        1.00            1.17        1.12
 *
 * So packed-smo is near the best with rbf kernels, and ahead of the others with a linear kernel of few features, where
 * iterations are many and conjugate steps save most of them. They save little with a linear kernel of many features:
 * there the cheap iterations of 1-smo win, as long as the kernel matrix is in memory. In a first round, N = 5000, rule
 * kkt at 1e-3, svm-light and conjugate-smo were never the fastest, and up to 31 and 13 times slower than that.
 *
 * The rule was then tested on problems that it was not made from: other seeds, sets of the benchmark, a8a, w8a and a
 * text set, C = 0.1 to 100, one round each. Time of the solver that the rule chooses, in units of the fastest of the
 * four, on those problems where the fastest took 0.05 s or more:
 *
 *                                                            problems  geometric mean  largest
 *     linear, 4 to 199, 300 and 50 000 features                 28         1.05          1.42
 *     polynomial, degree 2 and 3, 20 to 60 features              8         1.25          1.60
 *     rbf                                                       12         1.13          1.39
 *
 * With a polynomial kernel 1-smo is often the fastest, but takes 1.6 times packed-smo's time on waveform at C = 100.
 * A linear problem of 100 features at C = 100, which none of the four solved in 12 s, is not among them.
 *
 * The nu-SVC, hulls with mu = 2 / (nu N), gap 1e-3 |W|^2 or relative gap 1e-3, 47 problems of N = 2000 to 20000 and
 * nu = 0.05 to 0.6: cycle-clip-mdm took 1.02 times the time of the faster of it and minkowski-clip-mdm in the geometric
 * mean, 1.66 at most, and minkowski-clip-mdm 1.26 and 4.12. second-order-clip-mdm took 1.15 to 2.70 times the time of
 * the fastest of four. mu-gsk was up to 1.5 times as fast as cycle-clip-mdm where nu is large, and more than 5 times as
 * slow where it is small. All of them started at the barycentres then; cycle-clip-mdm now starts at 1/mu patterns a
 * class, which takes from 1.04 times to a seventh of its time before (docs/own-data.md).
 */
#include "harness/evaluate/choose_solver.h"

/* Above, linear kernels of 10 and 20 features favour packed-smo, most of 200 and 300 1-smo. This lies between. */
static const size_t many_features = 100;
/* Rows of kernel values, 8 N bytes each, that fit into the default 512 MB. */
static const size_t rows_in_memory = 8000;

struct solver_choice choose_solver(const struct problem_shape *shape)
{
    const int is_wide = shape->kernel == KERNEL_LINEAR && shape->features >= many_features;
    if (shape->is_nu_svc)
        return (struct solver_choice){"cycle-clip-mdm",
                                      "of the solvers of reduced hulls the fastest on most files measured"};
    if (is_wide && shape->rows <= rows_in_memory)
        return (struct solver_choice){"1-smo",
                                      "the cheapest iterations, for a linear kernel of 100 features or more"};
    if (shape->without_shrinking)
        return (struct solver_choice){"second-order-smo", "it does not shrink (-h 0)"};
    if (shape->kernel == KERNEL_LINEAR)
        return (struct solver_choice){"packed-smo", "conjugate steps, for a linear kernel of few features"};
    return (struct solver_choice){"packed-smo", "the fastest, or near it, on all files measured"};
}
