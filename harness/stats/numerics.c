#include "harness/stats/numerics.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>

#include "harness/base/memory.h"

gsl_rng *random_numbers(unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!rng)
        out_of_memory();
    gsl_rng_set(rng, seed);
    return rng;
}

gsl_integration_glfixed_table *gauss_legendre_rule(size_t points)
{
    gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(points);
    if (!rule)
        out_of_memory();
    return rule;
}

double find_root(double (*function)(double x, void *data), void *data, double low, double high, double tolerance)
{
    enum { STEPS = 200 };
    gsl_function wrapped = {function, data};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver)
        out_of_memory();
    gsl_root_fsolver_set(solver, &wrapped, low, high);
    for (int step = 0; step < STEPS; step++)
        if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS ||
            gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver), 0, tolerance) ==
                GSL_SUCCESS)
            break;
    double root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return root;
}
