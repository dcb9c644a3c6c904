/* The solvers' parameters. */
#include "solvers/parameters.h"

#include <math.h>
#include <string.h>

static const char *const selections[] = {"extreme", "free", NULL};
static const char *const starts[] = {"zero", "first-pair", NULL};

static const struct parameter_info infos[] = {
    [PARAMETER_MU] = {"mu", "bound of every multiplier in a reduced hull; raised to 1/min(N+, N-) where smaller", NULL, 0,
                      1, NAN},
    [PARAMETER_C] = {"C", "penalty of the C-SVM", NULL, 0, HUGE_VAL, NAN},
    [PARAMETER_SELECTION] = {"selection",
                             "mu-mdm: move towards the extreme point whatever its multipliers (extreme), or towards the "
                             "best point made of patterns below their bound (free)",
                             selections, 0, 0, SELECTION_EXTREME},
    [PARAMETER_START] = {"start",
                         "1-smo: all multipliers zero (zero), or min(1, C) on the first pattern of each class (first-pair)",
                         starts, 0, 0, START_ZERO},
};
_Static_assert(sizeof infos / sizeof *infos == PARAMETER_COUNT, "one line per parameter");

const struct parameter_info *parameter_info(enum parameter parameter)
{
    return &infos[parameter];
}

enum parameter parameter_find(const char *name)
{
    unsigned p = 0;
    while (p < PARAMETER_COUNT && strcmp(infos[p].name, name) != 0)
        p++;
    return (enum parameter)p;
}

void parameters_default(struct parameters *parameters)
{
    for (unsigned p = 0; p < PARAMETER_COUNT; p++)
        parameters->value[p] = infos[p].fallback;
}
