/* Each function of platform.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/platform.h"
#include "tests/all_tests.h"
#include "tests/scratch_folder.h"

struct fixture {
    char folder[64], file[96];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    assert_non_null(scratch_folder_new(fixture->folder, "test-platform"));
    snprintf(fixture->file, sizeof fixture->file, "%s/file", fixture->folder);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    remove(fixture->file);
    assert_int_equal(rmdir(fixture->folder), 0);
    free(fixture);
    return 0;
}

/* Reads up to the end of the stream. */
static void read_all(int file, char *text, size_t size)
{
    size_t used = 0;
    ssize_t got;
    while (used + 1 < size && (got = read(file, text + used, size - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
}

/* Runs the function in a child; its standard output and error become `text`. Returns the child's exit status, or -1. */
static int in_child(void (*function)(void *context), void *context, char *text, size_t size)
{
    int ends[2], how;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        function(context);
        _exit(99);
    }
    close(ends[1]);
    read_all(ends[0], text, size);
    close(ends[0]);
    assert_int_equal(waitpid(child, &how, 0), child);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/* ---- memory ---- */

static void write_seven(void *pages)
{
    *(int *)pages = 7;
    _exit(0);
}

static void only_shared_pages_show_what_a_child_wrote(void **state)
{
    (void)state;
    char text[100];
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        int *pages = platform_map(100000, is_shared);
        assert_non_null(pages);
        assert_int_equal(pages[0], 0);
        assert_int_equal(pages[20000], 0);
        assert_int_equal(in_child(write_seven, pages, text, sizeof text), 0);
        assert_int_equal(pages[0], is_shared ? 7 : 0);
        assert_int_equal(munmap(pages, 100000), 0);
    }
}

/* ---- files ---- */

static void a_path_is_resolved_and_a_sticky_folder_is_seen(void **state)
{
    const struct fixture *fixture = *state;
    struct stat about;
    char path[100];
    snprintf(path, sizeof path, "%s/.", fixture->folder);
    char *real = platform_real_path(path), *same = platform_real_path(fixture->folder);
    assert_string_equal(real, same);
    free(real);
    free(same);
    assert_null(platform_real_path("/nowhere/at/all"));
    assert_int_equal(stat(fixture->folder, &about), 0);
    assert_false(platform_is_sticky(&about));
    assert_int_equal(chmod(fixture->folder, 01777), 0);
    assert_int_equal(stat(fixture->folder, &about), 0);
    assert_true(platform_is_sticky(&about));
}

static void a_nameless_file_gets_its_name_later(void **state)
{
    const struct fixture *fixture = *state;
    char open_name[32], text[20];
    int file = platform_open_nameless(fixture->folder, 0600);
    if (file < 0)
        skip_for("the file system has no nameless files");
    assert_int_equal(write(file, "new", 3), 3);
    snprintf(open_name, sizeof open_name, "/proc/self/fd/%d", file);
    assert_int_equal(linkat(AT_FDCWD, open_name, AT_FDCWD, fixture->file, AT_SYMLINK_FOLLOW), 0);
    close(file);
    file = open(fixture->file, O_RDONLY);
    assert_true(file >= 0);
    read_all(file, text, sizeof text);
    close(file);
    assert_string_equal(text, "new");
}

static void a_text_stream_keeps_text_and_size(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = platform_text_stream(&text, &size);
    assert_non_null(stream);
    fputs("one", stream);
    assert_int_equal(fflush(stream), 0);
    assert_string_equal(text, "one");
    for (int i = 0; i < 5000; i++)
        fprintf(stream, " %d", i % 10);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(size, 3 + 2 * 5000);
    assert_int_equal(strlen(text), size);
    assert_string_equal(text + size - 4, " 8 9");
    free(text);
}

/* ---- this program ---- */

static void show_status(int status, void *context)
{
    _exit(status + *(int *)context);
}

static void end_by_ourselves(void *ten)
{
    platform_on_exit(show_status, ten);
    exit(5);
}

static void end_by_a_library(void *ten)
{
    platform_on_exit(show_status, ten);
    exit(EXIT_FAILURE);
}

static void the_status_is_known_at_the_end(void **state)
{
    (void)state;
    int ten = 10;
    char text[100];
    assert_int_equal(in_child(end_by_ourselves, &ten, text, sizeof text), 15);
    assert_int_equal(in_child(end_by_a_library, &ten, text, sizeof text), 10 + EXIT_FAILURE);
}

/* ---- other processes ---- */

extern char **environ;

/* Valgrind and qemu's user emulation let posix_spawn fork, so it does not learn that the child failed to start. */
static int spawn_reports_failures(void)
{
    char missing[] = "./no-program";
    char *const arguments[] = {missing, NULL};
    pid_t child;
    if (posix_spawnp(&child, missing, NULL, NULL, arguments, environ) != 0)
        return 1;
    assert_int_equal(waitpid(child, NULL, 0), child);
    return 0;
}

static void a_program_starts_in_its_folder_without_input(void **state)
{
    const struct fixture *fixture = *state;
    char shell[] = "sh", option[] = "-c", commands[] = "cat && pwd -P && echo wrong >&2";
    char *const arguments[] = {shell, option, commands, NULL};
    char text[200], expected[200], *real = platform_real_path(fixture->folder);
    int ends[2], how;
    pid_t child;
    snprintf(expected, sizeof expected, "%s\nwrong\n", real);
    free(real);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(platform_start(fixture->folder, arguments, ends[1], &child), 0);
    close(ends[1]);
    read_all(ends[0], text, sizeof text);
    close(ends[0]);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_string_equal(text, expected);
}

static void a_missing_program_or_folder_starts_nothing(void **state)
{
    const struct fixture *fixture = *state;
    char shell[] = "sh", missing[] = "./no-program";
    char *const none[] = {missing, NULL}, *const arguments[] = {shell, NULL};
    pid_t child;
    int how;
    if (!spawn_reports_failures())
        skip_for("posix_spawn does not report a missing program here");
    assert_int_equal(platform_start(fixture->folder, none, STDOUT_FILENO, &child), ENOENT);
    assert_int_equal(platform_start(fixture->file, arguments, STDOUT_FILENO, &child), ENOENT);
    assert_int_equal(waitpid(-1, &how, WNOHANG), -1); /* no child remains */
}

static void a_stopped_child_is_seen_and_waited_for(void **state)
{
    (void)state;
    siginfo_t info;
    int how;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        raise(SIGSTOP);
        _exit(3);
    }
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOWAIT), 0);
    assert_true(platform_is_stopped(child));
    assert_true(platform_is_stopped(child)); /* the state is not consumed */
    assert_int_equal(kill(child, SIGCONT), 0);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(WEXITSTATUS(how), 3);
}

