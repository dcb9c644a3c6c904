/*
 * The work is done by a child because the program can end anywhere: by a signal half a second after it came
 * (interruptible.h), without memory, or by a crash in a plugin. None of these could remove a folder.
 */
#include "harness/cli/temporary_folder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/support/folder.h"

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on, HEEDED = 2 }; /* the first ones even if they were ignored */

static volatile pid_t child; /* 0: it has ended */

static void pass_on(int number)
{
    if (child > 0)
        kill(child, number);
}

/* Blocks the signals that are passed on; *mask is for ending this. */
static void block_signals(sigset_t *mask)
{
    sigset_t signals;
    sigemptyset(&signals);
    for (size_t i = 0; i < PASSED_ON; i++)
        sigaddset(&signals, passed_on[i]);
    sigprocmask(SIG_BLOCK, &signals, mask);
}

/* Makes the folder and starts the child. Returns 0 in the child, its id in the parent. Meanwhile
 * the signals are blocked, so that none comes between. */
static pid_t start(char *folder)
{
    const struct sigaction action = {.sa_handler = pass_on};
    struct sigaction before;
    sigset_t mask;
    block_signals(&mask);
    fflush(NULL);
    const int is_made = mkdtemp(folder) != NULL;
    const pid_t started = is_made ? fork() : -1;
    const int reason = errno;
    if (started < 0 && is_made)
        rmdir(folder);
    if (started < 0)
        die(STATUS_IO, "%s: %s", folder, strerror(reason));
    child = started;
    for (size_t i = 0; i < PASSED_ON && started > 0; i++)
        if (i < HEEDED || (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN))
            sigaction(passed_on[i], &action, NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return started;
}

/* Waits for the child and removes the folder. */
static int finish(const char *folder)
{
    int how = 0;
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    child = 0;
    const int reason = folder_try_remove(folder);
    if (WIFSIGNALED(how)) {
        signal(WTERMSIG(how), SIG_DFL);
        raise(WTERMSIG(how));
    }
    if (reason)
        die(STATUS_IO, "%s: cannot be removed: %s", folder, strerror(reason));
    return WEXITSTATUS(how);
}

int cli_in_temporary_folder(struct pool *pool, const char *prefix,
                            int (*work)(void *context, const char *folder), void *context)
{
    const char *outer = getenv("TMPDIR");
    char *folder = pool_printf(pool, "%s/%s-XXXXXX", outer && *outer ? outer : "/tmp", prefix);
    if (start(folder) > 0)
        return finish(folder);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return work(context, folder);
}
