/* A plain MinOver over patterns, for tests of solvers/minover: the steps of Martinetz (2003), and the largest margin
 * computed by other means. Linear kernel, at most MINOVER_DIMS features. */
#ifndef HULLBENCH_TESTS_MINOVER_STEPS_H
#define HULLBENCH_TESTS_MINOVER_STEPS_H

#include "tests/geometry.h"

enum { MINOVER_DIMS = 3 };

/* The z_j = y_j (x_j, s) of a problem, and K. */
struct space {
    size_t n, k;
    double z[MAX_GEOMETRY][MINOVER_DIMS + 1];
};
void space_write_out(const struct geometry *g, size_t k, struct space *space);
double space_dot(const double *a, const double *b);
/* u_j = v . z_j */
void space_margins(const struct space *space, const double *v, double *u);
/* Mean of the K smallest v . z: E(v) of Section IV. */
double space_smallest_mean(const struct space *space, const double *v);
/* R_K: the mean of the K largest |z|. */
double space_radius(const struct space *space);

/* n patterns on a grid of eighths, so that margins are exact; they all are at least 3/4 away from a slanted plane. */
void open_separable(struct geometry *g, size_t n, unsigned long seed);
/* Sets nu to K / N, and the forgetting. */
void set_soft(struct geometry *g, size_t k, enum forgetting forgetting);
/* Orders indices by (sign * value, index). Sorts completely, so that nothing is shared with the solver's selection. */
void sort_by(const double *value, double sign, size_t *order, size_t n);

/* The algorithm after t steps. Zero-initialise all members except space and forgetting. */
struct steps {
    const struct space *space;
    enum forgetting forgetting;
    double v[MINOVER_DIMS + 1]; /* K v, whole multiples of an eighth */
    long n[MAX_GEOMETRY], t, forgotten_steps;
};
void steps_go_on(struct steps *steps);
/* O of the paper, or, for `equivalent`, those with n = t first, by the margins u. Returns the sum of K v . z. Needs K
 * patterns with n > 0. */
double steps_to_forget(const struct steps *steps, const double *u, size_t *out);

struct largest {
    double low, high;           /* bounds of d_K, within 1e-9 of each other */
    double v[MINOVER_DIMS + 1]; /* unit direction, within about sqrt(1 - low/high) of v* */
};
struct largest largest_margin(const struct space *space);

#endif
