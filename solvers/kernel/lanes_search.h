/* The searches of one vector width, for its table in lanes.c; what they do is said in lanes.h. */
#ifndef HULLBENCH_LANES_SEARCH_H
#define HULLBENCH_LANES_SEARCH_H

#include "solvers/kernel/lanes.h"
#include "solvers/kernel/lanes_vector.h"

void OF_WIDTH(extremes)(size_t n, const double *side, const double *y, struct lanes_extremes *out);
void OF_WIDTH(add_difference_extremes)(size_t n, double a, const double *p, const double *q, const double *side,
                                       double *y, struct lanes_extremes *out);
void OF_WIDTH(turn_extremes)(size_t n, double keep, double a, const double *p, const double *q, const double *side,
                             double *d, double *y, struct lanes_extremes *out);
void OF_WIDTH(signed_extremes)(size_t n, const double *side, const double *sign, const double *y, double add,
                               struct lanes_extremes *out);
void OF_WIDTH(difference_extremes)(size_t n, const double *x, const double *y, const unsigned char *const *among,
                                   struct lanes_extremes *out);
void OF_WIDTH(move_difference_extremes)(size_t n, double a, const double *p, const double *q, int to_y, double *x,
                                        double *y, const unsigned char *const *among, struct lanes_extremes *out);
size_t OF_WIDTH(differences_below)(size_t n, double sign, const double *x, const double *y, const unsigned char *among,
                                   double limit, double *out, size_t *found);
size_t OF_WIDTH(best_partner)(size_t n, const struct partner *partner);

#endif
