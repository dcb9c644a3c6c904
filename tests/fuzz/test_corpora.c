/*
 * Passes every file in tests/fuzz/corpus to its reader, then that file truncated at many positions and with single
 * bytes changed. The targets abort on an error.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "tests/fuzz/targets.h"
#include "tests/scratch_folder.h"

enum { pieces = 24 };
static char folder[SCRATCH_PATH_SIZE];

static void run(const struct fuzz_target *target, const unsigned char *bytes, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "%s/case", folder);
    fuzz_write(path, bytes, size);
    fuzz_run(target, path, bytes, size);
    remove(path);
}

/* The file, `pieces` of its prefixes, and as many copies with one byte changed. */
static void run_around(const struct fuzz_target *target, char *bytes, size_t size)
{
    unsigned char *all = (unsigned char *)bytes;
    run(target, all, size);
    for (size_t p = 0; p < pieces && size; p++) {
        size_t at = size * p / pieces;
        unsigned char kept = all[at];
        run(target, all, at);
        all[at] = (unsigned char)(kept ^ (1u << p % 8));
        run(target, all, size);
        all[at] = kept;
    }
}

static size_t run_folder(const struct fuzz_target *target)
{
    size_t count = 0;
    char path[512];
    snprintf(path, sizeof path, "tests/fuzz/corpus/%s", target->name);
    DIR *files = opendir(path);
    assert_non_null(files);
    for (struct dirent *entry; (entry = readdir(files)); count++) {
        char file[800], *bytes = NULL;
        size_t size = 0;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.') {
            count--;
            continue;
        }
        bytes = read_file(file, &size);
        run_around(target, bytes, size);
        free(bytes);
    }
    closedir(files);
    return count;
}

static void every_kept_file_is_survived(void **state)
{
    (void)state;
    for (const struct fuzz_target *target = fuzz_targets; target->name; target++)
        assert_true(run_folder(target) > 0);
}

/* No corpus is forgotten: each folder has a target. */
static void every_folder_has_its_target(void **state)
{
    (void)state;
    DIR *folders = opendir("tests/fuzz/corpus");
    assert_non_null(folders);
    for (struct dirent *entry; (entry = readdir(folders));)
        if (entry->d_name[0] != '.')
            assert_non_null(fuzz_target_find(entry->d_name));
    closedir(folders);
}

static int make_folder(void **state)
{
    (void)state;
    return scratch_folder_new(folder, "test-corpora") ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kept_file_is_survived),
        cmocka_unit_test(every_folder_has_its_target),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
