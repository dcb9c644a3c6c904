/*
 * A cube of costs: what each series (a solver with its settings) spent on each task (a problem, or a problem with a
 * target). A run that ended before its task was complete is censored there: it spent its costs without completing it.
 * Shares count it as not completed, means at PENALTY_FACTOR times the most that any series spent on the task.
 */
#ifndef HULLBENCH_CUBE_H
#define HULLBENCH_CUBE_H

#include <stddef.h>

#include "harness/base/pool.h"

/* PAR-10, the penalised average runtime of algorithm configuration (Hutter, Hoos, Leyton-Brown and Stuetzle 2009). */
#define PENALTY_FACTOR 10.0

/* A cost whose logarithm is taken: a count of 0, or one that is not known, becomes one half. */
static inline double cost_or_half(double cost)
{
    return cost > 0 ? cost : 0.5;
}

struct cube {
    size_t n_series, n_tasks;
    double *cost;              /* series x tasks: up to the end of the task; infinite if censored; NAN: not counted */
    double *spent;             /* series x tasks: of the whole run; NAN: not counted */
    double *limit;             /* tasks: the most that any series spent; NAN: counted by none */
    size_t *counting, n_counting; /* the series that count all costs of the tasks that they complete, ascending */
    double least;              /* smaller costs, whose logarithms are taken, become this; 0: they are counts */
};

/* The memory of a cube, with zeroed costs. */
struct cube cube_new(struct pool *pool, size_t n_series, size_t n_tasks);
int cube_counts(const struct cube *cube, size_t series);
/* The smallest cost of a series that counts all; infinite if none completes the task. */
double cube_least(const struct cube *cube, size_t task);
/* A positive number, whose logarithm can be taken. */
double cube_positive(const struct cube *cube, double cost);
/* The cost, penalised if it is censored; and the natural logarithm of its positive number. */
double cube_penalised(const struct cube *cube, size_t series, size_t task);
double cube_log(const struct cube *cube, size_t series, size_t task);

#endif
