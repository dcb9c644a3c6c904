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
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
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
#include <sys/vfs.h>
#endif

#if USES_GNU
#include <argp.h>
#include <dlfcn.h>
#include <elf.h>
#include <gnu/libc-version.h>
#include <link.h>
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

#if USES_GNU

/* A relocation of an object names a symbol and the slot that holds its address (System V ABI, chapter 5; the types are
 * those of the processor's supplement). */
#if defined(__x86_64__)
enum { TYPE_CALL = R_X86_64_JUMP_SLOT, TYPE_DATA = R_X86_64_GLOB_DAT, TYPE_ADDRESS = R_X86_64_64, IS_KNOWN = 1 };
#elif defined(__aarch64__)
enum { TYPE_CALL = R_AARCH64_JUMP_SLOT, TYPE_DATA = R_AARCH64_GLOB_DAT, TYPE_ADDRESS = R_AARCH64_ABS64, IS_KNOWN = 1 };
#else
enum { TYPE_CALL, TYPE_DATA, TYPE_ADDRESS, IS_KNOWN = 0 };
#endif

/* The contents of an object's dynamic section. */
struct tables {
    const ElfW(Sym) *symbols;
    const char *names;
    const ElfW(Rela) *rela[2]; /* of calls and of data */
    size_t bytes[2];
};

static struct tables tables_of(const struct dl_phdr_info *object)
{
    struct tables tables = {.symbols = NULL};
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            const void *address = (const void *)entry->d_un.d_ptr;
            if (entry->d_tag == DT_SYMTAB)
                tables.symbols = address;
            else if (entry->d_tag == DT_STRTAB)
                tables.names = address;
            else if (entry->d_tag == DT_JMPREL)
                tables.rela[0] = address;
            else if (entry->d_tag == DT_PLTRELSZ)
                tables.bytes[0] = entry->d_un.d_val;
            else if (entry->d_tag == DT_RELA)
                tables.rela[1] = address;
            else if (entry->d_tag == DT_RELASZ)
                tables.bytes[1] = entry->d_un.d_val;
        }
    }
    return tables;
}

/* Writes into a slot that may have become read-only when the object was loaded. */
static void replace_slot(void *slot, void (*instead)(void))
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *start = (char *)((uintptr_t)slot / page * page);
    if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0)
        memcpy(slot, &instead, sizeof instead);
}

struct replacements {
    const struct platform_replacement *items;
    size_t count;
};

static int replace_in(struct dl_phdr_info *object, size_t size, void *context)
{
    const struct replacements *replacements = context;
    struct tables tables = tables_of(object);
    (void)size;
    if (!tables.symbols || !tables.names || strncmp(object->dlpi_name, "linux-vdso", 10) == 0)
        return 0;
    for (int t = 0; t < 2; t++)
        for (size_t k = 0; tables.rela[t] && k < tables.bytes[t] / sizeof *tables.rela[t]; k++) {
            const ElfW(Rela) *rela = &tables.rela[t][k];
            unsigned type = (unsigned)ELF64_R_TYPE(rela->r_info);
            if (type != TYPE_CALL && type != TYPE_DATA && type != TYPE_ADDRESS)
                continue;
            const char *name = tables.names + tables.symbols[ELF64_R_SYM(rela->r_info)].st_name;
            for (size_t r = 0; r < replacements->count; r++)
                if (strcmp(name, replacements->items[r].name) == 0)
                    replace_slot((void *)(object->dlpi_addr + rela->r_offset), replacements->items[r].instead);
        }
    return 0;
}

int platform_replace(const struct platform_replacement *replacements, size_t count)
{
    struct replacements all = {replacements, count};
    if (!IS_KNOWN)
        return 0;
    for (size_t r = 0; r < count; r++) {
        /* the function, not the entry of a table that is about to change */
        void *address = dlsym(RTLD_DEFAULT, replacements[r].name);
        if (!address)
            return 0;
        memcpy(replacements[r].original, &address, sizeof address);
    }
    (void)dl_iterate_phdr(replace_in, &all);
    return 1;
}

