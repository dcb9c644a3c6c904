/* Writing a file succeeds or leaves the old file unchanged; reading errors name the file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "tests/all_tests.h"
#include "tests/scratch_folder.h"

struct fixture {
    char folder[64], path[96], other[96]; /* other is in a different folder */
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    assert_non_null(scratch_folder_new(fixture->folder, "test-file"));
    snprintf(fixture->path, sizeof fixture->path, "%s/f", fixture->folder);
    snprintf(fixture->other, sizeof fixture->other, "%s/d", fixture->folder);
    assert_int_equal(mkdir(fixture->other, 0777), 0);
    strcat(fixture->other, "/g");
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    char other[96];
    strcpy(other, fixture->other);
    *strrchr(other, '/') = '\0';
    remove(fixture->other);
    remove(other);
    remove(fixture->path);
    int left = rmdir(fixture->folder); /* fails if a test or the tested code left a file */
    free(fixture);
    return left;
}

/* The number of files in a folder. */
static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    while (readdir(entries))
        count++;
    closedir(entries);
    return count - 2;
}

static mode_t mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    return about.st_mode;
}

static void check_holds(const char *path, const char *bytes, size_t size)
{
    char *text = NULL;
    size_t found = 0;
    text = read_file(path, &found);
    assert_int_equal(found, size);
    assert_memory_equal(text, bytes, size);
    assert_int_equal(text[size], '\0');
    free(text);
}

static void write_new(void *path)
{
    file_write(path, "new", 3);
}

static void commit(void *out)
{
    outfile_commit(out);
}

static void make_folder(void *path)
{
    folder_make(path);
}

static void read_text(void *path)
{
    file_read(pool_new(), path, NULL);
}

static void check_exists(void *path)
{
    file_check_exists(path);
}

static void parse(void *text)
{
    json_parse(NULL, "label", text);
}

static void any_bytes_are_read_as_they_were_written(void **state)
{
    struct fixture *fixture = *state;
    enum { SIZE = 200000 }; /* more than file_read's initial buffer */
    char *bytes = malloc(SIZE);
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * 37 % 251);
    const size_t sizes[] = {0, 1, 65534, 65535, 65536, 65537, SIZE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        file_write(fixture->path, bytes, sizes[i]);
        check_holds(fixture->path, bytes, sizes[i]);
        assert_int_equal(files_in(fixture->folder), 2);
    }
    free(bytes);
}

static void a_file_being_written_leaves_the_old_one_until_it_is_committed(void **state)
{
    struct fixture *fixture = *state;
    struct outfile out;
    file_write(fixture->path, "old", 3);
    outfile_open(&out, fixture->path);
    fputs("new", out.stream);
    check_holds(fixture->path, "old", 3);
    outfile_abandon(&out);
    check_holds(fixture->path, "old", 3);
    assert_int_equal(files_in(fixture->folder), 2);
    outfile_abandon(&out); /* a second call is harmless */
    outfile_open(&out, fixture->path);
    fputs("new", out.stream);
    outfile_commit(&out);
    check_holds(fixture->path, "new", 3);
    outfile_abandon(&out);
    check_holds(fixture->path, "new", 3);
}

static void a_failed_write_names_the_file_and_leaves_the_old_one(void **state)
{
    struct fixture *fixture = *state;
    struct outfile out;
    struct error error = {0};
    if (access("/dev/full", W_OK) != 0) {
        skip_for("needs /dev/full");
        return;
    }
    file_write(fixture->path, "old", 3);
    const size_t sizes[] = {1, 100000}; /* the error appears only on flush, or while writing */
    for (size_t i = 0; i < 2; i++) {
        outfile_open(&out, fixture->path);
        assert_non_null(freopen("/dev/full", "wb", out.stream));
        for (size_t n = 0; n < sizes[i]; n++)
            fputc('x', out.stream);
        assert_int_equal(attempt(commit, &out, &error), STATUS_IO);
        assert_non_null(strstr(error.message, fixture->path));
        assert_non_null(strstr(error.message, "No space left on device"));
        check_holds(fixture->path, "old", 3);
        assert_int_equal(files_in(fixture->folder), 2);
        outfile_abandon(&out); /* its cleanup was noted before the attempt */
    }
}

