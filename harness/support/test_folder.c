/* Listing and removing folders, and links below what the user named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/base/pool.h"
#include "harness/base/platform.h"
#include "tests/all_tests.h"
#include "tests/scratch_folder.h"

static char *inside(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    return path;
}

static void write_text(const char *name)
{
    file_write(inside(name), "x", 1);
}

static int is_visible(const char *name)
{
    return name[0] != '.';
}

static void names_are_in_the_order_of_their_bytes(void **state)
{
    static const char *const names[] = {"A", "B-1", "B-10", "B-2", "a"};
    struct pool *pool = pool_new();
    (void)state;
    folder_make(inside("list"));
    for (size_t i = 5; i-- > 0;) {
        char name[32];
        snprintf(name, sizeof name, "list/%s", names[i]);
        write_text(name);
    }
    write_text("list/.hidden");
    const struct string_list found = folder_list(pool, inside("list"), is_visible, STATUS_IO);
    assert_int_equal(found.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(found.line[i], names[i]);
    assert_int_equal(folder_list(pool, inside("none"), NULL, STATUS_IO).count, 0);
    pool_free(pool);
}

static void a_folder_is_removed_with_its_content_and_no_link_is_followed(void **state)
{
    (void)state;
    folder_make(inside("tree/a/b"));
    folder_make(inside("kept"));
    write_text("tree/one");
    write_text("tree/a/.hidden");
    write_text("tree/a/b/two");
    write_text("kept/file");
    assert_int_equal(symlink("../../kept", inside("tree/a/link")), 0);
    folder_remove(inside("tree"));
    assert_int_not_equal(access(inside("tree"), F_OK), 0);
    assert_int_equal(access(inside("kept/file"), F_OK), 0);
    folder_remove(inside("tree"));
}

enum { OTHER_USER = 34567 };

/* Lets root act as a user who owns the scratch folder. Returns whether that is possible: not in a container without
 * other users, nor where other users may not enter root's TMPDIR. */
static int become_other_user(void)
{
    struct stat ignored;
    if (chown(scratch_folder, OTHER_USER, 0) != 0 || seteuid(OTHER_USER) != 0)
        return 0;
    if (stat(inside(""), &ignored) == 0)
        return 1;
    assert_int_equal(seteuid(0), 0);
    return 0;
}

static void remove_folder(void *path)
{
    folder_remove(path);
}

static void check(void *path)
{
    named_path_check(path);
}

static void write_y(void *path)
{
    file_write(path, "y", 1);
}

static void make(void *path)
{
    folder_make(path);
}

static void a_folder_that_cannot_be_emptied_is_reported_with_the_reason(void **state)
{
    (void)state;
    struct error error = {0};
    uid_t kept = geteuid();
    folder_make(inside("outer/locked"));
    write_text("outer/locked/file");
    if (kept == 0 && (chown(inside("outer"), OTHER_USER, 0) != 0 ||
                      chown(inside("outer/locked"), OTHER_USER, 0) != 0 || !become_other_user())) {
        skip_for("needs root");
        return;
    }
    int changed = chmod(inside("outer/locked"), 0555);
    enum status status = attempt(remove_folder, inside("outer"), &error);
    int restored = chmod(inside("outer/locked"), 0755);
    assert_int_equal(seteuid(kept), 0);
    assert_int_equal(changed | restored, 0);
    assert_int_equal(status, STATUS_IO);
    assert_non_null(strstr(error.message, inside("outer")));
    assert_non_null(strstr(error.message, strerror(EACCES)));
    assert_int_equal(access(inside("outer/locked/file"), F_OK), 0);
    folder_remove(inside("outer"));
}

/* A file of another user in a folder with the sticky bit: unlink fails with EPERM, as it does for folders in POSIX. */
static void a_file_that_may_not_be_removed_is_reported_with_the_reason(void **state)
{
    (void)state;
    struct error error = {0};
    if (geteuid() != 0) {
        skip_for("needs root");
        return;
    }
    folder_make(inside("sticky"));
    write_text("sticky/file");
    assert_int_equal(chmod(inside("sticky"), 01777), 0);
    if (!become_other_user()) {
        skip_for("needs root");
        return;
    }
    enum status status = attempt(remove_folder, inside("sticky"), &error);
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, STATUS_IO);
    assert_non_null(strstr(error.message, strerror(EPERM)));
}

