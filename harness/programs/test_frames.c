/* Frames to and from shell programs, how programs end, and that nothing of them remains. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/programs/frames.h"
#include "solvers/clock.h"
#include "tests/all_tests.h"

/* Starts a shell command with five seconds for each wait. */
static void start(struct frames *frames, const char *script)
{
    const char *const arguments[] = {"sh", "-c", script, NULL};
    memset(frames, 0, sizeof *frames);
    assert_int_equal(keeper_start("/", arguments, &frames->kept), 0);
    frames->deadline = clock_now() + 5;
    frames->patience = 5;
    frames->patience_of = "a test";
}

static void a_frame_comes_back_as_it_was_sent(void **state)
{
    static double sent[4000], received[4000];
    struct frames frames;
    struct frame frame;
    struct error error;
    (void)state;
    for (size_t i = 0; i < 4000; i++)
        sent[i] = (double)i / 3;
    start(&frames, "exec cat");
    for (size_t split = 0; split <= 4000; split += 1000) {
        assert_int_equal(frames_send(&frames, 'X', sent, split * 8, sent + split, (4000 - split) * 8, &error),
                         STATUS_OK);
        assert_int_equal(frames_head(&frames, &frame, &error), STATUS_OK);
        assert_int_equal(frame.kind, 'X');
        assert_int_equal(frame.bytes, sizeof sent);
        memset(received, 0, sizeof received);
        assert_int_equal(frames_take(&frames, received, 8, &error), STATUS_OK);
        assert_int_equal(frames_take(&frames, received + 1, sizeof sent - 8, &error), STATUS_OK);
        assert_memory_equal(sent, received, sizeof sent);
    }
    assert_int_equal(frames_send(&frames, 'E', NULL, 0, NULL, 0, &error), STATUS_OK);
    assert_int_equal(frames_head(&frames, &frame, &error), STATUS_OK);
    assert_int_equal(frame.bytes, 0);
    keeper_end(&frames.kept, 1000);
}

/* The message after the program could not be read. */
static void ends_as(const char *script, const char *text)
{
    struct frames frames;
    struct frame frame;
    struct error error = {.status = STATUS_OK};
    start(&frames, script);
    assert_int_equal(frames_head(&frames, &frame, &error), STATUS_NOT_FOUND);
    assert_string_equal(error.message, text);
    keeper_end(&frames.kept, 0);
}

static void the_message_says_how_a_program_ended(void **state)
{
    (void)state;
    ends_as("exit 3", "the program ended with status 3");
    ends_as("kill -SEGV $$", "the program was killed by SIGSEGV");
    ends_as("echo first >&2; echo last >&2; exit 1", "the program ended with status 1; it said: last");
    ends_as("exec no-such-program-here 2>/dev/null", "the program ended with status 127");
    ends_as("printf 'hello, world'; sleep 100",
            "the program sent bytes that are no frame (68 65 6c 6c): its standard output is for frames only");
    ends_as("printf 'X\\001\\000\\000\\000\\000\\000\\000'; sleep 100",
            "the program sent bytes that are no frame (58 01 00 00): its standard output is for frames only");
}

static void a_wait_ends_in_time_or_when_interrupted(void **state)
{
    volatile sig_atomic_t interrupted = 0;
    struct frames frames;
    struct frame frame;
    struct error error;
    (void)state;
    start(&frames, "sleep 100");
    frames.deadline = clock_now() + 0.2;
    frames.interrupted = &interrupted;
    assert_int_equal(frames_head(&frames, &frame, &error), STATUS_NOT_FOUND);
    assert_string_equal(error.message, "the program exceeded the limit of 5 s of a test");
    frames.deadline = clock_now() + 50;
    interrupted = 1;
    assert_int_equal(frames_head(&frames, &frame, &error), STATUS_INTERRUPTED);
    keeper_end(&frames.kept, 0);
}

static void writing_to_a_program_that_has_ended_is_an_error_and_no_signal(void **state)
{
    static char much[1 << 20];
    struct frames frames;
    struct error error;
    (void)state;
    start(&frames, "exit 4");
    assert_int_equal(frames_send(&frames, 'X', much, sizeof much, NULL, 0, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, "ended with status 4"));
    keeper_end(&frames.kept, 0);
}

/* Reads a line with the number of a process. */
static pid_t read_process(struct frames *frames)
{
    char text[20] = "";
    struct error error;
    for (size_t k = 0; k < sizeof text - 1; k++) {
        assert_int_equal(frames_take(frames, text + k, 1, &error), STATUS_OK);
        if (text[k] == '\n')
            break;
    }
    return (pid_t)strtol(text, NULL, 10);
}

static void nothing_of_a_program_remains(void **state)
{
    /* a child, and a grandchild in a session of its own whose parent has ended */
    static const char *const scripts[] = {
        "sleep 100 & echo $!; wait", "(setsid sh -c 'echo $$; exec sleep 100' &); sleep 100",
        "trap '' TERM INT HUP; echo $$; while :; do sleep 100; done"};
    (void)state;
    for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++) {
        struct frames frames;
        start(&frames, scripts[k]);
        const pid_t process = read_process(&frames);
        assert_true(process > 1 && kill(process, 0) == 0);
        keeper_end(&frames.kept, 0);
        assert_true(kill(process, 0) != 0 && errno == ESRCH);
    }
}

static void a_folder_that_is_missing_is_said(void **state)
{
    struct frames frames;
    struct frame frame;
    struct error error;
    const char *const arguments[] = {"true", NULL};
    (void)state;
    memset(&frames, 0, sizeof frames);
    assert_int_equal(keeper_start("/no/such/folder", arguments, &frames.kept), 0);
    frames.deadline = clock_now() + 5;
    assert_int_equal(frames_head(&frames, &frame, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, "ended with status 127; it said: cannot enter the folder"));
    keeper_end(&frames.kept, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_comes_back_as_it_was_sent),
        cmocka_unit_test(the_message_says_how_a_program_ended),
        cmocka_unit_test(a_wait_ends_in_time_or_when_interrupted),
        cmocka_unit_test(writing_to_a_program_that_has_ended_is_an_error_and_no_signal),
        cmocka_unit_test(nothing_of_a_program_remains),
        cmocka_unit_test(a_folder_that_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
