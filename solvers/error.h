/*
 * Error reporting: a status gives the kind of failure, and one line of text names the place. Library code fills in a
 * `struct error` owned by the caller and returns its status; it prints nothing.
 */
#ifndef HULLBENCH_ERROR_H
#define HULLBENCH_ERROR_H

enum status {
    STATUS_OK = 0,
    STATUS_BAD_INPUT,   /* wrong usage, configuration or data: exit 2 */
    STATUS_NOT_FOUND,   /* something named is missing (such as a data set): the caller decides */
    STATUS_NO_MEMORY,   /* exit 4 */
    STATUS_IO,          /* a read or write failed in the system: exit 4 */
    STATUS_INTERRUPTED, /* a signal asked to stop; finished work is kept */
    STATUS_STALLED,     /* a solver has no admissible update */
    STATUS_COUNT
};

struct error {
    enum status status;
    char message[1024]; /* one line without a newline */
};

/* Writes status and the formatted message, as visible_text shows it, into *error (which may be NULL); returns status.
 * Never allocates. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Short text of a status; never NULL. */
const char *status_text(enum status status);

#endif
