/*
 * CMA-ES, the evolution strategy with covariance matrix adaptation (N. Hansen, The CMA evolution strategy: a tutorial,
 * arXiv:1604.00772): minimisation of a function of n numbers from its values alone. The caller asks for points and
 * tells their values, so it decides how they are computed, and can go on from values it has kept by telling them again.
 */
#ifndef HULLBENCH_CMA_ES_H
#define HULLBENCH_CMA_ES_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"

struct cma_es;

struct cma_es_options {
    size_t n;            /* numbers, from 1 */
    size_t population;   /* points of a generation, from 2; 0: 4 + floor(3 ln n) */
    double step;         /* initial standard deviation in each number, above 0 */
    const double *start; /* n: initial mean */
    uint32_t seed;       /* of GSL's mt19937 */
};

/* Points of a generation where nothing else is asked for: 4 + floor(3 ln n). */
size_t cma_es_population(size_t n);

/* Fails only for want of memory. */
enum status cma_es_create(struct cma_es **search, const struct cma_es_options *options, struct error *error);
/* Accepts NULL. */
void cma_es_free(struct cma_es *search);

/* Draws a generation: population x n numbers, point by point. */
void cma_es_ask(struct cma_es *search, double *points);
/* Takes the generation with its values, smaller better, NAN worst, the first of equal ones better. points: as asked
 * for, or as moved by the caller (into a box, onto a grid): the search learns from the points that were evaluated. */
void cma_es_tell(struct cma_es *search, const double *points, const double *values);

const double *cma_es_mean(const struct cma_es *search);       /* n */
double cma_es_step(const struct cma_es *search);              /* sigma */
const double *cma_es_covariance(const struct cma_es *search); /* n x n; sigma^2 times it is that of the next points */

#endif
