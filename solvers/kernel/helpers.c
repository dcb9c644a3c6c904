/*
 * Threads that help, see helpers.h.
 *
 * The offer is one word: the number of the offer, and a bit for each part that is free. A thread takes a part by
 * clearing its bit with a compare-and-swap. The request that it then reads is that of the offer, because the requesting
 * thread makes a new offer only when all parts of the last one are done. Each thread begins at its own share of the
 * parts, so that it mostly finds in its cache what it wrote in the last pass over the same elements.
 */
#include "solvers/kernel/helpers.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

enum {
    LINE = 64,          /* bytes of a cache line */
    SPINS = 2000,       /* looks of an idle helper before it sleeps; some 0.1 ms */
    MIN_NAP = 50000,    /* nanoseconds */
    MAX_NAP = 1000000,
    NAP_SHARE = 16      /* a nap is at most this part of the time that the helper has been idle */
};

struct request {
    const struct helpers_division *division;
    helpers_work *work;
    void *context;
    size_t parts;
};

struct crew {
    _Alignas(LINE) _Atomic uint64_t offer; /* its number times 2^HELPERS_MAX_PARTS, plus 2^p for each free part p */
    const struct request *_Atomic request;
    atomic_size_t parts;
    atomic_int is_closed;
    _Alignas(LINE) atomic_size_t done; /* parts that helpers have done */
    atomic_size_t joined;              /* helpers */
    uint64_t offers;
    size_t threads;
    int owner; /* its number in the team */
};

/* The crew of the piece of work that the thread performs. */
static _Thread_local struct crew *own_crew;

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Takes a free part, the first at or after the share of the thread with this number, cyclically. Returns 0 if none is
 * free. */
static int take_part(struct crew *crew, size_t thread, size_t *part)
{
    uint64_t offer = atomic_load_explicit(&crew->offer, memory_order_acquire);
    while ((uint32_t)offer != 0) {
        const size_t parts = atomic_load_explicit(&crew->parts, memory_order_relaxed);
        const uint32_t free_parts = (uint32_t)offer;
        const uint32_t after = free_parts & (uint32_t)(UINT64_MAX << thread * parts / crew->threads);
        *part = (size_t)__builtin_ctz(after ? after : free_parts);
        if (atomic_compare_exchange_weak_explicit(&crew->offer, &offer, offer & ~((uint64_t)1 << *part),
                                                  memory_order_acquire, memory_order_acquire))
            return 1;
    }
    return 0;
}

static size_t first_of(const struct helpers_division *division, size_t part, size_t parts)
{
    const size_t grains = (division->size + division->grain - 1) / division->grain,
                 first = grains * part / parts * division->grain;
    return first < division->size ? first : division->size;
}

static void do_part(const struct request *request, size_t part)
{
    const struct helpers_part bounds = {.part = part,
                                        .parts = request->parts,
                                        .first = first_of(request->division, part, request->parts),
                                        .end = first_of(request->division, part + 1, request->parts)};
    request->work(request->context, &bounds);
}

/* Sleeps the longer the longer the helper has been idle. */
static void nap(long *idle)
{
    long length = *idle / NAP_SHARE;
    length = length < MIN_NAP ? MIN_NAP : length > MAX_NAP ? MAX_NAP : length;
    nanosleep(&(struct timespec){.tv_nsec = length}, NULL);
    *idle += *idle < (long)NAP_SHARE * MAX_NAP ? length : 0;
}

/* Takes parts until the crew is closed. The request is read after a part is taken; it then holds until the part is
 * done. */
static void help(struct crew *crew)
{
    const size_t thread = 1 + atomic_fetch_add_explicit(&crew->joined, 1, memory_order_relaxed);
    size_t part;
    int spins = 0;
    long idle = 0;
    while (!atomic_load_explicit(&crew->is_closed, memory_order_acquire)) {
        __builtin_prefetch(&crew->offer, 1); /* so that the swap need not fetch it again */
        if (take_part(crew, thread, &part)) {
            do_part(atomic_load_explicit(&crew->request, memory_order_relaxed), part);
            atomic_fetch_add_explicit(&crew->done, 1, memory_order_release);
            spins = 0;
            idle = 0;
        } else if (spins < SPINS) {
            relax();
            spins++;
        } else
            nap(&idle);
    }
}

/* Offers the parts, and does those that no helper takes. */
static void share(struct crew *crew, const struct request *request)
{
    const uint64_t others = ((uint64_t)1 << request->parts) - 2; /* all parts but the first */
    size_t part = 0, own = 0;
    own_crew = NULL; /* parts are not divided again */
    atomic_store_explicit(&crew->done, 0, memory_order_relaxed);
    atomic_store_explicit(&crew->request, request, memory_order_relaxed);
    atomic_store_explicit(&crew->parts, request->parts, memory_order_relaxed);
    atomic_store_explicit(&crew->offer, ++crew->offers << HELPERS_MAX_PARTS | others, memory_order_release);
    do {
        do_part(request, part);
        own++;
    } while (take_part(crew, 0, &part));
    for (int spins = 0; atomic_load_explicit(&crew->done, memory_order_acquire) < request->parts - own; spins++)
        if (spins < SPINS)
            relax();
        else
            sched_yield(); /* the helper may wait for this processor */
    own_crew = crew;
}

size_t helpers_run(const struct helpers_division *division, helpers_work *work, void *context)
{
    struct crew *crew = own_crew;
    if (!crew || division->size < 2 * division->min) {
        work(context, &(struct helpers_part){.parts = 1, .end = division->size});
        return 1;
    }
    size_t parts = division->per_thread * crew->threads;
    parts = parts < HELPERS_MAX_PARTS ? parts : HELPERS_MAX_PARTS;
    parts = division->size / division->min < parts ? division->size / division->min : parts;
    share(crew, &(struct request){division, work, context, parts});
    return parts;
}

void helpers_with(void (*work)(void *context), void *context)
{
    const int team = omp_get_num_threads(), processors = omp_get_num_procs();
    const int threads = team < processors ? team : processors;
    if (own_crew || threads < 2) {
        work(context);
        return;
    }
    struct crew crew = {.threads = threads < HELPERS_MAX_PARTS ? (size_t)threads : HELPERS_MAX_PARTS,
                        .owner = omp_get_thread_num()};
#pragma omp taskgroup
    {
        for (size_t helper = 1; helper < crew.threads; helper++)
#pragma omp task shared(crew)
            if (omp_get_thread_num() != crew.owner) /* which performs a task itself if too many wait, or at the end */
                help(&crew);
        own_crew = &crew;
        work(context);
        own_crew = NULL;
        atomic_store_explicit(&crew.is_closed, 1, memory_order_release);
    }
}