/* ---- kinds of target ---- */

static void a_link_stays_and_what_it_names_is_replaced_in_its_own_folder(void **state)
{
    struct fixture *fixture = *state;
    struct outfile out;
    struct stat before, after;
    file_write(fixture->other, "old", 3);
    assert_int_equal(symlink("d/g", fixture->path), 0);
    assert_int_equal(stat(fixture->other, &before), 0);
    outfile_open(&out, fixture->path);
    fputs("new", out.stream);
    check_holds(fixture->other, "old", 3);
    outfile_commit(&out);
    check_holds(fixture->other, "new", 3);
    assert_true(S_ISLNK(mode_of(fixture->path)) && S_ISREG(mode_of(fixture->other)));
    assert_int_equal(stat(fixture->other, &after), 0);
    assert_true(before.st_ino != after.st_ino); /* replaced, not overwritten */
    assert_int_equal(files_in(fixture->folder), 2);
}

static void a_link_that_leads_nowhere_creates_what_it_names(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(symlink(fixture->other, fixture->path), 0);
    file_write(fixture->path, "new", 3);
    check_holds(fixture->other, "new", 3);
    assert_true(S_ISLNK(mode_of(fixture->path)));
}

static void links_in_a_ring_are_an_error_that_names_the_file(void **state)
{
    struct fixture *fixture = *state;
    struct error error = {0};
    assert_int_equal(symlink("f", fixture->path), 0);
    assert_int_equal(attempt(write_new, fixture->path, &error), STATUS_IO);
    assert_non_null(strstr(error.message, fixture->path));
    assert_true(S_ISLNK(mode_of(fixture->path)));
}

/* In an earlier version this name was the file's name with a fixed ending. */
static void a_link_planted_where_a_temporary_file_might_be_is_left_alone(void **state)
{
    struct fixture *fixture = *state;
    static const char *const endings[] = {".aside", ".tmp", "~", ".part"};
    char planted[4][128];
    file_write(fixture->other, "victim", 6);
    for (size_t i = 0; i < 4; i++) {
        snprintf(planted[i], sizeof planted[i], "%s%s", fixture->path, endings[i]);
        assert_int_equal(symlink(fixture->other, planted[i]), 0);
    }
    file_write(fixture->path, "new", 3);
    check_holds(fixture->path, "new", 3);
    check_holds(fixture->other, "victim", 6);
    assert_int_equal(files_in(fixture->folder), 6);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(unlink(planted[i]), 0);
}

static void a_folder_is_an_error_that_names_it(void **state)
{
    struct fixture *fixture = *state;
    struct error error = {0};
    assert_int_equal(attempt(write_new, fixture->folder, &error), STATUS_IO);
    assert_non_null(strstr(error.message, fixture->folder));
    assert_non_null(strstr(error.message, "Is a directory"));
}

