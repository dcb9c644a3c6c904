/* Reads, removes, compares and names files; output_file.c writes them. */
#include "harness/support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/support/sha256.h"

size_t file_line_of(const char *text, const char *end)
{
    size_t line = 1;
    for (const char *at = text; at < end; at++)
        line += *at == '\n';
    return line;
}

int file_is_shortage(int reason)
{
    return reason == ENOMEM || reason == EMFILE || reason == ENFILE;
}

void file_refuse(const char *path, int reason)
{
    die(reason == ENOENT           ? STATUS_NOT_FOUND
        : file_is_shortage(reason) ? STATUS_NO_MEMORY
                                   : STATUS_BAD_INPUT,
        "%s: cannot be read: %s", *path ? path : "\"\"", strerror(reason));
}

/* Doubles the memory until the whole stream fits; the pool does not keep what was too small. */
char *file_read_stream(struct pool *pool, FILE *stream, const char *path, size_t *size)
{
    size_t used = 0, capacity = 65536;
    char *text = xmalloc(capacity);
    for (size_t got; (got = fread(text + used, 1, capacity - used - 1, stream)) > 0; used += got)
        if (capacity - used - got < 2)
            text = xreallocarray(text, capacity *= 2, 1);
    text[used] = '\0';
    pool_keep(pool, free, text);
    *size = used;
    if (ferror(stream)) {
        const int reason = errno;
        fclose(stream);
        file_refuse(path, reason);
    }
    return text;
}

char *file_read_or_null(struct pool *pool, const char *path, size_t *size)
{
    size_t used;
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream && errno == ENOENT)
        return NULL;
    if (!stream)
        file_refuse(path, errno);
    char *text = file_read_stream(pool, stream, path, size ? size : &used);
    fclose(stream);
    const size_t length = size ? 0 : strlen(text);
    if (!size && length < used)
        die(STATUS_BAD_INPUT, "%s:%zu: zero byte: not a text file", path, file_line_of(text, text + length));
    return text;
}

char *file_read(struct pool *pool, const char *path, size_t *size)
{
    char *text = file_read_or_null(pool, path, size);
    if (!text)
        file_refuse(path, ENOENT);
    return text;
}

void file_append(int file, const char *path, const char *text, size_t size)
{
    const off_t before = lseek(file, 0, SEEK_END);
    for (size_t written = 0; written < size;) {
        const ssize_t got = write(file, text + written, size - written);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            const int reason = errno;
            if (before < 0 || ftruncate(file, before) != 0) {
                /* the next reader notices the torn line */
            }
            die(STATUS_IO, "%s: cannot be written: %s", path, strerror(reason));
        }
        written += (size_t)got;
    }
}

struct string_list lines_read(struct pool *pool, const char *path)
{
    struct string_list lines = {0};
    for (char *at = file_read(pool, path, NULL), *end; *at; at = end + 1) {
        end = strchr(at, '\n');
        if (!end)
            die(STATUS_BAD_INPUT, "%s:%zu: the file ends within this line, so it is cut off", path, lines.count + 1);
        *end = '\0';
        lines.line = pool_grow(pool, lines.line, lines.count, &lines.capacity, sizeof *lines.line);
        lines.line[lines.count++] = at;
    }
    return lines;
}

void file_check_exists(const char *path)
{
    if (access(path, F_OK) != 0 && errno == ENOENT)
        die(STATUS_BAD_INPUT, "%s: cannot be read: %s", *path ? path : "\"\"", strerror(ENOENT));
}

