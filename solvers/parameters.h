/* The solvers' parameters: one table of names, meanings and ranges for configurations, help texts and records. */
#ifndef HULLBENCH_PARAMETERS_H
#define HULLBENCH_PARAMETERS_H

#include <stddef.h>

enum parameter {
    PARAMETER_MU,
    PARAMETER_C,
    PARAMETER_SELECTION,
    PARAMETER_START,
    PARAMETER_CLASS,
    PARAMETER_Q,
    PARAMETER_NEW_VARIABLES,
    PARAMETER_SHRINKING,
    PARAMETER_SHRINK_AFTER,
    PARAMETER_SEED,
    PARAMETER_HISTORY,
    PARAMETER_STEP,
    PARAMETER_NU,
    PARAMETER_FORGETTING,
    PARAMETER_ADDED,
    PARAMETER_COUNT
};

enum selection { SELECTION_EXTREME, SELECTION_FREE };
enum start { START_ZERO, START_FIRST_PAIR };
enum class_choice { CLASS_LARGEST_DELTA, CLASS_OF_LOW, CLASS_OF_HIGH };
enum shrinking { SHRINKING_NO, SHRINKING_YES };
enum forgetting { FORGETTING_NO, FORGETTING_PAPER, FORGETTING_EQUIVALENT };

struct parameter_info {
    const char *name;            /* key in configurations and records */
    const char *meaning;
    const char *const *choices;  /* NULL for a number; else NULL-terminated names of the values 0, 1, ... */
    double above, at_most;       /* a number is > above and <= at_most */
    double multiple_of;          /* and a multiple of this; 0: any */
    double fallback;             /* used when not given; NAN: must be given */
};

struct parameters {
    double value[PARAMETER_COUNT];
};

/* Nonzero where MinOver's printed forgetting may take W out of the reduced hull: some multiplier above 1/K. */
static inline int parameters_may_leave_hull(const struct parameters *parameters)
{
    return parameters->value[PARAMETER_FORGETTING] == FORGETTING_PAPER;
}

const struct parameter_info *parameter_info(enum parameter parameter);
/* Index by name, PARAMETER_COUNT when there is none. */
enum parameter parameter_find(const char *name);
/* All fallbacks. */
void parameters_default(struct parameters *parameters);

#endif
