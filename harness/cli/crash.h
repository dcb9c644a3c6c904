/* Reports a plugin that crashes the program, or calls exit, before the program ends. */
#ifndef HULLBENCH_CRASH_H
#define HULLBENCH_CRASH_H

/* Installs handlers: SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on a thread that loads a plugin or runs a part of one
 * (harness/evaluate/running.h) write one line about it to standard error. The signal then ends the program as usual. */
void crash_watch(void);
/* Adds to the line that the same command resumes the run. */
void crash_may_resume(void);

/* For a handler of exit: writes the same line, about a call of exit. Returns nonzero if the thread that called exit was
 * loading a plugin or running a part of one. */
int crash_is_exit_of_plugin(void);

#endif
