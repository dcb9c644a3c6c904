/*
 * Replaces addresses in the tables of imported functions (allocation.h). A relocation of an object names a symbol and
 * the slot that holds its address (System V ABI, chapter 5; the types are those of the processor's supplement). The
 * replaced functions receive no context argument, so their counts are file-scope variables.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "harness/verify/allocation.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { TYPE_CALL = R_X86_64_JUMP_SLOT, TYPE_DATA = R_X86_64_GLOB_DAT, TYPE_ADDRESS = R_X86_64_64, IS_KNOWN = 1 };
#elif defined(__aarch64__)
enum { TYPE_CALL = R_AARCH64_JUMP_SLOT, TYPE_DATA = R_AARCH64_GLOB_DAT, TYPE_ADDRESS = R_AARCH64_ABS64, IS_KNOWN = 1 };
#else
enum { TYPE_CALL, TYPE_DATA, TYPE_ADDRESS, IS_KNOWN = 0 };
#endif

static int counts;
static size_t allocations, first_bytes;

/* The real functions, not the entries of a table that is about to change. */
static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*reallocarray)(void *, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void *(*memalign)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
} real;

static void note(size_t bytes)
{
    if (counts && allocations++ == 0)
        first_bytes = bytes;
}

static void *seen_malloc(size_t size)
{
    note(size);
    return real.malloc(size);
}

static void *seen_calloc(size_t count, size_t size)
{
    note(count * size);
    return real.calloc(count, size);
}

static void *seen_realloc(void *memory, size_t size)
{
    note(size);
    return real.realloc(memory, size);
}

static void *seen_reallocarray(void *memory, size_t count, size_t size)
{
    note(count * size);
    return real.reallocarray(memory, count, size);
}

static void *seen_aligned_alloc(size_t alignment, size_t size)
{
    note(size);
    return real.aligned_alloc(alignment, size);
}

static void *seen_memalign(size_t alignment, size_t size)
{
    note(size);
    return real.memalign(alignment, size);
}

static int seen_posix_memalign(void **memory, size_t alignment, size_t size)
{
    note(size);
    return real.posix_memalign(memory, alignment, size);
}

typedef void function(void);

static const struct {
    const char *name;
    function *seen;
    void *real; /* a pointer to the function's address */
} replaced[] = {
    {"malloc", (function *)seen_malloc, &real.malloc},
    {"calloc", (function *)seen_calloc, &real.calloc},
    {"realloc", (function *)seen_realloc, &real.realloc},
    {"reallocarray", (function *)seen_reallocarray, &real.reallocarray},
    {"aligned_alloc", (function *)seen_aligned_alloc, &real.aligned_alloc},
    {"memalign", (function *)seen_memalign, &real.memalign},
    {"posix_memalign", (function *)seen_posix_memalign, &real.posix_memalign},
};
enum { REPLACED = sizeof replaced / sizeof *replaced };

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
static void replace(void *slot, function *seen)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *start = (char *)((uintptr_t)slot / page * page);
    if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0)
        memcpy(slot, &seen, sizeof seen);
}

static int replace_in(struct dl_phdr_info *object, size_t size, void *unused)
{
    struct tables tables = tables_of(object);
    (void)size;
    (void)unused;
    if (!tables.symbols || !tables.names || strncmp(object->dlpi_name, "linux-vdso", 10) == 0)
        return 0;
    for (int t = 0; t < 2; t++)
        for (size_t k = 0; tables.rela[t] && k < tables.bytes[t] / sizeof *tables.rela[t]; k++) {
            const ElfW(Rela) *rela = &tables.rela[t][k];
            unsigned type = (unsigned)ELF64_R_TYPE(rela->r_info);
            if (type != TYPE_CALL && type != TYPE_DATA && type != TYPE_ADDRESS)
                continue;
            const char *name = tables.names + tables.symbols[ELF64_R_SYM(rela->r_info)].st_name;
            for (size_t r = 0; r < REPLACED; r++)
                if (strcmp(name, replaced[r].name) == 0)
                    replace((void *)(object->dlpi_addr + rela->r_offset), replaced[r].seen);
        }
    return 0;
}

int allocation_watch(void)
{
    if (!IS_KNOWN)
        return 0;
    for (size_t r = 0; r < REPLACED; r++) {
        void *address = dlsym(RTLD_DEFAULT, replaced[r].name);
        if (!address)
            return 0;
        memcpy(replaced[r].real, &address, sizeof address);
    }
    (void)dl_iterate_phdr(replace_in, NULL);
    free(real.malloc(1)); /* do not count what the first call sets up */
    return 1;
}

void allocation_begin(void)
{
    allocations = 0;
    counts = 1;
}

size_t allocation_end(size_t *bytes)
{
    counts = 0;
    *bytes = first_bytes;
    return allocations;
}
