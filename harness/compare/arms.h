/* The two arms of a comparison as they stand in one or two run folders: records, names, times, and whether they may be
 * compared. */
#ifndef HULLBENCH_ARMS_H
#define HULLBENCH_ARMS_H

#include "harness/compare/pairing.h"
#include "harness/records/run_folder.h"

struct arms {
    struct run_folders runs;    /* one folder, or one an arm */
    const struct records *records[ARMS]; /* the folders' */
    const char *solvers[ARMS]; /* the records' or the caller's */
    char *labels[ARMS];        /* the solver, and the folder where both have one name; owned */
    int counted[ARMS];         /* whether any of the solver's records has kernel operations */
    char *without_times;        /* why, a sentence; "" where they can. Owned */
};

/* Reads the folders (the same pointer or text twice for one folder). A solver that is NULL is the only one of its
 * folder; for the candidate without a name, else the baseline's, where its folder has that. STATUS_BAD_INPUT: damaged
 * files; a name that is not in the folder, or is needed; one arm given twice; folders whose splits, standardisation or
 * threshold of support vectors are not the same. STATUS_NOT_FOUND: no records. Folders and names must outlive *arms,
 * which is freed with arms_free, also after an error. */
enum status arms_read(const char *const folders[ARMS], const char *const solvers[ARMS], struct arms *arms,
                       struct error *error);
/* Accepts zeroed arms. */
void arms_free(struct arms *arms);

/* The seconds of a pair's record; NAN where there are none. */
double arms_seconds(const struct arms *arms, const struct pair *pair, enum arm arm);

#endif
