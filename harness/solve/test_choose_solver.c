/* The choice of a solver by the problem's shape: both sides of each limit, and requirements on every choice. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "harness/solve/solve_options.h"
#include "solvers/parameters.h"
#include "solvers/registry.h"

static const struct problem_shape plain = {
    .rows = 5000, .features = 20, .kernel = KERNEL_RBF, .c = 1};

static struct problem_shape linear(size_t rows, size_t features)
{
    struct problem_shape shape = plain;
    shape.kernel = KERNEL_LINEAR;
    shape.rows = rows;
    shape.features = features;
    return shape;
}

static void assert_takes(const char *name, const struct problem_shape *shape)
{
    assert_string_equal(choose_solver(shape).solver, name);
}

static void kernels_of_low_rank_take_the_interior_point_method(void **state)
{
    (void)state;
    static const struct {
        enum kernel_type kernel;
        size_t rows, features;
        double degree, offset, c;
        size_t rank; /* 0: another solver is taken */
    } cases[] = {
        {KERNEL_LINEAR, 2, 1, 0, 0, 1, 1},
        {KERNEL_LINEAR, 50000, 100, 0, 0, 0.01, 100},
        {KERNEL_LINEAR, 50000, 101, 0, 0, 9.9, 0},
        {KERNEL_LINEAR, 1200, 300, 0, 0, 10, 300},
        {KERNEL_LINEAR, 1199, 300, 0, 0, 10, 0},
        {KERNEL_LINEAR, 50000, 301, 0, 0, 1e6, 0},
        {KERNEL_LINEAR, 0, 0, 0, 0, 1, 0},
        {KERNEL_POLYNOMIAL, 1000, 12, 2, 0, 1, 90},   /* 91 monomials, of which one is constant */
        {KERNEL_POLYNOMIAL, 1000, 13, 2, 0, 1, 0},    /* 105 */
        {KERNEL_POLYNOMIAL, 1000, 13, 2, 1, 10, 104},
        {KERNEL_POLYNOMIAL, 1000, 6, 3, 0.5, 1, 83},  /* 84 */
        {KERNEL_POLYNOMIAL, 1000, 6, 3, -0.5, 1, 0},  /* not positive semidefinite */
        {KERNEL_POLYNOMIAL, 1000, 0, 3, 1, 1, 0},
        {KERNEL_POLYNOMIAL, 1000, 1000, -1, 0, 1, 0}, /* such degrees are rejected later */
        {KERNEL_POLYNOMIAL, 1000, 1000, NAN, 0, 1, 0},
        {KERNEL_POLYNOMIAL, 1000, 1000, 1e300, 0, 1, 0},
        {KERNEL_RBF, 1000, 2, 0, 0, 1, 0},
        {KERNEL_PRECOMPUTED, 1000, 2, 0, 0, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct problem_shape shape = plain;
        shape.kernel = cases[i].kernel;
        shape.rows = cases[i].rows;
        shape.features = cases[i].features;
        shape.degree = cases[i].degree;
        shape.offset = cases[i].offset;
        shape.c = cases[i].c;
        const struct solver_choice choice = choose_solver(&shape);
        const int is_low = strcmp(choice.solver, "low-rank-interior-point") == 0;
        if (is_low != (cases[i].rank > 0) || choice.max_rank != cases[i].rank)
            fail_msg("case %zu: %s, rank %zu", i, choice.solver, choice.max_rank);
        shape.rule = "dual-change"; /* which that solver does not have */
        assert_string_not_equal(choose_solver(&shape).solver, "low-rank-interior-point");
        shape.rule = "kkt";
        assert_string_equal(choose_solver(&shape).solver, choice.solver);
    }
}

