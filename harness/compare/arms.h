/* The two sides of a comparison as they stand in one or two run folders: records, names, times, and whether they may be
 * compared. */
#ifndef HULLBENCH_ARMS_H
#define HULLBENCH_ARMS_H

#include "harness/compare/pairing.h"
#include "harness/records/run_folder.h"

struct sides {
    struct run_folders runs;    /* one folder, or one a side */
    const struct records *records[SIDES]; /* the folders' */
    const char *solvers[SIDES]; /* the records' or the caller's */
    char *labels[SIDES];        /* the solver, and the folder where both have one name; owned */
    int counted[SIDES];         /* whether any of the solver's records has kernel operations */
    char *without_times;        /* why, a sentence; "" where they can. Owned */
};

/* Reads the folders (the same pointer or text twice for one folder). A solver that is NULL is the only one of its
 * folder; for the challenger without a name, else the baseline's, where its folder has that. STATUS_BAD_INPUT: damaged
 * files; a name that is not in the folder, or is needed; one side given twice; folders whose splits, standardisation or
 * threshold of support vectors are not the same. STATUS_NOT_FOUND: no records. Folders and names must outlive *sides,
 * which is freed with sides_free, also after an error. */
enum status sides_read(const char *const folders[SIDES], const char *const solvers[SIDES], struct sides *sides,
                       struct error *error);
/* Accepts NULL and zeroed sides. */
void sides_free(struct sides *sides);

/* The seconds of a pair's record; NAN where there are none. */
double sides_seconds(const struct sides *sides, const struct pair *pair, enum side side);

#endif