/* The link that is found on the way to `path`, as its length; 0: none. */
static void links_are_found_below_the_longest_path_that_the_user_named(void **state)
{
    static const struct {
        const char *path, *link;
    } cases[] = {
        {"l", NULL},                  /* is named */
        {"l/", NULL},                 /* the same */
        {"l/f", NULL},                /* no link below it */
        {"l//f", NULL},               /* the same */
        {"l/in", "l/in"},             /* a link below it */
        {"l/in/x/y", "l/in"},         /* behind that link */
        {"l/d/in/x", "l/d/in"},       /* deeper */
        {"l/d/dangling", "l/d/dangling"},
        {"l/d/none/x", NULL},         /* does not exist */
        {"l/named", NULL},            /* a link, and named */
        {"l/named/in/x", "l/named/in"},
        {"lx/in", NULL},              /* not below l, in spite of its name */
    };
    char path[600], link[600];
    struct error error;
    (void)state;
    folder_make(inside("target/d"));
    write_text("target/f");
    assert_int_equal(symlink("target", inside("l")) | symlink("target", inside("lx")) |
                         symlink("d", inside("target/in")) | symlink("nowhere", inside("target/d/dangling")) |
                         symlink("..", inside("target/d/in")) | symlink(".", inside("target/named")),
                     0);
    named_path_add(inside("l///"));
    named_path_add(inside("l/named"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(path, sizeof path, "%s", inside(cases[i].path));
        snprintf(link, sizeof link, "%s", cases[i].link ? inside(cases[i].link) : "");
        assert_int_equal(named_path_find_link(path), strlen(link));
        assert_int_equal(attempt(check, path, &error), *link ? STATUS_BAD_INPUT : STATUS_OK);
        assert_true(!*link || strncmp(error.message, link, strlen(link)) == 0);
    }
}

static void what_is_behind_such_a_link_is_neither_written_nor_removed(void **state)
{
    struct error error;
    (void)state;
    folder_make(inside("own"));
    folder_make(inside("theirs"));
    write_text("theirs/f");
    write_text("theirs/hullbench-0123456789abcdef.tmp");
    assert_int_equal(symlink("../theirs", inside("own/l")), 0);
    assert_int_equal(attempt(write_y, inside("own/l/f"), &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "own/l:"));
    assert_int_equal(attempt(make, inside("own/l"), NULL), STATUS_BAD_INPUT);
    assert_int_equal(attempt(make, inside("own/l/new"), NULL), STATUS_BAD_INPUT);
    folder_remove_temporaries(inside("own/l"));
    assert_int_equal(access(inside("theirs/hullbench-0123456789abcdef.tmp"), F_OK), 0);
    file_remove(inside("own/l"), "f");
    assert_int_not_equal(access(inside("own/l"), F_OK), 0);
    assert_int_equal(symlink("../theirs", inside("own/l")), 0);
    file_remove_all(inside("own/l"), "", "");
    assert_int_not_equal(access(inside("own/l"), F_OK), 0);
    assert_int_equal(access(inside("theirs/f"), F_OK), 0);
    struct temporary_folder made;
    temporary_folder_make(&made, inside("own"));
    assert_int_equal(access(made.path, F_OK), 0);
    folder_remove_temporaries(inside("own"));
    assert_int_not_equal(access(made.path, F_OK), 0);
    temporary_folder_remove(&made); /* a missing folder is no error */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_found_below_the_longest_path_that_the_user_named),
        cmocka_unit_test(what_is_behind_such_a_link_is_neither_written_nor_removed),
        cmocka_unit_test(names_are_in_the_order_of_their_bytes),
        cmocka_unit_test(a_folder_is_removed_with_its_content_and_no_link_is_followed),
        cmocka_unit_test(a_folder_that_cannot_be_emptied_is_reported_with_the_reason),
        cmocka_unit_test(a_file_that_may_not_be_removed_is_reported_with_the_reason),
    };
    return cmocka_run_group_tests(tests, scratch_folder_make, scratch_folder_remove);
}
