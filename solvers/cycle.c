/* A ring of updates, see cycle.h. */
#include "solvers/cycle.h"

void cycle_layout(struct cycle *cycle, struct arena *arena, size_t max)
{
    cycle->max = max;
    cycle->updates = arena_take(arena, max * sizeof *cycle->updates);
    cycle->indices = arena_take(arena, 2 * max * sizeof *cycle->indices);
    cycle->weights = arena_take(arena, 2 * max * sizeof *cycle->weights);
}

/* The update k >= 1 updates ago. */
static const struct cycle_update *ago(const struct cycle *cycle, size_t k)
{
    return &cycle->updates[(cycle->next + cycle->max - k) % cycle->max];
}

size_t cycle_find(const struct cycle *cycle, size_t to, size_t from)
{
    for (size_t k = 1; k <= cycle->count; k++)
        if (ago(cycle, k)->to == to && ago(cycle, k)->from == from)
            return k;
    return 0;
}

static void add(struct cycle *cycle, size_t index, double weight)
{
    size_t h = 0;
    while (h < cycle->members && cycle->indices[h] != index)
        h++;
    if (h == cycle->members) {
        cycle->indices[h] = index;
        cycle->weights[h] = 0;
        cycle->members++;
    }
    cycle->weights[h] += weight;
}

void cycle_combine(struct cycle *cycle, size_t k)
{
    cycle->members = 0;
    for (size_t j = 1; j <= k; j++) {
        add(cycle, ago(cycle, j)->to, ago(cycle, j)->step);
        add(cycle, ago(cycle, j)->from, -ago(cycle, j)->step);
    }
    size_t kept = 0;
    for (size_t h = 0; h < cycle->members; h++)
        if (cycle->weights[h] != 0) {
            cycle->indices[kept] = cycle->indices[h];
            cycle->weights[kept++] = cycle->weights[h];
        }
    cycle->members = kept;
}

int cycle_weights_are_balanced(const size_t *indices, const double *weights, size_t members, const signed char *y)
{
    double sum[2] = {0, 0}, largest = 0;
    for (size_t h = 0; h < members; h++) {
        sum[y && y[indices[h]] < 0] += weights[h];
        largest = fmax(largest, fabs(weights[h]));
    }
    return fabs(sum[0]) <= 1e-10 * largest && fabs(sum[1]) <= 1e-10 * largest;
}

int cycle_is_balanced(const struct cycle *cycle, const signed char *y)
{
    return cycle_weights_are_balanced(cycle->indices, cycle->weights, cycle->members, y);
}

void cycle_remember(struct cycle *cycle, size_t to, size_t from, double step)
{
    if (cycle->max == 0)
        return;
    cycle->updates[cycle->next] = (struct cycle_update){to, from, step};
    cycle->next = (cycle->next + 1) % cycle->max;
    cycle->count += cycle->count < cycle->max;
}

void cycle_forget(struct cycle *cycle)
{
    cycle->count = 0;
}
