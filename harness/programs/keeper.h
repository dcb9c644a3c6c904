/*
 * Runs a child program such that it never outlives this process, however either of them ends. Between the two stands a
 * small process, the keeper: it is the reaper of all processes that descend from the program (prctl(2),
 * PR_SET_CHILD_SUBREAPER), it waits for the end of the program and of this process, and then kills what remains.
 */
#ifndef HULLBENCH_KEEPER_H
#define HULLBENCH_KEEPER_H

#include <sys/types.h>

/* A program that runs, and this process's ends of its pipes. */
struct kept {
    pid_t keeper, program;
    int life;   /* socket to the keeper; -1: nothing runs */
    int input;  /* written by this process; does not block */
    int output, errors; /* read by this process; do not block */
};

/* Starts the program in a folder, searched along PATH if its name has no slash. Returns 0 or an errno. A program that
 * cannot be executed ends with status 127 and says why on its standard error. */
int keeper_start(const char *folder, const char *const arguments[], struct kept *kept);

/* After the program has closed its output: waits up to a second and writes how the program ended, such as
 * "ended with status 3" or "was killed by SIGSEGV". */
void keeper_how_it_ended(const struct kept *kept, char *text, unsigned size);

/* Closes the pipes and waits until nothing of the program is left: a program that ends when its input ends has
 * `grace` milliseconds. Accepts what does not run. */
void keeper_end(struct kept *kept, int grace);

/* In a copy of the process: closes its copies of the descriptors; the program runs on for the original. */
void keeper_forget(struct kept *kept);

#endif