void file_sha256(const char *path, char hex[65], size_t *size)
{
    unsigned char chunk[65536];
    struct sha256 hash;
    size_t got, total = 0;
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        file_refuse(path, errno);
    sha256_begin(&hash);
    while ((got = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        sha256_add(&hash, chunk, got);
        total += got;
    }
    const int reason = ferror(stream) ? errno : 0;
    fclose(stream);
    if (reason)
        file_refuse(path, reason);
    sha256_end(&hash, hex);
    if (size)
        *size = total;
}

int file_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
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
    char folder[PATH_MAX];
    int opened = open(path_folder(path, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
    char path[PATH_MAX + 1];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const size_t link = named_path_find_link(path);
    if (link)
        path[link] = '\0'; /* the link goes, never what it leads to */
    return remove(path) != 0 && errno != ENOENT ? errno : 0;
}

void file_remove(const char *folder, const char *name)
{
    const int reason = file_try_remove(folder, name);
    if (reason)
        die(STATUS_IO, "%s/%s: cannot be removed: %s", folder, name, strerror(reason));
}

void file_remove_all(const char *folder, const char *begin, const char *end)
{
    if (named_path_find_link(folder)) {
        file_remove(folder, ""); /* removes the link */
        return;
    }
    struct pool *pool = pool_new();
    const struct string_list names = folder_list(pool, folder, NULL, STATUS_IO);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.line[i];
        const size_t length = strlen(name), tail = strlen(end);
        if (*name != '.' && strncmp(name, begin, strlen(begin)) == 0 && length >= tail &&
            strcmp(name + length - tail, end) == 0)
            file_remove(folder, name);
    }
    pool_free(pool);
}

static void make_one(const char *path)
{
    if (mkdir(path, 0777) == 0)
        file_sync_name(path);
    else if (errno != EEXIST || !file_is_folder(path))
        die(STATUS_IO, "%s: the folder cannot be created: %s", path, strerror(errno));
}

void folder_make(const char *path)
{
    if (strcmp(path, "-") == 0)
        die(STATUS_BAD_INPUT,
            "-: expected a folder, not standard output; for a folder of this name give ./-");
    named_path_check(path);
    named_path_add_outermost(path);
    struct pool *pool = pool_new();
    size_t end = 0;
    do {
        end += path[end] ? 1 + strcspn(path + end + 1, "/") : 0;
        make_one(pool_strndup(pool, path, end));
    } while (path[end]);
    pool_free(pool);
}

int stat_is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

int file_is_same(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && stat_is_same(&a, &b);
}

const char *path_folder(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strcpy(folder, ".");
    snprintf(folder, PATH_MAX, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    return folder;
}

char *path_in(const char *folder, const char *name)
{
    static _Thread_local char paths[8][PATH_MAX + 1];
    static _Thread_local size_t next;
    char *path = paths[next++ % (sizeof paths / sizeof *paths)];
    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

/* ---- names ---- */

static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+";

enum { MAX_BYTES = 230, HASH_DIGITS = 16 };

/* The parts without an end. */
static const char *join(struct pool *pool, const char *const *parts)
{
    struct pool_text *name = pool_text_open(pool);
    FILE *stream = name->stream;
    for (size_t i = 0; parts[i]; i++) {
        fputs(i ? "-" : "", stream);
        for (const char *at = parts[i]; *at; at++)
            if (strchr(kept, *at) && (i || at > parts[i] || !strchr(".-", *at)))
                fputc(*at, stream);
            else
                fprintf(stream, "=%02X", (unsigned char)*at);
    }
    return pool_text_end(name);
}

const char *file_name_join(struct pool *pool, const char *before, const char *const *parts, const char *after)
{
    char hex[65], end[HASH_DIGITS + 3] = "";
    const char *name = join(pool, parts);
    const size_t length = strlen(name);
    if (length > MAX_BYTES) { /* "==" is in no other name */
        sha256_hex(name, length, hex);
        snprintf(end, sizeof end, "==%.*s", (int)HASH_DIGITS, hex);
    }
    return pool_printf(pool, "%s%.*s%s%s", before, (int)(*end ? MAX_BYTES - sizeof end + 1 : length), name, end, after);
}

int search_path_next(const char **folder, size_t *length)
{
    const char *next = *folder ? *folder + *length : "";
    *folder = next + strspn(next, ":");
    *length = strcspn(*folder, ":");
    return *length > 0;
}
