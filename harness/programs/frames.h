/*
 * The frames that hullbench and a solver's program exchange over the program's standard input and output
 * (docs/programs.md):
 *
 *     byte 0      kind, a capital letter
 *     bytes 1-3   0
 *     bytes 4-7   number of bytes that follow, an unsigned integer
 *
 * Numbers have the byte order of the machine; reals are IEEE 754 doubles. Every wait has an end: the program's death,
 * a time, or an interrupt. The program's standard error is read all the time, so that it can't block; its end is kept.
 */
#ifndef HULLBENCH_FRAMES_H
#define HULLBENCH_FRAMES_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "harness/base/die.h"

/*
 * ---- the process (keeper.c) ----
 *
 * It is run such that it never outlives this process, however either of them ends. Between the two stands a
 * small process, the keeper: it is the reaper of all processes that descend from the program (prctl(2),
 * PR_SET_CHILD_SUBREAPER), it waits for the end of the program and of this process, and then kills what remains.
 */

/* A program that runs, and this process's ends of its pipes. */
struct kept {
    pid_t keeper, program;
    int life;   /* socket to the keeper; -1: nothing runs */
    int input;  /* written by this process; does not block */
    int output, errors; /* read by this process; do not block */
};

/* Starts the program in a folder, searched along PATH if its name has no slash. Returns 0, or an errno if processes,
 * memory or descriptors ran out. A program that cannot be executed ends with status 127 and says why on its standard
 * error. */
int keeper_start(const char *folder, const char *const arguments[], struct kept *kept);

/* After the program has closed its output: waits up to a second and says how the program ended, such as
 * "ended with status 3" or "was killed by SIGSEGV" (message_room). */
const char *keeper_how_it_ended(const struct kept *kept);

/* Closes the pipes and waits until nothing of the program is left: a program that ends when its input ends has
 * `grace` milliseconds. Accepts what does not run. */
void keeper_end(struct kept *kept, int grace);

/* In a copy of the process: closes its copies of the descriptors; the program runs on for the original. */
void keeper_forget(struct kept *kept);

/* ---- frames (frames.c) ---- */

enum { FRAME_HEAD = 8, FRAME_BUFFER = 1 << 16, SAID_SIZE = 512 };

struct frames {
    struct kept kept;
    double deadline;       /* on clock_now */
    double patience;       /* the seconds that led to it, for messages */
    const char *patience_of; /* "the step", "the job" */
    const volatile sig_atomic_t *interrupted; /* may be NULL */
    size_t begin, end;     /* of the bytes in `buffer` that have not been taken */
    char said[SAID_SIZE];  /* the end of what the program wrote to standard error */
    size_t n_said;
    int is_silent; /* it has closed standard error */
    char buffer[FRAME_BUFFER];
};

struct frame {
    char kind;
    uint32_t bytes;
};

/* Sends a frame whose content is the two parts in turn. Returns STATUS_OK; STATUS_INTERRUPTED; or STATUS_NOT_FOUND with
 * a message that says what the program did. After an error only keeper_end(&frames->kept) may follow. */
enum status frames_send(struct frames *frames, char kind, const void *first, size_t first_bytes, const void *second,
                        size_t second_bytes, struct error *error);

/* Receives the head of a frame, then its content, in parts as the caller likes. Errors as above. */
enum status frames_head(struct frames *frames, struct frame *frame, struct error *error);
enum status frames_take(struct frames *frames, void *into, size_t bytes, struct error *error);

/* Sets the error to what the program did, with the last line that it said: STATUS_NOT_FOUND. */
enum status frames_blame_for(struct frames *frames, struct error *error, const char *what);
#define frames_blame(frames, error, ...) frames_blame_for((frames), (error), message_text(__VA_ARGS__))

#endif
