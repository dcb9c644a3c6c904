/* A plugin that crashes the program, or ends it by exit, is named before the program dies. */
#ifndef HULLBENCH_CRASH_H
#define HULLBENCH_CRASH_H

/* From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on a thread that loads a plugin or runs a part of one
 * (harness/evaluate/running.h) write one line about it to standard error. The program then dies by the signal, as it
 * would have. */
void crash_watch(void);

/* For a handler of exit: writes the same line, about a call of exit, and returns nonzero where the thread that called
 * exit was loading a plugin or running a part of one. */
int crash_is_exit_of_plugin(void);

#endif
