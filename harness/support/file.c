/* Reads, removes and compares files; output_file.c writes them. */
#include "harness/support/file.h"
#include "harness/support/json_text.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/support/folder.h"
#include "harness/support/sha256.h"

static size_t line_of(const char *text, const char *end)
{
    size_t line = 1;
    for (const char *at = text; end && at < end; at++)
        line += *at == '\n';
    return line;
}

enum status file_refuse(const char *path, int reason, struct error *error)
{
    return error_set(error,
                     reason == ENOENT   ? STATUS_NOT_FOUND
                     : reason == ENOMEM ? STATUS_NO_MEMORY
                                        : STATUS_BAD_INPUT,
                     "%s: cannot be read: %s", *path ? path : "\"\"", strerror(reason));
}

enum status file_open(const char *path, FILE **stream, struct error *error)
{
    errno = 0;
    *stream = fopen(path, "rb");
    return *stream ? STATUS_OK : file_refuse(path, errno, error);
}

enum status file_read(const char *path, char **text, size_t *size, struct error *error)
{
    FILE *stream;
    *text = NULL;
    enum status status = file_open(path, &stream, error);
    if (status != STATUS_OK)
        return status;
    status = file_read_stream(stream, path, text, size, error);
    fclose(stream);
    return status;
}

enum status file_read_stream(FILE *stream, const char *path, char **text, size_t *size, struct error *error)
{
    enum status status = STATUS_OK;
    char *buffer = NULL;
    size_t used = 0, capacity = 0;
    *text = NULL;
    for (;;) {
        if (capacity - used < 2) {
            size_t wanted = capacity ? 2 * capacity : 65536;
            char *grown = realloc(buffer, wanted);
            if (!grown) {
                status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory after %zu bytes", path, used);
                goto done;
            }
            buffer = grown;
            capacity = wanted;
        }
        size_t got = fread(buffer + used, 1, capacity - used - 1, stream);
        used += got;
        if (got == 0)
            break;
    }
    if (ferror(stream)) {
        status = error_set(error, STATUS_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
        goto done;
    }
    buffer[used] = '\0';
    const size_t length = strlen(buffer);
    if (!size && length < used) {
        status = error_set(error, STATUS_BAD_INPUT, "%s:%zu: zero byte: not a text file", path,
                           line_of(buffer, buffer + length));
        goto done;
    }
    *text = buffer;
    buffer = NULL;
    if (size)
        *size = used;
done:
    free(buffer);
    return status;
}

enum status file_sha256(const char *path, char hex[65], size_t *size, struct error *error)
{
    unsigned char chunk[65536];
    struct sha256 hash;
    FILE *stream;
    size_t got, total = 0;
    enum status status = file_open(path, &stream, error);
    if (status != STATUS_OK)
        return status;
    sha256_begin(&hash);
    while ((got = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        sha256_add(&hash, chunk, got);
        total += got;
    }
    if (ferror(stream))
        status = error_set(error, STATUS_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    fclose(stream);
    sha256_end(&hash, hex);
    if (size)
        *size = total;
    return status;
}

int file_is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

void file_check_regular(const char *path)
{
    if (file_is_special(path))
        die(STATUS_BAD_INPUT, "%s: is not a regular file", *path ? path : "\"\"");
}

void file_sync_name(const char *path)
{
    char *folder = path_folder(path);
    int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    int reason = opened < 0 || (fsync(opened) != 0 && errno != EINVAL) ? errno : 0; /* EINVAL: no such sync here */
    if (opened >= 0)
        close(opened);
    if (reason)
        die(STATUS_IO, "%s: the folder cannot be synced: %s", path, strerror(reason));
}

void file_write(const char *path, const void *bytes, size_t size)
{
    struct outfile out;
    outfile_open(&out, path);
    fwrite(bytes, 1, size, out.stream); /* outfile_commit detects a short write by the stream's error flag */
    outfile_commit(&out);
}

int file_try_remove(const char *folder, const char *name)
{
    char *path = path_join(folder, name);
    const size_t link = named_path_find_link(path);
    if (link)
        path[link] = '\0'; /* the link goes, never what it leads to */
    const int reason = remove(path) != 0 && errno != ENOENT ? errno : 0;
    free(path);
    return reason;
}

void file_remove(const char *folder, const char *name)
{
    const int reason = file_try_remove(folder, name);
    if (reason)
        die(STATUS_IO, "%s/%s: cannot be removed: %s", folder, name, strerror(reason));
}

static int is_called(const char *name, const char *begin, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return strncmp(name, begin, strlen(begin)) == 0 && length >= tail && strcmp(name + length - tail, end) == 0;
}

void file_remove_all(const char *folder, const char *begin, const char *end)
{
    if (named_path_find_link(folder)) {
        file_remove(folder, ""); /* removes the link */
        return;
    }
    DIR *entries = opendir(folder);
    if (!entries && errno == ENOENT)
        return;
    if (!entries)
        die(STATUS_IO, "%s: cannot be read: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(entries));)
        if (is_called(entry->d_name, begin, end) && *entry->d_name != '.')
            file_remove(folder, entry->d_name);
    closedir(entries);
}

static void make_one(const char *path)
{
    struct stat about;
    if (mkdir(path, 0777) == 0)
        file_sync_name(path);
    else if (errno != EEXIST || stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        die(STATUS_IO, "%s: the folder cannot be created: %s", path, strerror(errno));
}

void folder_make(const char *path)
{
    if (strcmp(path, "-") == 0)
        die(STATUS_BAD_INPUT,
            "-: expected a folder, not standard output; for a folder of this name give ./-");
    named_path_check(path);
    named_path_add_outermost(path);
    char *copy = xstrdup(path);
    for (char *end = strchr(copy + 1, '/'); end; end = strchr(end + 1, '/')) {
        *end = '\0';
        make_one(copy);
        *end = '/';
    }
    make_one(copy);
    free(copy);
}

int file_is_same(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? xstrndup(path, slash > path ? (size_t)(slash - path) : 1) : xstrdup(".");
}

char *path_join(const char *folder, const char *name)
{
    return xasprintf("%s/%s", folder, name);
}

int search_path_next(const char **folder, size_t *length)
{
    const char *next = *folder ? *folder + *length : "";
    *folder = next + strspn(next, ":");
    *length = strcspn(*folder, ":");
    return *length > 0;
}

enum status json_parse(const char *label, const char *text, struct cJSON **json, struct error *error)
{
    struct json_fault fault;
    *json = json_parse_text(text, &fault);
    if (*json)
        return STATUS_OK;
    if (!fault.at)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", label);
    const char *begin = fault.at;
    while (begin > text && begin[-1] != '\n')
        begin--;
    char shown[24];
    snprintf(shown, sizeof shown, "%.20s", *fault.at ? fault.at : "end of file");
    for (char *at = shown; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    return error_set(error, STATUS_BAD_INPUT, "%s:%zu: not valid JSON in column %td, at \"%s\": %s", label,
                     line_of(text, fault.at), fault.at - begin + 1, shown, fault.why);
}

enum status json_read(const char *path, struct cJSON **json, struct error *error)
{
    char *text = NULL;
    *json = NULL;
    enum status status = file_read(path, &text, NULL, error);
    if (status == STATUS_OK)
        status = json_parse(path, text, json, error);
    free(text);
    return status;
}

void json_print(const struct cJSON *json, FILE *stream)
{
    char *text = cJSON_Print(json);
    if (!text)
        out_of_memory();
    fputs(text, stream);
    fputc('\n', stream);
    cJSON_free(text);
}

void json_write(const char *path, const struct cJSON *json)
{
    struct outfile out;
    outfile_open(&out, path);
    json_print(json, out.stream);
    outfile_commit(&out);
}
