/* Sums of seconds, see spent.h: a stage of the loops gets loops * looked_at(stage) / (looked_at of all stages). */
#include "harness/support/stage_times.h"

static const char *const names[] = {
    [STAGE_KERNELS] = "kernels", [STAGE_START] = "start",     [STAGE_SELECTION] = "selection",   [STAGE_STOPPING] = "stopping",
    [STAGE_UPDATE] = "update",   [STAGE_JUDGING] = "judging", [STAGE_PREDICTION] = "prediction", [STAGE_FILES] = "files",
};
_Static_assert(sizeof names / sizeof *names == STAGES, "one name per stage");

const char *stage_name(enum stage stage)
{
    return names[stage];
}

void spent_add(struct spent *sum, const struct spent *thread)
{
    double looked_at = 0;
    for (unsigned p = 0; p < STAGES; p++)
        looked_at += thread->looked_at[p];
    for (unsigned p = 0; p < STAGES; p++) {
        double share = looked_at > 0 ? thread->looked_at[p] / looked_at : 0;
        sum->seconds[p] += thread->seconds[p] + thread->loops * share;
    }
    sum->turns += thread->turns;
    sum->processor += thread->processor;
}

double spent_total(const struct spent *spent)
{
    double total = 0;
    for (unsigned p = 0; p < STAGES; p++)
        total += spent->seconds[p];
    return total;
}
