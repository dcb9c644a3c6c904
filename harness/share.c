/* Finding the program's own read-only files. */
#define _GNU_SOURCE
#include "harness/share.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int take(const char *folder, const char *middle, const char *name, char **path)
{
    char *candidate = NULL;
    if (asprintf(&candidate, "%s%s/%s", folder, middle, name) < 0)
        return 0;
    if (access(candidate, R_OK) == 0) {
        *path = candidate;
        return 1;
    }
    free(candidate);
    return 0;
}

enum status share_find(const char *name, char **path, struct error *error)
{
    *path = NULL;
    const char *named = getenv("HULLBENCH_SHARE");
    if (named && *named) {
        if (take(named, "", name, path))
            return STATUS_OK;
        return error_set(error, STATUS_NOT_FOUND, "%s/%s: not there (HULLBENCH_SHARE names the folder)", named, name);
    }
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        for (char *slash = strrchr(program, '/'); slash; slash = strrchr(program, '/')) {
            *slash = '\0';
            if (take(program, "", name, path) || take(program, "/share/hullbench", name, path))
                return STATUS_OK;
        }
    }
    return error_set(error, STATUS_NOT_FOUND,
                     "%s: not found above the program nor in share/hullbench; set HULLBENCH_SHARE to the folder", name);
}