static void kernels_of_many_dimensions_take_overshooting_smo_while_the_matrix_is_in_memory(void **state)
{
    (void)state;
    static const struct {
        enum kernel_type kernel;
        size_t rows, features;
        double degree;
        const char *solver;
    } cases[] = {
        {KERNEL_LINEAR, 8000, 50, 0, "overshooting-smo"},
        {KERNEL_LINEAR, 8000, 49, 0, "packed-smo"},
        {KERNEL_LINEAR, 8001, 50, 0, "packed-smo"},
        {KERNEL_LINEAR, 2, 50000, 0, "overshooting-smo"},
        {KERNEL_LINEAR, 0, 0, 0, "packed-smo"},
        {KERNEL_RBF, 8000, 10, 0, "overshooting-smo"},
        {KERNEL_RBF, 8000, 9, 0, "packed-smo"},
        {KERNEL_RBF, 8001, 10, 0, "packed-smo"},
        {KERNEL_POLYNOMIAL, 8000, 8, 2, "packed-smo"},       /* 45 monomials */
        {KERNEL_POLYNOMIAL, 8000, 9, 2, "overshooting-smo"}, /* 55 monomials */
        {KERNEL_POLYNOMIAL, 8001, 9, 2, "packed-smo"},
        {KERNEL_POLYNOMIAL, 8000, 4, 3, "packed-smo"},       /* 35 monomials */
        {KERNEL_POLYNOMIAL, 8000, 5, 3, "overshooting-smo"}, /* 56 monomials */
        {KERNEL_POLYNOMIAL, 8000, 48, 1, "packed-smo"},      /* 49 monomials */
        {KERNEL_POLYNOMIAL, 8000, 49, 1, "overshooting-smo"}, /* 50 monomials */
        {KERNEL_POLYNOMIAL, 8000, 1, 48, "packed-smo"},      /* 49 monomials */
        {KERNEL_POLYNOMIAL, 8000, 1, 49, "overshooting-smo"}, /* 50 monomials */
        {KERNEL_POLYNOMIAL, 100, 0, 1e300, "packed-smo"},    /* 1; such a degree is rejected later */
        {KERNEL_POLYNOMIAL, 100, 1000, -1, "packed-smo"},
        {KERNEL_POLYNOMIAL, 100, 1000, NAN, "packed-smo"},
        {KERNEL_POLYNOMIAL, 100, 1000, 1e300, "overshooting-smo"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct problem_shape shape = plain;
        shape.kernel = cases[i].kernel;
        shape.rows = cases[i].rows;
        shape.features = cases[i].features;
        shape.degree = cases[i].degree;
        shape.rule = "dual-change"; /* so that the interior-point method is not taken */
        assert_takes(cases[i].solver, &shape);
    }
}

static void kernels_that_were_not_measured_take_packed_smo(void **state)
{
    (void)state;
    static const enum kernel_type kernels[] = {KERNEL_PRECOMPUTED, KERNEL_OF_PLUGIN};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct problem_shape shape = linear(1000, 50000);
        shape.kernel = kernels[i];
        assert_takes("packed-smo", &shape);
    }
}

static void without_shrinking_no_packing_solver_is_taken(void **state)
{
    (void)state;
    struct problem_shape shape = plain;
    shape.without_shrinking = 1;
    shape.features = 9;
    assert_takes("second-order-smo", &shape);
    shape.features = 10;
    assert_takes("overshooting-smo", &shape);
    shape.rows = 8001;
    assert_takes("second-order-smo", &shape);
    shape.kernel = KERNEL_LINEAR;
    assert_takes("low-rank-interior-point", &shape);
}

static void the_nu_svc_takes_a_solver_of_reduced_hulls(void **state)
{
    (void)state;
    struct problem_shape shape = linear(100, 1000);
    shape.is_nu_svc = 1;
    assert_takes("packed-clip-mdm", &shape);
    shape.without_shrinking = 1;
    assert_takes("cycle-clip-mdm", &shape);
}

static void every_choice_is_registered_solves_its_problem_and_has_a_reason(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 32; bits++) {
        struct problem_shape shape = plain;
        shape.rows = bits & 1 ? 100 : 100000;
        shape.features = bits & 2 ? 3 : 3000;
        shape.kernel = bits & 4 ? KERNEL_LINEAR : KERNEL_RBF;
        shape.without_shrinking = (bits & 8) != 0;
        shape.is_nu_svc = (bits & 16) != 0;
        const struct solver_choice choice = choose_solver(&shape);
        const struct solver *solver = solver_find(choice.solver);
        assert_non_null(solver);
        assert_int_equal(solver->formulation, shape.is_nu_svc ? FORMULATION_NEAREST_POINTS : FORMULATION_C_SVM);
        assert_true(solver_reads(solver, shape.is_nu_svc ? &parameter_mu : &parameter_c));
        assert_true(strlen(choice.reason) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_low_rank_take_the_interior_point_method),
        cmocka_unit_test(kernels_of_many_dimensions_take_overshooting_smo_while_the_matrix_is_in_memory),
        cmocka_unit_test(kernels_that_were_not_measured_take_packed_smo),
        cmocka_unit_test(without_shrinking_no_packing_solver_is_taken),
        cmocka_unit_test(the_nu_svc_takes_a_solver_of_reduced_hulls),
        cmocka_unit_test(every_choice_is_registered_solves_its_problem_and_has_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
