/* Plugins: loading them, and the report on one that ends the program. */
#ifndef HULLBENCH_LOAD_PLUGIN_H
#define HULLBENCH_LOAD_PLUGIN_H

/* Loads the shared object (solvers/plugin.h) and permanently registers its solvers, kernels and stopping rules; call it
 * before threads start. A name without a slash is a file in the current folder. Dies, naming the file, if it does
 * not exist, cannot be loaded, is not a plugin, was compiled for another ABI, or if one of its solvers, kernels or
 * stopping rules is rejected.
 *
 * From here on, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on a thread that loads a plugin or runs a part of one
 * (harness/evaluate/running.h) write one line about it to standard error before they end the program. */
void load_plugin(const char *file);

/* Adds to the line that the same command resumes the run. */
void plugin_crash_may_resume(void);

/* For a handler of exit: writes the same line, about a call of exit. Returns nonzero if the thread that called exit was
 * loading a plugin or running a part of one. */
int plugin_called_exit(void);

#endif
