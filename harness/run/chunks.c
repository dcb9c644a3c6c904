/*
 * A unit of cost c among those of cost sum S is cut into ceil(c / (S / (8 threads))) parts of as many jobs, give or take one. Handing
 * out pieces of at most S / (8 threads), the longest first, lets the last thread end at most an eighth of its share after the first
 * (Graham, Bounds on multiprocessing timing anomalies, 1969), as far as the costs are right.
 */
#include "harness/run/chunks.h"

#include <math.h>
#include <stdlib.h>

static int by_cost(const void *a, const void *b)
{
    const struct unit *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static size_t parts_of(const struct unit *unit, double most)
{
    double parts = most > 0 ? ceil(unit->cost / most) : 1;
    return parts < (double)unit->count ? (size_t)parts : unit->count;
}

enum status chunks_make(const struct plan *plan, unsigned threads, struct unit **pieces, size_t *count, struct error *error)
{
    double sum = 0;
    size_t wanted = 0;
    for (size_t u = 0; u < plan->n_units; u++)
        sum += plan->units[u].cost;
    double most = threads > 1 ? sum / ((double)CHUNKS_PER_THREAD * threads) : 0;
    for (size_t u = 0; u < plan->n_units; u++)
        wanted += parts_of(&plan->units[u], most);
    *count = 0;
    *pieces = malloc((wanted + 1) * sizeof **pieces);
    if (!*pieces)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for the order of %zu pieces of work", wanted);
    for (size_t u = 0; u < plan->n_units; u++) {
        const struct unit *unit = &plan->units[u];
        size_t parts = parts_of(unit, most);
        for (size_t p = 0; p < parts; p++) {
            size_t first = unit->count * p / parts, end = unit->count * (p + 1) / parts;
            double share = (double)(end - first) / (double)unit->count;
            (*pieces)[(*count)++] = (struct unit){unit->first + first, end - first, unit->cost * share};
        }
    }
    qsort(*pieces, *count, sizeof **pieces, by_cost);
    return STATUS_OK;
}
