/* The products f_j = W . X_j with about 100 bits, see close_products.c. */
#ifndef HULLBENCH_CLOSE_PRODUCTS_H
#define HULLBENCH_CLOSE_PRODUCTS_H

#include "harness/evaluate/rounding.h"

/* Sets products[j] to f_j - *origin, n doubles, with their bounds. *origin differs from 0 only if the formulation has a
 * bias. It is near `middle`, which rounding->origin says, or it is W . c with c the mean of the patterns; then all
 * values are those of the patterns minus c. Zero if the kernel belongs to a plugin, a product or bound is not finite,
 * or memory is lacking. */
int close_products(const struct problem *problem, enum formulation formulation, struct gram *gram, const double *alpha,
                   double middle, double *products, struct product_rounding *rounding, double *origin);

#endif
