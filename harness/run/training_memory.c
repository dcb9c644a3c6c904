/*
 * With n training patterns of d features, or with z nonzero values, a job takes
 *
 *     GRAM_PATTERN_BYTES n          arrays of numbers: those of the solver, the judge and the rows of the cache
 *     3 . 8 n d, or 3 . 16 z        layouts: of all patterns, of the active ones, of parts (solvers/kernel/gram.c)
 *     8 n d                         the job's own patterns, if its training rows standardise them
 *     8 n^2, the matrix, or less    the cache; for compressed patterns it must have room for the two above
 *
 * and a model takes 12 z + 16 n if all patterns are support vectors. A part of the available memory stays free, for the
 * allocator and for short-lived data.
 */
#include "harness/run/training_memory.h"

#include <math.h>
#include <stdio.h>

#include "harness/base/die.h"
#include "solvers/kernel/gram.h"

enum { LAYOUT_BYTES = 16, MODEL_BYTES = sizeof(double) + sizeof(uint32_t) };

static const double share_used = 7. / 8, mebibyte = 1048576;

/* Layouts and arrays of one job. */
static double layout_bytes(const struct training *training, double nonzeros)
{
    const struct patterns *patterns = training->patterns;
    const double rows = (double)patterns->rows, n = (double)training->n_train, arrays = GRAM_PATTERN_BYTES * n;
    if (training->is_precomputed)
        return arrays;
    if (patterns_are_compressed(patterns))
        return arrays + GRAM_LAYOUTS * LAYOUT_BYTES * nonzeros;
    return arrays + (double)sizeof(double) * (double)patterns->dims *
                        (rows * (1 + training->is_copied) + (GRAM_LAYOUTS - 1) * n);
}

static _Noreturn void refuse(const struct training *training, const struct available_memory *available, double wanted,
                             double rest, double cache)
{
    char advice[80] = "give fewer rows or features, end other programs, or raise the limit";
    if (cache >= mebibyte)
        snprintf(advice, sizeof advice, "give -m %.0f, or less", floor(cache / mebibyte));
    die(STATUS_BAD_INPUT,
        "%s: training would take %.0f MB of memory (%.0f MB for kernel values), but only %.0f MB are "
        "available (%s); %s",
        training->name, ceil((rest + wanted) / share_used / 1e6), ceil(wanted / 1e6), floor(available->bytes / 1e6),
        available->limit, advice);
}

void training_memory_fit(const struct training *training, const struct available_memory *available, int was_asked,
                         size_t *cache_bytes)
{
    const double n = (double)training->n_train, jobs = (double)training->at_once;
    const double nonzeros = (double)patterns_nonzeros(training->patterns);
    const double layouts = jobs * layout_bytes(training, nonzeros);
    const double model = training->makes_model ? MODEL_BYTES * nonzeros + 2 * sizeof(double) * n : 0;
    const double rows = jobs * n * (double)sizeof(double); /* one row in each job */
    const int is_in_cache = patterns_are_compressed(training->patterns);
    const double matrix = rows * n + (is_in_cache ? layouts : 0), rest = model + (is_in_cache ? 0 : layouts);
    const double wanted = fmin((double)*cache_bytes, matrix), left = share_used * available->bytes - rest;
    const double least = GRAM_MIN_ROWS * rows + (is_in_cache ? layouts / GRAM_LAYOUTS : 0);
    if (left < least)
        refuse(training, available, least, rest, 0);
    if (wanted <= left)
        return;
    if (was_asked)
        refuse(training, available, wanted, rest, left);
    *cache_bytes = (size_t)left;
}
