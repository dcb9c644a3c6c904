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

enum status file_check_regular(const char *path, struct error *error)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%s: is not a regular file", *path ? path : "\"\"");
}

enum status file_sync_name(const char *path, struct error *error)
{
    char *folder = path_folder(path);
    if (!folder)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failed = opened < 0 || (fsync(opened) != 0 && errno != EINVAL); /* EINVAL: no such sync here */
    enum status status =
        failed ? error_set(error, STATUS_IO, "%s: the folder cannot be synced: %s", path, strerror(errno)) : STATUS_OK;
    if (opened >= 0)
        close(opened);
    free(folder);
    return status;
}

enum status file_write(const char *path, const void *bytes, size_t size, struct error *error)
{
    struct outfile out;
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    fwrite(bytes, 1, size, out.stream); /* outfile_commit detects a short write by the stream's error flag */
    return outfile_commit(&out, error);
}

enum status file_remove(const char *folder, const char *name, struct error *error)
{
    enum status status = STATUS_OK;
    char *path = path_join(folder, name);
    if (!path)
        return error_set(error, STATUS_NO_MEMORY, "%s/%s: out of memory", folder, name);
    const size_t link = named_path_find_link(path);
    if (link)
        path[link] = '\0'; /* the link goes, never what it leads to */
    if (remove(path) != 0 && errno != ENOENT)
        status = error_set(error, STATUS_IO, "%s: cannot be removed: %s", path, strerror(errno));
    free(path);
    return status;
}

static int is_called(const char *name, const char *begin, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return strncmp(name, begin, strlen(begin)) == 0 && length >= tail && strcmp(name + length - tail, end) == 0;
}

enum status file_remove_all(const char *folder, const char *begin, const char *end, struct error *error)
{
    enum status status = STATUS_OK;
    if (named_path_find_link(folder))
        return file_remove(folder, "", error); /* removes the link */
    DIR *entries = opendir(folder);
    if (!entries && errno == ENOENT)
        return STATUS_OK;
    if (!entries)
        return error_set(error, STATUS_IO, "%s: cannot be read: %s", folder, strerror(errno));
    for (const struct dirent *entry; status == STATUS_OK && (entry = readdir(entries));)
        if (is_called(entry->d_name, begin, end) && *entry->d_name != '.')
            status = file_remove(folder, entry->d_name, error);
    closedir(entries);
    return status;
}

static enum status make_one(const char *path, struct error *error)
{
    struct stat about;
    if (mkdir(path, 0777) == 0)
        return file_sync_name(path, error);
    if (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return STATUS_OK;
    return error_set(error, STATUS_IO, "%s: the folder cannot be created: %s", path, strerror(errno));
}

enum status folder_make(const char *path, struct error *error)
{
    if (strcmp(path, "-") == 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "-: expected a folder, not standard output; for a folder of this name give ./-");
    enum status status = named_path_check(path, error);
    if (status == STATUS_OK)
        status = named_path_add_outermost(path, error);
    if (status != STATUS_OK)
        return status;
    char *copy = strdup(path);
    if (!copy)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    for (char *end = copy + 1; status == STATUS_OK; end++) {
        if (*end != '/' && *end != '\0')
            continue;
        char kept = *end;
        *end = '\0';
        status = make_one(copy, error);
        *end = kept;
        if (kept == '\0')
            break;
    }
    free(copy);
    return status;
}

int file_is_same(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
}

char *path_join(const char *folder, const char *name)
{
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%s/%s", folder, name);
    return path;
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

int json_print(const struct cJSON *json, FILE *stream)
{
    char *text = cJSON_Print(json);
    if (text) {
        fputs(text, stream);
        fputc('\n', stream);
        cJSON_free(text);
    }
    return text != NULL;
}

enum status json_write(const char *path, const struct cJSON *json, struct error *error)
{
    struct outfile out;
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    if (json_print(json, out.stream))
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
}
