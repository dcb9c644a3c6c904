/*
 * Telling the two classes of a plain file apart: the distinct labels of one or several files, in the order in which
 * they come, and which of them is +1. Labels that are both numbers are compared as numbers (1, +1 and 1.0 are the same
 * one), others byte by byte; the greater one is the positive class.
 */
#ifndef HULLBENCH_LABELS_H
#define HULLBENCH_LABELS_H

#include <stddef.h>

#include "solvers/error.h"

enum { LABELS_MOST = 16 }; /* distinct labels told apart: two are good, the others are named in the message */

struct label_seen {
    char *text; /* as it stands where it was seen first */
    int is_number;
    double number;
    const char *path; /* where that is, for messages; borrowed */
    size_t line, column;
};

/* Zero-initialise. */
struct label_set {
    struct label_seen seen[LABELS_MOST];
    size_t count;
    size_t rows; /* labels looked at */
};

/* Where a label stands. */
struct label_place {
    const char *path; /* has to outlive the set */
    size_t line, column;
};

/* *which gets the place of the label in the set, where it is put if it is new; LABELS_MOST for one that finds no room.
 * Fails only for want of memory. */
enum status labels_add(struct label_set *set, const char *text, const struct label_place *at, unsigned char *which,
                       struct error *error);

/* STATUS_BAD_INPUT, with the place and all labels told apart, unless there are exactly two. *positive gets the place of
 * the greater one. */
enum status labels_two(const struct label_set *set, unsigned char *positive, struct error *error);

/* Accepts a zeroed set. */
void labels_free(struct label_set *set);

#endif
