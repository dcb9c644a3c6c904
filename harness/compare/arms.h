/*
 * The two arms of a comparison in one or two run folders: records, names, times, whether they may be compared, and
 * whether both runs of a pair came equally close to the optimum, by the gaps that the harness recomputed.
 */
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
    const char *obstacle;         /* some data sets have no record of one arm; NULL: both have; else it is all */
};

/* Reads the folders (the same pointer or text twice for one folder) with their records. STATUS_BAD_INPUT: damaged
 * files; folders with different splits, standardisation or thresholds of support vectors. STATUS_NOT_FOUND: no records.
 * The folders' names must outlive the pool. */
struct run_folders *arms_read_folders(struct pool *pool, const char *const folders[ARMS]);

/* The folder of an arm. */
struct run_folder *arms_folder(const struct run_folders *runs, int arm);

/* Chooses the records of both arms from one folder, or from two. A NULL choice means the only solver of the folder; for
 * the candidate, if there are several, the baseline's solver, if its folder has that. STATUS_BAD_INPUT: a choice
 * without records in the folder, or a missing choice; one record chosen for both. Folders and choices must outlive
 * the arms. */
struct arms arms_choose(struct pool *pool, const struct run_folders *runs,
                        const struct solver_choice *const choices[ARMS]);

/* The time of a pair's record (conditions.h); NAN if times are not compared. */
double arms_seconds(const struct arms *arms, const struct pair *pair, enum arm arm);

/* ---- accuracy (accuracy.c) ---- */

/* The problems that the two solvers solve, by the names in their records; a name that is not registered is unknown.
 * PROBLEMS_ONE_SVM: different formulations, but of one SVM on every pair. */
enum problems { PROBLEMS_SAME, PROBLEMS_ONE_SVM, PROBLEMS_DIFFERENT, PROBLEMS_UNKNOWN };
enum problems problems_of(const char *baseline, const char *candidate); /* never PROBLEMS_ONE_SVM */
enum problems problems_of_pairs(const struct pairing *pairing, const char *baseline, const char *candidate);

/* Nonzero if both runs of every pair stopped at the same tolerance of the rule svm-gap, so that solutions are equally
 * accurate, whatever the gaps of their formulations. */
int accuracy_is_equal_by_rule(const struct pairing *pairing);

/* The gap of an arm's record that is compared: the duality gap if the problems are the same, otherwise the gap relative
 * to the objective, but at least 1e-12 (relative), which is rounding. NAN if the arm did not converge, has no gap, or
 * if objective and gap are both 0. */
double accuracy_gap_of(const struct pair *pair, enum arm arm, enum problems problems);

/* Marks every pair. The certified intervals must intersect only if the problems are the same: the optimum of the
 * minimised function lies within the gap below the objective. */
void accuracy_mark(struct pairing *pairing, enum problems problems);

/* ---- costs to equal accuracy, from the traces of both runs of each pair ---- */

struct target_cost {
    double iterations, kernel_operations; /* of the iterations */
};

struct equal_targets {
    int used;                        /* nonzero: every pair on which both converged has traces of both runs */
    struct target_cost *costs[ARMS]; /* one for each pair if used, meaningful if both converged */
};

/* Reads the traces of both folders. The target of a pair is the larger of the two gaps (accuracy_gap) at which its runs
 * ended; an arm's cost is that at which its trace first reaches the target. A trace is used only if it ends with the
 * iterations of its record and, to 1 %, with the recomputed gap. STATUS_BAD_INPUT: a damaged trace. */
struct equal_targets equal_targets_read(struct pool *pool, const struct arms *arms, const struct pairing *pairing,
                                        enum problems problems);

#endif