static void a_socket_is_an_error_and_stays(void **state)
{
    struct fixture *fixture = *state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct error error = {0};
    int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
    memcpy(address.sun_path, fixture->path, strlen(fixture->path) + 1);
    assert_int_equal(bind(socket_file, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(attempt(write_new, fixture->path, &error), STATUS_IO);
    assert_non_null(strstr(error.message, fixture->path));
    assert_true(S_ISSOCK(mode_of(fixture->path)));
    close(socket_file);
}

static void a_fifo_is_written_to_and_stays(void **state)
{
    struct fixture *fixture = *state;
    char got[8] = "";
    assert_int_equal(mkfifo(fixture->path, 0600), 0);
    int reader = open(fixture->path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_true(outfile_is_stream(fixture->path));
    file_write(fixture->path, "new", 3);
    assert_int_equal(read(reader, got, sizeof got), 3);
    assert_string_equal(got, "new");
    assert_true(S_ISFIFO(mode_of(fixture->path)));
    close(reader);
}

static void a_device_is_written_to_and_stays(void **state)
{
    struct fixture *fixture = *state;
    struct error error = {0};
    char make[300];
    int null, full;
    snprintf(make, sizeof make, "mknod -m 666 %s c 1 3 2>/dev/null && mknod -m 666 %s c 1 7 2>/dev/null", fixture->path,
             fixture->other);
    if (system(make) != 0 || (null = open(fixture->path, O_WRONLY)) < 0 ||
        (full = open(fixture->other, O_WRONLY)) < 0) {
        skip_for("needs root and a file system with devices");
        return;
    }
    close(null);
    close(full);
    file_write(fixture->path, "new", 3);
    assert_true(S_ISCHR(mode_of(fixture->path)));
    assert_int_equal(attempt(write_new, fixture->other, &error), STATUS_IO); /* behaves like /dev/full */
    assert_non_null(strstr(error.message, fixture->other));
    assert_non_null(strstr(error.message, "No space left on device"));
    assert_true(S_ISCHR(mode_of(fixture->other)));
    assert_int_equal(files_in(fixture->folder), 2);
}

/* /dev/fd/N may be a regular file that another process has opened and keeps writing to. */
static void an_open_file_is_written_on_where_it_stands(void **state)
{
    struct fixture *fixture = *state;
    char name[32];
    int file = open(fixture->path, O_WRONLY | O_CREAT, 0666);
    assert_int_equal(write(file, "before ", 7), 7);
    snprintf(name, sizeof name, "/dev/fd/%d", file);
    if (access(name, W_OK) != 0) {
        close(file);
        skip_for("needs /dev/fd");
        return;
    }
    assert_true(outfile_is_stream(name));
    assert_int_equal(symlink(name, fixture->other), 0); /* the same through a link */
    file_write(fixture->other, "new", 3);
    assert_int_equal(write(file, " after", 6), 6);
    close(file);
    check_holds(fixture->path, "before new after", 16);
    assert_int_equal(files_in(fixture->folder), 2);
}

/* ---- mode, owner, links ---- */

static void a_new_file_has_the_mode_that_the_mask_leaves(void **state)
{
    struct fixture *fixture = *state;
    static const mode_t masks[] = {022, 077, 0, 027};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        mode_t kept = umask(masks[i]);
        file_write(fixture->path, "new", 3);
        umask(kept);
        assert_int_equal(mode_of(fixture->path) & 07777, 0666 & ~masks[i]);
        assert_int_equal(unlink(fixture->path), 0);
    }
}

static void a_replaced_file_keeps_its_mode(void **state)
{
    struct fixture *fixture = *state;
    static const mode_t modes[] = {0640, 0600, 0664, 0755};
    file_write(fixture->path, "old", 3);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(fixture->path, modes[i]), 0);
        file_write(fixture->path, "new", 3);
        assert_int_equal(mode_of(fixture->path) & 07777, modes[i]);
    }
}

static void a_replaced_file_keeps_its_owner_where_the_system_lets_us(void **state)
{
    struct fixture *fixture = *state;
    struct stat about;
    file_write(fixture->path, "old", 3);
    if (geteuid() != 0 || chown(fixture->path, 12345, 23456) != 0 || chown(fixture->folder, 34567, 0) != 0) {
        skip_for("needs root");
        return;
    }
    assert_int_equal(chmod(fixture->path, 0666), 0);
    file_write(fixture->path, "new", 3);
    assert_int_equal(stat(fixture->path, &about), 0);
    assert_int_equal(about.st_uid, 12345);
    assert_int_equal(about.st_gid, 23456);
    /* Only root can give a file away: group 23456 could write, but our own group gets only what others had. */
    assert_int_equal(chmod(fixture->path, 0662), 0);
    assert_int_equal(seteuid(34567), 0);
    enum status status = attempt(write_new, fixture->path, NULL);
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(stat(fixture->path, &about), 0);
    assert_int_equal(about.st_uid, 34567);
    assert_int_equal(about.st_mode & 0777, 0622);
}

