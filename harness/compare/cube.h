/*
 * A cube of costs: what each series (a solver with its settings) spent on each task (a problem, or a problem with a
 * target). A run that ended before its task was complete is censored there: it spent its costs without completing it.
 * Shares count it as not completed, means at PENALTY_FACTOR times the most that any series spent on the task.
 */
#ifndef HULLBENCH_CUBE_H
#define HULLBENCH_CUBE_H

#include <math.h>

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
static inline struct cube cube_new(struct pool *pool, size_t n_series, size_t n_tasks)
{
    return (struct cube){.n_series = n_series,
                         .n_tasks = n_tasks,
                         .cost = pool_array(pool, n_series * n_tasks, sizeof(double)),
                         .spent = pool_array(pool, n_series * n_tasks, sizeof(double)),
                         .limit = pool_array(pool, n_tasks, sizeof(double)),
                         .counting = pool_array(pool, n_series, sizeof(size_t))};
}

static inline int cube_counts(const struct cube *cube, size_t series)
{
    size_t k = 0;
    while (k < cube->n_counting && cube->counting[k] != series)
        k++;
    return k < cube->n_counting;
}

/* The smallest cost of a series that counts all; infinite if none completes the task. */
static inline double cube_least(const struct cube *cube, size_t task)
{
    double least = (double)INFINITY;
    for (size_t k = 0; k < cube->n_counting; k++)
        least = fmin(least, cube->cost[cube->counting[k] * cube->n_tasks + task]);
    return least;
}

/* A positive number, whose logarithm can be taken. */
static inline double cube_positive(const struct cube *cube, double cost)
{
    return cube->least > 0 ? fmax(cost, cube->least) : cost_or_half(cost);
}

/* The cost, penalised if it is censored; and the natural logarithm of its positive number. */
static inline double cube_penalised(const struct cube *cube, size_t series, size_t task)
{
    const double cost = cube->cost[series * cube->n_tasks + task];
    return isinf(cost) ? PENALTY_FACTOR * cube->limit[task] : cost;
}

static inline double cube_log(const struct cube *cube, size_t series, size_t task)
{
    const double cost = cube->cost[series * cube->n_tasks + task];
    return log(isinf(cost) ? PENALTY_FACTOR * cube_positive(cube, cube->limit[task]) : cube_positive(cube, cost));
}

#endif
