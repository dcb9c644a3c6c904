/* Work in a temporary folder that is removed at the end, however the work ends. */
#ifndef HULLBENCH_TEMPORARY_FOLDER_H
#define HULLBENCH_TEMPORARY_FOLDER_H

#include "harness/base/pool.h"

/*
 * Makes an empty folder PREFIX-XXXXXX in TMPDIR, or /tmp, and calls work(context, folder) in a child process. Once
 * the child has ended, also by a signal or a crash, the folder is removed.
 *
 * Returns in both processes: in the child the value of `work`, in the parent the exit status of the child. Both shall
 * then end with it. If a signal has ended the child, the parent ends by the same. SIGINT, SIGTERM, SIGHUP and SIGQUIT
 * to the parent are passed on. Only SIGKILL to the parent leaves the folder behind. There must be no other threads.
 */
int cli_in_temporary_folder(struct pool *pool, const char *prefix,
                            int (*work)(void *context, const char *folder), void *context);

#endif
