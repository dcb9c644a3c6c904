/* The line of progress that a terminal shows: of jobs, and while a large file is read. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "harness/cli/cli.h"
#include "solvers/clock.h"
#include "tests/pseudo_terminal.h"

enum { SIZE = 4000 };

/* Standard error is a pseudo-terminal during a test. */
struct bench {
    struct pseudo_terminal terminal;
    int usual;
    char text[SIZE];
};

static int open_bench(void **state)
{
    static struct bench bench;
    if (pseudo_terminal_open(&bench.terminal) != 0)
        return -1;
    fflush(stderr);
    bench.usual = dup(STDERR_FILENO);
    if (bench.usual < 0 || dup2(bench.terminal.slave, STDERR_FILENO) < 0)
        return -1;
    setenv("TERM", "xterm", 1);
    setenv("COLUMNS", "80", 1);
    *state = &bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    dup2(bench->usual, STDERR_FILENO);
    close(bench->usual);
    close(bench->terminal.slave);
    close(bench->terminal.master);
    return 0;
}

/* What the terminal got since the last call. */
static const char *shown(struct bench *bench)
{
    return pseudo_terminal_shown(&bench->terminal, bench->text, SIZE);
}

static void nap(double seconds)
{
    const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

/* The last line of the terminal, as soon as it does not have the text: it is drawn again every half a second, on a busy
 * machine later. Fails after some ten seconds. */
static const char *last_line_without(struct bench *bench, const char *text)
{
    for (int tries = 0; tries < 50; tries++) {
        const char *last = strrchr(shown(bench), '\r');
        if (last && !strstr(last, text))
            return last;
        nap(0.2);
    }
    fail_msg("the line still has \"%s\"", text);
    return NULL;
}

/* The work has run for 61 s and the job for 4 s; 1.6 s later, each time is another. */
static void a_long_job_is_drawn_again_and_its_times_go_on(void **state)
{
    struct bench *bench = *state;
    progress_report *report = progress_watch(0);
    nap(0.3); /* lines are drawn at most five times a second */
    const double now = clock_now();
    const struct work_progress progress = {
        .what = "banana 3, mu-gsk", .since = now - 4, .started = now - 61, .done = 7, .total = 16, .left = 66.4};
    assert_non_null(report);
    report(NULL, &progress);
    assert_non_null(strstr(shown(bench), "\r  7/16  1 min 01 s, 1 min 06 s left  banana 3, mu-gsk: 4 s\033[K"));
    nap(1.6);
    const char *last = last_line_without(bench, "1 min 01 s, ");
    assert_non_null(strstr(last, "  7/16  1 min "));
    assert_null(strstr(last, "1 min 06 s left"));
    assert_null(strstr(last, "mu-gsk: 4 s"));
    report(NULL, NULL);
    assert_string_equal(shown(bench) + strlen(bench->text) - 4, "\r\033[K");
    nap(1.2);
    assert_string_equal(shown(bench), ""); /* nothing is drawn after the end */
}

/* An estimate that is used up was wrong, so it is not shown, nor does it grow. */
static void a_time_left_that_is_used_up_is_not_shown(void **state)
{
    struct bench *bench = *state;
    progress_report *report = progress_watch(0);
    const double now = clock_now();
    struct work_progress progress = {
        .what = "banana 3, mu-gsk", .since = now - 1, .started = now - 60, .done = 7, .total = 16, .left = 0.4};
    report(NULL, &progress);
    last_line_without(bench, "left");
    progress.left = -1; /* unknown */
    progress.done = progress.total;
    report(NULL, &progress);
    assert_non_null(strstr(shown(bench), "\r  16/16  "));
    assert_null(strstr(bench->text, "left"));
    report(NULL, NULL);
}

static void a_file_read_within_two_seconds_shows_nothing(void **state)
{
    struct bench *bench = *state;
    const struct input_watch *watch = reading_watch(0);
    watch->report(watch->context, &(struct input_progress){"x.csv", 1e6, 5e6, 1.9, 0});
    watch->report(watch->context, &(struct input_progress){"x.csv", 5e6, 5e6, 1.99, 1});
    assert_string_equal(shown(bench), "");
}

/* 300 of 1000 MB within 4 s: 75 MB/s, so the remaining 700 MB take 9.3 s. */
static void size_and_time_left_of_a_file_are_shown(void **state)
{
    struct bench *bench = *state;
    const struct input_watch *watch = reading_watch(0);
    nap(0.3);
    watch->report(watch->context, &(struct input_progress){"x\033.csv", 3e8, 1e9, 4.1, 0});
    assert_non_null(strstr(shown(bench), "\r  300/1000 MB  4 s, 10 s left  reading x\\x1B.csv\033[K"));
    watch->report(watch->context, &(struct input_progress){"x.csv", 3.1e8, 1e9, 4.2, 0});
    assert_null(strstr(shown(bench), "310/")); /* too soon */
    watch->report(watch->context, &(struct input_progress){"x.csv", 1e9, 1e9, 5.1, 1});
    assert_string_equal(shown(bench), "\r\033[K");
}

static void a_pipe_has_no_size_and_no_time_left(void **state)
{
    struct bench *bench = *state;
    const struct input_watch *watch = reading_watch(0);
    nap(0.3);
    watch->report(watch->context, &(struct input_progress){"-", 3e8, -1, 4.1, 0});
    assert_non_null(strstr(shown(bench), "\r  300 MB  4 s  reading -\033[K"));
    watch->report(watch->context, &(struct input_progress){"-", 3e8, -1, 4.2, 1});
}

static void quiet_and_dumb_terminals_show_no_line(void **state)
{
    (void)state;
    assert_null(progress_watch(1));
    assert_null(reading_watch(1));
    setenv("TERM", "dumb", 1);
    assert_null(progress_watch(0));
    assert_null(reading_watch(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_long_job_is_drawn_again_and_its_times_go_on, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(a_time_left_that_is_used_up_is_not_shown, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(a_file_read_within_two_seconds_shows_nothing, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(size_and_time_left_of_a_file_are_shown, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(a_pipe_has_no_size_and_no_time_left, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(quiet_and_dumb_terminals_show_no_line, open_bench, close_bench),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
