/* The line that a terminal shows while a large file is read. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "harness/cli/cli.h"

enum { SIZE = 400 };

/* What the line's watch writes to standard error for a report. */
static const char *shown(const struct input_progress *progress)
{
    static char text[SIZE];
    FILE *file = tmpfile();
    fflush(stderr);
    const int usual = dup(STDERR_FILENO);
    assert_true(file && usual >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    reading_line.report(reading_line.context, progress);
    fflush(stderr);
    assert_true(dup2(usual, STDERR_FILENO) >= 0);
    close(usual);
    rewind(file);
    text[fread(text, 1, SIZE - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void a_file_read_within_two_seconds_shows_nothing(void **state)
{
    (void)state;
    assert_string_equal(shown(&(struct input_progress){"x.csv", 1e6, 5e6, 1.9, 0}), "");
    assert_string_equal(shown(&(struct input_progress){"x.csv", 5e6, 5e6, 1.99, 1}), "");
}

/* 300 of 1000 MB within 4 s: 75 MB/s, so the remaining 700 MB take 9.3 s. */
static void size_rate_and_time_left_are_shown(void **state)
{
    (void)state;
    assert_string_equal(shown(&(struct input_progress){"x.csv", 3e8, 1e9, 4, 0}),
                        "\r  reading x.csv: 300 of 1000 MB  75 MB/s  0:09 left   \033[K");
    assert_string_equal(shown(&(struct input_progress){"x.csv", 3.1e8, 1e9, 4.1, 0}), ""); /* too soon */
    assert_string_equal(shown(&(struct input_progress){"x.csv", 4e8, 1e9, 5, 0}),
                        "\r  reading x.csv: 400 of 1000 MB  80 MB/s  0:08 left   \033[K");
    assert_string_equal(shown(&(struct input_progress){"x.csv", 1e9, 1e9, 5.1, 1}), "\r\033[K"); /* cleared */
    assert_string_equal(shown(&(struct input_progress){"x.csv", 1e9, 1e9, 5.1, 1}), "");
}

static void a_pipe_has_no_size_and_no_time_left(void **state)
{
    (void)state;
    assert_string_equal(shown(&(struct input_progress){"-", 3e8, -1, 4, 0}),
                        "\r  reading -: 300 MB  75 MB/s     \033[K");
}

static void quiet_shows_no_line(void **state)
{
    (void)state;
    assert_null(reading_watch(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_read_within_two_seconds_shows_nothing),
        cmocka_unit_test(size_rate_and_time_left_are_shown),
        cmocka_unit_test(a_pipe_has_no_size_and_no_time_left),
        cmocka_unit_test(quiet_shows_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