static void what_may_not_be_written_to_is_not_replaced(void **state)
{
    struct fixture *fixture = *state;
    struct error error = {0};
    uid_t kept = geteuid();
    file_write(fixture->path, "old", 3);
    assert_int_equal(chmod(fixture->path, 0444), 0);
    if (kept == 0 &&
        (chown(fixture->folder, 34567, 0) != 0 || chown(fixture->path, 34567, 0) != 0 || seteuid(34567) != 0)) {
        skip_for("needs root");
        return;
    }
    enum status protected_file = attempt(write_new, fixture->path, &error);
    int folder_changed = chmod(fixture->folder, 0555);
    char fresh[128];
    struct error second = {0};
    snprintf(fresh, sizeof fresh, "%s/fresh", fixture->folder);
    enum status protected_folder = attempt(write_new, fresh, &second);
    struct error third = {0};
    int file_changed = chmod(fixture->path, 0644);
    enum status folder_alone = attempt(write_new, fixture->path, &third);
    assert_int_equal(chmod(fixture->folder, 0755) || seteuid(kept), 0);
    assert_int_equal(folder_changed || file_changed, 0);
    assert_int_equal(protected_file, STATUS_IO);
    assert_non_null(strstr(error.message, fixture->path));
    assert_non_null(strstr(error.message, "Permission denied"));
    check_holds(fixture->path, "old", 3);
    assert_int_equal(protected_folder, STATUS_IO);
    assert_non_null(strstr(second.message, fresh));
    assert_int_equal(folder_alone, STATUS_IO); /* only the folder is not writable: named in the message */
    assert_non_null(strstr(third.message, fixture->path));
    assert_non_null(strstr(third.message, "folder"));
    assert_non_null(strstr(third.message, "Permission denied"));
    assert_int_equal(files_in(fixture->folder), 2);
}

static void other_hard_links_keep_the_old_content(void **state)
{
    struct fixture *fixture = *state;
    file_write(fixture->path, "old", 3);
    assert_int_equal(link(fixture->path, fixture->other), 0);
    file_write(fixture->path, "new", 3);
    check_holds(fixture->path, "new", 3);
    check_holds(fixture->other, "old", 3);
}

/* ---- left-over files ---- */

static void only_temporary_files_of_this_program_are_swept(void **state)
{
    struct fixture *fixture = *state;
    static const char *const names[] = {"hullbench-0123456789abcdef.tmp",   "hullbench-notes.tmp",
                                        "hullbench-0123456789abcde.tmp",    "hullbench-0123456789abcdef.tmp.tmp",
                                        "my-hullbench-0123456789abcdef.tmp", "hullbench-0123456789ABCDEF.tmp"};
    enum { NAMES = sizeof names / sizeof *names };
    char paths[NAMES][128];
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", fixture->folder, names[i]);
        file_write(paths[i], "x", 1);
    }
    folder_remove_temporaries(fixture->folder);
    assert_int_not_equal(access(paths[0], F_OK), 0);
    for (size_t i = 1; i < NAMES; i++)
        assert_int_equal(unlink(paths[i]), 0);
    folder_remove_temporaries(fixture->path); /* a missing folder is accepted */
}

static void what_cannot_be_read_says_whether_it_is_there(void **state)
{
    struct fixture *fixture = *state;
    struct error error = {0};
    assert_int_equal(attempt(read_text, fixture->path, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, fixture->path));
    assert_int_equal(attempt(check_exists, fixture->path, &error), STATUS_BAD_INPUT);
    assert_null(file_read_or_null(NULL, fixture->path, NULL));
    assert_int_equal(attempt(read_text, fixture->folder, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "Is a directory"));
}

