/* The solvers' parameters. */
#include "solvers/parameters.h"

#include <math.h>
#include <string.h>

static const char *const selections[] = {"extreme", "free", NULL};
static const char *const starts[] = {"zero", "first-pair", NULL};

static const char *const classes[] = {"largest-delta", "low", "high", NULL};
static const char *const no_or_yes[] = {"no", "yes", NULL};
static const char *const forgettings[] = {"no", "paper", "equivalent", NULL};

/* 1/C and s^2, summed over patterns and multiplied by each other's counts, have to stay finite */
#define MIN_C     1e-300
#define MAX_ADDED 1e100
/* largest whole number up to which doubles have no gaps, 2^53 */
#define MAX_WHOLE 9007199254740992.0

static const struct parameter_info infos[] = {
    [PARAMETER_MU] = {"mu", "bound of every multiplier in a reduced hull; raised to 1/min(N+, N-) where smaller", NULL,
                      0, 1, 0, NAN},
    [PARAMETER_C] = {"C",
                     "penalty of the slacks: C sum xi (linear) or C/2 sum xi^2 (square: K + I/C), as the solver says",
                     NULL, MIN_C, HUGE_VAL, 0, NAN},
    [PARAMETER_SELECTION] =
        {"selection",
         "mu-mdm: move towards the extreme point whatever its multipliers (extreme), or towards the "
         "best point made of patterns below their bound (free)",
         selections, 0, 0, 0, SELECTION_EXTREME},
    [PARAMETER_START] =
        {"start",
         "SMO: all multipliers zero (zero), or 1 on the first pattern of each class (first-pair); min(1, C) "
         "where C is a bound",
         starts, 0, 0, 0, START_ZERO},
    [PARAMETER_CLASS] =
        {"class",
         "ch-mdm: update the class with the larger Delta (largest-delta), of the pattern with the least "
         "margin (low), or of the support vector with the greatest (high)",
         classes, 0, 0, 0, CLASS_LARGEST_DELTA},
    [PARAMETER_Q] = {"q", "svm-light, munk-subset: size of the working set, even", NULL, 0, 4096, 2, 10},
    [PARAMETER_NEW_VARIABLES] = {"new_variables",
                                 "svm-light: most variables that enter the working set in an iteration, even; 0: q",
                                 NULL, -1, 4096, 2, 0},
    [PARAMETER_SHRINKING] = {"shrinking", "svm-light, conjugate-smo: leave out variables that stay at a bound",
                             no_or_yes, 0, 0, 0, SHRINKING_YES},
    [PARAMETER_SHRINK_AFTER] =
        {"shrink_after",
         "svm-light, conjugate-smo: iterations a variable has to be optimal at its bound before it is left out", NULL,
         0, MAX_WHOLE, 1, 100},
    [PARAMETER_SEED] = {"seed", "platt-smo: seed of the random starting points of its loops", NULL, -1, MAX_WHOLE, 1,
                        1},
    [PARAMETER_HISTORY] = {"history",
                           "solvers that break cycles: most updates looked back for the same update; 0: none", NULL, -1,
                           4096, 1, 45},
    [PARAMETER_STEP] = {"step",
                        "kernel-adatron: learning rate of pattern j times k_jj; at 2 and above it does not converge",
                        NULL, 0, 2, 0, 1},
    [PARAMETER_NU] =
        {"nu",
         "soft-max-minover: fraction of the patterns learned in a step, rounded to a whole number of them, 1 at least",
         NULL, 0, 1, 0, NAN},
    [PARAMETER_FORGETTING] =
        {"forgetting",
         "soft-max-minover: none (no), of the learned patterns of largest margin (paper), or so that it is "
         "max-minover on means of patterns (equivalent)",
         forgettings, 0, 0, 0, FORGETTING_PAPER},
    [PARAMETER_ADDED] =
        {"added", "minover and kin: coordinate s added to every pattern for the bias, s^2 to the kernel; 0: no bias",
         NULL, -MAX_ADDED, MAX_ADDED, 0, 1},
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
