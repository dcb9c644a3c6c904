/* Only one writer holds a folder, within one process or across two, until it releases the folder or ends, however it
 * ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "tests/all_tests.h"
#include "tests/scratch_folder.h"

struct fixture {
    char folder[64], other[64], path[96];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    assert_non_null(scratch_folder_new(fixture->folder, "test-lock"));
    assert_non_null(scratch_folder_new(fixture->other, "test-lock"));
    snprintf(fixture->path, sizeof fixture->path, "%s/.lock", fixture->folder);
    *state = fixture;
    return 0;
}

/* Removes empty folders: a released lock leaves no file. */
static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(rmdir(fixture->folder), 0);
    assert_int_equal(rmdir(fixture->other), 0);
    free(fixture);
    return 0;
}

struct taking {
    struct folder_lock lock;
    const char *folder;
};

static void take(void *data)
{
    struct taking *taking = data;
    folder_lock_take(&taking->lock, taking->folder);
}

static void check_refused(const struct fixture *fixture, long process)
{
    struct taking taking = {.folder = fixture->folder};
    struct error error = {0};
    char holder[32];
    snprintf(holder, sizeof holder, "process %ld on ", process);
    assert_int_equal(attempt(take, &taking, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, fixture->folder));
    assert_non_null(strstr(error.message, holder));
    assert_non_null(strstr(error.message, "is writing to this folder"));
    folder_lock_release(&taking.lock);
    assert_int_equal(access(fixture->path, F_OK), 0); /* still held */
}

static void check_free(const struct fixture *fixture)
{
    struct folder_lock lock = {0};
    folder_lock_take(&lock, fixture->folder);
    folder_lock_release(&lock);
    folder_lock_release(&lock); /* a second call is harmless */
    assert_int_not_equal(access(fixture->path, F_OK), 0);
}

static void a_second_writer_of_the_same_process_is_refused_until_the_first_is_done(void **state)
{
    const struct fixture *fixture = *state;
    struct folder_lock lock = {0};
    folder_lock_take(&lock, fixture->folder);
    check_refused(fixture, (long)getpid());
    folder_lock_release(&lock);
    check_free(fixture);
}

static void the_lock_of_another_process_ends_with_that_even_if_it_is_killed(void **state)
{
    const struct fixture *fixture = *state;
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct folder_lock lock = {0};
        folder_lock_take(&lock, fixture->folder);
        if (write(ready[1], "x", 1) != 1)
            _exit(1);
        pause();
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    check_refused(fixture, (long)child);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access(fixture->path, F_OK), 0); /* the file that the killed process left */
    check_free(fixture);
    close(ready[0]);
}

static void a_lock_file_of_any_bytes_is_no_obstacle(void **state)
{
    const struct fixture *fixture = *state;
    static const char *const left[] = {"", "1 here\n", "no process", "99999999999999999999999999 x\n"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        file_write(fixture->path, left[i], strlen(left[i]));
        check_free(fixture);
    }
}

/* Two processes take and release the lock a thousand times but never hold it at once. The holder creates the file
 * `held`. */
static int take_often(const struct fixture *fixture)
{
    char held[96];
    int bad = 0;
    snprintf(held, sizeof held, "%s/held", fixture->other);
    for (int i = 0; i < 1000; i++) {
        struct taking taking = {.folder = fixture->folder};
        if (attempt(take, &taking, NULL) != STATUS_OK)
            continue;
        FILE *file = fopen(held, "wx");
        bad += !file;
        if (file)
            fclose(file);
        remove(held);
        folder_lock_release(&taking.lock);
    }
    return bad;
}

static void two_processes_never_hold_it_together(void **state)
{
    const struct fixture *fixture = *state;
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(take_often(fixture) > 0);
    int bad = take_often(fixture);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(bad, 0);
    remove(fixture->path);
}

struct taking_all {
    struct folder_lock *locks;
    const char *const *folders;
};

static void take_all(void *data)
{
    const struct taking_all *all = data;
    folder_lock_all(all->locks, all->folders, 3);
}

static void of_several_folders_all_are_locked_or_none(void **state)
{
    const struct fixture *fixture = *state;
    char again[80];
    struct folder_lock locks[3], one = {0};
    snprintf(again, sizeof again, "%s/", fixture->other);
    const char *const folders[] = {fixture->other, again, fixture->folder};
    memset(locks, 1, sizeof locks); /* need not be zero */
    folder_lock_all(locks, folders, 3);
    assert_true(locks[0].held && !locks[1].held && locks[2].held); /* the second is the first again */
    check_refused(fixture, (long)getpid());
    for (size_t i = 0; i < 3; i++)
        folder_lock_release(&locks[i]);
    folder_lock_take(&one, fixture->folder);
    struct taking_all all = {locks, folders};
    assert_int_equal(attempt(take_all, &all, NULL), STATUS_BAD_INPUT);
    folder_lock_release(&one);
    folder_lock_take(&one, fixture->other);
    folder_lock_release(&one);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
    const struct fixture *fixture = *state;
    struct error error = {0};
    char path[80];
    snprintf(path, sizeof path, "%s/none", fixture->folder);
    struct taking taking = {.folder = path};
    assert_int_equal(attempt(take, &taking, &error), STATUS_IO);
    assert_non_null(strstr(error.message, path));
}

#define LOCK_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOCK_TEST(a_second_writer_of_the_same_process_is_refused_until_the_first_is_done),
        LOCK_TEST(the_lock_of_another_process_ends_with_that_even_if_it_is_killed),
        LOCK_TEST(a_lock_file_of_any_bytes_is_no_obstacle),
        LOCK_TEST(two_processes_never_hold_it_together),
        LOCK_TEST(of_several_folders_all_are_locked_or_none),
        LOCK_TEST(a_folder_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
