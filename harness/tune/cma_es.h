/*
 * CMA-ES, the evolution strategy with covariance matrix adaptation (N. Hansen, The CMA evolution strategy: a tutorial,
 * arXiv:1604.00772), for functions of two variables: derivative-free minimisation. The caller asks for points and tells
 * their values. It therefore decides how to compute the values, and can resume a search by telling saved values again.
 */
#ifndef HULLBENCH_CMA_ES_H
#define HULLBENCH_CMA_ES_H

#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>

struct pool;

/* The default population size, 4 + floor(3 ln 2), and the maximum. */
enum { CMA_ES_POPULATION = 6, CMA_ES_POPULATION_MAX = 1000 };

/* The state of a search. The caller may read the first group. */
struct cma_es {
    double mean[2], step;    /* m, sigma */
    double covariance[2][2]; /* C; the next points have the covariance sigma^2 C */
    double vectors[2][2];    /* B of C = B D^2 B' */
    double lengths[2];       /* D */

    gsl_rng *random; /* mt19937 */
    size_t population, parents;
    double weights[CMA_ES_POPULATION_MAX / 2]; /* of the parents, sum 1 */
    size_t order[CMA_ES_POPULATION_MAX];       /* indices of the points from best to worst */
    double path_step[2], path_covariance[2];
    double mu_eff, c_step, d_step, c_path, c_one, c_mu;
    double forgotten; /* (1 - c_sigma)^(2 g) after g generations */
};

/* Begins a search with `population` points per generation, 2 to CMA_ES_POPULATION_MAX, from the mean `start` with
 * standard deviation `step`, above 0, in each variable. The pool keeps its generator. */
void cma_es_begin(struct pool *pool, struct cma_es *search, size_t population, const double start[2], double step,
                  uint32_t seed);

/* Draws a generation: population x 2 numbers, point by point. */
void cma_es_ask(struct cma_es *search, double *points);
/* Takes the generation with its values; smaller is better, NAN is worst, and the first of equal values is better.
 * points: as drawn, or as the caller has moved them (into a box, onto a grid): the search learns from those evaluated.
 * */
void cma_es_tell(struct cma_es *search, const double *points, const double *values);

#endif
