/*
 * How a call reports failure: a status that says what kind, and one line of text that names the place.
 * Library code fills in a `struct error` owned by the caller and returns its status; only main prints it.
 */
#ifndef HULLBENCH_ERROR_H
#define HULLBENCH_ERROR_H

enum status {
    STATUS_OK = 0,
    STATUS_BAD_INPUT,   /* bad use, bad configuration, bad data: exit 2 */
    STATUS_NOT_FOUND,   /* something named is not there (a data set that is missing): the caller decides */
    STATUS_NO_MEMORY,   /* exit 4 */
    STATUS_IO,          /* reading or writing failed in the machine: exit 4 */
    STATUS_INTERRUPTED, /* a signal asked to stop; what was done is kept */
    STATUS_STALLED,     /* a solver has no admissible update left */
    STATUS_COUNT
};

struct error {
    enum status status;
    char message[1024]; /* one line, no newline at the end */
};

/* Writes status and the formatted message into *error (which may be NULL); returns status. Never allocates. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Short text of a status; never NULL. */
const char *status_text(enum status status);

#endif