static void folders_are_made_with_their_parents_and_may_be_there(void **state)
{
    struct fixture *fixture = *state;
    char deep[128];
    struct stat about;
    struct error error = {0};
    snprintf(deep, sizeof deep, "%s/f/g/", fixture->folder);
    folder_make(deep);
    folder_make(deep);
    assert_true(stat(deep, &about) == 0 && S_ISDIR(about.st_mode));
    rmdir(deep);
    rmdir(fixture->path);
    file_write(fixture->path, "", 0);
    assert_int_equal(attempt(make_folder, deep, &error), STATUS_IO);
    assert_non_null(strstr(error.message, fixture->path));
}

static void json_errors_name_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "label:1:1: "},
        {"{\n\"a\": 1,\n\"b\": x\n}", "label:3:6: "},
        {"{}\n{}", "label:2:1: "},
        {"[1, 2\n\n", "label:"},
        {"nul", "label:1:1: "},
        {"{\n\"a\": \"b\\u0000c\"}", "a control character"},
        {"{\"\\\\\\u0000\": 1}", "a control character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        char text[40];
        strcpy(text, cases[i].text);
        assert_int_equal(attempt(parse, text, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, cases[i].says));
        assert_null(strchr(error.message, '\n'));
    }
    struct pool *pool = pool_new();
    const cJSON *json = json_parse(pool, "label", "\"\\\\u0000\""); /* backslash, then u0000 */
    assert_string_equal(cJSON_GetStringValue(json), "\\u0000");
    pool_free(pool);
}

static void folders_of_a_search_path_come_in_turn_without_empty_ones(void **state)
{
    (void)state;
    const char *folder = ":a::b c:/d/e:", *none = NULL, *const expected[] = {"a", "b c", "/d/e"};
    size_t length = 0;
    for (size_t i = 0; i < 3; i++) {
        assert_true(search_path_next(&folder, &length));
        assert_int_equal(length, strlen(expected[i]));
        assert_memory_equal(folder, expected[i], length);
    }
    assert_false(search_path_next(&folder, &length));
    length = 0;
    assert_false(search_path_next(&none, &length));
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(any_bytes_are_read_as_they_were_written),
        FILE_TEST(a_file_being_written_leaves_the_old_one_until_it_is_committed),
        FILE_TEST(a_failed_write_names_the_file_and_leaves_the_old_one),
        FILE_TEST(a_link_stays_and_what_it_names_is_replaced_in_its_own_folder),
        FILE_TEST(a_link_that_leads_nowhere_creates_what_it_names),
        FILE_TEST(links_in_a_ring_are_an_error_that_names_the_file),
        FILE_TEST(a_link_planted_where_a_temporary_file_might_be_is_left_alone),
        FILE_TEST(a_folder_is_an_error_that_names_it),
        FILE_TEST(a_socket_is_an_error_and_stays),
        FILE_TEST(a_fifo_is_written_to_and_stays),
        FILE_TEST(a_device_is_written_to_and_stays),
        FILE_TEST(an_open_file_is_written_on_where_it_stands),
        FILE_TEST(a_new_file_has_the_mode_that_the_mask_leaves),
        FILE_TEST(a_replaced_file_keeps_its_mode),
        FILE_TEST(a_replaced_file_keeps_its_owner_where_the_system_lets_us),
        FILE_TEST(what_may_not_be_written_to_is_not_replaced),
        FILE_TEST(other_hard_links_keep_the_old_content),
        FILE_TEST(only_temporary_files_of_this_program_are_swept),
        FILE_TEST(what_cannot_be_read_says_whether_it_is_there),
        FILE_TEST(folders_are_made_with_their_parents_and_may_be_there),
        cmocka_unit_test(json_errors_name_line_and_column),
        cmocka_unit_test(folders_of_a_search_path_come_in_turn_without_empty_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
