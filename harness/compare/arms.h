/* The two arms of a comparison in one or two run folders: records, names, times, and whether they may be compared. */
#ifndef HULLBENCH_ARMS_H
#define HULLBENCH_ARMS_H

#include "harness/compare/pairing.h"
#include "harness/compare/solver_choice.h"
#include "harness/records/run_folder.h"

/* The options that name the arms, for error messages. */
extern const char *const arm_options[ARMS];

struct arms {
    struct run_folders runs;      /* the caller's: one folder, or one per arm */
    struct records records[ARMS]; /* the records to compare */
    const char *solvers[ARMS];    /* the records' or the caller's */
    const char *labels[ARMS];     /* the choice as given, with the folder if both choices are equal */
    int counted[ARMS];            /* whether any of the records has kernel operations */
    const char *without_times;    /* the reason, a sentence; "" if times can be compared */
    const char *obstacle;         /* a half of the splits has no record of one arm; NULL: both have; else it is all */
};

/* Reads the folders (the same pointer or text twice for one folder) with their records. STATUS_BAD_INPUT: damaged
 * files; folders with different splits, standardisation or thresholds of support vectors. STATUS_NOT_FOUND: no records.
 * The folders' names must outlive the pool. */
struct run_folders *arms_read_folders(struct pool *pool, const char *const folders[ARMS]);

/* Chooses the records of both arms from one folder, or from two. A NULL choice means the only solver of the folder; for
 * the candidate, if there are several, the baseline's solver, if its folder has that. STATUS_BAD_INPUT: a choice
 * without records in the folder, or a missing choice; one record chosen for both. Folders and choices must outlive
 * the arms. */
struct arms arms_choose(struct pool *pool, const struct run_folders *runs,
                        const struct solver_choice *const choices[ARMS]);

/* The time of a pair's record (conditions.h); NAN if times are not compared. */
double arms_seconds(const struct arms *arms, const struct pair *pair, enum arm arm);

#endif
