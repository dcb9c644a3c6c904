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
#include <limits.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if USES_LINUX && defined(__GLIBC__)
#define USES_GNU 1
#else
#define USES_GNU 0
#endif

#if USES_LINUX
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#endif

#if USES_GNU
#include <gnu/libc-version.h>
#include <spawn.h>
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

/* ---- this program ---- */

#if USES_LINUX

void platform_note_program(const char *name)
{
    (void)name;
}

const char *platform_program(void)
{
    return "/proc/self/exe"; /* the program that runs, even if the file has been replaced */
}

int platform_program_path(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

#else

static char program[PATH_MAX];

static int note_file(const char *path)
{
    char *real = access(path, X_OK) == 0 ? platform_real_path(path) : NULL;
    int fits = real && (size_t)snprintf(program, sizeof program, "%s", real) < sizeof program;
    if (!fits)
        *program = '\0';
    free(real);
    return fits;
}

/* As a shell finds it: by its path, or in the folders of PATH, where an empty name is the current folder. */
void platform_note_program(const char *name)
{
    char path[2 * PATH_MAX];
    const char *folders = getenv("PATH");
    if (strchr(name, '/')) {
        note_file(name);
        return;
    }
    while (folders) {
        size_t length = strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)(length < PATH_MAX ? length : PATH_MAX), length ? folders : ".",
                 name);
        if (length < PATH_MAX && note_file(path))
            return;
        folders = folders[length] ? folders + length + 1 : NULL;
    }
}

const char *platform_program(void)
{
    return *program ? program : NULL;
}

int platform_program_path(char *path, size_t size)
{
    snprintf(path, size, "%s", program);
    return *program != '\0';
}

#endif

#if USES_GNU

void platform_on_exit(void (*at_end)(int status, void *context), void *context)
{
    on_exit(at_end, context);
}

_Noreturn void platform_exit(int status)
{
    exit(status);
}

#else

static int end_status = EXIT_FAILURE;
static void (*end_function)(int status, void *context);
static void *end_context;

static void end(void)
{
    end_function(end_status, end_context);
}

void platform_on_exit(void (*at_end)(int status, void *context), void *context)
{
    end_function = at_end;
    end_context = context;
    atexit(end);
}

_Noreturn void platform_exit(int status)
{
    end_status = status;
    exit(status);
}

#endif

#if USES_LINUX

static timer_t timer;

int platform_timer_make(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    return timer_create(CLOCK_MONOTONIC, &event, &timer);
}

void platform_timer_start(void)
{
    const struct itimerspec wait = {.it_value = {.tv_nsec = 500000000}};
    timer_settime(timer, 0, &wait, NULL);
}

double platform_peak_megabytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}

#else

int platform_timer_make(void)
{
    return 0;
}

void platform_timer_start(void)
{
    alarm(1);
}

double platform_peak_megabytes(void)
{
    return 0; /* POSIX has no ru_maxrss */
}

#endif

/* ---- other processes ---- */

#if USES_GNU

int platform_start(const char *folder, char *const arguments[], int output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason)
        return reason;
    reason = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!reason)
        reason = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    if (!reason)
        reason = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

#else

/* The child's part of platform_start: only calls that are safe after fork in a program with threads, and execvp. A
 * failure is written to `cause`, which a successful execvp closes. */
static _Noreturn void run_child(const char *folder, char *const arguments[], int output, int cause)
{
    int null = chdir(folder) == 0 ? open("/dev/null", O_RDONLY) : -1;
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0)
        execvp(arguments[0], arguments);
    int reason = errno;
    if (write(cause, &reason, sizeof reason) < 0)
        _exit(126);
    _exit(127);
}

int platform_start(const char *folder, char *const arguments[], int output, pid_t *child)
{
    int ends[2], reason = 0;
    if (pipe(ends) != 0)
        return errno;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    *child = fork();
    if (*child == 0)
        run_child(folder, arguments, output, ends[1]);
    if (*child < 0)
        reason = errno;
    close(ends[1]);
    while (*child > 0 && read(ends[0], &reason, sizeof reason) < 0 && errno == EINTR)
        ;
    close(ends[0]);
    while (*child > 0 && reason && waitpid(*child, NULL, 0) < 0 && errno == EINTR)
        ;
    return reason;
}

#endif

#if USES_LINUX

void platform_end_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int platform_is_stopped(pid_t child)
{
    char path[40], state = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)child);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return 0;
    int read = fscanf(stream, "%*d (%*[^)]) %c", &state);
    fclose(stream);
    return read == 1 && (state == 't' || state == 'T');
}

#else

void platform_end_with_parent(void)
{
}

/* The state is left in place, so that a later call sees it again. */
int platform_is_stopped(pid_t child)
{
    siginfo_t state = {0};
    return waitid(P_PID, (id_t)child, &state, WSTOPPED | WNOHANG | WNOWAIT) == 0 && state.si_pid == child;
}

#endif

/* ---- the system ---- */

#if USES_LINUX

const char *platform_processor(char *text, size_t size)
{
    int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    char *name = strstr(text, "model name"), *colon = name ? strchr(name, ':') : NULL;
    if (!colon)
        return NULL;
    colon[1 + strcspn(colon + 1, "\n")] = '\0';
    return colon + 2;
}

#else

const char *platform_processor(char *text, size_t size)
{
    (void)text;
    (void)size;
    return NULL;
}

#endif

const char *platform_libc_version(void)
{
#if USES_GNU
    return gnu_get_libc_version();
#else
    return NULL;
#endif
}
