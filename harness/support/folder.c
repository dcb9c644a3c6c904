/* Lists and removes folders, and knows what the user named, see file.h. */
#include "harness/support/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct string_list folder_list(struct pool *pool, const char *folder, int (*is_wanted)(const char *name),
                                enum status status)
{
    struct string_list names = {.count = 0};
    DIR *entries = opendir(folder);
    const int reason = entries ? 0 : errno;
    if (reason && reason != ENOENT)
        die(file_is_shortage(reason) ? STATUS_NO_MEMORY : status, "%s: cannot be read: %s", folder, strerror(reason));
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        if (!is_wanted || is_wanted(entry->d_name))
            string_list_push(pool, &names, "%s", entry->d_name);
    if (entries)
        closedir(entries);
    string_list_sort(&names);
    return names;
}

/* Removes the entry `name` of the opened folder `outer`. Returns 0, or -1 with errno set. */
static int remove_entry(int outer, const char *name)
{
    if (unlinkat(outer, name, 0) == 0 || errno == ENOENT)
        return 0;
    int reason = errno;
    if (reason != EISDIR && reason != EPERM) /* EPERM: a folder, in POSIX; a file that may not be removed, in Linux */
        return -1;
    const int inner = openat(outer, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = inner >= 0 ? fdopendir(inner) : NULL;
    int failed = !entries;
    if (failed && errno != ENOTDIR && errno != ELOOP) /* a file or a link: the reason is that of unlinkat */
        reason = errno;
    if (inner >= 0 && !entries)
        close(inner);
    for (const struct dirent *entry; !failed && (entry = readdir(entries));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            failed = remove_entry(inner, entry->d_name) != 0;
            reason = errno;
        }
    if (entries)
        closedir(entries);
    errno = reason;
    return failed ? -1 : unlinkat(outer, name, AT_REMOVEDIR);
}

int folder_try_remove(const char *folder)
{
    return remove_entry(AT_FDCWD, folder) == 0 ? 0 : errno;
}

void folder_remove(const char *folder)
{
    const int reason = folder_try_remove(folder);
    if (reason)
        die(STATUS_IO, "%s: cannot be removed: %s", folder, strerror(reason));
}

/* ---- what the user named; the list is short: the words of the command line and the default folders ---- */

static struct string_list named; /* without slashes at the end */
static struct pool *named_pool;  /* never released */

/* The length of the longest noted path that contains `path` or is `path`; SIZE_MAX if there is none. */
static size_t find_named(const char *path)
{
    size_t longest = SIZE_MAX;
    for (size_t i = 0; i < named.count; i++) {
        const size_t length = strlen(named.line[i]);
        if (strncmp(path, named.line[i], length) == 0 &&
            (path[length] == '/' || path[length] == '\0' || path[length - 1] == '/') &&
            (longest == SIZE_MAX || length > longest))
            longest = length;
        else if (strcmp(named.line[i], ".") == 0 && *path != '/' && strncmp(path, "..", 2) != 0 && longest == SIZE_MAX)
            longest = 0;
    }
    return longest;
}

void named_path_add(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (!named_pool)
        named_pool = pool_new_owned();
    if (length > 0 && find_named(path) != length)
        string_list_push(named_pool, &named, "%.*s", (int)length, path);
}

void named_path_add_outermost(const char *path)
{
    if (find_named(path) == SIZE_MAX)
        named_path_add(path);
}

size_t named_path_find_link(const char *path)
{
    size_t at = find_named(path), link = 0;
    char part[PATH_MAX] = "";
    if (at == SIZE_MAX || strlen(path) >= sizeof part) /* a longer path cannot be opened */
        return 0;
    strcpy(part, path);
    while (!link && part[at += strspn(part + at, "/")]) {
        struct stat about;
        at += strcspn(part + at, "/");
        part[at] = '\0';
        if (lstat(part, &about) == 0 && S_ISLNK(about.st_mode))
            link = at;
        part[at] = path[at];
    }
    return link;
}

void named_path_check(const char *path)
{
    const size_t link = named_path_find_link(path), from = find_named(path);
    if (link)
        die(STATUS_BAD_INPUT,
            "%.*s: is a symbolic link, and hullbench writes through none below %.*s; remove it, or replace it "
            "by what it leads to",
            (int)link, path, from ? (int)from : 1, from ? path : ".");
}
