/* A plugin that crashes the program is named before the program dies. */
#ifndef HULLBENCH_CRASH_H
#define HULLBENCH_CRASH_H

/* From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on a thread that loads a plugin or runs a part of one
 * (harness/evaluate/running.h) write one line about it to standard error. The program then dies by the signal, as it
 * would have. */
void crash_watch(void);

#endif
