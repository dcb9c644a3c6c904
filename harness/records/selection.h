/*
 * The selection of records, the same in all verbs: a JSON object whose members are conditions.
 *
 *   "dataset", "datasets", "solver", "solvers", "split_sources"   a name, or a list of names
 *   "where"    an object of settings, each with a value, or a list of values, in which null means a record without the
 *              setting; "*" is any value
 *   "series"   a list of selections, one of which must match
 *
 * An option is a condition, too: its key is "--datasets". Other members have no effect. NULL selects every record.
 */
#ifndef HULLBENCH_SELECTION_H
#define HULLBENCH_SELECTION_H

#include "harness/records/run_folder.h"

/* Whether the record fits all conditions. */
int selection_matches(const struct cJSON *selection, const struct record *record);
/* Whether records of the data set and the solver (NULL: any) fit the conditions on names. */
int selection_names(const struct cJSON *selection, const char *dataset, const char *solver);
/* Removes the records that do not match, condition by condition. Dies with the status if one leaves none: the message
 * has the place of the condition and the values of the records before it. Each element of "series" must leave one. */
void selection_keep(const struct cJSON *selection, const struct json_path *place, enum status status,
                    struct records *records);
/* The same for one member of a selection, which is at `at`; NULL: no condition. */
void condition_keep(const struct cJSON *condition, const struct json_path *at, enum status status,
                    struct records *records);

/* Adds the comma-separated names of an option, such as "--datasets", as a condition; NULL: none. Dies with
 * STATUS_BAD_INPUT if a name is empty or occurs twice. */
void selection_add_option(struct cJSON *selection, const char *option, const char *list);

/* ---- checks ---- */

/* The names that may occur; the pool is set. */
struct known_names {
    struct name_order datasets, solvers, settings;
};
/* Adds those of the records. */
void known_names_add(struct known_names *names, const struct records *records);
/* Those of configurations and records. Texts belong to the folders, whose records must be read already. */
struct known_names known_names_of(struct pool *pool, const struct run_folders *folders);
/* Dies with STATUS_BAD_INPUT and close matches unless the name is known or in `words` (NULL-terminated, or NULL). */
void known_name_check(const struct name_order *known, const char *const *words, const char *what, const char *name,
                      const struct json_path *at);
/* The same for a setting, "kernel.width". */
void setting_name_check(const struct name_order *known, const char *const *words, const char *what, const char *name,
                        const struct json_path *at);
/* Checks that all names in the conditions are known. */
void selection_check(const struct cJSON *selection, const struct json_path *place, const struct known_names *known);
/* Checks the form of a "where"; NULL: absent. */
void where_check(const struct cJSON *where, const struct json_path *at);

/* Whether the setting has the value of a configuration; null matches a missing setting, NULL. */
int setting_has_value(const struct setting *setting, const struct cJSON *wanted);

#endif
