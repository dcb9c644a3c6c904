/* Temporary folders and files, see scratch_folder.h. */
#include "tests/scratch_folder.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/support/json_reader.h"

enum { LONGEST_TMPDIR = 16 };

char scratch_folder[SCRATCH_PATH_SIZE];

static void write_template(char *path, const char *name)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder || strlen(folder) > LONGEST_TMPDIR)
        folder = "/tmp";
    snprintf(path, SCRATCH_PATH_SIZE, "%s/%s-XXXXXX", folder, name);
}

char *scratch_folder_new(char path[SCRATCH_PATH_SIZE], const char *name)
{
    write_template(path, name);
    return mkdtemp(path);
}

int scratch_file_new(char path[SCRATCH_PATH_SIZE], const char *name)
{
    write_template(path, name);
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

int scratch_folder_make(void **state)
{
    (void)state;
    return scratch_folder_new(scratch_folder, "hullbench-test") == NULL;
}

int scratch_folder_remove(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", scratch_folder);
    return system(command);
}

char *read_file(const char *path, size_t *size)
{
    struct pool *pool = pool_new();
    size_t used;
    const char *text = file_read(pool, path, size ? size : &used);
    char *copy = xmalloc((size ? *size : used) + 1);
    memcpy(copy, text, (size ? *size : used) + 1);
    pool_free(pool);
    return copy;
}

struct cJSON *read_json_file(const char *path)
{
    struct pool *pool = pool_new();
    cJSON *json = cJSON_Duplicate(json_read(pool, path), 1);
    pool_free(pool);
    return json;
}
