/* Folders that hold no finished run: the status, in the result and in the error alike, and what is named. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/records/run_folder.h"

static char folder[] = "/tmp/hullbench-finished-XXXXXX";

static void write_text(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(file_write(path, text, strlen(text), NULL), STATUS_OK);
}

/* Reading the folder fails with a status that the error has too, and names the folder. */
static void check_refused(enum status status, const char *named)
{
    struct finished finished;
    struct error error = {.status = STATUS_OK};
    assert_int_equal(finished_read(folder, &finished, &error), status);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.message, folder));
    if (!strstr(error.message, named))
        fail_msg("%s: no %s", error.message, named);
    finished_free(&finished);
}

static void a_folder_without_run_json_is_not_found(void **state)
{
    (void)state;
    check_refused(STATUS_NOT_FOUND, "run.json");
    write_text("journal.jsonl", "{}\n");
    check_refused(STATUS_NOT_FOUND, "not finished");
    assert_int_equal(finished_read(folder, &(struct finished){0}, NULL), STATUS_NOT_FOUND); /* nothing to fill */
}

static void a_run_json_that_is_cut_is_bad_input(void **state)
{
    (void)state;
    write_text("run.json", "{\"plan\": ");
    check_refused(STATUS_BAD_INPUT, "run.json");
    write_text("run.json", "{\"records\": 1}");
    check_refused(STATUS_BAD_INPUT, "");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_without_run_json_is_not_found),
        cmocka_unit_test(a_run_json_that_is_cut_is_bad_input),
    };
    return cmocka_run_group_tests_name("finished", tests, make_folder, remove_folder);
}
