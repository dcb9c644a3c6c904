/* Parts of GSL that the statistics share, with the settings they use. Want of memory ends the program (base/die.h). */
#ifndef HULLBENCH_NUMERICS_H
#define HULLBENCH_NUMERICS_H

#include <gsl/gsl_integration.h>
#include <gsl/gsl_rng.h>
#include <stddef.h>

/* mt19937 from a seed; freed with gsl_rng_free. */
gsl_rng *random_numbers(unsigned long seed);

/* The Gauss-Legendre rule with that many points; freed with gsl_integration_glfixed_table_free. */
gsl_integration_glfixed_table *gauss_legendre_rule(size_t points);

/* A zero of the function between `low` and `high`, where its signs differ, by Brent's method to this relative width. */
double find_root(double (*function)(double x, void *data), void *data, double low, double high, double tolerance);

#endif
