/*
 * The line of progress on a terminal: "  312/1140  42 s, 1 min 05 s left  banana 3, mu-gsk: 12 s". Work reports when
 * an item begins or ends (harness/base/terminal.h), and a thread draws the line again twice a second, so that the
 * times go on during a long item. The time left is that of the last report minus the time since. If that is used up,
 * the estimate was too low, and none is shown until an item ends.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "harness/base/terminal.h"
#include "harness/cli/cli.h"
#include "harness/format/number_text.h"
#include "solvers/clock.h"
#include "solvers/visible_text.h"

static const double pause = 0.2; /* seconds between two reports that are drawn */

static struct {
    pthread_mutex_t lock;
    int is_active, has_thread;
    char what[160];
    struct work_progress progress;
    double reported, drawn; /* by clock_now */
} shown = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { PROGRESS_SIZE = 1000 };

/* Writes the line of a report as it is to be drawn now. */
static void write_line(const struct work_progress *progress, double reported, double now, char text[PROGRESS_SIZE])
{
    const double left = progress->left - (now - reported);
    int used = snprintf(text, PROGRESS_SIZE, "  %zu%s%s%s  %s", progress->done,
                        progress->total ? message_text("/%zu", progress->total) : "", progress->unit ? " " : "",
                        progress->unit ? progress->unit : "", number_text_duration(now - progress->started));
    if (left > 0 && progress->done < progress->total)
        used += snprintf(text + used, PROGRESS_SIZE - (size_t)used, ", %s left", number_text_duration(left));
    if (progress->what)
        used += snprintf(text + used, PROGRESS_SIZE - (size_t)used, "  %s", progress->what);
    if (progress->what && progress->since > progress->started)
        snprintf(text + used, PROGRESS_SIZE - (size_t)used, ": %s", number_text_duration(now - progress->since));
}

/* The lock must be held. */
static void draw(double now)
{
    char text[PROGRESS_SIZE];
    write_line(&shown.progress, shown.reported, now, text);
    terminal_show(text);
    shown.drawn = now;
}

static void *draw_again(void *unused)
{
    const struct timespec half_a_second = {.tv_nsec = 500000000};
    for (;;) {
        nanosleep(&half_a_second, NULL);
        pthread_mutex_lock(&shown.lock);
        if (shown.is_active && clock_now() - shown.drawn > pause)
            draw(clock_now());
        pthread_mutex_unlock(&shown.lock);
    }
    return unused;
}

static void show(void *unused, const struct work_progress *progress)
{
    const double now = clock_now();
    (void)unused;
    pthread_mutex_lock(&shown.lock);
    shown.is_active = progress != NULL;
    if (progress) {
        shown.progress = *progress;
        shown.reported = now;
        snprintf(shown.what, sizeof shown.what, "%s", progress->what ? progress->what : "");
        shown.progress.what = progress->what ? shown.what : NULL;
        if (now - shown.drawn > pause || progress->done == progress->total)
            draw(now);
    } else
        terminal_clear();
    pthread_mutex_unlock(&shown.lock);
}

/* The signals of the program are for its other threads. */
static void start_thread(void)
{
    pthread_t thread;
    sigset_t all, usual;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &usual);
    if (!shown.has_thread && pthread_create(&thread, NULL, draw_again, NULL) == 0) {
        pthread_detach(thread);
        shown.has_thread = 1;
    }
    pthread_sigmask(SIG_SETMASK, &usual, NULL);
}

progress_report *progress_watch(int quiet)
{
    if (quiet || !terminal_has_control(stderr))
        return NULL;
    start_thread();
    return show;
}

/* ---- reading ---- */

/* A file that is read within this many seconds shows nothing. */
static const double patience = 2;

/* Threads of a run may read several files at once. */
static void show_reading(void *unused, const struct input_progress *input)
{
    const double megabyte = 1e6, now = clock_now(), rate = input->bytes / input->seconds;
    char what[sizeof shown.what] = "reading ";
    const struct work_progress progress = {
        .what = what, .since = now - input->seconds, .started = now - input->seconds, .unit = "MB",
        .done = (size_t)(input->bytes / megabyte), .total = input->size > 0 ? (size_t)(input->size / megabyte) : 0,
        .left = input->size > 0 ? (input->size - input->bytes) / rate : -1};
    if (input->seconds < patience)
        return;
    visible_text(input->path, what + strlen(what), sizeof what - strlen(what));
    show(unused, input->is_done ? NULL : &progress);
}

static const struct input_watch reading_line = {show_reading, NULL};

const struct input_watch *reading_watch(int quiet)
{
    return progress_watch(quiet) ? &reading_line : NULL;
}
