/* A ratio of two means as a sample of its linear parts, see reduction.h. */
#include "harness/papers/reduction.h"

#include <stdlib.h>

#include "harness/papers/paired.h"

static double mean(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

enum status sample_reduction(const struct sample *less, const struct sample *than, double unit, struct sample *sample,
                             struct error *error)
{
    struct pairs pairs;
    *sample = (struct sample){.generated = less->generated, .converged = less->converged, .stalled = less->stalled};
    enum status status = pairs_of(less, than, &pairs, error);
    if (status != STATUS_OK)
        return status;
    size_t most = less->n + less->without > than->n + than->without ? less->n + less->without : than->n + than->without;
    sample->without = most - pairs.n;
    sample->values = calloc(pairs.n + 1, sizeof *sample->values);
    if (!sample->values)
        status = error_set(error, STATUS_NO_MEMORY, "%zu pairs: out of memory", pairs.n);
    double whole = pairs.n ? mean(pairs.second, pairs.n) : 0;
    if (status == STATUS_OK && whole != 0) {
        double ratio = mean(pairs.first, pairs.n) / whole;
        for (size_t i = 0; i < pairs.n; i++)
            sample->values[i] = 100 * (1 - ratio - (pairs.first[i] - ratio * pairs.second[i]) / whole) / unit;
        sample->n = pairs.n;
    }
    pairs_free(&pairs);
    return status;
}
