/* Verbs that run for a long time (interruptible.h). */
#include "harness/cli/interruptible.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_environment.h"
#include "harness/cli/crash.h"
#include "harness/cli/outputs.h"

void progress_time(FILE *stream, double seconds)
{
    unsigned long whole = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;
    fprintf(stream, "%lu:%02lu", whole / 60, whole % 60);
}

/* Draws the line on standard error, at most five times a second, and clears it at the end. `context` holds the time in
 * seconds when it was last drawn. */
static void progress_show(void *context, const struct run_progress *progress)
{
    double *shown = context;
    const double pause = 0.2; /* seconds between updates */
    if (progress->done < progress->total && progress->seconds - *shown < pause)
        return;
    *shown = progress->seconds;
    fprintf(stderr, "\r  %zu/%zu  %.1f/s  ", progress->done, progress->total,
            progress->seconds > 0 ? (double)progress->done / progress->seconds : 0);
    if (progress->seconds_left >= 0) {
        progress_time(stderr, progress->seconds_left);
        fputs(" left", stderr);
    }
    fputs("   \033[K", stderr);
    if (progress->done == progress->total)
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

static void reading_draw(struct reading_line *line, const struct input_progress *progress)
{
    const double begin = 2, pause = 0.2, megabyte = 1e6; /* seconds, bytes */
    if (progress->is_done && line->shown > 0) {
        fputs("\r\033[K", stderr);
        line->shown = 0;
    }
    if (progress->is_done || progress->seconds < begin || progress->seconds - line->shown < pause)
        return;
    double rate = progress->bytes / progress->seconds;
    line->shown = progress->seconds;
    fputs("\r  reading ", stderr);
    cli_print_text(stderr, progress->path);
    fprintf(stderr, ": %.0f", progress->bytes / megabyte);
    if (progress->size > 0)
        fprintf(stderr, " of %.0f", progress->size / megabyte);
    fprintf(stderr, " MB  %.0f MB/s  ", rate / megabyte);
    if (progress->size > 0 && rate > 0) {
        progress_time(stderr, (progress->size - progress->bytes) / rate);
        fputs(" left", stderr);
    }
    fputs("   \033[K", stderr);
    fflush(stderr);
}

/* Threads of a run may read several files at once. */
static void reading_show(void *context, const struct input_progress *progress)
{
#pragma omp critical(reading_line)
    reading_draw(context, progress);
}

const struct input_watch *reading_line_begin(struct reading_line *line, int quiet)
{
    *line = (struct reading_line){.watch = {reading_show, line}};
    return !quiet && isatty(STDERR_FILENO) ? &line->watch : NULL;
}

/* The state that signal handlers change. */
static volatile sig_atomic_t interrupted;

static timer_t timer;

/* The line that a signal ends the program with. */
static const char *last_line;

/* Solvers check for interruption between iterations and stop at once. Work that cannot check (a matrix, a judgement of
 * many patterns, a plugin) gets half a second: schedulers kill soon after. Files are complete at any moment, so the
 * process may end anywhere. */
static void on_signal(int number)
{
    const struct itimerspec wait = {.it_value = {.tv_nsec = 500000000}};
    interrupted = number;
    timer_settime(timer, 0, &wait, NULL);
}

/* Ends the process by the signal itself, so that shells and schedulers see it. */
static void end_by_signal(int number)
{
    (void)number;
    if (write(STDERR_FILENO, last_line, strlen(last_line)) < 0) {
        /* standard error is closed */
    }
    cli_outputs_unlink();
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}

static void heed_signals(void)
{
    struct sigaction note = {.sa_handler = on_signal}, end = {.sa_handler = end_by_signal};
    struct sigevent expiry = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    if (timer_create(CLOCK_MONOTONIC, &expiry, &timer) != 0)
        die(STATUS_IO, "cannot set a timer: %s", strerror(errno));
    sigaction(SIGALRM, &end, NULL);
    sigaction(SIGINT, &note, NULL);
    sigaction(SIGTERM, &note, NULL);
}

/* When the verb's memory is released, after its locks and files. */
static void end_if_interrupted(void *unused)
{
    (void)unused;
    if (interrupted)
        end_by_signal(SIGALRM);
}

void interruptible_begin(struct cli_arguments *arguments)
{
    static struct reading_line reading;
    static double shown;
    struct run_options *options = &arguments->run;
    options->reading = reading_line_begin(&reading, arguments->quiet);
    options->search_path = cli_search_path();
    last_line = arguments->keeps_nothing ? "hullbench: interrupted; nothing is kept\n"
                                         : "hullbench: finished work is kept; the same command resumes it\n";
    if (!arguments->keeps_nothing)
        crash_may_resume();
    options->simd = cli_simd();
    heed_signals();
    pool_keep(arguments->pool, end_if_interrupted, NULL);
    options->cache = cli_cache(arguments->pool);
    options->interrupted = &interrupted;
    if (!arguments->quiet && isatty(STDERR_FILENO)) {
        options->report = progress_show;
        options->context = &shown;
    }
}
