/* Finds the program's read-only files. */
#include "harness/support/resource.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"

/* The folders of version 0.2.0 and those that replace them. */
static const struct {
    const char *before, *now;
} moved[] = {{"results/paper/", "papers/"}, {"results/baselines/", "baselines/"}};

/* Replaces the last occurrence of `from`, which begins a name; `path` if the result does not exist. */
static const char *replaced(struct pool *pool, const char *path, const char *from, const char *to)
{
    const char *found = NULL;
    for (const char *at = strstr(path, from); at; at = strstr(at + 1, from)) {
        if (at == path || at[-1] == '/')
            found = at;
    }
    if (!found)
        return path;
    const char *other = pool_printf(pool, "%.*s%s%s", (int)(found - path), path, to, found + strlen(from));
    return access(other, F_OK) == 0 ? other : path;
}

const char *resource_moved(struct pool *pool, const char *path)
{
    for (size_t i = 0; i < sizeof moved / sizeof *moved && access(path, F_OK) != 0; i++) {
        path = replaced(pool, path, moved[i].before, moved[i].now);
        path = replaced(pool, path, moved[i].now, moved[i].before);
    }
    return path;
}

/* NULL if the file does not exist. */
static const char *find_in(struct pool *pool, const char *folder, const char *middle, const char *name)
{
    const char *found = resource_moved(pool, pool_printf(pool, "%s%s/%s", folder, middle, name));
    return access(found, R_OK) == 0 ? found : NULL;
}

/* The folder that the environment names, or NULL; *variable: HULLBENCH_SHARE is the name used in version 0.2.0. */
static const char *named_folder(const char **variable)
{
    *variable = getenv("HULLBENCH_DATADIR") ? "HULLBENCH_DATADIR" : "HULLBENCH_SHARE";
    const char *named = getenv(*variable);
    return named && *named ? named : NULL;
}

const char *resource_find_or_null(struct pool *pool, const char *name)
{
    const char *variable, *named = named_folder(&variable);
    char program[PATH_MAX];
    const char *path = NULL;
    if (named)
        return find_in(pool, named, "", name);
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    for (char *slash = strrchr(program, '/'); slash && !path; slash = strrchr(program, '/')) {
        *slash = '\0';
        path = find_in(pool, program, "", name);
        path = path ? path : find_in(pool, program, "/share/hullbench", name);
    }
    return path;
}

const char *resource_find(struct pool *pool, const char *name, enum status if_missing)
{
    const char *variable, *named = named_folder(&variable);
    const char *path = resource_find_or_null(pool, name);
    if (path)
        return path;
    if (named)
        die(if_missing, "%s/%s: no such file (%s names the folder)", named, name, variable);
    die(if_missing,
        "%s: not found in the folders above the program or in share/hullbench; set HULLBENCH_DATADIR to its folder",
        name);
}

char *resource_read(struct pool *pool, const char *name, enum status if_missing)
{
    return file_read(pool, resource_find(pool, name, if_missing), NULL);
}
