/* The two arms of a comparison as they stand in one or two run folders: records, names, times, and whether they may be
 * compared. */
#ifndef HULLBENCH_ARMS_H
#define HULLBENCH_ARMS_H

#include "harness/compare/pairing.h"
#include "harness/compare/solver_choice.h"
#include "harness/records/run_folder.h"

/* The options that name the arms, for messages. */
extern const char *const arm_options[ARMS];

struct arms {
    struct run_folders runs;      /* the caller's: one folder, or one an arm */
    struct records records[ARMS]; /* those that are compared; of each list alone the list is owned */
    const char *solvers[ARMS];    /* the records' or the caller's */
    char *labels[ARMS];           /* the choice as given, and the folder where both are one; owned */
    int counted[ARMS];            /* whether any of the records has kernel operations */
    char *without_times;          /* why, a sentence; "" where they can. Owned */
};

/* Reads the folders (the same pointer or text twice for one folder) with their records. STATUS_BAD_INPUT: damaged
 * files; folders whose splits, standardisation or threshold of support vectors are not the same. STATUS_NOT_FOUND: no
 * records. The folders' names must outlive *runs, which is freed with run_folders_free, also after an error. */
enum status arms_read_folders(const char *const folders[ARMS], struct run_folders *runs, struct error *error);

/* Chooses the records of both arms from one folder, or from two. A choice that is NULL is the only solver of its
 * folder; for the candidate without a choice, else the baseline's, where its folder has that. STATUS_BAD_INPUT: a
 * choice that the folder has no record of, or that is needed; one record chosen for both. Folders and choices must
 * outlive *arms, which is freed with arms_free, also after an error. */
enum status arms_choose(const struct run_folders *runs, const struct solver_choice *const choices[ARMS],
                        struct arms *arms, struct error *error);
/* Accepts zeroed arms. */
void arms_free(struct arms *arms);

/* The time of a pair's record (record_times.h); NAN where times are not compared. */
double arms_seconds(const struct arms *arms, const struct pair *pair, enum arm arm);

#endif
