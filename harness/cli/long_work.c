/* Verbs that work for long, see long_work.h. */
#include "harness/cli/long_work.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"

/* The one thing a signal handler may touch. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

int long_work(struct run_options *options, struct progress_line *line, int (*work)(void *context), void *context)
{
    options->search_path = getenv("HULLBENCH_DATA");
    options->lanes = cli_lanes();
    if (!options->lanes)
        return EXIT_BAD_USE;
    char *cache = cli_cache();
    options->cache = cache;
    options->interrupted = &interrupted;
    if (line && isatty(STDERR_FILENO)) {
        options->report = progress_show;
        options->context = line;
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    int status = work(context);
    free(cache);
    if (interrupted) { /* end as the signal would have ended us, so that shells and schedulers see it */
        fprintf(stderr, "hullbench: what is finished is kept; the same command goes on from there\n");
        signal(interrupted, SIG_DFL);
        raise(interrupted);
    }
    return status;
}
