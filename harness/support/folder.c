/* Lists and removes folders, see folder.h. */
#include "harness/support/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int by_name(const struct dirent **a, const struct dirent **b) /* alphasort depends on the locale */
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

int folder_scan(const char *folder, int (*is_wanted)(const struct dirent *entry), struct dirent ***entries)
{
    *entries = NULL;
    return scandir(folder, entries, is_wanted, by_name);
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

enum status folder_remove(const char *folder, struct error *error)
{
    if (remove_entry(AT_FDCWD, folder) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_IO, "%s: cannot be removed: %s", folder, strerror(errno));
}
