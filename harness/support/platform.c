/*
 * The only file that uses more than POSIX.1-2008 (platform.h). USES_GNU selects functions of the GNU C library,
 * USES_LINUX those of the Linux kernel, which other C libraries on Linux have as well.
 */
#if defined(__linux__) && !defined(HULLBENCH_PORTABLE)
#define _GNU_SOURCE
#define USES_LINUX 1
#else
#define _XOPEN_SOURCE 700
#define USES_LINUX 0
#endif
#include "harness/support/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if USES_LINUX
#include <sys/file.h>
#include <sys/random.h>
#include <sys/vfs.h>
#endif

#if USES_LINUX && defined(__GLIBC__)
#define USES_GNU 1
#else
#define USES_GNU 0
#endif

/* ---- files ---- */

char *platform_real_path(const char *path)
{
    return realpath(path, NULL);
}

int platform_is_sticky(const struct stat *about)
{
    return (about->st_mode & S_ISVTX) != 0;
}

#if USES_LINUX

int platform_is_in_proc(const char *folder)
{
    const unsigned long proc_super_magic = 0x9fa0; /* PROC_SUPER_MAGIC of <linux/magic.h> */
    struct statfs system;
    return statfs(folder, &system) == 0 && (unsigned long)system.f_type == proc_super_magic;
}

int platform_open_nameless(const char *folder, mode_t mode)
{
    if (access("/proc/self/fd", X_OK) != 0) /* it could not be named later */
        return -1;
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int platform_link_nameless(int file, const char *path)
{
    char name[32];
    platform_open_name(file, name, sizeof name);
    return linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int platform_open_name(int file, char *name, size_t size)
{
    snprintf(name, size, "/proc/self/fd/%d", file);
    return 1;
}

int platform_lock(int file)
{
    return flock(file, LOCK_EX | LOCK_NB);
}

int platform_random(uint64_t *bytes)
{
    return getrandom(bytes, sizeof *bytes, 0) == (ssize_t)sizeof *bytes;
}

#else

int platform_is_in_proc(const char *folder)
{
    char *real = platform_real_path(folder);
    int is = real && (strncmp(real, "/proc/", 6) == 0 || strcmp(real, "/dev/fd") == 0);
    free(real);
    return is;
}

int platform_open_nameless(const char *folder, mode_t mode)
{
    (void)folder;
    (void)mode;
    return -1;
}

int platform_link_nameless(int file, const char *path)
{
    (void)file;
    (void)path;
    errno = ENOTSUP;
    return -1;
}

int platform_open_name(int file, char *name, size_t size)
{
    (void)file;
    (void)name;
    (void)size;
    return 0;
}

int platform_lock(int file)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int failed = fcntl(file, F_SETLK, &whole);
    if (failed && (errno == EACCES || errno == EAGAIN))
        errno = EWOULDBLOCK;
    return failed;
}

/* Mixes time, process and a counter with the finaliser of SplitMix64. */
int platform_random(uint64_t *bytes)
{
    static uint64_t calls;
    struct timespec now = {0};
    uint64_t mixed;
    clock_gettime(CLOCK_REALTIME, &now);
#pragma omp atomic capture
    mixed = ++calls;
    mixed = mixed * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)getpid() << 32 ^
            ((uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    *bytes = mixed ^ mixed >> 31;
    return 1;
}

#endif

#if USES_GNU

struct buffer {
    char **text;
    size_t *size, capacity;
};

static ssize_t append(void *cookie, const char *bytes, size_t count)
{
    struct buffer *buffer = cookie;
    size_t needed = *buffer->size + count + 1;
    if (needed > buffer->capacity) {
        size_t wanted = 2 * buffer->capacity > needed ? 2 * buffer->capacity : needed;
        char *grown = realloc(*buffer->text, wanted);
        if (!grown)
            return 0; /* stdio treats this as an error */
        *buffer->text = grown;
        buffer->capacity = wanted;
    }
    memcpy(*buffer->text + *buffer->size, bytes, count);
    *buffer->size += count;
    (*buffer->text)[*buffer->size] = '\0';
    return (ssize_t)count;
}

static int release(void *cookie)
{
    free(cookie);
    return 0;
}

/* When memory runs out, open_memstream of the GNU C library drops output without setting the error flag, and leaves
 * the text NULL if closing fails. Here stdio writes into our own buffer, so it notices when that cannot grow. */
FILE *platform_open_text(char **text, size_t *size)
{
    struct buffer *buffer = malloc(sizeof *buffer);
    *text = calloc(1, 1);
    *size = 0;
    FILE *stream =
        buffer && *text ? fopencookie(buffer, "w", (cookie_io_functions_t){.write = append, .close = release}) : NULL;
    if (stream) {
        *buffer = (struct buffer){text, size, 1};
        return stream;
    }
    free(buffer);
    free(*text);
    *text = NULL;
    return NULL;
}

#else

FILE *platform_open_text(char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    return open_memstream(text, size);
}

#endif

/* ---- memory ---- */

#if USES_LINUX

void *platform_map(size_t bytes, int is_shared)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, (is_shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

#else

/* Maps a temporary file. */
void *platform_map(size_t bytes, int is_shared)
{
    FILE *file = tmpfile();
    void *memory = MAP_FAILED;
    if (file && ftruncate(fileno(file), (off_t)bytes) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, is_shared ? MAP_SHARED : MAP_PRIVATE, fileno(file), 0);
    if (file)
        fclose(file);
    return memory == MAP_FAILED ? NULL : memory;
}

#endif

#if USES_GNU

void platform_free_tree(void *root, void (*free_item)(void *item))
{
    tdestroy(root, free_item);
}

#else

static int is_always_equal(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return 0;
}

/* Deletes the root until the tree is empty. */
void platform_free_tree(void *root, void (*free_item)(void *item))
{
    while (root) {
        void *item = *(void **)root;
        tdelete(item, &root, is_always_equal);
        free_item(item);
    }
}

#endif
