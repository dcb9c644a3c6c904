/*
 * A preloaded library that makes the FAULT_AT-th allocation after the start of main fail: only that one or, if
 * FAULT_ON is set, that one and all later ones. FAULT_COUNT names a file that receives the number of allocations,
 * unless it has a larger one. FAULT_SITES names one that receives the number of each allocation from a new call site
 * (a stack of calls not seen before). FAULT_SHOW prints the stack of the failed allocation, for addr2line. glibc
 * only, because it calls __libc_malloc. A forked process goes on counting from its parent's number; other programs
 * that it starts are not affected. Allocations that LLVM's OpenMP library makes for itself do not fail, because
 * without memory it calls abort() or blocks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum { DEPTH = 24, PLACES = 1 << 16 };

static atomic_ulong made;
static unsigned long at;
static int on, started;
static uintptr_t openmp[2]; /* the addresses of LLVM's OpenMP library: from, to */
static FILE *sites;
static uint64_t places[PLACES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside;

/* Adds the call site to the table; returns whether it is new. */
static int is_new_place(void)
{
    void *frames[DEPTH];
    int depth = backtrace(frames, DEPTH);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 2; i < depth; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * UINT64_C(0x100000001b3);
    size_t slot = hash % PLACES;
    for (size_t tried = 0; places[slot] && places[slot] != hash && tried < PLACES; tried++)
        slot = (slot + 1) % PLACES;
    int is_new = places[slot] != hash;
    places[slot] = hash;
    return is_new;
}

static int find_openmp(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    (void)data;
    if (!strstr(object->dlpi_name, "/libomp."))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            openmp[0] = object->dlpi_addr + part->p_vaddr;
            openmp[1] = openmp[0] + part->p_memsz;
        }
    }
    return 1;
}

/* Whether this allocation, which the code at `caller` asks for, must fail. */
static int fails(const void *caller)
{
    if (!started || inside || ((uintptr_t)caller >= openmp[0] && (uintptr_t)caller < openmp[1]))
        return 0;
    unsigned long number = atomic_fetch_add(&made, 1) + 1;
    if (sites) {
        inside = 1;
        pthread_mutex_lock(&mutex);
        if (is_new_place())
            fprintf(sites, "%lu\n", number);
        pthread_mutex_unlock(&mutex);
        inside = 0;
    }
    if (at == 0 || (on ? number < at : number != at))
        return 0;
    if (getenv("FAULT_SHOW") && !inside) {
        void *frames[DEPTH];
        inside = 1;
        backtrace_symbols_fd(frames, backtrace(frames, DEPTH), STDERR_FILENO);
        inside = 0;
    }
    errno = ENOMEM;
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAULT_AT"), *name = getenv("FAULT_SITES");
    at = number ? strtoul(number, NULL, 10) : 0;
    on = getenv("FAULT_ON") != NULL;
    unsetenv("LD_PRELOAD");
    dl_iterate_phdr(find_openmp, NULL);
    void *frames[2];
    backtrace(frames, 2); /* its first call allocates */
    sites = name ? fopen(name, "w") : NULL;
    started = 1;
}

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("FAULT_COUNT");
    unsigned long known = 0, own = atomic_load(&made);
    started = 0;
    /* Of a process and those that it forked, the one with the most allocations counts. */
    FILE *file = name ? fopen(name, "r") : NULL;
    if (file) {
        if (fscanf(file, "%lu", &known) != 1)
            known = 0;
        fclose(file);
    }
    file = name && own > known ? fopen(name, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", own);
        fclose(file);
    }
    if (sites)
        fclose(sites);
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
