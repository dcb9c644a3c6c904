/* Solvers as the command line names them: NAME, or NAME[SETTING=VALUE,...] for those of its records, or for a run of
 * it, with these settings. */
#ifndef HULLBENCH_SOLVER_CHOICE_H
#define HULLBENCH_SOLVER_CHOICE_H

#include "harness/records/record.h"

struct solver_setting {
    char *name, *value;
};

/* Records of which splits a choice takes. */
enum choice_half { SPLITS_ALL, SPLITS_ODD, SPLITS_EVEN };

struct solver_choice {
    char *text; /* as it was given */
    char *name;
    struct solver_setting *settings;
    size_t n_settings;
    enum choice_half half;
    size_t sweep;      /* which sweep it is of (harness/comparisons/value_sweep.h); 0: none */
    const char *swept; /* the setting's name; NULL: none */
};

struct solver_choices {
    struct solver_choice *items; /* owned, with all that is in them */
    size_t count;
};

/* Reads a list of choices with commas between. `option` stands for the place in errors. STATUS_BAD_INPUT quotes what is
 * wrong: an empty name, a bracket that is not closed or is followed by more, a setting that is not NAME=VALUE or is
 * there twice, a choice that is there twice. *choices must be freed, also after an error. */
enum status solver_choices_read(const char *option, const char *list, struct solver_choices *choices,
                                struct error *error);
/* Accepts zeroed ones. */
void solver_choices_free(struct solver_choices *choices);

/* Whether the record is of the solver and has each of the settings, among params, kernel and stop. Numbers agree within
 * 1e-12 of their size. */
int solver_choice_matches(const struct solver_choice *choice, const struct record *record);

/* Adds the records that match. STATUS_BAD_INPUT where none does, and says why: the solver is not among the records, a
 * setting is unknown there or has other values, which it lists. Of one half of the splits that is STATUS_NOT_FOUND. */
enum status solver_choice_select(const char *option, const char *folder, const struct solver_choice *choice,
                                 const struct records *from, struct records *chosen, struct error *error);

/* The solvers of the records, in their order, with commas between; malloc'ed. */
char *solver_list(const struct records *records);

#endif
