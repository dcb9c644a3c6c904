/*
 * CMA-ES, the evolution strategy with covariance matrix adaptation (N. Hansen, The CMA evolution strategy: a tutorial,
 * arXiv:1604.00772), for functions of two numbers: minimisation from values alone. The caller asks for points and tells
 * their values, so it decides how they are computed, and resumes a search by telling the values it has kept once more.
 */
#ifndef HULLBENCH_CMA_ES_H
#define HULLBENCH_CMA_ES_H

#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>

/* Points of a generation where nothing else is asked for, 4 + floor(3 ln 2), and the most there may be. */
enum { CMA_ES_POPULATION = 6, CMA_ES_POPULATION_MAX = 1000 };

/* A search. The caller may read the first group. */
struct cma_es {
    double mean[2], step;    /* m, sigma */
    double covariance[2][2]; /* C; sigma^2 C is that of the next points */
    double vectors[2][2];    /* B of C = B D^2 B' */
    double lengths[2];       /* D */

    gsl_rng *random; /* mt19937 */
    size_t population, parents;
    double weights[CMA_ES_POPULATION_MAX / 2]; /* of the parents, sum 1 */
    size_t order[CMA_ES_POPULATION_MAX];       /* points from best to worst */
    double path_step[2], path_covariance[2];
    double mu_eff, c_step, d_step, c_path, c_one, c_mu;
    double forgotten; /* (1 - c_sigma)^(2 g) after g generations */
};

/* Begins a search with `population` points a generation, 2 to CMA_ES_POPULATION_MAX, from the mean `start` with a
 * standard deviation of `step`, above 0, in each number. Released with cma_es_end. */
void cma_es_begin(struct cma_es *search, size_t population, const double start[2], double step, uint32_t seed);
void cma_es_end(struct cma_es *search);

/* Draws a generation: population x 2 numbers, point by point. */
void cma_es_ask(struct cma_es *search, double *points);
/* Takes the generation with its values, smaller better, NAN worst, the first of equal ones better. points: as asked
 * for, or as moved by the caller (into a box, onto a grid): the search learns from the points that were evaluated. */
void cma_es_tell(struct cma_es *search, const double *points, const double *values);

#endif
