/* Temporary folders and files of tests: below TMPDIR, which tests/run.sh sets to a folder in memory, or below /tmp. */
#ifndef HULLBENCH_TESTS_SCRATCH_FOLDER_H
#define HULLBENCH_TESTS_SCRATCH_FOLDER_H

#include <stddef.h>

enum { SCRATCH_PATH_SIZE = 48 };

/* Makes an empty folder and writes its path, which ends in `name` and six random characters, to `path`. Returns `path`,
 * or NULL if that fails. A name has at most 23 characters. A TMPDIR of more than 16 is not used, so that tests may
 * build paths in short arrays. */
char *scratch_folder_new(char path[SCRATCH_PATH_SIZE], const char *name);

/* The same with an empty file. Returns 0, or -1 if that fails. */
int scratch_file_new(char path[SCRATCH_PATH_SIZE], const char *name);

/* A folder for all tests of a program. */
extern char scratch_folder[SCRATCH_PATH_SIZE];

/* Set-up and tear-down of a group of tests. */
int scratch_folder_make(void **state);
int scratch_folder_remove(void **state);

/* A whole file, malloc'ed and terminated by a NUL; *size (may be NULL: a text) gets its length. */
char *read_file(const char *path, size_t *size);
/* A JSON file, to be freed with cJSON_Delete. */
struct cJSON *read_json_file(const char *path);

#endif
