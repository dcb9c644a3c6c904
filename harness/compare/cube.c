#include "harness/compare/cube.h"

#include <math.h>

struct cube cube_new(struct pool *pool, size_t n_series, size_t n_tasks)
{
    return (struct cube){.n_series = n_series,
                         .n_tasks = n_tasks,
                         .cost = pool_array(pool, n_series * n_tasks, sizeof(double)),
                         .spent = pool_array(pool, n_series * n_tasks, sizeof(double)),
                         .limit = pool_array(pool, n_tasks, sizeof(double)),
                         .counting = pool_array(pool, n_series, sizeof(size_t))};
}

int cube_counts(const struct cube *cube, size_t series)
{
    for (size_t k = 0; k < cube->n_counting; k++)
        if (cube->counting[k] == series)
            return 1;
    return 0;
}

double cube_least(const struct cube *cube, size_t task)
{
    double least = (double)INFINITY;
    for (size_t k = 0; k < cube->n_counting; k++)
        least = fmin(least, cube->cost[cube->counting[k] * cube->n_tasks + task]);
    return least;
}

double cube_positive(const struct cube *cube, double cost)
{
    return cube->least > 0 ? fmax(cost, cube->least) : cost_or_half(cost);
}

double cube_penalised(const struct cube *cube, size_t series, size_t task)
{
    const double cost = cube->cost[series * cube->n_tasks + task];
    return isinf(cost) ? PENALTY_FACTOR * cube->limit[task] : cost;
}

double cube_log(const struct cube *cube, size_t series, size_t task)
{
    const double cost = cube->cost[series * cube->n_tasks + task];
    return log(isinf(cost) ? PENALTY_FACTOR * cube_positive(cube, cube->limit[task]) : cube_positive(cube, cost));
}
