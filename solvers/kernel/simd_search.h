/* The searches for one vector width, for its table in simd.c. simd.h documents them. */
#ifndef HULLBENCH_SIMD_SEARCH_H
#define HULLBENCH_SIMD_SEARCH_H

#include "solvers/kernel/simd.h"
#include "solvers/kernel/simd_vector.h"

void OF_WIDTH(argminmax)(size_t n, const unsigned char *const *eligible, const double *y, struct argminmax *out);
void OF_WIDTH(add_difference_argminmax)(size_t n, double a, const double *p, const double *q,
                                        const unsigned char *const *eligible, double *y, struct argminmax *out);
void OF_WIDTH(turn_argminmax)(size_t n, double keep, double a, const double *p, const double *q,
                              const unsigned char *const *eligible, double *d, double *y, struct argminmax *out);
void OF_WIDTH(turn_argminmax_twice)(size_t n, double keep, double a, const double *p, const double *q,
                                    const unsigned char *const *eligible, double *d, double *y, struct argminmax *out);
void OF_WIDTH(signed_argminmax)(size_t n, const unsigned char *const *eligible, const unsigned char *negative,
                                const double *y, double add, struct argminmax *out);
void OF_WIDTH(move_signed_argminmax)(size_t n, double a, const double *p, const double *q, int add_both,
                                     const unsigned char *const *eligible, const unsigned char *negative,
                                     double *y, double add, struct argminmax *out);
void OF_WIDTH(difference_argminmax)(size_t n, const double *x, const double *y, const unsigned char *const *eligible,
                                    struct argminmax *out);
void OF_WIDTH(move_difference_argminmax)(size_t n, double a, const double *p, const double *q, int to_y, double *x,
                                         double *y, const unsigned char *const *eligible, struct argminmax *out);
void OF_WIDTH(blend_difference_argminmax)(size_t n, struct blend_step *blend, const unsigned char *const *eligible,
                                          struct argminmax *out);
size_t OF_WIDTH(differences_below)(size_t n, double sign, const double *x, const double *y,
                                   const unsigned char *eligible, double limit, double *out, size_t *found,
                                   double *key);
size_t OF_WIDTH(differences_free)(size_t n, double sign, const double *x, const double *y,
                                  const unsigned char *eligible, const double *weights, double bound, double *out,
                                  size_t *found, double *key, size_t *high);
size_t OF_WIDTH(mark_before)(size_t n, const double *key, const size_t *order, double pivot_key, size_t pivot,
                             uint64_t *bits);
void OF_WIDTH(take_lost_curvature)(size_t n, const struct lost_curvature *of, double *out);
size_t OF_WIDTH(select_second_index)(size_t n, const struct second_index *second_index);
size_t OF_WIDTH(select_exact_gain)(size_t n, const struct exact_gains *gains);

#endif
