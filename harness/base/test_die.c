/* Errors end the program with one message and the documented status, or the attempt; cleanups run once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/pool.h"
#include "harness/base/die.h"

/* Runs `work` in a child; returns its exit status, and what it wrote on standard error. */
static int status_of(void (*work)(void), char *text, size_t size)
{
    int ends[2], how;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        work();
        _exit(99);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    waitpid(child, &how, 0);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static void say(void *text)
{
    fprintf(stderr, "%s\n", (const char *)text);
}

static char one[] = "first", two[] = "second", none[] = "cancelled";

static void die_with_two_cleanups(void)
{
    struct cleanup first, second, cancelled;
    cleanup_note(&first, say, one);
    cleanup_note(&cancelled, say, none);
    cleanup_note(&second, say, two);
    cleanup_cancel(&cancelled);
    cleanup_cancel(&cancelled);
    die(STATUS_BAD_INPUT, "f.json: %s: \x1b[1m", "key");
}

static void the_program_ends_with_one_message(void **state)
{
    char text[200];
    (void)state;
    assert_int_equal(status_of(die_with_two_cleanups, text, sizeof text), EXIT_BAD_USE);
    assert_string_equal(text, "hullbench: f.json: key: \\x1B[1m\nsecond\nfirst\n");
}

static void fail_without_memory(void)
{
    struct pool *pool = pool_new();
    pool_array(pool, SIZE_MAX / 2, 3);
}

static void fail_without_text(void)
{
    die_of(&(struct error){.status = STATUS_NOT_FOUND});
}

static void *fail_in_thread(void *unused)
{
    (void)unused;
    die(STATUS_IO, "thread");
}

static void fail_beside(void)
{
    struct cleanup ours;
    pthread_t thread;
    cleanup_note(&ours, say, one);
    if (pthread_create(&thread, NULL, fail_in_thread, NULL) == 0)
        pthread_join(thread, NULL);
}

static void each_status_has_its_exit_status(void **state)
{
    char text[200];
    (void)state;
    assert_int_equal(status_of(fail_without_memory, text, sizeof text), EXIT_SYSTEM);
    assert_string_equal(text, "hullbench: out of memory\n");
    assert_int_equal(status_of(fail_without_text, text, sizeof text), EXIT_NO_DATA);
    assert_string_equal(text, "hullbench: not found\n");
    assert_int_equal(status_of(fail_beside, text, sizeof text), EXIT_SYSTEM);
    assert_string_equal(text, "hullbench: thread\n");
}

/* ---- attempts ---- */

struct diary {
    char text[100];
    int goes_wrong;
};

static void write_a(void *diary)
{
    strcat(((struct diary *)diary)->text, "a");
}

static void write_b(void *diary)
{
    strcat(((struct diary *)diary)->text, "b");
}

static void work(void *data)
{
    struct diary *diary = data;
    struct cleanup a, b;
    cleanup_note(&a, write_a, diary);
    cleanup_note(&b, write_b, diary);
    struct pool *pool = pool_new();
    pool_printf(pool, "%s", "is released");
    if (diary->goes_wrong)
        die(STATUS_IO, "number %d", 7);
    cleanup_cancel(&a);
    cleanup_cancel(&b);
    pool_free(pool);
}

static void an_attempt_returns_the_error(void **state)
{
    struct error caught = {.status = STATUS_OK, .message = "as before"};
    struct diary diary = {.goes_wrong = 0};
    (void)state;
    assert_int_equal(attempt(work, &diary, &caught), STATUS_OK);
    assert_string_equal(caught.message, "as before");
    assert_string_equal(diary.text, "");
    diary.goes_wrong = 1;
    assert_int_equal(attempt(work, &diary, &caught), STATUS_IO);
    assert_int_equal(caught.status, STATUS_IO);
    assert_string_equal(caught.message, "number 7");
    assert_string_equal(diary.text, "ba");
    assert_int_equal(attempt(work, &diary, NULL), STATUS_IO);
}

static void outer(void *data)
{
    struct error caught;
    struct cleanup a;
    cleanup_note(&a, write_a, data);
    assert_int_equal(attempt(work, data, &caught), STATUS_IO);
    strcat(((struct diary *)data)->text, "|");
    die_of(&caught);
}

static void fail_with(void *data)
{
    const enum status *status = data;
    die(*status, "so");
}

static void find_fault(void *data)
{
    struct error caught = {0};
    assert_int_equal(attempt_on_file(fail_with, data, &caught), STATUS_BAD_INPUT);
    assert_string_equal(caught.message, "so");
}

/* The system's failures pass through an attempt that notes what is wrong with a file. */
static void a_failure_of_the_system_is_no_fault_of_a_file(void **state)
{
    enum status found = STATUS_BAD_INPUT, system[] = {STATUS_NO_MEMORY, STATUS_IO};
    struct error caught = {0};
    (void)state;
    assert_int_equal(attempt(find_fault, &found, &caught), STATUS_OK);
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(attempt(find_fault, &system[k], &caught), system[k]);
        assert_string_equal(caught.message, "so");
    }
}

static void attempts_nest(void **state)
{
    struct error caught;
    struct diary diary = {.goes_wrong = 1};
    (void)state;
    assert_int_equal(attempt(outer, &diary, &caught), STATUS_IO);
    assert_string_equal(caught.message, "number 7");
    assert_string_equal(diary.text, "ba|a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_ends_with_one_message),
        cmocka_unit_test(each_status_has_its_exit_status),
        cmocka_unit_test(an_attempt_returns_the_error),
        cmocka_unit_test(attempts_nest),
        cmocka_unit_test(a_failure_of_the_system_is_no_fault_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
