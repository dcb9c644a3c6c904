/* Variance components of a balanced layout: data sets, splits of each, and two factors crossed with both. */
#ifndef HULLBENCH_VARIANCE_COMPONENTS_H
#define HULLBENCH_VARIANCE_COMPONENTS_H

#include <stddef.h>

/* Factors; a term is a sum of those that it varies with. Splits are numbered within their data set, so a term with
 * splits has data sets, too. */
enum { VARY_SET = 1, VARY_SPLIT = 2, VARY_C = 4, VARY_WIDTH = 8, VARY_FACTORS = 4, VARIANCE_TERMS = 9 };

struct variance_term {
    unsigned varies;     /* with all factors: the residual, which pools all interactions of splits */
    double degrees;      /* of freedom; 0: the layout cannot tell the term from others, and the next two are NAN */
    double mean_square;
    double variance;     /* the component, unbiased, so it may be negative */
};

/* The terms of y[((set levels[1] + split) levels[2] + c) levels[3] + width], all finite; levels[i] of each factor, at
 * least 1. With one split the interaction of data sets, C and width is the residual. */
void variance_components(const double *y, const size_t levels[VARY_FACTORS],
                         struct variance_term terms[VARIANCE_TERMS]);

#endif