#else

int platform_replace(const struct platform_replacement *replacements, size_t count)
{
    (void)replacements;
    (void)count;
    return 0;
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

static double seconds_of(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

#if USES_LINUX

int platform_wait(pid_t child, int *status, double *seconds, double *megabytes)
{
    struct rusage used;
    if (wait4(child, status, 0, &used) != child)
        return 0;
    *seconds = seconds_of(&used);
    *megabytes = (double)used.ru_maxrss / 1024;
    return 1;
}

#else

int platform_wait(pid_t child, int *status, double *seconds, double *megabytes)
{
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    if (waitpid(child, status, 0) != child)
        return 0;
    getrusage(RUSAGE_CHILDREN, &after);
    *seconds = seconds_of(&after) - seconds_of(&before);
    *megabytes = 0;
    return 1;
}

#endif

/* ---- the system ---- */

#if USES_LINUX

double platform_load(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : -1;
}

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

double platform_load(void)
{
    return -1;
}

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

/* ---- the command line ---- */

static int is_option(const struct platform_option *option)
{
    return option->name || option->key || option->help;
}

static int is_heading(const struct platform_option *option)
{
    return !option->name && !option->key;
}

#if USES_GNU

struct argp_input {
    const struct platform_syntax *syntax;
    void *context;
};

static int is_key_of(const struct platform_option *options, int key)
{
    while (is_option(options) && (is_heading(options) || options->key != key))
        options++;
    return is_option(options);
}

static error_t take_key(int key, char *text, struct argp_state *argp)
{
    const struct argp_input *input = argp->input;
    const struct platform_syntax *syntax = input->syntax;
    struct parse_state state = {argp->name, argp->argv, argp->argc, argp->next};
    if (key == ARGP_KEY_INIT && syntax->more)
        argp->child_inputs[0] = argp->input;
    if (key == ARGP_KEY_ARGS || key == ARGP_KEY_END)
        syntax->take(input->context, key == ARGP_KEY_END ? PLATFORM_END : PLATFORM_OPERANDS, NULL, &state);
    else if (is_key_of(syntax->options, key))
        syntax->take(input->context, key, text, &state);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static error_t take_key_of_more(int key, char *text, struct argp_state *argp)
{
    const struct argp_input *input = argp->input;
    struct parse_state state = {argp->name, argp->argv, argp->argc, argp->next};
    if (!is_key_of(input->syntax->more, key))
        return ARGP_ERR_UNKNOWN;
    input->syntax->take(input->context, key, text, &state);
    return 0;
}

/* NULL if out of memory. */
static struct argp_option *make_argp_options(const struct platform_option *from)
{
    size_t count = 0;
    while (is_option(&from[count]))
        count++;
    struct argp_option *options = calloc(count + 1, sizeof *options);
    for (size_t i = 0; options && is_option(&from[i]); i++)
        options[i] = (struct argp_option){from[i].name, from[i].key, from[i].argument,
                                          from[i].help ? 0 : OPTION_HIDDEN, from[i].help, from[i].group};
    return options;
}

int platform_parse(const struct platform_syntax *syntax, int argc, char **argv, void *context)
{
    struct argp_option *options = make_argp_options(syntax->options),
                       *more = syntax->more ? make_argp_options(syntax->more) : NULL;
    const struct argp argp_of_more = {.options = more, .parser = take_key_of_more};
    const struct argp_child children[] = {{.argp = &argp_of_more}, {0}};
    const struct argp argp = {options, take_key, syntax->usage, syntax->doc, more ? children : NULL, NULL, NULL};
    struct argp_input input = {syntax, context};
    argp_err_exit_status = syntax->status_of_bad_use;
    int reason = options && (more || !syntax->more) ? argp_parse(&argp, argc, argv, 0, NULL, &input) : ENOMEM;
    free(options);
    free(more);
    return reason;
}

#else

enum { HELP_INDENT = 29, HELP_WIDTH = 79, KEY_HELP = -3, KEY_USAGE = -4 };

static const struct platform_option built_in[] = {{"help", '?', NULL, "Give this help list", 0},
                                                  {"usage", KEY_USAGE, NULL, "Give a short usage message", 0},
                                                  {0}};

struct parser {
    const struct platform_syntax *syntax;
    void *context;
    struct parse_state state;
};

/* ---- help ---- */

/* Prints text from column `column` on, with lines of at most HELP_WIDTH columns that begin at `indent`. */
static void print_wrapped(const char *text, size_t length, int column, int indent)
{
    const char *end = text + length;
    int is_first = 1;
    while (text < end) {
        size_t word = strcspn(text, " \n\v"), left = (size_t)(end - text);
        word = word < left ? word : left;
        if (!is_first && column + 1 + (int)word > HELP_WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (!is_first) {
            column += printf(" ");
        }
        column += printf("%.*s", (int)word, text);
        is_first = 0;
        text += word;
        if (text < end && *text == '\n') {
            printf("\n%*s", indent, "");
            column = indent;
            is_first = 1;
        }
        text += text < end;
    }
    puts("");
}

static void print_usage_lines(const struct parser *parser)
{
    const char *form = parser->syntax->usage ? parser->syntax->usage : "";
    for (const char *lead = "Usage:"; form; lead = "  or: ") {
        size_t length = strcspn(form, "\n");
        printf("%s %s [OPTION...] %.*s\n", lead, parser->state.name, (int)length, form);
        form = form[length] ? form + length + 1 : NULL;
    }
}

static void print_option(const struct platform_option *option)
{
    const int has_letter = option->key > 0 && option->key <= UCHAR_MAX;
    int column = has_letter ? printf("  -%c%s", option->key, option->name ? ", " : "") : printf("      ");
    if (option->name)
        column += printf("--%s%s%s", option->name, option->argument ? "=" : "",
                         option->argument ? option->argument : "");
    else if (option->argument)
        column += printf(" %s", option->argument);
    column = column < HELP_INDENT ? column + printf("%*s", HELP_INDENT - column, "")
                                  : printf("\n%*s", HELP_INDENT, "") - 1;
    print_wrapped(option->help, strlen(option->help), column, HELP_INDENT);
}

static void print_options(const struct platform_option *option)
{
    for (; option && is_option(option); option++)
        if (is_heading(option))
            printf("\n %s\n", option->help);
        else if (option->help)
            print_option(option);
}

static _Noreturn void print_help(const struct parser *parser)
{
    const char *doc = parser->syntax->doc ? parser->syntax->doc : "";
    size_t before = strcspn(doc, "\v");
    print_usage_lines(parser);
    print_wrapped(doc, before, 0, 0);
    puts("");
    print_options(parser->syntax->options);
    print_options(parser->syntax->more);
    print_options(built_in);
    if (doc[before]) {
        puts("");
        print_wrapped(doc + before + 1, strlen(doc + before + 1), 0, 0);
    }
    platform_exit(0);
}

/* ---- parsing ---- */

static _Noreturn void refuse(const struct parser *parser, const char *format, ...)
{
    va_list rest;
    fprintf(stderr, "%s: ", parser->state.argv[0]);
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    va_end(rest);
    fprintf(stderr, "\nTry `%s --help' or `%s --usage' for more information.\n", parser->state.name,
            parser->state.name);
    platform_exit(parser->syntax->status_of_bad_use);
}

static void take_option(struct parser *parser, const struct platform_option *option, char *text)
{
    if (option == &built_in[0])
        print_help(parser);
    if (option == &built_in[1]) {
        print_usage_lines(parser);
        platform_exit(0);
    }
    parser->syntax->take(parser->context, option->key, text, &parser->state);
}

/* Lists, one after the other, the options that a name or its beginning may mean. */
static const struct platform_option *next_option(const struct parser *parser, const struct platform_option *after)
{
    const struct platform_option *const lists[] = {parser->syntax->options, parser->syntax->more, built_in};
    int is_after = !after;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (const struct platform_option *option = lists[l]; option && is_option(option); option++) {
            if (is_after && !is_heading(option))
                return option;
            is_after |= option == after;
        }
    return NULL;
}

static _Noreturn void refuse_ambiguous(const struct parser *parser, const char *name, size_t length)
{
    char list[1000] = "";
    for (const struct platform_option *option = next_option(parser, NULL); option;
         option = next_option(parser, option))
        if (option->name && strncmp(option->name, name, length) == 0)
            snprintf(list + strlen(list), sizeof list - strlen(list), " '--%s'", option->name);
    refuse(parser, "option '--%s' is ambiguous; possibilities:%s", name, list);
}

/* --NAME, --NAME=TEXT or --NAME TEXT; the name may be shortened as long as it is clear. */
static void parse_long(struct parser *parser, char *name)
{
    struct parse_state *state = &parser->state;
    const size_t length = strcspn(name, "=");
    const struct platform_option *found = NULL;
    int matches = 0;
    for (const struct platform_option *option = next_option(parser, NULL); option;
         option = next_option(parser, option)) {
        if (!option->name || strncmp(option->name, name, length) != 0)
            continue;
        found = option;
        matches++;
        if (strlen(option->name) == length) {
            matches = 1;
            break;
        }
    }
    if (matches == 0)
        refuse(parser, "unrecognized option '--%s'", name);
    if (matches > 1)
        refuse_ambiguous(parser, name, length);
    char *text = name[length] ? name + length + 1 : NULL;
    if (text && !found->argument)
        refuse(parser, "option '--%s' doesn't allow an argument", found->name);
    if (!text && found->argument && state->next == state->argc)
        refuse(parser, "option '--%s' requires an argument", found->name);
    if (!text && found->argument)
        text = state->argv[state->next++];
    take_option(parser, found, text);
}

/* -X, several as -XY, -XTEXT or -X TEXT. */
static void parse_letters(struct parser *parser, char *letters)
{
    struct parse_state *state = &parser->state;
    while (*letters) {
        const int letter = (unsigned char)*letters++;
        const struct platform_option *option = next_option(parser, NULL);
        while (option && option->key != letter)
            option = next_option(parser, option);
        if (!option)
            refuse(parser, "invalid option -- '%c'", letter);
        char *text = NULL;
        if (option->argument && !*letters && state->next == state->argc)
            refuse(parser, "option requires an argument -- '%c'", letter);
        if (option->argument) {
            text = *letters ? letters : state->argv[state->next++];
            letters = text + strlen(text);
        }
        take_option(parser, option, text);
    }
}

int platform_parse(const struct platform_syntax *syntax, int argc, char **argv, void *context)
{
    const char *slash = strrchr(argv[0], '/');
    struct parser parser = {syntax, context, {slash ? slash + 1 : argv[0], argv, argc, 1}};
    struct parse_state *state = &parser.state;
    char **operands = calloc((size_t)argc + 1, sizeof *operands);
    int n = 0, only_operands = 0;
    if (!operands)
        return ENOMEM;
    while (state->next < argc) {
        char *word = argv[state->next++];
        if (only_operands || word[0] != '-' || !word[1])
            operands[n++] = word;
        else if (strcmp(word, "--") == 0)
            only_operands = 1;
        else if (word[1] == '-')
            parse_long(&parser, word + 2);
        else
            parse_letters(&parser, word + 1);
    }
    state->next = argc - n;
    memcpy(argv + state->next, operands, (size_t)n * sizeof *operands);
    free(operands);
    if (n > 0)
        syntax->take(context, PLATFORM_OPERANDS, NULL, state);
    state->next = argc;
    syntax->take(context, PLATFORM_END, NULL, state);
    return 0;
}

#endif
