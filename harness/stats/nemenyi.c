/*
 * Nemenyi (1963). Under the null hypothesis and for many problems, the mean ranks are like k independent normal values
 * of variance k(k+1)/(12n) about their mean. Two differ if their distance exceeds the upper alpha quantile of the range
 * of k such values.
 */
#include "harness/stats/nemenyi.h"

#include <assert.h>
#include <math.h>

#include "harness/stats/studentized_range.h"

double nemenyi_difference(const struct friedman *friedman, double alpha)
{
    assert(friedman->problems > 0);
    return studentized_range_quantile(alpha, friedman->solvers) * friedman_deviation(friedman) / sqrt(2);
}

size_t nemenyi_groups(const struct friedman *friedman, const size_t *order, double difference,
                      struct rank_group *groups)
{
    const double *means = friedman->mean_ranks;
    size_t count = 0, last = 0; /* last never decreases: the first of a later group is no better */
    for (size_t first = 0; first < friedman->solvers; first++) {
        size_t before = last;
        while (last + 1 < friedman->solvers && means[order[last + 1]] - means[order[first]] <= difference)
            last++;
        if (last > before)
            groups[count++] = (struct rank_group){first, last};
        last = last > first ? last : first + 1;
    }
    return count;
}
