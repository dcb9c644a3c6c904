/* The printed table of data sets. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "tests/scratch_folder.h"

static void list(void *status)
{
    char *argv[] = {(char[]){"hullbench list"}, (char[]){"datasets"}, (char[]){"--long"}, NULL};
    *(int *)status = cli_run(&verb_list, 3, argv);
}

/* Runs `hullbench list datasets --long` with standard output redirected to a file; *text is set to its contents. The
 * program's files are those of a folder without datasets/cache. */
static void printed(const char *data, char **text, struct error *error)
{
    char path[SCRATCH_PATH_SIZE], share[SCRATCH_PATH_SIZE];
    int status = -1;
    struct pool *pool = pool_new();
    assert_non_null(scratch_folder_new(share, "test-list-share"));
    const char *manifest = pool_printf(pool, "%s/datasets/manifest.json", share);
    const char *folder = pool_printf(pool, "%s/datasets", share);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(symlink(resource_find(pool, "datasets/manifest.json", STATUS_NOT_FOUND), manifest), 0);
    assert_int_equal(setenv("HULLBENCH_DATADIR", share, 1), 0);
    assert_int_equal(setenv("HULLBENCH_DATA", data, 1), 0);
    fflush(stdout);
    assert_int_equal(scratch_file_new(path, "test-list-datasets"), 0);
    int handle = open(path, O_WRONLY), kept = dup(STDOUT_FILENO);
    assert_true(handle >= 0 && kept >= 0);
    dup2(handle, STDOUT_FILENO);
    error->status = STATUS_OK;
    const enum status ended = attempt(list, &status, error);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(handle);
    assert_true(ended != STATUS_OK || status == EXIT_OK);
    *text = read_file(path, NULL);
    remove(path);
    assert_int_equal(unsetenv("HULLBENCH_DATADIR"), 0);
    assert_true(remove(manifest) == 0 && rmdir(folder) == 0 && rmdir(share) == 0);
    pool_free(pool);
}

static void sets_without_files_are_missing_or_made(void **state)
{
    (void)state;
    char *text = NULL;
    struct error error;
    printed("", &text, &error);
    assert_int_equal(error.status, STATUS_OK);
    assert_non_null(strstr(text, "\nbanana           5300     2      44.8%     0/100   400/4900\n"
                                 "    missing; run datasets/fetch.sh\n"));
    assert_non_null(strstr(text, "\ntitanic          2201     3      32.3%     0/100   150/2051\n    made here\n"));
    assert_non_null(strstr(text, "\nsonar "));
    free(text);
}

static void a_file_that_cannot_be_used_is_named_and_the_table_still_complete(void **state)
{
    (void)state;
    char folder[SCRATCH_PATH_SIZE], *text = NULL;
    struct error error;
    assert_non_null(scratch_folder_new(folder, "test-list-datasets"));
    char *path = xasprintf("%s/%s", folder, "sonar.all-data");
    assert_non_null(path);
    file_write(path, "1,2\n", 4);
    printed(folder, &text, &error);
    assert_int_equal(error.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "sonar.all-data:1:1: 2 columns; expected 61"));
    assert_non_null(strstr(text, error.message));
    assert_non_null(strstr(text, "\nbanana "));
    free(text);
    remove(path);
    free(path);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_without_files_are_missing_or_made),
        cmocka_unit_test(a_file_that_cannot_be_used_is_named_and_the_table_still_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
