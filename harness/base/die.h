/*
 * Errors of the program. `die` ends the program with one message and the documented exit status; only a caller that
 * goes on after an error uses `attempt`. libhullbench (solvers/, harness/evaluate/, harness/library/) returns errors.
 *
 * What has to be undone when the program ends or an attempt fails (a lock, a child, a temporary file, memory) is noted
 * as a cleanup of the thread that made it.
 */
#ifndef HULLBENCH_DIE_H
#define HULLBENCH_DIE_H

#include "solvers/error.h"

enum exit_status { EXIT_OK = 0, EXIT_DIFFERENT = 1, EXIT_BAD_USE = 2, EXIT_NO_DATA = 3, EXIT_SYSTEM = 4 };

/* Ends the innermost attempt of this thread with the error. Without one, prints "hullbench: MESSAGE" on standard error
 * and ends the program, after the thread's cleanups: EXIT_BAD_USE for STATUS_BAD_INPUT, EXIT_NO_DATA for
 * STATUS_NOT_FOUND, else EXIT_SYSTEM. Where other threads work, the program ends at once, without cleanups and without
 * flushing streams, so threads work in attempts. Allocates nothing. The message is shown as error_set does it. */
_Noreturn void die(enum status status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with an error that libhullbench or an attempt returned; an empty message becomes the text of the status. */
_Noreturn void die_of(const struct error *error);
/* die_of(error), unless the function that filled it returned STATUS_OK. */
void die_unless_ok(enum status status, const struct error *error);

/* Room for a part of a message, MESSAGE_ROOM bytes: one of eight that this thread uses in turn, since a message may
 * have several parts. And such a part, formatted. */
enum { MESSAGE_ROOM = 1024 };
char *message_room(void);
const char *message_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Calls work(data). Returns STATUS_OK, or the status of the error that ended it, with *caught filled; *caught is
 * unchanged on success. Cleanups that `work` noted and did not cancel are then run, the latest first. An attempt must
 * not contain the frames of a solver's or a kernel's function, nor the edge of a parallel region. */
enum status attempt(void (*work)(void *data), void *data, struct error *caught);
/* The same where an error is a finding about a file. A failure of the system (STATUS_NO_MEMORY, STATUS_IO) is none: it
 * goes on to the attempt outside, or ends the program. */
enum status attempt_on_file(void (*work)(void *data), void *data, struct error *caught);

/* Something to undo. The struct lives where the thing itself lives, such as in a lock. Zeros: notes nothing. */
struct cleanup {
    void (*undo)(void *data);
    void *data;
    struct cleanup **at, *outer; /* of the list of the thread that noted it */
};
/* Notes undo(data), and that it no longer applies; the latter accepts what is not noted. Both in the same thread. */
void cleanup_note(struct cleanup *cleanup, void (*undo)(void *data), void *data);
void cleanup_cancel(struct cleanup *cleanup);

#endif
