/* The only file that uses more than POSIX.1-2008 (platform.h). */
#define _GNU_SOURCE
#include "harness/base/platform.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/die.h"

/* ---- files ---- */

char *platform_real_path(const char *path)
{
    return realpath(path, NULL);
}

int platform_is_sticky(const struct stat *about)
{
    return (about->st_mode & S_ISVTX) != 0;
}

int platform_open_nameless(const char *folder, mode_t mode)
{
    if (access("/proc/self/fd", X_OK) != 0) /* it could not be named later */
        return -1;
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

/* ---- memory ---- */

void *platform_map(size_t bytes, int is_shared)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, (is_shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

size_t platform_bytes_allocated(void)
{
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

struct buffer {
    char **text;
    size_t *size, own_size, capacity;
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
FILE *platform_text_stream(char **text, size_t *size)
{
    struct buffer *buffer = malloc(sizeof *buffer);
    *text = calloc(1, 1);
    FILE *stream =
        buffer && *text ? fopencookie(buffer, "w", (cookie_io_functions_t){.write = append, .close = release}) : NULL;
    if (size)
        *size = 0;
    if (stream)
        *buffer = (struct buffer){text, size ? size : &buffer->own_size, 0, 1};
    else {
        free(buffer);
        free(*text);
        *text = NULL;
    }
    return stream;
}

/* ---- this program ---- */

int platform_is_first_thread(void)
{
    return gettid() == getpid();
}

void platform_on_exit(void (*at_end)(int status, void *context), void *context)
{
    on_exit(at_end, context);
}

double platform_peak_megabytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}

/* ---- other processes ---- */

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

pid_t platform_fork(void)
{
    return _Fork();
}

void platform_begin_child(pid_t parent)
{
    const struct rlimit no_core = {0, 0};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    if (getppid() != parent)
        _exit(1);
}

int platform_follow(pid_t process, int known)
{
    const int here = sched_getcpu();
    cpu_set_t set;
    if (here < 0 || here == known)
        return here;
    CPU_ZERO(&set);
    CPU_SET((size_t)here, &set);
    sched_setaffinity(process, sizeof set, &set); /* without it the process is only slower to answer */
    return here;
}

void platform_close_from(int first)
{
    closefrom(first);
}

int platform_has_ended(pid_t child, int milliseconds)
{
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN};
    siginfo_t ended = {.si_pid = 0};
    poll(&end, 1, end.fd >= 0 ? milliseconds : 1); /* a kernel without the call: a nap */
    if (end.fd >= 0)
        close(end.fd);
    return waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == child;
}

const char *platform_signal_name(int number)
{
    const char *word = sigabbrev_np(number);
    return word ? message_text("SIG%s", word) : message_text("signal %d", number);
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

/* ---- the system ---- */

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

size_t platform_terminal_columns(int file)
{
    struct winsize size = {0};
    return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
