/* Sums of seconds, see stage_times.h. A loop stage gets loops * sampled(stage) / (sum of sampled over all stages). */
#include "harness/evaluate/stage_times.h"

void stage_times_add(struct stage_times *sum, const struct stage_times *thread)
{
    double sampled = 0;
    for (unsigned p = 0; p < STAGES; p++)
        sampled += thread->sampled[p];
    for (unsigned p = 0; p < STAGES; p++) {
        double share = sampled > 0 ? thread->sampled[p] / sampled : 0;
        sum->seconds[p] += thread->seconds[p] + thread->loops * share;
    }
    sum->turns += thread->turns;
    sum->processor += thread->processor;
}

double stage_times_total(const struct stage_times *stage_times)
{
    double total = 0;
    for (unsigned p = 0; p < STAGES; p++)
        total += stage_times->seconds[p];
    return total;
}
