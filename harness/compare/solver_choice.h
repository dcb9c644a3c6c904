/* Solvers as the command line names them: NAME, or NAME[SETTING=VALUE,...] to select its records with these settings,
 * or to run it with them. */
#ifndef HULLBENCH_SOLVER_CHOICE_H
#define HULLBENCH_SOLVER_CHOICE_H

#include "harness/base/pool.h"
#include "harness/records/record.h"

struct solver_setting {
    char *name, *value;
};

/* The splits whose records a choice selects. */
enum choice_half { SPLITS_ALL, SPLITS_ODD, SPLITS_EVEN };

struct solver_choice {
    char *text; /* as given */
    char *name;
    struct solver_setting *settings;
    size_t n_settings;
    enum choice_half half;
    size_t sweep;      /* the index of its sweep (value_sweep.h); 0: none */
    const char *swept; /* the setting's name; NULL: none */
};

struct solver_choices {
    struct solver_choice *items;
    size_t count;
};

/* Reads a list of choices separated by commas. `option` is the location in errors. STATUS_BAD_INPUT quotes the mistake:
 * an empty name, a bracket that is not closed or is followed by more text, a setting that is not NAME=VALUE or occurs
 * twice, a choice that occurs twice. */
struct solver_choices solver_choices_read(struct pool *pool, const char *option, const char *list);

/* Whether the record has that solver and each of the settings, among params, kernel and stop. Numbers match within a
 * relative tolerance of 1e-12. */
int solver_choice_matches(const struct solver_choice *choice, const struct record *record);

/* The records that match; the list is in the pool, so it cannot grow. If none does, STATUS_BAD_INPUT explains why: the
 * records lack the solver, or a setting is unknown there or has other values, which it lists. A choice of one half of
 * the splits may have none. */
struct records solver_choice_select(struct pool *pool, const char *option, const char *folder,
                                    const struct solver_choice *choice, const struct records *from);

/* The solvers of the records, in their order, separated by commas. */
const char *solver_list(struct pool *pool, const struct records *records);

#endif
