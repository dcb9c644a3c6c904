/*
 * Solvers as the command line names them: NAME, or NAME[SETTING=VALUE,...] to select its records with these settings,
 * or to run it with them. A choice may sweep a setting, NAME[SETTING=V1|V2|...], or NAME[SETTING=*] for all values in
 * the records. Each value is then a choice.
 */
#ifndef HULLBENCH_SOLVER_CHOICE_H
#define HULLBENCH_SOLVER_CHOICE_H

#include "harness/base/pool.h"
#include "harness/records/plan_order.h"
#include "harness/records/selection.h"

struct solver_setting {
    char *name, *value;
};

struct solver_choice {
    char *text; /* as given */
    char *name;
    struct solver_setting *settings;
    size_t n_settings;
    const struct cJSON *selection; /* of all its records (selection.h): the solver and the settings */
    const struct name_order *datasets; /* whose records it selects; NULL: all */
    size_t sweep;      /* the index of its sweep; 0: none */
    const char *swept; /* the setting's name; NULL: none */
};

struct solver_choices {
    struct solver_choice *items;
    size_t count, capacity;
};

/* Reads a list of choices separated by commas. `option` is the location in errors. STATUS_BAD_INPUT quotes the mistake:
 * an empty name, a bracket that is not closed or is followed by more text, a setting that is not NAME=VALUE or occurs
 * twice, a choice that occurs twice. */
struct solver_choices solver_choices_read(struct pool *pool, const char *option, const char *list);

/* Whether the choice selects the record. */
int solver_choice_matches(const struct solver_choice *choice, const struct record *record);

/* The records that match. If its selection leaves none, STATUS_BAD_INPUT says why (selection_check, selection_keep); a
 * choice of some data sets may have none. */
struct records solver_choice_select(struct pool *pool, const char *option, const char *folder,
                                    const struct solver_choice *choice, const struct records *from);

/* The choices, with one choice per value in place of a choice with a sweep; choices from one sweep have the same number
 * `sweep`, from 1. The values of "*" are those of the records, numbers in ascending order; without records (NULL) it
 * stays as it is. STATUS_BAD_INPUT: a choice sweeps two settings, a value is empty or occurs twice, or no record has
 * the setting. */
struct solver_choices sweep_expand(struct pool *pool, const char *option, const struct records *records,
                                   const struct solver_choices *choices);
/* The end of the choices that are from the same sweep as the first, or from none. */
size_t sweep_end(const struct solver_choices *choices, size_t first);
/* A choice's value of the swept setting. */
const char *sweep_value(const struct solver_choice *choice);
/* Adds the sweep "SETTING=V1,V2,..." to each choice of the list. NULL if `sweep` is malformed. */
const char *sweep_add(struct pool *pool, const char *option, const char *list, const char *sweep);

#endif
