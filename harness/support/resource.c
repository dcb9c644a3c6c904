/* Finds the program's read-only files. */
#include "harness/support/resource.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"

/* The folders of version 0.2.0 and those that replace them. */
static const struct {
    const char *before, *now;
} moved[] = {{"results/paper/", "papers/"}, {"results/baselines/", "baselines/"}};

/* Replaces the last occurrence of `from`, which begins a name; `path` if the result does not exist. */
static const char *replaced(const char *path, const char *from, const char *to, char other[PATH_MAX])
{
    const char *found = NULL;
    for (const char *at = strstr(path, from); at; at = strstr(at + 1, from)) {
        if (at == path || at[-1] == '/')
            found = at;
    }
    if (!found)
        return path;
    const int length = snprintf(other, PATH_MAX, "%.*s%s%s", (int)(found - path), path, to, found + strlen(from));
    return length < PATH_MAX && access(other, F_OK) == 0 ? other : path;
}

const char *resource_moved(const char *path, char other[PATH_MAX])
{
    for (size_t i = 0; i < sizeof moved / sizeof *moved && access(path, F_OK) != 0; i++) {
        path = replaced(path, moved[i].before, moved[i].now, other);
        if (path != other)
            path = replaced(path, moved[i].now, moved[i].before, other);
    }
    return path;
}

/* STATUS_NOT_FOUND if the file does not exist. */
static enum status take(const char *folder, const char *middle, const char *name, char **path, struct error *error)
{
    char candidate[2 * PATH_MAX], other[PATH_MAX];
    int length = snprintf(candidate, sizeof candidate, "%s%s/%s", folder, middle, name);
    if (length < 0 || (size_t)length >= sizeof candidate)
        return STATUS_NOT_FOUND;
    const char *found = resource_moved(candidate, other);
    if (access(found, R_OK) != 0)
        return STATUS_NOT_FOUND;
    *path = strdup(found);
    return *path ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", name);
}

enum status resource_find(const char *name, char **path, struct error *error)
{
    *path = NULL;
    /* HULLBENCH_SHARE is the name used in version 0.2.0. */
    const char *variable = getenv("HULLBENCH_DATADIR") ? "HULLBENCH_DATADIR" : "HULLBENCH_SHARE";
    const char *named = getenv(variable);
    if (named && *named) {
        enum status status = take(named, "", name, path, error);
        if (status != STATUS_NOT_FOUND)
            return status;
        return error_set(error, STATUS_NOT_FOUND, "%s/%s: no such file (%s names the folder)", named, name, variable);
    }
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        for (char *slash = strrchr(program, '/'); slash; slash = strrchr(program, '/')) {
            *slash = '\0';
            enum status status = take(program, "", name, path, error);
            if (status == STATUS_NOT_FOUND)
                status = take(program, "/share/hullbench", name, path, error);
            if (status != STATUS_NOT_FOUND)
                return status;
        }
    }
    return error_set(error, STATUS_NOT_FOUND,
                     "%s: not found in the folders above the program or in share/hullbench; set HULLBENCH_DATADIR to "
                     "its folder",
                     name);
}

enum status resource_read(const char *name, char **text, struct error *error)
{
    char *path = NULL;
    enum status status = resource_find(name, &path, error);
    if (status == STATUS_OK)
        status = file_read(path, text, NULL, error);
    free(path);
    return status;
}
