/*
 * Which solver `--solver auto` takes. Compared is processor time of the whole process `hullbench solve --jobs 1` until
 * the relative duality gap is 1e-3 (tests/bench/measure_auto.py), on a loaded machine, medians of at least three rounds
 * in turn.
 *
 * C-SVC. A step of overshooting-smo is cheap; a step of packed-smo costs more, but conjugate directions save most steps
 * where few directions matter, and packing saves most of each step where rows are many. So the rule counts dimensions
 * of the kernel's feature space. Times in units of the fastest of the three, problems that take it 0.03 s or more; N =
 * 1000 to 8000, C = 0.1 to 1000; geometric mean and largest, and how many are within 1.3:
 *
 *                                          problems      packed-smo       overshooting-smo        1-smo
 *     linear, polynomial, fewer than 50       20       1.10  1.73  17      1.30  2.91  12      1.68  5.78   6
 *     linear, polynomial, 50 or more          28       1.36  4.34  18      1.04  1.34  27      1.19  2.20  21
 *     rbf, fewer than 10 features              5       1.00  1.00   5      1.29  1.90   3      2.13  2.92   0
 *     rbf, 10 features or more                36       1.35  2.59  19      1.09  2.06  32      1.17  2.07  28
 *
 * Means and largest leave out what was stopped, after twice the fastest's time and 1 s more, or after 1.6 to 4 s:
 * two runs of overshooting-smo and two of 1-smo in the first row, one of packed-smo in the second, one of 1-smo in the
 * third.
 *
 * In up to four rounds on 56 such problems, second-order-smo, packed-second-order-smo, planning-ahead-smo and
 * maximum-gain-smo led no group in the geometric mean by more than 1 %. conjugate-smo without shrinking took 0.83 and
 * 1.03 times packed-smo's time on 12 problems of few dimensions. There packed-smo always ran first, on a file not yet
 * in memory, so this is not settled. Above 8000 rows the kernel matrix does not fit into the default memory, and
 * packed-smo leads: with rbf, N = 20000, C = 0.01 to 100, it took 1.13 times the time of the fastest of four in the
 * geometric mean, 1.39 at most; second-order-smo, whose steps cost what those of overshooting-smo do, 1.42 and 3.18.
 *
 * On ten problems held out (docs/own-data.md), all of the rule's choices are within 1.17 of the fastest of nine
 * solvers, by medians on a machine at rest. On a loaded one two were not within 1.3, the aim for nine: 1.53 (linear,
 * 20 features, N = 7400, C = 0.1) and 1.38 (polynomial, 10 features, N = 2000, C = 1000).
 *
 * nu-SVC. Hulls with mu = 2 / (nu N), gap 1e-3 |W|^2 or relative gap 1e-3, 47 problems of N = 2000 to 20000 and nu =
 * 0.05 to 0.6, before there were conjugate-clip-mdm, interior-point, wolfe-mnp and projected-gradient: cycle-clip-mdm
 * took 1.02 times the time of the faster of it and minkowski-clip-mdm in the geometric mean, 1.66 at most, and
 * minkowski-clip-mdm 1.26 and 4.12. mu-gsk was up to 1.5 times as fast where nu is large, and more than 5 times as slow
 * where it is small.
 */
#include "harness/evaluate/choose_solver.h"

/* Break-even of packed-smo and overshooting-smo: dimensions of the feature space of linear and polynomial kernels;
 * features for rbf, whose space has no end of dimensions. */
static const double many_dimensions = 50;
static const size_t many_features_of_rbf = 10;
/* Rows of kernel values, 8 N bytes each, that fit into the default 512 MB. */
static const size_t rows_in_memory = 8000;

/* The feature space of a polynomial kernel with an offset is spanned by the monomials of degree up to `degree`: there
 * are (features + degree)! / (features! degree!). */
static int has_many_monomials(size_t features, double degree)
{
    double count = 1;
    for (unsigned k = 1; features > 0 && k <= degree && count < many_dimensions; k++)
        count *= ((double)features + k) / k;
    return count >= many_dimensions;
}

static int has_many_dimensions(const struct problem_shape *shape)
{
    switch (shape->kernel) {
    case KERNEL_LINEAR:
        return (double)shape->features >= many_dimensions;
    case KERNEL_POLYNOMIAL:
        return has_many_monomials(shape->features, shape->degree);
    case KERNEL_RBF:
        return shape->features >= many_features_of_rbf;
    default:
        return 0; /* not measured */
    }
}

struct solver_choice choose_solver(const struct problem_shape *shape)
{
    if (shape->is_nu_svc)
        return (struct solver_choice){"cycle-clip-mdm",
                                      "of the solvers of reduced hulls the fastest on most files measured"};
    if (has_many_dimensions(shape) && shape->rows <= rows_in_memory)
        return (struct solver_choice){"overshooting-smo",
                                      "cheap iterations, for a kernel of many dimensions and rows that fit in memory"};
    if (shape->without_shrinking)
        return (struct solver_choice){"second-order-smo", "it does not shrink (-h 0)"};
    if (shape->rows > rows_in_memory)
        return (struct solver_choice){"packed-smo", "it packs the rows still in question, for many rows"};
    return (struct solver_choice){"packed-smo", "conjugate steps, for a kernel of few dimensions"};
}