/* Starts a child that says when it has begun, and waits with it. The pipe closes when both have ended. */
static void wait_with_a_child(int pipe_end)
{
    const pid_t here = getpid();
    if (platform_fork() == 0) {
        platform_begin_child(here);
        if (write(pipe_end, "begun", 5) != 5)
            _exit(1);
        sleep(300);
        _exit(0);
    }
    close(pipe_end);
    for (;;)
        pause();
}

static void a_child_does_not_outlive_its_parent(void **state)
{
    (void)state;
    int ends[2], how;
    char text[6] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        wait_with_a_child(ends[1]);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], text, 5), 5);
    assert_string_equal(text, "begun");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &how, 0), child);
    struct pollfd closed = {.fd = ends[0], .events = POLLIN};
    assert_int_equal(poll(&closed, 1, 60000), 1);
    assert_int_equal(read(ends[0], text, 1), 0);
    close(ends[0]);
}

static void allocated_bytes_are_counted(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    const size_t before = platform_bytes_allocated();
    void *volatile block = malloc(SIZE);
    assert_non_null(block);
    const size_t after = platform_bytes_allocated();
    free(block);
    assert_true(after == before || after - before >= SIZE); /* a sanitizer has no statistics */
}

/* ---- the system ---- */

static void what_is_unknown_of_the_system_is_left_out(void **state)
{
    (void)state;
    char text[8192];
    const char *processor = platform_processor(text, sizeof text);
    assert_true(!processor || (*processor && !strchr(processor, '\n')));
    assert_true(platform_peak_megabytes() >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_shared_pages_show_what_a_child_wrote),
        cmocka_unit_test_setup_teardown(a_path_is_resolved_and_a_sticky_folder_is_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_nameless_file_gets_its_name_later, set_up, tear_down),
        cmocka_unit_test(a_text_stream_keeps_text_and_size),
        cmocka_unit_test(the_status_is_known_at_the_end),
        cmocka_unit_test_setup_teardown(a_program_starts_in_its_folder_without_input, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_missing_program_or_folder_starts_nothing, set_up, tear_down),
        cmocka_unit_test(a_stopped_child_is_seen_and_waited_for),
        cmocka_unit_test(a_child_does_not_outlive_its_parent),
        cmocka_unit_test(allocated_bytes_are_counted),
        cmocka_unit_test(what_is_unknown_of_the_system_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
